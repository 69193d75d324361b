import Clocks
import Foundation
import RPC
import Testing

@Suite("Deadline ledger")
struct DeadlineLedgerTests {
  func ledger(_ hops: [(String, queue: Int, work: Int)]) -> DeadlineLedger {
    var ledger = DeadlineLedger()
    for (service, queue, work) in hops {
      ledger.append(.init(service: service, queue: .milliseconds(queue), work: .milliseconds(work)))
    }
    return ledger
  }

  @Test("says what each hop kept to itself, the outermost first, and who spent the most")
  func explains() {
    let ledger = ledger([("films", 360, 20), ("scraper", 2, 390), ("gateway", 0, 398)])
    #expect(
      ledger.explanation(of: .milliseconds(400))
        == "gateway 6.0 ms, scraper 12.0 ms (2.0 ms in its queue), films 380.0 ms (360.0 ms in its queue) of 400.0 ms; "
        + "most of it went to films")
  }

  @Test("an empty one says that nobody reported")
  func empty() {
    #expect(DeadlineLedger().explanation(of: .seconds(10)).contains("no hop said"))
    #expect(DeadlineLedger().own.isEmpty)
  }

  @Test("a hop that claims more than the one around it makes no negative time")
  func impossible() {
    let ledger = ledger([("liar", 0, 9_000), ("gateway", 0, 5)])
    #expect(ledger.own.allSatisfy { $0.work >= .zero })
  }

  @Test("is bounded: sixteen hops, names of 32 characters, times of 71 minutes")
  func bounded() {
    var ledger = DeadlineLedger()
    for _ in 0..<100 {
      ledger.append(.init(service: String(repeating: "x", count: 500), queue: .seconds(-1), work: .seconds(1e9)))
    }
    #expect(ledger.hops.count == 16)
    #expect(ledger.hops.allSatisfy { $0.service.count == 32 && $0.queue == 0 && $0.work == .max })
    #expect(ledger.explanation(of: .seconds(1)).count < 2_000)
  }

  @Test("survives the wire, and a peer's endless one is cut")
  func coding() throws {
    let ledger = ledger([("films", 1, 2), ("gateway", 0, 5)])
    let back = try JSONDecoder().decode(DeadlineLedger.self, from: JSONEncoder().encode(ledger))
    #expect(back == ledger)
    let hop = #"{"service":"\#(String(repeating: "é", count: 99))","queue":1,"work":2}"#
    let endless = "[\(Array(repeating: hop, count: 40).joined(separator: ","))]"
    let cut = try JSONDecoder().decode(DeadlineLedger.self, from: Data(endless.utf8))
    #expect(cut.hops.count == 16 && cut.hops[0].service.count == 32)
  }
}

@Suite("Idempotency key")
struct IdempotencyKeyTests {
  @Test("is written as a UUID and read back")
  func text() throws {
    let key = try #require(IdempotencyKey("6F9619FF-8B86-d011-b42d-00C04FC964FF"))
    #expect(key.description == "6f9619ff-8b86-d011-b42d-00c04fc964ff")
    #expect(IdempotencyKey("6f9619ff8b86d011b42d00c04fc964ff") == key)
    #expect(key.bits == 0x6f96_19ff_8b86_d011_b42d_00c0_4fc9_64ff)
  }

  @Test("every key survives being written and read", arguments: 1...3)
  func roundTrip(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var seen: Set<IdempotencyKey> = []
    for _ in 0..<1_000 {
      let key = IdempotencyKey.random(using: &random)
      #expect(IdempotencyKey(key.description) == key)
      seen.insert(key)
    }
    #expect(seen.count == 1_000)
    let all = try JSONDecoder().decode([IdempotencyKey].self, from: JSONEncoder().encode(Array(seen)))
    #expect(Set(all) == seen)
  }

  @Test(
    "anything else is refused",
    arguments: [
      "", "0", "00000000-0000-0000-0000-000000000000", "00000000000000000000000000000000",
      "6f9619ff-8b86-d011-b42d-00c04fc964f", "6f9619ff-8b86-d011-b42d-00c04fc964ff0",
      "6f9619ff-8b86-d011-b42d-00c04fc964fg", "6f9619ff8-b86-d011-b42d-00c04fc964ff",
      "6f9619ff8b86d011b42d00c04fc964f-", "{6f9619ff8b86d011b42d00c04fc964}", "6f9619ff_8b86_d011_b42d_00c04fc964ff",
      "６f9619ff8b86d011b42d00c04fc964", "------------------------------------",
    ])
  func refused(text: String) { #expect(IdempotencyKey(text) == nil) }
}

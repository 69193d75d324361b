import CAllocations
import Clocks
import Contracts
import EventLoops
import Gateway
import GatewayFakes
import HTTP
import RPC
import Testing

/// How many readers of events are written to in one turn of the loop, whatever it is that they are told.
@MainActor
@Suite("Broadcasts", .timeLimit(.minutes(5)))
struct BroadcastTests {
  private static let streamsPerTurn = 4
  private let gateway = GatewayFixture { $0.live.events.streamsPerTurn = streamsPerTurn }

  /// Opens so many streams for each of these topics, and waits until all of them follow what happens.
  private func readers(_ topics: [String], each count: Int, _ turns: Turns) async -> [Reader] {
    gateway.front.begin()
    await gateway.front.live.feed.live()
    var readers: [Reader] = []
    for topic in topics {
      for _ in 0..<count {
        let reader = Reader(turns)
        gateway.front.server.accept(reader)
        reader.ask("/v1/events?topics=\(topic)")
        readers.append(reader)
      }
    }
    await settle { readers.allSatisfy { $0.text.contains("event: hello\n") } }
    for reader in readers { reader.text = "" }
    turns.most = 0
    return readers
  }

  /// Goes through turns in which no time passes, and lets tasks run in each.
  private func settle(until holds: () -> Bool) async {
    repeat {
      gateway.time.advance(by: .zero)
      for _ in 0..<50 { await Task.yield() }
    } while !holds()
    gateway.time.advance(by: .zero)
  }

  @Test("several events at once, each to others, share one turn's number of streams")
  func events() async {
    let turns = Turns(gateway.time)
    let readers = await readers(["cinema:lantern", "cinema:moonlight", "sources"], each: 3, turns)
    for cinema in ["lantern", "moonlight"] { gateway.world.scraper.publish(gateway.change(cinema)) }
    await settle { readers.prefix(6).allSatisfy { $0.text.contains("event: schedule.changed\n") } }
    #expect(turns.most == Self.streamsPerTurn)
    #expect(readers.allSatisfy { $0.text.ranges(of: "event: schedule.changed\n").count <= 1 })
    #expect(readers.suffix(3).allSatisfy { !$0.text.contains("schedule.changed") })
    gateway.front.end()
  }

  @Test("readers that all missed something are told so in as many turns as it takes")
  func resets() async {
    let turns = Turns(gateway.time)
    let readers = await readers(["cinema:lantern"], each: 10, turns)
    let scraper = gateway.world.scraper
    let asked = { scraper.manners.seen.count { $0 == "ScheduleEvents" } }
    let before = asked()
    scraper.manners.failure = RPCError(.unavailable, "it is restarted", executed: .no)
    scraper.breakStreams()
    await settle {
      gateway.time.advance(by: .milliseconds(200))
      return asked() > before
    }
    scraper.publish(gateway.change("lantern"))
    scraper.logBegins = scraper.revision
    scraper.manners.failure = nil
    await settle {
      // Until the feed asks again: it waits a little longer each time.
      gateway.time.advance(by: .milliseconds(200))
      return readers.allSatisfy { $0.text.contains("event: reset\n") }
    }
    #expect(turns.most == Self.streamsPerTurn)
    #expect(readers.allSatisfy { $0.text.ranges(of: "event: reset\n").count == 1 })
    gateway.front.end()
  }

  @Test("who comes back and waits for their turn holds none of what they missed")
  func waiting() async {
    gateway.front.begin()
    await gateway.front.live.feed.live()
    for _ in 0..<1_000 { gateway.world.scraper.publish(gateway.change("lantern")) }
    while gateway.front.live.feed.revision != 1_100 { await Task.yield() }
    let turns = Turns(gateway.time)
    func bytesEach(of count: Int, since id: String, until holds: () -> Bool) async -> Int64 {
      let readers = (0..<count).map { _ in Reader(turns) }
      let before = odi_live_bytes()
      for reader in readers {
        gateway.front.server.accept(reader)
        reader.ask("/v1/events?topics=sources&last_event_id=\(id)")
      }
      while !holds(), !Task.isCancelled { await Task.yield() }
      return (odi_live_bytes() - before) / Int64(count)
    }
    let live = gateway.front.live
    // These take the turn, in which no time passes: all who come after them wait.
    let first = Self.streamsPerTurn
    _ = await bytesEach(of: first, since: "1100-") { live.counters.inTurnMax == first }
    let all = await bytesEach(of: 30, since: "100-") { live.waiting == 30 }
    let none = await bytesEach(of: 30, since: "1100-") { live.waiting == 60 }
    #expect(live.waiting == 60 && live.streams == 60 + first)
    #expect(all - none < 1_000, "\(all) bytes for who missed a thousand steps, \(none) for who missed none")
    gateway.front.end()
  }

  @Test(
    "of all who come back to another process one asks the scraper what happened before, whether it knows or not",
    arguments: [100, 120])
  func recalled(logBegins: Int64) async {
    let scraper = gateway.world.scraper
    for _ in 0..<30 { scraper.publish(gateway.change("lantern")) }
    scraper.logBegins = logBegins
    gateway.front.begin()
    await gateway.front.live.feed.live()
    // The look back at what an earlier process may have left asks too.
    for _ in 0..<500 { await Task.yield() }
    let asked = { scraper.manners.seen.count { $0 == "ScheduleEvents" } }
    let before = asked()
    let turns = Turns(gateway.time)
    let readers = (0..<10).map { _ in Reader(turns) }
    for reader in readers {
      gateway.front.server.accept(reader)
      reader.ask("/v1/events?topics=schedule&last_event_id=110-")
    }
    let end = logBegins > 110 ? "event: reset\n" : "id: 130-\n"
    await settle { readers.allSatisfy { $0.text.contains(end) } }
    #expect(asked() - before <= 1)
    #expect(readers.allSatisfy { $0.text.ranges(of: "event: schedule.changed\n").count == (logBegins > 110 ? 0 : 20) })
    gateway.front.end()
  }

  @Test("an open stream holds under 460 bytes, its connection included and its socket not")
  func size() async {
    gateway.front.begin()
    await gateway.front.live.feed.live()
    let turns = Turns(gateway.time)
    // Of fifty addresses each; once the first are open, what all share has its size.
    let readers = (0..<2_000).map { Reader(turns, at: IPAddress(v4: 10 << 24 | UInt32($0 / 50))) }
    func open(_ readers: ArraySlice<Reader>) async -> Int64 {
      let before = odi_live_bytes()
      for reader in readers {
        gateway.front.server.accept(reader)
        reader.ask("/v1/events?topics=cinema:lantern,film:film_monster")
      }
      await settle { readers.allSatisfy { !$0.text.isEmpty } }
      for reader in readers { reader.text = "" }
      return (odi_live_bytes() - before) / Int64(readers.count)
    }
    _ = await open(readers[..<1_000])
    let bytes = await open(readers[1_000...])
    #expect(gateway.front.live.streams == 2_000)
    #expect(bytes <= 460, "\(bytes) bytes a stream")
    gateway.front.end()
  }

  @Test("the heartbeats of streams that fell silent together are spread over turns")
  func heartbeats() async {
    let turns = Turns(gateway.time)
    let readers = await readers(["sources"], each: 10, turns)
    gateway.time.advance(by: .seconds(16))
    #expect(readers.allSatisfy { $0.text.hasSuffix(":\n\n") })
    #expect(turns.most == Self.streamsPerTurn)
    gateway.front.end()
  }
}

/// Counts the streams that are written to in one turn: until what was put off at the first of them has its time.
@MainActor
private final class Turns {
  var most = 0
  private var written: Set<ObjectIdentifier> = []
  private let time: any TimeSource

  init(_ time: any TimeSource) { self.time = time }

  func wrote(_ reader: Reader) {
    if written.isEmpty { time.after(.zero) { [self] in written = [] } }
    written.insert(ObjectIdentifier(reader))
    most = max(most, written.count)
  }
}

/// A connection that takes bytes at once, so that what is written in a turn is known in that turn.
@MainActor
private final class Reader: ByteStream {
  var handler: (any ByteStreamHandler)?
  let peer: SocketAddress
  var text = ""
  let queuedBytes = 0
  let isOverHighWater = false
  private let turns: Turns

  init(_ turns: Turns, at address: IPAddress = .loopback) {
    self.turns = turns
    peer = .ip(address, port: 50_000)
  }

  func ask(_ target: String) {
    Array("GET \(target) HTTP/1.1\r\nHost: odi.test\r\n\r\n".utf8).withUnsafeBytes { handler?.received($0) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) {
    text += String(decoding: bytes, as: UTF8.self)
    turns.wrote(self)
  }

  func pauseReading() {}
  func resumeReading() {}
  func finish() {}
  func close(_ reason: StreamEnd) {}
}

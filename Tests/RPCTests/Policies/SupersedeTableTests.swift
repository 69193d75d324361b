import Clocks
import RPC
import Testing

@Suite("Supersede table")
struct SupersedeTableTests {
  typealias Table = SupersedeTable<String, Int>
  let start = Instant(nanoseconds: 1_000_000_000)

  enum Seen: Equatable {
    case run(cancelling: [Int])
    case superseded(by: UInt64)
    case notARead
  }

  func seen(_ verdict: Table.Verdict) -> Seen {
    switch verdict {
    case .run(let older): .run(cancelling: older)
    case .superseded(let newer): .superseded(by: newer)
    case .notARead: .notARead
    }
  }

  func arrive(
    _ table: inout Table, _ key: String, _ sequence: UInt64, _ call: Int, now: Instant? = nil
  ) -> Seen {
    seen(table.arrive(key, sequence: sequence, call: call, isRead: true, now: now ?? start))
  }

  func arrive(_ table: inout Table, _ sequence: UInt64, _ call: Int, isRead: Bool = true) -> Seen {
    seen(table.arrive("s/nearby", sequence: sequence, call: call, isRead: isRead, now: start))
  }

  @Test("a newer request cancels the older one")
  func newer() {
    var table = Table()
    #expect(arrive(&table, 1, 10) == .run(cancelling: []))
    #expect(arrive(&table, 2, 20) == .run(cancelling: [10]))
    #expect(arrive(&table, 5, 50) == .run(cancelling: [20]))
  }

  @Test("an older one that arrives late is refused, also after the newer one ended")
  func late() {
    var table = Table()
    _ = arrive(&table, 7, 70)
    #expect(arrive(&table, 6, 60) == .superseded(by: 7))
    table.finish("s/nearby", call: 70, now: start)
    #expect(arrive(&table, 6, 60) == .superseded(by: 7))
    #expect(arrive(&table, 8, 80) == .run(cancelling: []), "what ended is not cancelled")
  }

  @Test("calls with one number live side by side and go together")
  func together() {
    var table = Table()
    for call in 1...3 { #expect(arrive(&table, 4, call) == .run(cancelling: [])) }
    table.finish("s/nearby", call: 2, now: start)
    #expect(arrive(&table, 5, 9) == .run(cancelling: [1, 3]))
  }

  @Test("other sessions and slots are left alone")
  func separate() {
    var table = Table()
    _ = arrive(&table, "s/nearby", 9, 1)
    #expect(arrive(&table, "s/search", 1, 2) == .run(cancelling: []))
    #expect(arrive(&table, "t/nearby", 1, 3) == .run(cancelling: []))
  }

  @Test("a write can neither supersede nor be superseded")
  func readsOnly() {
    var table = Table()
    _ = arrive(&table, 1, 10)
    #expect(arrive(&table, 2, 20, isRead: false) == .notARead)
    #expect(arrive(&table, 1, 11) == .run(cancelling: []), "the refused write left no trace")
  }

  @Test("every number is accepted, zero and the largest included")
  func extremes() {
    var table = Table()
    #expect(arrive(&table, 0, 1) == .run(cancelling: []))
    #expect(arrive(&table, .max, 2) == .run(cancelling: [1]))
    #expect(arrive(&table, .max - 1, 3) == .superseded(by: .max))
  }

  @Test("the oldest idle pane is forgotten first when the table is full")
  func bounded() {
    var limits = Table.Limits()
    limits.keysMax = 3
    var table = Table(limits)
    for (place, key) in ["a", "b", "c"].enumerated() { _ = arrive(&table, key, 5, place) }
    table.finish("b", call: 1, now: start)
    _ = arrive(&table, "d", 1, 9)
    #expect(table.count == 3)
    #expect(arrive(&table, "a", 4, 8) == .superseded(by: 5), "the busy one stayed")
    for pane in 0..<1_000 { _ = arrive(&table, "x\(pane)", 1, pane) }
    #expect(table.count == 3)
  }

  @Test("a number is forgotten a minute after its calls ended, not before")
  func memory() {
    var table = Table()
    _ = arrive(&table, "a", 9, 1)
    _ = arrive(&table, "b", 9, 2)
    table.finish("a", call: 1, now: start)
    _ = arrive(&table, "c", 1, 3, now: start + .seconds(59))
    #expect(table.count == 3)
    table.finish("b", call: 2, now: start + .seconds(59))
    _ = arrive(&table, "c", 2, 4, now: start + .seconds(60))
    #expect(table.count == 2, "a is gone, b is younger")
    #expect(arrive(&table, "b", 8, 5, now: start + .seconds(61)) == .superseded(by: 9))
  }

  @Test("more calls of one number than can be linked run unlinked")
  func crowd() {
    var limits = Table.Limits()
    limits.callsMax = 4
    var table = Table(limits)
    for call in 1...10 { #expect(arrive(&table, 1, call) == .run(cancelling: [])) }
    #expect(arrive(&table, 2, 99) == .run(cancelling: [1, 2, 3, 4]))
  }

  @Test("of any interleaving only the newest survives", arguments: 1...30)
  func newestSurvives(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var table = Table()
    var running: Set<Int> = []
    for sequence in Array(1...50).shuffled(using: &random) {
      switch arrive(&table, UInt64(sequence), sequence) {
      case .run(let older):
        running.subtract(older)
        running.insert(sequence)
      case .superseded(let newer): #expect(newer > sequence)
      case .notARead: Issue.record("it is one")
      }
      #expect(running.count <= 1, "seed \(seed)")
    }
    #expect(running == [50], "seed \(seed)")
  }
}

import Clocks
import RPC
import Testing

@Suite("Flow credit")
struct FlowCreditTests {
  @Test("a sender sends what it has credit for and no more")
  func sender() throws {
    var sender = FlowCredit.Sender(window: 100)
    #expect(sender.take(60) == 60)
    #expect(sender.take(60) == 40)
    #expect(sender.take(1) == 0)
    #expect(sender.take(-5) == 0)
    try sender.grant(30)
    #expect(sender.take(.max) == 30)
    sender.putBack(10)
    #expect(sender.available == 10)
  }

  @Test("a grant beyond the window, of nothing or of less than nothing is the peer's fault")
  func badGrants() {
    var sender = FlowCredit.Sender(window: 100)
    #expect(throws: FlowCredit.Violation.overflow(granted: 1, allowed: 0)) { try sender.grant(1) }
    _ = sender.take(50)
    #expect(throws: FlowCredit.Violation.overflow(granted: .max, allowed: 50)) { try sender.grant(.max) }
    #expect(throws: FlowCredit.Violation.notPositive(0)) { try sender.grant(0) }
    #expect(throws: FlowCredit.Violation.notPositive(.min)) { try sender.grant(.min) }
    #expect(sender.available == 50, "a refused grant changes nothing")
  }

  @Test("a receiver grants again when half the window is used up")
  func receiver() throws {
    var receiver = FlowCredit.Receiver(window: 100)
    try receiver.received(80)
    #expect(receiver.held == 80)
    #expect(receiver.consumed(49) == nil)
    #expect(receiver.consumed(1) == 50)
    #expect(receiver.held == 30)
    try receiver.received(70)
    #expect(receiver.held == 100)
  }

  @Test("what is sent without credit is the peer's fault")
  func overrun() throws {
    var receiver = FlowCredit.Receiver(window: 100)
    try receiver.received(100)
    #expect(throws: FlowCredit.Violation.overrun(sent: 1, allowed: 0)) { try receiver.received(1) }
    #expect(throws: FlowCredit.Violation.notPositive(-1)) { try receiver.received(-1) }
    #expect(receiver.held == 100)
  }

  @Test("a stream and its connection never stall, overrun or hold more than their windows", arguments: 1...20)
  func conversation(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let streamCount = 4
    var connectionOut = FlowCredit.Sender(window: 1_000)
    var connectionIn = FlowCredit.Receiver(window: 1_000)
    var outs = Array(repeating: FlowCredit.Sender(window: 300), count: streamCount)
    var ins = Array(repeating: FlowCredit.Receiver(window: 300), count: streamCount)
    var unsent = Array(repeating: 20_000, count: streamCount)
    var held = Array(repeating: 0, count: streamCount)
    var idle = 0
    while unsent.contains(where: { $0 > 0 }) || held.contains(where: { $0 > 0 }) {
      let stream = Int.random(in: 0..<streamCount, using: &random)
      idle += 1
      if Bool.random(using: &random) {
        let wanted = min(unsent[stream], Int.random(in: 1...400, using: &random))
        let fromStream = outs[stream].take(wanted)
        let size = connectionOut.take(fromStream)
        outs[stream].putBack(fromStream - size)
        guard size > 0 else { continue }
        try ins[stream].received(size)
        try connectionIn.received(size)
        unsent[stream] -= size
        held[stream] += size
      } else {
        let size = min(held[stream], Int.random(in: 1...200, using: &random))
        guard size > 0 else { continue }
        held[stream] -= size
        if let grant = ins[stream].consumed(size) { try outs[stream].grant(grant) }
        if let grant = connectionIn.consumed(size) { try connectionOut.grant(grant) }
      }
      idle = 0
      #expect(connectionIn.held == held.reduce(0, +), "seed \(seed)")
      #expect(connectionIn.held <= 1_000 && ins.allSatisfy { $0.held <= 300 }, "seed \(seed)")
      try #require(idle < 10_000, "stalled, seed \(seed)")
    }
  }
}

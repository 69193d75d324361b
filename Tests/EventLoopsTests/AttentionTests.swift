import EventLoops
import Glibc
import Testing

@Suite("Attention")
@MainActor
struct AttentionTests {
  private let ends: [Int32]
  private var attention: Attention

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0)
    self.ends = ends
    attention = Attention(to: ends[0])
  }

  /// How often it looks during one wait that begins now.
  private mutating func looks() -> Int {
    let before = attention.looks
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    attention.stayAwake(since: UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec))
    return attention.looks - before
  }

  private func close() { for end in ends { Glibc.close(end) } }

  @Test("who waits for no answer or for several sleeps at once, and so does who may not stay awake")
  mutating func asleep() {
    defer { close() }
    for questions in [0, 2, 64] {
      attention.questions = questions
      #expect(looks() == 0, "\(questions)")
    }
    (attention.questions, attention.isAllowed) = (1, false)
    #expect(looks() == 0)
  }

  @Test("an answer that is there is seen at the first look")
  mutating func ready() {
    defer { close() }
    attention.questions = 1
    #expect(write(ends[1], "a", 1) == 1)
    for _ in 0..<3 { #expect(looks() == 1) }
  }

  @Test("in vain it is tried ever more rarely, and always again once it pays")
  mutating func inVain() {
    defer { close() }
    attention.questions = 1
    for skipped in [1, 2, 4, 8, 16, 32, 64, 64] {
      #expect(looks() > 0)
      for _ in 0..<skipped { #expect(looks() == 0) }
    }
    #expect(write(ends[1], "a", 1) == 1)
    for _ in 0..<3 { #expect(looks() == 1) }
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 1)
    #expect(looks() > 0)
    #expect(looks() == 0)
    #expect(looks() > 0)
  }
}

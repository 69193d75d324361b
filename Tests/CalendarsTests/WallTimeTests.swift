import Clocks
import Testing

@Suite("A wall time and a duration")
struct WallTimeTests {
  @Test("are a time earlier or later, to the millisecond")
  func steps() {
    let time = WallTime(milliseconds: 10_000)
    #expect(time.adding(.seconds(2)) == WallTime(milliseconds: 12_000))
    #expect(time - .milliseconds(1) == WallTime(milliseconds: 9_999))
    #expect(time - .seconds(-1) == WallTime(milliseconds: 11_000))
  }

  @Test("end at the first and at the last of times")
  func ends() {
    #expect(WallTime(milliseconds: .max - 5).adding(.seconds(1)).milliseconds == .max)
    #expect((WallTime(milliseconds: .min + 5) - .seconds(1)).milliseconds == .min)
  }
}

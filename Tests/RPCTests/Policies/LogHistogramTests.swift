import Clocks
import RPC
import Testing

@Suite("Log histogram")
struct LogHistogramTests {
  @Test("an empty one has no quantile")
  func empty() { #expect(LogHistogram().quantile(0.5) == nil) }

  @Test("small numbers are exact")
  func exact() {
    for value in 0..<8 as Range<UInt64> {
      var histogram = LogHistogram()
      histogram.record(value)
      #expect(histogram.quantile(0.5) == value)
    }
  }

  @Test("every other number comes back within 6.25 %")
  func error() throws {
    var value: UInt64 = 8
    while value < LogHistogram.valueMax {
      var histogram = LogHistogram()
      histogram.record(value)
      let back = try #require(histogram.quantile(1))
      #expect(abs(Double(back) / Double(value) - 1) <= 0.0625, "\(value) became \(back)")
      value += max(1, value / 37)
    }
  }

  @Test("numbers beyond the last bucket count as the largest")
  func huge() throws {
    var histogram = LogHistogram()
    histogram.record(.max)
    let back = try #require(histogram.quantile(0.5))
    #expect(back < LogHistogram.valueMax && back > LogHistogram.valueMax / 10 * 9)
  }

  @Test("quantiles agree with sorting, alone and over two", arguments: 1...10)
  func agrees(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var first = LogHistogram()
    var second = LogHistogram()
    var all: [UInt64] = []
    for index in 0..<1_000 {
      let value = UInt64.random(in: 0..<(1 << UInt64.random(in: 4...26, using: &random)), using: &random)
      all.append(value)
      if index % 3 == 0 { first.record(value) } else { second.record(value) }
    }
    all.sort()
    for share in [0.01, 0.5, 0.95, 0.99, 1] {
      let expected = all[Int((1_000 * share).rounded(.up)) - 1]
      let found = try #require(first.quantile(share, with: second))
      #expect(abs(Double(found) - Double(expected)) <= 0.0625 * Double(expected) + 1, "seed \(seed), \(share)")
    }
  }
}

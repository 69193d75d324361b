import Clocks
import RPC
import Testing

@Suite("Backoff")
struct BackoffTests {
  @Test("the ceiling doubles from 50 ms and stops at 1 s")
  func doubles() {
    let ceilings = (1...8).map { Backoff.retry.ceiling(repetition: $0).wholeMilliseconds }
    #expect(ceilings == [50, 100, 200, 400, 800, 1_000, 1_000, 1_000])
  }

  @Test("no repetition number overflows", arguments: [Int.min, -1, 0, 63, 64, 10_000, Int.max])
  func extremes(repetition: Int) {
    let ceiling = Backoff.retry.ceiling(repetition: repetition)
    #expect(ceiling == (repetition < 1 ? .milliseconds(50) : .seconds(1)))
  }

  @Test("waits fill the whole range below the ceiling, evenly")
  func fullJitter() {
    var random = SeededRandom(seed: 1)
    var tenths = [Int](repeating: 0, count: 10)
    for _ in 0..<10_000 {
      let delay = Backoff.retry.delay(repetition: 1, using: &random).saturatedNanoseconds
      #expect((0...50_000_000).contains(delay))
      tenths[min(9, Int(delay / 5_000_000))] += 1
    }
    #expect(tenths.allSatisfy { (850...1_150).contains($0) }, "\(tenths)")
  }
}

@Suite("Seeded random")
struct SeededRandomTests {
  @Test("the same seed gives the same numbers, another seed others")
  func deterministic() {
    func numbers(_ seed: UInt64) -> [UInt64] {
      var random = SeededRandom(seed: seed)
      return (0..<100).map { _ in random.next() }
    }
    #expect(numbers(7) == numbers(7))
    #expect(Set(numbers(7)).isDisjoint(with: numbers(8)))
  }

  @Test("the first numbers of seed 0 are SplitMix64's published ones")
  func reference() {
    var random = SeededRandom(seed: 0)
    #expect(random.next() == 0xE220_A839_7B1D_CDAF)
    #expect(random.next() == 0x6E78_9E6A_A1B9_65F4)
  }

  @Test("what a split-off generator draws does not change its parent")
  func split() {
    var parent = SeededRandom(seed: 3)
    var twin = parent
    var child = parent.split()
    _ = twin.split()
    for _ in 0..<10 { _ = child.next() }
    #expect(parent.next() == twin.next())
  }
}

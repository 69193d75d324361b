import Clocks
import RPC
import Testing

@Suite("Recency map")
struct RecencyMapTests {
  @Test("agrees with an array of keys in the order of their use, in any history", arguments: 1...20)
  func model(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var map = RecencyMap<Int, Int>()
    var order: [(key: Int, value: Int)] = []
    for step in 0..<2_000 {
      let key = Int.random(in: 0..<12, using: &random)
      let known = order.firstIndex { $0.key == key }
      switch Int.random(in: 0..<9, using: &random) {
      case 0...3:
        #expect(map.set(key, to: step) == known.map { order[$0].value }, "seed \(seed)")
        if let known { order.remove(at: known) }
        order.append((key, step))
      case 4:
        #expect(map.removeEldest() == order.first?.value, "seed \(seed)")
        if !order.isEmpty { order.removeFirst() }
      case 5, 6:
        let old = map.update(key) { value -> Int in
          defer { value = -step }
          return value
        }
        #expect(old == known.map { order[$0].value }, "seed \(seed)")
        if let known {
          order.remove(at: known)
          order.append((key, -step))
        }
      default:
        #expect(map.remove(key) == known.map { order[$0].value }, "seed \(seed)")
        if let known { order.remove(at: known) }
      }
      #expect(map.count == order.count, "seed \(seed)")
      #expect(map.eldest?.key == order.first?.key, "seed \(seed)")
      #expect(map[key] == order.first { $0.key == key }?.value, "seed \(seed)")
      let even = order.prefix(4).first { $0.value % 2 == 0 }?.key
      #expect(map.oldest(among: 4) { $0 % 2 == 0 } == even, "seed \(seed)")
    }
  }

  @Test("holds no more than it may: the one used longest ago goes, and what is set again takes no place")
  func bounded() {
    var map = RecencyMap<Int, Int>(atMost: 3)
    for key in 1...3 { map.set(key, to: key) }
    #expect(map.use(1) == 1)
    #expect(map.set(3, to: 30) == 3 && map.count == 3)
    map.set(4, to: 4)
    #expect(map.count == 3 && map[2] == nil && map.use(2) == nil)
    map.set(5, to: 5)
    #expect([1, 3, 4, 5].map { map[$0] } == [nil, 30, 4, 5])
  }
}

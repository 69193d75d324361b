import Clocks

extension SeededRandom {
  /// A number of which every size is as likely.
  mutating func integer() -> Int { Int(bitPattern: UInt(next() >> UInt64.random(in: 0..<64, using: &self))) }

  mutating func text() -> String {
    let letters = Array("abcdefghijklmnop 0123456789가나다라씨네큐브é🎬\u{0}")
    return String((0..<Int.random(in: 0...40, using: &self)).map { _ in letters.randomElement(using: &self)! })
  }

  mutating func maybe<Value>(_ make: (inout SeededRandom) -> Value) -> Value? {
    Bool.random(using: &self) ? make(&self) : nil
  }

  mutating func many<Value>(_ most: Int = 5, _ make: (inout SeededRandom) -> Value) -> [Value] {
    (0..<Int.random(in: 0...most, using: &self)).map { _ in make(&self) }
  }
}

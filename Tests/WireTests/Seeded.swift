/// A small generator (SplitMix64) whose every sequence can be had again from its seed.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number of which every size is as likely.
  mutating func integer() -> Int { Int(bitPattern: UInt(next() >> UInt64.random(in: 0..<64, using: &self))) }

  mutating func text() -> String {
    let letters = Array("abcdefghijklmnop 0123456789가나다라씨네큐브é🎬\u{0}")
    return String((0..<Int.random(in: 0...40, using: &self)).map { _ in letters.randomElement(using: &self)! })
  }

  mutating func maybe<Value>(_ make: (inout Seeded) -> Value) -> Value? {
    Bool.random(using: &self) ? make(&self) : nil
  }

  mutating func many<Value>(_ most: Int = 5, _ make: (inout Seeded) -> Value) -> [Value] {
    (0..<Int.random(in: 0...most, using: &self)).map { _ in make(&self) }
  }
}

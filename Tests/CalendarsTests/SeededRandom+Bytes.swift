import Clocks

extension SeededRandom {
  mutating func bytes(upTo count: Int) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}

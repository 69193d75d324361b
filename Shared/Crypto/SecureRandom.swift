import CCrypto

/// Random bytes that nobody can guess: for keys, tokens, nonces.
///
/// A process that cannot get them stops at once: one that went on would hand out keys that can be guessed.
package struct SecureRandom: RandomNumberGenerator {
  package init() {}

  package static func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      if count > 0 { fill(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[..<count])) }
      filled = count
    }
  }

  package mutating func next() -> UInt64 {
    var word: UInt64 = 0
    withUnsafeMutableBytes(of: &word) { Self.fill($0) }
    return word
  }

  private static func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    let filled = RAND_bytes(bytes.bindMemory(to: UInt8.self).baseAddress, Int32(bytes.count))
    precondition(filled == 1, "the system gives no random bytes")
  }
}

package import Contracts
import Crypto
package import RPC

nonisolated extension IdempotencyKey {
  /// The key of a write that its client calls `text`. A UUID is itself; anything else becomes 128 bits of a hash, in
  /// which the user has a part, or the network of a stranger, so that two users' "1" are two keys. Nil for what cannot
  /// stand in a header.
  package init?(naming text: String, of user: UserID?, at network: String? = nil) {
    guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    if let key = IdempotencyKey(text) {
      self = key
      return
    }
    let digest = SHA256.digest(of: "odi-key\n\(user?.text ?? network ?? "")\n\(text)")
    self.init(bits: digest.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
  }

  /// The key of a part of the write that this one names: the first part has the key itself.
  func part(_ number: Int) -> IdempotencyKey {
    guard number > 0 else { return self }
    let digest = SHA256.digest(of: "odi-part\n\(self)\n\(number)")
    return IdempotencyKey(bits: digest.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }) ?? self
  }

  /// A key that nobody else has.
  static func fresh() -> IdempotencyKey {
    var random = SecureRandom()
    return .random(using: &random)
  }
}

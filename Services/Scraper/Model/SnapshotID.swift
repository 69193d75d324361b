import Crypto

/// The name of stored bytes: their SHA-256.
nonisolated package struct SnapshotID: Hashable, Sendable, LosslessStringConvertible {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(of body: [UInt8]) { bytes = SHA256.digest(of: body) }

  package init?(_ text: String) {
    guard let bytes = Hex.decode(text), bytes.count == SHA256.size else { return nil }
    self.bytes = bytes
  }

  package var description: String { Hex.encode(bytes) }
}

import CCrypto

/// The SHA-256 digest of a message: 32 bytes.
package enum SHA256 {
  package static let size = 32

  package static func digest(of message: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { digest, count in
      let done = EVP_Digest(message.baseAddress, message.count, digest.baseAddress, nil, EVP_sha256(), nil)
      precondition(done == 1, "libcrypto cannot compute SHA-256")
      count = size
    }
  }

  package static func digest(of message: [UInt8]) -> [UInt8] { message.withUnsafeBytes { digest(of: $0) } }

  package static func digest(of message: String) -> [UInt8] { digest(of: Array(message.utf8)) }
}

/// A code that only a holder of the key can make for a message: HMAC with SHA-256, 32 bytes.
package enum HMACSHA256 {
  package static let size = SHA256.size

  package static func code(for message: UnsafeRawBufferPointer, key: Secret) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { code, count in
      key.withBytes { key in
        // An empty message has no address of its own, and libcrypto takes nil for "the message follows later".
        var nothing: UInt8 = 0
        let start = message.bindMemory(to: UInt8.self).baseAddress
        let done = withUnsafePointer(to: &nothing) { nothing in
          HMAC(
            EVP_sha256(), key.baseAddress, Int32(key.count), start ?? nothing, message.count, code.baseAddress, nil)
        }
        precondition(done != nil, "libcrypto cannot compute HMAC-SHA-256")
      }
      count = size
    }
  }

  package static func code(for message: [UInt8], key: Secret) -> [UInt8] {
    message.withUnsafeBytes { code(for: $0, key: key) }
  }

  /// Whether `code` was made for `message` with `key`; how long it takes does not tell how near a wrong one was.
  package static func isValid(_ code: [UInt8], for message: [UInt8], key: Secret) -> Bool {
    constantTimeEqual(self.code(for: message, key: key), code)
  }
}

/// Compares without telling, by the time it takes, where the first difference is. Lengths are no secret.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.count == right.count
    && left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        left.isEmpty || CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
      }
    }
}

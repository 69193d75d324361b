import CCrypto
import Glibc

/// Bytes that must not be seen: a key, an upstream's token.
///
/// It never prints itself, not in an interpolation, a dump or a crash log, and its memory is wiped when the last copy goes.
/// What has to leave the process leaves through ``revealed``, which is easy to search for.
package struct Secret: Sendable {
  private let storage: Storage

  package init(_ bytes: some Collection<UInt8>) { storage = Storage(bytes) }

  package init(_ text: String) { self.init(text.utf8) }

  /// A new one of so many random bytes.
  package static func random(_ count: Int = 32) -> Secret { Secret(SecureRandom.bytes(count)) }

  package var count: Int { storage.bytes.count }

  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(storage.bytes))
  }

  /// The secret as text, for the one place that sends it to whom it is for.
  package var revealed: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  // Safety: the bytes are written in init and read after it; deinit runs when nobody else can reach them.
  private final class Storage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ source: some Collection<UInt8>) {
      bytes = .allocate(byteCount: source.count, alignment: 1)
      bytes.copyBytes(from: source)
    }

    deinit {
      OPENSSL_cleanse(bytes.baseAddress, bytes.count)
      bytes.deallocate()
    }
  }
}

extension Secret: Equatable {
  package static func == (left: Secret, right: Secret) -> Bool {
    left.count == right.count
      && left.withBytes { left in
        right.withBytes { right in CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0 }
      }
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(secret)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - From a file

extension Secret {
  package struct FileLimits: Sendable {
    /// A file larger than this holds something else.
    package var bytesMax = 4_096
    /// Sixteen characters are the shortest key that an upstream of ours gives out.
    package var bytesMin = 16

    package init() {}
  }

  /// Reads a secret from a file that only its owner can read. Line ends after it are not part of it.
  package init(contentsOfFile path: String, limits: FileLimits = FileLimits()) throws(SecretError) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .unreadable(path: path, errno: errno) }
    defer { close(file) }
    try Self.checkAccess(of: file, path)
    var bytes = try Self.read(file, path, atMost: limits.bytesMax)
    defer { bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
    let length = (bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") } ?? -1) + 1
    guard length > 0 else { throw .empty(path: path) }
    guard length >= limits.bytesMin else { throw .tooShort(path: path, bytesMin: limits.bytesMin) }
    guard !Self.isPlaceholder(bytes[..<length]) else { throw .placeholder(path: path) }
    self.init(bytes[..<length])
  }

  // The open file is asked, not the path, so that what is checked is what is read.
  private static func checkAccess(of file: Int32, _ path: String) throws(SecretError) {
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw .unreadable(path: path, errno: errno) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    let mode = facts.st_mode & 0o777
    guard mode & 0o077 == 0 else { throw .readableByOthers(path: path, mode: mode) }
  }

  private static func read(_ file: Int32, _ path: String, atMost limit: Int) throws(SecretError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + filled, $0.count - filled) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, errno: errno) }
      if count == 0 { break }
      filled += count
    }
    guard filled <= limit else { throw .tooLong(path: path, bytesMax: limit) }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// What is left standing in example files, or typed to get past a check.
  private static func isPlaceholder(_ bytes: ArraySlice<UInt8>) -> Bool {
    if Set(bytes).count < 4 { return true }
    let letters = String(decoding: bytes, as: UTF8.self).lowercased().filter(\.isLetter)
    let stems = [
      "changeme", "replaceme", "default", "example", "password", "secret", "placeholder", "insert", "yourkey",
    ]
    return stems.contains { letters.hasPrefix($0) }
  }
}

/// Why a file's secret is not taken, and what to do about it.
package enum SecretError: Error, Equatable, Sendable, CustomStringConvertible {
  case unreadable(path: String, errno: Int32)
  case notAFile(path: String)
  case readableByOthers(path: String, mode: UInt32)
  case empty(path: String)
  case tooShort(path: String, bytesMin: Int)
  case tooLong(path: String, bytesMax: Int)
  case placeholder(path: String)

  package var description: String { told() }

  /// - Parameter issuer: where the secret comes from, where nobody can make it up: `themoviedb.org/settings/api`.
  package func told(issuer: String? = nil) -> String {
    func remedy(_ path: String) -> String {
      issuer.map { "put the key into it that you have from \($0)" } ?? "try: openssl rand -hex 32 > \(path)"
    }
    return switch self {
    case .unreadable(let path, let errno): "cannot read the secret file \(path): \(String(cString: strerror(errno)))"
    case .notAFile(let path): "the secret \(path) is not a regular file"
    case .readableByOthers(let path, let mode):
      "the secret file \(path) has mode \(String(mode, radix: 8)) and others can read it; try: chmod 600 \(path)"
    case .empty(let path): "the secret file \(path) is empty; \(remedy(path))"
    case .tooShort(let path, let bytesMin):
      "the secret file \(path) holds fewer than \(bytesMin) bytes; \(remedy(path))"
    case .tooLong(let path, let bytesMax):
      "the secret file \(path) holds more than \(bytesMax) bytes; is it the right file?"
    case .placeholder(let path):
      "the secret file \(path) still holds a placeholder; \(remedy(path))"
    }
  }
}

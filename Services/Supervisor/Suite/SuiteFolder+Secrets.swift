import Crypto
import Glibc
package import ServiceKit

/// The keys that a suite makes for itself at its first start. They leave their files for nobody: services get paths.
nonisolated extension SuiteFolder {
  package enum Key: String, CaseIterable, Sendable {
    /// What services prove to each other.
    case sharedSecret = "shared-secret"
    /// What users' tokens are signed with. Who loses it loses every user's way to what they saved.
    case tokenKey = "token-key"
  }

  package func file(of key: Key) -> String { "\(secrets)/\(key.rawValue)" }

  /// Makes the keys that are not there, and checks those that are.
  package func makeKeys() throws(CommandError) {
    for key in Key.allCases {
      let path = file(of: key)
      if access(path, F_OK) != 0 { try write(Hex.encode(SecureRandom.bytes(32)) + "\n", to: path) }
      do throws(SecretError) {
        _ = try Secret(contentsOfFile: path)
      } catch {
        throw CommandError(.failed, "the suite's keys are not usable", why: "\(error)")
      }
    }
  }

  /// Whole or not at all: a crash leaves no half of a key under its name.
  private func write(_ text: String, to path: String) throws(CommandError) {
    let unfinished = path + ".new"
    unlink(unfinished)
    let file = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var text = text
    let count = text.withUTF8 { Glibc.write(file, $0.baseAddress, $0.count) }
    guard count == text.utf8.count, fsync(file) == 0, rename(unfinished, path) == 0 else { throw failure(path) }
  }

  private func failure(_ path: String) -> CommandError {
    CommandError(.failed, "cannot write the key \(path)", why: String(cString: strerror(errno)))
  }
}

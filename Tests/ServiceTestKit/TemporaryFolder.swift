import Foundation

/// A folder that is gone when the test lets go of it. Its path is short enough for a socket in it.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let name = "odi-" + UUID().uuidString.prefix(13)
    let url = FileManager.default.temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file into it, or into a folder of it, and returns its path.
  package func write(_ text: String, to name: String) throws -> String {
    let folder = URL(filePath: file(name)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try text.write(toFile: file(name), atomically: true, encoding: .utf8)
    return file(name)
  }

  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = file(name)
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  /// A file that only its owner may read, as secrets have to be.
  package func writeSecret(_ text: String, to name: String) throws -> String {
    let path = try write(text, to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  package func read(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

  package func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }
}

package import EventLoops
import Glibc

/// The folder that a suite keeps its state in: `DIR/locator.sqlite`, `DIR/run/locator.sock`, `DIR/secrets/…`.
///
/// One setting, `data`, and everything else is found in it: by the service, by its commands, by whoever starts it.
nonisolated package struct DataFolder: Hashable, Sendable, CustomStringConvertible {
  package let path: String

  package init(_ path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  package var description: String { path }

  /// A file in it. The folder may not be there yet; see ``make()``.
  package func file(_ name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

  /// The service's database.
  package func database(of service: String) -> String { file("\(service).sqlite") }

  /// Where the service's administrators are answered.
  package func adminSocket(of service: String) throws(CommandError) -> SocketAddress {
    let socket = file("run/\(service).sock")
    guard socket.utf8.count <= SocketAddress.pathBytesMax else {
      throw CommandError(
        .usage, "the path of the data folder is too long: \(path)",
        why: "its socket's path would have \(socket.utf8.count) bytes, and at most \(SocketAddress.pathBytesMax) fit",
        try: "--data with a shorter path")
    }
    return .unix(path: socket)
  }

  /// Makes the folder and those above it, for their owner alone, where they are missing.
  package func make() throws { try makeFolder(of: file("file")) }

  /// The user's own, so that a suite can be run by hand; the system's for a process that has no home.
  static var byDefault: DataFolder {
    let home = processEnvironment()["HOME"] ?? ""
    return DataFolder(home.isEmpty ? "/var/lib/odi" : "\(home)/.odi")
  }
}

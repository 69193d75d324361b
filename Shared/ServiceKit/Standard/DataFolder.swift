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
    try .unix(fitting: file("run/\(service).sock"), orElse: "--data with a shorter path")
  }

  /// Makes the folder and those above it, for their owner alone, where they are missing.
  package func make() throws { try makeFolder(of: file("file")) }

  /// The user's own, so that a suite can be run by hand; the system's for a process that has no home.
  static var byDefault: DataFolder {
    let home = processEnvironment()["HOME"] ?? ""
    return DataFolder(home.isEmpty ? "/var/lib/odi" : "\(home)/.odi")
  }
}

nonisolated extension SocketAddress {
  /// A socket at a path, if the system has room for it.
  static func unix(fitting path: String, orElse remedy: String) throws(CommandError) -> SocketAddress {
    guard path.utf8.count <= pathBytesMax else {
      throw CommandError(
        .usage, "the path of a socket is too long: \(path)",
        why: "it has \(path.utf8.count) bytes, and at most \(pathBytesMax) fit", try: remedy)
    }
    return .unix(path: path)
  }
}

import EventLoops
import Glibc
package import ServiceKit

/// The folder that a suite keeps everything in, and what is where in it.
nonisolated package struct SuiteFolder: Sendable, Equatable {
  /// Absolute.
  package let path: String

  package var run: String { "\(path)/run" }
  package var log: String { "\(path)/log" }
  package var secrets: String { "\(path)/secrets" }
  /// The operator's files of sites, if there are any.
  package var sites: String { "\(path)/sites" }
  var lock: String { "\(run)/odi.lock" }
  /// Where the supervisor answers `odi ps` and its like.
  package var supervisorSocket: String { "\(run)/odi.sock" }
  /// What a detached start said before it could log.
  var startOutput: String { "\(log)/start.txt" }

  package func socket(of member: SuiteMember) -> String { "\(run)/\(member.rawValue).sock" }
  package func database(of member: SuiteMember) -> String { "\(path)/\(member.rawValue).sqlite" }

  /// - Parameter written: as somebody wrote it; a relative one begins at the working directory.
  package init(_ written: String) throws(CommandError) {
    self.init(withoutSockets: written)
    // libuv would cut a socket's path silently.
    let longest = SuiteMember.allCases.map { socket(of: $0) }.max { $0.utf8.count < $1.utf8.count } ?? ""
    guard longest.utf8.count <= SocketAddress.pathBytesMax else {
      throw CommandError(
        .usage, "the folder \(path) has too long a path",
        why: "its sockets, such as \(longest), may have \(SocketAddress.pathBytesMax) bytes",
        try: "odi up --data /tmp/odi")
    }
  }

  /// A folder in which nothing runs: a backup's, or one that a backup is tried in.
  init(withoutSockets written: String) { path = absolutePath(written) }

  /// `--data`, or `ODI_DATA`, or a folder in the user's own.
  package static func choose(_ option: String?, _ environment: [String: String]) throws(CommandError) -> SuiteFolder {
    if let named = option ?? environment["ODI_DATA"], !named.isEmpty { return try SuiteFolder(named) }
    return try SuiteFolder(environment["HOME"].map { "\($0)/.odi" } ?? "/var/lib/odi")
  }

  /// Makes what is missing, for its owner alone.
  package func make() throws(CommandError) {
    for folder in [path, run, log, secrets] { try makeFolder(folder) }
  }

  private func makeFolder(_ path: String) throws(CommandError) {
    let parts = path.split(separator: "/")
    for count in 1...max(parts.count, 1) where count <= parts.count {
      let folder = "/" + parts.prefix(count).joined(separator: "/")
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST || access(folder, X_OK) == 0 else {
        throw CommandError(
          .failed, "cannot make the folder \(folder)", why: String(cString: strerror(errno)),
          try: "odi up --data /tmp/odi")
      }
    }
    guard access(path, W_OK | X_OK) == 0 else {
      throw CommandError(
        .failed, "cannot write to \(path)", why: String(cString: strerror(errno)), try: "ls -ld \(path)")
    }
  }
}

/// What somebody wrote, beginning at the root and without a slash at its end; a relative path begins at the working
/// directory.
nonisolated func absolutePath(_ written: String) -> String {
  var path = written.hasPrefix("/") ? written : "\(workingDirectory())/\(written)"
  while path.count > 1, path.hasSuffix("/") { path.removeLast() }
  return path
}

nonisolated private func workingDirectory() -> String {
  guard let path = getcwd(nil, 0) else { return "" }
  defer { free(path) }
  return String(cString: path)
}

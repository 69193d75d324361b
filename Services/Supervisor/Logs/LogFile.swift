import Glibc
package import ServiceKit

/// The suite's log on disk: a file, and the few before it.
///
/// It writes on the loop: a line goes to the kernel's memory, which takes microseconds, and the supervisor serves nobody.
package final class LogFile {
  nonisolated package struct Limits: Sendable {
    /// Some 30,000 lines: what an editor opens without thinking.
    package var bytesMax = 8 << 20
    /// So a week of an ordinary suite, or an evening of one in trouble, in 32 MB.
    package var older = 3

    package init() {}
  }

  private let path: String
  private let limits: Limits
  private let opener: (String) -> Int32
  private var file: Int32 = -1
  private var bytes = 0

  /// - Parameter opener: opens a file to append to, or returns a negative number and sets `errno`
  package init(
    _ path: String, limits: Limits = Limits(), opener: @escaping (String) -> Int32 = LogFile.open
  ) throws(CommandError) {
    self.path = path
    self.limits = limits
    self.opener = opener
    try open()
  }

  nonisolated package static func open(_ path: String) -> Int32 {
    Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  }

  isolated deinit { close(file) }

  package func write(_ line: [UInt8]) {
    if file >= 0, bytes + line.count >= limits.bytesMax { rotate() }
    // Where it could not be opened, for want of a descriptor say, nothing changes places until it can be.
    if file < 0 { try? open() }
    guard file >= 0 else { return }
    let whole = line + [UInt8(ascii: "\n")]
    // A full disk loses lines of the log, and nothing else.
    bytes += max(0, Glibc.write(file, whole, whole.count))
  }

  private func open() throws(CommandError) {
    file = opener(path)
    guard file >= 0 else {
      throw CommandError(.failed, "cannot write the log \(path)", why: String(cString: strerror(errno)))
    }
    var facts = stat()
    bytes = fstat(file, &facts) == 0 ? Int(facts.st_size) : 0
  }

  private func rotate() {
    for number in stride(from: limits.older, to: 0, by: -1) {
      rename(number == 1 ? path : Self.path(path, older: number - 1), Self.path(path, older: number))
    }
    close(file)
    file = -1
  }

  nonisolated package static func path(_ path: String, older number: Int) -> String { "\(path).\(number)" }
}

nonisolated extension SuiteFolder {
  package var logFile: String { "\(log)/odi.log" }
}

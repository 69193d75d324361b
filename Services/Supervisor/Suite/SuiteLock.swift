import Glibc
package import ServiceKit

/// The right of one supervisor to a folder: a lock that ends with its process, so that nothing stale can be left behind.
nonisolated package final class SuiteLock: Sendable {
  private let file: Int32

  package init(of folder: SuiteFolder) throws(CommandError) {
    file = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw CommandError(.failed, "cannot open \(folder.lock)", why: String(cString: strerror(errno)))
    }
    var wanted = Self.wholeFile
    guard fcntl(file, F_SETLK, &wanted) == 0 else {
      let holder = Self.holder(of: folder)
      close(file)
      throw Self.refusal(folder, holder)
    }
    // For people to read; the lock is what counts.
    var text = "\(getpid())\n"
    ftruncate(file, 0)
    _ = text.withUTF8 { pwrite(file, $0.baseAddress, $0.count, 0) }
  }

  deinit { close(file) }

  /// The process that runs a suite on this folder: asked of the kernel, not read from a file. Nil if none does.
  package static func holder(of folder: SuiteFolder) -> Int32? {
    let file = open(folder.lock, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var asked = wholeFile
    guard fcntl(file, F_GETLK, &asked) == 0, asked.l_type != Int16(F_UNLCK) else { return nil }
    return asked.l_pid
  }

  static func refusal(_ folder: SuiteFolder, _ holder: Int32?) -> CommandError {
    CommandError(
      .conflict, "a suite runs on \(folder.path) already" + (holder.map { ", as process \($0)" } ?? ""),
      why: "end it with odi down, or give this one another --data, --port and --ports",
      try: "odi ps --data \(folder.path)")
  }

  private static var wholeFile: flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    return lock
  }
}

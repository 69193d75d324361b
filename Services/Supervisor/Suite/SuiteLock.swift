import Glibc
package import ServiceKit

/// The right of one process to a folder: a lock that ends with it, so that nothing stale can be left behind.
nonisolated package final class SuiteLock: Sendable {
  /// What the folder is held for. Each locks a part of the file of its own length, all of which overlap: so the kernel
  /// tells both who and what for.
  package enum Purpose: Sendable, CaseIterable {
    /// A suite runs.
    case suite
    /// A backup is put back.
    case restore
    /// What is kept is copied while no suite runs.
    case backup

    /// 0 is the whole file, however long.
    fileprivate var length: Int {
      switch self {
      case .suite: 0
      case .restore: 1
      case .backup: 2
      }
    }
  }

  package struct Holder: Sendable, Equatable {
    package let process: Int32
    package let purpose: Purpose
  }

  private let file: Int32

  package init(of folder: SuiteFolder, for purpose: Purpose = .suite) throws(CommandError) {
    file = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw CommandError(.failed, "cannot open \(folder.lock)", why: String(cString: strerror(errno)))
    }
    var wanted = Self.range(of: purpose)
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

  /// Who holds the folder: asked of the kernel, not read from a file. Nil if nobody does.
  package static func holder(of folder: SuiteFolder) -> Holder? {
    let file = open(folder.lock, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var asked = range(of: .suite)
    guard fcntl(file, F_GETLK, &asked) == 0, asked.l_type != Int16(F_UNLCK) else { return nil }
    return Holder(
      process: asked.l_pid, purpose: Purpose.allCases.first { $0.length == Int(asked.l_len) } ?? .suite)
  }

  static func refusal(_ folder: SuiteFolder, _ holder: Holder?) -> CommandError {
    if let holder, holder.purpose == .restore {
      return CommandError(
        .conflict, occupation(of: folder, by: holder), why: "ended half way, it would leave old and new side by side",
        try: "odi ps --data \(folder.path)")
    }
    if let holder, holder.purpose == .backup {
      return CommandError(
        .conflict, occupation(of: folder, by: holder), why: "what is copied must not change meanwhile",
        try: "wait until it is done")
    }
    return CommandError(
      .conflict, "a suite runs on \(folder.path) already" + (holder.map { ", as process \($0.process)" } ?? ""),
      why: "end it with odi down, or give this one another --data, --port and --ports",
      try: "odi ps --data \(folder.path)")
  }

  /// What somebody does with the folder, in words.
  static func occupation(of folder: SuiteFolder, by holder: Holder) -> String {
    switch holder.purpose {
    case .suite: "a suite runs on \(folder.path), as process \(holder.process)"
    case .backup: "a backup of \(folder.path) is being made, by process \(holder.process)"
    case .restore: "a backup is being put back into \(folder.path), by process \(holder.process)"
    }
  }

  private static func range(of purpose: Purpose) -> flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_len = purpose.length
    return lock
  }
}

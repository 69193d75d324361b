import Glibc

/// The few things that backups and restores do to files: each is durable when it returns, or throws what to read.
enum Files {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// A name that nothing has: this one, or the same with a number.
  static func free(_ path: String) -> String {
    var (name, number) = (path, 1)
    while exists(name) {
      number += 1
      name = "\(path).\(number)"
    }
    return name
  }

  static func removeIfThere(_ path: String) throws(StorageError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
  }

  static func move(_ path: String, to other: String) throws(StorageError) {
    guard rename(path, other) == 0 else { throw failure("rename", path) }
    try syncDirectory(of: other)
  }

  /// A second name for the same file, in place of what had that name.
  static func link(_ path: String, as other: String) throws(StorageError) {
    try removeIfThere(other)
    guard Glibc.link(path, other) == 0 else { throw failure("link", path) }
  }

  static func sync(_ path: String) throws(StorageError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("open", path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure("sync", path) }
  }

  static func syncDirectory(of path: String) throws(StorageError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    try sync(folder)
  }

  /// Whether two databases are the same, but for the header: that counts how often a file was changed.
  static func haveSamePages(_ one: String, _ other: String) throws(StorageError) -> Bool {
    let headerBytes = 100
    var chunks = ([UInt8](repeating: 0, count: 1 << 20), [UInt8](repeating: 0, count: 1 << 20))
    let files = (open(one, O_RDONLY | O_CLOEXEC), open(other, O_RDONLY | O_CLOEXEC))
    defer {
      if files.0 >= 0 { close(files.0) }
      if files.1 >= 0 { close(files.1) }
    }
    guard files.0 >= 0 else { throw failure("open", one) }
    guard files.1 >= 0 else { throw failure("open", other) }
    var offset = headerBytes
    while true {
      let counts = (
        pread(files.0, &chunks.0, chunks.0.count, offset), pread(files.1, &chunks.1, chunks.1.count, offset)
      )
      guard counts.0 >= 0 else { throw failure("read", one) }
      guard counts.1 >= 0 else { throw failure("read", other) }
      guard counts.0 == counts.1, chunks.0[..<counts.0] == chunks.1[..<counts.1] else { return false }
      guard counts.0 > 0 else { return true }
      offset += counts.0
    }
  }

  private static func failure(_ act: String, _ path: String) -> StorageError {
    let number = errno
    let kind: StorageError.Kind = number == ENOSPC || number == EDQUOT ? .full : .cannotOpen
    return StorageError(kind, "cannot \(act) \(path): \(String(cString: strerror(number)))")
  }
}

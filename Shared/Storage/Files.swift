import Glibc

/// The few things that backups and restores do to files: each is durable when it returns, or throws what to read.
enum Files {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

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

  private static func failure(_ act: String, _ path: String) -> StorageError {
    let number = errno
    let kind: StorageError.Kind = number == ENOSPC || number == EDQUOT ? .full : .cannotOpen
    return StorageError(kind, "cannot \(act) \(path): \(String(cString: strerror(number)))")
  }
}

import Glibc
import Synchronization

/// The right of one process to a database: a lock on the file `<database>-owner`, which ends with the process.
///
/// SQLite would let two services write in turns; each believes itself the only writer, so the second one must not start.
final class OwnerLock: Sendable {
  private let file: Int32
  private let isHeld = Atomic(true)

  init(of path: String) throws(StorageError) {
    let name = path + "-owner"
    file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw StorageError(.cannotOpen, "cannot open \(name): \(String(cString: strerror(errno)))")
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let owner = Self.text(of: file)
      throw StorageError(
        .owned, "\(path) is in use by \(owner.isEmpty ? "another process" : owner); stop that one or use another path")
    }
    // For people to read. The lock is what counts, so a disk without room for this line is no reason to stop.
    var text = Self.description
    ftruncate(file, 0)
    _ = text.withUTF8 { pwrite(file, $0.baseAddress, $0.count, 0) }
  }

  deinit { release() }

  /// Lets another process have it. Doing it again does nothing.
  func release() {
    if isHeld.exchange(false, ordering: .relaxed) { close(file) }
  }

  private static var description: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let end = name.firstIndex(of: 0) ?? name.count
    let host = String(decoding: name[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "process \(getpid()) on \(host)"
  }

  private static func text(of file: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = pread(file, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}

import Crypto
import Glibc
import ServiceKit

/// Files as a backup handles them: whole, private, and known by their digest.
nonisolated enum BackupFiles {
  /// The SHA-256 of a file, in hexadecimal.
  static func digest(_ path: String) throws(CommandError) -> (sha256: String, bytes: Int) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("read \(path)") }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw failure("read \(path)") }
    let count = Int(facts.st_size)
    guard count > 0 else { return (Hex.encode(SHA256.digest(of: [])), 0) }
    // Mapped, so that a large database does not have to fit in memory.
    guard let bytes = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), bytes != MAP_FAILED else {
      throw failure("read \(path)")
    }
    defer { munmap(bytes, count) }
    return (Hex.encode(SHA256.digest(of: UnsafeRawBufferPointer(start: bytes, count: count))), count)
  }

  /// A new file for its owner alone, on the disk when this returns.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("write \(path)") }
    defer { close(file) }
    guard Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else { throw failure("write \(path)") }
  }

  static func copy(_ path: String, to other: String, bytesMax: Int) throws(CommandError) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try contents(ofFile: path, bytesMax: bytesMax)
    } catch {
      throw CommandError(.failed, "\(error)")
    }
    try write(bytes, to: other)
  }

  /// Gives a file a second name, beside what earlier restores left there, for its owner alone.
  static func keepAside(_ path: String) throws(CommandError) {
    var (aside, number) = (path + ".replaced", 1)
    while link(path, aside) != 0 {
      guard errno == EEXIST else { throw failure("keep \(path) as \(aside)") }
      number += 1
      aside = "\(path).replaced.\(number)"
    }
    guard chmod(aside, 0o600) == 0 else { throw failure("keep \(path) as \(aside)") }
  }

  static func makeFolder(_ path: String) throws(CommandError) {
    guard mkdir(path, 0o700) == 0 else { throw failure("make the folder \(path)") }
  }

  static func sync(folder path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Removes a folder that we made, with the files in it.
  static func remove(folder path: String) {
    for name in names(in: path) ?? [] { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// Files of sites, sorted; none where there is no such folder.
  static func sites(in path: String) throws(CommandError) -> [String] {
    guard let names = names(in: path) else {
      guard errno == ENOENT else { throw failure("read \(path)") }
      return []
    }
    return names.filter { !$0.hasPrefix(".") && ($0.hasSuffix(".json") || $0.hasSuffix(".jsonc")) }.sorted()
  }

  /// As long as the scraper reads one.
  static let siteBytesMax = 1 << 20

  /// Nil if it cannot be read; `errno` says why.
  private static func names(in path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  static func failure(_ doing: String) -> CommandError {
    CommandError(.failed, "cannot \(doing)", why: String(cString: strerror(errno)))
  }
}

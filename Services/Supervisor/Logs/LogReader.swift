import Glibc
import ServiceKit

/// Reads a suite's log from its files: the last lines, then those that are added.
nonisolated package struct LogReader {
  private let path: String
  private var offset = 0
  private var file: (device: dev_t, inode: ino_t)?
  private var splitter = LineSplitter()

  package init(_ path: String) { self.path = path }

  package var exists: Bool { access(path, F_OK) == 0 }

  /// The last lines that are wanted, oldest first. What comes later is `new`.
  package mutating func last(_ count: Int, where isWanted: (LogLine) -> Bool) -> [LogLine] {
    var lines = new().filter(isWanted)
    var older = 1
    while lines.count < count, let bytes = try? contents(ofFile: LogFile.path(path, older: older), bytesMax: .max) {
      var earlier: [LogLine] = []
      var splitter = LineSplitter()
      bytes.withUnsafeBytes { splitter.take($0) { if let line = LogLine($0), isWanted(line) { earlier.append(line) } } }
      lines = earlier + lines
      older += 1
    }
    return lines.suffix(count)
  }

  /// The lines that were added since the last call.
  package mutating func new() -> [LogLine] {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return [] }
    var lines: [LogLine] = []
    if let file, file.inode != facts.st_ino || file.device != facts.st_dev {
      // The end of the file before stands under its new name.
      read(LogFile.path(path, older: 1), into: &lines)
      offset = 0
    }
    file = (facts.st_dev, facts.st_ino)
    read(path, into: &lines)
    return lines
  }

  private mutating func read(_ path: String, into lines: inout [LogLine]) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = pread(file, &chunk, chunk.count, off_t(offset))
      guard count > 0 else { return }
      offset += count
      chunk.withUnsafeBytes { bytes in
        splitter.take(UnsafeRawBufferPointer(rebasing: bytes[..<count])) {
          if let line = LogLine($0) { lines.append(line) }
        }
      }
    }
  }
}

import EventLoops
import Glibc
import JSON

/// What this binary is made of.
nonisolated package struct BuildInfo: Sendable {
  package var version: String
  /// The revision of the source, where whoever built it said so.
  package var revision: String?
  /// Versions of the libraries that it runs with, asked of them.
  package var libraries: [(name: String, version: String)]

  package init(version: String, revision: String? = nil, libraries: [(name: String, version: String)] = []) {
    self.version = version
    self.revision = revision
    self.libraries = libraries
  }

  /// The suite is built and released as one: its programs have one version. `libraries` are those of the program beside
  /// libuv, which all have.
  package static func ofSuite(libraries: [(name: String, version: String)] = []) -> BuildInfo {
    BuildInfo(version: "0.1.0", revision: recordedRevision(), libraries: [EventLoop.library] + libraries)
  }

  /// What deploy/build wrote beside this program, once it was built: `PROGRAM.revision`. A program that is newer was built
  /// from who knows what.
  private static func recordedRevision() -> String? {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = path.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
    guard count > 0, count < path.count else { return nil }
    let program = String(decoding: path[..<count], as: UTF8.self)
    let note = program + ".revision"
    guard let built = modified(program), let noted = modified(note), noted >= built else { return nil }
    let file = open(note, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: revisionBytesMax)
    let length = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress!, $0.count) }
    let word = String(decoding: bytes.prefix(max(length, 0)).prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
    return word.isEmpty ? nil : word
  }

  /// A hash of git's, `-dirty` and some more.
  private static let revisionBytesMax = 64

  /// In nanoseconds.
  private static func modified(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    // Two words, whose names a static build hides.
    return withUnsafeBytes(of: status.st_mtim) { words in
      words.load(as: Int.self) * 1_000_000_000 + words.load(fromByteOffset: MemoryLayout<Int>.stride, as: Int.self)
    }
  }

  static var swift: String {
    #if compiler(>=6.4)
    "6.4 or later"
    #elseif compiler(>=6.3)
    "6.3"
    #else
    "6.2"
    #endif
  }

  static var mode: String {
    #if DEBUG
    "debug"
    #else
    "release"
    #endif
  }

  func command(program: String) -> Command {
    Command("version", "tell what this program is made of") { [self] _, output in
      let fields = [
        ("program", program), ("version", version), ("revision", revision), ("swift", Self.swift), ("build", Self.mode),
      ]
      let cells = fields.map { (Report.Column($0.0), Report.Cell.text($0.1)) }
      let libraries = libraries.map { (Report.Column($0.name), Report.Cell.text($0.version)) }
      try output.write(Report(item: cells + libraries))
      return .done
    }
  }
}

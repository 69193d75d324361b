import Glibc
package import JSON

/// The file that settings come from: one JSON object.
nonisolated package enum ConfigurationFile {
  /// A hundred settings with long lists are a tenth of this.
  static let bytesMax = 256 << 10

  package typealias Content = (path: String, content: JSONValue)

  package static func defaultPath(of service: String) -> String { "/etc/odi/\(service).json" }

  /// The named file, which must be there; or the default one, which need not.
  package static func read(
    of service: String, named path: String?
  ) throws(ConfigurationError) -> Content? {
    let chosen = path ?? defaultPath(of: service)
    guard let bytes = try bytes(of: chosen, mustExist: path != nil) else { return nil }
    do throws(JSONError) {
      return (chosen, try JSONValue(parsing: bytes))
    } catch {
      throw ConfigurationError(problems: ["\(chosen) is not JSON: \(error)"])
    }
  }

  private static func bytes(of path: String, mustExist: Bool) throws(ConfigurationError) -> [UInt8]? {
    do throws(FileError) {
      return try contents(ofFile: path, bytesMax: bytesMax)
    } catch {
      if !mustExist, error.errno == ENOENT { return nil }
      throw ConfigurationError(problems: ["\(error)"])
    }
  }
}

/// Why a file could not be read.
nonisolated package struct FileError: Error, CustomStringConvertible {
  package let path: String
  package let errno: Int32
  /// How much is taken, where it was more.
  package var bytesMax: Int?

  package var description: String {
    let more = bytesMax.map { "; at most \($0) bytes are taken" } ?? ""
    return "cannot read \(path): \(String(cString: strerror(errno)))\(more)"
  }
}

/// A small file in one piece. `EFBIG` if it is larger than that. It blocks: for starting up and for `/proc`. The standard
/// input is read as it is: a socket cannot be opened by its name, nor another user's terminal.
nonisolated package func contents(ofFile path: String, bytesMax: Int) throws(FileError) -> [UInt8] {
  let file = path == "/dev/stdin" ? fcntl(0, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw FileError(path: path, errno: errno) }
  defer { close(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 16_384)
  while true {
    let count = chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw FileError(path: path, errno: errno) }
    if count == 0 { return bytes }
    bytes += chunk[..<count]
    guard bytes.count <= bytesMax else { throw FileError(path: path, errno: EFBIG, bytesMax: bytesMax) }
  }
}

import Extraction
import Glibc
package import ServiceKit

/// A folder of site files: `emu.jsonc`, one site each, comments allowed.
nonisolated package struct SiteFolder: Sendable {
  package enum Limits {
    static let fileBytes = 1 << 20
    static let files = 10_000
  }

  package private(set) var sites: [Site] = []
  /// Files that make no site: which, and what is wrong in them. The others count all the same.
  package private(set) var problems: [String] = []

  /// - Parameter isNamed: somebody said that it is there; else one that is missing holds nothing.
  package init(_ path: String, isNamed: Bool, atMost filesMax: Int = Limits.files) {
    let names: [String]
    do throws(FolderError) {
      names = try Self.files(in: path)
    } catch {
      if isNamed || error.number != ENOENT { problems.append("\(path) cannot be read: \(error)") }
      return
    }
    if names.count > filesMax {
      problems.append("\(path) has \(names.count) site files; only the first \(filesMax) are read")
    }
    var ids: Set<String> = []
    for name in names.prefix(filesMax) {
      do {
        let site = try Self.site(at: "\(path)/\(name)")
        if ids.insert(site.id).inserted {
          sites.append(site)
        } else {
          problems.append("\(name): there is a site \(site.id) already; give it another name")
        }
      } catch {
        problems.append("\(name): \(error)")
      }
    }
  }

  package static func site(at path: String) throws -> Site {
    try Site(parsing: try JSONWithComments.parse(try contents(of: path)))
  }

  /// What the system says of a folder.
  private struct FolderError: Error, CustomStringConvertible {
    let number: Int32
    var description: String { String(cString: strerror(number)) }
  }

  private static func files(in path: String) throws(FolderError) -> [String] {
    guard let folder = opendir(path) else { throw FolderError(number: errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        // The end has no number.
        guard errno == 0 else { throw FolderError(number: errno) }
        return names.sorted()
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix("."), name.hasSuffix(".json") || name.hasSuffix(".jsonc") { names.append(name) }
    }
  }

  /// The file's bytes; `-` is what comes on the standard input.
  package static func contents(of path: String, limit: Int = Limits.fileBytes) throws(FileError) -> [UInt8] {
    try ServiceKit.contents(ofFile: path == "-" ? "/dev/stdin" : path, bytesMax: limit)
  }
}

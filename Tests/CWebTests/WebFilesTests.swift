import CWeb
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// The page's files in the binary.
struct WebFilesTests {
  @Test("every file of the page is in the binary, byte for byte, and nothing else is")
  func complete() throws {
    let folder = Self.root + "/Services/Gateway/Web"
    let onDisk = Self.files(below: folder).sorted()
    let embedded = (0..<odi_web_count()).map { odi_web_file($0) }
    #expect(onDisk.count > 20, "the folder was not found at \(folder)")
    #expect(embedded.map { String(cString: $0.path) }.sorted() == onDisk)
    for file in embedded {
      let path = String(cString: file.path)
      let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.length)))
      #expect(bytes == Self.read(folder + "/" + path), "\(path) differs: build again")
    }
  }

  @Test("no text of a script goes over several lines: the gateway leaves out the lines that are remarks")
  func remarks() throws {
    for file in (0..<odi_web_count()).map({ odi_web_file($0) }) {
      let path = String(cString: file.path)
      guard path.hasSuffix(".js") else { continue }
      let text = String(decoding: UnsafeBufferPointer(start: file.bytes, count: Int(file.length)), as: UTF8.self)
      for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        #expect(line.utf8.count { $0 == UInt8(ascii: "`") }.isMultiple(of: 2), "\(path): \(line)")
      }
    }
  }

  @Test("the service worker keeps every script, style, language and map that the page has")
  func offline() throws {
    let embedded = (0..<odi_web_count()).map { odi_web_file($0) }
    let worker = try #require(embedded.first { String(cString: $0.path) == "sw.js" })
    let text = String(decoding: UnsafeBufferPointer(start: worker.bytes, count: Int(worker.length)), as: UTF8.self)
    for file in embedded {
      let path = String(cString: file.path)
      guard path.hasPrefix("js/") || path.hasPrefix("i18n/") || path.hasPrefix("map/") || path.hasSuffix(".css") else {
        continue
      }
      #expect(text.contains("'\(path)'"), "\(path) is not in sw.js: the page would break without a network")
    }
  }

  /// The package's folder, from this file's place in it.
  private static let root = String(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 })

  private static func files(below folder: String, prefix: String = "") -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(".") { continue }
      if entry.pointee.d_type == UInt8(DT_DIR) {
        found += files(below: folder + "/" + name, prefix: prefix + name + "/")
      } else {
        found.append(prefix + name)
      }
    }
    return found
  }

  private static func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}

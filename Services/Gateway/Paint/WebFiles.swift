import CWeb
import HTTP
import JSON
import ServiceKit

/// The page's files: as they were when the gateway was built, or as they are in a folder, while somebody works on them.
struct WebFiles {
  private let files: [(path: String, bytes: [UInt8])]
  /// Where they are served from: it has their hash in it, so a browser may keep them for ever.
  let base: String
  let cities: CityNames
  private let catalogues: [Language: Words]
  private let frame: PageShell
  /// Read at each request in place of the build's.
  private let folder: String?

  /// Larger than any file of a page should be.
  private static let bytesMax = 4 << 20

  init(folder: String? = nil) {
    files = (0..<odi_web_count()).map { index in
      let file = odi_web_file(index)
      let path = String(cString: file.path)
      let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.length)))
      return (path, path.hasSuffix(".js") ? Self.withoutRemarks(bytes) : bytes)
    }
    var all: [UInt8] = []
    for file in files { all += file.path.utf8 + [0] + file.bytes + [0] }
    base = folder == nil ? "/s/" + StaticContent(all, .bytes).tag.filter { $0.isLetter || $0.isNumber } : "/s/folder"
    var catalogues: [Language: Words] = [:]
    for language in Language.allCases {
      let bytes = files.first { $0.path == Self.catalogue(language) }?.bytes ?? []
      catalogues[language] = Self.words(language, bytes)
    }
    self.catalogues = catalogues
    cities = CityNames(map: Self.json(files.first { $0.path == "map/base.json" }?.bytes ?? []))
    self.folder = folder
    frame = PageShell(template: files.first { $0.path == "shell.html" }?.bytes ?? [], base: base)
  }

  /// A script for browsers: the lines that are remarks are left empty, a quarter of what is sent, and all others keep
  /// their numbers. No text of a script goes over several lines.
  static func withoutRemarks(_ script: [UInt8]) -> [UInt8] {
    let lines = script.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let kept = lines.map { line in line.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8) ? [] : line }
    return Array(kept.joined(separator: "\n".utf8))
  }

  private static func catalogue(_ language: Language) -> String { "i18n/\(language.rawValue).json" }

  /// A file of ours that is no JSON is a broken build, found by the tests; the page then shows its keys.
  private static func words(_ language: Language, _ bytes: [UInt8]) -> Words {
    Words(language, catalogue: json(bytes))
  }

  private static func json(_ bytes: [UInt8]) -> JSONValue { (try? JSONValue(parsing: bytes)) ?? .null }

  func words(_ language: Language) -> Words {
    if let bytes = current(Self.catalogue(language)) { return Self.words(language, bytes) }
    return catalogues[language] ?? Words(language, catalogue: .null)
  }

  var shell: PageShell { current("shell.html").map { PageShell(template: $0, base: base) } ?? frame }

  /// A file as it is in the folder; nil without a folder, or if it has no such file.
  private func current(_ path: String) -> [UInt8]? {
    guard let folder else { return nil }
    return try? contents(ofFile: folder + "/" + path, bytesMax: Self.bytesMax)
  }

  /// A route for each file. The service worker alone has a fixed address, because its address says what it may serve.
  func register(on router: inout HTTPRouter) {
    if folder != nil { return registerFolder(on: &router) }
    router.serve(
      files.compactMap { file in
        switch file.path {
        case "shell.html", "sw.js": nil
        default: StaticFile("\(base)/\(file.path)", file.bytes, cache: .forever)
        }
      })
    // The page asks for it by its own version, so that a new one is noticed.
    let worker = StaticContent(files.first { $0.path == "sw.js" }?.bytes ?? [], .javaScript)
    router.get("/sw.js", query: [QueryParameter("v", "The page's version.")]) { _ in
      HTTPResponse(worker).cached(.revalidate, tag: .given(worker.tag))
    }
  }

  /// What is in the folder now, and no service worker: it would keep what is about to be changed.
  private func registerFolder(on router: inout HTTPRouter) {
    router.get("\(base)/{file}") { (_, file: String) in try answer([file]) }
    router.get("\(base)/{folder}/{file}") { (_, folder: String, file: String) in try answer([folder, file]) }
    router.get("\(base)/{folder}/{part}/{file}") { (_, folder: String, part: String, file: String) in
      try answer([folder, part, file])
    }
  }

  private func answer(_ path: [String]) throws -> HTTPResponse {
    let name = path.joined(separator: "/")
    guard path.allSatisfy(Self.isPlain), let bytes = current(name) else {
      throw Problem(.notFound, "the folder of --web has no file \(name)")
    }
    return HTTPResponse(StaticContent(bytes, .of(file: name))).cached(.never)
  }

  /// A name that leads nowhere else.
  private static func isPlain(_ name: String) -> Bool {
    name.utf8.first != UInt8(ascii: ".")
      && name.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || byte == 45 || byte == 46 || byte == 95
      }
  }

  /// What the page may do. Nothing in it is inline but data; the only scripts are ours, workers by a policy of their own.
  static let safety = SafetyFields(
    contentSecurityPolicy: [
      "default-src 'self'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "media-src 'self' https:",
      "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "object-src 'none'", "form-action 'self'",
      "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types odi",
    ].joined(separator: "; "),
    permissionsPolicy: "geolocation=(self), camera=(self)")
}

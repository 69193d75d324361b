import CWeb
import HTTP
import JSON

/// The page's files, as they were when the gateway was built.
nonisolated struct WebFiles {
  private let files: [(path: String, bytes: [UInt8])]
  /// Where they are served from: it has their hash in it, so a browser may keep them for ever.
  let base: String
  private let catalogues: [Language: Words]
  let shell: PageShell

  init() {
    files = (0..<odi_web_count()).map { index in
      let file = odi_web_file(index)
      return (String(cString: file.path), Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.length))))
    }
    var all: [UInt8] = []
    for file in files { all += file.path.utf8 + [0] + file.bytes + [0] }
    base = "/s/" + StaticContent(all, .bytes).tag.filter { $0.isLetter || $0.isNumber }
    var catalogues: [Language: Words] = [:]
    for language in Language.allCases {
      let bytes = files.first { $0.path == "i18n/\(language.rawValue).json" }?.bytes ?? []
      // A file of ours that is no JSON is a broken build, found by the tests; the page then shows its keys.
      catalogues[language] = Words(language, catalogue: (try? JSONValue(parsing: bytes)) ?? .null)
    }
    self.catalogues = catalogues
    shell = PageShell(template: files.first { $0.path == "shell.html" }?.bytes ?? [], base: base)
  }

  func words(_ language: Language) -> Words { catalogues[language] ?? Words(language, catalogue: .null) }

  /// A route for each file. The service worker alone has a fixed address, because its address says what it may serve.
  func register(on router: inout HTTPRouter) {
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

  /// What the page may do. Nothing in it is inline but data; the only scripts are ours, workers by a policy of their own.
  static let safety = SafetyFields(
    contentSecurityPolicy: [
      "default-src 'self'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "media-src 'self' https:",
      "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "object-src 'none'", "form-action 'self'",
      "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types odi",
    ].joined(separator: "; "),
    permissionsPolicy: "geolocation=(self), camera=(self)")
}

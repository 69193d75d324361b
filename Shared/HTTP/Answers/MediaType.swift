/// A media type, with its charset where it has one.
nonisolated package struct MediaType: Hashable, Sendable {
  package let text: String
  /// Whether gzip makes it smaller: text does, pictures and archives are packed already.
  package let isCompressible: Bool
  /// Whether a browser shows it as a page, and so runs what it holds.
  package let isPage: Bool

  package init(_ text: String, isCompressible: Bool, isPage: Bool = false) {
    self.text = text
    self.isCompressible = isCompressible
    self.isPage = isPage
  }

  package static let json = MediaType("application/json; charset=utf-8", isCompressible: true)
  package static let problem = MediaType("application/problem+json", isCompressible: true)
  package static let geoJSON = MediaType("application/geo+json", isCompressible: true)
  package static let html = MediaType("text/html; charset=utf-8", isCompressible: true, isPage: true)
  package static let plain = MediaType("text/plain; charset=utf-8", isCompressible: true)
  package static let css = MediaType("text/css; charset=utf-8", isCompressible: true)
  package static let javaScript = MediaType("text/javascript; charset=utf-8", isCompressible: true)
  package static let svg = MediaType("image/svg+xml", isCompressible: true, isPage: true)
  package static let xml = MediaType("application/xml; charset=utf-8", isCompressible: true)
  package static let calendar = MediaType("text/calendar; charset=utf-8", isCompressible: true)
  package static let manifest = MediaType("application/manifest+json", isCompressible: true)
  package static let events = MediaType("text/event-stream", isCompressible: false)
  package static let png = MediaType("image/png", isCompressible: false)
  package static let jpeg = MediaType("image/jpeg", isCompressible: false)
  package static let webp = MediaType("image/webp", isCompressible: false)
  package static let bytes = MediaType("application/octet-stream", isCompressible: false)

  /// The type of a file, by the ending of its name. Unknown ones are bytes, which no browser runs.
  package static func of(file name: String) -> MediaType {
    guard let dot = name.lastIndex(of: ".") else { return .bytes }
    return byEnding[name[name.index(after: dot)...].lowercased()] ?? .bytes
  }

  private static let byEnding: [String: MediaType] = [
    "html": .html, "css": .css, "js": .javaScript, "mjs": .javaScript, "json": .json, "txt": .plain, "svg": .svg,
    "xml": .xml, "atom": MediaType("application/atom+xml; charset=utf-8", isCompressible: true), "ics": .calendar,
    "webmanifest": .manifest, "geojson": .geoJSON, "map": .json, "md": .plain,
    "csv":
      MediaType("text/csv; charset=utf-8", isCompressible: true),
    "png": .png, "jpg": .jpeg, "jpeg": .jpeg, "webp": .webp,
    "avif": MediaType("image/avif", isCompressible: false), "gif": MediaType("image/gif", isCompressible: false),
    "ico": MediaType("image/x-icon", isCompressible: true), "woff2": MediaType("font/woff2", isCompressible: false),
    "wasm": MediaType("application/wasm", isCompressible: true),
    "pdf": MediaType("application/pdf", isCompressible: false),
  ]
}

/// A piece of HTML. What is put into it is text and is escaped, unless it is HTML itself.
///
///     let heading: Markup = "<h3>\(film.title)</h3>"
nonisolated struct Markup: ExpressibleByStringInterpolation, Sendable {
  private(set) var html: String

  init(stringLiteral value: String) { html = value }

  init(stringInterpolation: Interpolation) { html = stringInterpolation.html }

  init(joining parts: some Sequence<Markup>) { html = parts.map(\.html).joined() }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var html = ""

    init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { html += literal }
    mutating func appendInterpolation(_ markup: Markup) { html += markup.html }
    mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { html += part.html } }
    mutating func appendInterpolation(_ number: Int) { html += String(number) }
    mutating func appendInterpolation(_ text: String) { html += Markup.escape(text) }
    /// What was written as JSON with HTML's escapes.
    mutating func appendInterpolation(json bytes: [UInt8]) { html += String(decoding: bytes, as: UTF8.self) }
  }

  private static func escape(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
      case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
      case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
      case UInt8(ascii: "\""): bytes += Array("&quot;".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// An address, or a part of one, split as RFC 3986 does it (appendix B), and put together again (section 5).
package struct URLReference: Sendable, Hashable {
  package var scheme: String?
  package var authority: String?
  package var path: String
  package var query: String?
  package var fragment: String?

  package init(_ text: String) {
    // Among bytes: a combining mark behind a delimiter makes another `Character` of it.
    var rest = text[...]
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(asciiLowercased(first)) else { return false }
    return text.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(asciiLowercased(byte)) || (0x30...0x39).contains(byte)
        || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
  }

  package var text: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  /// What `reference` means on the page at `base`, or nil if `base` is itself not absolute.
  ///
  /// As pages write it, and browsers read it: white space around it and line breaks inside go, `\` is `/`, and blanks
  /// and letters beyond ASCII in the path and the query are percent-encoded.
  package static func resolve(_ reference: String, against base: String) -> String? {
    let base = URLReference(base)
    guard let baseScheme = base.scheme else { return nil }
    let isWeb = baseScheme == "http" || baseScheme == "https"
    var target = URLReference(cleaned(reference, isWeb: isWeb))
    target.path = percentEncoded(target.path)
    target.query = target.query.map(percentEncoded)
    target.fragment = target.fragment.map(percentEncoded)
    if target.scheme == nil {
      target.scheme = baseScheme
      if target.authority == nil {
        target.authority = base.authority
        if target.path.isEmpty {
          target.path = base.path
          target.query = target.query ?? base.query
        } else if !target.path.hasPrefix("/") {
          let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? (base.authority == nil ? "" : "/")
          target.path = folder + target.path
        }
      }
    }
    guard target.authority != nil || target.path.hasPrefix("/") else { return target.text }
    target.path = removingDots(target.path)
    if target.path.isEmpty, target.authority != nil { target.path = "/" }
    return target.text
  }

  private static func cleaned(_ reference: String, isWeb: Bool) -> String {
    var isInQuery = false
    let bytes = reference.trimmed.utf8.compactMap { byte -> UInt8? in
      if byte == 0x09 || byte == 0x0A || byte == 0x0D { return nil }
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { isInQuery = true }
      return byte == UInt8(ascii: "\\") && isWeb && !isInQuery ? UInt8(ascii: "/") : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func percentEncoded(_ text: String) -> String {
    var output: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0...0x20, 0x22, 0x3C, 0x3E, 0x60, 0x7F...:
        output += [UInt8(ascii: "%"), hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15)]
      default: output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

  /// RFC 3986, 5.2.4, on segments.
  private static func removingDots(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment.lowercased() {
      case ".", "%2e": if isLast { kept.append("") }
      case "..", ".%2e", "%2e.", "%2e%2e":
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }
}

/// The XML playlists of xspf.org: the `location` of each `track`.
///
/// It looks for the elements and at nothing else: entities of a document of its own are not known, so none can grow.
enum XSPFPlaylist {
  static func entries(of text: DocumentText) -> [PlaylistEntry]? {
    let start = text.bytes.drop(while: \.isBlank)
    guard start.first == UInt8(ascii: "<"),
      start.prefix(2_048).range(ofIgnoringCase: "<playlist") != nil,
      start.prefix(2_048).range(ofIgnoringCase: "xspf") != nil || start.range(ofIgnoringCase: "<trackList") != nil
    else { return nil }
    var entries: [PlaylistEntry] = []
    var rest = withoutComments(start)[...]
    while entries.count < text.entriesMax, let open = rest.openTag("<track") {
      let end = rest[open.upperBound...].range(ofIgnoringCase: "</track>")?.lowerBound ?? rest.endIndex
      let track = rest[open.upperBound..<end]
      if let address = content(of: "<location", "</location>", in: track)?.asAddress {
        entries.append(
          PlaylistEntry(address: address, title: content(of: "<title", "</title>", in: track)?.asTitle))
      }
      rest = rest[end...]
    }
    return entries
  }

  static func withoutComments(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var kept: [UInt8] = []
    var rest = bytes
    while let open = rest.range(ofIgnoringCase: "<!--") {
      kept += rest[..<open.lowerBound]
      guard let close = rest[open.upperBound...].range(ofIgnoringCase: "-->") else { return kept }
      rest = rest[close.upperBound...]
    }
    return kept + rest
  }

  /// What stands in an element, with its references replaced.
  static func content(
    of open: StaticString, _ close: StaticString, in bytes: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    guard let start = bytes.openTag(open),
      let end = bytes[start.upperBound...].range(ofIgnoringCase: close)
    else { return nil }
    let inner = bytes[start.upperBound..<end.lowerBound].trimmed
    if inner.beginsIgnoringCase("<![CDATA["), let last = inner.range(ofIgnoringCase: "]]>") {
      return inner[(inner.startIndex + 9)..<max(inner.startIndex + 9, last.lowerBound)]
    }
    return replacingReferences(in: inner)[...]
  }

  static func replacingReferences(in bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var rest = bytes
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += rest[..<ampersand]
      rest = rest[ampersand...]
      guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let scalar = scalar(named: rest[(rest.startIndex + 1)..<end])
      else {
        text.append(rest.removeFirst())
        continue
      }
      text += Array(String(scalar).utf8)
      rest = rest[(end + 1)...]
    }
    return text + rest
  }

  private static func scalar(named name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: name, as: UTF8.self) {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case let text where text.hasPrefix("#x"): return UInt32(text.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    case let text where text.hasPrefix("#"): return UInt32(text.dropFirst()).flatMap(Unicode.Scalar.init)
    default: return nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// Where an element begins, with its attributes: `<track>` and `<track xml:id="a">` of `<track`, and no `<trackList>`.
  func openTag(_ name: StaticString) -> Range<Int>? {
    var rest = self
    while let start = rest.range(ofIgnoringCase: name) {
      rest = rest[start.upperBound...]
      guard let next = rest.first, next == UInt8(ascii: ">") || next.isBlank else { continue }
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
      return start.lowerBound..<(end + 1)
    }
    return nil
  }
}

/// The playlists of Windows Media: `<asx>` with the `href` of each `ref`, and the older `[Reference]` with `Ref1=…`.
///
/// Hardly any of them is XML, so elements and attributes are searched for in any case.
enum ASXPlaylist {
  static func entries(of text: DocumentText) -> [PlaylistEntry]? {
    if text.begins(with: "[Reference]") { return references(text) }
    guard text.bytes.prefix(2_048).openTag("<asx") != nil else { return nil }
    var entries: [PlaylistEntry] = []
    var rest = LooseMarkup.withoutComments(text.bytes)[...]
    let base = rest.openTag("<base").flatMap { href(in: rest[$0]) }
    // Both are looked for at once: the one that does not come would be looked for to the end each time.
    while entries.count < text.entriesMax, let entry = rest.openTag("<entry", or: "<entryref") {
      // Another list, whose entries stand in its place.
      if rest[entry].beginsIgnoringCase("<entryref") {
        if let address = href(in: rest[entry], from: base) { entries.append(PlaylistEntry(address: address)) }
        rest = rest[entry.upperBound...]
        continue
      }
      let own = href(in: rest[entry], from: base)
      let isEmpty = rest[entry].dropLast().last == UInt8(ascii: "/")
      let end =
        isEmpty
        ? entry.upperBound
        : rest[entry.upperBound...].range(ofIgnoringCase: "</entry>")?.lowerBound ?? rest.endIndex
      let inside = rest[entry.upperBound..<end]
      let title = LooseMarkup.content(of: "<title", "</title>", in: inside)?.asTitle
      if let own { entries.append(PlaylistEntry(address: own, title: title)) }
      // Of one entry the later ones are tried where the first is silent.
      var inner = inside
      while entries.count < text.entriesMax, let tag = inner.openTag("<ref") {
        if let address = href(in: inner[tag], from: base) {
          entries.append(PlaylistEntry(address: address, title: title))
        }
        inner = inner[tag.upperBound...]
      }
      rest = rest[end...]
    }
    return entries
  }

  private static func href(in tag: ArraySlice<UInt8>, from base: String? = nil) -> String? {
    LooseMarkup.attribute("href", in: tag).map { LooseMarkup.address($0, from: base) }
  }

  private static func references(_ text: DocumentText) -> [PlaylistEntry] {
    text.lines.lazy.compactMap { line -> PlaylistEntry? in
      guard line.beginsIgnoringCase("ref"), let equals = line.firstIndex(of: UInt8(ascii: "=")),
        line[(line.startIndex + 3)..<equals].trimmed.asNumber != nil
      else { return nil }
      return line[(equals + 1)...].asAddress.map { PlaylistEntry(address: $0) }
    }.prefix(text.entriesMax).map(\.self)
  }
}

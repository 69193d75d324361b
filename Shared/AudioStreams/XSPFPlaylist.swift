/// The XML playlists of xspf.org: the `location` of each `track`.
///
/// It looks for the elements and at nothing else: entities of a document of its own are not known, so none can grow.
enum XSPFPlaylist {
  static func entries(of text: DocumentText) -> [PlaylistEntry]? {
    let start = withoutPrefix(text.bytes.drop(while: \.isBlank))
    guard start.first == UInt8(ascii: "<"),
      start.prefix(2_048).range(ofIgnoringCase: "<playlist") != nil,
      start.prefix(2_048).range(ofIgnoringCase: "xspf") != nil || start.range(ofIgnoringCase: "<trackList") != nil
    else { return nil }
    var entries: [PlaylistEntry] = []
    var rest = LooseMarkup.withoutComments(start)[...]
    let base = rest.openTag("<playlist").flatMap { LooseMarkup.attribute("xml:base", in: rest[$0]) }
    while entries.count < text.entriesMax, let open = rest.openTag("<track") {
      let end = rest[open.upperBound...].range(ofIgnoringCase: "</track>")?.lowerBound ?? rest.endIndex
      let track = rest[open.upperBound..<end]
      let title = LooseMarkup.content(of: "<title", "</title>", in: track)?.asTitle
      // Of one track the later ones are tried where the first is silent.
      var places = track
      while entries.count < text.entriesMax, let place = places.openTag("<location") {
        // Looked for once: of places that do not end each would be looked for to the end of the list.
        guard let content = LooseMarkup.content(of: "<location", "</location>", in: places) else { break }
        if let address = content.asAddress {
          entries.append(PlaylistEntry(address: LooseMarkup.address(address, from: base), title: title))
        }
        places = places[place.upperBound...]
      }
      rest = rest[end...]
    }
    return entries
  }

  /// `<xspf:track>` as `<track>`, where the whole list has such a prefix.
  private static func withoutPrefix(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let root = bytes.prefix(2_048).range(ofIgnoringCase: ":playlist"),
      let open = bytes[..<root.lowerBound].lastIndex(of: UInt8(ascii: "<"))
    else { return bytes }
    let prefix = bytes[(open + 1)...root.lowerBound]
    guard prefix.count <= prefixBytesMax, prefix.allSatisfy({ $0 > 0x20 }) else { return bytes }
    var kept: [UInt8] = []
    var rest = bytes
    while let tag = rest.firstIndex(of: UInt8(ascii: "<")) {
      var name = tag + 1
      if name < rest.endIndex, rest[name] == UInt8(ascii: "/") { name += 1 }
      kept += rest[..<name]
      rest = rest[name...]
      if rest.starts(with: prefix) { rest = rest.dropFirst(prefix.count) }
    }
    return (kept + rest)[...]
  }

  private static let prefixBytesMax = 32
}

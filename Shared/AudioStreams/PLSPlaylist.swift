/// The playlists of Winamp: `File1=…`, `Title1=…`, in any order and any case.
enum PLSPlaylist {
  /// - Returns: the addresses by their numbers, whatever line they stand on; nil if this is no such playlist.
  static func entries(of text: DocumentText) -> [PlaylistEntry]? {
    var addresses: [(number: Int, address: String)] = []
    var titles: [Int: String] = [:]
    let isNamed = text.begins(with: "[playlist]")
    for line in text.lines {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let (name, value) = (line[..<equals].trimmed, line[(equals + 1)...].trimmed.unquoted)
      if let number = number(of: name, "File"), let address = value.asAddress {
        addresses.append((number, address))
      } else if let number = number(of: name, "Title") {
        titles[number] = value.asTitle
      }
    }
    guard isNamed || !addresses.isEmpty else { return nil }
    let ordered = addresses.enumerated().sorted {
      ($0.element.number, $0.offset) < ($1.element.number, $1.offset)
    }
    return ordered.prefix(text.entriesMax).map {
      PlaylistEntry(address: $0.element.address, title: titles[$0.element.number])
    }
  }

  /// The number of `File12`.
  private static func number(of name: ArraySlice<UInt8>, _ word: StaticString) -> Int? {
    guard name.beginsIgnoringCase(word) else { return nil }
    return name.dropFirst(word.utf8CodeUnitCount).asNumber
  }
}

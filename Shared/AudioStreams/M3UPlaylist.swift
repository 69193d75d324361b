/// A list of addresses, one a line, with or without `#EXTM3U` and `#EXTINF` lines.
enum M3UPlaylist {
  private static let mediaTypes: Set = [
    "audio/x-mpegurl", "audio/mpegurl", "application/x-mpegurl", "application/vnd.apple.mpegurl", "audio/x-m3u",
    "audio/m3u",
  ]

  /// - Parameter mediaType: as it was sent; one of these names a list as its first line does, and then addresses in it may
  ///   be relative.
  /// - Returns: nil if a line is neither a comment nor an address, so that no other text is taken for a list.
  static func entries(of text: DocumentText, mediaType: String) -> [PlaylistEntry]? {
    let isNamed = text.begins(with: "#EXTM3U") || mediaTypes.contains(mediaType.lowercased())
    var entries: [PlaylistEntry] = []
    var isAddressed = isNamed
    var told = PlaylistEntry(address: "")
    for line in text.lines {
      if line.first == UInt8(ascii: "#") {
        if line.beginsIgnoringCase("#EXTINF:") {
          told = described(line[(line.startIndex + 8)...], told.group)
        } else if line.beginsIgnoringCase("#EXTGRP:") {
          told.group = line[(line.startIndex + 8)...].asTitle
        }
        continue
      }
      let isWeb = ["http://", "https://", "icy://"].contains(where: line.beginsIgnoringCase)
      // Some players write behind a bar what they say of themselves.
      let address = isWeb ? line.prefix { $0 != UInt8(ascii: "|") } : line
      guard let address = address.asAddress ?? (isNamed && isWeb ? address.asAddressWithBlanks : nil),
        isNamed || line.hasScheme
      else {
        // A sentence between the addresses of what is a list by its name.
        if isNamed { continue }
        return nil
      }
      isAddressed = isAddressed || isWeb
      told.address = address
      entries.append(told)
      told = PlaylistEntry(address: "")
      if entries.count == text.entriesMax { break }
    }
    return isAddressed ? entries : nil
  }

  /// `-1 tvg-logo="http://a.example/x,y.png" group-title="Jazz, Blues",Night FM`: the title begins behind the first comma
  /// that is in no quotes.
  private static func described(_ line: ArraySlice<UInt8>, _ group: String?) -> PlaylistEntry {
    var isQuoted = false
    let comma = line.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    // A quote that does not end is a letter like others.
    guard let comma = comma ?? line.firstIndex(of: UInt8(ascii: ",")) else {
      return PlaylistEntry(address: "", group: group)
    }
    let attributes = line[..<comma]
    return PlaylistEntry(
      address: "", title: line[(comma + 1)...].asTitle ?? value(of: "tvg-name=\"", in: attributes),
      group: value(of: "group-title=\"", in: attributes) ?? group)
  }

  private static func value(of name: StaticString, in attributes: ArraySlice<UInt8>) -> String? {
    guard let start = attributes.range(ofIgnoringCase: name) else { return nil }
    return attributes[start.upperBound...].prefix { $0 != UInt8(ascii: "\"") }.asTitle
  }
}

extension ArraySlice<UInt8> {
  /// Whether it begins like an address of any kind: `mms://`.
  fileprivate var hasScheme: Bool {
    let scheme = prefix { (0x61...0x7A).contains($0.lowercased) }
    return !scheme.isEmpty && dropFirst(scheme.count).starts(with: "://".utf8)
  }
}

import JSON

/// An answer in JSON that holds the stream's address, as broadcasters' own services give it.
///
/// Known: `{"channel_item": [{"service_url": …}]}`. Of others, the members that are usually called so, then those whose name
/// has such a word in it, then those of a list without names. A call around it, `play({…})`, counts for nothing.
enum JSONPlaylist {
  private static let names = [
    "serviceurl", "streamurl", "stream", "hls", "playlist", "listenurl", "url", "file", "src", "source", "location",
  ]
  private static let words = ["stream", "hls", "audio", "listen", "play"]

  /// - Returns: every address under such a name, by how clearly the name says so; nil if this is no JSON.
  static func entries(of text: DocumentText) -> [PlaylistEntry]? {
    let bytes = withoutCall(text.bytes)
    let first = bytes.first { !$0.isBlank }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    guard let value = try? JSONValue(parsing: bytes, limits: JSONLimits(bytes: bytes.count)) else { return nil }
    var found: [(rank: Int, address: String)] = []
    collect(value, under: "", into: &found)
    return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .prefix(text.entriesMax).map { PlaylistEntry(address: $0.element.address) }
  }

  /// `callback({…});`
  private static func withoutCall(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let name = bytes.prefix(nameBytesMax).prefix {
      (0x61...0x7A).contains($0 | 0x20) || $0.isDigit || "_.$".utf8.contains($0)
    }
    guard !name.isEmpty, bytes.dropFirst(name.count).first == UInt8(ascii: "("),
      let end = bytes.lastIndex(of: UInt8(ascii: ")")), end > name.endIndex
    else { return bytes }
    return bytes[(name.endIndex + 1)..<end]
  }

  private static let nameBytesMax = 100

  private static func collect(_ value: JSONValue, under name: String, into found: inout [(rank: Int, address: String)])
  {
    switch value {
    case .object(let members):
      for (name, member) in members { collect(member, under: name, into: &found) }
    case .array(let members):
      for member in members { collect(member, under: name, into: &found) }
    case .string(let text):
      guard let rank = rank(of: name.lowercased().filter(\.isLetter)), let address = Array(text.utf8)[...].asAddress,
        address.utf8.starts(with: "http://".utf8) || address.utf8.starts(with: "https://".utf8)
      else { return }
      found.append((rank, address))
    case .null, .bool, .int, .double: break
    }
  }

  private static func rank(of name: String) -> Int? {
    if name.isEmpty { return names.count + 1 }
    return names.firstIndex(of: name) ?? (words.contains { name.contains($0) } ? names.count : nil)
  }
}

import JSON

/// An answer in JSON that holds the stream's address, as broadcasters' own services give it.
///
/// Known: `{"channel_item": [{"service_url": …}]}`. Of others, the members that are usually called so, then those whose name
/// has such a word in it.
enum JSONPlaylist {
  private static let names = [
    "service_url", "stream_url", "streamurl", "stream", "hls", "playlist", "listen_url", "url", "file", "src", "source",
    "location",
  ]
  private static let words = ["stream", "hls", "audio", "listen", "play"]

  /// - Returns: every address under such a name, by how clearly the name says so; nil if this is no JSON.
  static func entries(of text: DocumentText) -> [PlaylistEntry]? {
    let first = text.bytes.first { !$0.isBlank }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    guard let value = try? JSONValue(parsing: text.bytes, limits: JSONLimits(bytes: text.bytes.count)) else {
      return nil
    }
    var found: [(rank: Int, address: String)] = []
    collect(value, under: "", into: &found)
    return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .prefix(text.entriesMax).map { PlaylistEntry(address: $0.element.address) }
  }

  private static func collect(_ value: JSONValue, under name: String, into found: inout [(rank: Int, address: String)])
  {
    switch value {
    case .object(let members):
      for (name, member) in members { collect(member, under: name, into: &found) }
    case .array(let members):
      for member in members { collect(member, under: name, into: &found) }
    case .string(let text):
      guard let rank = rank(of: name.lowercased()), let address = Array(text.utf8)[...].asAddress,
        address.utf8.starts(with: "http://".utf8) || address.utf8.starts(with: "https://".utf8)
      else { return }
      found.append((rank, address))
    case .null, .bool, .int, .double: break
    }
  }

  private static func rank(of name: String) -> Int? {
    names.firstIndex(of: name) ?? (words.contains { name.contains($0) } ? names.count : nil)
  }
}

import JSON

/// An answer in JSON that holds the stream's address, as broadcasters' own services give it.
///
/// Known: `{"channel_item": [{"service_url": …}]}`. Of others, the members that are usually called so, then those whose name
/// has such a word in it, then those of a list without names; what stands among streams before what stands among pictures and
/// pages. A call around it, `play({…})`, counts for nothing.
enum JSONPlaylist {
  private static let names = [
    "serviceurl", "streamurl", "stream", "hls", "m3u8", "playlist", "listenurl", "urlresolved", "url", "href", "file",
    "src", "source", "location",
  ]
  private static let words = ["stream", "hls", "audio", "listen", "play"]
  /// Names that tell nothing without the name of what they are in.
  private static let general: Set = ["url", "href", "file", "src", "source", "location"]
  private static let asides = [
    "image", "img", "logo", "icon", "cover", "artwork", "albumart", "artist", "thumb", "picture", "photo", "site",
    "homepage", "share", "social",
  ]
  private static let soundEndings = [
    ".m3u8", ".mp3", ".aac", ".pls", ".m3u", ".ogg", ".opus", ".flac", ".xspf", ".asx",
  ]
  private static let otherEndings = [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".html", ".css", ".js"]

  /// Behind the ranks of addresses among streams come those of no clear place, and behind them those of pictures and pages.
  private static let rankStep = 100

  /// - Returns: every address under such a name, by how clearly the name says so; nil if this is no JSON.
  static func entries(of text: DocumentText) -> [PlaylistEntry]? {
    let bytes = text.bytes.withoutCallback
    let first = bytes.first { !$0.isBlank }
    guard [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(first) else { return nil }
    guard let value = try? JSONValue(parsing: bytes, limits: JSONLimits(bytes: text.bytes.count)) else {
      return nil
    }
    var found: [(rank: Int, address: String)] = []
    collect(value, under: value.string == nil ? [] : ["stream"], into: &found)
    return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .prefix(text.entriesMax).map { PlaylistEntry(address: $0.element.address) }
  }

  /// - Parameter path: the names that lead there; the parser bounds how many.
  private static func collect(
    _ value: JSONValue, under path: [String], into found: inout [(rank: Int, address: String)]
  ) {
    switch value {
    case .object(let members):
      for (name, member) in members {
        // `serviceUrl` and `service_url`
        let key = name.lowercased().filter { $0.isLetter || $0.isNumber }
        collect(member, under: path + [key], into: &found)
      }
    case .array(let members):
      for member in members { collect(member, under: path, into: &found) }
    case .string(let text):
      guard let address = Array(text.utf8)[...].asAddress,
        ["http://", "https://", "//"].contains(where: { address.utf8.starts(with: $0.utf8) }),
        let rank = rank(of: address, under: path)
      else { return }
      found.append((rank, address))
    case .null, .bool, .int, .double: break
    }
  }

  private static func rank(of address: String, under path: [String]) -> Int? {
    guard let name = path.last else { return names.count + 1 }
    let ending = address.lowercased().prefix { $0 != "?" && $0 != "#" }
    let isSound = soundEndings.contains(where: ending.hasSuffix)
    let byName = names.firstIndex(of: name) ?? (words.contains { name.contains($0) } ? names.count : nil)
    let isAmongStreams = path.dropLast().contains { part in words.contains { part.contains($0) } }
    guard let rank = byName ?? (isSound || isAmongStreams ? names.count + 1 : nil) else { return nil }
    let isAside =
      otherEndings.contains(where: ending.hasSuffix)
      || path.suffix(2).contains(where: isAsideName)
    if isAside, !isSound { return rank + 2 * rankStep }
    guard general.contains(name) else { return rank }
    return isSound || isAmongStreams ? rank : rank + rankStep
  }

  /// `logo_url`, `album_art` and `art`; not `start` and `smart`.
  private static func isAsideName(_ name: String) -> Bool { name == "art" || asides.contains { name.contains($0) } }
}

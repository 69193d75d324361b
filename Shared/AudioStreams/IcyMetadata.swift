/// What SHOUTcast and Icecast mix into a stream for players that ask with `Icy-MetaData: 1`: after each `icy-metaint`
/// bytes of sound a byte that says how many times 16 bytes of text follow.
package struct IcyMetadata: Hashable, Sendable {
  /// Bytes of the title, in whatever encoding the station uses.
  package var title: [UInt8]

  /// The text behind `StreamTitle=`; nil if there is none. A quote in a title is not escaped, so the title ends where
  /// nothing else fits: at a quote and a semicolon with the end or another name behind them.
  package init?(_ block: ArraySlice<UInt8>) {
    guard let name = block.range(ofIgnoringCase: "StreamTitle"),
      let rest = Self.value(block[name.upperBound...])
    else { return nil }
    var end: Int?
    var place = rest.startIndex
    while let quote = rest[place...].firstIndex(of: UInt8(ascii: "'")) {
      let behind = rest[(quote + 1)...].drop(while: \.isBlank)
      if behind.first == UInt8(ascii: ";"), Self.isEnd(behind.dropFirst()) {
        end = quote
        break
      }
      place = quote + 1
    }
    let last = end ?? rest.lastIndex(of: UInt8(ascii: "'")) ?? rest.endIndex
    title = Array(rest[..<last].letters(AudioDocument.Limits.titleBytes))
  }

  private static func isEnd(_ rest: ArraySlice<UInt8>) -> Bool {
    let behind = rest.drop { $0 == 0 || $0.isBlank }
    guard !behind.isEmpty else { return true }
    let name = behind.prefix { (0x61...0x7A).contains($0.lowercased) || $0 == UInt8(ascii: "_") }
    return !name.isEmpty && value(behind.dropFirst(name.count)) != nil
  }

  /// What begins behind a name, an equals sign and a quote, with blanks between them.
  private static func value(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var rest = rest.drop(while: \.isBlank)
    guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
    rest = rest.drop(while: \.isBlank)
    return rest.popFirst() == UInt8(ascii: "'") ? rest : nil
  }

  /// The title as text: UTF-8 if it is that, else Windows-1252; on one line.
  package var text: String { Self.plain(title[...].printed) }

  /// A title without what programs add for programs: references of HTML, and fields in quotes as in
  /// `Ann Ott - text="Long Day" song_spot="M"` and `title="Long Day",artist="Ann Ott"`.
  package static func plain(_ text: String) -> String {
    let bytes = Array(text.utf8)[...]
    let text = bytes.contains(UInt8(ascii: "&")) ? LooseMarkup.replacingReferences(in: bytes)[...].printed : text
    if let artist = field("artist", in: text), let title = field("title", in: text) {
      return artist.isEmpty ? title : "\(artist) - \(title)"
    }
    guard let song = field("text", in: text), field("song_spot", in: text) != nil,
      let start = text.firstRange(of: "text=\"")
    else { return text }
    var artist = text[..<start.lowerBound]
    while let last = artist.last, last == " " || last == "-" { artist.removeLast() }
    return song.isEmpty ? String(artist) : artist.isEmpty ? song : "\(artist) - \(song)"
  }

  private static func field(_ name: String, in text: String) -> String? {
    guard let start = text.firstRange(of: "\(name)=\"") else { return nil }
    let rest = text[start.upperBound...]
    return rest.firstIndex(of: "\"").map { String(rest[..<$0]) }
  }
}

/// Takes the metadata out of a stream.
package struct IcyReader: Sendable {
  /// Every known server says at most this; a greater one would be waited for in vain.
  package static let intervalMax = 256 << 10

  private let interval: Int
  private var soundLeft: Int
  private var blockLeft = 0
  private var block: [UInt8] = []
  /// The newest that came and was not empty.
  package private(set) var latest: IcyMetadata?

  /// - Parameter interval: `icy-metaint`.
  package init?(interval: Int) {
    guard (1...Self.intervalMax).contains(interval) else { return nil }
    self.interval = interval
    soundLeft = interval
  }

  /// - Returns: the sound among these bytes.
  package mutating func sound(of bytes: [UInt8]) -> [UInt8] {
    var sound: [UInt8] = []
    sound.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while !rest.isEmpty {
      if soundLeft > 0 {
        let piece = rest.prefix(soundLeft)
        sound += piece
        soundLeft -= piece.count
        rest = rest.dropFirst(piece.count)
      } else if blockLeft > 0 {
        let piece = rest.prefix(blockLeft)
        block += piece
        blockLeft -= piece.count
        rest = rest.dropFirst(piece.count)
        if blockLeft == 0 { finishBlock() }
      } else {
        blockLeft = Int(rest.removeFirst()) * 16
        if blockLeft == 0 { soundLeft = interval }
      }
    }
    return sound
  }

  private mutating func finishBlock() {
    latest = IcyMetadata(block[...]) ?? latest
    block = []
    soundLeft = interval
  }
}

/// A title as stations write it: `Artist - Title`.
package struct SungTitle: Hashable, Sendable {
  package var artist: String?
  package var title: String

  package init(_ text: String) {
    guard let dash = text.firstRange(of: " - ") else {
      title = text
      return
    }
    artist = String(text[..<dash.lowerBound])
    title = String(text[dash.upperBound...])
  }
}

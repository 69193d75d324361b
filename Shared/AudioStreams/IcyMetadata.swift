/// What SHOUTcast and Icecast mix into a stream for players that ask with `Icy-MetaData: 1`: after each `icy-metaint`
/// bytes of sound a byte that says how many times 16 bytes of text follow.
package struct IcyMetadata: Hashable, Sendable {
  /// Bytes of the title, in whatever encoding the station uses.
  package var title: [UInt8]

  /// The text behind `StreamTitle=`; nil if there is none. A quote in a title is not escaped, so the title ends where
  /// nothing else fits: at a quote and a semicolon with the end or another name behind them.
  package init?(_ block: ArraySlice<UInt8>) {
    guard let name = block.range(ofIgnoringCase: "StreamTitle='") else { return nil }
    let rest = block[name.upperBound...]
    var end: Int?
    var place = rest.startIndex
    while let quote = rest[place...].range(ofIgnoringCase: "';") {
      if Self.isEnd(rest[quote.upperBound...]) {
        end = quote.lowerBound
        break
      }
      place = quote.upperBound
    }
    let last = end ?? rest.lastIndex(of: UInt8(ascii: "'")) ?? rest.endIndex
    title = Array(rest[..<last].letters(AudioDocument.Limits.titleBytes))
  }

  private static func isEnd(_ rest: ArraySlice<UInt8>) -> Bool {
    let behind = rest.drop { $0 == 0 || $0.isBlank }
    guard !behind.isEmpty else { return true }
    let name = behind.prefix { (0x61...0x7A).contains($0.lowercased) || $0 == UInt8(ascii: "_") }
    return !name.isEmpty && behind.dropFirst(name.count).starts(with: "='".utf8)
  }

  /// The title as text: UTF-8 if it is that, else Latin-1; on one line.
  package var text: String { title[...].printed }
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

/// A name taken apart into its words.
extension RecordKey {
  /// `filmScreeningStartDateTime`, `film_start`, `FILMSTART`, `MovieNm` as words in lower case.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    let bytes = Array(name.utf8.prefix(64))
    func isUpper(_ index: Int) -> Bool { bytes.indices.contains(index) && (0x41...0x5A).contains(bytes[index]) }
    func isLower(_ index: Int) -> Bool { bytes.indices.contains(index) && (0x61...0x7A).contains(bytes[index]) }
    func close() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 0x41...0x5A:
        // A capital begins a word after a small letter, and before one: "PlaySDTime" is play, sd, time.
        if isLower(index - 1) || (isUpper(index - 1) && isLower(index + 1)) { close() }
        word.append(byte + 0x20)
      case 0x61...0x7A, 0x80...: word.append(byte)
      default: close()
      }
    }
    close()
    return words.flatMap(unfused)
  }

  /// Words that are written together where no capital tells them apart: "starttime", "showdatetime".
  private static func unfused(_ word: String) -> [String] {
    if parts.contains(word) || word.utf8.count < 6 { return [word] }
    // German writes "Veranstaltungstitel", "Filmtitel".
    for last in ["titel", "title"] where word.hasSuffix(last) {
      let first = String(word.dropLast(last.utf8.count))
      for stem in [first, first.hasSuffix("s") ? String(first.dropLast()) : first]
      where filmWords.contains(stem) || eventWords.contains(stem) {
        return [stem, last]
      }
    }
    for first in parts where word.hasPrefix(first) && word.utf8.count > first.utf8.count {
      let rest = String(word.dropFirst(first.count))
      if parts.contains(rest) { return [first, rest] }
      for second in parts where rest.hasPrefix(second) {
        let last = String(rest.dropFirst(second.count))
        if parts.contains(last) { return [first, second, last] }
      }
    }
    return [word]
  }

  /// Longest first, so that one word is always split one way.
  private static let parts: [String] = [
    "performance", "screening", "datetime", "session", "booking", "running", "release", "theatre", "theater", "starts",
    "screen", "cinema", "seance", "inicio", "fecha", "heure", "datum", "debut", "start", "movie", "title", "event",
    "begin", "venue", "doors", "seats", "ends", "date", "time", "film", "show", "hora", "zeit", "name", "perf", "play",
    "door", "site", "room", "hall", "sold", "code", "link", "zone", "hour", "end", "run", "out", "url", "day", "id",
    "at", "nm", "cd", "dt",
  ]
}

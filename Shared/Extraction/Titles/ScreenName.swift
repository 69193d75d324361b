/// Names of the rooms of a cinema: "Screen 1", "Sala 2", "1관", "スクリーン3".
enum ScreenName {
  private static let words: Set<String> = [
    "screen", "sala", "saal", "salle", "zaal", "filmzaal", "bioscoopzaal", "auditorium", "audi", "kino",
    "studio", "room", "hall", "theatre",
    "theater",
    "cinema", "house", "אולם", "scherm", "raum", "leinwand", "sal", "sál", "salong", "salongen", "sali", "salon",
    "terem", "αίθουσα", "зал", "зала", "dvorana", "salė", "zāle", "salur", "salla", "aretoa", "phòng", "rạp", "قاعة",
    "โรง",
    "โรงที่",
  ]
  /// These are said of nothing else.
  private static let rooms: Set<String> = [
    "sala", "saal", "salle", "zaal", "auditorium", "kinosaal", "filmzaal", "bioscoopzaal", "зал", "зала",
    "dvorana", "sál", "sála", "terem",
    "salonu", "salen", "salė", "zāle", "salur",
  ]
  private static let unspaced = ["스크린", "スクリーン", "シアター", "シネマ", "ホール", "제", "院", "廳", "厅", "影廳", "影厅"]
  private static let suffixes = ["관", "館", "番スクリーン", "상영관", "スクリーン", "院", "號院", "廳", "號廳", "厅", "号厅", "影廳", "影厅"]

  /// Whether a text is nothing but such a name.
  static func isOne(_ text: String) -> Bool {
    guard text.utf8.count <= 40 else { return false }
    if text.utf8.contains(where: { $0 >= 0x80 }), isHall(text) { return true }
    // "SALA 1 |": the stroke leads to the time.
    let text = text.hasSuffix("|") ? String(text.dropLast()).trimmedText : text
    let parts = text.plainDigits.lowercased().unicodeScalars.split {
      $0.isBlank || $0 == "#" || $0 == ":" || $0 == "."
    }
    .map { String(Substring($0)) }
    if parts.count == 2 || parts.count == 3, words.contains(parts[0]), parts.dropFirst().allSatisfy(isNumberLike) {
      return true
    }
    if parts.count == 2, words.contains(parts[1]), isNumberLike(parts[0]) || isGerman(parts[0]) { return true }
    // "SALA 8 CNCH", "Sala 1 Xoco": a room's number, and which house it is in.
    if parts.count == 3, rooms.contains(parts[0]), isNumberLike(parts[1]) { return true }
    // "Saal Luna", "Sala Grande", "Großer Saal": rooms with names of their own.
    if (2...3).contains(parts.count), rooms.contains(parts[0]) || parts.count == 2 && rooms.contains(parts[1]) {
      return parts.allSatisfy { $0.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0.isDigit } }
    }
    if parts.count > 3, rooms.contains(parts[0]), isNamedAfterSomebody(text) { return true }
    guard parts.count <= 2, let only = parts.first else { return false }
    let joined = parts.joined()
    return isUnspaced(joined) || parts.count == 1 && isFused(only)
  }

  /// "Sala M. Félix Ribeiro", "Salle Jean de Vigo": each word behind the first has a capital, or stands between names.
  private static func isNamedAfterSomebody(_ text: String) -> Bool {
    let words = text.unicodeScalars.split(whereSeparator: \.isBlank).map { String(Substring($0)) }
    guard let last = words.last, (3...5).contains(words.count) else { return false }
    func hasCapital(_ word: String) -> Bool { word.unicodeScalars.first?.properties.isUppercase ?? false }
    return hasCapital(last) && words.dropFirst().allSatisfy { hasCapital($0) || particles.contains($0) }
      && text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0.isBlank || $0 == "." || $0 == "-" }
  }

  private static let particles: Set<String> = ["de", "da", "do", "dos", "di", "del", "della", "von", "van", "le", "la"]

  /// "MH3", "S1": capitals and a number, as a house writes on its rooms' doors.
  static func isCode(_ text: String) -> Bool {
    let letters = text.utf8.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    let digits = text.utf8.dropFirst(letters.count)
    return (1...3).contains(letters.count) && (1...2).contains(digits.count) && digits.allSatisfy(isDigitByte)
  }

  /// "Screen 2", "2관": a room where nothing else is done than to show films.
  static func isOfCinema(_ text: String) -> Bool {
    let lower = text.lowercased()
    return isOne(text)
      && (["screen", "スクリーン", "스크린", "シアター"].contains { lower.hasPrefix($0) }
        || ["관", "影廳", "影厅", "스크린", "スクリーン"].contains { lower.hasSuffix($0) })
  }

  private static func isUnspaced(_ joined: String) -> Bool {
    guard joined.utf8.contains(where: { $0 >= 0x80 }) else { return false }
    for prefix in unspaced where joined.hasPrefix(prefix) {
      let rest = String(joined.dropFirst(prefix.count))
      if isNumberLike(rest)
        || suffixes.contains(where: { rest.hasSuffix($0) && isNumberLike(String(rest.dropLast($0.count))) })
      {
        return true
      }
    }
    // "컴포트1관"
    if joined.hasSuffix("관"), joined.unicodeScalars.count <= namedRoomMax,
      joined.utf8.dropLast(3).last.map(isDigitByte) ?? false
    {
      return true
    }
    for suffix in suffixes where joined.hasSuffix(suffix) {
      if isNumberLike(String(joined.dropLast(suffix.count))) { return true }
    }
    return false
  }

  private static let namedRoomMax = 10

  /// "screen1"
  private static func isFused(_ only: String) -> Bool {
    words.contains { word in
      only.hasPrefix(word) && only.utf8.dropFirst(word.utf8.count).first.map(isDigitByte) ?? false
        && isNumberLike(String(only.dropFirst(word.count)))
    }
  }

  private static func isGerman(_ word: String) -> Bool {
    [
      "grosser", "großer", "kleiner", "grand", "petite", "grande", "grote", "kleine", "main", "blue", "red", "grosses",
      "kleines", "malý", "velký", "mala", "mała", "duża", "duza", "velika", "lilla", "stora", "lille", "store", "iso",
      "pieni",
    ].contains(word)
  }

  private static let roman: Set<String> = [
    "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "one", "two", "three", "four", "five", "six",
  ]

  private static func isNumberLike(_ text: String) -> Bool {
    guard !text.isEmpty, text.unicodeScalars.count <= 4 else { return false }
    if text.utf8.allSatisfy(isDigitByte) { return true }
    if roman.contains(text) || text.utf8.count == 1 { return true }
    return text.utf8.count <= 3 && isDigitByte(text.utf8.first!)
  }
}

extension String {
  /// "スクリーン２" and "スクリーン②" as "スクリーン2".
  fileprivate var plainDigits: String {
    guard unicodeScalars.contains(where: { $0.isWideDigit || $0.isCircled }) else { return self }
    return unicodeScalars.map { scalar in
      if scalar.isWideDigit { return "\(scalar.value - Unicode.Scalar.wideZero)" }
      return scalar.isCircled ? "\(scalar.value - Unicode.Scalar.circledOne + 1)" : String(scalar)
    }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(value) }

  fileprivate static let wideZero: UInt32 = 0xFF10
  fileprivate var isWideDigit: Bool { (Self.wideZero...0xFF19).contains(value) }

  /// Up to twenty.
  fileprivate static let circledOne: UInt32 = 0x2460
  fileprivate var isCircled: Bool { (Self.circledOne...0x2473).contains(value) }
}

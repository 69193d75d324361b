import Calendars

/// A title as a cinema prints it, taken apart: the film's own name, and what is said about the screening.
///
///     PrintedTitle("Relaxed Screening: Alien (1979) [15] + Q&A on 35mm").film      // Alien
///
/// Nothing is lost: what is not in `film` is in `removed`, in the order of the text. A title that would have nothing
/// left is left alone.
package struct PrintedTitle: Hashable, Sendable {
  /// What was given, blanks made one.
  package let printed: String
  package internal(set) var film: String
  package internal(set) var attributes: Set<ScreeningAttribute> = []
  /// `(1979)`
  package private(set) var year: Int?
  /// `[15]`, as printed.
  package private(set) var certificate: String?
  package private(set) var removed: [String] = []
  /// There is no name in it: "Q&A", "35mm", "자막".
  package private(set) var isOnlyMarks = false
  /// "(SOLD OUT)", "完売": no seats are left.
  package private(set) var isSoldOut = false
  /// "CANCELLED: …": it does not take place.
  package private(set) var isCancelled = false

  /// Longer texts are no titles; they are their own name.
  private static let bytesMax = 512

  package init(_ text: some StringProtocol) {
    printed = String(text).trimmedText
    film = printed
    guard printed.utf8.count <= Self.bytesMax else { return }
    takeDecorations()
    takeBrackets()
    takeLeadingVersion()
    takePrefix()
    takeGuest()
    takeSuffixes()
    takeBareOccasion()
    takeBareSuffix()
    takeTails()
    film = Self.trimmed(film)
    takeQuotes()
    takeNameInQuotes()
    let whole = TitleMarks(printed)
    if film.isEmpty
      || !film.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
      || (whole.isAll && !whole.attributes.isEmpty)
    {
      isOnlyMarks = !whole.attributes.isEmpty || film.isEmpty
      // "Introduction" and "Kids" are names, where nothing else is one; "35mm" and "Preview" are none.
      if !Self.isWord(printed) { attributes.formUnion(whole.attributes) }
      film = printed
    }
    attributes.formUnion(whole.secondaryAttributes)
  }

  /// The film's name as two spellings of it share it: letters and digits, without case, accents and width.
  package var key: String {
    let folded = film.foldedKey
    return folded.isEmpty ? printed.foldedKey : folded
  }

  /// What a part of a title says about the screening.
  package enum Telling {
    case nothing
    /// Something besides other words: "이동진의 라이브톡".
    case some
    /// It is a series of the cinema's own: "왕가위 특별전".
    case series
    /// How it is shown, for whom, from what age, and no more.
    case all
  }

  package static func telling(of part: String) -> Telling {
    guard part.utf8.count <= bytesMax else { return .nothing }
    if TitleVocabulary.isCertificate(part) || TitleVocabulary.state(of: part) != nil { return .all }
    let marks = TitleMarks(part)
    if marks.isAll { return .all }
    if marks.isStrand, TitleMarks.endsWithStrand(part) { return .series }
    return marks.isStrong || marks.isStrand || !marks.attributes.isEmpty ? .some : .nothing
  }

  // MARK: Parts

  mutating func remove(_ text: some StringProtocol) {
    let text = String(text).trimmedText
    if !text.isEmpty { removed.append(text) }
  }

  /// Stars, tickets and other signs at the ends.
  private mutating func takeDecorations() {
    guard let first = film.unicodeScalars.first, let last = film.unicodeScalars.last,
      Self.isDecoration(first) || Self.isDecoration(last)
    else { return }
    let scalars = Array(film.unicodeScalars)
    var start = 0
    var end = scalars.count
    while start < end, Self.isDecoration(scalars[start]) { start += 1 }
    while end > start, Self.isDecoration(scalars[end - 1]) { end -= 1 }
    guard start > 0 || end < scalars.count else { return }
    remove(Self.text(scalars[..<start]))
    let tail = Self.text(scalars[end...])
    film = Self.text(scalars[start..<end])
    remove(tail)
  }

  private static func isDecoration(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x3000, 0xFE0F, 0x200D, 0x2605, 0x2606, 0x25A0...0x25FF, 0x2600...0x27BF, 0x1F000...0x1FAFF, 0x2A,
      0x203B,
      0x2B1B, 0x2B50:
      true
    default: false
    }
  }

  static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(scalars.count)
    for scalar in scalars {
      if scalar.isASCII {
        bytes.append(UInt8(scalar.value))
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func closing(_ scalar: Unicode.Scalar) -> UInt32? {
    switch scalar.value {
    case 0x28: 0x29
    case 0x3C, 0x5B, 0x7B, 0xFF1C, 0xFF3B: scalar.value + 2
    case 0xFF08, 0x3008, 0x300A, 0x3010, 0x3014: scalar.value + 1
    default: nil
    }
  }

  /// `(4K)`, `[시네마톡]`, `【字幕】`, `(1979)`, `(15)`; what is in other brackets is part of the name.
  private mutating func takeBrackets() {
    guard film.unicodeScalars.contains(where: { Self.closing($0) != nil }) else {
      film = film.trimmedText
      return
    }
    let scalars = Array(film.unicodeScalars)
    var kept: [Unicode.Scalar] = []
    var index = 0
    /// Where a year stood.
    var yearAt: Int?
    while index < scalars.count {
      guard let close = Self.closing(scalars[index]),
        let end = scalars[index...].firstIndex(where: { $0.value == close })
      else {
        kept.append(scalars[index])
        index += 1
        continue
      }
      let inside = Self.text(scalars[(index + 1)..<end]).trimmedText
      // "Best F(r)iends"
      let isInWord =
        index > 0 && scalars[index - 1].properties.isAlphabetic && end + 1 < scalars.count
        && scalars[end + 1].properties.isAlphabetic && !TitleVocabulary.isUnspaced(scalars[index - 1])
      if isInWord, inside.utf8.count <= Self.insideWordMax {
        kept += scalars[index...end]
      } else if takes(inside, isAlone: index == 0 && end == scalars.count - 1)
        || index == 0 && isLabel(inside, before: scalars[(end + 1)...], open: scalars[0])
      {
        remove(Self.text(scalars[index...end]))
        if yearAt == nil, year != nil { yearAt = kept.count }
        kept.append(" ")
      } else {
        kept += scalars[index...end]
      }
      index = end + 1
    }
    if let yearAt { takeMarks(behind: yearAt, of: &kept) }
    film = Self.text(kept[...]).trimmedText
  }

  private static let insideWordMax = 4

  private mutating func takes(_ inside: String, isAlone: Bool) -> Bool {
    if isAlone { return false }
    if inside.utf8.count == 4, inside.utf8.allSatisfy(isDigitByte), let year = Int(inside), (1890...2090).contains(year)
    {
      self.year = year
      return true
    }
    if TitleVocabulary.isCertificate(inside) {
      certificate = certificate ?? inside
      return true
    }
    if takesState(inside) || TitleVocabulary.isLanguage(inside) { return true }
    if takesList(inside) { return true }
    let marks = TitleMarks(inside)
    guard marks.isAll || marks.isLed || (marks.isStrong && inside.utf8.count < 80) else { return false }
    if marks.attributes.isEmpty, !marks.isAll { return false }
    attributes.formUnion(marks.attributes)
    return true
  }

  /// `(4K, subtitled, PG)`: what says how it is shown is taken, and with it what else stands there.
  private mutating func takesList(_ inside: String) -> Bool {
    let parts = inside.unicodeScalars.split { Self.isListJoint($0) }.map { String(Substring($0)).trimmedText }
    guard parts.count > 1, inside.utf8.count < 80 else { return false }
    let marks = parts.map { TitleMarks($0) }
    guard marks.contains(where: { $0.isAll && !$0.attributes.isEmpty }) else { return false }
    for (part, marks) in zip(parts, marks) {
      if marks.isAll || marks.isStrong { attributes.formUnion(marks.attributes) }
      if TitleVocabulary.isCertificate(part) { certificate = certificate ?? part }
      if part.utf8.count == 4, let number = Int(part), (1890...2090).contains(number) { year = number }
    }
    return true
  }

  private static func isListJoint(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ",", "/", "／", "、", "，", "・", "|", "·": true
    default: false
    }
  }

  /// `[수요단편극장] …`, `【特集】…`: square brackets before a name are never part of it.
  private mutating func isLabel(
    _ inside: String, before rest: ArraySlice<Unicode.Scalar>, open: Unicode.Scalar
  ) -> Bool {
    guard [0x5B, 0xFF3B, 0x3010].contains(open.value), inside.unicodeScalars.count > 1,
      rest.count(where: \.properties.isAlphabetic) > 1 || rest.contains(where: TitleVocabulary.isUnspaced)
    else { return false }
    attributes.formUnion(TitleMarks(inside).attributes)
    return true
  }

  /// Whether a part of the title is what became of the screening, and nothing else.
  private mutating func takesState(_ part: String) -> Bool {
    switch TitleVocabulary.state(of: part) {
    case .soldOut?: isSoldOut = true
    case .cancelled?: isCancelled = true
    case nil: return false
    }
    return true
  }

  /// `字幕 …`, `Eng Sub …`: a version before the name, without a mark between them.
  private mutating func takeLeadingVersion() {
    for version in Self.leadingVersions where film.lowercased().hasPrefix(version) {
      let rest = String(film.dropFirst(version.count)).trimmedText
      guard rest.hasLetters else { continue }
      attributes.formUnion(TitleMarks(version.trimmedText).attributes)
      remove(film.prefix(version.count))
      film = rest
      return
    }
  }

  private static let leadingVersions = [
    "字幕 ", "吹替 ", "字幕版 ", "吹替版 ", "자막 ", "더빙 ", "eng sub ", "eng subs ", "en subs ",
  ]

  /// `Relaxed Screening: …`, `Members' Preview – …`, `Sensory Screening- …`, `A24 presents: …`
  private mutating func takePrefix() {
    for separator in [": ", "：", " – ", " - ", " — ", " | ", "- ", "! "] {
      guard let range = film.firstPlace(of: separator) else { continue }
      let head = String(film[..<range.lowerBound])
      let rest = String(film[range.upperBound...])
      guard !rest.trimmedText.isEmpty, head.utf8.count <= 60 else { continue }
      if takesState(head) {
        remove(head)
        film = rest.trimmedText
        return
      }
      let marks = TitleMarks(head)
      let isPresenter = head.lowercased().hasSuffix(" presents") || head.lowercased().hasSuffix(" present")
      guard marks.isAll && (!marks.attributes.isEmpty || marks.isStrand) || isPresenter else { continue }
      attributes.formUnion(marks.attributes)
      remove(head)
      film = rest.trimmedText
      return
    }
  }

  /// `… w. Kim Hana, critic`, `… w/ the director`
  private mutating func takeGuest() {
    for joint in [" w/ ", " w. "] {
      guard let range = film.lastPlace(of: joint), range.lowerBound > film.startIndex else { continue }
      attributes.formUnion(TitleMarks(String(film[range.upperBound...])).attributes)
      remove(film[range.lowerBound...])
      film = String(film[..<range.lowerBound]).trimmedText
    }
  }

  private static let separators = [
    " + ", " & ", " – ", " - ", " — ", " | ", " / ", " with ", " on ", " in ", ", ", "＋", ": ", "+ ", " plus ", " mit ",
    " avec ", " con ", " met ", "／", "_", " ★", " ※",
  ]

  /// What may be followed by an occasion with a name before it.
  private static let occasionJoints: Set<String> = [" + ", " - ", " – ", " — ", " | ", "＋", " ★", " ※", " with "]

  /// `… + Q&A with the director`, `… – 4K Restoration`, `… on 35mm`, the last first.
  private mutating func takeSuffixes() {
    for _ in 0..<4 {
      var cut: (range: Range<String.Index>, marks: TitleMarks)?
      for separator in Self.separators {
        // Each separator in turn, so that "on stage" does not hide " + Q&A".
        guard let range = Self.lastRange(of: separator, in: film), range.lowerBound > film.startIndex else { continue }
        let tail = String(film[range.upperBound...])
        if takesState(tail) {
          remove(film[range.lowerBound...])
          film = String(film[..<range.lowerBound]).trimmedText
          cut = nil
          continue
        }
        let marks = TitleMarks(tail)
        guard !marks.attributes.isEmpty || marks.isStrand || marks.hasMark else { continue }
        // "Sorry, Baby"
        if separator == ", ", Self.isPartOfName(behindComma: tail) { continue }
        if separator == " & ", film.holds(", ") { continue }
        // " - 이동진의 라이브톡", " with Charlotte Wells Q&A"
        let isBesides = separator == " + " && marks.beginsWithMark
        let saysOccasion =
          Self.occasionJoints.contains(separator) && marks.isStrong && tail.utf8.count < Self.occasionBytesMax
          && (separator != " with " || Self.namesGuest(tail))
        guard marks.isAll || (marks.isLed && separator != " in ") || saysOccasion || isBesides else { continue }
        if cut.map({ range.lowerBound < $0.range.lowerBound }) ?? true { cut = (range, marks) }
      }
      guard let cut else { return }
      attributes.formUnion(cut.marks.attributes)
      remove(film[cut.range.lowerBound...])
      film = String(film[..<cut.range.lowerBound]).trimmedText
    }
  }

  /// "with Charlotte Wells Q&A", and neither "with a Movie Camera + Q&A" nor "with the Vampire Q&A": there the words behind
  /// "with" are the film's, and its occasion stands behind a joint of its own.
  private static func namesGuest(_ tail: String) -> Bool {
    guard let first = tail.unicodeScalars.split(whereSeparator: \.isBlank).first,
      !articles.contains(String(Substring(first)).lowercased())
    else { return false }
    return ![" + ", " – ", " - ", " — ", " | ", "＋", ": "].contains { tail.holds($0) }
  }

  private static let articles: Set<String> = ["the", "a", "an"]

  private static func lastRange(of separator: String, in text: String) -> Range<String.Index>? {
    text.lastPlace(of: separator)
  }

  /// An occasion and who comes; more is a sentence.
  private static let occasionBytesMax = 80

  /// `… introduced by …`: an occasion of several words, and who.
  private mutating func takeBareOccasion() {
    let words = film.unicodeScalars.split(whereSeparator: \.isBlank).map { String(Substring($0)) }
    // Only the end of a long line can be one.
    var (length, from) = (0, words.count)
    while from > 1, length + words[from - 1].utf8.count < Self.occasionBytesMax {
      from -= 1
      length += words[from].utf8.count + 1
    }
    let place = (from..<words.count).first { index in
      let tokens = TitleVocabulary.tokens(of: words[index...].joined(separator: " "))
      guard let first = tokens.first?.unicodeScalars.first, !TitleVocabulary.isUnspaced(first),
        let match = TitleVocabulary.match(tokens, at: 0), case .occasion = match.meaning
      else { return false }
      return match.length > 1 || tokens[0] == "gv" || tokens[0] == "q&a"
    }
    guard let place else { return }
    let tail = words[place...].joined(separator: " ")
    attributes.formUnion(TitleMarks(tail).attributes)
    remove(tail)
    // "Silt followed by Q&A"
    let kept = words[..<place].reversed().drop { Self.besides.contains($0.lowercased()) }.reversed()
    if !kept.isEmpty { film = kept.joined(separator: " ") }
  }

  /// What leads from a name to an occasion.
  private static let besides: Set<String> = [
    "and", "with", "followed", "by", "plus", "&", "+", "virtual", "und", "mit", "et", "avec", "y", "con", "e", "met",
    "en",
  ]

  /// `… 4K`, `… OmU`, `… 字幕版`, `… 4K 리마스터링`: words at the end that are never a name's.
  private mutating func takeBareSuffix() {
    takeBareAge()
    let words = film.unicodeScalars.split(whereSeparator: \.isBlank)
    guard !words.isEmpty else { return }
    var count = beforeVersion(words)
    while count > 1 {
      // "VO ou VF"
      let joint = count > 2 && count < words.count && Self.versionJoints.contains(String(Substring(words[count - 1])))
      guard TitleVocabulary.isBareMark(String(Substring(words[joint ? count - 2 : count - 1]))) else { break }
      count -= joint ? 2 : 1
    }
    if count < words.count {
      let tail = words[count...].map { String(Substring($0)) }.joined(separator: " ")
      attributes.formUnion(TitleMarks(tail).attributes)
      remove(tail)
      film = words[..<count].map { String(Substring($0)) }.joined(separator: " ")
    }
    if let length = TitleMarks.unspacedTail(of: film) {
      let scalars = Array(film.unicodeScalars)
      let tail = Self.text(scalars[(scalars.count - length)...])
      attributes.formUnion(TitleMarks(tail).attributes)
      remove(tail)
      film = Self.text(scalars[..<(scalars.count - length)]).trimmedText
    }
  }

  /// Up to where "version française" and "original version" stand at the end, which are never a name's.
  private func beforeVersion(_ words: [Substring.UnicodeScalarView]) -> Int {
    for count in (2...Self.versionWordsMax).reversed() where words.count > count {
      let tail = words.suffix(count).map { String(Substring($0)) }
      guard !Self.versionJoints.contains(tail[0]), tail.contains(where: { Self.versionWords.contains($0.foldedKey) })
      else { continue }
      let marks = TitleMarks(tail.joined(separator: " "))
      if marks.isAll, !marks.attributes.isDisjoint(with: [.dubbed, .originalVersion, .subtitled]) {
        return words.count - count
      }
    }
    return words.count
  }

  private static let versionWordsMax = 4
  private static let versionWords: Set<String> = [
    "version", "versione", "versie", "versao", "fassung", "originalversion", "originalfassung",
    "sub", "subs", "subtitles", "subtitled", "untertitel", "ondertiteld",
  ]
  private static let versionJoints: Set<String> = [
    "ou", "et", "or", "and", "oder", "und", "o", "e", "y", "–", "/", "+",
  ]

  /// `… PG-13`, `… FSK 12`, `… ab 6 J.`: from what age on, where its letters say that the number is one.
  private mutating func takeBareAge() {
    let words = film.unicodeScalars.split(whereSeparator: \.isBlank).map { String(Substring($0)) }
    for count in (1...Self.ageWordsMax).reversed() where words.count > count {
      let tail = words.suffix(count).joined(separator: " ")
      guard TitleVocabulary.isBareAge(tail) else { continue }
      certificate = certificate ?? tail
      remove(tail)
      film = words.dropLast(count).joined(separator: " ")
      return
    }
  }

  /// "freigegeben ab 12 Jahren"
  private static let ageWordsMax = 4

  static let quotes: [UInt32: UInt32] = [
    0x300E: 0x300F, 0x300C: 0x300D, 0x300A: 0x300B, 0x3008: 0x3009, 0x201C: 0x201D, 0x2018: 0x2019, 0x22: 0x22,
    0xAB: 0xBB,
    0x3C: 0x3E, 0x201E: 0x201C,
  ]

  /// 『…』 around the whole name.
  private mutating func takeQuotes() {
    guard let first = film.unicodeScalars.first, Self.quotes[first.value] != nil else { return }
    let scalars = Array(film.unicodeScalars)
    guard scalars.count > 2, let close = Self.quotes[scalars[0].value], scalars.last?.value == close,
      !scalars[1..<(scalars.count - 1)].contains(where: { $0.value == close })
    else { return }
    film = Self.text(scalars[1..<(scalars.count - 1)]).trimmedText
  }

  /// One word as names are written, with or without an article.
  static func isWord(_ text: String) -> Bool {
    var words = text.unicodeScalars.split(whereSeparator: \.isBlank)
    if words.count > 1, articles.contains(String(Substring(words[0])).lowercased()) { words.removeFirst() }
    guard words.count == 1, words[0].allSatisfy(\.properties.isAlphabetic), let first = words[0].first else {
      return false
    }
    return !TitleVocabulary.isUnspaced(first) && first.properties.isUppercase
      && words[0].dropFirst().contains(where: \.properties.isLowercase)
      && !noNames.contains(String(Substring(words[0])).lowercased())
  }

  private static let noNames: Set<String> = ["preview", "premiere", "dolby", "atmos", "omu", "ov"]

  private static func isJoint(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x2D, 0x2013, 0x2014, 0x7C, 0x2B, 0x2C, 0x3A, 0x2F, 0x3000, 0xB7, 0x2022, 0x7E, 0xFF0B: true
    default: false
    }
  }

  private static func trimmed(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, isJoint(first) || isJoint(last)
    else { return text }
    let scalars = Array(text.unicodeScalars)
    var start = 0
    var end = scalars.count
    // "+Sons"
    while start < end, isJoint(scalars[start]),
      scalars[start] != "+" || start + 1 == end || !scalars[start + 1].properties.isAlphabetic
    { start += 1 }
    while end > start, isJoint(scalars[end - 1]) { end -= 1 }
    return Self.text(scalars[start..<end])
  }
}

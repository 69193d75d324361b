import Contracts
import Drafts
import Extraction
import TextSearch

/// The words of a printed title, and where in it a film's name may stand.
///
///     Kurosawa Season: High and Low (Tengoku to jigoku)      High and Low, behind a label and before brackets
///     Pickpocket de Robert Bresson                           Pickpocket, if Robert Bresson made it
///     Blade Runner 2049                                      not Blade Runner: nothing says what 2049 is
///
/// A name is found in a longer text only where everything around it is understood: what says how a film is shown, who
/// made it, another of its titles, a label before a colon, what stands in brackets.
nonisolated struct PrintedReading {
  /// A row of words that may be a name.
  struct Run: Hashable {
    let words: Range<Int>
    /// As names are compared.
    let key: String
  }

  /// How well the text around a name is understood.
  enum Rest: Comparable {
    /// It is set off from the name, and says nothing that is known.
    case setOff
    /// It stands where labels and additions stand: before a colon, in brackets.
    case labelled
    /// Every word of it says how the film is shown, who made it, or what else it is called.
    case known
  }

  private let bytes: [UInt8]
  private let folded: FoldedText
  private let words: [PrintedWord]
  /// Opera and theatre have names of films.
  private let isLive: Bool

  /// Longer texts are no titles; the rest is not looked at.
  private static let unitsMax = 200
  private static let wordsMax = 32
  /// Of the longest names that are found inside of a text.
  private static let runWords = 12

  init(_ printed: String) {
    bytes = Array(printed.utf8)
    folded = FoldedText(printed, unitsMax: Self.unitsMax)
    words = PrintedWord.all(of: folded, in: bytes, atMost: Self.wordsMax)
    isLive = PrintedTitle(printed).attributes.contains(.live)
  }

  /// Every row of words between one pair of brackets or outside of all.
  var runs: [Run] {
    words.indices.flatMap { first in
      (first..<min(first + Self.runWords, words.count)).compactMap { last in
        let range = first..<(last + 1)
        return words[first].group == words[last].group ? Run(words: range, key: key(range)) : nil
      }
    }
  }

  func text(_ run: Run) -> String { text(run.words) }

  /// The year that brackets tell, if they tell one.
  var year: Int? {
    let years = Set(words.filter { $0.group > 0 }.compactMap { Self.year(text($0)) })
    return years.count == 1 ? years.first : nil
  }

  private func key(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    for unit in units(range) { if let scalar = Unicode.Scalar(unit) { view.append(scalar) } }
    return String(view)
  }

  private func units(_ range: Range<Int>) -> ArraySlice<UInt32> {
    folded.units[words[range.lowerBound].units.lowerBound..<words[range.upperBound - 1].units.upperBound]
  }

  private func text(_ range: Range<Int>) -> String {
    let place = words[range.lowerBound].place.lowerBound..<words[range.upperBound - 1].place.upperBound
    return String(decoding: bytes[place], as: UTF8.self)
  }

  private func text(_ word: PrintedWord) -> String { String(decoding: bytes[word.place], as: UTF8.self) }

  /// `1960`, `2011年`
  private static func year(_ word: String) -> Int? {
    let digits = word.utf8.prefix { (48...57).contains($0) }
    guard digits.count == 4, ["", "年", "년"].contains(String(word.utf8.dropFirst(4))),
      let year = Int(String(decoding: digits, as: UTF8.self)), Film.years.contains(year)
    else { return nil }
    return year
  }
}

// MARK: What stands around a name

nonisolated extension PrintedReading {
  /// A part of the text outside of the name.
  private struct Piece {
    let words: Range<Int>
    let isBefore: Bool
    let isEnclosed: Bool
    /// Between it and what is nearer to the name.
    let joint: PrintedWord.Joint
  }

  /// How well what stands around a name of this film is understood; nil if the row of words is only a part of something
  /// else.
  ///
  /// - Parameter isName: whether a text, folded, is some film's name.
  func rest(around run: Run, of film: Film, isName: (String) -> Bool) -> Rest? {
    // "Introduction", "House": words of a programme, unless nothing else is printed.
    guard run.words.count == words.count || PrintedTitle.telling(of: text(run)) != .all else { return nil }
    var rest = Rest.known
    for piece in pieces(around: run) {
      guard let understood = understanding(piece, run, film, isName: isName) else { return nil }
      rest = min(rest, understood)
    }
    return rest
  }

  private func pieces(around run: Run) -> [Piece] {
    pieces(of: 0..<run.words.lowerBound, isBefore: true, run)
      + pieces(of: run.words.upperBound..<words.count, isBefore: false, run)
  }

  private func pieces(of side: Range<Int>, isBefore: Bool, _ run: Run) -> [Piece] {
    let starts = side.filter { index in
      index == side.lowerBound || words[index].joint != .none || words[index].group != words[index - 1].group
    }
    return starts.indices.map { place in
      let range = starts[place]..<(place + 1 < starts.count ? starts[place + 1] : side.upperBound)
      return Piece(
        words: range, isBefore: isBefore,
        isEnclosed: words[range.lowerBound].group != words[run.words.lowerBound].group,
        joint: words[isBefore ? range.upperBound : range.lowerBound].joint)
    }
  }

  private func understanding(_ piece: Piece, _ run: Run, _ film: Film, isName: (String) -> Bool) -> Rest? {
    let telling = PrintedTitle.telling(of: text(piece.words))
    let key = key(piece.words)
    let isApart = piece.isEnclosed || piece.joint != .none
    if telling == .all, isApart || isDistinct(run) || isSurelyMark(piece) { return .known }
    if isOtherTitle(piece, key, run, film) || saysOnlyMaker(of: film, piece.words) { return .known }
    if saysYear(of: film, piece) { return .known }
    if isLive { return isApart ? .setOff : nil }
    if telling == .series, piece.isBefore || isApart { return .known }
    // 『…』 sets the name off from whatever is said of it.
    if isQuoted(run) { return .labelled }
    if piece.isEnclosed { return isAddition(key, to: run, isName) ? .labelled : .setOff }
    switch piece.joint {
    case .none:
      let isLabel = piece.isBefore ? announces(piece) : saysGuest(piece)
      return isLabel && isDistinct(run) ? .labelled : nil
    case .bar: return isDistinct(run) || telling != .nothing ? .labelled : .setOff
    case .colon where !piece.isBefore: return .setOff
    case .colon, .dash:
      if telling != .nothing { return .known }
      let isLabel = piece.isBefore ? isDistinct(run, after: piece) && !isName(key) : saysGuest(piece)
      return isLabel ? .labelled : .setOff
    }
  }

  /// "Ran 4K" and "OmU Ran", but "Baby Boy" is no Boy for babies.
  private func isSurelyMark(_ piece: Piece) -> Bool {
    let text = text(piece.words)
    return piece.words.count > 1 || PrintedTitle("X \(text)").film == "X"
  }

  /// "AKIRA アキラ", "… aka The Bicycle Thief"
  private func isOtherTitle(_ piece: Piece, _ key: String, _ run: Run, _ film: Film) -> Bool {
    key != run.key && film.searchedTitles.contains { FoldedText($0).text == key }
      || !piece.isBefore && Self.alsoKnown.contains { self.key(piece.words.prefix($0.words)) == $0.key }
  }

  /// In brackets behind the name, but for "(2)", which tells another film; or around the name itself.
  private func isAddition(_ key: String, to run: Run, _ isName: (String) -> Bool) -> Bool {
    guard words[run.words.lowerBound].group == 0 else { return isDistinct(run) && !isName(key) }
    return !key.utf8.allSatisfy { (48...57).contains($0) } || Self.year(key) != nil
  }

  /// "- 이동진 평론가", "with 이창동 감독"
  private func saysGuest(_ piece: Piece) -> Bool {
    (piece.joint == .dash || Self.together.contains(key(piece.words.prefix(1))))
      && Self.roles.contains(where: text(piece.words).hasSuffix)
  }

  /// Whether it is all that stands between its quotation marks.
  private func isQuoted(_ run: Run) -> Bool {
    let first = words[run.words.lowerBound]
    return first.isQuoted && words.indices.allSatisfy { words[$0].group != first.group || run.words.contains($0) }
  }

  /// Long enough that nothing is continued so by accident: "Babes in Arms: Petite Maman", "Kino für Kleine: Ponyo", not
  /// "Mission: Ring".
  private func isDistinct(_ run: Run, after label: Piece? = nil) -> Bool {
    let units = units(run.words)
    let latin = label.map { $0.words.count > 1 } == true ? 4 : 7
    return run.words.count > 1 || units.count >= (units.allSatisfy { $0 < 0x250 } ? latin : 2)
  }

  /// "Film Club presents … ", "심야 …"
  private func announces(_ piece: Piece) -> Bool { Self.announcing.contains(key(piece.words.suffix(1))) }

  /// Whether a part says who made the film, perhaps when and where, and nothing else.
  private func saysOnlyMaker(of film: Film, _ range: Range<Int>) -> Bool {
    let makers = Set((film.directors ?? []).flatMap(Self.nameWords))
    let said = range.map { (key: nameWord($0), text: text(words[$0])) }
    return said.contains { makers.contains($0.key) }
      && said.allSatisfy { word in
        makers.contains(word.key) || Self.connectives.contains(word.key) || Self.year(word.text) != nil
          || CountryName.code(of: word.text) != nil
      }
  }

  /// "괴물 2023", not "Blade Runner 2049".
  private func saysYear(of film: Film, _ piece: Piece) -> Bool {
    guard !piece.isBefore, piece.words.count == 1, let year = Self.year(text(piece.words)) else { return false }
    return film.year.map { abs($0 - year) <= 1 } ?? false
  }

  /// Whether somebody who made the film is named outside of its name.
  func saysMaker(of film: Film, outside run: Run) -> Bool {
    let said = Set(words.indices.filter { !run.words.contains($0) }.map(nameWord))
    return (film.directors ?? []).contains { director in
      let name = Self.nameWords(director)
      return !name.isEmpty && said.isSuperset(of: name)
    }
  }

  private static func nameWords(_ name: String) -> [String] {
    name.split { $0 == " " || $0 == "," || $0 == "-" }.map { FoldedText($0).text }
  }

  /// A word of a name: "d'Éric" and "Éric's" are of Éric.
  private func nameWord(_ index: Int) -> String {
    let text = text(words[index]).lowercased()
    for elided in ["d'", "d’"] where text.hasPrefix(elided) { return FoldedText(text.dropFirst(2)).text }
    for owning in ["'s", "’s"] where text.hasSuffix(owning) { return FoldedText(text.dropLast(2)).text }
    return key(index..<(index + 1))
  }

  private static let alsoKnown = [(words: 1, key: "aka"), (words: 1, key: "alias"), (words: 3, key: "alsoknownas")]

  private static let announcing: Set<String> = [
    "presents", "present", "presente", "presentent", "prasentiert", "presenta", "presentano", "심야", "조조",
  ]

  private static let together: Set<String> = ["with", "w", "avec", "mit", "con"]

  /// What guests are called behind their names.
  private static let roles = ["평론가", "감독", "배우", "기자", "교수", "작가", "監督", "氏", "さん"]

  /// What stands between a film and its maker, or between the maker and the year.
  private static let connectives: Set<String> = [
    "a", "avec", "brd", "by", "con", "d", "ddr", "de", "di", "dir", "directed", "director", "ein", "film", "from",
    "mit",
    "of", "par", "r", "regia", "regie", "s", "un", "une", "von", "with",
  ]
}

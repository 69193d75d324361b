import Calendars
import HTML

/// A heading's own words: without the badges, the certificate and the facts that stand in the same element.
struct HeadingText {
  let tree: PageTree

  func isOne(_ place: Int) -> Bool {
    let node = tree[place]
    return switch node.tag {
    case "h1", "h2", "h3", "h4", "h5", "h6": true
    // The link that is all of a heading.
    case "a" where node.parent >= 0 && Self.headings.contains(tree[node.parent].tag):
      place == node.parent + 1 && node.end == tree[node.parent].end && tree.children(place).count > 1
    default:
      node.length <= 160 && !node.words.allSatisfy { !PageWords.title.contains($0) } && node.words.count <= 6
        && (place + 1..<node.end).allSatisfy { tree.isInline($0) }
    }
  }

  /// A heading's words without the badges in it: "15" before a title, "NEW" behind it.
  func text(of place: Int) -> String {
    // Beside what has no words: a picture of the certificate.
    if let only = tree.children(place).first(where: { tree[$0].length > 0 }), !tree[only].isText,
      tree[only].length >= tree[place].length - 2, tree.children(only).count > 1, tree.isInline(only)
    {
      return text(of: only)
    }
    let whole = tree.text(place)
    if tree[place].length > Self.linesMin, let line = firstLine(of: place) { return line }
    let children = tree.children(place)
    guard children.count > 1 else { return whole }
    if let film = filmAndHouse(in: place)?.film ?? linkBeforeName(children) ?? beforeMaker(children) {
      return tree.text(film)
    }
    if isTitleAndTranslation(children), let title = children.first(where: { !tree[$0].isText }) {
      return tree.text(title)
    }
    let kept = children.filter { child in
      guard !tree[child].isText else { return true }
      // What stands beside a title in a part that is called one: "Silt <span class=info>Poland 2026, 98 min</span>".
      if child != children[0], tree[child].words.contains(where: Self.facts.contains) { return false }
      if isGlued(child) { return false }
      // "<span>Silt</span> <span class=method>2D</span>"
      if child != children[0], tree[child].length <= Self.factsMax,
        tree[child].words.contains(where: Self.methods.contains), PageWords.isFormat(tree.text(child))
      {
        return false
      }
      // "Silt <small>VOSE</small>"
      if child != children[0], isVersion(child) { return false }
      // "Silt<sup> 2D</sup><sup> dubbing</sup>"
      if child != children[0], tree[child].tag == "sup", tree.text(child).hasLetters { return false }
      // `<a>Silt</a> <span><small>Rating pending</small></span>`
      if child != children[0], tree[children[0]].tag == "a", isSmallPrint(child) { return false }
      // "Cinema Astra <small>Via Roma 12</small>", "<a>초록극장</a> <span>(02) 555-0134</span>"
      if child != children[0], isPlace(child), CinemaWords.isName(tree.text(children[0])) { return false }
      guard tree[child].length <= Self.factsMax else { return true }
      let text = tree.text(child)
      if child != children[0], PageWords.tellsLength(text) { return false }
      // "Silt <span>– SOLD OUT – see 26 Nov</span>"
      if child != children[0], Self.tellsSeats(text) { return false }
      guard tree[child].length <= 24 else { return true }
      return !tree[child].words.contains { Self.badges.contains($0) }
        && !(TitleVocabulary.isCertificate(text) && (tree[child].tag == "a" || !Self.isBracketed(text)))
    }
    guard kept.count < children.count, !kept.isEmpty else { return whole }
    if kept.count == 1, !tree[kept[0]].isText, tree.children(kept[0]).count > 1 { return text(of: kept[0]) }
    let text = kept.map(tree.text).joined(separator: " ").trimmedText
    return text.isEmpty ? whole : text
  }

  /// "Silt<br>Sneak preview, with a talk by …": of a heading too long for a title what stands in its first line.
  private func firstLine(of place: Int) -> String? {
    var at = place
    while let only = tree.children(at).first(where: { tree[$0].length > 0 }), !tree[only].isText,
      tree[only].length >= tree[at].length - 2, tree.children(only).count > 0
    {
      at = only
    }
    let children = tree.children(at)
    guard let end = children.firstIndex(where: { tree[$0].tag == "br" }), end > 0 else { return nil }
    let line = children[..<end].map(tree.text).joined(separator: " ").trimmedText
    return line.hasLetters && line.utf8.count <= Self.lineMax ? line : nil
  }

  /// Longer than titles are, and than their first lines.
  private static let linesMin = 110
  private static let lineMax = 80

  /// "Silt <span>(12A)</span>" is printed so: the bracket is a part of it.
  private static func isBracketed(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "(") }

  /// `<a>Silt</a> – <a class=cinema>Moss Palace</a>`: two links with nothing but a stroke between them, of which one is a
  /// house's.
  func filmAndHouse(in place: Int) -> (film: Int, house: Int)? {
    let children = tree.children(place)
    guard (2...Self.linkedMax).contains(children.count) else { return nil }
    var links: [Int] = []
    for child in children {
      if tree[child].isText {
        guard Self.strokes.contains(tree.text(child).trimmedText.lowercased()) else { return nil }
      } else {
        guard tree[child].tag == "a", tree[child].node["href"]?.isEmpty == false else { return nil }
        links.append(child)
      }
    }
    guard links.count == 2, tree[links[0]].node["href"] != tree[links[1]].node["href"] else { return nil }
    switch (isHouse(links[0]), isHouse(links[1])) {
    case (false, true): return (links[0], links[1])
    case (true, false): return (links[1], links[0])
    default: return nil
    }
  }

  /// `<b>長夜</b><i>Long Night</i>`: what is marked in two ways, and nothing else, is a title and what it means.
  func isTitleAndTranslation(_ all: [Int]) -> Bool {
    let children = all.filter { !tree[$0].isText || !tree.text($0).trimmedText.isEmpty }
    guard children.count == 2, ["b", "strong"].contains(tree[children[0]].tag),
      ["i", "em", "cite"].contains(tree[children[1]].tag)
    else { return false }
    return children.allSatisfy { tree.text($0).unicodeScalars.count(where: \.properties.isAlphabetic) >= 2 }
  }

  /// `<span>Silt</span> <span>Ana Berg</span> <span>2025</span>`: who made it and when stand behind.
  private func beforeMaker(_ children: [Int]) -> Int? {
    let parts = children.filter { !tree[$0].isText || tree[$0].length > 1 }
    guard parts.count >= 3, parts.allSatisfy({ !tree[$0].isText }), tree.text(parts[0]).hasLetters,
      case let year = tree.text(parts[2]).trimmedText, year.utf8.count == 4, let number = Int(year),
      Self.years.contains(number), tree.text(parts[1]).split(separator: " ").count >= 2
    else { return nil }
    return parts[0]
  }

  private static let methods: Set<String> = ["method", "format", "version", "tech", "technology", "presentation"]
  private static let years = 1890...2100

  /// `<a>Silt</a> Ana Berg`: the link is the film's, and who made it stands behind.
  private func linkBeforeName(_ children: [Int]) -> Int? {
    guard children.count == 2, tree[children[0]].tag == "a", tree[children[0]].node["href"]?.isEmpty == false,
      tree[children[1]].isText, tree.text(children[0]).hasLetters
    else { return nil }
    let name = tree.text(children[1]).trimmedText
    let words = name.unicodeScalars.split(whereSeparator: \.isBlank)
    guard (2...Self.nameWordsMax).contains(words.count), TitleMarks(name).attributes.isEmpty,
      !PrintedTitle(name).isOnlyMarks, !PageWords.isLabel(name)
    else { return nil }
    let isName = words.allSatisfy { word in
      word.first.map { $0.properties.isUppercase } ?? false
        && !Self.wordsOfTitles.contains(String(Substring(word)).lowercased())
        && word.allSatisfy { $0.properties.isAlphabetic || "-'’.".unicodeScalars.contains($0) }
    }
    return isName ? children[0] : nil
  }

  private static let nameWordsMax = 4
  /// "Star Wars Episode IV", "Dune Part Two": of no name, and numbers as kings have them.
  private static let wordsOfTitles: Set<String> = [
    "the", "a", "and", "of", "part", "episode", "chapter", "volume", "vol", "teil", "kapitel", "partie", "parte",
    "live", "special", "edition", "version", "cut", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "one",
    "two", "three",
  ]

  /// Where a house is, or its telephone.
  private func isPlace(_ place: Int) -> Bool {
    if tree[place].tag == "small" { return true }
    let text = tree.text(place).trimmedText
    return VenueLines.isAddress(text) || ListedHouses.isTelephone(text) || Self.isEasternAddress(text)
  }

  /// "台北市萬華區成都路88號", "서울시 종로구 돈화문로 13"
  private static func isEasternAddress(_ text: String) -> Bool {
    text.utf8.count <= addressBytesMax && text.utf8.contains(where: isDigitByte)
      && easternPlaces.count { text.holds($0) } >= 2
  }

  private static let addressBytesMax = 160
  private static let easternPlaces = ["市", "區", "区", "縣", "県", "路", "街", "號", "号", "丁目", "시 ", "구 ", "로 ", "길 "]

  /// An element that only says in which version a film is shown, without brackets: those are printed with the title.
  private func isVersion(_ place: Int) -> Bool {
    guard tree[place].length <= Self.versionMax, Self.versionTags.contains(tree[place].tag) else { return false }
    let text = tree.text(place).trimmedText
    return text.hasLetters && !Self.isBracketed(text) && PrintedTitle(text).isOnlyMarks
  }

  private static let versionTags: Set<String> = ["small", "span", "em", "i", "b", "strong", "abbr"]
  private static let versionMax = 24

  /// An element of which all text is `small`.
  private func isSmallPrint(_ place: Int) -> Bool {
    guard tree[place].length <= Self.factsMax, !tree[place].isText, tree[place].tag != "a" else { return false }
    let texts = (place..<tree[place].end).filter { tree[$0].isText && !tree.text($0).trimmedText.isEmpty }
    return !texts.isEmpty
      && texts.allSatisfy { text in
        var above = tree[text].parent
        while above >= place {
          if tree[above].tag == "small" { return true }
          above = tree[above].parent
        }
        return false
      }
  }

  private func isHouse(_ link: Int) -> Bool {
    tree[link].words.contains(where: PageWords.venue.contains) || CinemaWords.isName(tree.text(link))
  }

  /// Two links, and what may stand before, between and behind them.
  private static let linkedMax = 5
  private static let strokes: Set<String> = [
    "", "-", "–", "—", "|", "·", "•", ",", ":", "/", "@", "at", "im", "in", "au", "à", "en", "al", "bij", "w", "v",
  ]

  /// "The Dry Year<span class=vs>Egyptian Theatre</span>": words without a blank between them are two texts.
  func isGlued(_ child: Int) -> Bool {
    guard child > 0, tree[child].isText == false, !tree[child].words.isEmpty, tree[child - 1].isText,
      standsBeside(child - 1, child),
      let before = tree[child - 1].node.rawText.unicodeScalars.last, let first = tree.text(child).unicodeScalars.first
    else { return false }
    // "重生日<span class=eng>Rebirth</span>": what it means, in other letters.
    return
      (before.properties.isLowercase || ("0"..."9").contains(before) || before == ")"
      || TitleVocabulary.isUnspaced(before))
      && first.properties.isUppercase
  }

  /// Whether a text is in the part right before another, or is that part.
  private func standsBeside(_ text: Int, _ next: Int) -> Bool {
    let parent = tree[next].parent
    if tree[text].parent == parent { return true }
    // Blanks between two parts are nowhere but in the text of both.
    let part = tree[text].parent
    return part >= 0 && tree[part].parent == parent && tree[parent].length <= PageTree.lengthAsked
      && tree.text(parent).holds(tree.text(part) + tree.text(next))
  }

  private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]

  /// Whether what a text says first is what became of the showing.
  static func tellsSeats(_ text: String) -> Bool {
    let said = text.unicodeScalars.split(whereSeparator: { "–—-:·|".unicodeScalars.contains($0) }).lazy
      .map { String(Substring($0)).trimmedText }.first { !$0.isEmpty }
    return said.map { PrintedMarks($0).seats != nil } ?? false
  }

  static let badges: Set<String> = [
    "grade", "cert", "certificate", "rating", "age", "badge", "label", "tag", "icon", "ico", "fsk", "sr", "visually",
  ]

  static let facts: Set<String> = [
    "info", "infos", "meta", "details", "director", "runtime", "duration", "genre", "country", "credits", "facts",
    "original", "orig", "origtitle", "originaltitle", "translated", "translation",
  ]

  /// "12세이상관람가 | 108분", "Poland 2026, 98 min"
  static let factsMax = 90
}

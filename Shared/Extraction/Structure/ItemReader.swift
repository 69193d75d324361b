import Calendars
import HTML

/// What stands right beside a time: its screen, its link, words about it; and the venue whose part of the page it is in.
struct ItemReader {
  let context: PageContext
  let place: TimePlace
  let titleAtom: Int?
  private var tree: PageTree { context.tree }

  private(set) var screen: String?
  private(set) var venue: String?
  private(set) var notes: [String] = []
  private(set) var link: String?
  private(set) var isSoldOut = false
  private(set) var isCancelled = false

  /// Beside a time stand a few words; beyond them stands the next one.
  private static let itemLengthMax = 240
  private static let reach = 40

  init(context: PageContext, place: TimePlace, titleAtom: Int?) {
    self.context = context
    self.place = place
    self.titleAtom = titleAtom
    readLine()
    readItem()
    readAround()
    if venue == nil { readCard() }
  }

  private mutating func readLine() {
    guard let line = context.atoms[place.atom].line else { return }
    // `<div class="venue">Town Hall | 8:00PM</div>`
    if titleAtom != nil, line.times.count == 1, line.lead.hasLetters, line.lead.utf8.count <= 90,
      hasWord(context.atoms[place.atom].place, PageWords.venue), !PageWords.isLabel(line.lead),
      !ScreenName.isOne(line.lead)
    {
      venue = line.lead
    }
    if venue == nil, titleAtom != nil { venue = Self.placeBehind(line, in: context.atoms[place.atom].text) }
    for part in [line.lead] + (line.tails.indices.contains(place.index) ? [line.tails[place.index]] : line.tails)
    where !part.isEmpty {
      take(part)
      for piece in part.split(whereSeparator: { "|–—,/@()·•".contains($0) }) { take(String(piece).trimmedText) }
    }
  }

  /// "Thursday, June 7, 9 p.m. @ Painter Park"
  private static func placeBehind(_ line: PrintedLine, in text: String) -> String? {
    guard line.times.count == 1, text.utf8.count <= itemLengthMax, let clock = text.lastPlace(of: line.times[0].text)
    else { return nil }
    let rest = String(text[clock.upperBound...]).trimmedText
    guard let sign = ["@ ", "at "].first(where: rest.hasPrefix) else { return nil }
    let name = LineRest.trimmed(String(rest.dropFirst(sign.count)))
    return name.utf8.count <= placeMax && name.unicodeScalars.first?.properties.isUppercase == true
      && !name.utf8.contains(where: isDigitByte) && !PageWords.isLabel(name) && !ScreenName.isOne(name)
      && VenueLines.isPlace(name) ? name : nil
  }

  private static let placeMax = 60

  private mutating func take(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= 120 else { return }
    if let told = PageWords.toldVenue(text) {
      venue = venue ?? told
    } else if ScreenName.isOne(text) {
      screen = screen ?? text
    } else {
      // "cancelled – projector maintenance"
      let said = text.unicodeScalars.split(maxSplits: 1, whereSeparator: { ":–—-,;(!".unicodeScalars.contains($0) })
        .first
      if let said, TitleVocabulary.state(of: String(Substring(said)).trimmedText) == .cancelled { isCancelled = true }
      if TitleVocabulary.saysCancelled(text) { isCancelled = true }
      let marks = TitleMarks(text)
      let printed = PrintedMarks(text)
      if printed.seats == .soldOut { isSoldOut = true }
      if !marks.attributes.isEmpty || !printed.attributes.isEmpty || printed.seats != nil { notes.append(text) }
    }
  }

  /// The part of the page that has this time alone.
  private mutating func readItem() {
    var item = place.path[0]
    let times = context.times(in: item)
    for outer in place.path.dropFirst() {
      guard context.times(in: outer) <= max(times, 1), tree[outer].length <= Self.itemLengthMax else { break }
      item = outer
    }
    for at in place.path {
      guard at >= item else { break }
      let node = tree[at]
      if link == nil, let href = node.node["href"], leadsToPage(href) { link = href }
      // "free-if-cancelled" is a condition.
      if node.words.contains(where: { PageWords.cancelled.contains($0) }), !node.words.contains("if") {
        isCancelled = true
      }
      if node.words.contains(where: { PageWords.soldOut.contains($0) }) || isSold(node.words) { isSoldOut = true }
    }
    if link == nil {
      link = firstLink(in: item)
    }
    for index in context.range(in: item) where index != titleAtom && context.atoms[index].isWords {
      let atom = context.atoms[index]
      take(atom.text)
      if screen == nil, atom.text.utf8.count <= 40, hasWord(atom.place, PageWords.screen),
        !PageWords.isLabel(atom.text), !isCounted(atom.text), !PageWords.tellsLength(atom.text)
      {
        screen = atom.text
      }
      if atom.text.utf8.count <= 90, hasWord(atom.place, PageWords.venue) {
        if let (house, hall) = Self.houseAndHall(atom.text) {
          (venue, screen) = (venue ?? house, screen ?? hall)
        } else if venue == nil, isVenue(atom, item) {
          venue = atom.text
        }
        if screen == nil, ScreenName.isCode(atom.text) { screen = atom.text }
      }
    }
  }

  /// "Larch, Screen 1" in a part that is called a place.
  private static func houseAndHall(_ text: String) -> (house: String, hall: String)? {
    guard let comma = text.lastPlace(of: ", "), case let hall = String(text[comma.upperBound...]).trimmedText,
      ScreenName.isOne(hall), case let house = String(text[..<comma.lowerBound]).trimmedText, house.hasLetters,
      !ScreenName.isOne(house), !VenueLines.isAddress(house), !PageWords.isLabel(house)
    else { return nil }
    return (house, hall)
  }

  private func firstLink(in item: Int) -> String? {
    for at in item..<tree[item].end {
      guard let href = tree[at].node["href"] else { continue }
      if leadsToPage(href) { return href }
    }
    return nil
  }

  private func leadsToPage(_ href: String) -> Bool {
    !["#", "javascript:", "mailto:"].contains(where: href.hasPrefix) && !PageWords.isMap(href)
  }

  private func isSold(_ words: [String]) -> Bool {
    zip(words, words.dropFirst()).contains { $0 == "sold" && $1 == "out" }
  }

  private func hasWord(_ at: Int, _ words: Set<String>) -> Bool {
    tree.path(at).prefix(Self.callingMax).contains { tree[$0].length <= 60 && Self.calls(tree[$0].words, words) }
  }

  /// A text, and what it may be wrapped in below the part that is called something.
  private static let callingMax = 4

  /// "in-theater-movie" is what is shown in a theater, and calls no part of the page one.
  private static func calls(_ own: [String], _ words: Set<String>) -> Bool {
    own.allSatisfy { !PageWords.sorting.contains($0) }
      && own.indices.contains {
        words.contains(own[$0]) && ($0 == 0 || !inside.contains(own[$0 - 1])) && !holdsPlace(own, at: $0)
      }
  }

  /// "ctl00_PlaceHolder_title"
  private static func holdsPlace(_ words: [String], at index: Int) -> Bool {
    words[index] == "place" && words.indices.contains(index + 1) && words[index + 1] == "holder"
  }

  private static let inside: Set<String> = ["in", "im", "au", "en"]

  /// Above: the screen that heads a column or a list, the venue that heads a part of the page.
  private mutating func readAround() {
    var inner: Int?
    for outer in place.path.prefix(20) {
      let grid = context.grid(around: outer, of: place.path[0])
      let range = context.range(in: outer)
      let innerRange = inner.map { context.range(in: $0) } ?? place.atom..<place.atom + 1
      var index = innerRange.lowerBound - 1
      let stop = max(range.lowerBound, index - Self.reach)
      while index >= stop {
        defer { index -= 1 }
        let atom = context.atoms[index]
        guard atom.isWords, atom.text.utf8.count <= 90, index != titleAtom else { continue }
        guard context.isFree(atom.place, in: outer) else { continue }
        if let (table, cell) = grid, let header = context.cell(of: atom.place, in: table),
          !table.speaks(header, of: cell)
        {
          continue
        }
        if screen == nil, ScreenName.isOne(atom.text) { screen = atom.text }
        if venue == nil, context.houses.contains(index) || isVenue(atom, outer) || isPinned(atom) {
          venue = CinemaWords.house(in: atom.text)
        }
        if venue == nil, let name = nameOver(atom) { venue = name }
      }
      if venue == nil, let own = attribute(outer) { venue = own }
      if tree[outer].tag == "tr" {
        fromAbove(outer)
        readColumns(outer)
      }
      inner = outer
    }
  }

  /// Behind the time, in the part of the page that has its title: a venue, if that part tells one and no other.
  private mutating func readCard() {
    guard let titleAtom,
      let card = place.path.first(where: { tree.contains($0, context.atoms[titleAtom].place) }),
      tree[card].tag != "body"
    else { return }
    var names: [String: String] = [:]
    for index in context.range(in: card).prefix(Self.cardMax) where index != titleAtom {
      let atom = context.atoms[index]
      guard atom.isWords, atom.text.utf8.count <= 90 else { continue }
      let name =
        nameOver(atom) ?? PageWords.toldVenue(atom.text)
        ?? (isVenue(atom, card) || isAddressed(atom) || isMapped(atom) || isPinned(atom) ? atom.text : nil)
      if let name { names[name.foldedKey] = name }
    }
    if names.count == 1 { venue = names.values.first }
  }

  /// What a card of one film says, with a week of its times.
  private static let cardMax = 80

  /// "Town Hall" in a part that is called an address; a street has a number.
  private func isAddressed(_ atom: PageAtom) -> Bool {
    hasWord(atom.place, PageWords.address) && !hasWord(atom.place, PageWords.action) && atom.text.hasLetters
      && atom.text.unicodeScalars.first?.properties.isLowercase == false
      && !atom.text.utf8.contains(where: isDigitByte) && !PageWords.isLabel(atom.text)
      && !PageWords.isField(atom.text) && !ScreenName.isOne(atom.text)
  }

  private func isPinned(_ atom: PageAtom) -> Bool {
    atom.text.hasLetters && tree.isPinned(atom.place) && !PageWords.isLabel(atom.text) && !PageWords.tellsMap(atom.text)
      && !VenueLines.isAddress(atom.text) && !ScreenName.isOne(atom.text) && !PageWords.isField(atom.text)
  }

  /// "at the <a href="https://maps.…">Town Hall</a>"
  private func isMapped(_ atom: PageAtom) -> Bool {
    guard tree.path(atom.place).prefix(2).contains(where: { tree[$0].node["href"].map(PageWords.isMap) ?? false })
    else {
      return false
    }
    return atom.text.hasLetters && atom.text.unicodeScalars.first?.properties.isLowercase == false
      && !atom.text.utf8.contains(where: isDigitByte) && !PageWords.isLabel(atom.text) && !PageWords.isField(atom.text)
      && !PageWords.tellsMap(atom.text)
  }

  private mutating func fromAbove(_ row: Int) {
    guard let (table, cell) = context.grid(around: row, of: place.path[0])
    else { return }
    for other in table.above(cell) where context.times(in: other.place) == 0 {
      for index in context.range(in: other.place) {
        let atom = context.atoms[index]
        if screen == nil, atom.isWords, ScreenName.isOne(atom.text) { screen = atom.text }
      }
    }
  }

  private static let columnsMax = 64

  /// Cells of the row whose columns are headed "Venue" or "Screen".
  private mutating func readColumns(_ row: Int) {
    guard let (table, _) = context.grid(around: row, of: place.path[0]), !table.columns.isEmpty else { return }
    for other in tree.children(row).prefix(Self.columnsMax) {
      guard let cell = table.cell(at: other), let column = table.columns[cell.columns.lowerBound],
        tree[other].length <= 90, case let text = tree.text(other), !text.foldedKey.isEmpty, !PageWords.isLabel(text)
      else { continue }
      switch column {
      case .film, .doors, .start, .end: break
      // "小ホール" under "会場" of a house with two.
      case .venue where ScreenName.isHall(text): screen = screen ?? text
      case .venue: venue = venue ?? text
      case .screen: screen = screen ?? text
      }
    }
  }

  private func attribute(_ outer: Int) -> String? {
    for name in tree.venueNames {
      if let value = tree[outer].node[name]?.trimmedText, value.hasLetters,
        value.utf8.contains(0x20) || !value.utf8.contains(UInt8(ascii: "-")), value.utf8.count <= 90
      {
        return value
      }
    }
    return nil
  }

  /// A heading that names a cinema, or a text that its class calls a venue, in a part of the page, not over all of it.
  private func isVenue(_ atom: PageAtom, _ outer: Int) -> Bool {
    guard atom.text.hasLetters, !isRest(atom.text), !PageWords.isLabel(atom.text), !ScreenName.isOne(atom.text),
      !ScreenName.isCode(atom.text), !PageWords.isField(atom.text), !isCounted(atom.text), !isDirection(atom.text),
      !PageWords.tellsLength(atom.text), !atom.text.holds(" + "), !ScreenName.isKindOfHall(atom.text), !isRating(atom),
      !ListedHouses.tellsOfHalls(atom.text)
    else { return false }
    if nameOver(atom) != nil || VenueLines.isAddress(atom.text) && !CinemaWords.isCinema(atom.text) { return false }
    // "cinema-address"
    if tree[tree[atom.place].isText ? tree[atom.place].parent : atom.place].words.contains(
      where: PageWords.address.contains),
      !CinemaWords.isName(atom.text)
    {
      return false
    }
    if hasWord(atom.place, PageWords.venue), !hasWord(atom.place, PageWords.action), tree[atom.place].length <= 90,
      !PrintedTitle(atom.text).isOnlyMarks
    {
      return tree[outer].tag != "body" && tree[outer].tag != "html" || isHeading(atom.place)
    }
    guard tree[outer].tag != "body", tree[outer].tag != "html", tree[outer].depth > 2 else { return false }
    if tree.headsVenue(atom.place) { return true }
    return isHeading(atom.place) && CinemaWords.isName(atom.text) && tree[outer].tag != "main"
  }

  /// "| Main hall": what a name in an element of its own leaves of its line.
  private func isRest(_ text: String) -> Bool {
    text.unicodeScalars.first.map { "|/–—-,·•>)".unicodeScalars.contains($0) } ?? false
  }

  /// `<span class=rating>M</span>` in a part that is called after a venue.
  private func isRating(_ atom: PageAtom) -> Bool {
    TitleVocabulary.isCertificate(atom.text)
      || tree.path(atom.place).prefix(2).contains {
        tree[$0].words.contains(where: PageWords.certificateClasses.contains)
      }
  }

  /// "west of 6th Ave.": how to find a place, behind its address.
  private func isDirection(_ text: String) -> Bool {
    guard text.unicodeScalars.first?.properties.isLowercase ?? false else { return false }
    return Self.directions.contains { text.hasPrefix($0) }
  }

  private static let directions = [
    "west of ", "east of ", "north of ", "south of ", "near ", "between ", "corner of ", "opposite ", "off ", "behind ",
    "next to ", "entre ", "près ", "face ", "zwischen ", "nähe ", "ecke ", "gegenüber ", "vicino ",
  ]

  /// "The Moss" over "186 Mill Road, London" in a part that is called a venue.
  private func nameOver(_ address: PageAtom) -> String? {
    guard address.text.utf8.first.map(isDigitByte) ?? false, VenueLines.isAddress(address.text),
      let part = tree.path(address.place).dropFirst().prefix(3).first(where: {
        tree[$0].words.contains(where: PageWords.venue.contains)
      }), let first = context.range(in: part).first, case let name = context.atoms[first],
      name.place < address.place, name.isWords, name.text.hasLetters, name.text.utf8.count <= 90
    else { return nil }
    return name.text
  }

  /// "총 284석", "Other cinemas (5)", "2D": how many there are, and of what kind.
  private func isCounted(_ text: String) -> Bool {
    let marks = TitleMarks(text)
    if marks.isAll && marks.hasMark { return true }
    guard text.utf8.contains(where: isDigitByte) else { return false }
    if text.hasSuffix(")"), let open = text.lastPlace(of: "("),
      case let inside = text[open.upperBound...].dropLast(), !inside.isEmpty, inside.utf8.allSatisfy(isDigitByte)
    {
      return true
    }
    return Self.seats.contains {
      text.hasSuffix($0) && text.utf8.dropLast($0.utf8.count).last.map(isDigitByte) ?? false
    }
  }

  private static let seats = [
    "석", "席", "席あり", " seats", " Plätze", " places", " posti", " butacas", " salles", " screens",
    " Säle", " Saal", " zalen", " salas", " sale", " sal",
  ]

  private func isHeading(_ at: Int) -> Bool {
    tree.path(at).prefix(3).contains {
      ["h1", "h2", "h3", "h4", "caption", "legend", "summary"].contains(tree[$0].tag)
    }
  }
}

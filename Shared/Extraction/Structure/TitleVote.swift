import Calendars
import HTML

/// Decides which of the texts around a group of times is their title.
struct TitleVote {
  struct Title {
    var text: String
    /// The atom it is from; nil if it stands in the time's own line or in an attribute.
    var atom: Int?
    /// How far up from the time.
    var level: Int
    var trust: Double
    var link: String?
    var note: String?
  }

  private struct Option {
    var text: String
    var atom: Int?
    var level: Int
    var prior: Double
    var link: String?
    var note: String?
  }

  let context: PageContext
  let clock: PageClock
  let pageVenue: String?
  let pageTitle: String?
  let budget: WorkBudget
  /// Where the titles of the group stand, in words.
  private(set) var chosen: String?
  private var tree: PageTree { context.tree }
  private var qualities: [String: Double] = [:]
  private var otherTimes: [String: Bool] = [:]
  /// By element, what its attributes call it.
  private var titled: [Int: [(String, Option)]] = [:]
  /// Where a page's title says what kind of page it is, the rest of it is the site's name.
  private let siteNames: Set<String>

  /// What else a page's title says: on a film's own page the film's name, folded.
  private let pageNames: Set<String>

  /// Texts looked at on each side of a time and on each level.
  private static let reach = 60
  private static let levelsMax = 24
  /// A link or a heading, right beside its time: two of them may be two films.
  private static let markedPrior = 1.5
  private static let nearLevels = 3
  /// Of a text that is nothing but marks.
  private static let marksQuality = 0.15

  init(context: PageContext, clock: PageClock, pageVenue: String?, pageTitle: String?, budget: WorkBudget) {
    self.context = context
    self.clock = clock
    self.pageVenue = pageVenue
    self.pageTitle = pageTitle
    self.budget = budget
    let parts = PageIdentity.parts(pageTitle ?? "")
    let rest = parts.filter { !PageWords.isLabel($0) }
    siteNames = rest.count < parts.count && rest.count == 1 ? Set(rest.map(\.foldedKey)) : []
    let venue = pageVenue?.foldedKey
    pageNames =
      siteNames.isEmpty
      ? Set(rest.map(\.foldedKey)).filter { $0 != venue && $0.utf8.count > 2 } : []
  }

  mutating func titles(of group: [TimePlace]) throws(ExtractionError) -> [Title?] {
    var options: [[String: Option]] = []
    for place in group { options.append(try self.options(of: place)) }
    var scores: [String: (count: Int, quality: Double, prior: Double, level: Double, texts: Set<String>)] = [:]
    for found in options {
      for (key, option) in found {
        let quality = quality(option.text)
        var score = scores[key] ?? (0, 0, option.prior, 0, [])
        score.count += 1
        score.quality += quality
        score.level += Double(option.level)
        if score.texts.count < 500 { score.texts.insert(option.text.foldedKey) }
        scores[key] = score
      }
    }
    let most = Double(
      scores.values.filter { $0.quality / Double($0.count) >= 0.5 && Double($0.count) >= 0.5 * Double(group.count) }
        .map(\.texts.count).max() ?? 1)
    // What stands with all the times, and another with each, is the page's heading and not a film's.
    let own =
      scores.values.filter {
        $0.count == group.count && $0.quality / Double($0.count) >= 0.9
          && (group.count >= 3 || $0.prior >= Self.markedPrior && $0.level <= Double(group.count * Self.nearLevels))
      }.map(\.texts.count).max() ?? 0
    let hasOwnTitles = group.count >= 2 && own >= 2 && own * 4 >= group.count
    let areSurelyOwn = hasOwnTitles && own * 5 >= group.count * 3
    var ranking: [(key: String, score: Double)] = []
    for (key, score) in scores {
      let coverage = Double(score.count) / Double(group.count)
      let quality = score.quality / Double(score.count)
      let variety = 0.25 + 0.75 * min(1, Double(score.texts.count) / most)
      let height = score.level / Double(score.count)
      let isShared = hasOwnTitles && score.count == group.count && score.texts.count == 1
      // One text over all times that the page's own title has too: the page is about it.
      let isOfPage = score.texts.count == 1 && score.texts.first.map(pageNames.contains) ?? false
      let value =
        score.prior * quality * coverage * variety * pow95(height)
        * (isShared && (areSurelyOwn || !isOfPage) ? 0.4 : isOfPage && group.count > 1 ? 1.6 : 1)
      if value > 0 { ranking.append((key, value)) }
    }
    ranking.sort { ($1.score, $0.key) < ($0.score, $1.key) }
    chosen = ranking.first?.key
    guard let best = ranking.first, best.score > 0.25 else { return group.map { _ in nil } }
    return options.map { found in
      for (key, score) in ranking where score >= best.score * 0.5 {
        guard let option = found[key] else { continue }
        let quality = quality(option.text)
        // "Sneak Preview" is no name, and yet what is shown where all others have one.
        guard quality >= 0.4 || key == best.key && quality >= Self.marksQuality else { continue }
        let trust = key == best.key ? (quality >= 0.8 ? 1 : 0.9) : 0.85
        return Title(
          text: option.text, atom: option.atom, level: option.level, trust: trust * (best.score > 0.6 ? 1 : 0.9),
          link: option.link, note: option.note)
      }
      return nil
    }
  }

  private func pow95(_ height: Double) -> Double {
    var value = 1.0
    for _ in 0..<Int(min(height, 40)) { value *= 0.95 }
    return value
  }

  // MARK: Options

  private mutating func options(of place: TimePlace) throws(ExtractionError) -> [String: Option] {
    var found: [String: Option] = [:]
    var isOther = false
    let atom = context.atoms[place.atom]
    inline(atom, place, into: &found)
    var inner: Int?
    for (level, outer) in place.path.prefix(Self.levelsMax).enumerated() {
      try budget.spend(4)
      attributes(outer, level, into: &found)
      let grid = context.grid(around: outer, of: place.path[0])
      let range = context.range(in: outer)
      let innerRange = inner.map { context.range(in: $0) } ?? place.atom..<place.atom + 1
      var index = innerRange.lowerBound - 1
      let stop = max(range.lowerBound, index - Self.reach)
      while index >= stop {
        try budget.spend()
        if found.isEmpty || level <= 4, heads(index, outer, grid) { isOther = true }
        take(index, outer, place, grid, level, "before", into: &found)
        index -= 1
      }
      if tree[outer].tag == "tr" {
        if let grid { try budget.spend(grid.grid.tall.count / 8) }
        fromAbove(outer, place, level, into: &found)
      }
      index = innerRange.upperBound
      let end = min(range.upperBound, index + Self.reach)
      while index < end {
        try budget.spend()
        if context.atoms[index].isTime, context.atoms[index].place != atom.place { break }
        take(
          index, outer, place, grid, level, "after", into: &found,
          isSingle: inner.map { context.times(in: $0) <= 1 } ?? true)
        index += 1
      }
      if let label = context.labelled[outer], context.atoms[label].isWords {
        take(label, outer, place, nil, level, "label", into: &found, isFree: true)
      }
      inner = outer
    }
    return isOther ? [:] : found
  }

  /// Asked of each text for every time and on every level.
  private mutating func isOtherTime(_ text: String) -> Bool {
    if let known = otherTimes[text] { return known }
    let isOther = PageWords.isOtherTime(text)
    if otherTimes.count < 20_000 { otherTimes[text] = isOther }
    return isOther
  }

  /// Whether a text heads times that are none of screenings: "Opening hours", "등록일".
  private mutating func heads(_ index: Int, _ outer: Int, _ grid: (grid: TableGrid, cell: TableGrid.Cell)?) -> Bool {
    let atom = context.atoms[index]
    guard atom.isWords, atom.text.utf8.count <= 60, isOtherTime(atom.text) else { return false }
    guard context.isFree(atom.place, in: outer) else { return false }
    if let (table, cell) = grid, let header = context.cell(of: atom.place, in: table),
      header.rows.overlaps(cell.rows) || !table.speaks(header, of: cell)
    {
      return false
    }
    return isMarkedTitle(atom.place)
      || tree.path(atom.place).prefix(3).contains {
        ["th", "h1", "h5", "strong", "b", "dt", "caption", "td"].contains(tree[$0].tag)
      }
  }

  /// What stands in the line of the time itself: "19:30 Alien (OmU)".
  private func inline(_ atom: PageAtom, _ place: TimePlace, into found: inout [String: Option]) {
    guard let line = atom.line else { return }
    let link = tree.path(atom.place).prefix(3).compactMap { tree[$0].node["href"] }.first
    if line.times.count <= 1 {
      let tail = line.tails.last ?? ""
      let text = line.lead.isEmpty ? tail : line.lead
      if !text.isEmpty {
        let note = line.lead.isEmpty || tail.isEmpty ? nil : tail
        found[line.lead.isEmpty ? "line, behind" : "line, before"] = Option(
          text: cut(text), atom: nil, level: 0, prior: 1.5, link: link, note: note)
      }
      if !line.lead.isEmpty, !tail.isEmpty {
        found["line, behind"] = Option(text: cut(tail), atom: nil, level: 0, prior: 1.4, link: link, note: line.lead)
      }
    } else {
      if !line.lead.isEmpty {
        found["line, before"] = Option(text: cut(line.lead), atom: nil, level: 0, prior: 1.5, link: link, note: nil)
      }
      if line.tails.indices.contains(place.index), line.tails.filter({ !$0.isEmpty }).count == line.tails.count {
        found["line, behind"] = Option(
          text: cut(line.tails[place.index]), atom: nil, level: 0, prior: 1.4, link: link, note: nil)
      }
    }
  }

  /// A title ends where the room begins: "Alien | Screen 2", "Alien (Saal 1)".
  private func cut(_ text: String, atLabels: Bool = true) -> String {
    for separator in [" | ", " – ", " - ", " — ", ", ", " / ", " @ ", " · ", " • ", "／", "｜", " ("] {
      guard let range = text.lastPlace(of: separator) else { continue }
      var tail = String(text[range.upperBound...])
      if separator == " (", tail.hasSuffix(")") { tail.removeLast() }
      if ScreenName.isOne(tail) || atLabels && (PageWords.isLabel(tail) || isPrice(tail)) {
        return LineRest.trimmed(String(text[..<range.lowerBound]))
      }
    }
    return text
  }

  private func isPrice(_ text: String) -> Bool {
    text.unicodeScalars.contains { "€£$¥₩₪원円".unicodeScalars.contains($0) } && text.utf8.contains(where: isDigitByte)
      && text.utf8.count <= 16
  }

  /// "Tickets £6 on the door", "intero € 6,50 – ridotto € 5,00"
  private func tellsPrices(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    func isDigit(_ index: Int) -> Bool {
      scalars.indices.contains(index) && (0x30...0x39).contains(scalars[index].value)
    }
    for (index, scalar) in scalars.enumerated() where "€£$¥₩₪円원".unicodeScalars.contains(scalar) {
      if isDigit(index + 1) || isDigit(index + 2) || isDigit(index - 1) || isDigit(index - 2) { return true }
    }
    return false
  }

  /// `data-title`, `data-film` of what is around.
  private mutating func attributes(_ outer: Int, _ level: Int, into found: inout [String: Option]) {
    if titled[outer] == nil { titled[outer] = titleAttributes(outer) }
    for (name, option) in titled[outer] ?? [] where found[name] == nil {
      var option = option
      option.level = level
      found[name] = option
    }
  }

  private func titleAttributes(_ outer: Int) -> [(String, Option)] {
    var found: [(String, Option)] = []
    for (name, value) in tree[outer].node.attributes
    where name.hasPrefix("data-") && value.utf8.count <= 160 && value.utf8.count >= 2 {
      let key = RecordKey(String(name.dropFirst(5)))
      let isTitle: Bool
      switch key.role {
      case .title(let rank): isTitle = rank <= 2
      case .film: isTitle = true
      default: isTitle = false
      }
      guard isTitle, value.hasLetters else { continue }
      let option = Option(
        text: value.trimmedText, atom: nil, level: 0,
        prior: key.words.contains("name") && key.words.count == 1 ? 1.8 : 2.8, link: nil, note: nil)
      found.append((name, option))
    }
    return found
  }

  private mutating func take(
    _ index: Int, _ outer: Int, _ place: TimePlace, _ grid: (grid: TableGrid, cell: TableGrid.Cell)?, _ level: Int,
    _ side: String, into found: inout [String: Option],
    isFree: Bool = false, isSingle: Bool = true, repeatedFrom repeated: Int? = nil
  ) {
    let atom = context.atoms[index]
    let isDateWithWords = atom.isDate && atom.line.map { !$0.rest.isEmpty } ?? false
    guard atom.isWords || isDateWithWords, !tree[atom.place].isChrome, !tree[atom.place].isMenu,
      atom.text.utf8.count <= 400
    else { return }
    if !isFree {
      guard context.isFree(atom.place, in: outer) else { return }
      if let (table, cell) = grid, let header = context.cell(of: atom.place, in: table),
        !table.speaks(header, of: cell)
      {
        return
      }
    }
    let column = grid.flatMap { table, _ in self.column(of: atom.place, in: table) }
    if column == .venue || column == .screen { return }
    var text = atom.text
    if isDateWithWords {
      guard case .date(let days) = atom.kind, days.allSatisfy({ $0.day != nil }) || true, let rest = atom.line?.rest,
        rest.hasLetters
      else { return }
      // A title that only looks like a date: "Friday Night Lights", "2 Days in Paris"; or a date with words, which is none.
      guard isMarkedTitle(atom.place) else { return }
      text = atom.text
      // "Programme du 29 décembre au 4 janvier" heads a week.
      if PageWords.isGeneric(rest) { return }
      // "czwartek, 12.03.2026": a day of the week in a language that we do not read.
      if days.contains(where: { $0.day != nil && !$0.notes.contains(.inferredMonth) }),
        !rest.utf8.contains(0x20), atom.text.utf8.count(where: isDigitByte) >= 3
      {
        return
      }
    }
    // "Silt (Screen 2)" is Silt.
    if !isDateWithWords { text = cut(text, atLabels: false) }
    var (key, prior, link) = describe(atom.place)
    if column == .film { prior *= Self.filmColumnWeight }
    // What follows several times heads what comes next, as a rule.
    if side == "after" { prior *= isSingle ? (isAlone(place.atom, with: index) ? Self.pairWeight : 0.85) : 0.3 }
    // A label takes nobody's place: behind it the title of the same kind may stand.
    guard quality(text) > 0 else { return }
    var full = "\(key), \(side)"
    if let (table, cell) = grid, let header = context.cell(of: atom.place, in: table), header.place != cell.place {
      full += header.rows.overlaps(cell.rows) ? ", column \(header.columns.lowerBound + 1)" : ", above"
    }
    if let repeated { full += ", column \(repeated + 1)" }
    if found[full].map({ quality($0.text) < 0.4 && quality(text) >= 0.4 }) ?? true {
      found[full] = Option(text: text, atom: index, level: level, prior: prior, link: link, note: nil)
    }
  }

  /// Whether a block of the page holds a time and a text, and nothing else.
  private func isAlone(_ time: Int, with index: Int) -> Bool {
    guard index == time + 1 else { return false }
    guard let block = tree.path(context.atoms[time].place).first(where: { !tree.isInline($0) }),
      tree[block].tag == "p" || tree[block].tag == "li" || tree[block].tag == "dd"
    else { return false }
    return context.range(in: block) == time..<time + 2
  }

  /// What stands in the column of a table that says "Film".
  private static let filmColumnWeight = 1.5

  /// What a cell holds by the head of its column; nil in that head itself.
  private func column(of place: Int, in grid: TableGrid) -> TableGrid.Column? {
    guard !grid.columns.isEmpty, let cell = context.cell(of: place, in: grid), cell.rows.lowerBound > 0 else {
      return nil
    }
    return grid.columns[cell.columns.lowerBound]
  }

  /// What shares a line with a time alone is its title, unless it is nothing but marks.
  private static let pairWeight = 1.6

  private func isMarkedTitle(_ place: Int) -> Bool {
    tree.path(place).prefix(3).contains { at in
      tree[at].words.contains { PageWords.title.contains($0) } || ["h2", "h3", "h4"].contains(tree[at].tag)
    }
  }

  private mutating func fromAbove(_ row: Int, _ place: TimePlace, _ level: Int, into found: inout [String: Option]) {
    guard let (table, cell) = context.grid(around: row, of: place.path[0])
    else { return }
    for other in table.above(cell) where context.times(in: other.place) == 0 {
      for index in context.range(in: other.place) {
        take(index, row, place, nil, level, "before", into: &found, isFree: true)
      }
    }
    // An empty cell says what the one above it says.
    for other in context.repeated(in: row, of: cell, table) {
      for index in context.range(in: other.place) {
        take(
          index, row, place, nil, level, "before", into: &found, isFree: true, repeatedFrom: other.columns.lowerBound)
      }
    }
  }

  // MARK: Judging

  /// What kind of text stands there, and how likely such a text is a title.
  private func describe(_ place: Int) -> (key: String, prior: Double, link: String?) {
    var names: [String] = []
    var prior = 1.0
    var isBeside = false
    var link: String?
    var last = place
    var isSame = true
    for (step, at) in tree.path(place).prefix(6).enumerated() {
      let node = tree[at]
      // As far up as it says the same, and what the text itself stands in.
      if step > 0, tree[at].length > tree[last].length + 2 { isSame = false }
      if !node.isText, names.count < 2, node.tag != "a" || !node.words.isEmpty {
        names.append(tree.name(at))
      }
      if !isSame {
        if step == 1, tree[place].isText, place == at + 1,
          ["th", "dt", "summary", "caption"].contains(node.tag)
        {
          prior = max(prior, 1.6)
        }
        if names.count == 2 { break }
        continue
      }
      last = at
      if node.isText { continue }
      switch node.tag {
      case "h1": prior = max(prior, 2.4)
      case "h2", "h3", "h4": prior = max(prior, 2.6)
      case "h5", "h6": prior = max(prior, 2.2)
      case "dt", "th", "caption", "summary", "legend": prior = max(prior, 1.8)
      case "dd": prior = max(prior, 1.3)
      case "strong", "b": prior = max(prior, 1.7)
      case "em", "i", "cite": prior = max(prior, 1.3)
      case "small", "sup": prior = min(prior, 0.6)
      case "img": prior = max(prior, 1.0)
      case "a":
        link = link ?? node.node["href"]
        if let href = node.node["href"], !isBooking(href, node.words) { prior = max(prior, 1.8) }
      case "button", "label", "option": isBeside = true
      default: break
      }
      // "venue-name" is a venue's.
      let isPlace = node.words.contains {
        PageWords.venue.contains($0) || PageWords.screen.contains($0)
      }
      if node.words.contains(where: { PageWords.title.contains($0) && ($0 != "name" || !isPlace) }) {
        prior = max(prior, 3)
      } else if node.words.contains(where: { PageWords.film.contains($0) }), step <= 2 {
        prior = max(prior, 1.9)
      }
      if node.words.contains(where: { PageWords.beside.contains($0) }),
        isPlace && !node.words.contains("title")
          || !node.words.contains(where: { PageWords.title.contains($0) })
      {
        isBeside = true
      }
    }
    if isBeside { prior *= 0.35 }
    if link == nil, let inside = (place..<tree[place].end).lazy.compactMap({ tree[$0].node["href"] }).first {
      link = inside
    }
    return (names.isEmpty ? tree.name(tree[place].parent) + ">text" : names.joined(separator: "<"), prior, link)
  }

  private func isBooking(_ href: String, _ words: [String]) -> Bool {
    let lower = href.lowercased()
    return [
      "book", "ticket", "reserv", "buy", "checkout", "kaufen", "karten", "achat", "entradas", "javascript:", "mailto:",
      "seat", "basket",
    ].contains { lower.holds($0) }
      || words.contains { ["btn", "button", "book", "booking", "ticket", "tickets"].contains($0) }
  }

  /// 0: no title; 1: may well be one.
  private mutating func quality(_ text: String) -> Double {
    if let known = qualities[text] { return known }
    let quality = judged(text)
    if qualities.count < 20_000 { qualities[text] = quality }
    return quality
  }

  private func judged(_ text: String) -> Double {
    let folded = text.foldedKey
    if folded.isEmpty || PageWords.isLabel(text) || ScreenName.isOne(text) { return 0 }
    let scalars = text.unicodeScalars
    if text.utf8.count > 200 || scalars.count > 140 { return 0 }
    let letters = scalars.filter { $0.properties.isAlphabetic }.count
    let digits = scalars.filter { (0x30...0x39).contains($0.value) }.count
    if letters == 0 { return digits >= 3 && digits <= 4 ? 0.3 : 0 }
    if scalars.count == 1 { return letters == 1 && scalars.first!.value < 0x2E80 ? 0.05 : 0.4 }
    if isPrice(text) || PageWords.isField(text) || isFacts(text) { return 0.05 }
    if tellsPrices(text) { return 0.1 }
    if PrintedMarks(text).seats != nil && scalars.count <= 12
      || TitleVocabulary.isCertificate(text)
    {
      return 0
    }
    if PrintedTitle(text).isOnlyMarks { return Self.marksQuality }
    if let pageVenue, folded == pageVenue.foldedKey { return 0.1 }
    // It may be the film's page all the same: "Silt – Showtimes".
    if siteNames.contains(folded) { return 0.45 }
    if CinemaWords.isCinema(text), scalars.count <= 40 { return 0.55 }
    if scalars.count <= 40, PageWords.isOtherTime(text) { return 0.1 }
    if text.hasPrefix("http") || text.utf8.contains(UInt8(ascii: "@")) && !text.utf8.contains(0x20) { return 0 }
    // Sentences end with full stops and are long.
    if scalars.count > 80 { return text.hasSuffix(".") ? 0.1 : 0.5 }
    return 1
  }

  /// "105 min", "12 seats left", "2024 | 98'", "USA 1979, 117 Min.": a number with what it counts, and little else.
  private func isFacts(_ text: String) -> Bool {
    let scalars = Array(text.lowercased().unicodeScalars)
    var counted = false
    for (index, scalar) in scalars.enumerated()
    where (0x30...0x39).contains(scalar.value) && !counted {
      var next = index + 1
      if next < scalars.count, (0x30...0x39).contains(scalars[next].value) { continue }
      while next < scalars.count, scalars[next].isBlank { next += 1 }
      let behind = String(String.UnicodeScalarView(scalars[next...].prefix(8)))
      counted = Self.counted.contains { unit in
        guard behind.hasPrefix(unit) else { return false }
        guard unit.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x27 }) else { return true }
        // A unit is a word of its own: "2 hours", not "2 hearts".
        return behind.unicodeScalars.dropFirst(unit.unicodeScalars.count).first.map {
          !$0.properties.isAlphabetic
        } ?? true
      }
    }
    guard counted else { return false }
    let words = scalars.split(whereSeparator: { !$0.properties.isAlphabetic }).count
    return words <= 4 || scalars.contains("|") || PageWords.tellsLength(text)
  }

  /// What is counted beside a film.
  private static let counted = [
    "min", "mins", "minutes", "minuti", "minuten", "minutos", "mn", "'", "′", "’", "分", "분",
    "seats", "seat", "plätze",
    "석", "席", "h", "hr", "hrs", "hour", "hours", "세", "places", "left",
  ]
}

import Calendars
import HTML

/// The texts around a time that may be its title, by where they stand.
extension TitleVote {
  mutating func options(of place: TimePlace) throws(ExtractionError) -> [String: Option] {
    var found: [String: Option] = [:]
    labels = [:]
    doubtful = [:]
    var isOther = false
    // The highest heading behind the time: what stands below it is its own.
    var passed = 7
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
      // What heads the page speaks of no time that has a heading of its own nearer by.
      let isTitled = found.values.contains {
        $0.prior >= Self.headingPrior && $0.atom != nil && quality($0) >= 0.8
      }
      while index >= stop {
        try budget.spend()
        if found.isEmpty || level <= 4 && !isTitled, heads(index, outer, grid),
          try reaches(index, place, found, grid?.grid)
        {
          isOther = true
        }
        take(index, outer, place, grid, level, "before", into: &found)
        index -= 1
      }
      if tree[outer].tag == "tr" {
        if let grid { try budget.spend(grid.grid.tall.count / 8) }
        fromAbove(outer, place, level, into: &found)
      }
      index = innerRange.upperBound
      let end = min(range.upperBound, index + Self.reach)
      // `<li><a>14:45</a> <a>21:15</a> Silt`: times side by side, and what they are all of; so it is where a part begins with
      // them.
      if tree[outer].tag == "li" || beginsWithTimes(range, upTo: place.atom) {
        while index < end, context.atoms[index].isTime { index += 1 }
      }
      while index < end {
        try budget.spend()
        if context.atoms[index].isTime, context.atoms[index].place != atom.place { break }
        let rank = headingRank(context.atoms[index].place)
        if let rank, rank > passed {
          index += 1
          continue
        }
        if let rank, context.atoms[index].isWords, !ScreenName.isOne(context.atoms[index].text) {
          passed = min(passed, rank)
        }
        take(index, outer, place, grid, level, "after", into: &found, weight: weightBehind(inner, in: outer))
        index += 1
      }
      if let label = context.labelled[outer], context.atoms[label].isWords {
        take(label, outer, place, nil, level, "label", into: &found, isFree: true)
      }
      inner = outer
    }
    return isOther ? [:] : found
  }

  private func beginsWithTimes(_ part: Range<Int>, upTo time: Int) -> Bool {
    part.contains(time) && time - part.lowerBound < Self.timesFirstMax
      && context.atoms[part.lowerBound..<time].allSatisfy(\.isTime)
  }

  private static let timesFirstMax = 12

  /// What follows several times heads what comes next, as a rule; but all times of a row may be in one of its cells, and
  /// what stands in the next one is the row's.
  private func weightBehind(_ times: Int?, in outer: Int) -> Double {
    guard let times else { return Self.behindWeight }
    if tree[outer].tag == "tr", ["td", "th"].contains(tree[times].tag),
      context.times(in: times) == context.times(in: outer)
    {
      return 1
    }
    return context.times(in: times) <= 1 ? Self.behindWeight : Self.behindSeveralWeight
  }

  private static let behindWeight = 0.85
  private static let behindSeveralWeight = 0.3

  /// 2 of a text in an `h2`; nil of one that is no heading.
  private func headingRank(_ place: Int) -> Int? {
    for at in tree.path(place).prefix(3) {
      let tag = tree[at].tag.utf8
      if tag.count == 2, tag.first == UInt8(ascii: "h"), let digit = tag.last, (0x31...0x36).contains(digit) {
        return Int(digit - 0x30)
      }
    }
    return nil
  }

  /// Asked of each text for every time and on every level.
  mutating func isOfOtherTimes(_ text: String) -> Bool {
    if let known = otherTimes[text] { return known }
    let isOther = PageWords.isOtherTime(text) || PageWords.isBesidePart(text)
    if otherTimes.count < 20_000 { otherTimes[text] = isOther }
    return isOther
  }

  /// Whether a text heads times that are none of screenings: "Opening hours", "등록일".
  mutating func heads(_ index: Int, _ outer: Int, _ grid: (grid: TableGrid, cell: TableGrid.Cell)?) -> Bool {
    let atom = context.atoms[index]
    guard atom.isWords, !atom.isTitle, atom.text.utf8.count <= 60, isOfOtherTimes(atom.text) else { return false }
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

  /// "Box office" speaks of what stands in its own part of the page; and where a day of the calendar stands between, of no
  /// time that has a name.
  private func reaches(
    _ heading: Int, _ place: TimePlace, _ found: [String: Option], _ grid: TableGrid?
  ) throws(ExtractionError) -> Bool {
    // The head of its column.
    if let grid, context.cell(of: context.atoms[heading].place, in: grid) != nil { return true }
    let alone = heading..<heading + 1
    let part = tree.path(context.atoms[heading].place).first { context.range(in: $0) != alone }
    guard let part, tree.contains(part, place.path[0]) else { return false }
    let isPart = PageWords.isBesidePart(context.atoms[heading].text)
    // On a flat page each part ends with the next heading, or with the page.
    if isPart, Self.flat.contains(tree[part].tag) { return false }
    try budget.spend(place.atom - heading)
    // A higher heading opens another part.
    if let rank = headingRank(context.atoms[heading].place),
      context.atoms[heading + 1..<place.atom].contains(where: {
        $0.isWords && headingRank($0.place).map { $0 < rank } ?? false
      })
    {
      return false
    }
    guard isPart || !found.isEmpty else { return true }
    return !context.atoms[heading + 1..<place.atom].contains { atom in
      switch atom.kind {
      case .date(let days): days.contains { !$0.notes.contains(.inferredFromWeekday) }
      case .both: atom.line?.days.contains { !$0.notes.contains(.inferredFromWeekday) } ?? false
      case .moment, .month: true
      default: false
      }
    }
  }

  private static let flat: Set<String> = ["html", "body", "main"]

  /// Whether an item of the page has this one highest heading: what times it has, all of them are of it.
  private mutating func isOnlyHeading(_ index: Int, of item: Int) -> Bool {
    guard tree[item].depth >= Self.itemDepthMin, context.times(in: item) <= Self.itemTimesMax,
      headingRank(context.atoms[index].place) != nil
    else { return false }
    if let known = onlyHeadings[item] { return known == index }
    let headings = context.range(in: item).prefix(Self.reach).filter { context.atoms[$0].isWords }.compactMap { atom in
      headingRank(context.atoms[atom].place).map { (atom, $0) }
    }
    let highest = headings.map(\.1).min()
    let only = headings.filter { $0.1 == highest }
    onlyHeadings[item] = only.count == 1 ? only[0].0 : -1
    return only.count == 1 && only[0].0 == index
  }

  private static let itemDepthMin = 4
  private static let itemTimesMax = 12

  /// `<div class="cookie">`, `<aside>`, the head of the page: a box of what is said on every page, beside the programme.
  private mutating func box(of index: Int) -> Int? {
    let box: Int
    if let known = boxes[index] {
      box = known
    } else {
      box =
        tree.path(context.atoms[index].place).prefix(Self.boxLevels).last { at in
          tree[at].tag == "aside" && !isOfItem(at) || tree[at].tag == "header" && tree[at].depth <= Self.headDepthMax
            || tree[at].words.contains(where: PageWords.besideProgramme.contains)
        } ?? -1
      boxes[index] = box
    }
    return box < 0 ? nil : box
  }

  /// `<article><aside><h2>Silt</h2></aside> … </article>`: the side of one film, and not of the page.
  private func isOfItem(_ aside: Int) -> Bool {
    let parent = tree[aside].parent
    return parent >= 0
      && (["article", "li"].contains(tree[parent].tag) || tree[parent].words.contains(where: PageWords.film.contains))
  }

  /// Deeper it is an article's.
  private static let headDepthMax = 3
  /// From a heading up to the box that it heads.
  private static let boxLevels = 5

  /// Of what stands in brackets behind a time: "19:30 (OmU)".
  static let bracketPrior = 0.4

  /// What stands in the line of the time itself: "19:30 Alien (OmU)".
  func inline(_ atom: PageAtom, _ place: TimePlace, into found: inout [String: Option]) {
    guard let line = atom.line else { return }
    // "<h1>Silt on Sunday 1 March at 7pm</h1>"
    let weight = headingRank(atom.place) == nil ? 1 : Self.headingLineWeight
    let link = tree.path(atom.place).prefix(3).compactMap { tree[$0].node["href"] }.first
    if line.times.count <= 1 {
      // "괴물 3.14 (SAT) - 14:00 - A1": which seat is sold.
      let last = line.tails.last ?? ""
      let tail = line.lead.hasLetters && PageWords.isSeat(last) ? "" : last
      let text = line.lead.isEmpty ? tail : line.lead
      if !text.isEmpty {
        let note = line.lead.isEmpty || tail.isEmpty ? nil : tail
        found[line.lead.isEmpty ? Self.lineBehind : "line, before"] = Option(
          text: cut(text), atom: nil, level: 0,
          prior: line.lead.isEmpty && line.bracketed.contains(line.tails.count - 1) ? Self.bracketPrior : 1.5 * weight,
          link: link, note: note)
      }
      if !line.lead.isEmpty, !tail.isEmpty {
        found[Self.lineBehind] = Option(text: cut(tail), atom: nil, level: 0, prior: 1.4, link: link, note: line.lead)
      }
    } else {
      if !line.lead.isEmpty {
        found["line, before"] = Option(text: cut(line.lead), atom: nil, level: 0, prior: 1.5, link: link, note: nil)
      }
      if line.tails.indices.contains(place.index), line.tails.filter({ !$0.isEmpty }).count == line.tails.count {
        found[Self.lineBehind] = Option(
          text: cut(line.tails[place.index]), atom: nil, level: 0,
          prior: line.bracketed.count == line.tails.count ? Self.bracketPrior : 1.4, link: link, note: nil)
      } else if line.lead.isEmpty, let tail = line.tails.last, !tail.isEmpty, line.bracketed.isEmpty,
        line.tails.dropLast().allSatisfy(\.isEmpty), line.days.count == line.times.count || line.days.count == 1
      {
        // "Thu 2 May 20:00, Fri 3 May 20:00: Silt", "Sat 4 May 2pm & 8pm | Silt"
        found[Self.lineBehind] = Option(text: cut(tail), atom: nil, level: 0, prior: 1.4, link: link, note: nil)
      }
    }
  }

  private static let headingLineWeight = 1.8

  /// `data-title`, `data-film` of what is around.
  mutating func attributes(_ outer: Int, _ level: Int, into found: inout [String: Option]) {
    if titled[outer] == nil { titled[outer] = titleAttributes(outer) }
    for (name, option) in titled[outer] ?? [] where found[name] == nil {
      var option = option
      option.level = level
      found[name] = option
    }
  }

  func titleAttributes(_ outer: Int) -> [(String, Option)] {
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

  mutating func take(
    _ index: Int, _ outer: Int, _ place: TimePlace, _ grid: (grid: TableGrid, cell: TableGrid.Cell)?, _ level: Int,
    _ side: String, into found: inout [String: Option],
    isFree: Bool = false, weight: Double = behindWeight, repeatedFrom repeated: Int? = nil
  ) {
    let atom = context.atoms[index]
    let isDateWithWords = atom.isDate && atom.line.map { !$0.rest.isEmpty } ?? false
    guard atom.isWords || isDateWithWords, !tree[atom.place].isChrome,
      !tree[atom.place].isMenu,
      atom.text.utf8.count <= 400, !context.isApart(atom.place, from: place.path[0]), !isForChoosing(atom.place),
      !isBesideBooking(atom.place)
    else { return }
    if !isFree {
      // What the page is about heads the times of each part of it.
      guard
        context.isFree(atom.place, in: outer) || pageHeadings.contains(atom.text.foldedKey)
          || isOnlyHeading(index, of: outer)
      else { return }
      if let (table, cell) = grid, let header = context.cell(of: atom.place, in: table),
        !table.speaks(header, of: cell)
      {
        return
      }
    }
    let column = grid.flatMap { table, _ in self.column(of: atom.place, in: table) }
    if column == .venue || column == .screen { return }
    if let table = grid?.grid, isHeadOfTimes(atom.place, in: table) { return }
    var text = filmOfSeries(index) ?? atom.text
    if atom.isWords, atom.line?.leavesOut == true {
      guard let before = beforeRemark(text) else { return }
      text = before
    }
    if isDateWithWords {
      guard case .date(let days) = atom.kind, let rest = atom.line?.rest,
        rest.hasLetters
      else { return }
      // A title that only looks like a date: "Friday Night Lights", "2 Days in Paris"; or a date with words, which is none.
      guard isMarkedTitle(atom.place) || column == .film || headingRank(atom.place) == 1 else { return }
      let behind = behindDate(atom.text)
      text = behind ?? atom.text
      // "Programme du 29 décembre au 4 janvier", "NOW PLAYING — Friday March 13 to …" head a week.
      if PageWords.isGeneric(rest) || PageWords.saysProgramme(rest) || PageWords.isLabel(LineRest.trimmed(rest)) {
        return
      }
      // "25.06 (czwartek) - zakończenie sezonu": a remark on the day.
      if let behind, behind.utf8.contains(0x20), behind.unicodeScalars.first?.properties.isLowercase ?? false { return }
      // "czwartek, 12.03.2026": a day of the week in a language that we do not read.
      if behind == nil, days.contains(where: { $0.day != nil && !$0.notes.contains(.inferredMonth) }),
        !rest.utf8.contains(0x20), atom.text.utf8.count(where: isDigitByte) >= 3
      {
        return
      }
    }
    // "Silt (Screen 2)" is Silt.
    if !isDateWithWords, !atom.isTitle { text = cut(text, atLabels: false) }
    if headingRank(atom.place) != nil || isMarkedTitle(atom.place) { text = beforeFacts(text) }
    var (key, prior, link) = describe(atom.place)
    if column == .film { prior *= Self.filmColumnWeight }
    // What leads to a map is where it is.
    if tree.path(atom.place).prefix(3).contains(where: { tree[$0].node["href"].map(PageWords.isMap) ?? false }) {
      prior *= Self.mapWeight
    }
    if index > 0, context.atoms[index - 1].isWords, PageWords.announces(context.atoms[index - 1].text) {
      prior = max(prior, Self.announcedPrior)
    }
    // "Thu 5 February, 8 pm: <em>Silt</em> (Ana Berg)"
    if side == "after", (1...2).contains(index - place.atom), opensLine(place.atom, with: index) {
      prior = max(prior, Self.announcedPrior)
    } else if side == "after" {
      prior *= weight > Self.behindSeveralWeight && isAlone(place.atom, with: index) ? Self.pairWeight : weight
    }
    if side == "before", let box = box(of: index), !tree.contains(box, place.path[0]), !isOfPage(text) {
      guard tree[box].tag == "header" else { return }
      prior *= Self.besideWeight
    }
    var full = "\(key), \(side)"
    if let (table, cell) = grid, let header = context.cell(of: atom.place, in: table), header.place != cell.place {
      full += header.rows.overlaps(cell.rows) ? ", column \(header.columns.lowerBound + 1)" : ", above"
    }
    if let repeated { full += ", column \(repeated + 1)" }
    let isHeading = headingRank(atom.place) != nil
    // A label takes nobody's place: behind it the title of the same kind may stand, unless that has times of its own.
    let isVouched =
      atom.isTitle || column == .film && !PageWords.labelsShowings(text) && isAloneInCell(index, grid?.grid)
    // "M": nothing but a letter.
    let isNothing = quality(text) == 0 || text.unicodeScalars.count == 1
    guard isVouched || !isNothing || quality(text) > 0 && !mayBeTitle(text, index) else {
      if isHeading, labels[full] == nil { labels[full] = index }
      if doubtful[full] == nil, mayBeTitle(text, index) {
        doubtful[full] = Option(
          text: text, atom: index, level: level, prior: prior, link: link, note: nil, isHeading: isHeading)
      }
      return
    }
    if side == "before", isHeading, let nearer = labels[full] ?? found[full]?.atom, nearer > index,
      context.times(from: atom.place, to: context.atoms[nearer].place) > 0
    {
      return
    }
    let option = Option(
      text: text, atom: index, level: level, prior: prior, link: link, note: nil, isHeading: isHeading,
      isVouched: isVouched)
    if found[full].map({ quality($0) < 0.4 && quality(option) >= 0.4 }) ?? true { found[full] = option }
  }

  /// A word or a sign that is mostly a label, and here leads to a page of its own.
  private func mayBeTitle(_ text: String, _ index: Int) -> Bool {
    text.utf8.count <= Self.doubtfulBytesMax && !PageWords.isButton(text) && !ScreenName.isOne(text)
      && !PageWords.isGeneric(text) && isLinked(index)
  }

  private static let doubtfulBytesMax = 24
  private static let mapWeight = 0.3

  /// Whether a time with a colon, or a day whose hour is said once for all, is followed by what it is of, in the same paragraph and
  /// marked.
  private func opensLine(_ time: Int, with index: Int) -> Bool {
    let (line, text) = (context.atoms[time], context.atoms[index])
    // A dash between them may be a text of its own.
    guard context.atoms[time + 1..<index].allSatisfy({ !$0.text.hasLetters }) else { return false }
    guard let last = line.text.last, last == ":" || last == "：" || line.hasCommonHour, text.place > 0 else {
      return false
    }
    let marked = tree.path(text.place).prefix(3).first { Self.marking.contains(tree[$0].tag) }
    let block = tree.path(line.place).first { !tree.isInline($0) }
    return marked != nil && block.map { tree.contains($0, text.place) } ?? false
  }

  private static let marking: Set<String> = ["em", "i", "cite", "strong", "b", "a", "q"]

  /// More than a heading: it says that the title is what follows it.
  private static let announcedPrior = 3.0

  /// "Sort by name", "Filter": what orders a list stands in it, and is none of it.
  private func isForChoosing(_ place: Int) -> Bool {
    tree.path(place).prefix(2).contains { at in
      tree[at].words.contains { PageWords.choosing.contains($0) } && tree[at].length <= tree[place].length + 2
        // "filter-film-title"
        && !(tree[at].words.contains(where: PageWords.film.contains)
          && tree[at].words.contains(where: PageWords.title.contains))
    }
  }

  /// Whether a block of the page holds a time and a text, and nothing else.
  func isAlone(_ time: Int, with index: Int) -> Bool {
    guard index == time + 1 else { return false }
    guard let block = tree.path(context.atoms[time].place).first(where: { !tree.isInline($0) }),
      tree[block].tag == "p" || tree[block].tag == "li" || tree[block].tag == "dd"
    else { return false }
    return context.range(in: block) == time..<time + 2
  }

  /// Whether a cell holds nothing else: what stands below a film's name in its cell is not the name.
  private func isAloneInCell(_ index: Int, _ grid: TableGrid?) -> Bool {
    guard let grid, let cell = context.cell(of: context.atoms[index].place, in: grid) else { return false }
    return context.range(in: cell.place) == index..<index + 1
  }

  private static let besideWeight = 0.1

  /// What stands in the column of a table that says "Film".
  static let filmColumnWeight = 2.4

  /// What a cell holds by the head of its column; nil in that head itself.
  func column(of place: Int, in grid: TableGrid) -> TableGrid.Column? {
    guard !grid.columns.isEmpty, let cell = context.cell(of: place, in: grid), cell.rows.lowerBound > 0 else {
      return nil
    }
    return grid.columns[cell.columns.lowerBound]
  }

  /// "Start time" over a column of times.
  private func isHeadOfTimes(_ place: Int, in grid: TableGrid) -> Bool {
    guard !grid.columns.isEmpty, let cell = context.cell(of: place, in: grid), cell.rows.lowerBound == 0 else {
      return false
    }
    switch grid.columns[cell.columns.lowerBound] {
    case .doors, .start, .end: return true
    default: return false
    }
  }

  /// What shares a line with a time alone is its title, unless it is nothing but marks.
  static let pairWeight = 1.6

  func isMarkedTitle(_ place: Int) -> Bool {
    tree.path(place).prefix(3).contains { at in
      tree[at].words.contains { PageWords.title.contains($0) } || ["h2", "h3", "h4"].contains(tree[at].tag)
    }
  }

  mutating func fromAbove(_ row: Int, _ place: TimePlace, _ level: Int, into found: inout [String: Option]) {
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
}

import Calendars
import HTML

/// Which dates head what follows them, and which are said in passing.
extension DateFinder {
  /// Whether a date heads what follows: it is all that is said, or said of the programme.
  func isContext(_ index: Int) -> Bool {
    let atom = context.atoms[index]
    // What holds times is called so for another reason: "updated-box".
    for above in tree.path(atom.place).prefix(3)
    where tree[above].words.contains(where: { PageWords.otherDateClasses.contains($0) })
      && context.times(in: above) == 0
    { return false }
    if let news = tree.path(atom.place).prefix(Self.newsLevels).last(where: { tree[$0].words.contains("news") }),
      context.times(in: news) == 0
    {
      return false
    }
    switch atom.kind {
    case .dayNumber: return isDayNumber(index)
    // "Wednesdays €5.50" is of no programme.
    case .badDate:
      return atom.text.utf8.count <= 80 && !PageWords.tellsPrices(atom.text) && !PageWords.tellsRating(atom.text)
        && !isOfPrices(index)
    case .date(let days):
      if let date = days.first?.first ?? days.first?.last {
        // Films of 1979 are not shown in 1979.
        guard abs(date - clock.captured) <= 500 else { return false }
      }
      if days.count == 1, days[0].day != nil, isFact(index) { return false }
      if atom.opensWeek || isWeekdayAlone(index) && isOfPrices(index) { return false }
      guard let line = atom.line else { return true }
      if line.isClosed { return false }
      if line.rest.isEmpty || isPeriodOfTimes(index, line.rest) { return true }
      if PageWords.isOtherDate(line.rest) || PageWords.tellsRating(line.rest) { return false }
      // "Heute im Kino", "Today’s films"
      if days.allSatisfy({ $0.notes.contains(.relativeDay) }), PageWords.saysProgramme(line.rest) { return true }
      if isProgrammeOfWeek(index) { return true }
      // "Programmazione di giovedì 5 maggio – provincia di Larch"
      let restMax = PageWords.namesProgramme(line.rest) ? Self.programmeRestMax : Self.restMax
      return PageWords.isLabel(line.rest) || line.rest.utf8.count <= restMax && isHeading(atom.place)
        || opensBlock(index)
    default: return false
    }
  }

  /// Beside a day that heads something.
  private static let restMax = 40
  private static let programmeRestMax = 80

  /// From a day up to the box of news that it is of.
  private static let newsLevels = 6

  /// "Friday" in `<tr><td>Friday<td>€5.50`: what it costs on that day of any week.
  private func isOfPrices(_ index: Int) -> Bool {
    guard let row = tree.path(context.atoms[index].place).prefix(Self.rowLevels).first(where: { tree[$0].tag == "tr" })
    else { return false }
    return tree[row].length <= Self.openingBytesMax && context.times(in: row) == 0
      && PageWords.tellsPrices(tree.text(row))
  }

  private static let rowLevels = 4

  /// "● giovedì 24 settembre | Cinema d’essai a 5 euro" and below it, in the same paragraph, times: whatever it says besides.
  private func opensBlock(_ index: Int) -> Bool {
    let atom = context.atoms[index]
    guard atom.text.utf8.count <= Self.openingBytesMax, let line = atom.line, let day = line.days.first,
      day.day != nil, line.days.count == 1,
      day.notes.isDisjoint(with: [.inferredFromWeekday, .relativeDay, .inferredMonth]),
      case let text = LineRest.trimmed(atom.text), text.hasPrefix(day.text), clock.hasWeekday(day.text),
      let block = tree.path(atom.place).first(where: { !tree.isInline($0) }), context.times(in: block) > 0
    else { return false }
    return context.range(in: block).first == index
  }

  private static let openingBytesMax = 90

  func isWeekdayAlone(_ index: Int) -> Bool {
    let days: [PrintedDays]
    switch context.atoms[index].kind {
    case .date(let found): days = found
    default: days = context.atoms[index].line?.days ?? []
    }
    return days.contains { $0.notes.contains(.inferredFromWeekday) } && weekBefore(index) == nil
  }

  static let dayWords: Set<String> = [
    "day", "date", "d", "num", "number", "dia", "tag", "giorno", "jour", "dag", "datum", "daynum",
    "daynumber", "cal",
    "calendar", "fecha", "data",
  ]

  /// A bare "15" is a day in a calendar's cell, beside a month or a weekday, or where a class says so; else it may be
  /// who is let in, or a screen.
  func isDayNumber(_ index: Int) -> Bool {
    let place = context.atoms[index].place
    let path = tree.path(place).prefix(3)
    if path.contains(where: {
      tree[$0].words.contains(where: PageWords.certificateClasses.contains)
    }) {
      return false
    }
    if let cell = path.first(where: { tree[$0].tag == "td" || tree[$0].tag == "th" }) {
      return !standsUnderWords(cell)
    }
    if path.contains(where: { tree[$0].words.contains(where: Self.dayWords.contains) }) {
      return true
    }
    for other in [index - 1, index + 1] where context.atoms.indices.contains(other) {
      if case .month = context.atoms[other].kind { return true }
      if clock.hasWeekday(context.atoms[other].text) { return true }
    }
    return false
  }

  /// Whether a cell's column is headed by words that are of no calendar: "Sala", "Edad". A number in it is a room, or
  /// who is let in.
  func standsUnderWords(_ place: Int) -> Bool {
    if let known = sections.underWords[place] { return known }
    let isUnder = isUnderWords(place)
    sections.underWords[place] = isUnder
    return isUnder
  }

  private func isUnderWords(_ place: Int) -> Bool {
    guard let table = context.table(around: place), let grid = context.grid(table), let cell = grid.cell(at: place),
      cell.rows.lowerBound > 0,
      let head = grid.cells.prefix(Self.headsMax).first(where: {
        $0.rows.lowerBound == 0 && $0.columns.overlaps(cell.columns)
      }), head.columns.count < max(grid.width, 2), tree[head.place].length <= Self.headBytesMax
    else { return false }
    let atoms = context.range(in: head.place).map { context.atoms[$0] }
    guard !atoms.isEmpty, atoms.allSatisfy(\.isWords) else { return false }
    let text = tree.text(head.place)
    return text.hasLetters && !clock.isWeekday(text) && !Self.dayHeads.contains(text.foldedKey)
  }

  /// A column's head is a word or three.
  static let headBytesMax = 40
  /// Heads of columns in which days stand. Folded.
  static let dayHeads: Set<String> = Set(
    [
      "date", "day", "dates", "days", "datum", "tag", "jour", "date et heure", "fecha", "día", "data", "giorno", "dag",
      "dzień", "den", "datum", "날짜", "일자", "일", "日付", "日", "日程", "תאריך", "יום",
    ].map(\.foldedKey))

  /// "18 novembre 2026 | 1h 58min | Drame": what stands in one line with a length is when the film came out.
  func isFact(_ index: Int) -> Bool {
    let place = context.atoms[index].place
    guard let block = tree.path(place).first(where: { !tree.isInline($0) }), tree[block].length <= 160,
      context.times(in: block) == 0
    else { return false }
    if let label = label(of: index, in: block), PageWords.tellsRelease(label) { return true }
    return PageWords.tellsLength(tree.text(block)) && !clock.hasWeekday(context.atoms[index].text)
  }

  /// What stands right before a date in an element of its own: `<p><b>Released:</b> 24.08.2017</p>`, or in the cell before.
  private func label(of index: Int, in block: Int) -> String? {
    let range = context.range(in: block)
    if range.first != index {
      let before = context.atoms[index - 1]
      return before.isWords && before.text.utf8.count <= Self.labelBytesMax ? before.text : nil
    }
    guard tree[block].tag == "td" || tree[block].tag == "dd", tree[block].parent >= 0,
      let cell = tree.children(tree[block].parent).last(where: { $0 < block && !tree[$0].isText }),
      tree[cell].tag == "th" || tree[cell].tag == "td" || tree[cell].tag == "dt",
      tree[cell].length <= Self.labelBytesMax
    else { return nil }
    return tree.text(cell)
  }

  private static let labelBytesMax = 40

  func isHeading(_ place: Int) -> Bool {
    tree.path(place).prefix(3).contains { at in
      switch tree[at].tag {
      case "h1", "h2", "h3", "h4", "h5", "h6", "th", "caption", "dt", "summary", "legend", "strong", "b": true
      default: tree[at].words.contains { $0 == "date" || $0 == "day" || $0 == "datum" }
      }
    }
  }

  /// A line of its own with nothing but days in it, right above a table without days that the time stands in.
  func standsOver(_ index: Int, _ time: Int) -> Bool {
    let atom = context.atoms[index]
    guard atom.line?.rest.isEmpty ?? true,
      let block = tree.path(atom.place).first(where: { !tree.isInline($0) }), tree[block].parent >= 0,
      context.range(in: block) == index..<index + 1
    else { return false }
    let next = tree[block].end
    guard next < tree.nodes.count, tree[next].parent == tree[block].parent, tree[next].tag == "table",
      (next..<tree[next].end).contains(context.atoms[time].place)
    else { return false }
    if let known = sections.withoutDays[next] { return known }
    let has = context.range(in: next).contains { index in
      context.atoms[index].isDate || context.atoms[index].line?.days.isEmpty == false
        || context.atoms[index].text.utf8.count <= Self.headBytesMax && clock.hasWeekday(context.atoms[index].text)
    }
    sections.withoutDays[next] = !has
    return !has
  }

  /// A table's own heading: a cell over its whole width, or its caption.
  func headsTable(_ place: Int) -> Bool {
    for at in tree.path(place).prefix(4) {
      if tree[at].tag == "caption" { return true }
      guard tree[at].tag == "th" || tree[at].tag == "td" else { continue }
      guard let table = context.table(around: at), let grid = context.grid(table),
        let cell = grid.cell(at: at)
      else {
        return false
      }
      return grid.width > 1 && cell.columns.count >= grid.width
    }
    return false
  }
}

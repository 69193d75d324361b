import Calendars
import HTML

/// From a time up through the page: what of each level tells its date.
extension DateFinder {
  typealias Day = (date: CivilDate, trust: Double, source: Int?)

  func days(
    of place: TimePlace, titleLevel: Int, budget: WorkBudget
  ) throws(ExtractionError) -> Result<[Day], Failure> {
    if let days = daily(place) { return .success(days) }
    var inner: Int?
    for (level, outer) in place.path.enumerated() {
      try budget.spend(4)
      if let label = context.labelled[outer], context.atoms[label].isDate {
        // A weekday alone that chooses a part says less than the day that the part says of itself.
        let saysLess = isWeekdayAlone(label) ? try hasDay(outer, budget: budget) : false
        if !saysLess, let found = told(label, level: level, titleLevel: titleLevel, of: place.atom) { return found }
      }
      // The attribute of an element around it: its own atoms are the first in it, and there may be many behind them.
      let range = context.range(in: outer)
      let attributes = range.prefix { context.atoms[$0].place == outer }
      if let own = attributes.first(where: { context.atoms[$0].isDate && context.atoms[$0].isOfContent }),
        !context.strips.contains(own),
        let found = told(own, level: level, titleLevel: titleLevel, of: place.atom)
      {
        return found
      }
      let grid = context.grid(around: outer, of: place.path[0])
      if let found = try atLevel(
        outer, inner: inner, place: place, grid: grid, range: range, level: level, titleLevel: titleLevel,
        budget: budget)
      {
        return found
      }
      if let date = idDate(outer) { return .success([(date, 0.95, nil)]) }
      inner = outer
    }
    if let carried = carried(to: place) { return .success([carried]) }
    if let found = try above(emptyAround: place, titleLevel: titleLevel, budget: budget) { return found }
    if let found = try fromPanelBefore(place, titleLevel: titleLevel, budget: budget) { return found }
    if let active = context.activeDate, let found = told(active, level: 99, titleLevel: titleLevel) { return found }
    if let link = linkDate(place) { return .success([(link, 0.95, nil)]) }
    if let addressDate { return .success([(addressDate, 0.95, nil)]) }
    if let day = try dayOfItem(place, budget: budget) { return .success([(day, 0.85, nil)]) }
    if let odd = context.oddDate, let found = told(odd, level: 99, titleLevel: titleLevel) { return found }
    return .failure(Failure(why: "it stands under no date"))
  }

  /// Whether a part of the page says a day of its own.
  private func hasDay(_ outer: Int, budget: WorkBudget) throws(ExtractionError) -> Bool {
    if let known = sections.withDays[outer] { return known }
    let range = context.range(in: outer)
    try budget.spend(range.count)
    let has = range.contains { context.atoms[$0].isDate && !context.strips.contains($0) && isContext($0) }
    sections.withDays[outer] = has
    return has
  }

  /// Lines of one text, of which the first of a day begins with it: `Fri 20  6.00  Film`, and below it `8.30  Film`.
  func carried(to place: TimePlace) -> Day? {
    guard let own = context.atoms[place.atom].line, own.lead.isEmpty else { return nil }
    let parent = tree[context.atoms[place.atom].place].parent
    for index in (max(0, place.atom - Self.carriedMax)..<place.atom).reversed() {
      let atom = context.atoms[index]
      guard atom.place == context.atoms[place.atom].place || tree[atom.place].parent == parent else { return nil }
      if atom.isDate { return nil }
      guard case .both = atom.kind else { continue }
      guard let line = atom.line, let day = line.day, line.lead.isEmpty, let days = line.days.first,
        atom.text.hasPrefix(days.text)
      else { return nil }
      return (day, 0.9, index)
    }
    return nil
  }

  /// An empty place for a date says what is said in the like place of an item before: `<div class="date">&nbsp;</div>`.
  private func above(
    emptyAround place: TimePlace, titleLevel: Int, budget: WorkBudget
  ) throws(ExtractionError) -> Result<[Day], Failure>? {
    for item in place.path.prefix(Self.itemLevels) where !tree.isInline(item) && tree[item].parent >= 0 {
      let empty = try emptyPlaces(in: item, budget: budget)
      guard !empty.isEmpty else { continue }
      let items = tree.children(tree[item].parent)
      try budget.spend(items.count)
      let before = items.prefix { $0 < item }.suffix(Self.itemsMax)
      for other in before.reversed() where tree[other].tag == tree[item].tag {
        try budget.spend(8)
        let dated = context.range(in: other).first { index in
          context.atoms[index].isDate && isContext(index)
            && tree.path(context.atoms[index].place).prefix { $0 != other }.contains { empty.contains(tree.name($0)) }
        }
        if let dated { return told(dated, level: 0, titleLevel: titleLevel) }
      }
    }
    return nil
  }

  /// Panels of showings of which the first of each day says it: `<p>Wed 7</p> 17:45 | 20:30 | <p>Thu 8</p> 14:00`.
  private func fromPanelBefore(
    _ place: TimePlace, titleLevel: Int, budget: WorkBudget
  ) throws(ExtractionError) -> Result<[Day], Failure>? {
    // What has a title of its own is no panel of a film, but another one.
    for panel in place.path.prefix(min(Self.itemLevels, titleLevel)) where !tree.isInline(panel) {
      let list = tree[panel].parent
      guard list >= 0, context.range(in: list).count <= Self.panelAtomsMax else { return nil }
      let children = tree.children(list)
      try budget.spend(children.count + context.range(in: list).count)
      let panels = children.filter { isLike($0, panel) }
      // A day beside them heads them, and a panel without one before it would be of no day.
      guard panels.count > 1, let first = panels.first, panelDate(first) != nil,
        !children.contains(where: { !isLike($0, panel) && context.range(in: $0).contains { context.atoms[$0].isDate } })
      else { continue }
      for other in panels.prefix(while: { $0 < panel }).suffix(Self.itemsMax).reversed() {
        if let dated = panelDate(other) { return told(dated, level: 0, titleLevel: titleLevel) }
      }
    }
    return nil
  }

  /// Made alike, with a time in each.
  private func isLike(_ place: Int, _ other: Int) -> Bool {
    tree[place].tag == tree[other].tag && tree[place].words.first == tree[other].words.first
      && !tree[other].words.isEmpty && context.times(in: place) > 0
  }

  /// The one date of a panel, before its times.
  private func panelDate(_ panel: Int) -> Int? {
    let range = context.range(in: panel)
    let dates = range.filter { context.atoms[$0].isDate && isContext($0) }
    guard dates.count == 1, let time = range.first(where: { context.atoms[$0].isTime }), dates[0] < time else {
      return nil
    }
    return dates[0]
  }

  /// One film's panels: larger lists are of several.
  private static let panelAtomsMax = 240

  /// `id="panel_20261124"`, `id="day-2026-11-24"`: the day that a part of the page is of.
  private func idDate(_ place: Int) -> CivilDate? {
    guard let (name, date) = idDay(place) else { return nil }
    if Self.dayParts.contains(name) { return date }
    // "showtime-20261124" is of a day where the part beside it is of another.
    let parent = tree[place].parent
    let siblings = parent < 0 ? [] : tree.children(parent).prefix(Self.siblingsMax)
    return siblings.contains { idDay($0).map { $0.name == name && $0.date != date } ?? false } ? date : nil
  }

  private static let siblingsMax = 64

  private func idDay(_ place: Int) -> (name: String, date: CivilDate)? {
    guard let id = tree[place].node.id, (Self.idBytesMin...Self.idBytesMax).contains(id.utf8.count),
      id.utf8.last.map(isDigitByte) ?? false
    else { return nil }
    var parts = id.utf8.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }.map { String(Substring($0)) }
    var digits = parts.popLast() ?? ""
    while let part = parts.last, part.utf8.allSatisfy(isDigitByte) {
      // "times-106873-20261124": a day whole, and a number of something else.
      if digits.utf8.count < 8 { digits = part + digits }
      parts.removeLast()
    }
    guard digits.utf8.count == 8, digits.utf8.allSatisfy(isDigitByte), let number = Int(digits),
      let name = parts.last?.lowercased(),
      let date = CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100),
      abs(date - clock.captured) <= Self.idDaysMax
    else { return nil }
    return (name, date)
  }

  private static let dayParts: Set<String> = [
    "panel", "pane", "tabpanel", "day", "date", "tag", "jour", "dia", "giorno", "showtimes", "sessions", "schedule",
    "horario", "horarios", "horaires", "seances", "orari", "termine",
  ]
  private static let idBytesMin = 10
  private static let idBytesMax = 60
  private static let idDaysMax = 400

  /// The names of what is empty in a part of the page.
  private func emptyPlaces(in item: Int, budget: WorkBudget) throws(ExtractionError) -> Set<String> {
    guard tree[item].end - item <= Self.itemNodesMax else { return [] }
    var names: Set<String> = []
    for place in item..<tree[item].end {
      try budget.spend()
      let node = tree[place]
      if !node.isText, !node.node.classes.isEmpty, node.length <= 2, !tree.isInline(place),
        tree.text(place).trimmedText.isEmpty
      {
        names.insert(tree.name(place))
      }
    }
    return names
  }

  /// From a time up to the item of a list that it stands in.
  private static let itemLevels = 8
  /// Items of one day.
  private static let itemsMax = 24
  private static let itemNodesMax = 200

  /// Showings of a day, in lines of their own.
  static let carriedMax = 24

  /// The date nearest to the time among what this level adds, before it; or behind it, where times come first.
  func atLevel(
    _ outer: Int, inner: Int?, place: TimePlace, grid: (grid: TableGrid, cell: TableGrid.Cell)?, range: Range<Int>,
    level: Int, titleLevel: Int, budget: WorkBudget
  ) throws(ExtractionError) -> Result<[Day], Failure>? {
    if tree[outer].tag == "tr", let spanned = spannedDays(grid) { return .success(spanned) }
    let timeIndex = place.atom
    let innerRange = inner.map { context.range(in: $0) } ?? timeIndex..<timeIndex + 1
    var index = innerRange.lowerBound - 1
    let stop = max(range.lowerBound, innerRange.lowerBound - Self.reach)
    while index >= stop {
      try budget.spend()
      if isDate(index, of: outer, place, grid),
        let found = told(index, level: level, titleLevel: titleLevel, of: place.atom)
      {
        return found
      }
      index -= 1
    }
    if tree[outer].tag == "tr", let marked = markedDays(outer, place, grid) {
      return .success(marked)
    }
    // Cells that reach into this row from above.
    if tree[outer].tag == "tr",
      let found = try fromAbove(outer, place, level: level, titleLevel: titleLevel, budget: budget)
    {
      return found
    }
    if tree[outer].tag == "tr", let (table, cell) = grid {
      try budget.spend(8)
      for other in context.repeated(in: outer, of: cell, table) {
        for index in context.range(in: other.place) where context.atoms[index].isDate && isContext(index) {
          if let found = told(index, level: level, titleLevel: titleLevel) { return found }
        }
      }
    }
    return try behind(
      outer, innerRange, place: place, grid: grid, range: range, level: level, titleLevel: titleLevel, budget: budget)
  }

  /// The date nearest behind the time, where times come first.
  func behind(
    _ outer: Int, _ innerRange: Range<Int>, place: TimePlace, grid: (grid: TableGrid, cell: TableGrid.Cell)?,
    range: Range<Int>, level: Int, titleLevel: Int, budget: WorkBudget
  ) throws(ExtractionError) -> Result<[Day], Failure>? {
    var index = innerRange.upperBound
    let end = min(range.upperBound, innerRange.upperBound + Self.reach)
    /// Up to here it is known whether another's time stands in between.
    var between = place.atom + 1
    while index < end {
      try budget.spend()
      if isDate(index, of: outer, place, grid) {
        if try isInSection(index, of: outer, budget: budget) { return nil }
        guard try timesComeFirst(in: range, budget: budget) else { return nil }
        while between < index {
          try budget.spend()
          if isAnothers(between, place.atom), range.count > Self.fewAtoms { return nil }
          between += 1
        }
        if try isHowLongItRuns(index, below: range.lowerBound, budget: budget) {
          index += 1
          continue
        }
        if let found = told(index, level: level, titleLevel: titleLevel, of: place.atom) { return found }
      }
      if context.atoms[index].isTime, !tree.isInline(outer), level > 3 { break }
      index += 1
    }
    return nil
  }

  /// "7.11.–12.11." behind a time in the list of one of these days: until when the film is shown, and not when this showing is.
  private func isHowLongItRuns(_ index: Int, below part: Int, budget: WorkBudget) throws(ExtractionError) -> Bool {
    guard let run = context.atoms[index].run else { return false }
    for other in (max(0, part - Self.reach)..<part).reversed() where context.atoms[other].isDate {
      try budget.spend()
      guard context.atoms[other].run == nil, !context.strips.contains(other), isContext(other) else { continue }
      guard case .date(let days) = context.atoms[other].kind, days.count == 1, let day = days[0].day,
        !days[0].notes.contains(.inferredFromWeekday)
      else { return false }
      return run.contains(day)
    }
    return false
  }

  /// In so small a part of a page, the times of several elements may share the date behind them.
  static let fewAtoms = 12

  func isAnothers(_ index: Int, _ time: Int) -> Bool {
    context.atoms[index].isTime && context.atoms[index].place != context.atoms[time].place
  }

  /// `10:20 | Film | ○ | × | ○`: the days whose cells in the time's row are marked.
  func markedDays(
    _ row: Int, _ place: TimePlace, _ grid: (grid: TableGrid, cell: TableGrid.Cell)?
  ) -> [Day]? {
    guard let (table, cell) = grid else { return nil }
    var days: [Day] = []
    for other in tree.children(row) where tree[other].length <= Self.markMax {
      guard let mark = table.cell(at: other), mark.place != cell.place else { continue }
      let text = tree.text(other)
      guard Self.marks.contains(text) else { continue }
      // The last head of the column above the row.
      let heads = table.cells.prefix(Self.headsMax).filter {
        $0.columns == mark.columns && $0.rows.lowerBound < cell.rows.lowerBound
      }
      let dated = heads.reversed().lazy.compactMap { head in
        context.range(in: head.place).first { context.atoms[$0].isDate }
      }
      guard let head = dated.first,
        case .success(let found)? = told(head, level: 0, titleLevel: 0), found.count == 1
      else { return nil }
      days += found
    }
    return days.isEmpty ? nil : days
  }

  /// A cell that reaches over the columns of several days is of each of them.
  private func spannedDays(_ grid: (grid: TableGrid, cell: TableGrid.Cell)?) -> [Day]? {
    guard let (table, cell) = grid, cell.columns.count > 1, cell.columns.count <= Self.runMax,
      cell.columns.count < table.width || hasSpans(table)
    else { return nil }
    var days: [Day] = []
    for column in cell.columns {
      let heads = table.cells.prefix(Self.headsMax).filter {
        $0.columns == column..<column + 1 && $0.rows.upperBound <= cell.rows.lowerBound
          && tree[$0.place].length <= Self.headBytesMax
      }
      // Below the number of the day its weekday may stand.
      let dated = heads.reversed().lazy.compactMap { head in
        context.range(in: head.place).first {
          context.atoms[$0].isDate && isContext($0) && !isWeekdayAlone($0)
        }
      }
      guard let head = dated.first, case .success(let found)? = told(head, level: 0, titleLevel: 0), found.count == 1
      else { return nil }
      days += found
    }
    return days
  }

  /// Whether other times of the table stand in cells of several days: then one that has all of them is no heading.
  private func hasSpans(_ table: TableGrid) -> Bool {
    table.cells.prefix(Self.spansMax).contains {
      $0.columns.count > 1 && $0.columns.count < table.width && context.times(in: $0.place) > 0
    }
  }

  private static let spansMax = 256

  /// Cells among which the heads of columns are.
  static let headsMax = 64
  /// A mark with its variation selector.
  static let markMax = 8
  static let marks: Set<String> = ["○", "◯", "〇", "●", "◎", "✓", "✔", "✔︎", "O", "◉"]

  func isDate(
    _ index: Int, of outer: Int, _ place: TimePlace, _ grid: (grid: TableGrid, cell: TableGrid.Cell)?
  ) -> Bool {
    let atom = context.atoms[index]
    guard atom.isDate, !context.strips.contains(index), !tree[atom.place].isChrome else { return false }
    // What stands in a part with times of its own is theirs.
    guard context.isFree(atom.place, in: outer) else { return false }
    if let (table, cell) = grid, let header = context.cell(of: atom.place, in: table),
      !table.speaks(header, of: cell)
    {
      return false
    }
    return isContext(index)
  }

  /// Whether in a part of the page the first time stands before the first date and none behind the last: dates follow
  /// their times. It is asked for each time in the part, so what was found is kept.
  func timesComeFirst(in range: Range<Int>, budget: WorkBudget) throws(ExtractionError) -> Bool {
    if let known = sections.timesFirst[range] { return known }
    var comeFirst = true
    for other in range {
      try budget.spend()
      if context.atoms[other].isTime { break }
      if context.atoms[other].isDate, !context.strips.contains(other), isContext(other) {
        comeFirst = false
        break
      }
    }
    if comeFirst, let first = range.first(where: { context.atoms[$0].isTime }) {
      let kind = tree.signature(context.atoms[first].place)
      for other in range.reversed() {
        try budget.spend()
        if context.atoms[other].isDate, !context.strips.contains(other), isContext(other) { break }
        // What is alike the first of the times stands under the date before it.
        guard context.atoms[other].isTime else { continue }
        try budget.spend(8)
        if tree.signature(context.atoms[other].place) == kind {
          comeFirst = false
          break
        }
      }
    }
    sections.timesFirst[range] = comeFirst
    return comeFirst
  }

  func fromAbove(
    _ row: Int, _ place: TimePlace, level: Int, titleLevel: Int, budget: WorkBudget
  ) throws(ExtractionError) -> Result<[Day], Failure>? {
    guard let (table, cell) = context.grid(around: row, of: place.path[0])
    else { return nil }
    try budget.spend(table.tall.count / 8)
    for other in table.above(cell) where context.times(in: other.place) == 0 {
      for index in context.range(in: other.place) where context.atoms[index].isDate && isContext(index) {
        if let found = told(index, level: level, titleLevel: titleLevel, of: place.atom) { return found }
      }
    }
    return nil
  }

  /// The one day that the links of the time's item name: `/films/silt?date=2026-11-24`, `/events/2026/11/24/silt`.
  private func dayOfItem(_ place: TimePlace, budget: WorkBudget) throws(ExtractionError) -> CivilDate? {
    for item in place.path.prefix(Self.linkedLevels) {
      guard tree[item].tag != "body", tree[item].end - item <= Self.itemNodesMax else { return nil }
      try budget.spend(tree[item].end - item)
      let links = (item..<tree[item].end).lazy.compactMap { tree[$0].node["href"] }
      let days = Set(
        links.compactMap { link in
          AddressDate.of(link).flatMap { isNamed($0, by: link) ? $0 : nil }
        })
      if !days.isEmpty { return days.count == 1 ? days.first : nil }
    }
    return nil
  }

  /// A path may have the day on which it was written, which is over.
  private func isNamed(_ day: CivilDate, by link: String) -> Bool {
    let ahead = day - clock.captured
    if let query = link.firstPlace(of: "?"), AddressDate.of(String(link[query.upperBound...])) == day {
      return abs(ahead) <= Self.linkedDaysMax
    }
    return (1...Self.linkedDaysMax).contains(ahead)
  }

  private static let linkedLevels = 8
  private static let linkedDaysMax = 300

  func linkDate(_ place: TimePlace) -> CivilDate? {
    for at in place.path.prefix(4) {
      if let href = tree[at].node["href"], let date = AddressDate.of(href), abs(date - clock.captured) <= 400 {
        return date
      }
    }
    return nil
  }
}

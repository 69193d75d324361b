import Calendars
import Clocks
import HTML

/// Finds the date that a time stands under.
struct DateFinder {
  struct Start {
    var found: FoundTime
    var end: FoundTime?
    var printed: ServiceTime?
    var trust: Double
    var isInferred = false
    /// The page says a weekday and no date.
    var isOfWeekday = false
    /// The atom that tells the date, where it stands apart from the time.
    var source: Int?
  }

  struct Failure: Error { var why: String }

  let context: PageContext
  let clock: PageClock
  let addressDate: CivilDate?
  private var tree: PageTree { context.tree }

  /// How far from a time its date may stand, in atoms.
  private static let reach = 400
  /// A weekend and the day before it.
  private static let headedDaysMax = 3
  /// A cinema's week, twice.
  private static let runMax = 15
  /// Behind a run its times stand, then what it leaves out.
  private static let closingReach = 24

  init(context: PageContext, clock: PageClock, addressDate: CivilDate?) {
    self.context = context
    self.clock = clock
    self.addressDate = addressDate
  }

  /// All starts that a time stands for: one as a rule, more under a run of days.
  mutating func starts(
    of place: TimePlace, titleLevel: Int, bare: BareClock, budget: WorkBudget
  ) throws(ExtractionError) -> Result<[Start], Failure> {
    let atom = context.atoms[place.atom]
    switch atom.kind {
    case .moment(let moment):
      guard let found = clock.found(moment) else { return .failure(Failure(why: "it has no date")) }
      return .success([Start(found: found, trust: 1)])
    case .both: return both(atom, place.atom, bare)
    case .times(let times):
      guard times.indices.contains(place.index) else { return .success([]) }
      switch try days(of: place, titleLevel: titleLevel, budget: budget) {
      case .failure(let failure): return .failure(failure)
      case .success(let dates):
        let closed = dates.count > 1 ? leftOut(beside: place, titleLevel: titleLevel) : []
        let weekdays = weekdays(before: place)
        if let weekdays, !dates.contains(where: { weekdays.contains($0.date.weekday) }) {
          return .failure(Failure(why: "no day above it is of the weekday that it says"))
        }
        return .success(
          dates.filter { !closed.contains($0.date) && weekdays?.contains($0.date.weekday) != false }.map { day in
            let meant = bare.meant(place.atom, place.index)
            var start = start(times[place.index], on: day.date, trust: day.trust, meant: meant)
            start.source = day.source
            start.isOfWeekday = day.source.map(isWeekdayAlone) ?? false
            return start
          })
      }
    default: return .success([])
    }
  }

  /// The same under a date that is known.
  func starts(of place: TimePlace, under date: Int, bare: BareClock) -> Result<[Start], Failure> {
    guard case .times(let times) = context.atoms[place.atom].kind,
      times.indices.contains(place.index),
      let told = told(date, level: 0, titleLevel: 0)
    else { return .failure(Failure(why: "it stands under no date")) }
    return told.map { days in
      days.map { day in
        var start = start(
          times[place.index], on: day.date, trust: day.trust,
          meant: bare.meant(place.atom, place.index))
        start.source = day.source
        return start
      }
    }
  }

  private func both(_ atom: PageAtom, _ index: Int, _ bare: BareClock) -> Result<[Start], Failure> {
    guard let line = atom.line else { return .success([]) }
    if let found = within(line, index, bare) { return .success(found) }
    if let alarm = line.alarms.first { return .failure(Failure(why: alarm.description)) }
    // "Monday to Friday 10:00" are the hours of every week.
    if line.days.contains(where: { $0.day == nil && $0.notes.contains(.inferredFromWeekday) }) {
      return .failure(Failure(why: "its weekdays are of no week in particular"))
    }
    let showings = line.showings
    // "18:30 Fri, 20 Nov 2026": one date, which stands behind its times.
    if showings.isEmpty, !line.isClosed, let day = line.day {
      let found = line.times.enumerated().map { place, time in
        var start = start(time, on: day, trust: 0.97, meant: bare.meant(index, place))
        start.isOfWeekday = isWeekdayAlone(index)
        return start
      }
      if !found.isEmpty { return .success(found) }
    }
    // "Fri 11/20: 4:15, 7:00"
    if bare.isTwelveHour, !line.isClosed, let day = line.day, showings.count == line.times.count {
      return .success(
        line.times.enumerated().map { place, time in
          start(time, on: day, trust: 1, meant: bare.meant(index, place))
        })
    }
    if showings.isEmpty { return .failure(Failure(why: "no time stands under a date in it")) }
    return .success(
      showings.map { showing in
        Start(
          found: clock.found(showing.startsAt), end: showing.endsAt.map { clock.found($0) },
          printed: showing.time.time.isAfterMidnight ? showing.time : nil,
          trust: showing.confidence.trust, isInferred: showing.notes.contains(.inferredServiceDay),
          isOfWeekday: showing.notes.contains(.inferredFromWeekday) && weekBefore(index) == nil)
      })
  }

  /// "Mon–Thu: 7:00" under a heading that says which week is meant.
  private func within(_ line: PrintedLine, _ index: Int, _ bare: BareClock) -> [Start]? {
    guard !line.times.isEmpty, line.rest.isEmpty, line.times.allSatisfy({ $0.minutesLong == nil }),
      line.days.isEmpty, line.exceptions.isEmpty, !line.isClosed, line.alarms.count == 1,
      let alarm = line.alarms.first, alarm.kind == .weekdaysWithoutDates, let week = weekBefore(index),
      let weekdays = weekdays(in: alarm.text)
    else { return nil }
    return week.filter { weekdays.contains($0.weekday) }.flatMap { day in
      line.times.enumerated().map { place, time in
        start(time, on: day, trust: 0.85, meant: bare.meant(index, place))
      }
    }
  }

  private static func weekdays(of days: [PrintedDays]) -> Set<Weekday> {
    var found: Set<Weekday> = []
    for days in days {
      guard let first = days.first, let last = days.last, first <= last else { continue }
      for date in (first...last).prefix(7) { found.insert(date.weekday) }
    }
    return found
  }

  /// "Fri–Sat", "Mon, Wed & Thu"
  private func weekdays(in text: String) -> Set<Weekday>? {
    var found: Set<Weekday> = []
    let dashes: Set<Unicode.Scalar> = ["-", "–", "—", "~", "～", "〜"]
    let stops: Set<Unicode.Scalar> = [",", "&", "+", "/", "、", "・"]
    for part in text.unicodeScalars.split(whereSeparator: stops.contains) {
      let ends = part.split(whereSeparator: dashes.contains).map { weekday(String(Substring($0)).trimmedText) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
      for days in 0..<7 {
        found.insert(first.adding(days: days))
        if first.adding(days: days) == last { break }
      }
    }
    return found.isEmpty ? nil : found
  }

  private func weekday(_ text: String) -> Weekday? {
    let days = clock.printed.read(text, expecting: .dates).groups.flatMap(\.days)
    guard days.count == 1, days[0].notes.contains(.inferredFromWeekday) else { return nil }
    return days[0].day?.weekday
  }

  /// "Sun: 1:30, 4:15": what stands before the times is a weekday, which is too short to be a date by itself.
  private func weekdays(before place: TimePlace) -> Set<Weekday>? {
    guard let lead = context.atoms[place.atom].line?.lead, !lead.isEmpty, lead.utf8.count <= Self.weekdaysMax,
      PageWords.isLabel(lead) || lead.utf8.count <= 4
    else { return nil }
    let listing = clock.printed.read(lead, expecting: .dates)
    let days = listing.groups.flatMap(\.days)
    guard listing.alarms.isEmpty, !days.isEmpty,
      days.allSatisfy({ $0.notes.contains(.inferredFromWeekday) })
    else { return nil }
    return Self.weekdays(of: days)
  }

  /// A weekday's name, in any language.
  private static let weekdaysMax = 24

  /// - Parameter meant: the time of the afternoon, where a clock of twelve hours prints one of the morning.
  private func start(_ time: PrintedTime, on date: CivilDate, trust: Double, meant: DisplayTime?) -> Start {
    let start = meant ?? time.start
    let trust = trust * (meant == nil ? time.confidence.trust : 0.8)
    let place = ServiceTime(date, start)
    let found = clock.found(place.civil)
    var end: FoundTime?
    if let minutes = time.minutesLong, let instant = found.instant {
      end = clock.found(WallTime(milliseconds: instant.milliseconds + Int64(minutes) * 60_000))
    }
    return Start(
      found: found, end: end, printed: start.isAfterMidnight ? place : nil, trust: trust,
      isInferred: meant == nil && time.notes.contains(.inferredServiceDay))
  }

  // MARK: Climbing

  private typealias Day = (date: CivilDate, trust: Double, source: Int?)

  private func days(
    of place: TimePlace, titleLevel: Int, budget: WorkBudget
  ) throws(ExtractionError) -> Result<[Day], Failure> {
    var inner: Int?
    for (level, outer) in place.path.enumerated() {
      try budget.spend(4)
      if let label = context.labelled[outer], context.atoms[label].isDate,
        let found = told(label, level: level, titleLevel: titleLevel, of: place.atom)
      {
        return found
      }
      // The attribute of an element around it.
      let range = context.range(in: outer)
      if let own = range.first(where: {
        context.atoms[$0].place == outer && context.atoms[$0].isDate && context.atoms[$0].isOfContent
      }), !context.strips.contains(own),
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
      inner = outer
    }
    if let carried = carried(to: place) { return .success([carried]) }
    if let active = context.activeDate, let found = told(active, level: 99, titleLevel: titleLevel) { return found }
    if let link = linkDate(place) { return .success([(link, 0.95, nil)]) }
    if let addressDate { return .success([(addressDate, 0.95, nil)]) }
    return .failure(Failure(why: "it stands under no date"))
  }

  /// Lines of one text, of which the first of a day begins with it: `Fri 20  6.00  Film`, and below it `8.30  Film`.
  private func carried(to place: TimePlace) -> Day? {
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

  /// Showings of a day, in lines of their own.
  private static let carriedMax = 24

  /// The date nearest to the time among what this level adds, before it; or behind it, where times come first.
  private func atLevel(
    _ outer: Int, inner: Int?, place: TimePlace, grid: (grid: TableGrid, cell: TableGrid.Cell)?, range: Range<Int>,
    level: Int, titleLevel: Int, budget: WorkBudget
  ) throws(ExtractionError) -> Result<[Day], Failure>? {
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
    index = innerRange.upperBound
    let end = min(range.upperBound, innerRange.upperBound + Self.reach)
    while index < end {
      try budget.spend()
      if isDate(index, of: outer, place, grid), comesFirst(timeIndex, range, datesFrom: index),
        let found = told(index, level: level, titleLevel: titleLevel, of: place.atom)
      {
        return found
      }
      if context.atoms[index].isTime, !tree.isInline(outer), level > 3 { break }
      index += 1
    }
    return nil
  }

  /// `10:20 | Film | ○ | × | ○`: the days whose cells in the time's row are marked.
  private func markedDays(
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

  /// Cells among which the heads of columns are.
  private static let headsMax = 64
  /// A mark with its variation selector.
  private static let markMax = 8
  private static let marks: Set<String> = ["○", "◯", "〇", "●", "◎", "✓", "✔", "✔︎", "O", "◉"]

  private func isDate(
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

  /// Whether a date heads what follows: it is all that is said, or said of the programme.
  private func isContext(_ index: Int) -> Bool {
    let atom = context.atoms[index]
    for above in tree.path(atom.place).prefix(3)
    where tree[above].words.contains(where: { PageWords.otherDateClasses.contains($0) }) { return false }
    switch atom.kind {
    case .dayNumber: return isDayNumber(index)
    case .badDate: return atom.text.utf8.count <= 80
    case .date(let days):
      if let date = days.first?.first ?? days.first?.last {
        // Films of 1979 are not shown in 1979.
        guard abs(date - clock.captured) <= 500 else { return false }
      }
      if days.count == 1, days[0].day != nil, isFact(index) { return false }
      guard let line = atom.line else { return true }
      if line.isClosed { return false }
      if line.rest.isEmpty { return true }
      if PageWords.isOtherDate(line.rest) { return false }
      return PageWords.isLabel(line.rest) || line.rest.utf8.count <= 40 && isHeading(atom.place)
    default: return false
    }
  }

  private func isWeekdayAlone(_ index: Int) -> Bool {
    let days: [PrintedDays]
    switch context.atoms[index].kind {
    case .date(let found): days = found
    default: days = context.atoms[index].line?.days ?? []
    }
    return days.contains { $0.notes.contains(.inferredFromWeekday) } && weekBefore(index) == nil
  }

  private static let dayWords: Set<String> = [
    "day", "date", "d", "num", "number", "dia", "tag", "giorno", "jour", "dag", "datum", "daynum",
    "daynumber", "cal",
    "calendar", "fecha", "data",
  ]

  /// A bare "15" is a day in a calendar's cell, beside a month or a weekday, or where a class says so; else it may be
  /// who is let in, or a screen.
  private func isDayNumber(_ index: Int) -> Bool {
    let place = context.atoms[index].place
    let path = tree.path(place).prefix(3)
    if path.contains(where: {
      tree[$0].words.contains(where: PageWords.certificateClasses.contains)
    }) {
      return false
    }
    if path.contains(where: { tree[$0].tag == "td" || tree[$0].tag == "th" }) { return true }
    if path.contains(where: { tree[$0].words.contains(where: Self.dayWords.contains) }) {
      return true
    }
    for other in [index - 1, index + 1] where context.atoms.indices.contains(other) {
      if case .month = context.atoms[other].kind { return true }
      if hasWeekday(context.atoms[other].text) { return true }
    }
    return false
  }

  /// "18 novembre 2026 | 1h 58min | Drame": what stands in one line with a length is when the film came out.
  private func isFact(_ index: Int) -> Bool {
    let place = context.atoms[index].place
    guard let block = tree.path(place).first(where: { !tree.isInline($0) }), tree[block].length <= 160,
      context.times(in: block) == 0
    else { return false }
    return PageWords.tellsLength(tree.text(block)) && !hasWeekday(context.atoms[index].text)
  }

  private func isHeading(_ place: Int) -> Bool {
    tree.path(place).prefix(3).contains { at in
      switch tree[at].tag {
      case "h1", "h2", "h3", "h4", "h5", "h6", "th", "caption", "dt", "summary", "legend", "strong", "b": true
      default: tree[at].words.contains { $0 == "date" || $0 == "day" || $0 == "datum" }
      }
    }
  }

  /// In what is around, the first time stands before the first date: dates follow their times.
  private func comesFirst(_ timeIndex: Int, _ range: Range<Int>, datesFrom index: Int) -> Bool {
    for other in range {
      if context.atoms[other].isTime { break }
      if context.atoms[other].isDate, !context.strips.contains(other), isContext(other) { return false }
    }
    // Nobody else's time stands in between.
    for other in timeIndex + 1..<max(index, timeIndex + 1) where context.atoms[other].isTime {
      if context.atoms[other].place != context.atoms[timeIndex].place, range.count > 12 { return false }
    }
    return true
  }

  private func fromAbove(
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

  // MARK: Telling

  private func told(
    _ index: Int, level: Int, titleLevel: Int, of time: Int? = nil
  ) -> Result<[Day], Failure>? {
    let atom = context.atoms[index]
    switch atom.kind {
    case .badDate(let alarm): return .failure(Failure(why: alarm.description))
    case .dayNumber(let day):
      guard let (year, month) = monthBefore(index) else { return nil }
      guard let date = dated(year, month, day) else { return nil }
      return .success([(date, 0.95, index)])
    case .date(let days):
      if days.count == 1, let day = days[0].day {
        if days[0].notes.contains(.inferredMonth) {
          guard let (year, month) = monthBefore(index), let date = dated(year, month, day.day) else {
            return .success([(day, 0.9, index)])
          }
          // A weekday that was printed says whether the month is right.
          if atom.text.hasLetters, let stated = PrintedLine("\(atom.text)", clock: clock)?.day,
            stated.weekday != date.weekday, atom.line?.rest.isEmpty ?? false, hasWeekday(atom.text)
          {
            return .failure(Failure(why: "\(atom.text) is no such weekday in its month"))
          }
          return .success([(date, 0.95, index)])
        }
        if days[0].notes.contains(.inferredFromWeekday), let week = weekBefore(index) {
          if let date = week.first(where: { $0.weekday == day.weekday }) { return .success([(date, 0.95, index)]) }
        }
        return .success([(day, days[0].confidence == .doubtful ? 0.7 : 1, index)])
      }
      if days.count > 1, days.allSatisfy({ $0.day != nil }) {
        // "21 & 22 Nov" over several films speaks of all where it is their heading.
        guard level <= titleLevel + 1 || days.count <= Self.headedDaysMax && isHeading(atom.place) else { return nil }
        return .success(days.compactMap(\.day).map { ($0, 0.95, index) })
      }
      // A run of days stands for each only where it is the film's own.
      let isOwn = level <= titleLevel || headsTable(atom.place)
      guard isOwn || time.map({ heads(index, $0) }) ?? false, days.count == 1,
        !days[0].notes.contains(.inferredFromWeekday),
        let first = days[0].first, let last = days[0].last,
        last - first < Self.runMax, last >= first
      else { return nil }
      // Behind a heading over several films stands what one of them leaves out.
      let exceptions = (atom.line?.exceptions ?? []) + (isOwn ? closings(beside: index) : [])
      let left = (first...last).filter { date in
        !exceptions.contains { ($0.first ?? date) <= date && date <= ($0.last ?? date) }
      }
      return .success(left.map { ($0, 0.85, index) })
    default: return nil
    }
  }

  /// Whether a run of days heads a part of the page, the time in it, that names no day of its own: what is listed
  /// there is shown on each of them.
  private func heads(_ index: Int, _ time: Int) -> Bool {
    if let end = sections.ends[index] { return time > index && time < end }
    let end = sectionEnd(of: index)
    sections.ends[index] = end
    return time > index && time < end
  }

  /// Where the part that a heading heads ends: at the next of its kind. Zero if it has dates of its own.
  private func sectionEnd(of index: Int) -> Int {
    let place = context.atoms[index].place
    guard let heading = tree.path(place).prefix(3).first(where: { Self.headings.contains(tree[$0].tag) }) else {
      return 0
    }
    let isCaption = tree[heading].tag == "caption"
    let whole = isCaption ? tree[tree[heading].parent].end : tree.nodes.count
    for other in context.atoms.indices.dropFirst(index + 1).prefix(Self.reach) {
      let at = context.atoms[other].place
      if at >= whole || tree[at].isChrome { return other }
      if at >= tree[heading].end, tree.path(at).prefix(3).contains(where: { tree[$0].tag == tree[heading].tag }) {
        return other
      }
      // Its own days, or days to choose from: what is shown differs from one to the next.
      if context.atoms[other].isDate, isContext(other) { return 0 }
    }
    return min(index + Self.reach, context.atoms.count)
  }

  private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "caption"]

  /// Where the parts end that runs of days head, by the atom of the run.
  private final class Sections { var ends: [Int: Int] = [:] }
  private let sections = Sections()

  /// "※11/24(火)は休映" in the part of the page that has the time and its title.
  private func leftOut(beside place: TimePlace, titleLevel: Int) -> Set<CivilDate> {
    var found: Set<CivilDate> = []
    let outer = place.path[min(max(titleLevel, 1), place.path.count - 1)]
    for other in context.range(in: outer).prefix(Self.closingReach) where other != place.atom {
      guard let line = context.atoms[other].line else { continue }
      for days in line.exceptions + (line.isClosed ? line.days : []) {
        guard let first = days.first, let last = days.last ?? days.first, last >= first, last - first < Self.runMax
        else { continue }
        found.formUnion(first...last)
      }
    }
    return found
  }

  /// A table's own heading: a cell over its whole width, or its caption.
  private func headsTable(_ place: Int) -> Bool {
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

  /// "※11/24(火)は休映" beside a film's run: days that it leaves out, up to the next run.
  private func closings(beside index: Int) -> [PrintedDays] {
    var found: [PrintedDays] = []
    for other in context.atoms[(index + 1)...].prefix(Self.closingReach) {
      if let line = other.line, !line.exceptions.isEmpty {
        found += line.exceptions
        continue
      }
      guard case .date(let days) = other.kind else { continue }
      if other.line?.isClosed == true {
        found += days
      } else if days.contains(where: { $0.day == nil }) {
        break
      }
    }
    return found
  }

  private func hasWeekday(_ text: String) -> Bool {
    let withoutDigits = String(
      String.UnicodeScalarView(text.unicodeScalars.filter { !(0x30...0x39).contains($0.value) })
    ).trimmedText
    return PrintedLine(withoutDigits, clock: clock)?.days.first?.notes.contains(.inferredFromWeekday) ?? false
  }

  private func monthBefore(_ index: Int) -> (Int?, Int)? {
    for other in (max(0, index - 3_000)..<index).reversed() {
      if case .month(let year, let month) = context.atoms[other].kind { return (year, month) }
    }
    // Or right behind the number: "21 <span>Nov</span>".
    if index + 1 < context.atoms.count, case .month(let year, let month) = context.atoms[index + 1].kind {
      return (year, month)
    }
    return nil
  }

  private func dated(_ year: Int?, _ month: Int, _ day: Int) -> CivilDate? {
    if let year { return CivilDate(year: year, month: month, day: day) }
    let years = [clock.captured.year, clock.captured.year + 1, clock.captured.year - 1]
    return years.compactMap { CivilDate(year: $0, month: month, day: day) }.first {
      $0 >= clock.captured - 31 && $0 <= clock.captured + 300
    }
  }

  /// A week that is printed above: its Friday is not the next one, but its own.
  private func weekBefore(_ index: Int) -> ClosedRange<CivilDate>? {
    for other in (max(0, index - 3_000)..<index).reversed() {
      guard case .date(let days) = context.atoms[other].kind, days.count == 1, let first = days[0].first,
        let last = days[0].last, first < last, last - first < 7
      else { continue }
      return first...last
    }
    return nil
  }

  private func linkDate(_ place: TimePlace) -> CivilDate? {
    for at in place.path.prefix(4) {
      if let href = tree[at].node["href"], let date = AddressDate.of(href), abs(date - clock.captured) <= 400 {
        return date
      }
    }
    return nil
  }
}

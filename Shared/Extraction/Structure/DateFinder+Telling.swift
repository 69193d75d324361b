import Calendars

/// The days that a date on the page means, with the month or the week that stands above it.
extension DateFinder {
  func told(
    _ index: Int, level: Int, titleLevel: Int, of time: Int? = nil
  ) -> Result<[Day], Failure>? {
    let atom = context.atoms[index]
    switch atom.kind {
    case .badDate(let alarm):
      return ofWeek(atom, index).map { .success($0) } ?? .failure(Failure(why: alarm.description))
    case .dayNumber(let day):
      if let date = attributeDay(around: atom.place, number: day) { return .success([(date, 0.95, index)]) }
      // The week above tells the month as well.
      if let date = weekBefore(index)?.first(where: { $0.day == day }) { return .success([(date, 0.95, index)]) }
      guard let (year, month) = monthBefore(index), let date = dated(year, month, day, step: context.monthSteps[index])
      else { return nil }
      return .success([(date, 0.95, index)])
    case .date(let printed):
      let days = printed.map { ofMonthBefore($0, index) ?? $0 }
      // "Domingo a jueves:" below a week.
      if days.count > 1 || days[0].day == nil, let found = ofWeek(atom, index) { return .success(found) }
      if days.count == 1, let day = days[0].day {
        if days[0].notes.contains(.inferredMonth) {
          guard let (year, month) = monthBefore(index), let date = dated(year, month, day.day) else {
            return .success([(day, 0.9, index)])
          }
          // A weekday that was printed says whether the month is right.
          if atom.text.hasLetters, let stated = PrintedLine("\(atom.text)", clock: clock)?.day,
            stated.weekday != date.weekday, atom.line?.rest.isEmpty ?? false, clock.hasWeekday(atom.text)
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
        guard
          level <= titleLevel + 1 || days.count <= Self.headedDaysMax && isHeading(atom.place)
            || headsTable(atom.place) || time.map({ standsOver(index, $0) }) ?? false
        else { return nil }
        return .success(days.compactMap(\.day).map { ($0, 0.95, index) })
      }
      // A run of days stands for each only where it is the film's own.
      let isOwn = level <= titleLevel || headsTable(atom.place)
      guard
        isOwn
          || time.map({ heads(index, $0) || standsOver(index, $0) || headsColumn(index, $0) || headsRow(index, $0) })
            ?? false,
        days.count == 1,
        !days[0].notes.contains(.inferredFromWeekday),
        let first = days[0].first, let last = days[0].last,
        last - first < Self.runMax, last >= first
      else { return nil }
      // Behind a heading over several films stands what one of them leaves out.
      let exceptions = (atom.line?.exceptions ?? []) + (isOwn ? closings(beside: index) : [])
      let closed = isOwn ? [] : weekdaysClosed(below: index)
      let left = (first...last).filter { date in
        !closed.contains(date.weekday)
          && !exceptions.contains { ($0.first ?? date) <= date && date <= ($0.last ?? date) }
      }
      return .success(left.map { ($0, 0.85, index) })
    default: return nil
    }
  }

  /// "1（日）～3（火）" in a row of "3月": what the capture took for another month's, whose days have the same weekdays.
  private func ofMonthBefore(_ days: PrintedDays, _ index: Int) -> PrintedDays? {
    guard days.day == nil, days.notes.contains(.inferredMonth), let first = days.first, let last = days.last,
      last.month == first.month, let (year, month) = monthBefore(index), month != first.month,
      let start = dated(year, month, first.day), let end = dated(year, month, last.day), start < end,
      start.weekday == first.weekday, end.weekday == last.weekday
    else { return nil }
    return PrintedDays(first: start, last: end, notes: days.notes, text: days.text)
  }

  /// "Viernes y sábado:" below a week: these of its days.
  private func ofWeek(_ atom: PageAtom, _ index: Int) -> [Day]? {
    guard let weekdays = atom.line?.weekdaysAlone, let week = weekBefore(index) else { return nil }
    let found = week.days { weekdays.contains($0) }
    return found.isEmpty ? nil : found.map { ($0, 0.9, index) }
  }

  /// "Sun: 2:00 & 7:00" below a week that heads it from further up: its Sunday.
  func ofWeek(_ weekdays: Set<Weekday>, before index: Int) -> [CivilDate]? {
    guard let found = weekBefore(index)?.days(where: { weekdays.contains($0) }), !found.isEmpty else { return nil }
    return found
  }

  /// "Todos los días:" before a time, below a week.
  func daily(_ place: TimePlace) -> [Day]? {
    let atom = context.atoms[place.atom]
    let isDaily: Bool
    if let lead = atom.line?.lead, !lead.isEmpty {
      isDaily = PrintedLine.isDaily(lead)
    } else {
      isDaily =
        place.atom > 0 && context.atoms[place.atom - 1].isWords
        && PrintedLine.isDaily(context.atoms[place.atom - 1].text)
        && tree.path(context.atoms[place.atom - 1].place).first { !tree.isInline($0) }
          == place.path.first { !tree.isInline($0) }
    }
    guard isDaily, let week = weekBefore(place.atom) else { return nil }
    return week.map { ($0, 0.85, nil) }
  }

  func monthBefore(_ index: Int) -> (Int?, Int)? {
    if let over = monthOver(index) { return over }
    let before = context.months[index]
    if let own = monthInRow(behind: index, before) { return own }
    if before >= 0, index - before <= Self.contextReach, case .month(let year, let month) = context.atoms[before].kind {
      return (year, month)
    }
    // Or right behind the number: "21 <span>Nov</span>".
    if index + 1 < context.atoms.count, case .month(let year, let month) = context.atoms[index + 1].kind {
      return (year, month)
    }
    return nil
  }

  /// "Tue | 4 | August": the month in the day's own row, where the one before it stands in a row above.
  private func monthInRow(behind index: Int, _ before: Int) -> (Int?, Int)? {
    guard index + 1 < context.atoms.count, case .month(let year, let month) = context.atoms[index + 1].kind,
      let row = tree.path(context.atoms[index].place).first(where: { tree[$0].tag == "tr" }),
      tree.contains(row, context.atoms[index + 1].place),
      before < 0 || !tree.contains(row, context.atoms[before].place)
    else { return nil }
    return (year, month)
  }

  /// The month in the cell over a day's, where a table has several side by side.
  private func monthOver(_ index: Int) -> (Int?, Int)? {
    let place = context.atoms[index].place
    guard let table = context.table(around: place), let grid = context.grid(table),
      let cell = context.cell(of: place, in: grid)
    else { return nil }
    for head in grid.cells.prefix(Self.headsMax).reversed()
    where head.rows.upperBound <= cell.rows.lowerBound && head.columns.overlaps(cell.columns)
      && head.columns.count < grid.width && tree[head.place].length <= Self.headBytesMax
    {
      for index in context.range(in: head.place) {
        if case .month(let year, let month) = context.atoms[index].kind { return (year, month) }
      }
    }
    return nil
  }

  /// - Parameter step: 1 of a day in the month behind the one that is printed, -1 in the one before it.
  func dated(_ year: Int?, _ month: Int, _ day: Int, step: Int? = nil) -> CivilDate? {
    if let step, step != 0 {
      let other = month - 1 + step
      return dated(year.map { $0 + (other < 0 ? -1 : other / 12) }, (other + 12) % 12 + 1, day)
    }
    if let year { return CivilDate(year: year, month: month, day: day) }
    let years = [clock.captured.year, clock.captured.year + 1, clock.captured.year - 1]
    return years.compactMap { CivilDate(year: $0, month: month, day: day) }.first {
      $0 >= clock.captured - 31 && $0 <= clock.captured + 300
    }
  }

  /// A week that is printed above: its Friday is not the next one, but its own.
  func weekBefore(_ index: Int) -> ClosedRange<CivilDate>? {
    let before = context.weeks[index]
    return before >= 0 && index - before <= Self.contextReach ? context.atoms[before].week : programmeWeek
  }

  /// So many parts of a page further down, another programme has begun.
  private static let contextReach = 3_000

  /// `<td data-date="2026-08-30"><div>30</div>`: of which month a number is, its cell says to programs.
  private func attributeDay(around place: Int, number: Int) -> CivilDate? {
    for outer in tree.path(place).dropFirst().prefix(Self.numberLevels) where !tree[outer].isText {
      for index in context.range(in: outer).prefix(while: { context.atoms[$0].place == outer }) {
        guard case .date(let days) = context.atoms[index].kind, context.atoms[index].isOfContent, days.count == 1,
          let date = days[0].day
        else { continue }
        return date.day == number ? date : nil
      }
    }
    return nil
  }

  /// From a number up to its cell.
  private static let numberLevels = 5
}

extension PageAtom {
  /// The days from a first to a last one, both with their dates.
  var run: ClosedRange<CivilDate>? {
    guard case .date(let days) = kind, days.count == 1, days[0].day == nil, let first = days[0].first,
      let last = days[0].last, first < last, !days[0].notes.contains(.inferredFromWeekday)
    else { return nil }
    return first...last
  }

  /// The week that it is the heading of; "Domingo a jueves" is a part of one.
  var week: ClosedRange<CivilDate>? {
    guard case .date(let days) = kind, days.count == 1, let first = days[0].first, let last = days[0].last,
      first <= last, last - first <= 7, !days[0].notes.contains(.inferredFromWeekday)
    else { return nil }
    if first == last { return opensWeek ? first...(first + 6) : nil }
    return first...last
  }
}

extension ClosedRange<CivilDate> {
  /// The days of a week that are among some weekdays. From a Thursday to the next, "Mon–Thu" means the last one, and
  /// "Thu–Sun" or "Thu" alone the first.
  fileprivate func ends(_ weekdays: (Weekday) -> Bool) -> (first: Bool, last: Bool) {
    let edge = lowerBound.weekday
    guard upperBound - lowerBound == 7, weekdays(edge) else { return (true, true) }
    let (goesOn, leadsThere) = (weekdays(edge.adding(days: 1)), weekdays(edge.adding(days: -1)))
    return (goesOn || !leadsThere, leadsThere)
  }

  func days(where weekdays: (Weekday) -> Bool) -> [CivilDate] {
    let ends = ends(weekdays)
    return filter { day in
      weekdays(day.weekday) && (day != lowerBound || ends.first) && (day != upperBound || ends.last)
    }
  }
}

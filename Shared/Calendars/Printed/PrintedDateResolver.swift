/// Makes days of partial dates: the year from the weekday and the capture, the month from its neighbours.
struct PrintedDateResolver {
  struct Limits: Sendable {
    /// Of a month's programme the first weeks are over.
    var daysBack = 31
    /// A festival announces itself ten months ahead; more, and the year could be another one.
    var daysAhead = 300
    /// A page that prints days without months is about this month and the next, and still shows last week.
    var daysAheadWithoutMonth = 45
    var daysBackWithoutMonth = 7
  }

  let captured: CivilDate
  /// What the text calls today.
  let today: CivilDate
  let isAfterMidnight: Bool
  var limits = Limits()

  /// What a date is near to.
  enum Anchor {
    case capture
    /// The first such date on or after this one.
    case onOrAfter(CivilDate)
    /// The last such date on or before this one.
    case onOrBefore(CivilDate)
  }

  struct Resolved {
    var date: CivilDate
    var notes: Set<PrintedNote>
  }

  struct Refusal: Error {
    var kind: PrintedAlarm.Kind
    var candidates: [CivilDate] = []
  }

  func resolve(_ partial: PartialDate, near anchor: Anchor) throws(Refusal) -> Resolved {
    if let days = partial.relative {
      let notes: Set<PrintedNote> = isAfterMidnight ? [.relativeDay, .capturedAfterMidnight] : [.relativeDay]
      return try checked(today + days, partial.weekdays, notes)
    }
    guard let day = partial.day else { return try weekdayAlone(partial.weekdays, near: anchor) }
    guard let month = partial.month else { return try dayAlone(day, partial.weekdays, near: anchor) }

    if partial.mayBeTuesday, let tuesday = tuesday(day, near: anchor) { return tuesday }
    let orders = [(month, day)] + (partial.other.map { [($0.month, $0.day)] } ?? [])
    if let year = partial.year {
      let dates = orders.compactMap { CivilDate(year: year, month: $0.0, day: $0.1) }
      guard let first = dates.first else { throw Refusal(kind: .noSuchDay) }
      if dates.count == 1 { return try checked(first, partial.weekdays, []) }
      return try only(dates, partial.weekdays, notes: [])
    }
    // Which of the two numbers is the day, what is over does not say.
    let range = window(anchor, back: partial.other == nil ? limits.daysBack : limits.daysBackWithoutMonth)
    let years = range.lowerBound.year...range.upperBound.year
    let all = orders.flatMap { order in
      years.compactMap { CivilDate(year: $0, month: order.0, day: order.1) }
    }
    let near = all.filter(range.contains)
    guard !near.isEmpty else {
      let anywhere = orders.flatMap { order in
        (captured.year - 4...captured.year + 4).compactMap { CivilDate(year: $0, month: order.0, day: order.1) }
      }
      if anywhere.isEmpty { throw Refusal(kind: .noSuchDay) }
      // "11/23(일)" of last year's page is a weekday that disagrees as much as a date out of reach.
      let closest = anywhere.min { abs($0 - captured) < abs($1 - captured) }
      throw Refusal(kind: .outsideWindow, candidates: closest.map { [$0] } ?? [])
    }
    return try only(near, partial.weekdays, notes: [.inferredYear])
  }

  /// The 24th of a month near by, if it is a Tuesday and March is far.
  private func tuesday(_ day: Int, near anchor: Anchor) -> Resolved? {
    let years = captured.year - 1...captured.year + 1
    let march = years.compactMap { CivilDate(year: $0, month: 3, day: day) }
    guard
      march.allSatisfy({ $0 < captured - limits.daysBackWithoutMonth || $0 > captured + limits.daysAheadWithoutMonth })
    else {
      return nil
    }
    guard var found = try? dayAlone(day, WeekdaySet(.tuesday), near: anchor) else { return nil }
    found.notes.insert(.ambiguousWeekday)
    return found
  }

  private func window(_ anchor: Anchor, back: Int) -> ClosedRange<CivilDate> {
    switch anchor {
    case .capture: captured - back...captured + limits.daysAhead
    case .onOrAfter(let date): date...date + limits.daysAhead
    case .onOrBefore(let date): date - limits.daysAhead...date
    }
  }

  /// The one candidate that has the weekday; with none printed, the one candidate.
  private func only(
    _ candidates: [CivilDate], _ weekdays: WeekdaySet, notes: Set<PrintedNote>
  ) throws(Refusal) -> Resolved {
    let fitting = weekdays.isEmpty ? candidates : candidates.filter { weekdays.contains($0.weekday) }
    guard let date = fitting.first else { throw Refusal(kind: .weekdayDisagrees, candidates: candidates) }
    guard fitting.count == 1 else { throw Refusal(kind: .ambiguousDayMonth, candidates: fitting) }
    return try checked(date, weekdays, notes)
  }

  private func checked(
    _ date: CivilDate, _ weekdays: WeekdaySet, _ notes: Set<PrintedNote>
  ) throws(Refusal) -> Resolved {
    guard weekdays.isEmpty || weekdays.contains(date.weekday) else {
      throw Refusal(kind: .weekdayDisagrees, candidates: [date])
    }
    return Resolved(date: date, notes: weekdays.weekdays.count > 1 ? notes.union([.ambiguousWeekday]) : notes)
  }

  private func dayAlone(_ day: Int, _ weekdays: WeekdaySet, near anchor: Anchor) throws(Refusal) -> Resolved {
    let range: ClosedRange<CivilDate>
    switch anchor {
    case .capture:
      range = captured - limits.daysBackWithoutMonth...captured + limits.daysAheadWithoutMonth
    // The next month that has such a day begins within 62.
    case .onOrAfter(let date): range = date...date + 62
    case .onOrBefore(let date): range = date - 62...date
    }
    let candidates = range.filter { $0.day == day }
    guard !candidates.isEmpty else { throw Refusal(kind: day <= 31 ? .outsideWindow : .noSuchDay) }
    let fitting = weekdays.isEmpty ? candidates : candidates.filter { weekdays.contains($0.weekday) }
    let chosen: CivilDate? =
      switch anchor {
      case .capture: fitting.min { abs($0 - captured) < abs($1 - captured) }
      case .onOrAfter: fitting.first
      case .onOrBefore: fitting.last
      }
    guard let chosen else { throw Refusal(kind: .weekdayDisagrees, candidates: candidates) }
    return try checked(chosen, weekdays, [.inferredMonth])
  }

  private func weekdayAlone(_ weekdays: WeekdaySet, near anchor: Anchor) throws(Refusal) -> Resolved {
    let range: [CivilDate]
    switch anchor {
    case .capture: range = Array(today...today + 6)
    case .onOrAfter(let date): range = Array(date...date + 6)
    case .onOrBefore(let date): range = Array((date - 6...date).reversed())
    }
    let fitting = range.filter { weekdays.contains($0.weekday) }
    guard let date = fitting.first else { throw Refusal(kind: .noSuchDay) }
    guard fitting.count == 1 else { throw Refusal(kind: .weekdayDisagrees, candidates: fitting) }
    var notes: Set<PrintedNote> = [.inferredFromWeekday]
    if isAfterMidnight { notes.insert(.capturedAfterMidnight) }
    return Resolved(date: date, notes: notes)
  }
}

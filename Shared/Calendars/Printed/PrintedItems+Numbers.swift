/// Dates in tokens. What is found is as partial as it is printed; `PrintedDateResolver` makes days of it.
extension PrintedItems {
  /// `11/23`, `21.11.`, `11-23`, `21/11/2026`, `26.11.23`
  func marked(at index: Int, hasWeekday: Bool) -> (PrintedItem.Kind, next: Int)? {
    guard let first = number(index), let mark = mark(index + 1), [.dash, .slash, .stop].contains(mark),
      isAdjacent(index + 1),
      let second = number(index + 2), second.digits <= 2,
      isAdjacent(index + 2)
        || (mark == .stop && (expectation == .dates || isOrdinalMonth(index + 2) && !isNumbered(index - 1))),
      !isPartOfTime(index + 2)
    else { return nil }
    // The number before belongs to something longer: 1.2.3.4, 10/11/12/13.
    if isAdjacent(index), let before = self.mark(index - 1), before == mark { return nil }
    if mark == .slash, isFraction(at: index, of: second.value) { return nil }
    if mark == .stop, isMeasured(index + 3) { return nil }

    if self.mark(index + 3) == mark, let third = number(index + 4), isAdjacent(index + 4) || mark == .stop,
      third.digits == 4 || (third.digits == 2 && isAdjacent(index + 4)), !isPartOfTime(index + 4)
    {
      if self.mark(index + 5) == mark, adjacentNumber(index + 6, digits: 1...9) != nil { return nil }
      return threeNumbers(first.value, second.value, third, mark).map { (.date($0), index + 5) }
    }
    if self.mark(index + 3) == mark, mark != .dash, adjacentNumber(index + 4, digits: 1...9) != nil { return nil }
    var next = index + 3
    let hasTrailingStop = mark == .stop && self.mark(next) == .stop && isAdjacent(next)
    if hasTrailingStop { next += 1 }
    let isSurelyDate =
      hasWeekday || hasTrailingStop || expectation == .dates || trailingWeekday(at: next) != nil
      || mark == .stop && second.value <= 12 && endsRunOfDays(index)
    guard !isStuckText(next), mark != .dash || isSurelyDate else { return nil }
    if mark == .stop, !isSurelyDate { return dateOrTime(first.value, second, next: next) }
    // Hungarian writes "10.06. kedd", whatever is the custom around.
    if mark == .stop, isHungarianWeekday(next), isMonthDay(first.value, second.value) {
      return (.date(PartialDate(month: first.value, day: second.value)), next)
    }
    let date =
      twoNumbers(first.value, second.value, mark)
      ?? (isSurelyDate ? impossible(first.value, second.value, mark) : nil)
    return date.map { (.date($0), next) }
  }

  private func isHungarianWeekday(_ index: Int) -> Bool {
    let name = mark(index) == .comma || mark(index) == .open ? index + 1 : index
    guard region.language == .hungarian, weekday(name) != nil, let token = token(name) else { return false }
    return Self.hungarianWeekdays.contains(text.printed(token.range).lowercased())
  }

  private static let hungarianWeekdays: Set<String> = [
    "hétfő", "kedd", "szerda", "csütörtök", "péntek", "szombat", "vasárnap",
  ]

  /// The half of "Super 8 1/2", "2 3/4 hours".
  private func isFraction(at index: Int, of parts: Int) -> Bool {
    guard let (value, digits) = number(index), digits == 1, value < parts, [2, 3, 4, 8].contains(parts),
      !isAdjacent(index), let (whole, wholeDigits) = number(index - 1), wholeDigits == 1, whole > 0
    else { return false }
    return mark(index - 2) == nil
  }

  /// "7.5-min", "2.5 hours", "8.5 million"
  private func isMeasured(_ index: Int) -> Bool {
    let unit = mark(index) == .dash && isAdjacent(index) ? index + 1 : index
    guard let token = token(unit), token.range.count <= Self.measureMax else { return false }
    return Self.measures.contains(text.printed(token.range).lowercased())
  }

  private static let measureMax = 8
  private static let measures: Set<String> = [
    "min", "mins", "minute", "minutes", "minuten", "minuti", "minutos", "hour", "hours", "mm", "cm", "km", "mile",
    "miles", "million", "millions", "billion", "stars",
  ]

  /// The `11.` of `20. 11.` and `20. 11. 2026`; not that of `1. 11. 3.`
  private func isOrdinalMonth(_ index: Int) -> Bool {
    guard let month = number(index), (1...12).contains(month.value), mark(index + 1) == .stop, isAdjacent(index + 1)
    else { return false }
    guard let behind = number(index + 2) else { return true }
    return behind.digits != 2 && behind.digits != 1 || mark(index + 3) != .stop
  }

  /// A full stop behind a number: what follows goes on with a list of them.
  private func isNumbered(_ index: Int) -> Bool { mark(index) == .stop && number(index - 1) != nil }

  /// "11.23" is a day of November, or 23 minutes past eleven.
  private func dateOrTime(
    _ first: Int, _ second: (value: Int, digits: Int), next: Int
  ) -> (PrintedItem.Kind, next: Int)? {
    let canBeTime = first <= 29 && second.digits == 2 && second.value <= 59
    if isFollowedByClock(next) || (canBeTime && (hasDateInLine || isAfterTime)) { return nil }
    let date = twoNumbers(first, second.value, .stop)
    guard canBeTime, !(date != nil && isBeforeColonTime(next)) else { return date.map { (.date($0), next) } }
    return date != nil || isMonthDay(first, second.value) ? (.dateOrTime, next) : nil
  }

  /// "04.04 Kl. 19:00", "24.11 19:30": who writes times with a colon means a day by a full stop.
  private func isBeforeColonTime(_ start: Int) -> Bool {
    var index = start
    if word(index) == .timeHint { index += mark(index + 1) == .stop ? 2 : 1 }
    return number(index) != nil && !isAdjacent(index) && mark(index + 1) == .colon && isAdjacent(index + 1)
      && adjacentNumber(index + 2, digits: 2...2) != nil
  }

  /// "20.15 Uhr", "7.30pm"
  private func isFollowedByClock(_ index: Int) -> Bool {
    switch word(index) {
    case .hourUnit: !isUnitOfNext(index)
    case .partOfDay: true
    default: false
    }
  }

  /// Italy writes "21/11 h 18.30": the unit is of the time behind it.
  func isUnitOfNext(_ index: Int) -> Bool {
    guard word(index) == .hourUnit, !isAdjacent(index), number(index + 1) != nil,
      mark(index + 2) == .stop || mark(index + 2) == .colon, isAdjacent(index + 2)
    else { return false }
    return adjacentNumber(index + 3, digits: 2...2) != nil
  }

  private var isAfterTime: Bool {
    items.last(where: { $0.kind != .separator && !$0.isJoin })?.time != nil
  }

  private func isMonthDay(_ month: Int, _ day: Int) -> Bool {
    (1...12).contains(month) && day >= 1 && day <= CivilDate.days(inMonth: month, of: 2_000)
  }

  private func twoNumbers(_ first: Int, _ second: Int, _ mark: PrintedToken.Mark) -> PartialDate? {
    let monthFirst = PartialDate(month: first, day: second)
    let dayFirst = PartialDate(month: second, day: first)
    switch (isMonthDay(first, second), isMonthDay(second, first)) {
    case (false, false): return nil
    // "Sat 10.30" is no day of October: with a full stop the day is first, unless the site says otherwise.
    case (true, false): return mark == .stop && order != .monthFirst ? nil : monthFirst
    case (false, true): return dayFirst
    case (true, true):
      // Full stops stand behind ordinal numbers, and the day comes first wherever that is so.
      switch order ?? (mark == .stop ? .dayFirst : nil) {
      case .monthFirst: return monthFirst
      case .dayFirst: return dayFirst
      case nil:
        return first == second
          ? monthFirst : PartialDate(month: first, day: second, other: .init(month: second, day: first))
      }
    }
  }

  /// 2/30 is meant as a date and is none, which somebody should hear of.
  private func impossible(_ first: Int, _ second: Int, _ mark: PrintedToken.Mark) -> PartialDate? {
    if (1...12).contains(second), (1...31).contains(first) { return PartialDate(month: second, day: first) }
    guard mark != .stop || order == .monthFirst, (1...12).contains(first), (1...31).contains(second) else { return nil }
    return PartialDate(month: first, day: second)
  }

  private func threeNumbers(
    _ first: Int, _ second: Int, _ third: (value: Int, digits: Int), _ mark: PrintedToken.Mark
  ) -> PartialDate? {
    if third.digits == 4 {
      guard var date = twoNumbers(first, second, mark) else { return nil }
      date.year = third.value
      return date
    }
    // "26.11.23" in Korea, "23.11.26" in Germany.
    let century = captureYear / 100 * 100
    if order == .monthFirst || first > 31 {
      guard isMonthDay(second, third.value), abs(century + first - captureYear) <= 50 else { return nil }
      return PartialDate(year: century + first, month: second, day: third.value)
    }
    guard var date = twoNumbers(first, second, mark) else { return nil }
    date.year = century + third.value
    return date
  }
}

/// Days of rest: of each week, of the year, and what becomes of them on holidays.
extension HoursAssembly {
  mutating func closed() {
    if !group.isEmpty, !isGroupUsed {
      closures.append(Closure(days: group))
      (group, isGroupUsed) = ([], true)
    } else {
      isUnderClosed = true
    }
  }

  mutating func dates(from first: Int) {
    let isClosed = isClosing
    place += 1
    var last = first
    if token() == .range, case .date(let end)? = token(1) {
      last = end
      place += 2
    }
    if isClosed {
      closures.append(Closure(first: first, last: last))
    } else {
      unread.append("\(first / 100)/\(first % 100)")
    }
  }

  /// From New Year's Eve to the third, which nearly everybody means by it.
  mutating func yearEnd() {
    guard isClosing, closures.last?.first.map(Self.isAroundNewYear) != true, !isDateAhead else { return }
    closures.append(Closure(first: 1231, last: 103))
    isInferred = true
  }

  /// `年末年始（12/31～1/3）` says itself when that is.
  var isDateAhead: Bool {
    for token in tokens[place...].prefix(3) {
      switch token {
      case .date(let date): return Self.isAroundNewYear(date)
      case .noise, .meal, .only, .bracket(isOpening: true), .comma: continue
      default: return false
      }
    }
    return false
  }

  /// From the twenties of December to the middle of January, as 1231 and 103.
  static func isAroundNewYear(_ date: Int) -> Bool { date >= 1220 || date <= 115 }

  /// Where words end that say that the next day is free instead.
  var dayAfterAhead: Int? {
    var (ahead, isNextDay) = (place, false)
    while ahead < tokens.count {
      switch tokens[ahead] {
      case .noise, .comma, .isOpen: break
      case .nextDay: isNextDay = true
      case .days where isNextDay: break
      case .closed: return isNextDay ? ahead + 1 : nil
      case .bracket(isOpening: false): return isNextDay ? ahead : nil
      default: return nil
      }
      ahead += 1
    }
    return isNextDay ? ahead : nil
  }

  mutating func qualify(_ token: HoursToken) {
    guard !closures.isEmpty else { return }
    if token == .movesAfterHoliday {
      closures[closures.count - 1].movesAfterHoliday = true
      // 翌火曜休み names the day after by its weekday.
      if case .days? = self.token() { place += 1 }
      if self.token() == .closed { place += 1 }
    }
    // `祝日は営業、翌日休み`, `祝日の場合は営業し、翌火曜日休業`
    if token == .openOnHolidays, let behind = dayAfterAhead {
      closures[closures.count - 1].movesAfterHoliday = true
      place = behind
    }
    closures[closures.count - 1].isOpenOnHolidays = true
  }
}

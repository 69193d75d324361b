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
    // `～翌年1月4日`
    let width = token(1) == .noise ? 2 : 1
    if token() == .range, case .date(let end)? = token(width) {
      last = end
      place += width + 1
    }
    if isClosed {
      closures.append(Closure(first: first, last: last))
    } else {
      unread.append("\(first / 100)/\(first % 100)")
    }
  }

  /// "except Christmas Day"
  mutating func datesLeftOut() {
    place += 1
    while token()?.isNoise == true { place += 1 }
    let wasUnderClosed = isUnderClosed
    isUnderClosed = true
    if case .date(let date)? = token() { dates(from: date) }
    isUnderClosed = wasUnderClosed
    passComma()
  }

  func isDateBehindNoise(_ place: Int) -> Bool {
    guard case .date? = tokens[min(place, tokens.count)...].first(where: { !$0.isNoise }) else { return false }
    return true
  }

  /// From New Year's Eve to the third, which nearly everybody means by it.
  mutating func yearEnd() {
    guard isClosing, closures.last?.first.map(Self.isAroundNewYear) != true, !isDateAhead else { return }
    closures.append(Closure(first: 1231, last: 103))
    isInferred = true
  }

  /// `年末年始（12/31～1/3）` says itself when that is.
  var isDateAhead: Bool {
    for token in tokens[place...].prefix(4) {
      switch token {
      case .date(let date): return Self.isAroundNewYear(date)
      case .noise, .meal, .only, .bracket(isOpening: true), .comma, .closed: continue
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

  /// Whether from here holidays are named, and what becomes of the days before them then.
  func isConditionAhead(_ place: Int) -> Bool {
    for token in tokens[place...] {
      switch token {
      case .days(let days) where days.isSubset(of: [.holiday, .holidayEve]): continue
      case .comma, .noise: continue
      case .condition: return true
      default: return false
      }
    }
    return false
  }

  /// `（祝日の際は翌日）`, `月曜が祝日の場合、翌火曜休`: what becomes of the day of rest that was told last.
  mutating func onHolidays(_ kinds: DayKinds, _ weeks: [Int], from start: Int) -> Bool {
    var ahead = place
    while ahead < tokens.count, tokens[ahead].isNoise { ahead += 1 }
    let next = ahead < tokens.count ? tokens[ahead] : .line
    let before = start > 0 ? tokens[start - 1] : .line
    let isAside = before == .bracket(isOpening: true) || before == .remark
    // `（月曜が祝日の場合は翌火曜）`, as a phrase: it is said of the days before the brackets.
    if isAside, next == .movesAfterHoliday || next == .openOnHolidays, let last = closures.last {
      return kinds.isSubset(of: last.days) ? true : passOver()
    }
    if kinds == .holiday, isAside, next == .comma, token(1) == .word(Self.holidayEves), !closures.isEmpty {
      closures[closures.count - 1].isOpenOnHolidays = true
      return true
    }
    guard next == .condition, kinds.contains(.holiday) else { return false }
    place = ahead + 1
    let named = kinds.intersection(.week)
    if !named.isEmpty, closures.last.map({ named.isSubset(of: $0.days) }) != true {
      // `日曜日（月曜が祝日の場合は…）`: of another day.
      guard depth == 0, isUnderClosed else { return passOver() }
      closures.append(Closure(days: named, weeks: weeks))
    }
    guard !closures.isEmpty else { return passOver() }
    if let behind = dayAfterAhead {
      closures[closures.count - 1].movesAfterHoliday = true
      place = behind
    } else if let open = openAhead {
      place = open
    } else if let behind = otherDayAhead {
      closures[closures.count - 1].movesAfterHoliday = true
      place = behind
    } else {
      return passOver()
    }
    closures[closures.count - 1].isOpenOnHolidays = true
    return true
  }

  /// 祝前日は営業, as one word of the vocabulary.
  static let holidayEves = "祝前日の場合"

  /// Where words end that say that it is open then.
  private var openAhead: Int? {
    var ahead = place
    while ahead < tokens.count, tokens[ahead].isNoise || tokens[ahead] == .comma { ahead += 1 }
    return ahead < tokens.count && tokens[ahead] == .isOpen ? ahead + 1 : nil
  }

  /// `（月曜祝日の場合は火曜日）`: another day alone, and nothing of it.
  private var otherDayAhead: Int? {
    var (ahead, hasDay) = (place, false)
    while ahead < tokens.count {
      switch tokens[ahead] {
      case .noise, .comma: break
      case .days(let days) where !hasDay && !days.isDisjoint(with: .week): hasDay = true
      case .closed: return hasDay ? ahead + 1 : nil
      case .bracket(isOpening: false), .line: return hasDay ? ahead : nil
      default: return nil
      }
      ahead += 1
    }
    return hasDay ? ahead : nil
  }

  /// To the end of the brackets or of the line: what stands there is not understood.
  mutating func passOver() -> Bool {
    isInferred = true
    while let token = token(), token != .line, token != .bracket(isOpening: false) { place += 1 }
    return true
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

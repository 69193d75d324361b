/// Reads opening hours as places print them: `月～木: 11:45～翌2:00 （料理L.O. 翌1:00）`, `매일 11:30~22:00, 월요일 휴무`,
/// `Mon-Fri 5-11pm, closed Sundays`.
///
/// It never fails. What is left unread is told, and lowers the confidence; without any time there is none.
package enum OpeningHoursReader {
  /// Longer texts are none of hours. The rest is not looked at.
  private static let charactersMax = 4_000

  /// - Parameters:
  ///   - open: when it is open.
  ///   - close: on which days it is closed, where that is printed apart.
  package static func read(open: String?, close: String? = nil) -> (hours: OpeningHours, unread: [String]) {
    var assembly = HoursAssembly()
    assembly.take(tokens(open, &assembly.isInferred))
    assembly.takeClosures(tokens(close, &assembly.isInferred))
    return (assembly.hours, assembly.unread)
  }

  private static func tokens(_ text: String?, _ isInferred: inout Bool) -> [HoursToken] {
    let tokens = HoursLexer.tokens(of: String((text ?? "").prefix(charactersMax)))
    return withoutWeekdaysOfDates(HoursTimes.joined(tokens, &isInferred))
  }

  /// `8/13(火)～8/15(木)`, `1/1（木・祝）`: on which weekday a date falls, and no day of each week.
  private static func withoutWeekdaysOfDates(_ tokens: [HoursToken]) -> [HoursToken] {
    var (result, index) = ([HoursToken](), 0)
    while index < tokens.count {
      result.append(tokens[index])
      index += 1
      guard case .date? = result.last, index < tokens.count, tokens[index] == .bracket(isOpening: true) else {
        continue
      }
      let inside = tokens[(index + 1)...].prefix { token in
        switch token {
        case .days, .comma, .noise: true
        default: false
        }
      }
      let end = index + 1 + inside.count
      if !inside.isEmpty, end < tokens.count, tokens[end] == .bracket(isOpening: false) { index = end + 1 }
    }
    return result
  }
}

/// Makes times of what surrounds them: 午後, 翌, pm, and a number beside a time.
private enum HoursTimes {
  /// - Parameter isInferred: set where a half of the day is taken for granted.
  static func joined(_ tokens: [HoursToken], _ isInferred: inout Bool) -> [HoursToken] {
    var result: [HoursToken] = []
    var meridiem: Bool?
    var isNextDay = false
    var index = 0
    func meridiemAfter(_ index: Int) -> Bool? {
      guard index + 1 < tokens.count, case .meridiem(let isAfternoon, _) = tokens[index + 1] else { return nil }
      // In 9:00 오후 10:00 it belongs to what follows.
      switch tokens.dropFirst(index + 2).first(where: { !$0.isNoise }) {
      case .time, .number: return nil
      default: break
      }
      return isAfternoon
    }
    while index < tokens.count {
      defer { index += 1 }
      switch tokens[index] {
      case .meridiem(let isAfternoon, _): meridiem = isAfternoon
      case .nextDay:
        isNextDay = true
        // 翌火曜休み, （…は翌日）: of a day of rest, and of no time.
        switch tokens.dropFirst(index + 1).first(where: { !$0.isNoise }) {
        case .days, .closed, .bracket(isOpening: false), .line, nil: result.append(.nextDay)
        default: break
        }
      case .time(let minutes, let isLate, let has):
        let suffix = meridiem == nil ? meridiemAfter(index) : nil
        result.append(time(minutes, suffix ?? meridiem, isNextDay || isLate, has))
        if suffix != nil { index += 1 }
        (meridiem, isNextDay) = (nil, false)
      case .number(let value):
        let suffix = meridiem == nil ? meridiemAfter(index) : nil
        if let known = suffix ?? meridiem, (1...12).contains(value) {
          result.append(time(value * 60, known, isNextDay, true))
          if suffix != nil { index += 1 }
        } else {
          result.append(.number(value))
        }
        (meridiem, isNextDay) = (nil, false)
      case let token:
        result.append(token)
        // A word between is none of the time's: 昼 ランチ 11:00.
        if !token.isNoise { (meridiem, isNextDay) = (nil, false) }
      }
    }
    return ranges(openToClose(result), &isInferred)
  }

  /// "Open 18:00, close 26:00", `11:00 OPEN ～ 21:00 CLOSE`, "de 10h à midi"
  private static func openToClose(_ tokens: [HoursToken]) -> [HoursToken] {
    var tokens = tokens
    for index in tokens.indices.dropFirst() {
      if tokens[index - 1] == .range, case .meal(.lunch, let word) = tokens[index], word.lowercased() == "midi" {
        tokens[index] = .time(720, isNextDay: false, hasMeridiem: true)
      }
      guard tokens[index] == .openEnd, index + 1 < tokens.count, case .time = tokens[index + 1] else { continue }
      var before = index - 1
      while before > 0, tokens[before].isNoise || tokens[before] == .comma || tokens[before] == .line { before -= 1 }
      guard case .time = tokens[before], before == 0 || tokens[before - 1] != .range else { continue }
      tokens.replaceSubrange((before + 1)...index, with: [.range] + Array(repeating: .noise, count: index - before - 1))
    }
    return tokens
  }

  private static func time(_ minutes: Int, _ isAfternoon: Bool?, _ isNextDay: Bool, _ has: Bool) -> HoursToken {
    var minutes = minutes
    if let isAfternoon, minutes < 13 * 60 {
      minutes = minutes % 720 + (isAfternoon ? 720 : 0)
    }
    return .time(minutes, isNextDay: isNextDay, hasMeridiem: has || isAfternoon != nil)
  }

  /// `5-11pm`, `11am-10`: the number is a time because of its neighbour.
  private static func ranges(_ tokens: [HoursToken], _ isInferred: inout Bool) -> [HoursToken] {
    var tokens = tokens
    for index in tokens.indices.dropFirst(2) where tokens[index - 1] == .range {
      switch (tokens[index - 2], tokens[index]) {
      // 夜5時～10時, `PM6:00～11:00`
      case (.time(let first, _, true), .time(let last, false, false))
      where first >= 720 && last < 720 && last + 720 > first:
        tokens[index] = .time(last + 720, isNextDay: false, hasMeridiem: true)
        isInferred = true
      // `ランチ 11時～2時`
      case (.time(let first, _, _), .time(let last, false, false))
      where first < 15 * 60 && last <= lunchEndMax - 720 && last > 0 && isLunch(index - 2, in: tokens):
        tokens[index] = .time(last + 720, isNextDay: false, hasMeridiem: true)
        isInferred = true
      // "5:00 – 9:30 PM": who opens in the morning says so.
      case (.time(let first, let isNextDay, false), .time(let last, false, true))
      where first < morningMin && last >= 720 && first + 720 < last:
        tokens[index - 2] = .time(first + 720, isNextDay: isNextDay, hasMeridiem: true)
      case (.number(let first), .time(let last, _, true)) where (1...12).contains(first):
        let morning = first % 12 * 60
        // 5-11pm is an evening, 11-2pm a noon.
        let isEvening = last >= 720 && morning + 720 < last && first != 11
        tokens[index - 2] = .time(
          first == 12 ? 720 : isEvening ? morning + 720 : morning, isNextDay: false, hasMeridiem: true)
      case (.time(let first, _, _), .number(let last)) where (1...24).contains(last):
        let clock = last * 60
        tokens[index] = .time(
          clock <= first && clock + 720 > first ? clock + 720 : clock, isNextDay: false, hasMeridiem: true)
      // `午前11時～2時`: the end is of the same half of the day, or of the next one.
      case (.time(let first, _, true), .time(let last, false, false))
      where last < 720 && last <= first && last + 720 > first:
        tokens[index] = .time(last + 720, isNextDay: false, hasMeridiem: true)
      // "1200-2300"
      case (.number(let first), .number(let last)) where isMilitary(first, last):
        tokens[index - 2] = .time(first / 100 * 60 + first % 100, isNextDay: false, hasMeridiem: false)
        tokens[index] = .time(last / 100 * 60 + last % 100, isNextDay: false, hasMeridiem: false)
      // "18-23 Uhr", "11-14:30"
      case (.number(let first), .time(let last, _, false)) where (5...23).contains(first) && first * 60 < last:
        tokens[index - 2] = .time(first * 60, isNextDay: false, hasMeridiem: false)
      // "Fri-Sat 11-10": from before noon to the evening; "5-10" is an evening.
      case (.number(let first), .number(let last))
      where (4...12).contains(first) && (1...12).contains(last) && isAlone(index, in: tokens):
        let isEvening = first < 7 && first < last
        tokens[index - 2] = .time(isEvening ? first * 60 + 720 : first * 60, isNextDay: false, hasMeridiem: true)
        tokens[index] = .time(last % 12 * 60 + 720, isNextDay: false, hasMeridiem: true)
        isInferred = true
      // "Tue-Fri 17-23"
      case (.number(let first), .number(let last))
      where (5...22).contains(first) && (13...24).contains(last) && first < last && isAlone(index, in: tokens):
        tokens[index - 2] = .time(first * 60, isNextDay: false, hasMeridiem: false)
        tokens[index] = .time(last * 60, isNextDay: false, hasMeridiem: false)
      default: break
      }
    }
    return tokens
  }

  /// Behind days, and before nothing that the numbers could count.
  private static func isAlone(_ index: Int, in tokens: [HoursToken]) -> Bool {
    guard index >= 3 else { return false }
    switch tokens[index - 3] {
    case .days, .bracket(isOpening: false): break
    default: return false
    }
    guard index + 1 < tokens.count else { return true }
    switch tokens[index + 1] {
    case .line, .comma, .days, .closed, .bracket: return true
    // "12–15 und 18–22 Uhr"
    case .noise: return index + 3 < tokens.count && tokens[index + 3] == .range
    default: return false
    }
  }

  /// A lunch is over by then.
  private static let lunchEndMax = 18 * 60
  /// Nobody opens for an evening meal at an hour of the morning from this on.
  private static let morningMin = 8 * 60

  /// Right behind the word for a lunch.
  private static func isLunch(_ place: Int, in tokens: [HoursToken]) -> Bool {
    let before = tokens[..<place].last { token in
      switch token {
      case .noise, .comma, .bracket(isOpening: false): false
      default: true
      }
    }
    if case .meal(.lunch, _)? = before { return true }
    return false
  }

  /// Two clocks of four digits, and no years.
  private static func isMilitary(_ first: Int, _ last: Int) -> Bool {
    let isClock = [first, last].allSatisfy { (100...2_900).contains($0) && $0 % 100 < 60 && $0 % 5 == 0 }
    return isClock && (1_000...2_359).contains(max(first, last)) && abs(last - first) >= 100
  }
}

/// A date as far as it is printed.
struct PartialDate: Hashable {
  var year: Int?
  var month: Int?
  var day: Int?
  var weekdays: WeekdaySet = []
  /// Days from today.
  var relative: Int?
  /// Month and day the other way round, where nothing says which way is meant.
  var other: MonthDay?
  /// "mar 24" is a day of March, or a Tuesday.
  var mayBeTuesday = false

  struct MonthDay: Hashable {
    var month: Int
    var day: Int
  }

  var isDayOnly: Bool { month == nil && day != nil }
}

/// A time as far as it is printed.
struct PartialTime: Hashable {
  var hour: Int
  var minute: Int
  var part: PartOfDay?
  /// 翌, 다음날: beside whatever else is said.
  var isNextDay = false
  /// "pm" behind it; what stands before it in a list may mean it too.
  var isPartBehind = false
  /// A leading zero is a 24-hour clock's.
  var isPadded = false
  /// "1h46" may be how long a film is.
  var mayBeDuration = false

  /// On a 12-hour clock, if nothing else is known.
  var canBeTwelveHour: Bool { (1...12).contains(hour) && !isPadded }
}

/// A text as a row of dates, times, and the words and marks between them.
struct PrintedItem {
  enum Kind: Hashable {
    case date(PartialDate)
    case time(PartialTime)
    /// Valid both ways, and nothing says which.
    case dateOrTime
    /// Of no date in particular: "Mon–Fri".
    case weekdays(WeekdaySet)
    case join(Join)
    case untilSuffix, from
    case except, remark, closed, endUndecided
    case role(PrintedRole)
    case open, close, separator, newline
    case text
  }

  enum Join: Hashable { case wave, dash, joint, until }

  var kind: Kind
  var range: Range<Int>
  var hasSpaceBefore: Bool

  var date: PartialDate? { if case .date(let date) = kind { date } else { nil } }
  var time: PartialTime? { if case .time(let time) = kind { time } else { nil } }
  var role: PrintedRole? { if case .role(let role) = kind { role } else { nil } }
  var isJoin: Bool { if case .join = kind { true } else { false } }
}

/// What a text is expected to hold: what could be two things is then one.
package enum PrintedExpectation: Sendable {
  /// A line of a programme: dates, times, remarks.
  case listing
  case dates
  case times
}

/// Makes items of tokens. At every token it looks a bounded number of tokens ahead, so the whole is linear.
struct PrintedItems {
  let text: FoldedText
  let tokens: [PrintedToken]
  let expectation: PrintedExpectation
  let order: DateOrder?
  let captureYear: Int
  let region: PrintedRegion
  private(set) var items: [PrintedItem] = []
  private(set) var hasDateInLine = false

  init(
    _ text: FoldedText, expectation: PrintedExpectation, order: DateOrder?, captureYear: Int,
    region: PrintedRegion
  ) {
    self.text = text
    self.expectation = expectation
    self.captureYear = captureYear
    self.region = region
    var known = PrintedToken.all(in: text)
    if region.language == .portuguese { Self.nameNumberedDays(&known, in: text) }
    if region.hasRomanMonths { Self.nameRomanMonths(&known, in: text) }
    tokens = known.map { token in
      var token = token
      if token.kind.mayBeName, let day = region.weekday(text.scalars[token.range]) {
        token.kind = .word(.weekday(WeekdaySet(day), isShort: true))
      }
      if token.kind == .text, region.countsHours(text.scalars[token.range]) { token.kind = .word(.hourUnit) }
      guard case .word(let word) = token.kind else { return token }
      switch word {
      case .hourInChinese: token.kind = region.isJapanese ? .text : .word(.hourUnit)
      case .dayNameIn(let languages, let days):
        token.kind = region.language.map(languages.contains) == true ? .word(.dayName(days)) : .text
      // "jutro" is a morning in Croatian.
      case .dayNameInDoubt(let languages?, _):
        if region.language.map(languages.contains) != true { token.kind = .text }
      // "od 20. do 26. listopadu"
      case .thursdayOrSunday where region.isSlavic: token.kind = .word(.until)
      // "ma" is today in Hungarian.
      case .mondayOrTuesday:
        let days = WeekdaySet(.monday, .tuesday)
        token.kind = .word(region.language == .hungarian ? .dayName(0) : .weekday(days, isShort: true))
      default: break
      }
      return token
    }
    // Where months are written 月 and 월 they come first.
    self.order =
      order ?? (text.scalars.contains(where: isUnspacedLetter) ? .monthFirst : PrintedItems.orderOfOthers(in: tokens))
    var index = 0
    while index < tokens.count {
      let start = index
      let kind: PrintedItem.Kind?
      if expectation != .times, let (date, next) = date(at: index) {
        (kind, index) = (date, next)
        if case .date = date { hasDateInLine = true }
      } else if expectation != .dates, let (time, next) = time(at: index) {
        (kind, index) = (.time(time), next)
      } else if let (days, next) = weekdayList(at: index) {
        (kind, index) = (.weekdays(days), next)
        hasDateInLine = true
      } else if items.last?.kind == .except, let days = weekday(index)?.days {
        // "except Wed": what is left out may be a weekday, and a short one.
        (kind, index) = (.weekdays(days), index + 1)
      } else if word(index) == .not {
        kind = leavesOut(at: index) ? .except : .text
        index += 1
      } else {
        kind = other(tokens[index])
        index += 1
      }
      guard let kind else { continue }
      items.append(
        PrintedItem(
          kind: kind, range: tokens[start].range.lowerBound..<tokens[index - 1].range.upperBound,
          hasSpaceBefore: tokens[start].hasSpaceBefore))
    }
  }

  /// "6ª e Sáb.": the sixth day is a Friday in Portugal, and no hour.
  private static func nameNumberedDays(_ tokens: inout [PrintedToken], in text: FoldedText) {
    for index in tokens.indices.dropLast() {
      guard case .number(let day, 1) = tokens[index].kind, (2...6).contains(day), !tokens[index + 1].hasSpaceBefore,
        text.printed(tokens[index + 1].range) == "ª"
      else { continue }
      tokens[index].kind = .word(.weekday(WeekdaySet(Weekday.sunday.adding(days: day - 1)), isShort: true))
      tokens[index + 1].kind = .mark(.stop)
    }
  }

  /// The eleventh month of "21 XI".
  private static func nameRomanMonths(_ tokens: inout [PrintedToken], in text: FoldedText) {
    for index in tokens.indices.dropFirst() {
      guard case .number(1...31, 1...2) = tokens[index - 1].kind, tokens[index].range.count <= 4,
        let month = romanMonths.firstIndex(of: text.printed(tokens[index].range))
      else { continue }
      tokens[index].kind = .word(.month(month + 2))
    }
  }

  /// From the second on: "I" is a word for "and" as well.
  private static let romanMonths = ["II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]

  /// 12/31 in a list says what 1/3 is in it.
  private static func orderOfOthers(in tokens: [PrintedToken]) -> DateOrder? {
    var orders: Set<DateOrder> = []
    for index in tokens.indices.dropLast(2) {
      guard tokens[index + 1].kind == .mark(.slash), case .number(let first, 1...2) = tokens[index].kind,
        case .number(let second, 1...2) = tokens[index + 2].kind
      else { continue }
      if (1...12).contains(first), (13...31).contains(second) { orders.insert(.monthFirst) }
      if (13...31).contains(first), (1...12).contains(second) { orders.insert(.dayFirst) }
    }
    return orders.count == 1 ? orders.first : nil
  }

  private mutating func other(_ token: PrintedToken) -> PrintedItem.Kind? {
    switch token.kind {
    case .newline:
      hasDateInLine = false
      return .newline
    case .number, .text: return .text
    case .mark(let mark):
      switch mark {
      case .wave: return .join(.wave)
      case .dash: return .join(.dash)
      // "19:10～(20:55)": the end of what began, and no remark.
      case .open: return items.last?.isJoin == true && items.dropLast().last?.time != nil ? nil : .open
      case .close: return .close
      case .comma, .slash, .semicolon, .dot, .bar, .plus: return .separator
      case .stop, .colon, .apostrophe, .quote: return nil
      }
    case .word(let word):
      switch word {
      case .joint: return .join(.joint)
      case .until: return .join(.until)
      case .untilSuffix: return .untilSuffix
      case .from: return .from
      case .except: return .except
      case .exceptInFrench: return region.language == .french ? .except : .text
      case .remark: return .remark
      case .closed: return .closed
      case .endUndecided: return .endUndecided
      case .role(let role): return .role(role)
      case .and: return .separator
      case .ordinal where joinsInRomance(token): return .separator
      case .filler, .timeHint, .ordinal: return nil
      default: return .text
      }
    }
  }

  /// Whether a "not" leaves out the day behind it: "(not Wed)", "18:00, not 25 Nov". In a title it does not.
  private func leavesOut(at index: Int) -> Bool {
    switch token(index - 1)?.kind {
    case nil, .newline, .mark(.open), .mark(.comma), .mark(.semicolon), .mark(.dash): break
    default: return false
    }
    let next = word(index + 1) == .filler ? index + 2 : index + 1
    return weekday(next) != nil || number(next) != nil && date(at: next) != nil
  }

  /// "23 e 24": behind a number it is French's ordinal only where it stands at it.
  func joinsInRomance(_ token: PrintedToken) -> Bool {
    token.hasSpaceBefore && token.range.count == 1 && text[token.range.lowerBound] == UInt8(ascii: "e")
      && (region.language == .portuguese || region.language == .italian)
  }

  /// Whether a word or a comma stands between the members of a list.
  func isAnd(_ index: Int) -> Bool {
    word(index) == .and || mark(index) == .comma
      || word(index) == .ordinal && token(index).map(joinsInRomance) ?? false
  }

  // MARK: Looking at tokens

  func token(_ index: Int) -> PrintedToken? { tokens.indices.contains(index) ? tokens[index] : nil }

  func word(_ index: Int) -> PrintedWord? {
    if case .word(let word) = token(index)?.kind { word } else { nil }
  }

  func mark(_ index: Int) -> PrintedToken.Mark? {
    if case .mark(let mark) = token(index)?.kind { mark } else { nil }
  }

  func number(_ index: Int) -> (value: Int, digits: Int)? {
    if case .number(let value, let digits) = token(index)?.kind { (value, digits) } else { nil }
  }

  func isAdjacent(_ index: Int) -> Bool { token(index).map { !$0.hasSpaceBefore } ?? false }

  /// A number of one or two digits right behind the token before it.
  func adjacentNumber(_ index: Int, digits: ClosedRange<Int> = 1...2) -> Int? {
    guard isAdjacent(index), let number = number(index), digits.contains(number.digits) else { return nil }
    return number.value
  }

  /// Letters that mean nothing, stuck to what stands before them: "4K", "35mm". Particles are stuck too, and say nothing
  /// against a number: "11/24は".
  func isStuckText(_ index: Int) -> Bool {
    guard isAdjacent(index), let token = token(index), token.kind == .text else { return false }
    return isSpacedLetter(text[token.range.lowerBound])
  }
}

package enum DateOrder: String, Hashable, Sendable, Codable {
  case monthFirst = "month-first"
  case dayFirst = "day-first"
}

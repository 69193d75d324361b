/// A piece of printed opening hours, as far as its meaning goes.
enum HoursToken: Hashable {
  /// Minutes of the day; more than a day after 翌.
  case time(Int, isNextDay: Bool, hasMeridiem: Bool)
  /// A number that is a time only beside one: the 5 of `5-11pm`.
  case number(Int)
  /// Some are a meal, too: the 夜 of 日曜夜.
  case meridiem(isAfternoon: Bool, Meal? = nil)
  case nextDay
  case days(DayKinds)
  /// 休日: a weekend's day or a holiday, where no weekend's day is named beside it; else a holiday.
  case daysOff
  /// The first, third … of a month; -1 is the last.
  case nth(Int)
  /// Month and day, as 1231.
  case date(Int)
  case range
  /// After a time: until it. Before one: the same.
  case until
  case lastOrder
  /// So many minutes before it closes: 30分前.
  case beforeClosing(Int)
  /// What the last order behind it is of.
  case drinks
  case breakTime
  case closed
  /// "except", before the days that are left out.
  case exceptBehind
  /// を除く, 제외: behind the days that are left out.
  case exceptBefore
  /// Of something else than opening: a happy hour, what is delivered.
  case otherHours
  /// It has no day on which it is closed.
  case neverClosed
  case irregular
  case allDay
  /// Instead of a closing time: when it is over.
  case openEnd
  case movesAfterHoliday
  case openOnHolidays
  /// の場合, の際: what follows holds if the day before it is a holiday.
  case condition
  case yearEnd
  case lunarFeast
  case isOpen
  /// It makes no pause.
  case throughout
  case bracket(isOpening: Bool)
  case comma
  case line
  /// ※: what follows is said of what stands before it.
  case remark
  /// Matters only where days are named on which it is not served: 日曜ランチ.
  case meal(Meal, printed: String)
  /// のみ, だけ: nothing beside what stands before it.
  case only
  /// Says nothing that matters: 営業時間, は.
  case noise
  /// "from 5pm": what begins has no end, unless one follows.
  case from
  /// Something that is not known.
  case word(String)

  /// Whether hours are read past it as if it were not there.
  var isNoise: Bool {
    switch self {
    case .noise, .from, .meal, .only: true
    default: false
    }
  }
}

/// What a place serves in a part of a day.
enum Meal: Hashable {
  case breakfast, lunch, dinner
  /// Something whose hours nobody knows: a bar's, a tea's.
  case other

  /// Whether a span is this meal's and no other's, by its hours.
  func isServed(in span: OpenSpan) -> Bool {
    let closes = span.closes ?? .max
    return switch self {
    case .breakfast: span.opens < 11 * 60 && closes <= 12 * 60
    case .lunch: span.opens < 14 * 60 && (11 * 60 + 1...18 * 60).contains(closes)
    case .dinner: span.opens >= 15 * 60 && closes > 18 * 60
    case .other: false
    }
  }
}

/// Cuts printed opening hours into tokens.
struct HoursLexer {
  private let text: FoldedText
  private var place = 0
  private(set) var tokens: [HoursToken] = []

  static func tokens(of text: String) -> [HoursToken] {
    var lexer = HoursLexer(FoldedText(text))
    while lexer.place < lexer.text.count { lexer.step() }
    return lexer.tokens
  }

  private init(_ text: FoldedText) { self.text = text }

  private mutating func step() {
    let scalar = text[place]
    // "7 days a week"
    if word() { return }
    if isDigit(scalar) { return number() }
    place += 1
    switch scalar {
    case UInt32(UInt8(ascii: "+")) where isOpenEnded(at: place - 1): tokens += [.range, .openEnd]
    case UInt32(UInt8(ascii: ".")) where endsSentence(at: place - 1): tokens.append(.line)
    case 0x20, UInt32(UInt8(ascii: ":")), UInt32(UInt8(ascii: ".")), UInt32(UInt8(ascii: "'")): break
    case 0x203B: tokens.append(.remark)
    case 0x0A, UInt32(UInt8(ascii: ";")), 0x3002: tokens.append(.line)
    case UInt32(UInt8(ascii: "(")): tokens.append(.bracket(isOpening: true))
    case UInt32(UInt8(ascii: ")")): tokens.append(.bracket(isOpening: false))
    case UInt32(UInt8(ascii: "~")), UInt32(UInt8(ascii: "-")), 0x2192, 0x21D2: tokens.append(.range)
    case UInt32(UInt8(ascii: ",")), UInt32(UInt8(ascii: "/")), UInt32(UInt8(ascii: "&")), UInt32(UInt8(ascii: "+")),
      UInt32(UInt8(ascii: "|")), 0xB7:
      tokens.append(.comma)
    default: unknown(from: place - 1)
    }
  }

  /// "Closed on Mondays. Tue": a full stop behind a long word and before a blank. "Thurs. 10-18" is short for more.
  private func endsSentence(at stop: Int) -> Bool {
    guard text[stop + 1] == 0x20 else { return false }
    var start = stop
    while start > 0, isSpacedLetter(text[start - 1]) { start -= 1 }
    return stop - start >= Self.longWordMin
  }

  private static let longWordMin = 6

  /// OpenStreetMap's "12:00+"
  private func isOpenEnded(at plus: Int) -> Bool {
    guard case .time? = tokens.last, isDigit(text[plus - 1]) else { return false }
    return !isDigit(text[plus + 1]) && !isSpacedLetter(text[plus + 1])
  }

  /// A word that is not known: all letters of its kind that follow.
  private mutating func unknown(from start: Int) {
    let isSpaced = isSpacedLetter(text[start])
    // A star or an arrow says nothing.
    guard isSpaced || isUnspacedLetter(text[start]) else { return }
    while place < text.count, isSpaced ? isSpacedLetter(text[place]) : isUnspacedLetter(text[place]) {
      if !isSpaced, HoursVocabulary.word(in: text, at: place) != nil { break }
      place += 1
    }
    tokens.append(.word(text.printed(start..<place)))
  }

  // MARK: Words

  private mutating func word() -> Bool {
    guard let (length, token) = HoursVocabulary.word(in: text, at: place) else { return false }
    // French "12h à 14h", Spanish "lunes a viernes"; else it is an article, or a word that is not known.
    if token == .range, length <= Self.shortJointMax, isSpacedLetter(text[place]), !joins(from: place, length) {
      return false
    }
    let printed = text.printed(place..<place + length)
    place += length
    switch token {
    case .meal(let meal, _): tokens.append(.meal(meal, printed: printed))
    case .meridiem(_, let meal?): tokens += [token, .meal(meal, printed: printed)]
    default: tokens.append(token)
    }
    return true
  }

  /// "à", "au"
  private static let shortJointMax = 2

  /// Whether a time or a day stands on both sides of a short word.
  private func joins(from place: Int, _ length: Int) -> Bool {
    switch tokens.last {
    case .time, .days, .number, .meridiem, .noise, .from, .date: break
    default: return false
    }
    var next = place + length
    while text[next] == 0x20 { next += 1 }
    if isDigit(text[next]) { return true }
    return switch HoursVocabulary.word(in: text, at: next)?.token {
    case .days, .time, .meridiem, .openEnd, .meal(.lunch, _): true
    default: false
    }
  }

  // MARK: Numbers

  private mutating func number() {
    let start = place
    guard let value = digits(atMost: 4) else {
      // A telephone number, or a price.
      while isDigit(text[place]) { place += 1 }
      tokens.append(.word(text.printed(start..<place)))
      return
    }
    // "12 h", "14 h 30"
    if text[place] == 0x20, text[place + 1] == UInt32(UInt8(ascii: "h")), !isSpacedLetter(text[place + 2]) {
      place += 1
    }
    switch text[place] {
    case UInt32(UInt8(ascii: ":")), UInt32(UInt8(ascii: ".")): clock(value, from: start)
    case 0x6642, 0xC2DC: hours(value, from: start)  // 時 시
    case UInt32(UInt8(ascii: "h")) where isHour(value): letteredHour(value, from: start)
    // 第1・3月曜: the third Monday, and not March
    case 0x6708 where text[place + 1] == 0x66DC && (1...5).contains(value): tokens.append(.nth(value))
    case 0x6708, 0xC6D4: monthAndDay(value, from: start)  // 月 월
    case UInt32(UInt8(ascii: "/")): slashedDate(value)
    case 0x9031, 0xC8FC: nth(value, from: start)  // 週 주
    // 分前, 분 전
    case 0x5206 where text[place + 1] == 0x524D, 0xBD84 where text[place + 1] == 0x20 && text[place + 2] == 0xC804:
      place += text[place] == 0x5206 ? 2 : 3
      tokens.append(.beforeClosing(value))
    default: ending(value, from: start)
    }
  }

  /// At most so many digits; nil, with the place at the first, if there are more.
  private mutating func digits(atMost count: Int) -> Int? {
    var (value, end) = (0, place)
    while isDigit(text[end]), end - place <= count {
      value = value * 10 + Int(text[end] - 0x30)
      end += 1
    }
    guard end - place <= count, end > place else { return nil }
    place = end
    return value
  }

  /// `17:30`, `11.30`
  private mutating func clock(_ hour: Int, from start: Int) {
    guard isDigit(text[place + 1]), isDigit(text[place + 2]), !isDigit(text[place + 3]) else {
      return ending(hour, from: start)
    }
    place += 1
    let minute = digits(atMost: 2) ?? 0
    time(hour, minute, from: start)
  }

  /// "12h", "12h30"; "24h" alone is the whole day.
  private func isHour(_ value: Int) -> Bool {
    if isDigit(text[place + 1]) { return isDigit(text[place + 2]) && !isDigit(text[place + 3]) }
    return !isSpacedLetter(text[place + 1]) && (value != 24 || tokens.last == .range)
  }

  private mutating func letteredHour(_ hour: Int, from start: Int) {
    place += 1
    if text[place] == 0x20, isDigit(text[place + 1]), isDigit(text[place + 2]), minutes(at: place + 1) != nil,
      !isSpacedLetter(text[place + 3]), text[place + 3] != 0x20 || text[place + 4] != UInt32(UInt8(ascii: "h"))
    {
      place += 1
    }
    time(hour, digits(atMost: 2) ?? 0, from: start)
  }

  /// `17時`, `17時半`, `오후 5시 30분`, `24時間`
  private mutating func hours(_ hour: Int, from start: Int) {
    if text[place + 1] == 0x9593 || text[place + 1] == 0xAC04 {  // 間 간
      place += 2
      if hour < 24, text[place] == 0x524D {  // 前
        place += 1
        tokens.append(.beforeClosing(hour * 60))
      } else {
        tokens.append(hour == 24 ? .allDay : .word(text.printed(start..<place)))
      }
      return
    }
    place += 1
    var minute = 0
    var next = place
    while text[next] == 0x20 { next += 1 }
    if text[next] == 0x534A || text[next] == 0xBC18 {  // 半 반
      minute = 30
      place = next + 1
    } else if isDigit(text[next]) {
      let before = place
      place = next
      if let value = digits(atMost: 2), text[place] == 0x5206 || text[place] == 0xBD84 {  // 分 분
        minute = value
        place += 1
      } else if next == before, place == next + 2, let value = minutes(at: next) {
        // 11時30
        minute = value
      } else {
        place = before
      }
    }
    time(hour, minute, from: start)
  }

  /// Two digits that can be minutes, and are no hour with a word of its own behind them.
  private func minutes(at place: Int) -> Int? {
    let end = place + 2
    guard !isDigit(text[end]), ![0x3A, 0x6642, 0xC2DC].contains(text[end]) else { return nil }
    let value = Int(text[place] - 0x30) * 10 + Int(text[place + 1] - 0x30)
    return value < 60 ? value : nil
  }

  private mutating func time(_ hour: Int, _ minute: Int, from start: Int) {
    if (0...36).contains(hour), (0...59).contains(minute) {
      tokens.append(.time(hour * 60 + minute, isNextDay: false, hasMeridiem: false))
      if isOClock { place += text[place] == 0x20 ? 4 : 3 }
    } else {
      tokens.append(.word(text.printed(start..<place)))
    }
  }

  /// `12月31日`
  private mutating func monthAndDay(_ month: Int, from start: Int) {
    place += 1
    while text[place] == 0x20 { place += 1 }
    guard isDigit(text[place]), let day = digits(atMost: 2), text[place] == 0x65E5 || text[place] == 0xC77C,  // 日 일
      CivilDate(year: 2024, month: month, day: day) != nil
    else { return tokens.append(.word(text.printed(start..<place))) }
    place += 1
    tokens.append(.date(month * 100 + day))
  }

  /// `12/31`; anything else is two numbers.
  private mutating func slashedDate(_ month: Int) {
    let before = place
    place += 1
    // 24/7
    if month == 24, text[place] == UInt32(UInt8(ascii: "7")), !isDigit(text[place + 1]) {
      place += 1
      return tokens.append(.allDay)
    }
    if let day = digits(atMost: 2), CivilDate(year: 2024, month: month, day: day) != nil {
      tokens.append(.date(month * 100 + day))
    } else {
      place = before
      tokens.append(.number(month))
    }
  }

  /// "10 Uhr"
  private var isOClock: Bool {
    let next = text[place] == 0x20 ? place + 1 : place
    guard next + 3 <= text.count, !isSpacedLetter(text[next + 3]) else { return false }
    return text.printed(next..<next + 3).lowercased() == "uhr"
  }

  private mutating func nth(_ value: Int, from start: Int) {
    place += 1
    tokens.append((1...5).contains(value) ? .nth(value) : .word(text.printed(start..<place)))
  }

  /// `1月1日～3日`, `12/29～31`: a day of the month that the stretch began in.
  private func lastDay(_ value: Int) -> HoursToken? {
    guard tokens.last == .range, case .date(let first)? = tokens.dropLast().last, value > first % 100,
      CivilDate(year: 2024, month: first / 100, day: value) != nil
    else { return nil }
    return .date(first / 100 * 100 + value)
  }

  /// `1st`, `3rd`, `24h`, or a number alone.
  private mutating func ending(_ value: Int, from start: Int) {
    let letters = (text[place], text[place + 1])
    let isOrdinal = ["st", "nd", "rd", "th"].contains(text.printed(place..<min(place + 2, text.count)).lowercased())
    if isOrdinal, (1...5).contains(value) {
      place += 2
      tokens.append(.nth(value))
    } else if value == 24, letters.0 == UInt32(UInt8(ascii: "h")) {
      while isSpacedLetter(text[place]) { place += 1 }
      tokens.append(.allDay)
    } else if isOClock {
      time(value, 0, from: start)
    } else if letters.0 == 0x65E5 || letters.0 == 0xC77C {
      place += 1
      tokens.append(lastDay(value) ?? .word(text.printed(start..<place)))
    } else {
      tokens.append(lastDay(value) ?? .number(value))
    }
  }
}

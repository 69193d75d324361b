/// Times in tokens.
extension PrintedItems {
  func time(at start: Int) -> (PartialTime, next: Int)? {
    var index = start
    var part: PartOfDay?
    var isNextDay = false
    var hasHint = false
    prefix: for _ in 0..<4 {
      if isEndOfName(index) { break prefix }
      switch word(index) {
      case .partOfDay(.nextDay): isNextDay = true
      case .partOfDay(let found): part = found
      case .timeHint: hasHint = true
      default: break prefix
      }
      index += 1
      // "kl. 17", "godz. 20"
      if word(index - 1) == .timeHint, mark(index) == .stop, isAdjacent(index) { index += 1 }
    }
    let hasPart = part != nil || isNextDay
    // "am 21.11." is German for "on the".
    let isGermanOn =
      part == .am && tokens[index - 1].range.count == 2 && isSpacedLetter(text[tokens[index - 1].range.lowerBound])
    if let (clock, next) = clockWord(at: index, isAlone: !hasPart && !hasHint) {
      var time = clock
      time.isNextDay = isNextDay
      return (time, next)
    }
    guard
      var (time, next) = core(at: index, hasPart: hasPart, hasHint: hasHint, isGermanOn: isGermanOn)
    else {
      return nil
    }
    time.part = time.part ?? part
    time.isNextDay = time.isNextDay || isNextDay
    next = takeSuffix(at: next, into: &time)
    return (time, next)
  }

  /// `noon`, `정오`, and `12 noon`.
  private func clockWord(at index: Int, isAlone: Bool) -> (PartialTime, next: Int)? {
    var wordIndex = index
    if let (value, _) = number(index), value == 12 { wordIndex += 1 }
    guard case .clock(let word) = word(wordIndex) else { return nil }
    // "Midnight Express" is a film.
    if wordIndex == index, isAlone, expectation == .listing,
      isText(index - 1) || isText(index + 1) || leadsToText(index + 1)
    {
      return nil
    }
    let time = PartialTime(hour: word == .noon ? 12 : 24, minute: 0, isPadded: true)
    return (time, wordIndex + 1)
  }

  func isText(_ index: Int) -> Bool { token(index)?.kind == .text }

  /// "Midnight at the Motel": small words, and behind them others.
  private func leadsToText(_ index: Int) -> Bool {
    var next = index
    while next < index + Self.smallWordsMax {
      switch word(next) {
      case .timeHint, .filler, .joint, .and: next += 1
      default: return next > index && isText(next)
      }
    }
    return false
  }

  private static let smallWordsMax = 3

  private func core(
    at index: Int, hasPart: Bool, hasHint: Bool, isGermanOn: Bool
  ) -> (PartialTime, next: Int)? {
    guard let (value, digits) = number(index) else { return nil }
    if digits <= 2 {
      guard value <= 29 else { return nil }
      let isPadded = digits == 2 && value < 10 || value == 0
      if mark(index + 1) == .colon, isAdjacent(index + 1), let minute = adjacentNumber(index + 2, digits: 2...2) {
        guard minute <= 59 else { return nil }
        let hasSeconds = mark(index + 3) == .colon && adjacentNumber(index + 4, digits: 2...2) != nil
        return (PartialTime(hour: value, minute: minute, isPadded: isPadded), index + (hasSeconds ? 5 : 3))
      }
      if word(index + 1) == .hourUnit, !isUnitOfNext(index + 1), isAdjacent(index + 1) || !isCertificate(index + 1) {
        return withUnit(value, isPadded, after: index + 1)
      }
      if !isGermanOn, let found = dotted(at: index, value, isPadded, hasHint: hasHint) { return found }
      if isGermanOn { return nil }
      return bare(at: index, value, hasPart: hasPart, hasHint: hasHint)
    }
    guard digits <= 4, value / 100 <= 29, value % 100 <= 59, !isText(index + 1) || !isAdjacent(index + 1) else {
      return nil
    }
    // "1930" is a time only where nothing else can be, "730pm" anywhere.
    guard isMeridiem(index + 1) || (digits == 4 && expectation == .times && word(index + 1) != .yearUnit) else {
      return nil
    }
    return (PartialTime(hour: value / 100, minute: value % 100, isPadded: digits == 4), index + 1)
  }

  /// "20u15" is a time in Flanders; in "Part 2 U" the letter says who is let in.
  private func isCertificate(_ index: Int) -> Bool {
    tokens[index].range.count == 1 && text[tokens[index].range.lowerBound] == 0x75
  }

  /// "0h 34m": behind minutes.
  private func isMinuteSign(_ index: Int) -> Bool {
    if word(index) == .minuteUnit { return true }
    guard let token = token(index), isAdjacent(index) else { return false }
    return token.range.count == 1 && text[token.range.lowerBound] == UInt8(ascii: "m")
  }

  /// Films for small children are longer than this, and nothing begins so late after midnight.
  private static let shortFilmMin = 35

  /// `19時`, `19時半`, `19시 30분`, `19h30`, `20 Uhr 30`
  private func withUnit(_ hour: Int, _ isPadded: Bool, after unit: Int) -> (PartialTime, next: Int)? {
    var time = PartialTime(hour: hour, minute: 0, isPadded: isPadded)
    let isLatin = isSpacedLetter(text[tokens[unit].range.lowerBound])
    time.mayBeDuration = isLatin && hour < 5 && !isPadded
    // "0h52" is how long a short film is; "0h15" is after midnight.
    if isLatin, hour == 0, number(unit - 1)?.digits == 1, let (minute, digits) = number(unit + 1), digits == 2,
      minute >= Self.shortFilmMin || isMinuteSign(unit + 2)
    {
      time.mayBeDuration = true
    }
    if word(unit + 1) == .half {
      time.minute = 30
      return (time, unit + 2)
    }
    guard let (minute, digits) = number(unit + 1), minute <= 59, digits <= 2 else { return (time, unit + 1) }
    if word(unit + 2) == .minuteUnit {
      time.minute = minute
      return (time, unit + 3)
    }
    let isFree = mark(unit + 2).map { $0 != .colon && $0 != .stop && $0 != .slash } ?? true
    if digits == 2,
      isAdjacent(unit + 1) || (isLatin && isFree && word(unit + 2) != .hourUnit && isUnlikeMonth(unit + 2))
    {
      time.minute = minute
      return (time, unit + 2)
    }
    return (time, unit + 1)
  }

  /// "19 h 30 mar 24" has its minutes before a Tuesday.
  private func isUnlikeMonth(_ index: Int) -> Bool { word(index) == .tuesdayOrMarch || month(index) == nil }

  /// `19.30`, where it is no date and no price.
  private func dotted(at index: Int, _ hour: Int, _ isPadded: Bool, hasHint: Bool) -> (PartialTime, next: Int)? {
    guard mark(index + 1) == .stop || partsMinutes(index + 1, hasHint: hasHint), isAdjacent(index + 1),
      let minute = adjacentNumber(index + 2, digits: 2...2),
      minute <= 59,
      !isStuckText(index + 3), !isText(index - 1) || !isAdjacent(index)
    else { return nil }
    // "18.10.-22.10"
    if minute <= 12, endsRunOfDays(index) { return nil }
    // "1.2.2026", "2.39:1"
    if mark(index + 3) == .stop || mark(index + 3) == .colon, adjacentNumber(index + 4, digits: 1...9) != nil {
      return nil
    }
    let time = PartialTime(hour: hour, minute: minute, isPadded: isPadded)
    let hasUnit = word(index + 3) == .hourUnit
    let isPrice =
      word(index + 3) == .opaque || (isText(index + 3) && text.isCurrency(tokens[index + 3].range.lowerBound))
    // "€ 8.50"; in "8 € 20.30" the sign is of the price before, in "€ 8.50 € 10.50" it is not.
    let endsPrice =
      number(index - 2) != nil && mark(index - 3) != .stop && mark(index - 3) != .colon && !isCurrency(index - 3)
    let isBehindCurrency = !hasUnit && !endsPrice && isCurrency(index - 1)
    guard !isPrice, !isBehindCurrency else { return nil }
    return (time, hasUnit ? index + 4 : index + 3)
  }

  /// Whether a dash stands before it, and before that a day and a month with their stops: a time has none at its end.
  func endsRunOfDays(_ index: Int) -> Bool {
    guard mark(index - 1) == .dash, mark(index - 2) == .stop, let month = number(index - 3), mark(index - 4) == .stop,
      let day = number(index - 5)
    else { return false }
    return (1...12).contains(month.value) && (1...31).contains(day.value) && isAdjacent(index - 2)
  }

  /// "ore 21,30", "20,30 Uhr", "ore 20,30 e 22,30"; "ore 18,20,22" are hours.
  private func partsMinutes(_ comma: Int, hasHint: Bool) -> Bool {
    guard isBeforeMinutes(comma) else { return false }
    if hasHint || word(comma + 2) == .hourUnit { return true }
    // Those before it in a list, back to one that is surely a time.
    var comma = comma
    for _ in 0..<Self.commasMax {
      let joint = comma - 2
      guard isListJoint(joint), number(joint - 3) != nil, isBeforeMinutes(joint - 2) else { return false }
      comma = joint - 2
      if word(comma - 2) == .timeHint { return true }
    }
    return false
  }

  /// Times of a day.
  private static let commasMax = 8

  private func isBeforeMinutes(_ comma: Int) -> Bool {
    guard mark(comma) == .comma, let minute = adjacentNumber(comma + 1, digits: 2...2) else { return false }
    return minute % 5 == 0 && (minute > 24 || minute == 0 || minute == 15)
      && (mark(comma + 2) != .comma || number(comma + 3) == nil || !isAdjacent(comma + 3))
  }

  private func isListJoint(_ index: Int) -> Bool {
    if isRange(index) || word(index) == .and { return true }
    switch mark(index) {
    case .slash, .plus: return true
    case .comma: return !isAdjacent(index + 1)
    default: break
    }
    // "och", "i", and "e", which ends numbers elsewhere.
    guard let token = token(index), token.hasSpaceBefore, token.range.count <= 3 else { return false }
    return token.kind == .text || token.kind == .word(.ordinal)
  }

  /// A part of the day in one sign of Han.
  private func isSign(_ index: Int) -> Bool {
    guard let token = token(index), token.range.count == 1 else { return false }
    return (0x3400...0x9FFF).contains(text[token.range.lowerBound])
  }

  /// The 夜 of "長夜 下午2:15": a sign behind others that mean nothing, with a blank behind it.
  private func isEndOfName(_ index: Int) -> Bool {
    isSign(index) && isText(index - 1) && isAdjacent(index) && !isFreeSign(index) && !isAdjacent(index + 1)
  }

  /// Whether no other sign stands before it, which would make it part of a word.
  private func isFreeSign(_ index: Int) -> Bool {
    guard let token = token(index) else { return false }
    return token.range.lowerBound == 0 || !isUnspacedLetter(text[token.range.lowerBound - 1])
  }

  private func isCurrency(_ index: Int) -> Bool {
    isText(index) && text.isCurrency(tokens[index].range.upperBound - 1)
  }

  /// `7pm`, `오후 7`, `7` of `7–9pm`
  private func bare(at index: Int, _ hour: Int, hasPart: Bool, hasHint: Bool) -> (PartialTime, next: Int)? {
    let time = PartialTime(hour: hour, minute: 0)
    if isBeforeHours(index) { return (time, index + 1) }
    guard isFree(index + 1) else { return nil }
    if isMeridiem(index + 1) { return (1...12).contains(hour) ? (time, index + 1) : nil }
    // "夜8時" is a time, and "長夜4" is the fourth of some films.
    if hasPart { return isSign(index - 1) && !isFreeSign(index - 1) ? nil : (time, index + 1) }
    // "ore 21", "at 7", where nothing else comes of the number.
    if hasHint, hour <= Self.hoursMax, expectation == .times || !isText(index + 1) || joinsHours(index + 1, hour) {
      return (time, index + 1)
    }
    if isAfterHint(index) { return (time, index + 1) }
    return (1...12).contains(hour) && isBeforeMeridiem(index) ? (time, index + 1) : nil
  }

  /// `7` of `7–9pm`, of `5, 7 & 9:30pm`: the pm at the end is of all of them.
  private func isBeforeMeridiem(_ start: Int) -> Bool {
    var index = start
    for _ in 0..<4 {
      guard isRange(index + 1) || mark(index + 1) == .comma || mark(index + 1) == .slash || word(index + 1) == .and,
        mark(index + 1) != .comma || !isText(index - 1), let (next, digits) = number(index + 2), digits <= 2, next <= 12
      else { return false }
      let hasMinutes = mark(index + 3) == .colon && adjacentNumber(index + 4, digits: 2...2) != nil
      if isMeridiem(hasMinutes ? index + 5 : index + 3) { return true }
      if hasMinutes { return false }
      index += 2
    }
    return false
  }

  /// `19` of "12. Februar, 17, 19 und 21 Uhr", of "18 et 20h30": the unit at the end is of all of them.
  func isBeforeHours(_ start: Int) -> Bool {
    guard let first = hour(start), joinsHours(start + 1) else { return false }
    let isOfWeekday = isBehindUnreadWeekday(start)
    guard isOfWeekday || mayBeginHours(at: start) else { return false }
    var isJoined = false
    var joint = start + 1
    for _ in 0..<Self.listedHoursMax {
      guard joinsHours(joint), hour(joint + 1) != nil else { return false }
      if mark(joint) == .comma {
        // "5, 12 und 19, 20 Uhr" are days and an hour.
        guard !isJoined else { return false }
      } else if word(joint) == .until || mark(joint) != nil && !isAdjacent(joint) {
        // "12. Februar, 14 - 20 Uhr" are hours, and in "Sa 14 - 20 Uhr", "Feb 5, 7 - 20 h" the first is a day.
        isJoined = isJoined || !isOfWeekday && isBehindMonth(start)
      } else {
        isJoined = true
      }
      if isSurelyHour(joint + 1) { return isJoined || !isOfWeekday && !mayBeDay(first) }
      joint = afterMinutes(joint + 1)
    }
    return false
  }

  /// Hours of a day.
  private static let listedHoursMax = 8
  /// A unit of one letter behind less than this may say how long something is.
  private static let longFilmHours = 5

  private func hour(_ index: Int) -> Int? {
    guard let (value, digits) = number(index), digits <= 2, value <= Self.hoursMax else { return nil }
    return value
  }

  /// Behind an hour and the minutes that may stand with it.
  private func afterMinutes(_ hour: Int) -> Int {
    let hasMinutes =
      (mark(hour + 1) == .colon || mark(hour + 1) == .stop) && isAdjacent(hour + 1)
      && adjacentNumber(hour + 2, digits: 2...2) != nil
    return hasMinutes ? hour + 3 : hour + 1
  }

  /// `21 Uhr`, `20h30`, `20.30 Uhr`, `20:30`
  private func isSurelyHour(_ index: Int) -> Bool {
    let next = afterMinutes(index)
    if next > index + 1, mark(index + 1) == .colon { return true }
    guard word(next) == .hourUnit, !isUnitOfNext(next), isAdjacent(next) || !isCertificate(next) else { return false }
    let isLetter = tokens[next].range.count == 1 && isSpacedLetter(text[tokens[next].range.lowerBound])
    return !isLetter || next > index + 1 || number(next + 1) != nil || (hour(index) ?? 0) >= Self.longFilmHours
  }

  /// Whether hours can begin behind what was read: behind a date, a time or a label, or at the beginning of a line.
  private func mayBeginHours(at start: Int) -> Bool {
    switch items.last?.kind {
    case nil, .newline, .from, .date, .time: return true
    case .role: return word(start + 1) == .and || mark(start - 1) == .colon
    case .separator, .join, .open, .close:
      let before = items.suffix(2).first
      if before?.time != nil { return true }
      // "Feb 5/7 - 20 h", "le 5 février et le 7 - 20 h"
      let isStuck = mark(start - 1) != nil && isAdjacent(start - 1) && isAdjacent(start)
      let goesOn = word(start - 1) == .and || word(start - 2) == .and || isStuck
      if before?.date != nil, items.last?.kind != .open, goesOn { return false }
      return hasDateInLine || expectation == .times
    default: return false
    }
  }

  /// Behind "12. Februar", and not behind "Feb 12", with which further days may go on.
  private func isBehindMonth(_ start: Int) -> Bool {
    guard let date = items.suffix(2).last(where: { $0.date != nil })?.date, date.month != nil else { return false }
    let last = mark(start - 1) == nil ? start - 1 : start - 2
    return date.year != nil || date.weekdays != [] || number(last) == nil
  }

  /// "Do 19 und 21 Uhr": a weekday that is read together with what stands behind it.
  private func isBehindUnreadWeekday(_ index: Int) -> Bool {
    let hasMark = mark(index - 1) == .stop || mark(index - 1) == .comma || word(index - 1) == .filler
    let before = hasMark ? index - 2 : index - 1
    guard weekday(before) != nil, let token = token(before) else { return false }
    return items.last.map { $0.range.upperBound <= token.range.lowerBound } ?? true
  }

  /// Whether a number with nothing but commas behind it may be a day that goes on with the date before it.
  private func mayBeDay(_ number: Int) -> Bool {
    guard expectation != .times else { return false }
    switch items.last?.kind {
    case .role, .time: return false
    case .separator, .join:
      let before = items.suffix(2).first
      if before?.time != nil { return false }
      guard let date = before?.date, let day = date.day else { return true }
      return date.year == nil && number > day
    default: return true
    }
  }

  /// Whether what stands here, between two numbers, makes one list of hours of them; above the first, if that is said.
  private func joinsHours(_ index: Int, _ first: Int? = nil) -> Bool {
    if let first {
      guard let next = hour(index + 1), next > first, joinsHours(index) else { return false }
      let behind = afterMinutes(index + 1)
      return !isText(behind) || joinsHours(behind, next)
    }
    // "12 à 20h30" is no list, and "17 a 20 h" is one in Czech.
    if word(index) == .joint { return region.isCzech }
    if word(index) == .and || word(index) == .until { return true }
    switch mark(index) {
    case .slash, .dot, .dash, .wave: return true
    case .comma: return !isAdjacent(index + 1)
    default: break
    }
    guard let token = token(index), token.hasSpaceBefore, !isAdjacent(index + 1) else { return false }
    return Self.hourJoints.contains(text.printed(token.range).lowercased())
  }

  private static let hourJoints: Set<String> = [
    "e", "ed", "i", "y", "og", "och", "ja", "oraz", "és", "și", "şi", "ir", "un", "ve", "in", "и", "і", "й", "та",
  ]

  /// `20` of "kl. 17 og 20", of "ore 18 e 21": the word before the first is of all of them.
  private func isAfterHint(_ end: Int) -> Bool {
    guard var next = hour(end), joinsHours(end - 1), !isText(end + 1) || joinsHours(end + 1, next) else { return false }
    var index = end
    for _ in 0..<Self.listedHoursMax {
      guard joinsHours(index - 1) else { return false }
      let hasMinutes = hour(index - 4) != nil && afterMinutes(index - 4) == index - 1
      let before = hasMinutes ? index - 4 : index - 2
      guard let value = hour(before), value < next else { return false }
      if word(before - 1) == .timeHint { return true }
      if mark(before - 1) == .stop, isAdjacent(before - 1), word(before - 2) == .timeHint { return true }
      (index, next) = (before, value)
    }
    return false
  }

  /// No unit, and no mark with a number behind it, that would make a number part of something else.
  func isFree(_ index: Int) -> Bool {
    if isStuckText(index) { return false }
    switch word(index) {
    case .yearUnit, .monthUnit, .dayUnit, .minuteUnit, .month, .monthBehindDay, .leafFall, .monthIn, .opaque:
      return false
    default: break
    }
    switch mark(index) {
    case .stop, .slash, .colon: return adjacentNumber(index + 1, digits: 1...9) == nil
    default: return true
    }
  }

  private func isRange(_ index: Int) -> Bool {
    mark(index) == .dash || mark(index) == .wave || word(index) == .joint
  }

  private func isMeridiem(_ index: Int) -> Bool {
    guard case .partOfDay(let part) = word(index), let token = token(index) else { return false }
    return (part == .am || part == .pm) && isSpacedLetter(text[token.range.lowerBound])
  }

  /// ` pm`, ` Uhr abends`, `(翌日)`, `(+1)`
  private func takeSuffix(at start: Int, into time: inout PartialTime) -> Int {
    var index = start
    if case .partOfDay(let part) = word(index), let token = token(index), isSpacedLetter(text[token.range.lowerBound]),
      time.part == nil || part == .nextDay,
      number(index + 1) == nil || part == .am || part == .pm || token.range.count > 2
    {
      if part == .nextDay { time.isNextDay = true } else { time.part = part }
      time.isPartBehind = true
      index += 1
      if mark(index) == .stop, isAdjacent(index) { index += 1 }
    }
    if case .clock(let word) = word(index), time.minute == 0, time.hour % 12 == 0 {
      // "12:00 noon", "24:00 자정"
      time.hour = word == .noon ? 12 : 24
      time.isPadded = true
      return index + 1
    }
    if mark(index) == .open {
      if case .partOfDay(let part) = word(index + 1), part == .nextDay || part == .lateNight, mark(index + 2) == .close
      {
        if part == .nextDay { time.isNextDay = true } else { time.part = time.part ?? part }
        return index + 3
      }
      if mark(index + 1) == .plus, number(index + 2)?.value == 1, mark(index + 3) == .close {
        time.isNextDay = true
        return index + 4
      }
    }
    return index
  }
}

extension FoldedText {
  /// $ £ ¥ € ₩ ₪ 원 円
  fileprivate func isCurrency(_ index: Int) -> Bool {
    switch self[index] {
    case 0x24, 0xA3, 0xA5, 0x20AC, 0x20A9, 0x20AA, 0xC6D0, 0x5186: true
    default: false
    }
  }
}

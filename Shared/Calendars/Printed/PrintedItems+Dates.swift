/// Dates in tokens. What is found is as partial as it is printed; `PrintedDateResolver` makes days of it.
extension PrintedItems {
  func date(at start: Int) -> (PrintedItem.Kind, next: Int)? {
    // "Today 20/11" is the 20th.
    if case .relativeDay = word(start) {
      let next = mark(start + 1) == .comma ? start + 2 : start + 1
      if let (found, end) = date(at: next), case .date(let date) = found, date.month != nil, date.day != nil {
        return (found, end)
      }
    }
    if isOrnament(start), isEndOfLine(start - 1), !isOrnament(start + 1) {
      guard let (found, end) = date(at: start + 1), case .date = found else { return nil }
      return (found, end)
    }
    switch word(start) {
    case .dayName(let days): return dayName(days, at: start)
    case .dayNameInDoubt(_, let days): return dayName(days, isInDoubt: true, at: start)
    default: break
    }
    if let found = bracketedDay(at: start) ?? dayInBrackets(at: start) { return found }
    if let weekdays = weekdayBeforeDate(start), isFirstOfWords(start) {
      let next = mark(start + 1) == .stop || mark(start + 1) == .comma ? start + 2 : start + 1
      guard let (found, end) = core(at: next, hasWeekday: true), case .date(var date) = found, date.month != nil else {
        return nil
      }
      date.weekdays = weekdays
      return (.date(date), end)
    }
    let leading = leadingWeekday(at: start)
    // "Thursday (25 October)"
    if let (weekdays, open) = leading, mark(open) == .open, let (found, end) = core(at: open + 1, hasWeekday: true),
      mark(end) == .close, case .date(var date) = found, date.month != nil
    {
      date.weekdays = weekdays
      return (.date(date), end + 1)
    }
    if let (weekdays, next) = leading, let (found, end) = core(at: next, hasWeekday: true) {
      guard case .date(var date) = found else { return (found, end) }
      // "spettacoli di oggi"
      if date.relative != nil, weekday(start)?.isShort == true { return (.date(date), end) }
      // "Despicable Me 3"
      if date.month == nil, date.relative == nil, isPronoun(start), !isFirstOfWords(start) { return nil }
      // "mar 24 nov" is a Tuesday; what "mar 24" is, the capture decides.
      if date.month != nil || date.relative != nil || word(start) != .tuesdayOrMarch {
        date.weekdays = weekdays
        return (.date(date), end)
      }
    }
    if let (found, next) = core(at: start, hasWeekday: false) {
      guard case .date(var date) = found, let (weekdays, end) = trailingWeekday(at: next) else { return (found, next) }
      date.weekdays = weekdays
      return (.date(date), end)
    }
    return loneWeekday(at: start)
  }

  /// "me", a mercredi or a mercoledì, where neither is spoken.
  private func isPronoun(_ index: Int) -> Bool {
    let range = tokens[index].range
    return range.count == 2 && zip(range, "me".unicodeScalars).allSatisfy { text[$0] == $1.value }
      && region.language != .french && region.language != .italian
  }

  /// "Hoje, 21 de novembro" is the 21st, and "Hoje" alone in its line is today.
  private func dayName(_ days: Int, isInDoubt: Bool = false, at start: Int) -> (PrintedItem.Kind, next: Int)? {
    let behind = mark(start + 1) == .comma ? start + 2 : start + 1
    switch word(behind) {
    case .dayName, .dayNameInDoubt, .relativeDay: return nil
    default: break
    }
    if let (found, end) = date(at: behind), case .date(let date) = found, date.day != nil { return (found, end) }
    guard isEndOfLine(isOrnament(start - 1) ? start - 2 : start - 1) else { return nil }
    let weekday = trailingWeekday(at: start + 1)
    let next = weekday?.next ?? start + 1
    let last = mark(next) == .colon ? next + 1 : next
    guard isEndOfLine(last), !isInDoubt || last > start + 1 else { return nil }
    return (.date(PartialDate(weekdays: weekday?.0 ?? [], relative: days)), next)
  }

  /// "◆9/8（火）": a sign that stands before the days of a list, and is part of their lines alone.
  private func isOrnament(_ index: Int) -> Bool {
    guard let token = token(index), token.kind == .text, token.range.count == 1 else { return false }
    return Self.ornaments.contains(text[token.range.lowerBound])
  }

  private static let ornaments = Set("■□▢▣◆◇◈▼▽▷▸▫◼◾○◎◉☆❖✦✧♦♢".unicodeScalars.map(\.value))

  private func isEndOfLine(_ index: Int) -> Bool { token(index).map { $0.kind == .newline } ?? true }

  /// "Qui (26), Sex (27): 19h": a weekday and in brackets the day of the month, with times or other days behind them or
  /// days before them; alone, "Friday (15)" is a film and who is let in.
  private func bracketedDay(at start: Int) -> (PrintedItem.Kind, next: Int)? {
    guard let days = weekdayBeforeDate(start) ?? weekday(start)?.days, isFirstOfWords(start) else { return nil }
    let open = mark(start + 1) == .stop ? start + 2 : start + 1
    guard mark(open) == .open, let (day, digits) = number(open + 1), digits <= 2, (1...31).contains(day) else {
      return nil
    }
    // "1º"
    let close = isAdjacent(open + 2) && mark(open + 2) == nil && number(open + 2) == nil ? open + 3 : open + 2
    guard mark(close) == .close else { return nil }
    let next = close + 1
    let isListed = items.last?.kind == .separator && items.dropLast().last?.date != nil
    let leadsOn =
      mark(next) == .comma || mark(next) == .colon || word(next) == .and
      || (token(next) != nil && time(at: next) != nil)
    return isListed || leadsOn ? (.date(PartialDate(day: day, weekdays: days)), next) : nil
  }

  /// "[24] TERÇA-FEIRA": the day of the month in brackets, and the whole name of a weekday behind it.
  private func dayInBrackets(at start: Int) -> (PrintedItem.Kind, next: Int)? {
    guard mark(start) == .open, let (day, digits) = number(start + 1), digits <= 2, (1...31).contains(day),
      mark(start + 2) == .close, let (days, isShort) = weekday(start + 3), !isShort
    else { return nil }
    return (.date(PartialDate(day: day, weekdays: days)), start + 4)
  }

  /// Whether no word stands right before: "Father & Son 24/11" has no Sunday.
  private func isFirstOfWords(_ index: Int) -> Bool {
    switch token(index - 1)?.kind {
    case nil, .newline: true
    case .mark: !isAdjacent(index)
    default: false
    }
  }

  func core(at index: Int, hasWeekday: Bool) -> (PrintedItem.Kind, next: Int)? {
    switch token(index)?.kind {
    case .word(.relativeDay(let days)): (.date(PartialDate(relative: days)), index + 1)
    case .word(.era(let base)): eraDate(at: index + 1, base: base)
    case .word(.month), .word(.tuesdayOrMarch): monthFirst(at: index)
    case .number: numeric(at: index, hasWeekday: hasWeekday)
    default: nil
    }
  }

  func month(_ index: Int) -> Int? {
    switch word(index) {
    case .month(let month), .monthBehindDay(let month): month
    case .tuesdayOrMarch: 3
    case .leafFall: region.language == .croatian || region.language == .bosnian ? 10 : 11
    case .monthIn(let languages, let month): region.language.map(languages.contains) == true ? month : nil
    // "24. des.", but "vendredi 24 dès 20h".
    case .from: region.language == .norwegian && isDes(index) ? 12 : nil
    default: nil
    }
  }

  private func isDes(_ index: Int) -> Bool {
    let range = tokens[index].range
    return range.count == 3 && zip(range, "des".unicodeScalars).allSatisfy { text[$0] == $1.value }
  }

  /// "azaroaren 21a", "azaroak 21": elsewhere an "a" behind a number is the morning's.
  private func isBasque(_ month: Int) -> Bool {
    let range = tokens[month].range
    guard range.count >= 6 else { return false }
    let end = [text[range.upperBound - 2], text[range.upperBound - 1]]
    return ["ak", "en"].contains { end == $0.unicodeScalars.map(\.value) }
  }

  /// `Nov 21st, 2026`
  private func monthFirst(at start: Int) -> (PrintedItem.Kind, next: Int)? {
    guard let month = month(start) else { return nil }
    var index = start + 1
    if mark(index) == .stop { index += 1 }
    // "Sat. Oct, 10"
    if mark(index) == .comma, isAdjacent(index), number(index + 1)?.digits ?? 3 <= 2, self.month(index + 2) == nil {
      index += 1
    }
    guard let (day, digits) = number(index), digits <= 2, (1...31).contains(day),
      !isPartOfTime(index) || isBasque(start)
    else { return nil }
    index += 1
    if word(index) == .ordinal || isBasque(start) && word(index) == .partOfDay(.am), isAdjacent(index) {
      index += 1
    } else if isStuckText(index) {
      return nil
    }
    // Lithuanian writes "lapkričio 21 d."
    if word(index) == .filler, mark(index + 1) == .stop, tokens[index].range.count == 1 { index += 2 }
    // Hungarian writes "november 24. kedd", and "november 24., kedd".
    if mark(index) == .stop, isAdjacent(index),
      weekday([.comma, .open].contains(mark(index + 1)) ? index + 2 : index + 1) != nil
    {
      index += 1
    }
    let (year, next) = trailingYear(at: index)
    var date = PartialDate(year: year, month: month, day: day)
    date.mayBeTuesday = year == nil && word(start) == .tuesdayOrMarch
    return (.date(date), next)
  }

  /// `令和8年11月23日`, `令和8.11.23`; 元 is the first year.
  private func eraDate(at start: Int, base: Int) -> (PrintedItem.Kind, next: Int)? {
    let yearOfEra = word(start) == .firstYear ? 1 : number(start)?.value
    guard let yearOfEra, (1...99).contains(yearOfEra) else { return nil }
    if word(start + 1) == .yearUnit {
      return unitMonthDay(at: start + 2, year: base + yearOfEra)
    }
    guard let (month, day, next) = twoMore(at: start + 1) else { return nil }
    return (.date(PartialDate(year: base + yearOfEra, month: month, day: day)), next)
  }

  private func numeric(at index: Int, hasWeekday: Bool) -> (PrintedItem.Kind, next: Int)? {
    guard let (value, digits) = number(index) else { return nil }
    if digits == 8, expectation == .dates,
      let date = CivilDate(year: value / 10_000, month: value / 100 % 100, day: value % 100)
    {
      return (.date(PartialDate(year: date.year, month: date.month, day: date.day)), index + 1)
    }
    if word(index + 1) == .yearUnit, digits == 4 { return unitMonthDay(at: index + 2, year: value) }
    if digits == 4, (1_900...2_199).contains(value), let (month, day, next) = twoMore(at: index + 1) {
      return (.date(PartialDate(year: value, month: month, day: day)), next)
    }
    if let found = behindYear(at: index) { return found }
    guard digits <= 2, value > 0 else { return nil }
    if word(index + 1) == .monthUnit { return unitMonthDay(at: index, year: nil) }
    if word(index + 1) == .dayUnit, value <= 31 { return (.date(PartialDate(day: value)), index + 2) }
    if let found = dayFirst(at: index) { return found }
    if let found = marked(at: index, hasWeekday: hasWeekday) { return found }
    guard value <= 31,
      isListed(at: index) || isDayOfWeekday(index, hasWeekday: hasWeekday) || isDayAfterDate(index)
        || isFirstOfDays(index)
    else { return nil }
    return (.date(PartialDate(day: value)), afterDay(index))
  }

  /// "2026 m. lapkričio 21 d.", "2026. gada 21. novembris"
  private func behindYear(at start: Int) -> (PrintedItem.Kind, next: Int)? {
    guard let (year, digits) = number(start), digits == 4, abs(year - captureYear) <= 2 else { return nil }
    let unit = mark(start + 1) == .stop ? start + 2 : start + 1
    guard isText(unit), Self.yearWords.contains(text.printed(tokens[unit].range).lowercased()) else { return nil }
    let next = mark(unit + 1) == .stop ? unit + 2 : unit + 1
    guard let (found, end) = monthFirst(at: next) ?? dayFirst(at: next), case .date(var date) = found,
      date.year == nil
    else { return nil }
    date.year = year
    return (.date(date), end)
  }

  private static let yearWords: Set<String> = ["m", "gada"]

  /// `21` and `22` of `11/20、21、22`, `23` of `Nov 21-23`; not the 7 of `Nov 5, 7 & 9pm`.
  private func isDayAfterDate(_ index: Int) -> Bool {
    guard let separator = items.last, separator.kind == .separator || separator.isJoin,
      let before = items.dropLast().last?.date, let last = before.day, let (value, _) = number(index), value > last,
      isText(index - 1) == false
    else { return false }
    let next = afterDay(index)
    guard isFree(next), !isPartOfTime(index), !isText(next), !isBeforeHours(index) else { return false }
    return expectation == .dates || time(at: index) == nil
  }

  /// `23` of "nos dias 23 e 24", "los días 23, 24 y 26": several days of the month that is going on.
  private func isFirstOfDays(_ index: Int) -> Bool {
    guard let before = token(index - 1), Self.wordsForDays.contains(text.printed(before.range).lowercased()),
      let (first, digits) = number(index), digits <= 2, first > 0, !isPartOfTime(index)
    else { return false }
    let joint = afterDay(index)
    guard isAnd(joint) || word(joint) == .joint,
      let (second, more) = number(joint + 1), more <= 2, second > first, second <= 31, !isPartOfTime(joint + 1)
    else { return false }
    return true
  }

  private static let wordsForDays: Set<String> = ["dias", "días", "giorni", "jours"]

  /// `Sat 21`, `22(日)`: the weekday makes a day of the number, if nothing makes a time of it.
  private func isDayOfWeekday(_ index: Int, hasWeekday: Bool) -> Bool {
    let next = afterDay(index)
    guard hasWeekday || (mark(next) == .open && trailingWeekday(at: next) != nil), isFree(next), !isPartOfTime(index)
    else {
      return false
    }
    // "MA15+" says who is let in.
    if mark(next) == .plus, isAdjacent(next) { return false }
    return expectation == .dates || time(at: index) == nil
  }

  /// `11月21日`, `11월 21일`, and without the last unit.
  private func unitMonthDay(at index: Int, year: Int?) -> (PrintedItem.Kind, next: Int)? {
    guard let (month, monthDigits) = number(index), monthDigits <= 2, word(index + 1) == .monthUnit,
      let (day, dayDigits) = number(index + 2), dayDigits <= 2, !isPartOfTime(index + 2)
    else { return nil }
    let next = word(index + 3) == .dayUnit ? index + 4 : index + 3
    return (.date(PartialDate(year: year, month: month, day: day)), next)
  }

  /// `-11-23`, `/11/23`, `. 11. 23.`
  private func twoMore(at index: Int) -> (month: Int, day: Int, next: Int)? {
    guard let mark = mark(index), [.dash, .slash, .stop].contains(mark), let month = number(index + 1),
      month.digits <= 2,
      self.mark(index + 2) == mark, let day = number(index + 3), day.digits <= 2, !isPartOfTime(index + 3)
    else { return nil }
    guard mark == .stop || (isAdjacent(index + 1) && isAdjacent(index + 3)) else { return nil }
    return (month.value, day.value, self.mark(index + 4) == .stop && mark == .stop ? index + 5 : index + 4)
  }

  /// `21 Nov`, `21st of November`, `21. November 2026`, `1er décembre`
  private func dayFirst(at start: Int) -> (PrintedItem.Kind, next: Int)? {
    guard let (day, _) = number(start), day <= 31 else { return nil }
    var index = afterDay(start)
    while word(index) == .filler, index < start + 4 { index += 1 }
    // "Friday 20, November", but not "Nov 20, Dec 4".
    if mark(index) == .comma, self.month(index + 1) != nil,
      number(index + 2).map({ $0.digits > 2 || isPartOfTime(index + 2) }) ?? true
    {
      index += 1
    }
    // "13-SEP-26"
    let hasDashes = mark(index) == .dash && isAdjacent(index) && isAdjacent(index + 1)
    if hasDashes { index += 1 }
    guard let month = month(index) else { return nil }
    index += 1
    if hasDashes, mark(index) == .dash, isAdjacent(index), let (year, _) = number(index + 1), isAdjacent(index + 1),
      let whole = nearYear(year)
    {
      return (.date(PartialDate(year: whole, month: month, day: day)), index + 2)
    }
    if mark(index) == .stop { index += 1 }
    while word(index) == .filler, index < start + 8 { index += 1 }
    // "13 Sep 26" and nothing else: no clock shows 26.
    if start == 0, token(index + 1) == nil, let (year, digits) = number(index), digits == 2, year > Self.hoursMax,
      let whole = nearYear(year)
    {
      return (.date(PartialDate(year: whole, month: month, day: day)), index + 1)
    }
    if let (year, next) = shortYear(at: index) {
      return (.date(PartialDate(year: year, month: month, day: day)), next)
    }
    let (year, next) = trailingYear(at: index)
    return (.date(PartialDate(year: year, month: month, day: day)), next)
  }

  /// "13. Dez. 18 um 19 Uhr", "5 Feb 26 7.30pm", "5 Feb '26": two digits behind a month that are no hour, no day, and
  /// nothing of the words behind them.
  private func shortYear(at start: Int) -> (Int, next: Int)? {
    let hasApostrophe = mark(start) == .apostrophe && isAdjacent(start + 1)
    let index = hasApostrophe ? start + 1 : start
    guard let (number, digits) = number(index), digits == 2, let year = nearYear(number),
      (-Self.yearsBack...Self.yearsAhead).contains(year - captureYear)
    else { return nil }
    let next = index + 1
    if hasApostrophe { return isStuckText(next) ? nil : (year, next) }
    guard isFree(next), !isPartOfTime(index), !isBeforeHours(index) else { return nil }
    let behindComma = mark(next) == .comma ? next + 1 : next
    let isBeforeTime = time(at: behindComma) != nil
    switch token(next)?.kind {
    case nil, .newline:
      // "13. Dez. 18" may be an hour.
      return number > Self.hoursMax ? (year, next) : nil
    case .mark(.comma), .mark(.open), .mark(.close), .mark(.bar), .mark(.dot), .mark(.semicolon):
      return number > Self.hoursMax || isBeforeTime ? (year, next) : nil
    case .mark(.dash), .mark(.wave):
      return number > Self.hoursMax && !isAdjacent(next) ? (year, next) : nil
    case .mark: return nil
    default: return isBeforeTime || number > Self.hoursMax && weekday(next) != nil ? (year, next) : nil
    }
  }

  /// A page tells of its last year and of the two ahead.
  private static let yearsBack = 1
  private static let yearsAhead = 2

  static let hoursMax = 24

  /// 2026 of 26 and of 2026, if that is about now.
  private func nearYear(_ number: Int) -> Int? {
    let year = number < 100 ? captureYear / 100 * 100 + number : number
    return abs(year - captureYear) <= 2 ? year : nil
  }

  /// Behind a day's number, its ordinal or its full stop.
  private func afterDay(_ index: Int) -> Int {
    let next = index + 1
    return isAdjacent(next) && (word(next) == .ordinal || mark(next) == .stop) ? next + 1 : next
  }

  /// Four digits behind a date are its year, unless they could be a time and no comma says otherwise.
  private func trailingYear(at index: Int) -> (Int?, next: Int) {
    // "Ene 20 / 2026"
    let isApart = mark(index) == .comma || mark(index) == .slash && !isAdjacent(index) && !isAdjacent(index + 1)
    let afterComma = isApart ? index + 1 : index
    // Thai years count from the Buddha's: no clock shows 25:69.
    if let (year, digits) = number(afterComma), digits == 4, abs(year - Self.buddhist - captureYear) <= 2 {
      return (year - Self.buddhist, afterComma + 1)
    }
    guard let (year, digits) = number(afterComma), digits == 4, !isStuckText(afterComma + 1), !isPartOfTime(afterComma),
      afterComma > index ? (1_900...2_199).contains(year) : abs(year - captureYear) <= 2 || isSurelyYear(year)
    else { return (nil, index) }
    return (year, afterComma + 1)
  }

  private static let buddhist = 543

  /// "1936" and "1985" are no times: nobody begins at such minutes.
  private func isSurelyYear(_ number: Int) -> Bool {
    (1_900...2_099).contains(number) && (number % 100 > 59 || number % 5 != 0)
  }

  /// A number that is the hour of something: `19:30`, `7pm`.
  func isPartOfTime(_ index: Int) -> Bool {
    if mark(index + 1) == .colon, adjacentNumber(index + 2) != nil { return true }
    switch word(index + 1) {
    case .hourUnit: return !isUnitOfNext(index + 1)
    case .minuteUnit: return true
    case .partOfDay:
      // "7 pm", but not "11/21 PM 7:30".
      let isLatin = token(index + 1).map { isSpacedLetter(text[$0.range.lowerBound]) } ?? false
      return isAdjacent(index + 1) || (isLatin && number(index + 2) == nil)
    default: return false
    }
  }

  /// `21` of `21–27 Nov`, of `21, 22 & 23 November`: a month follows at the end of the list.
  private func isListed(at start: Int) -> Bool {
    var index = start
    for _ in 0..<16 {
      guard let (value, digits) = number(index), digits <= 2, (1...31).contains(value) else { return false }
      if index > start, dayFirst(at: index) != nil { return true }
      if index > start, let (kind, _) = marked(at: index, hasWeekday: false), case .date = kind {
        return mark(index + 1) == .stop
      }
      index = afterDay(index)
      if let (_, next) = trailingWeekday(at: index), mark(index) == .open { index = next }
      switch token(index)?.kind {
      case .mark(.comma), .mark(.slash), .mark(.dash), .mark(.wave), .word(.and), .word(.joint), .word(.until):
        index += 1
      case .word(.ordinal) where isAnd(index): index += 1
      default: return false
      }
      for _ in 0..<3 where word(index) == .filler || weekday(index) != nil || mark(index) == .stop { index += 1 }
    }
    return false
  }
}

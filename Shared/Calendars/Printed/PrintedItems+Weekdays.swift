/// Weekdays in tokens: before a date, behind it, alone, in lists.
extension PrintedItems {
  func weekday(_ index: Int) -> (days: WeekdaySet, isShort: Bool)? {
    if let token = token(index) {
      let scalars = text.scalars[token.range]
      if let day = region.weekday(scalars) { return (WeekdaySet(day), true) }
      if region.joinsWords(scalars) { return nil }
    }
    return switch word(index) {
    case .weekday(let days, let isShort): (days, isShort)
    case .tuesdayOrMarch: (WeekdaySet(.tuesday), true)
    case .sundayOrSaturday: (WeekdaySet(region.isCzech ? .saturday : .sunday), true)
    case .thursdayOrSunday:
      (region.isGermanic ? WeekdaySet(.thursday) : [WeekdaySet(.thursday), WeekdaySet(.sunday)], true)
    case .weekdayInCzech(let days): region.isCzech ? (days, true) : nil
    // "st 25. 11.", not "1st". In Slovak "št" is a Thursday.
    case .ordinal:
      region.isCzech && isWednesday(index)
        ? (region.language == .slovak ? [WeekdaySet(.wednesday), WeekdaySet(.thursday)] : WeekdaySet(.wednesday), true)
        : nil
    case .monthUnit: (WeekdaySet(.monday), true)
    case .dayUnit: (WeekdaySet(.sunday), true)
    default: nil
    }
  }

  func weekdayBeforeDate(_ index: Int) -> WeekdaySet? {
    switch word(index) {
    case .weekdayBeforeDate(let days): days
    case .weekdayIn(let languages, let days): region.language.map(languages.contains) == true ? days : nil
    default: nil
    }
  }

  private func isWednesday(_ index: Int) -> Bool {
    let range = tokens[index].range
    return range.count == 2 && text[range.lowerBound] == 0x73 && (number(index - 1) == nil || !isAdjacent(index))
  }

  /// "3ª feira", "3.ª-feira", "Thứ 3": where it ends.
  private func numberedWeekday(at start: Int) -> (WeekdaySet, last: Int)? {
    if region.language == .vietnamese, word(start) == .weekday(WeekdaySet(.thursday), isShort: true),
      let (number, digits) = number(start + 1), digits == 1, (2...7).contains(number)
    {
      return (WeekdaySet(Weekday.sunday.adding(days: number - 1)), start + 1)
    }
    let last = mark(start + 1) == .stop ? start + 2 : start + 1
    guard word(last) == .numberedWeekday, isAdjacent(last), let (number, digits) = number(start), digits == 1,
      (2...6).contains(number)
    else { return nil }
    return (WeekdaySet(Weekday.sunday.adding(days: number - 1)), last)
  }

  /// `Sat `, `Sa., `, `samedi le `, with what may stand between it and the date.
  func leadingWeekday(at start: Int) -> (WeekdaySet, next: Int)? {
    guard let (days, last) = numberedWeekday(at: start) ?? weekday(start).map({ ($0.days, start) }) else { return nil }
    var index = last + 1
    for _ in 0..<3 {
      if mark(index) == .stop || mark(index) == .comma || mark(index) == .apostrophe || word(index) == .filler {
        index += 1
      }
    }
    return (days, behindDash(index) ?? index)
  }

  /// "TUE - 3", "Samstag – 21. November", "Martes - Ene 20": a dash that stands free between a weekday and a date that
  /// is whole, or the last of its line. "Fri - 7pm" is a time.
  private func behindDash(_ index: Int) -> Int? {
    guard mark(index) == .dash || mark(index) == .bar, !isAdjacent(index), !isAdjacent(index + 1),
      number(index + 1) != nil || month(index + 1) != nil, let (found, end) = core(at: index + 1, hasWeekday: true),
      case .date(let date) = found, date.day != nil
    else { return nil }
    let isLast = token(end) == nil || token(end)?.kind == .newline
    return date.month != nil || isLast ? index + 1 : nil
  }

  /// The number of "04.16 (二)": the second day of a Chinese week is a Tuesday.
  private func numberedInChinese(_ index: Int) -> WeekdaySet? {
    guard !region.isJapanese, let token = token(index), token.range.count == 1,
      let place = Self.chineseNumbers.firstIndex(of: text[token.range.lowerBound])
    else { return nil }
    return WeekdaySet(Weekday.monday.adding(days: place))
  }

  private static let chineseNumbers: [UInt32] = "一二三四五六".unicodeScalars.map(\.value)

  /// `(土)`, `(日・祝)`, ` Sun`, `, Sunday`, ` 일`.
  func trailingWeekday(at start: Int) -> (WeekdaySet, next: Int)? {
    if mark(start) == .open, mark(start + 2) == .close, let day = numberedInChinese(start + 1) {
      return (day, start + 3)
    }
    if mark(start) == .open, let (days, _) = weekday(start + 1) {
      let farthest = start + 8
      guard let close = (start + 2...farthest).first(where: { mark($0) == .close }) else { return nil }
      return (days, close + 1)
    }
    // "23 stycznia 2026 /piątek/"
    if mark(start) == .slash, !isAdjacent(start), isAdjacent(start + 1), mark(start + 2) == .slash,
      let (days, _) = weekday(start + 1)
    {
      return (days, start + 3)
    }
    let isApart = mark(start) == .bar || mark(start) == .dot
    // "11/28.土"
    let isStopped =
      mark(start) == .stop && isAdjacent(start) && isAdjacent(start + 1)
      && token(start + 1).map { isUnspacedLetter(text[$0.range.lowerBound]) } ?? false
    let index = mark(start) == .comma || isApart || isStopped ? start + 1 : start
    guard let (days, isShort) = weekday(index), let token = token(index) else { return nil }
    // "04 de setembro | segunda-feira | 16h", and not "21 Nov | Sunday 22 Nov".
    if isApart, isShort && token.range.count <= 3 || number(index + 1) != nil && time(at: index + 1) == nil {
      return nil
    }
    let isAtEdge = self.token(index + 1).map { $0.hasSpaceBefore || $0.kind != .text } ?? true
    if isUnspacedLetter(text[token.range.lowerBound]) {
      // One letter between a date and a word is not part of the word: "11.23 일", "11/21土".
      return isAtEdge ? (days, index + 1) : nil
    }
    // "11/21 me and you": two letters need an end behind them.
    if isShort && token.range.count <= 2 {
      switch self.token(index + 1)?.kind {
      case nil, .mark, .newline, .number: break
      case .word, .text: return nil
      }
    }
    return (days, mark(index + 1) == .stop ? index + 2 : index + 1)
  }

  /// `Saturday`, where a date can stand; `Sat` before a time, `土` as the whole of a heading.
  func loneWeekday(at start: Int) -> (PrintedItem.Kind, next: Int)? {
    guard let (days, isShort) = weekday(start), weekdayList(at: start) == nil else { return nil }
    guard number(start - 1) == nil || !isAdjacent(start) else { return nil }
    let date = (PrintedItem.Kind.date(PartialDate(weekdays: days)), start + 1)
    // "18:00 to 20:00" in Finland
    if isShort, word(start) == .joint { return nil }
    if isShort {
      // "Mi. 17.02. je 20.15 Uhr": behind a date with its weekday the word is German for "each", not a jeudi.
      if let last = items.last?.date, last.weekdays != [], last.day != nil, token(start)?.range.count == 2,
        text[tokens[start].range.lowerBound] == 0x6A
      {
        return nil
      }
      let isHeading = expectation == .dates && tokens.count == 1
      let isUnit = word(start) == .monthUnit || word(start) == .dayUnit
      let next = mark(start + 1) == .stop ? start + 2 : start + 1
      // "mer, jeu : 20h30 / ven : 18h"
      let isBeforeTime =
        word(next) == .also
        ? time(at: next + 1) != nil
        : !isAdjacent(start + 1) && time(at: start + 1) != nil
          || mark(start + 1) == .colon && isOneOfSeveral(start) && time(at: start + 2) != nil
      return isHeading || (!isUnit && isBeforeTime) ? date : nil
    }
    switch token(start + 1)?.kind {
    case nil, .newline, .mark, .number: return date
    case .word(let word): return word == .filler || word == .not ? nil : date
    // "domingo às 15h30"
    case .text: return isOneOf(Self.timeJoints, start + 1) && time(at: start + 2) != nil ? date : nil
    }
  }

  /// "Fri: 7:00, 9:15; Sun: 2:00": alone, what stands before a colon may be what the line is of.
  private func isOneOfSeveral(_ start: Int) -> Bool {
    items.contains { $0.time != nil }
      || tokens[(start + 1)...].prefix(Self.lineReach).contains {
        if case .word(.weekday) = $0.kind { true } else { false }
      }
  }

  private static let lineReach = 24

  /// `Mon–Fri`, `Sat & Sun`, `月～金`, `평일`, `毎週土曜`: weekdays without dates.
  func weekdayList(at start: Int) -> (days: WeekdaySet, next: Int)? {
    if case .weekdays(let days) = word(start) { return (days, start + 1) }
    let first = word(start) == .every ? start + 1 : start
    // The 月 of 11月 is none.
    guard number(first - 1) == nil, var last = weekday(first)?.days else { return nil }
    var all = last
    var index = first + 1
    // "da giovedì a domenica"
    let isRun = weekday(first)?.isShort == true || word(first - 1) == .from || isOneOf(Self.runOpenings, first - 1)
    for _ in 0..<6 {
      let separator = mark(index) == .stop ? index + 1 : index
      // "Quinta a domingo"; what is no short name stands for a day of its own. In Czech "pá a so" are two.
      let isJoined = word(separator) == .joint && isRun && !region.isCzech
      let isRange = mark(separator) == .dash || mark(separator) == .wave || word(separator) == .until || isJoined
      let isAnd =
        word(separator) == .and || isOneOf(Self.ands, separator) || region.isCzech && word(separator) == .joint
      let isList = [.comma, .slash, .dot, .plus].contains(mark(separator)) || isAnd
      // "sam dim 11h"
      let isBare = weekday(separator)?.isShort == true && weekday(separator - 1)?.isShort == true
      let behind = isBare && !isRange && !isList ? separator : separator + 1
      guard isRange || isList || isBare, let next = weekday(behind)?.days, core(at: behind + 1, hasWeekday: true) == nil
      else { break }
      if isRange, let from = last.weekdays.first, let to = next.weekdays.first {
        for step in 0..<7 {
          all.formUnion(WeekdaySet(from.adding(days: step)))
          if from.adding(days: step) == to { break }
        }
      }
      all.formUnion(next)
      last = next
      index = behind + 1
    }
    return index > start + 1 ? (all, index) : nil
  }

  /// "sab e dom", "pet i sub", "la ja su".
  private static let ands = ["e", "i", "ja", "och", "og", "ve", "es", "si"].map { $0.unicodeScalars.map(\.value) }
  private static let timeJoints = ["as", "ob", "u", "o", "v", "kell", "w"].map { $0.unicodeScalars.map(\.value) }
  private static let runOpenings = ["da", "dal", "de", "du", "od", "desde"].map { $0.unicodeScalars.map(\.value) }

  private func isOneOf(_ words: [[UInt32]], _ index: Int) -> Bool {
    guard let token = token(index), token.range.count <= 5 else { return false }
    return words.contains { text.scalars[token.range].elementsEqual($0) }
  }
}

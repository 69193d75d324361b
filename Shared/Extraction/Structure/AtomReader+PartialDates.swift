import Calendars

/// Months and days that stand alone, and dates in three parts: what the reader of print takes for no date.
extension AtomReader {
  /// "Mo 23 11" in three parts: the weekday says that they are a day and its month.
  mutating func numbered(_ text: String) throws(ExtractionError) -> (PrintedLine, String)? {
    if let written = Self.dotted(text) ?? Self.spaced(text), let line = try line(written), line.day != nil,
      line.rest.isEmpty
    {
      return (line, written)
    }
    let parts = text.utf8.split(separator: 0x20)
    // "2 土" of a table's head: the day and its weekday.
    if parts.count == 2, (1...2).contains(parts[0].count), parts[0].allSatisfy(isDigitByte),
      parts[1].count == 3
    {
      let written = "\(Substring(parts[0]))日(\(Substring(parts[1])))"
      if let line = try line(written), line.day != nil, line.rest.isEmpty { return (line, written) }
    }
    // "21 sáb", "Sat 21": the reader of print knows the second.
    let numbers = parts.map { $0.last == UInt8(ascii: ".") ? $0.dropLast() : $0 }
    if parts.count == 2,
      let number = numbers.first(where: { (1...2).contains($0.count) && $0.allSatisfy(isDigitByte) }),
      let word = parts.first(where: { !$0.contains(where: isDigitByte) })
    {
      let written = "\(Substring(word)) \(Substring(number))"
      guard let line = try line(written), line.day != nil, line.rest.isEmpty,
        line.days[0].notes.contains(.inferredMonth)
      else { return nil }
      return (line, written)
    }
    if let written = Self.eastern(parts), let line = try line(written), line.day != nil, line.rest.isEmpty {
      return (line, written)
    }
    guard parts.count == 3, parts[1...].allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(isDigitByte) }),
      !parts[0].contains(where: isDigitByte)
    else { return nil }
    let written = "\(Substring(parts[0])) \(Substring(parts[1])).\(Substring(parts[2]))."
    guard let line = try line(written), line.day != nil, line.rest.isEmpty else { return nil }
    return (line, written)
  }

  /// "29.화", "29. 火" below a month's name: the day and its weekday, and no month.
  private static func dotted(_ text: String) -> String? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[0].allSatisfy(isDigitByte),
      case let weekday = String(Substring(parts[1])).trimmedText, weekdayLetters.contains(weekday)
    else { return nil }
    let isKorean = weekday.unicodeScalars.first.map { $0.value >= 0xAC00 } ?? false
    return "\(Substring(parts[0]))\(isKorean ? "일" : "日")(\(weekday))"
  }

  /// "03 / 12 星期四": a day and its month with room around their stroke, and a weekday. Without one it may be a mark out of
  /// twelve, or a picture of so many.
  private static func spaced(_ text: String) -> String? {
    let parts = text.utf8.split(separator: 0x20)
    guard parts.count == 4, Substring(parts[1]) == "/" || Substring(parts[1]) == "／",
      [parts[0], parts[2]].allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(isDigitByte) }),
      !parts[3].contains(where: isDigitByte)
    else { return nil }
    return "\(Substring(parts[0]))/\(Substring(parts[2])) \(Substring(parts[3]))"
  }

  private static let weekdayLetters: Set<String> = [
    "월", "화", "수", "목", "금", "토", "일", "月", "火", "水", "木", "金", "土", "日",
  ]

  /// "02월 수 16" of a tile: the month, the weekday and the day.
  private static func eastern(_ parts: [Substring.UTF8View]) -> String? {
    guard parts.count == 3, let month = parts.first(where: { isMonth($0) }),
      let day = parts.first(where: { (1...2).contains($0.count) && $0.allSatisfy(isDigitByte) }),
      let weekday = parts.first(where: { $0.count == 3 && !$0.contains(where: isDigitByte) })
    else { return nil }
    return "\(Substring(month)) \(Substring(day))\(month.last == "월".utf8.last ? "일" : "日")(\(Substring(weekday)))"
  }

  private static func isMonth(_ part: Substring.UTF8View) -> Bool {
    let digits = part.prefix(while: isDigitByte)
    return (1...2).contains(digits.count) && ["월", "月"].contains(String(Substring(part.dropFirst(digits.count))))
  }

  /// "Moss Cinema November 2026", "12월 시간표": the month of what stands below.
  mutating func addMonth(of text: String, _ place: Int) {
    guard text.utf8.count <= Self.wholeMax, let last = atoms.last, last.isWords, last.place == place else { return }
    let words = text.split(separator: " ")
    guard words.count >= 2 else { return }
    for part in [words.suffix(2), words.prefix(2), words.prefix(1)] where part.count < words.count {
      let text = part.joined(separator: " ")
      guard text.hasSuffix("월") || text.hasSuffix("月") || text.utf8.contains(where: isDigitByte) else { continue }
      guard let kind = month(text), case .month(let year, _) = kind else { continue }
      guard year != nil || text.hasSuffix("월") || text.hasSuffix("月") else { continue }
      atoms.append(PageAtom(kind: kind, place: place, text: text))
      return
    }
  }

  mutating func month(_ text: String) -> PageAtom.Kind? {
    if let known = months[text] { return known }
    let month = monthAlone(text)
    if months.count < Self.knownMax { months[text] = .some(month) }
    return month
  }

  /// `November 2026`, `11月`, `2026년 11월`
  func monthAlone(_ text: String) -> PageAtom.Kind? {
    guard text.utf8.count <= 32, text.unicodeScalars.count >= 2 else { return nil }
    let year = text.utf8.split(whereSeparator: { !isDigitByte($0) }).first { $0.count == 4 }.flatMap {
      Int(Substring($0))
    }
    if let year, !(1990...2090).contains(year) { return nil }
    if let year, let month = numberedMonth(text) { return .month(year: year, month: month) }
    let isUnspaced = text.unicodeScalars.last.map { $0 == "月" || $0 == "월" } ?? false
    guard isUnspaced || text.hasLetters else { return nil }
    // A month's first day may be far from the capture: with the year of the capture it is in reach of some year.
    let captured = clock.captured.year
    let probe =
      switch (isUnspaced, year) {
      case (true, nil): "\(captured)年\(text)1日"
      case (true, _): text + "1日"
      case (false, nil): "1 \(text) \(captured)"
      case (false, _): "1 " + text
      }
    guard let line = PrintedLine(probe, clock: clock),
      line.times.isEmpty, line.rest.isEmpty, let day = line.days.first?.first,
      line.days.count == 1, day.day == 1, line.alarms.isEmpty
    else { return nil }
    // "1 Saturday" would do as well.
    guard !line.days[0].notes.contains(.inferredMonth), !line.days[0].notes.contains(.inferredFromWeekday),
      !line.days[0].notes.contains(.relativeDay)
    else { return nil }
    return .month(year: year, month: day.month)
  }

  /// `2026.11`, `2026 / 11`, `11/2026`
  func numberedMonth(_ text: String) -> Int? {
    let parts = text.utf8.split(whereSeparator: { !isDigitByte($0) })
    guard parts.count == 2,
      text.utf8.allSatisfy({ isDigitByte($0) || [0x20, 0x2E, 0x2F, 0x2D].contains($0) }),
      let part = parts.first(where: { $0.count <= 2 }), parts.contains(where: { $0.count == 4 }),
      let month = Int(Substring(part)), (1...12).contains(month)
    else { return nil }
    return month
  }
}

import Calendars

/// Dates in several parts of a page, one after the other: a day's number, its month, its weekday.
extension AtomReader {
  /// `<div>6</div><div>October</div><div>7:30pm</div>`, and `<div>12.9.</div><div>Saturday</div>`: the weekday is the date's,
  /// and not the next one that is called so.
  mutating func settleDateBoxes() throws(ExtractionError) {
    var texts: [Int: String] = [:]
    for index in atoms.indices.dropLast() {
      if let (text, line) = try dayAndMonth(index) {
        atoms[index].kind = .date(line.days)
        atoms[index].line = line
        atoms[index + 1].kind = .words
        atoms[index + 1].line = nil
        texts[index] = text
      }
      let before = texts[index - 1] != nil ? index - 1 : index
      try joinWeekday(of: before, at: index + 1, written: texts[before] ?? atoms[before].text)
    }
  }

  /// A number, right before a month's name, right before a time or a weekday.
  private mutating func dayAndMonth(_ index: Int) throws(ExtractionError) -> (String, PrintedLine)? {
    guard case .month = atoms[index + 1].kind, let day = boxedNumber(index), atoms.indices.contains(index + 2),
      tree.path(atoms[index + 1].place).prefix(2).allSatisfy({ !Self.monthHeadings.contains(tree[$0].tag) })
    else { return nil }
    if !atoms[index + 2].isTime {
      guard try isWeekday(index + 2) else { return nil }
    }
    let text = "\(day) \(atoms[index + 1].text)"
    guard let line = PrintedLine(text, clock: clock, expecting: .dates), line.day != nil, line.rest.isEmpty,
      line.alarms.isEmpty
    else { return nil }
    return (text, line)
  }

  /// A month over many days is no part of one.
  private static let monthHeadings: Set<String> = ["h1", "h2", "th", "caption"]

  private func boxedNumber(_ index: Int) -> Int? {
    if case .dayNumber(let day) = atoms[index].kind { return day }
    let text = atoms[index].text
    guard atoms[index].isWords, text.utf8.count <= 3,
      let day = Int(text.hasSuffix(".") ? String(text.dropLast()) : text)
    else { return nil }
    return (1...31).contains(day) ? day : nil
  }

  /// The weekday that stands right behind a date, alone or before its time, where it is the date's.
  private mutating func joinWeekday(of date: Int, at index: Int, written: String) throws(ExtractionError) {
    guard date < index, case .date(let days) = atoms[date].kind, days.count == 1, let day = days[0].day,
      days[0].notes.isDisjoint(with: [.inferredFromWeekday, .relativeDay, .inferredMonth]),
      atoms[date].line?.rest.isEmpty ?? true, written.utf8.count <= Self.boxBytesMax
    else { return }
    let weekday = atoms[index]
    guard weekday.text.utf8.count <= Self.boxBytesMax else { return }
    let isOfWeekday = { (days: [PrintedDays]) in
      days.count == 1 && days[0].notes.contains(.inferredFromWeekday) && days[0].first == days[0].last
    }
    switch weekday.kind {
    case .date(let named) where isOfWeekday(named) && weekday.line?.rest.isEmpty ?? true: break
    case .both where weekday.line.map { isOfWeekday($0.days) } ?? false: break
    case .words where try isWeekday(index): break
    default: return
    }
    try budget.spend((written.utf8.count + weekday.text.utf8.count) * 4)
    guard let line = PrintedLine("\(written) \(weekday.text)", clock: clock), line.days.count == 1, line.alarms.isEmpty,
      let found = line.day, found.month == day.month, found.day == day.day
    else { return }
    if case .both = weekday.kind {
      guard !line.times.isEmpty, line.times.count == weekday.line?.times.count else { return }
      atoms[index].line = line
    } else {
      guard line.times.isEmpty, line.rest.isEmpty else { return }
      atoms[date].kind = .date(line.days)
      atoms[date].line = line
      atoms[index].kind = .words
      atoms[index].line = nil
    }
  }

  private static let boxBytesMax = 48
}

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

  /// "4:00PM Saturday, 7 February · 3:00PM Sunday, 8 February": in a line that begins with a time and ends with a day, each
  /// time's day stands behind it.
  mutating func settleTimesBeforeDays() throws(ExtractionError) {
    var index = 0
    while index < atoms.count {
      guard let block = lineBlock(index) else {
        index += 1
        continue
      }
      var end = index
      while end < atoms.count, lineBlock(end) == block { end += 1 }
      let line = index..<end
      index = end
      try budget.spend(line.count)
      // A word between them is a remark, a stroke is none.
      let told = line.filter { !atoms[$0].isWords || atoms[$0].text.hasLetters }
      guard told.count >= Self.pairsMin * 2, told.count.isMultiple(of: 2) else { continue }
      let pairs = stride(from: 0, to: told.count, by: 2).map { (time: told[$0], day: told[$0 + 1]) }
      guard pairs.allSatisfy({ isTimeAlone($0.time) && isDayAlone($0.day) }) else { continue }
      for pair in pairs {
        let text = "\(LineRest.trimmed(atoms[pair.day].text)) \(atoms[pair.time].text)"
        guard let line = PrintedLine(text, clock: clock), line.alarms.isEmpty, line.days.count == 1, !line.times.isEmpty
        else { continue }
        atoms[pair.time].kind = .both
        atoms[pair.time].line = line
      }
    }
  }

  private static let pairsMin = 2

  private func lineBlock(_ index: Int) -> Int? { tree.path(atoms[index].place).first { !tree.isInline($0) } }

  private func isTimeAlone(_ index: Int) -> Bool {
    guard case .times(let times) = atoms[index].kind else { return false }
    return times.count == 1 && atoms[index].text.utf8.count <= Self.boxBytesMax
      && atoms[index].line?.rest.isEmpty ?? false
  }

  private func isDayAlone(_ index: Int) -> Bool {
    guard case .date(let days) = atoms[index].kind, days.count == 1, atoms[index].text.utf8.count <= Self.boxBytesMax
    else { return false }
    return days[0].day != nil && atoms[index].line?.rest.isEmpty ?? true
  }
}

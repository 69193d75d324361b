import Calendars

/// "Films start at 7.30pm": a club lists its days without an hour, and says once which one that is.
extension AtomReader {
  mutating func settleCommonHour() throws(ExtractionError) {
    guard let (said, time, weekdays) = try commonHour() else { return }
    var days: [(index: Int, line: PrintedLine)] = []
    // Without a year what is over seems to be to come.
    let archive = tree.archive(of: atoms) ?? .max
    for (index, atom) in atoms.enumerated() where !tree[atom.place].isChrome && atom.place < archive {
      guard case .date(let found) = atom.kind, found.count == 1, let day = found[0].day, day >= clock.captured,
        found[0].notes.isDisjoint(with: [.inferredFromWeekday, .inferredMonth, .relativeDay]),
        atom.line?.isClosed != true, !PageWords.isOtherDate(atom.text),
        weekdays.isEmpty || weekdays.contains(day.weekday),
        let line = try line("\(found[0].text) \(time.text) \(atom.line?.rest ?? "")"), line.times.count == 1,
        line.day == day
      else { continue }
      days.append((index, line))
    }
    guard Set(days.map(\.line.day)).count >= Self.commonDaysMin else { return }
    for (index, line) in days {
      atoms[index].kind = .both
      atoms[index].line = line
      atoms[index].hasCommonHour = true
    }
    atoms[said].kind = .words
  }

  /// Where the page's one hour is said of all films; nil where other times stand.
  private mutating func commonHour() throws(ExtractionError) -> (atom: Int, time: PrintedTime, on: Set<Weekday>)? {
    var said: (atom: Int, time: PrintedTime, on: Set<Weekday>)?
    for (index, atom) in atoms.enumerated() where atom.isTime && !tree[atom.place].isChrome {
      if let time = try hour(ofAllIn: atom) {
        guard said == nil else { return nil }
        said = (index, time, [])
      } else if let line = atom.line, let (time, weekdays) = hour(ofWeekdaysIn: line) {
        guard said == nil else { return nil }
        said = (index, time, weekdays)
      } else if !PageWords.isOtherTime(atom.text), !PageWords.isDoorsLabel(atom.text) {
        return nil
      }
    }
    return said
  }

  /// "Lot opens at 8:00PM, movies start around 9:00PM.": the one of several times of which the words around it say so.
  private mutating func hour(ofAllIn atom: PageAtom) throws(ExtractionError) -> PrintedTime? {
    let times: [PrintedTime]
    switch (atom.kind, atom.line) {
    case (.times(let found), _): times = found
    // "All films are on Fridays. They begin at 7.30pm."
    case (.both, let line?) where line.days.allSatisfy({ $0.notes.contains(.inferredFromWeekday) }): times = line.times
    default: return nil
    }
    if times.count == 1 { return PageWords.saysHourOfAll(atom.text) ? times[0] : nil }
    guard times.count <= Self.clauseTimesMax else { return nil }
    var clauses = [atom.text]
    for joint in [". ", ", ", "; ", " and ", " und ", " et ", " y "] {
      clauses = clauses.flatMap { $0.split(separator: joint).map(String.init) }
    }
    for clause in clauses where PageWords.saysHourOfAll(clause) {
      guard let line = try line(clause), line.times.count == 1 else { return nil }
      return line.times[0]
    }
    return nil
  }

  /// "Thursday evenings | 7:00 P.M.": where nothing but weekdays and one time is said, it is that of each such day.
  private func hour(ofWeekdaysIn line: PrintedLine) -> (PrintedTime, Set<Weekday>)? {
    guard line.times.count == 1, line.rest.utf8.count <= Self.weekdaysRestMax else { return nil }
    let words = line.rest.lowercased().unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic })
      .map { String(Substring($0)) }.filter { !Self.besideWeekdays.contains($0) }
    var days = line.days
    // Behind a weekday "evenings" makes it none of the calendar's.
    for word in words { days += PrintedLine(word, clock: clock, expecting: .dates)?.days ?? [] }
    guard !days.isEmpty, days.count == line.days.count + words.count,
      days.allSatisfy({ $0.notes.contains(.inferredFromWeekday) })
    else { return nil }
    return (line.times[0], PageClock.weekdays(of: days))
  }

  private static let weekdaysRestMax = 24
  private static let besideWeekdays: Set<String> = [
    "every", "each", "evening", "evenings", "night", "nights", "at", "on", "weekly", "jeden", "jeweils", "abends", "um",
    "uhr", "le", "les", "tous", "chaque", "à", "cada", "a", "las", "ogni", "alle", "ore", "elke",
  ]

  private static let clauseTimesMax = 3

  /// One day may be that of something else.
  private static let commonDaysMin = 2
}

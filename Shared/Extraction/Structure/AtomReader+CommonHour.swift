import Calendars

/// "Films start at 7.30pm": a club lists its days without an hour, and says once which one that is.
extension AtomReader {
  mutating func settleCommonHour() throws(ExtractionError) {
    guard let (said, time) = try commonHour() else { return }
    var days: [(index: Int, line: PrintedLine)] = []
    for (index, atom) in atoms.enumerated() where !tree[atom.place].isChrome {
      guard case .date(let found) = atom.kind, found.count == 1, let day = found[0].day, day >= clock.captured,
        found[0].notes.isDisjoint(with: [.inferredFromWeekday, .inferredMonth, .relativeDay]),
        atom.line?.isClosed != true, !PageWords.isOtherDate(atom.text),
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
  private mutating func commonHour() throws(ExtractionError) -> (atom: Int, time: PrintedTime)? {
    var said: (atom: Int, time: PrintedTime)?
    for (index, atom) in atoms.enumerated() where atom.isTime && !tree[atom.place].isChrome {
      if case .times(let times) = atom.kind, let time = try hour(ofAllIn: atom.text, times) {
        guard said == nil else { return nil }
        said = (index, time)
      } else if !PageWords.isOtherTime(atom.text), !PageWords.isDoorsLabel(atom.text) {
        return nil
      }
    }
    return said
  }

  /// "Lot opens at 8:00PM, movies start around 9:00PM.": the one of several times of which the words around it say so.
  private mutating func hour(ofAllIn text: String, _ times: [PrintedTime]) throws(ExtractionError) -> PrintedTime? {
    if times.count == 1 { return PageWords.saysHourOfAll(text) ? times[0] : nil }
    guard times.count <= Self.clauseTimesMax else { return nil }
    for clause in text.split(separator: ", ") where PageWords.saysHourOfAll(String(clause)) {
      guard let line = try line(String(clause)), line.times.count == 1 else { return nil }
      return line.times[0]
    }
    return nil
  }

  private static let clauseTimesMax = 3

  /// One day may be that of something else.
  private static let commonDaysMin = 2
}

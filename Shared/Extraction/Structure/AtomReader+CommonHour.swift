import Calendars

/// "Films start at 7.30pm": a club lists its days without an hour, and says once which one that is.
extension AtomReader {
  mutating func settleCommonHour() throws(ExtractionError) {
    guard let said = commonHour(), case .times(let times) = atoms[said].kind, let time = times.first else { return }
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
  private func commonHour() -> Int? {
    var said: Int?
    for (index, atom) in atoms.enumerated() where atom.isTime && !tree[atom.place].isChrome {
      if case .times(let times) = atom.kind, times.count == 1, PageWords.saysHourOfAll(atom.text) {
        guard said == nil else { return nil }
        said = index
      } else if !PageWords.isOtherTime(atom.text), !PageWords.isDoorsLabel(atom.text) {
        return nil
      }
    }
    return said
  }

  /// One day may be that of something else.
  private static let commonDaysMin = 2
}

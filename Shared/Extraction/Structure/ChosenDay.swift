import Calendars
import HTML

/// The day that a page says it is of: the chosen one of a list of days, or the one in its title.
///
///     <title>Show Schedule</title> … <select><option selected>Wed Feb 8, 2023<option>Thu Feb 9, 2023</select>
struct ChosenDay {
  let clock: PageClock

  /// Years of days are no list that anybody chooses from.
  private static let optionsMax = 100
  private static let optionBytesMax = 60
  private static let titleBytesMax = 120

  func day(of page: HTMLDocument, title: String?, budget: WorkBudget) throws(ExtractionError) -> CivilDate? {
    var chosen: [CivilDate] = []
    for select in page.select("select").prefix(Self.selectsMax) {
      if let day = try self.chosen(of: select, budget: budget) { chosen.append(day) }
    }
    // Of several each speaks of its own film.
    if let day = chosen.first, Set(chosen).count == 1 { return day }
    guard let title, title.utf8.count <= Self.titleBytesMax, title.utf8.count(where: isDigitByte) >= Self.dateDigits
    else { return nil }
    try budget.spend(title.utf8.count * 4)
    guard let line = PrintedLine(title, clock: clock, expecting: .dates), line.times.isEmpty else { return nil }
    return sure(line)
  }

  private static let selectsMax = 4
  /// A day and a year.
  private static let dateDigits = 5

  /// - Parameter takesFirst: whatever it is, as browsers do where nothing is marked.
  func chosen(
    of select: HTMLNode, takesFirst: Bool = false, budget: WorkBudget
  ) throws(ExtractionError) -> CivilDate? {
    var days: Set<CivilDate> = []
    var first: CivilDate?
    var chosen: [CivilDate] = []
    for option in select.childNodes.lazy.filter({ $0.name == "option" }).prefix(Self.optionsMax) {
      let text = option.text
      guard text.utf8.count <= Self.optionBytesMax else { return nil }
      try budget.spend(text.utf8.count * 4)
      guard let line = PrintedLine(text, clock: clock, expecting: .dates), line.times.isEmpty, line.isHardlyMore,
        let day = line.day ?? onlyDay(of: line)
      else {
        // "Choose a day"
        if days.isEmpty { continue } else { return nil }
      }
      if days.isEmpty { first = day }
      days.insert(day)
      if option["selected"] != nil { chosen.append(day) }
    }
    // What begins with today is shown for today.
    if chosen.isEmpty, takesFirst || first == clock.captured, days.count > 1 { return first }
    return days.count > 1 && chosen.count == 1 ? chosen[0] : nil
  }

  /// "Today (20 October)" says it twice.
  private func onlyDay(of line: PrintedLine) -> CivilDate? {
    let days = Set(line.days.map(\.day))
    return days.count == 1 ? days.first ?? nil : nil
  }

  /// One day with its month, near enough to be shown.
  private func sure(_ line: PrintedLine) -> CivilDate? {
    guard let day = line.day, abs(day - clock.captured) <= Self.nearDaysMax,
      line.days[0].notes.isDisjoint(with: [.inferredFromWeekday, .inferredMonth, .relativeDay])
    else { return nil }
    return day
  }

  private static let nearDaysMax = 60
}

import Calendars

/// Titles that end with when they are shown: "Silt - Wed, Sep 30 at 9PM", "Silt (Wednesday Sep. 30th @ 9pm)".
struct StartInTitle {
  let clock: PageClock
  let budget: WorkBudget

  private static let titleBytesMax = 300
  private static let joints = [" - ", " – ", " — ", " | ", " ("]

  /// The title without its end, if that says the day, or the day and the clock, of this start, and nothing else.
  func cut(from title: String, _ start: FoundTime) throws(ExtractionError) -> String {
    guard title.utf8.count <= Self.titleBytesMax, title.utf8.contains(where: isDigitByte) else { return title }
    for joint in Self.joints {
      guard let range = title.lastPlace(of: joint), case let tail = title[range.upperBound...],
        tail.utf8.contains(where: isDigitByte)
      else { continue }
      try budget.spend(tail.utf8.count * 4)
      guard let line = PrintedLine(String(tail), clock: clock), line.rest.isEmpty, line.day == start.date,
        line.times.count <= 1, case .moment(let stamp) = start,
        line.times.allSatisfy({ $0.start.clock == stamp.local.time })
      else { continue }
      let name = String(title[..<range.lowerBound]).trimmedText
      if !name.isEmpty { return name }
    }
    return title
  }
}

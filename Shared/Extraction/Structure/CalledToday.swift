import Calendars
import HTML

/// The day that a page calls today, where it says so: a page that was read after midnight, or comes out of a cache, speaks
/// of a day before.
///
///     <li><a href="?date=2026-11-25"><b>Today</b> <span>Wed 25 Nov</span></a>
struct CalledToday {
  /// Nil where the page says nothing of it, or contradicts itself, or means the day of its capture.
  let day: CivilDate?

  /// A day's entry in a list of days: "Tomorrow 26 Thu 26 Nov 5 films".
  private static let entryBytesMax = 60
  private static let levelsMax = 3
  private static let entriesMax = 64
  /// So old may a copy of a page be. None is of tomorrow: behind today stands the next day of a list.
  private static let daysOldMax = 3
  /// What stands beside one of these is another entry.
  private static let entries: Set<String> = ["li", "a", "button", "td", "th", "dt", "option", "label", "p"]

  init(tree: PageTree, clock: PageClock, budget: WorkBudget) throws(ExtractionError) {
    var names = Names(clock: clock)
    var told: Set<CivilDate> = []
    var entries = 0
    for place in tree.nodes.indices where tree[place].isText && tree[place].length <= Self.entryBytesMax {
      try budget.spend(2)
      guard let (name, ahead) = names.leading(tree[place].node.text) else { continue }
      entries += 1
      guard entries <= Self.entriesMax else { break }
      guard let date = try Self.date(beside: name, at: place, in: tree, clock: clock, budget: budget) else { continue }
      let today = date - ahead
      if (0...Self.daysOldMax).contains(clock.captured - today) { told.insert(today) }
    }
    day = told.count == 1 ? told.first.flatMap { $0 == clock.captured ? nil : $0 } : nil
  }

  /// The date that stands beside the name, in its own text or in the entry around it.
  private static func date(
    beside name: Substring, at place: Int, in tree: PageTree, clock: PageClock, budget: WorkBudget
  ) throws(ExtractionError) -> CivilDate? {
    for at in tree.path(place).prefix(1 + levelsMax) where tree[at].length <= entryBytesMax {
      let text = tree.text(at)
      try budget.spend(text.utf8.count * 4)
      if text.utf8.contains(where: isDigitByte), let found = text.firstPlace(of: String(name)),
        let date = date("\(text[..<found.lowerBound]) \(text[found.upperBound...])", clock)
      {
        return date
      }
      if entries.contains(tree[at].tag) { return nil }
    }
    return nil
  }

  /// One day that is told with its month; without one it could be a count of films.
  private static func date(_ text: String, _ clock: PageClock) -> CivilDate? {
    guard let line = PrintedLine(text, clock: clock, expecting: .dates), line.alarms.isEmpty,
      let date = line.days.first?.day, line.days.contains(where: { !$0.notes.contains(.inferredMonth) }),
      line.days.allSatisfy({ $0.day == date && $0.notes.isDisjoint(with: [.relativeDay, .inferredFromWeekday]) })
    else { return nil }
    return date
  }

  /// Words for today and the days behind it.
  private struct Names {
    let clock: PageClock
    private var known: [Substring: Int?] = [:]
    private static let bytesMax = 24

    init(clock: PageClock) { self.clock = clock }

    /// The word that the text begins with, and how many days from today it is.
    mutating func leading(_ text: String) -> (name: Substring, ahead: Int)? {
      let name = text.prefix { !$0.isWhitespace && !"(,:·|".contains($0) && !$0.isNumber }
      guard !name.isEmpty, name.utf8.count <= Self.bytesMax, let ahead = ahead(name) else { return nil }
      return (name, ahead)
    }

    private mutating func ahead(_ name: Substring) -> Int? {
      if let known = known[name] { return known }
      var found = AtomReader.dayNames[String(name).foldedKey]
      if found == nil, let line = PrintedLine(String(name), clock: clock, expecting: .dates), line.rest.isEmpty,
        line.days.count == 1, line.days[0].notes.contains(.relativeDay)
      {
        found = line.days[0].day.map { $0 - clock.captured }
      }
      known[name] = .some(found)
      return found
    }
  }
}

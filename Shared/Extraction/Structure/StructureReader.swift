import Calendars
import HTML

/// Reads screenings from how a page is laid out: which date, title, venue and screen a time stands under.
///
/// From each time it climbs. What is met first belongs to it, unless it stands in a part of the page that has times of
/// its own; in a table, only what heads its row or column does. Which of the texts around is the title is decided for
/// all times of one kind at once, by where they stand, how they are marked and whether they differ.
struct StructureReader {
  private(set) var clock: PageClock
  let limits: ExtractionLimits
  let pageVenue: String?
  let pageTitle: String?
  let addressDate: CivilDate?
  let isCinema: Bool
  /// What the document calls itself: the title where nothing on the page is one.
  var film: String?

  func read(_ tree: PageTree, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    var reading = try reading(tree, budget: budget)
    return try reading.read()
  }

  /// The same, with where on the page each part of each screening stands.
  func matches(
    _ page: HTMLDocument, budget: WorkBudget
  ) throws(ExtractionError) -> (tree: PageTree, matches: [StructureMatch]) {
    let tree = try PageTree(page, budget: budget)
    var reading = try reading(tree, budget: budget)
    _ = try reading.read()
    return (tree, reading.matches)
  }

  private func reading(_ tree: PageTree, budget: WorkBudget) throws(ExtractionError) -> StructureReading {
    var reader = self
    if let day = try CalledToday(tree: tree, clock: clock, budget: budget).day {
      reader.clock = clock.calling(today: day)
    }
    var atoms = AtomReader(tree: tree, clock: reader.clock, budget: budget)
    var found = try atoms.read()
    let marks = try FootMarks(of: &found, in: tree, clock: reader.clock, budget: budget)
    let context = try PageContext(tree: tree, atoms: found, budget: budget)
    return StructureReading(reader: reader, context: context, footMarks: marks, budget: budget)
  }
}

/// Where the parts of one screening stand on the page.
struct StructureMatch {
  var time: Int
  /// Nil where the title stands in the line of the time.
  var title: Int?
  /// Nil where the date stands in the line of the time, or nowhere on the page.
  var date: Int?
  /// The date is an attribute's.
  var isDateOfContent = false
  var hasOwnDate = false
  var titleText: String
  var start: FoundTime
}

/// A time on the page, and what it stands under.
struct TimePlace {
  let atom: Int
  /// Which time of the atom.
  let index: Int
  let signature: String
  /// From the time up.
  let path: [Int]
}

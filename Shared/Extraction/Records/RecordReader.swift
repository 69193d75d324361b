import Calendars
import Clocks
import JSON

/// Finds screenings in any tree of records: the answers of ticketing platforms, the state of a page, a feed in XML.
///
/// Nothing in it knows a platform. A record is a screening if a field says when it starts, with a time, and a title is
/// found in the record, in a film that it names by id or holds, or in the record that it stands in. Dates may stand in
/// fields of their own, in the records around, or in the names of a map.
struct RecordReader {
  let clock: PageClock
  let limits: ExtractionLimits
  let reader: EvidenceReader
  /// What a document without any date of its own is of: the date in its address.
  let addressDate: CivilDate?
  /// What the page around the data is about, for starts that stand under no title of their own.
  var pageTitle: String?
  /// The one heading of a page without a first one: of days with times and the rooms beside them.
  var pageHeading: String?
  /// The house whose data it is shows films: a title, a day and a clock in fields of their own are its programme.
  var isOfCinema = false
  /// What the data is called where it stands.
  var name = ""

  func read(_ root: JSONValue, at place: String, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    let clock = clock.speaking(Self.language(of: root))
    let keys = RecordKeys(languages: clock.languages)
    let plain = try PlainForms(budget: budget, limits: limits, languages: clock.languages).plain(root) ?? root
    let root = try NamedRows.named(plain, budget: budget) ?? plain
    let index = try RecordIndex(root, keys: keys, budget: budget)
    var walk = RecordWalk(
      reader: self, facts: RecordFactsReader(clock: clock, index: index, keys: keys), budget: budget)
    try walk.visit(root, key: name, path: place)
    return walk.finish()
  }

  /// What the document says of itself.
  private static func language(of root: JSONValue) -> String? {
    ["locale", "mainLanguage", "language", "lang"].lazy.compactMap { root[$0]?.string }.first
  }
}

extension EvidenceReader {
  /// How often what it finds is right, before anything else is known.
  var trust: Double {
    switch self {
    case .rule: 0.99
    case .jsonLD, .calendar: 0.97
    case .microdata, .api: 0.95
    case .xml: 0.95
    case .state, .rdfa: 0.93
    case .html: 0.85
    }
  }
}

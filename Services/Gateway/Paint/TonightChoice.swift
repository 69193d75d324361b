import Calendars
import Contracts

/// What somebody chose of tonight, as the page's address has it: `Web/js/views/tonight.js` reads the same.
nonisolated struct TonightChoice {
  var within = TonightQuestion.minutesUsual
  var walk: Int?
  var date: CivilDate?
  /// The last of several days.
  var until: CivilDate?
  /// Printed times: no earlier, and earlier.
  var after: DisplayTime?
  var before: DisplayTime?
  var cinemas: [CinemaID] = []
  var genres: [FilmGenre] = []
  var attributes: [String] = []
  var hidesSoldOut = false
  /// A list of cinemas or genres that is there and empty: none of them, while without the list it would be all.
  var isNone = false

  var isNarrow: Bool {
    !attributes.isEmpty || hidesSoldOut || !cinemas.isEmpty || !genres.isEmpty || after != nil || before != nil
      || isNone
  }

  /// Whole days, instead of what starts soon.
  var isOfDays: Bool { date != nil || until != nil }

  /// What makes no sense is passed over: an address is for people.
  init(_ asked: (String) -> String?) {
    walk = asked("walk").flatMap { Int($0) }.flatMap { (1...600).contains($0) ? $0 : nil }
    date = asked("date").flatMap { CivilDate($0) }
    until = asked("until").flatMap { CivilDate($0) }
    after = asked("after").flatMap { DisplayTime($0) }
    before = asked("before").flatMap { DisplayTime($0) }
    if let minutes = asked("within").flatMap({ Int($0) }), (5...Self.wholeDay).contains(minutes) {
      within = minutes
    } else if after != nil || before != nil {
      // Who names a time of day asks for the day.
      within = Self.wholeDay
    }
    attributes = Self.list(asked("with")).prefix(Self.attributesMax).map(String.init)
      .filter(ShowtimesCoordinator.isAttribute)
    cinemas = Self.list(asked("cinemas")).prefix(Self.cinemasMax).compactMap { CinemaID(String($0)) }
    genres = Self.list(asked("genre")).prefix(FilmGenre.allCases.count).compactMap { FilmGenre(rawValue: String($0)) }
    hidesSoldOut = asked("free") != nil
    isNone = asked("cinemas") == "" || asked("genre") == ""
  }

  /// The same with days that follow each other, where it is `today`; days that do not are one.
  func settled(today: CivilDate) -> TonightChoice {
    var choice = self
    choice.until = TonightQuestion.last(until, from: date ?? today)
    return choice
  }

  private static func list(_ text: String?) -> [Substring] { (text ?? "").split(separator: ",") }

  /// The longest that can be asked for, in minutes.
  static let wholeDay = 1_440
  /// More than there are groups to choose from.
  private static let attributesMax = 20
  /// As many as are looked at around somebody.
  private static let cinemasMax = 20
}

package import Calendars
package import Contracts
package import JSON

/// Where one cinema's programme comes from: a row of configuration, never code.
nonisolated package struct Site: Hashable, Sendable {
  /// The name of its configuration; by custom the cinema's.
  package var id: String
  package var cinema: CinemaID
  package var zone: ZoneName
  package var adapter: AdapterKind
  /// What the adapter needs to know: `brand` and `cinema` of a ticketing platform.
  package var parameters: [String: String] = [:]
  /// Where to begin; `{date}` and `{date:yyyyMMdd}` stand for each day of the window.
  package var start: [String] = []
  /// The document it was read from: a rule's selectors stand in it.
  package var document: JSONValue = .null
  /// Who is credited for the programme.
  package var credit: String
  /// Where people read the programme themselves.
  package var pageURL: String?
  package var rhythm = VisitRhythm()
  package var expectations = Expectations()
  /// Where the cinema stands, as far as the configuration says: nearer ones are read first on a first start.
  package var place: Coordinate?
  package var isEnabled = false
  package var isDemo = false

  package init(id: String, cinema: CinemaID, zone: ZoneName, adapter: AdapterKind, credit: String) {
    self.id = id
    self.cinema = cinema
    self.zone = zone
    self.adapter = adapter
    self.credit = credit
  }
}

/// How a site's pages are found and read.
nonisolated package enum AdapterKind: String, CaseIterable, Sendable {
  /// A ticketing platform: days as HTML, a day's shows as JSON, a film as HTML.
  case dtryx
  /// Events that a page describes for machines: JSON-LD, microdata and what else is found in it.
  case structured
  /// A calendar to subscribe to.
  case ics
  /// A page that a rule file explains.
  case rule

  /// Whether today's programme cannot be had without the rest.
  package var tellsAllAtOnce: Bool { self != .dtryx }
}

/// How often a site is visited. Programmes are read some four times a day, today's page hourly while people look at it.
nonisolated package struct VisitRhythm: Hashable, Sendable {
  package var every: Duration = .seconds(6 * 3_600)
  package var todayEvery: Duration = .seconds(3_600)
  /// Days that are read ahead.
  package var windowDays = 14
  /// Hours in the cinema's zone in which the site may be visited; outside them it is left alone.
  package var wakingHours = 8..<22
  /// Programme changes are published on Thursdays and Fridays in most countries: visits then come half as far apart.
  package var changeDays: WeekdaySet = [WeekdaySet(.thursday), WeekdaySet(.friday)]

  package static let everyRange: ClosedRange<Duration> = .seconds(60) ... .seconds(7 * 86_400)
  package static let windowRange = 1...60

  package init() {}
}

/// What a reading must look like to be believed.
nonisolated package struct Expectations: Hashable, Sendable {
  /// On a day that the site calls open.
  package var showtimesPerOpenDay = 0
  /// Of the whole reading.
  package var showtimes = 1
  /// The share of showings whose film could be told.
  package var matchRatio = 0.0
  package var screenRatio = 0.0
  /// The share of the expected showings that may be missing: a fall by more is a redesign and not a programme.
  package var dropMax = 0.6
  /// Falls are only judged where this many were there: a small cinema may close for a week.
  package var dropFrom = 8
  /// Whether a reading is held against what the site's programme was like lately.
  package var learnsHabits = true

  /// More showings no programme has.
  static let countMax = 100_000

  package init() {}
}

import Calendars
import Clocks
import Contracts
import JSON

/// A cinema as the API shows it: as much of it as was asked for.
nonisolated struct CinemaPage: Shaped, Equatable {
  var cinema: Cinema
  /// From the point that was asked about.
  var metres: Double?
  var days: [DayItem]?
  var programme: ProgrammeItem?
  var freshness: FreshnessItem?
  var nextShowtime: Timestamp?
  /// Nil: all members.
  var fields: Set<String>?

  init(_ cinema: Cinema, metres: Double? = nil) {
    self.cinema = cinema
    self.metres = metres
  }

  static let shape = Shape<CinemaPage>(
    "Cinema", "A cinema, and what was asked for of its programme.",
    [
      .required("id", "Its slug, for ever.") { $0.cinema.id },
      .required("name", "In the language of the place.") { $0.cinema.name },
      .optional("name_en", "In English.") { $0.cinema.nameEnglish },
      .required("country", "ISO 3166, two capitals.") { $0.cinema.country },
      .required("region", "The slug of its region.") { $0.cinema.region },
      .optional("city", "Where it is.") { $0.cinema.city },
      .optional("address", "As written there.") { $0.cinema.address },
      .required("location", "Where it is, WGS 84.") { PlaceItem($0.cinema.position) },
      .required("time_zone", "The zone of all its times.") { $0.cinema.zone },
      .optional("screens", "How many it has.") { $0.cinema.screens },
      .mark("closed", "It has closed for good.") { !$0.cinema.isActive },
      .optional("distance_m", "Metres along the great circle, from the point asked about.") { $0.wholeMetres },
      .optional("walk_min", "Minutes on foot at 80 m a minute, rounded up.") { page in
        page.metres.map { Walk.minutes(metres: $0) }
      },
      .required("links", "Where to read more.") { CinemaLinksItem($0.cinema) },
      .optional("next_showtime", "When the next showing begins.") { $0.nextShowtime },
      .optional("as_of", "When its programme was last read.") { $0.freshness?.asOf },
      .optional("stale", "Whether the programme is older than it should be.") { $0.freshness?.isStale },
      .optional("source", "Where the programme comes from.") { $0.freshness?.source },
      .optional("days", "Its days, from today on.") { $0.days },
      .optional("date", "The service date of `films`.") { $0.programme?.date },
      .optional("status", "Whether it is open on `date`.") { $0.programme?.status },
      .optional("next_open", "The next day with a showing, if `date` has none.") { $0.programme?.nextOpen },
      .optional("films", "What it shows on `date`, by first start.") { $0.programme?.films },
      .mark("demo", "The programme is invented, to try the software with.") { $0.isDemo },
    ])

  static let memberNames = shape.members.map { "\($0.name)" }

  /// Of lists whose reader says which members are wanted.
  static var sparseSchema: Schema {
    Shape<CinemaPage>(
      "SparseCinema", "A cinema; with `fields`, only the members asked for.",
      shape.members.map { member in
        Shape<CinemaPage>.Member(
          name: member.name, isRequired: "\(member.name)" == "id", schema: member.schema, write: member.write)
      }
    ).schema
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      for (place, member) in Self.shape.members.enumerated() {
        if let fields, !fields.contains(Self.memberNames[place]), Self.memberNames[place] != "id" { continue }
        member.write(self, &json)
      }
    }
  }

  private var wholeMetres: Int? { metres.map { Int($0.rounded()) } }

  var isDemo: Bool { freshness?.source?.isDemo == true }
}

/// A point.
nonisolated struct PlaceItem: Shaped, Equatable {
  var point: Coordinate

  init(_ point: Coordinate) { self.point = point }

  static let shape = Shape<PlaceItem>(
    "Place", "A point on the globe, WGS 84.",
    [
      .required("lat", "Degrees north.", as: .number(-90...90)) { $0.point.latitude },
      .required("lon", "Degrees east.", as: .number(-180...180)) { $0.point.longitude },
    ])
}

/// Where to read more about a cinema.
nonisolated struct CinemaLinksItem: Shaped, Equatable {
  var cinema: Cinema

  init(_ cinema: Cinema) { self.cinema = cinema }

  static let shape = Shape<CinemaLinksItem>(
    "CinemaLinks", "",
    [
      .optional("website", "Its own.") { $0.cinema.website },
      .optional("instagram", "Its page there.") { $0.cinema.instagram },
      .required("maps", "Where maps show it.") { MapLinksItem(links: $0.cinema.mapLinks) },
    ])
}

/// Where maps show a place.
nonisolated struct MapLinksItem: Shaped, Equatable {
  var links: MapLinks

  static let shape = Shape<MapLinksItem>(
    "MapLinks", "",
    [
      .optional("naver", "Where NAVER has maps.") { $0.links.naver },
      .optional("kakao", "Where Kakao has maps.") { $0.links.kakao },
      .required("google", "") { $0.links.google },
      .required("apple", "") { $0.links.apple },
      .required("osm", "") { $0.links.openStreetMap },
    ])
}

/// How fresh a programme is.
nonisolated struct FreshnessItem: Equatable {
  var asOf: Timestamp?
  var isStale: Bool
  var source: SourceName?

  init(_ source: ScheduleSource?, in zone: TimeZoneRules) {
    asOf = source?.asOf.map { zone.timestamp(at: $0.inWholeSeconds) }
    isStale = source.map { $0.state != .ok } ?? true
    self.source = source.map { SourceName(name: $0.name, url: $0.url, isDemo: $0.isDemo == true) }
  }
}

/// Who is to be credited for a programme.
nonisolated struct SourceName: Shaped, Equatable {
  var name: String
  var url: String?
  var isDemo = false

  static let shape = Shape<SourceName>(
    "SourceName", "Who is to be credited.",
    [
      .required("name", "") { $0.name },
      .optional("url", "Where people can read it themselves.") { $0.url },
      .mark("demo", "Invented, to try the software with.") { $0.isDemo },
    ])
}

/// Whether a cinema shows something on a day.
nonisolated struct DayItem: Shaped, Equatable {
  var day: CalendarDay

  init(_ day: CalendarDay) { self.day = day }

  static let shape = Shape<DayItem>(
    "Day", "A day of a cinema.",
    [
      .required("date", "The service date, in the cinema's zone.") { $0.day.date },
      .required("status", "Open, closed, or not told.", as: DayStatus.schema) { $0.day.status.word },
      .required("films", "How many.") { $0.day.films },
      .required("showtimes", "How many, without the cancelled.") { $0.day.showtimes },
    ])
}

nonisolated extension DayStatus {
  static var schema: Schema { .words(["open", "closed", "unknown"]) }

  /// What a later version may add is not known here.
  var word: String {
    switch self {
    case .open: "open"
    case .closed: "closed"
    case .notPublished, .unknown: "unknown"
    }
  }
}

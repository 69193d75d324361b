import Calendars
import Clocks
import Contracts
import JSON

/// A showing with the film and the cinema beside it: for lists over many cinemas.
nonisolated struct ShowingItem: Shaped, Equatable {
  var showtime: ShowtimeItem
  var cinema: CinemaName?
  var film: FilmItem?
  /// When to leave, on foot, to be there at the start.
  var leaveBy: Timestamp?

  static let shape = Shape<ShowingItem>(
    "Showing", "A showing with its film and cinema.",
    ShowtimeItem.members.map { $0.lifted { $0.showtime } } + [
      .optional("cinema", "Left out while the directory does not answer.") { $0.cinema },
      .nullable("film", "Null for what is no film: then `title` says what it is.") { $0.film },
      .optional("leave_by", "When to leave on foot, at 80 m a minute.") { $0.leaveBy },
    ])

  /// The showings of a page, each with what it refers to.
  static func all(
    of page: ShowtimePage, cinemas: [CinemaID: Cinema], from origin: Coordinate? = nil, view: Viewpoint
  ) -> [ShowingItem] {
    let films = Dictionary(page.films.map { ($0.id, FilmItem(printed: $0, for: view)) }) { first, _ in first }
    return page.showtimes.map { showtime in
      let cinema = cinemas[showtime.cinema]
      return ShowingItem(
        showtime: ShowtimeItem(showtime, in: cinema.map { view.rules($0.zone) } ?? .utc),
        cinema: cinema.map { CinemaName($0, metres: origin?.metres(to: $0.position)) },
        film: showtime.film.flatMap { films[$0]?.printed(at: [showtime]) })
    }
  }
}

/// A cinema as something else names it.
nonisolated struct CinemaName: Shaped, Equatable {
  var cinema: Cinema
  var metres: Double?

  init(_ cinema: Cinema, metres: Double? = nil) {
    self.cinema = cinema
    self.metres = metres
  }

  static let shape = Shape<CinemaName>(
    "CinemaName", "A cinema, as far as something else names it.",
    [
      .required("id", "") { $0.cinema.id },
      .required("name", "In the language of the place.") { $0.cinema.name },
      .optional("name_en", "In English.") { $0.cinema.nameEnglish },
      .optional("city", "") { $0.cinema.city },
      .required("location", "") { PlaceItem($0.cinema.position) },
      .required("time_zone", "") { $0.cinema.zone },
      .optional("distance_m", "From the point that was asked about.") { $0.metres.map { Int($0.rounded()) } },
      .optional("walk_min", "Minutes on foot at 80 m a minute, rounded up.") { item in
        item.metres.map { Walk.minutes(metres: $0) }
      },
    ])
}

/// One showing on a page of its own: with the word on how fresh it is.
nonisolated struct ShowingPage: Shaped, Equatable {
  var showing: ShowingItem
  var freshness: FreshnessItem

  static let shape = Shape<ShowingPage>(
    "ShowingPage", "A showing, and how fresh the word of it is.",
    [.required("stale", "Whether the programme is older than it should be.") { $0.freshness.isStale }]
      + ShowingItem.shape.members.map { $0.lifted { $0.showing } } + [
        .optional("as_of", "When the programme was last read.") { $0.freshness.asOf },
        .optional("source", "Where it comes from.") { $0.freshness.source },
        .mark("demo", "Invented, to try the software with.") { $0.freshness.source?.isDemo == true },
      ])
}

/// A film on a page of its own.
nonisolated struct FilmPage: Shaped, Equatable {
  var film: FilmItem
  var isShowing: Bool
  var showtimes: [ShowingItem]?
  var similar: [FilmItem]?
  var reviews: [ReviewLinkItem]?
  /// Where the showings are that have no place here.
  var hint: String?
  /// What a service that does not answer would have told.
  var missing: [String] = []

  static let shape = Shape<FilmPage>(
    "FilmPage", "A film, and where it plays. One that has left keeps its page.",
    FilmItem.shape.members.map { $0.lifted { $0.film } } + [
      .required("showing", "Whether it has showings to come.") { $0.isShowing },
      .optional("showtimes", "With `include=showtimes`: the next 200 to come, by start.") { $0.showtimes },
      .optional("similar", "With `include=similar`: films that are like it.") { $0.similar },
      .optional("reviews_links", "With `include=reviews_links`: where others write about it.") { $0.reviews },
      .optional("hint", "Where all showings are told, if there are more; `Link` leads there too.") { $0.hint },
      .optional("missing", "What could not be told because a service does not answer.") { page in
        page.missing.isEmpty ? nil : page.missing
      },
    ])
}

/// A place where people write about a film.
nonisolated struct ReviewLinkItem: Shaped, Equatable {
  var name: String
  var url: String

  /// Of the ids that it has elsewhere those that lead to such a place.
  static func all(of film: Film) -> [ReviewLinkItem] {
    (film.externalIDs ?? []).compactMap { text in
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      let number = parts[0] == "imdb" && parts[1].hasPrefix("tt") ? parts[1].dropFirst(2) : parts[1][...]
      guard !number.isEmpty, number.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
      return switch parts[0] {
      case "imdb": ReviewLinkItem(name: "IMDb", url: "https://www.imdb.com/title/tt\(number)/reviews/")
      case "tmdb": ReviewLinkItem(name: "TMDB", url: "https://www.themoviedb.org/movie/\(number)/reviews")
      default: nil
      }
    }
  }

  static let shape = Shape<ReviewLinkItem>(
    "ReviewLink", "A place where people write about a film.",
    [.required("name", "Whose it is.") { $0.name }, .required("url", "") { $0.url }])
}

/// Where a programme comes from, and how it is.
nonisolated struct SourceItem: Shaped, Equatable {
  var source: ScheduleSource
  var cinema: CinemaName?
  var zone: TimeZoneRules = .utc

  static let states = ["ok", "stale", "broken", "quarantined", "disabled", "pending"]

  static let shape = Shape<SourceItem>(
    "Source", "Where a programme comes from, and whether it can be believed.",
    [
      .required("id", "") { $0.source.id },
      .required("cinema_id", "") { $0.source.cinema },
      .optional("cinema", "Left out while the directory does not answer.") { $0.cinema },
      .required("name", "Who is to be credited.") { $0.source.name },
      .optional("url", "Where people can read it themselves.") { $0.source.url },
      .required("state", "", as: .words(states)) { item in
        if case .unknown = item.source.state { "broken" } else { item.source.state.rawValue }
      },
      .optional("as_of", "When it was last read successfully.") { $0.stamp($0.source.asOf) },
      .optional("next", "When it is due again.") { $0.stamp($0.source.next) },
      .optional("reason", "Why it is not ok.") { $0.source.problem },
      .optional("showtimes", "Published, and still to come.") { $0.source.showtimes },
      .mark("demo", "Invented, to try the software with.") { $0.source.isDemo == true },
    ])

  private func stamp(_ time: WallTime?) -> Timestamp? { time.map { zone.timestamp(at: $0.inWholeSeconds) } }
}

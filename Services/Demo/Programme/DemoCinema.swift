package import Calendars

/// A real cinema with an invented programme, and the kind of site on which it is published.
nonisolated package struct DemoCinema: Sendable {
  package let id: String
  package let name: String
  package let englishName: String
  let country: String
  let city: String
  let address: String
  let latitude: Double
  let longitude: Double
  package let zone: TimeZoneRules
  /// Its two codes on the ticketing platform.
  package let platform: PlatformCode?
  /// Closed for good: it has a site, and nothing on it.
  package let isActive: Bool
  package let format: SiteFormat
  package let habits: CinemaHabits

  /// Printed by this cinema: Korean ones in Korean, others in English; some print Japanese films in Japanese.
  func title(of film: DemoFilm) -> String {
    if habits.printsJapanese, let japanese = film.japanese { return japanese }
    return country == "KR" ? film.korean : film.english
  }

  /// Of Japanese films, what is not printed.
  func otherTitle(of film: DemoFilm) -> String? {
    film.japanese.map { habits.printsJapanese ? film.english : $0 }
  }
}

/// What a cinema is called on the ticketing platform: `cinecube` and `000003`.
nonisolated package struct PlatformCode: Hashable, Sendable {
  package let brand: String
  package let cinema: String
}

/// How a cinema's programme is written down.
nonisolated package enum SiteFormat: String, CaseIterable, Sendable {
  /// The ticketing platform: days as HTML, a day's shows as JSON.
  case dtryx
  /// A page with schema.org's events as JSON.
  case jsonLD = "json-ld"
  /// A page with schema.org's events in its attributes.
  case microdata
  /// A table of dates and screens, which needs a rule.
  case table
  /// A calendar to subscribe to.
  case ics
}

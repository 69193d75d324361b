import Calendars
import Clocks
import Contracts
import JSON
import Wire

/// Programmes out of the API's own answers, where only those were kept.
nonisolated extension CinemaCalendar {
  /// Nil if its days were not told.
  init?(told cinema: JSONValue) {
    guard let id = cinema["id"]?.string.flatMap({ CinemaID($0) }), let days = cinema["days"]?.array else { return nil }
    self.init(
      cinema: id,
      days: days.compactMap { day in
        guard let date = day["date"]?.string.flatMap({ CivilDate($0) }) else { return nil }
        return CalendarDay(
          date: date, status: .named(day["status"]?.string ?? ""), films: day["films"]?.int ?? 0,
          showtimes: day["showtimes"]?.int ?? 0)
      }, source: ScheduleSource(told: cinema, of: id))
  }
}

nonisolated extension DayProgramme {
  /// Of a cinema among others, or of an answer about one alone. Nil if its films were not told.
  init?(told cinema: JSONValue, in language: Language) {
    guard let id = (cinema["id"] ?? cinema["cinema_id"])?.string.flatMap({ CinemaID($0) }),
      let date = cinema["date"]?.string.flatMap({ CivilDate($0) }),
      let films = (cinema["films"] ?? cinema["data"])?.array
    else { return nil }
    self.init(
      cinema: id, date: date, status: .named(cinema["status"]?.string ?? ""),
      films: films.map { group in
        FilmProgramme(
          film: group["film"].flatMap { Film(told: $0, in: language) },
          showtimes: group["showtimes"]?.array?.compactMap(Showtime.init(told:)) ?? [])
      }, nextOpen: cinema["next_open"]?.string.flatMap { CivilDate($0) }, revision: 0,
      source: ScheduleSource(told: cinema, of: id))
  }
}

nonisolated extension ScheduleSource {
  /// Who told a programme that nobody can renew now: it is old, whatever was said of it then.
  fileprivate init(told cinema: JSONValue, of id: CinemaID) {
    let source = cinema["source"]
    self.init(
      id: id.text, cinema: id, name: source?["name"]?.string ?? "", url: source?["url"]?.string, state: .stale,
      asOf: cinema["as_of"]?.string.flatMap { Timestamp($0) }?.instant, isDemo: source?["demo"]?.bool)
  }
}

nonisolated extension Film {
  /// With its title in the language that it was told in.
  fileprivate init?(told film: JSONValue, in language: Language) {
    guard let id = film["id"]?.string.flatMap({ FilmID($0) }), let title = film["title"]?.string else { return nil }
    func texts(_ name: String) -> [String]? { film[name]?.array?.compactMap(\.string) }
    self.init(
      id: id, title: film["printed_title"]?.string ?? title,
      titles: [FilmTitle(language: language.rawValue, text: title)], originalTitle: film["original_title"]?.string,
      year: film["year"]?.int, runtimeMinutes: film["runtime_min"]?.int, countries: texts("countries"),
      genres: texts("genres"), directors: texts("directors"),
      rating: film["age_rating"].flatMap { rating in
        guard let system = rating["system"]?.string, let code = rating["code"]?.string else { return nil }
        return AgeRating(system: system, code: code)
      }, isDemo: film["demo"]?.bool)
  }
}

nonisolated extension Showtime {
  fileprivate init?(told show: JSONValue) {
    guard let id = show["id"]?.string.flatMap({ ShowtimeID($0) }),
      let cinema = show["cinema_id"]?.string.flatMap({ CinemaID($0) }),
      let starts = show["starts_at"]?.string.flatMap({ Timestamp($0) }),
      let date = show["service_date"]?.string.flatMap({ CivilDate($0) }),
      let time = show["display_time"]?.string.flatMap({ DisplayTime($0) })
    else { return nil }
    self.init(
      id: id, cinema: cinema, film: show["film_id"]?.string.flatMap { FilmID($0) }, title: show["title"]?.string ?? "",
      startsAt: starts.instant, serviceDate: date, displayTime: time,
      endsAt: show["ends_at"]?.string.flatMap { Timestamp($0) }?.instant, screen: show["screen"]?.string,
      seats: show["seats"].map { seats in
        Seats(
          state: .named(seats["state"]?.string ?? ""), left: seats["left"]?.int, total: seats["total"]?.int)
      }, attributes: show["attributes"]?.array?.compactMap(\.string) ?? [], bookingURL: show["booking_url"]?.string,
      state: .named(show["state"]?.string ?? ""), isInferred: show["inferred"]?.bool, firstSeen: starts.instant,
      lastSeen: starts.instant, revision: 0)
  }
}

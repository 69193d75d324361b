package import Calendars
package import Clocks
package import Contracts

/// The published schedule as it is read: a cinema's days, its showings by id, the films. A value; each day is swapped
/// whole, so that nobody ever sees half of a publication, and no read waits for the database.
nonisolated package struct ScheduleIndex: Sendable {
  package private(set) var cinemas: [CinemaID: CinemaSchedule] = [:]
  package private(set) var films: FilmIndex
  /// Of the newest step.
  package private(set) var revision: Int64 = 0
  private var places: [ShowtimeID: Place] = [:]

  private struct Place {
    var cinema: CinemaID
    var date: CivilDate
  }

  package init(films: FilmIndex = FilmIndex()) { self.films = films }

  // MARK: Reading

  package func showtime(_ id: ShowtimeID) -> Showtime? {
    guard let place = places[id], let day = cinemas[place.cinema]?.days[place.date] else { return nil }
    return day.showtimes.first { $0.id == id }
  }

  // MARK: Publishing

  /// Makes a cinema known, without any day yet.
  package mutating func open(_ cinema: CinemaID, zone: TimeZoneRules) {
    if cinemas[cinema] == nil { cinemas[cinema] = CinemaSchedule(zone: zone) } else { cinemas[cinema]?.zone = zone }
  }

  package mutating func close(_ cinema: CinemaID) {
    guard let schedule = cinemas.removeValue(forKey: cinema) else { return }
    for day in schedule.days.values { forget(day, of: cinema) }
  }

  package mutating func publish(_ day: PublishedDay) {
    guard var schedule = cinemas.removeValue(forKey: day.cinema) else { return }
    if let old = schedule.days[day.date] { forget(old, of: day.cinema) }
    let entry = ScheduleDay(day, films: films)
    for showtime in entry.showtimes { places[showtime.id] = Place(cinema: day.cinema, date: day.date) }
    schedule.days[day.date] = entry
    cinemas[day.cinema] = schedule
    revision = max(revision, day.revision)
  }

  /// One showing, where it stands.
  package mutating func replace(_ showtime: Showtime) {
    guard let place = places[showtime.id] else { return }
    cinemas[place.cinema]?.days[place.date]?.replace(showtime)
  }

  /// Films first, as the days refer to them.
  package mutating func learn(_ films: [Film], merged: [FilmID: FilmID], now: WallTime) {
    self.films.learn(films, merged: merged, now: now)
    guard !merged.isEmpty else { return }
    for (cinema, schedule) in cinemas {
      for (date, day) in schedule.days where day.refers(to: merged) {
        cinemas[cinema]?.days[date] = day.renaming(merged)
      }
    }
  }

  package mutating func advance(to revision: Int64) { self.revision = max(self.revision, revision) }

  /// Days that nobody looks at any more.
  package mutating func forget(before date: CivilDate) {
    for (cinema, schedule) in cinemas {
      for (old, day) in schedule.days where old < date {
        forget(day, of: cinema)
        cinemas[cinema]?.days[old] = nil
      }
    }
  }

  private mutating func forget(_ day: ScheduleDay, of cinema: CinemaID) {
    // One that has moved to another day is found there.
    for showtime in day.showtimes {
      if let place = places[showtime.id], place.cinema == cinema, place.date == day.date { places[showtime.id] = nil }
    }
  }
}

/// A cinema's published days.
nonisolated package struct CinemaSchedule: Sendable {
  package var zone: TimeZoneRules
  package var days: [CivilDate: ScheduleDay] = [:]

  package func today(at now: WallTime) -> CivilDate { ServiceDay.standard.date(of: now, in: zone) }

  /// The first day after `date` that has a showing to offer.
  package func nextOpen(after date: CivilDate) -> CivilDate? {
    days.values.lazy.filter { $0.date > date && $0.scheduledCount > 0 }.map(\.date).min()
  }

  package func upcoming(at now: WallTime) -> Int {
    days.values.reduce(0) { $0 + $1.showtimes.count { $0.startsAt > now && $0.state == .scheduled } }
  }
}

/// A published day, with what readers ask for counted once.
nonisolated package struct ScheduleDay: Sendable {
  package let date: CivilDate
  package let status: DayStatus
  package let revision: Int64
  package let asOf: WallTime
  /// By start, the cancelled among them.
  package private(set) var showtimes: [Showtime]
  package private(set) var scheduledCount = 0
  package private(set) var filmCount = 0

  init(_ day: PublishedDay, films: FilmIndex) {
    date = day.date
    status = day.status
    revision = day.revision
    asOf = day.asOf
    showtimes = day.showtimes
    for index in showtimes.indices {
      if let film = showtimes[index].film { showtimes[index].film = films.current(film) }
      // What the source does not tell follows from the film's length.
      if showtimes[index].endsAt == nil, let minutes = showtimes[index].film.flatMap({ films[$0]?.runtimeMinutes }) {
        showtimes[index].endsAt = showtimes[index].startsAt.adding(.seconds(minutes * 60))
      }
    }
    count()
  }

  private mutating func count() {
    let scheduled = showtimes.filter { $0.state == .scheduled }
    scheduledCount = scheduled.count
    filmCount = Set(scheduled.map { $0.film.map(\.text) ?? $0.title }).count
  }

  mutating func replace(_ showtime: Showtime) {
    guard let place = showtimes.firstIndex(where: { $0.id == showtime.id }) else { return }
    let end = showtimes[place].endsAt
    showtimes[place] = showtime
    if showtime.endsAt == nil { showtimes[place].endsAt = end }
    count()
  }

  func refers(to films: [FilmID: FilmID]) -> Bool { showtimes.contains { $0.film.map { films[$0] != nil } ?? false } }

  func renaming(_ films: [FilmID: FilmID]) -> ScheduleDay {
    var day = self
    for index in day.showtimes.indices {
      if let film = day.showtimes[index].film, let new = films[film] { day.showtimes[index].film = new }
    }
    day.count()
    return day
  }
}

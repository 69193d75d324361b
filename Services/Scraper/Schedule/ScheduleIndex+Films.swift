package import Clocks
package import Contracts

/// Which films play.
nonisolated extension ScheduleIndex {
  package func filmsShowing(_ request: FilmsShowing, now: WallTime) -> [FilmShowing] {
    struct Tally {
      var count = 0
      var cinemas: Set<CinemaID> = []
      var next: Showtime
      var last: WallTime
    }
    let wanted = request.films.map { Set($0.map(films.current)) }
    let from = request.from ?? now
    var tallies: [FilmID: Tally] = [:]
    for cinema in request.cinemas ?? Array(cinemas.keys) {
      for day in cinemas[cinema]?.days.values.map(\.showtimes) ?? [] {
        for showtime in day where showtime.state == .scheduled && showtime.startsAt >= from {
          guard let film = showtime.film, wanted?.contains(film) ?? true else { continue }
          if let to = request.to, showtime.startsAt >= to { continue }
          var tally = tallies[film] ?? Tally(next: showtime, last: showtime.startsAt)
          tally.count += 1
          tally.cinemas.insert(cinema)
          if Showtime.precedes(showtime, tally.next) { tally.next = showtime }
          tally.last = max(tally.last, showtime.startsAt)
          tallies[film] = tally
        }
      }
    }
    let all = tallies.compactMap { id, tally -> FilmShowing? in
      guard let film = films[id] else { return nil }
      return FilmShowing(
        film: film, showtimes: tally.count, cinemas: tally.cinemas.sorted(), next: tally.next, last: tally.last,
        since: films.since(id))
    }
    return Array(all.sorted { ($1.showtimes, $0.film.id) < ($0.showtimes, $1.film.id) }.prefix(request.limit))
  }
}

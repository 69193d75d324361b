package import Contracts

nonisolated extension ScheduleDay {
  /// The films by their first start, each with its showings; showings of no film stand alone. Without the cancelled.
  package func programmes(_ films: FilmIndex) -> [FilmProgramme] {
    var programmes: [FilmProgramme] = []
    var places: [FilmID: Int] = [:]
    for showtime in showtimes where showtime.state == .scheduled {
      guard let id = showtime.film, let film = films[id] else {
        programmes.append(FilmProgramme(showtimes: [showtime]))
        continue
      }
      if let place = places[id] {
        programmes[place].showtimes.append(showtime)
      } else {
        places[id] = programmes.count
        programmes.append(FilmProgramme(film: film, showtimes: [showtime]))
      }
    }
    return programmes
  }
}

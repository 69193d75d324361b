import Calendars
import Contracts
import JSON

/// What the API tells while the scraper is away: the script's questions, as `Web/js/views` ask them.
extension PaintCoordinator {
  func keptNearby(_ scene: PageScene) -> (days: [CinemaCalendar], shows: [DayProgramme])? {
    /// As the script rounds and writes a number.
    func told(_ degrees: Double) -> String {
      let rounded = (degrees * 1_000 + 0.5).rounded(.down) / 1_000
      return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
    let point = scene.place.position
    let kept = api.kept(
      "/v1/cinemas/nearby",
      [
        "lat": told(point.latitude), "lon": told(point.longitude), "limit": "\(Self.cinemasShown)",
        "include": "days,showtimes",
      ], in: scene.parts.words.language)
    return kept?["data"]?.array.map { cinemas in
      (
        cinemas.compactMap(CinemaCalendar.init(told:)),
        cinemas.compactMap { DayProgramme(told: $0, in: scene.parts.words.language) }
      )
    }
  }

  func keptCalendar(of cinema: CinemaID, _ scene: PageScene) -> CinemaCalendar? {
    api.kept("/v1/cinemas/\(cinema)", ["include": "days"], in: scene.parts.words.language)
      .flatMap(CinemaCalendar.init(told:)) ?? keptNearby(scene)?.days.first { $0.cinema == cinema }
  }

  func keptProgramme(of cinema: CinemaID, on date: CivilDate, _ scene: PageScene) -> DayProgramme? {
    let language = scene.parts.words.language
    return api.kept("/v1/cinemas/\(cinema)/showtimes", ["date": "\(date)"], in: language)
      .flatMap { DayProgramme(told: $0, in: language) }
      ?? keptNearby(scene)?.shows.first { $0.cinema == cinema && $0.date == date }
  }
}

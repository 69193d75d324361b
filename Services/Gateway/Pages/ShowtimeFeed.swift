package import Calendars
package import Clocks
package import Contracts
import HTTP

/// Showings as a calendar to subscribe to (RFC 5545, RFC 7986).
nonisolated package struct ShowtimeFeed {
  package var feed: CalendarFeed
  package let now: WallTime

  /// A copy is good for an hour: programmes change a few times a day.
  private static let refresh: Duration = .seconds(3_600)

  /// A film whose length nobody tells lasts this long in a calendar.
  private static let usualMilliseconds: Int64 = 120 * 60_000

  /// - Parameter usesFilmTitles: canonical titles, for feeds of films; else each as its cinema prints it.
  package init(
    _ page: ShowtimePage, cinemas: [CinemaID: Cinema], name: String?, view: Viewpoint, usesFilmTitles: Bool = false
  ) {
    let films = Dictionary(page.films.map { ($0.id, $0) }) { first, _ in first }
    let sources = Dictionary(page.sources.map { ($0.cinema, $0) }) { first, _ in first }
    now = view.now
    feed = CalendarFeed(
      productID: "-//Odi//Programme//EN", name: name, color: name == nil ? nil : "purple",
      refreshEvery: name == nil ? nil : Self.refresh,
      events: page.showtimes.map { showtime in
        Self.event(
          showtime, film: showtime.film.flatMap { films[$0] }, cinema: cinemas[showtime.cinema],
          source: sources[showtime.cinema], view, usesFilmTitles)
      })
    if page.next != nil { feed.details = "The next \(page.showtimes.count) showings. There are more." }
  }

  private static func event(
    _ showtime: Showtime, film: Film?, cinema: Cinema?, source: ScheduleSource?, _ view: Viewpoint,
    _ usesFilmTitles: Bool
  ) -> CalendarEvent {
    let zone = cinema.map { view.rules($0.zone) } ?? .utc
    func time(_ instant: WallTime) -> CalendarTime {
      cinema == nil ? .utc(instant) : .zoned(zone.local(at: instant), zone)
    }
    let isDemo = source?.isDemo == true || film?.isDemo == true
    let title = usesFilmTitles ? film.map { FilmItem.title(of: $0, in: view.language) } : nil
    let end =
      showtime.endsAt
      ?? WallTime(
        milliseconds: showtime.startsAt.milliseconds
          + (film?.runtimeMinutes.map { Int64($0) * 60_000 } ?? usualMilliseconds))
    var event = CalendarEvent(
      uid: "\(showtime.id)@odi", start: time(showtime.startsAt), end: time(max(end, showtime.startsAt)),
      summary: (isDemo ? "[demo] " : "") + (title ?? showtime.title))
    event.location = cinema.map {
      ([$0.name, showtime.screen, $0.address] as [String?]).compactMap(\.self).joined(separator: ", ")
    }
    event.position = cinema.flatMap {
      CalendarEvent.Position(latitude: $0.position.latitude, longitude: $0.position.longitude)
    }
    event.url = showtime.bookingURL
    event.details = details(showtime, film, isDemo)
    event.categories = showtime.attributes
    event.status = showtime.state == .cancelled ? .cancelled : .confirmed
    event.sequence = showtime.changes ?? 0
    event.stamp = showtime.lastSeen
    event.modified = showtime.lastSeen
    return event
  }

  private static func details(_ showtime: Showtime, _ film: Film?, _ isDemo: Bool) -> String {
    var lines = ["\(showtime.serviceDate) \(showtime.displayTime)"]
    if let film {
      let facts = [film.originalTitle, film.year.map(String.init), film.runtimeMinutes.map { "\($0) min" }]
      lines.append(facts.compactMap(\.self).joined(separator: " · "))
    }
    if isDemo { lines.append("Invented, to try the software with.") }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

extension ShowtimeFeed {
  func answer(madeOf sources: Set<Ingredient>, isPartial: Bool = false) -> Answer {
    let response = HTTPResponse(.ok, .calendar, feed.written(now: now))
    return Answer(response, madeOf: sources, isPartial: isPartial)
  }
}

import Calendars
import Clocks
import Contracts
import HTTP
import RPC

/// A cinema's programme as a calendar.
extension CinemasCoordinator {
  private static let days = QueryField<Int>.int("days", "How many days ahead.", in: 1...60, default: 30)

  var calendarEndpoint: Endpoint {
    Endpoint(
      .get, "/v1/cinemas/{id}/calendar.ics", "cinemaCalendar",
      "A cinema's programme, to subscribe to; the next \(FeedShowings.most) showings, if there are more.", .cinemas,
      parameters: [Self.id], query: [Self.days], answers: [.other(.calendar, "iCalendar (RFC 5545).")],
      isShared: true
    ) { [self] asking in try await calendar(asking) }
  }

  private func calendar(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let days = query.take(Self.days)
    try query.finish()
    let id = try asking.id(of: CinemaID.self)
    let cinema = try await shelf.known(id, asking.options)
    let zone = asking.view.rules(cinema.zone)
    let service = ServiceDay(of: cinema)
    let today = service.date(of: asking.now, in: zone)
    let to = service.instants(of: today + (days - 1), in: zone).upperBound
    let found = try await FeedShowings.find(
      FindShowtimes(
        cinemas: [id], from: service.instants(of: today, in: zone).lowerBound, to: to, includesCancelled: true,
        order: .startsAt, limit: FeedShowings.pageMax), of: scraper, asking)
    let feed = ShowtimeFeed(found.page, cinemas: [id: cinema], name: cinema.name, view: asking.view)
    return feed.answer(madeOf: [.directory, .programme(id)], isPartial: found.isCut)
  }
}

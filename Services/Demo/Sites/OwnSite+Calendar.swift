import Calendars
import Clocks

/// A calendar to subscribe to: one event a show, in the cinema's zone.
nonisolated extension OwnSite {
  func calendar(modified: WallTime) -> DemoDocument {
    if style.isRedesigned {
      return page("<p>Our calendar has moved. Please look at our new programme page.</p>\n")
    }
    var feed = CalendarFeed(
      productID: "-//Odi//Demo world, invented listings//EN", name: "\(cinema.name) (demo)",
      refreshEvery: .seconds(3_600))
    for day in shownDays {
      for show in day.shows { feed.events.append(event(show, day.date, modified)) }
    }
    return DemoDocument(.calendar, String(decoding: feed.written(now: modified), as: UTF8.self))
  }

  private func event(_ show: Show, _ date: CivilDate, _ modified: WallTime) -> CalendarEvent {
    var event = CalendarEvent(
      uid: "\(date)-\(show.number)@\(cinema.id).demo.odi.example",
      start: .zoned(ServiceTime(date, show.start).civil, cinema.zone),
      end: .zoned(ServiceTime(date, show.end).civil, cinema.zone),
      summary: show.title(at: cinema) + (show.isSoldOut ? " (SOLD OUT)" : ""))
    event.details = "DEMO: invented. \(show.film.english), \(show.film.year), \(show.film.minutes) min."
    event.location = "\(screenName(show)), \(cinema.name), \(cinema.address)"
    event.position = CalendarEvent.Position(latitude: cinema.latitude, longitude: cinema.longitude)
    event.url = ticketURL(show, date)
    event.categories = ["Film"]
    event.stamp = modified
    switch show.state {
    case .planned: event.status = .confirmed
    case .cancelled: (event.status, event.sequence) = (.cancelled, 1)
    case .moved: (event.status, event.sequence) = (.confirmed, 1)
    }
    return event
  }
}

import Calendars
import Clocks
import Contracts

/// Sessions of a festival as a calendar (RFC 5545).
nonisolated struct SessionFeed {
  private let feed: CalendarFeed
  private let now: WallTime

  init(_ sessions: [FestivalSession], of festival: Festival, name: String?, _ view: Viewpoint) {
    let zone = view.rules(festival.zone)
    let rooms = Dictionary(festival.rooms.map { ($0.id, $0.name) }) { first, _ in first }
    // For what does not say when it was changed: of the revision, so that the same revision is the same bytes.
    now = WallTime(milliseconds: 1_000 * festival.revision)
    feed = CalendarFeed(
      productID: "-//Odi//Timetable//EN", name: name,
      events: sessions.map { session in
        var event = CalendarEvent(
          session, at: festival.id, start: .zoned(zone.local(at: session.startsAt), zone),
          end: session.endsAt.map { .zoned(zone.local(at: $0), zone) },
          summary: (festival.isDemo ? "[demo] " : "") + session.title)
        let places = session.rooms.map { rooms[$0] ?? $0.text }
        event.location = (places + [festival.venue].compactMap(\.self)).joined(separator: ", ")
        event.details = session.abstract
        event.position = festival.position.flatMap {
          CalendarEvent.Position(latitude: $0.latitude, longitude: $0.longitude)
        }
        return event
      })
  }

  var written: [UInt8] { feed.written(now: now) }
}

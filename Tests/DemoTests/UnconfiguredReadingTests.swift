import Calendars
import Clocks
import Demo
import Extraction
import Fetch
import TestKit
import Testing

extension OneAfterAnother {
  /// The reader that knows no site finds what is in the demo's pages, for they are in formats that need no rule.
  @Suite("Demo sites, read without configuration", .serialized)
  @MainActor
  struct UnconfiguredReadingTests {
    @Test(
      "every show of a page with events or of a calendar is found, with its time and its title, events with their seats",
      arguments: [SiteFormat.jsonLD, .microdata, .ics])
    func everyShow(format: SiteFormat) async throws {
      try await Visitor.visit { visitor in
        for cinema in visitor.world.cinemas where cinema.format == format {
          let response = try await visitor.get(visitor.start(of: cinema.id))
          let reader = PageReader(zone: cinema.zone, capturedAt: visitor.time.wall, zones: ZoneDirectory())
          let source = PageSource(
            contentType: response.mediaType, charset: response.charset, url: response.url.description,
            venue: cinema.name)
          let found = try reader.read(response.body, as: source).screenings
          let shows = visitor.world.days(of: cinema).flatMap { day in
            day.shows.map { show in
              ReadShow(
                title: show.title(at: cinema), start: cinema.zone.instant(of: ServiceTime(day.date, show.start)),
                isOff: format != .ics && show.isSoldOut)
            }
          }
          let read = found.compactMap { screening in
            screening.start.instant.map { start in
              ReadShow(
                title: screening.title.replacing(" (SOLD OUT)", with: ""), start: start,
                isOff: format != .ics && screening.seats == .soldOut)
            }
          }
          let difference = Set(read).symmetricDifference(shows).sorted { ($0.start, $0.title) < ($1.start, $1.title) }
          #expect(difference.isEmpty, "\(cinema.id)")
          #expect(read.count == shows.count, "\(cinema.id)")
        }
      }
    }
  }
}

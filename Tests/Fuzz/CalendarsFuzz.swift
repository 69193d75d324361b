import Calendars
import Clocks

private let zones = ZoneDirectory()
private let venue = TimeZoneRules.fixed(UTCOffset(seconds: 9 * 3_600)!)
private let reader = CalendarReader(zones: zones, venueZone: venue)
private let window = WallTime(milliseconds: 0)..<WallTime(milliseconds: 4_102_444_800_000)

/// Any bytes are a feed: read or refused, its occurrences listed within their limits, and what is written can be read.
///
/// They are whatever else the module reads too, chosen by the first of them.
func fuzzCalendars(_ input: UnsafeBufferPointer<UInt8>) {
  CalendarsFuzzing.run(Array(input), zones: zones)
  guard let feed = try? reader.read(Array(input)) else { return }
  let found = feed.occurrences(in: window, zone: venue)
  precondition(
    found.occurrences.count <= CalendarFeed.OccurrenceLimits().occurrencesMax, "more occurrences than allowed")
  let again = try? reader.read(feed.written(now: WallTime(milliseconds: 0)))
  precondition(again?.events.count == feed.events.count, "a feed of \(feed.events.count) events reads back as another")
}

import Clocks

/// The one door for a fuzz target: whatever the bytes are, every reader here returns, and what it returns can be used.
///
/// The first byte chooses the reader, so that one corpus serves all of them.
package enum CalendarsFuzzing {
  package static func run(_ bytes: [UInt8], zones: ZoneDirectory) {
    guard let choice = bytes.first else { return }
    let input = Array(bytes.dropFirst())
    let text = String(decoding: input, as: UTF8.self)
    let now = WallTime(milliseconds: 1_795_132_800_000)
    switch choice % 6 {
    case 0: printed(text, now)
    case 1: feed(input, zones, now)
    case 2: zoneFile(input, now)
    case 3: fixedForms(text, now)
    case 5: openingHours(text, now)
    default: _ = ZoneAlias(text)
    }
  }

  private static func printed(_ text: String, _ now: WallTime) {
    let zone = TimeZoneRules.fixed(UTCOffset(seconds: 32_400) ?? .zero)
    for order in [nil, DateOrder.dayFirst] {
      let reader = PrintedReader(capturedAt: now, zone: zone, dateOrder: order)
      for expectation in [PrintedExpectation.listing, .dates, .times] {
        let listing = reader.read(text, expecting: expectation)
        for days in listing.groups.flatMap({ $0.days + $0.exceptions }) {
          if let first = days.first, let last = days.last { precondition(first <= last, "a run goes backwards") }
        }
        let showings = reader.showings(in: listing).showings
        for show in showings {
          precondition(show.endsAt ?? .init(milliseconds: .max) > show.startsAt, "an end before its start")
        }
      }
      _ = try? reader.date(text)
    }
    _ = PrintedMarks(text)
  }

  private static func feed(_ bytes: [UInt8], _ zones: ZoneDirectory, _ now: WallTime) {
    let reader = CalendarReader(zones: zones, venueZone: .utc)
    guard let feed = try? reader.read(bytes) else { return }
    _ = feed.occurrences(in: now..<now.adding(seconds: 86_400 * 90), zone: .utc)
    let again = try? reader.read(feed.written(now: now))
    precondition(again?.events.count == feed.events.count, "an event was lost in writing")
    precondition(
      again?.events.map(\.start) == feed.events.map(\.start) || hasOwnZones(feed), "a start was moved in writing")
  }

  /// A zone that only the feed describes is described again by what it is used for, so its rules are not equal.
  private static func hasOwnZones(_ feed: CalendarFeed) -> Bool { !feed.problems.isEmpty }

  private static func zoneFile(_ bytes: [UInt8], _ now: WallTime) {
    guard let rules = try? TimeZoneRules(name: "X", tzif: bytes) else { return }
    for instant in [now, WallTime(milliseconds: .min), WallTime(milliseconds: .max)] {
      _ = rules.resolve(rules.local(at: instant))
      _ = rules.nextChange(after: instant)
    }
  }

  /// Both texts of a place, the days on which it is closed behind the last bar.
  private static func openingHours(_ text: String, _ now: WallTime) {
    let parts = text.split(separator: "|", maxSplits: 1).map(String.init)
    let hours = OpeningHoursReader.read(open: parts.first, close: parts.count > 1 ? parts[1] : nil).hours
    let today = TimeZoneRules.utc.local(at: now).date
    for country in ["JP", "KR", ""] {
      let holidays = PublicHolidays(of: country)
      for date in [.first, .first + 1, .last] + (0..<8).map({ today + $0 }) {
        for interval in hours.intervals(on: date, in: .utc, holidays) {
          precondition(interval.closes ?? interval.opens >= interval.opens, "it closes before it opens")
        }
      }
      for instant in [now, WallTime(milliseconds: .min), WallTime(milliseconds: .max)] {
        _ = hours.state(at: instant, in: .utc, holidays: holidays)
      }
    }
  }

  private static func fixedForms(_ text: String, _ now: WallTime) {
    if let stamp = Timestamp(text) { precondition(Timestamp(stamp.description) == stamp, "reads back as another time") }
    if let instant = WallTime(httpDate: text, now: now) {
      precondition(WallTime(httpDate: instant.httpDate, now: now) == instant, "reads back as another time")
    }
    if let date = CivilDate(text) { precondition(date.description == text, "two forms of a date") }
    if let time = DisplayTime(text) { precondition(time.description == text, "two forms of a time") }
    _ = ISO8601Time(text)?.instant(in: .utc)
    _ = UTCOffset(text)
    _ = ZoneName(text)
  }
}

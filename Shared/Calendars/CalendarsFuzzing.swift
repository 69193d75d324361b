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
    switch choice % 5 {
    case 0: printed(text, now)
    case 1: feed(input, zones, now)
    case 2: zoneFile(input, now)
    case 3: fixedForms(text, now)
    default: _ = ZoneAlias(text)
    }
  }

  private static func printed(_ text: String, _ now: WallTime) {
    let zone = TimeZoneRules.fixed(UTCOffset(seconds: 32_400) ?? .zero)
    for order in [nil, DateOrder.dayFirst] {
      let reader = PrintedReader(capturedAt: now, zone: zone, dateOrder: order)
      _ = reader.showings(in: reader.read(text))
      _ = reader.times(text)
      _ = try? reader.date(text)
    }
    _ = PrintedMarks(text)
  }

  private static func feed(_ bytes: [UInt8], _ zones: ZoneDirectory, _ now: WallTime) {
    guard let feed = try? CalendarReader(zones: zones, venueZone: .utc).read(bytes) else { return }
    _ = feed.occurrences(in: now..<now.adding(seconds: 86_400 * 90), zone: .utc)
    _ = feed.written(now: now)
  }

  private static func zoneFile(_ bytes: [UInt8], _ now: WallTime) {
    guard let rules = try? TimeZoneRules(name: "X", tzif: bytes) else { return }
    for instant in [now, WallTime(milliseconds: .min), WallTime(milliseconds: .max)] {
      _ = rules.resolve(rules.local(at: instant))
      _ = rules.nextChange(after: instant)
    }
  }

  private static func fixedForms(_ text: String, _ now: WallTime) {
    _ = Timestamp(text)?.description
    _ = ISO8601Time(text)?.instant(in: .utc)
    _ = WallTime(httpDate: text, now: now)?.httpDate
    _ = UTCOffset(text)
    _ = ZoneName(text)
    _ = DisplayTime(text)
    _ = CivilDate(text)
  }
}

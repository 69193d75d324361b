import Calendars
import Clocks
import Extraction
import Testing

/// Reads a page as the tests do: at a place, at an instant.
func reading(
  _ text: String, zone name: String = "Asia/Seoul", at instant: String = "2026-11-20T09:00:00+09:00",
  url: String? = nil,
  type: String? = nil
) throws -> Extraction {
  let zones = ZoneDirectory()
  let zone = try zones.rules(for: #require(ZoneName(name)))
  let captured = try #require(Timestamp(instant)).instant
  return try PageReader(zone: zone, capturedAt: captured, zones: zones)
    .read(Array(text.utf8), as: PageSource(contentType: type, url: url))
}

extension Extraction {
  /// `2026-11-24T00:30:00+09:00 Title`, one for each screening.
  var lines: [String] { screenings.map { "\($0.start) \($0.title)" } }
}

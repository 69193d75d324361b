/// A date and a clock time, as a wall calendar and a wall clock show them, in no particular zone.
///
/// Only a zone's rules can say which instant it is, or that there is none, or that there are two.
package struct CivilDateTime: Hashable, Comparable, Sendable {
  package var date: CivilDate
  package var time: ClockTime

  package init(_ date: CivilDate, _ time: ClockTime) {
    self.date = date
    self.time = time
  }

  /// Held to the years 1 to 9999.
  init(clampingSecondsSince1970 seconds: Int64) {
    let held = min(max(seconds, CivilDateTime.first.secondsSince1970), CivilDateTime.last.secondsSince1970)
    let (day, second) = held.dividedDown(by: 86_400)
    self.init(CivilDate(clampingDaysSince1970: Int(day)), ClockTime(secondOfDay: Int(second)))
  }

  package static let first = CivilDateTime(.first, .midnight)
  package static let last = CivilDateTime(.last, ClockTime(secondOfDay: 86_399))

  /// Counted as if it were in UTC.
  var secondsSince1970: Int64 { Int64(date.daysSince1970) * 86_400 + Int64(time.secondOfDay) }

  /// What the clock would show `seconds` later if nobody moved its hands.
  package func adding(seconds: Int64) -> CivilDateTime {
    let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
    return CivilDateTime(clampingSecondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
  }

  package static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }
}

/// Written `2026-11-24T00:30:00`.
extension CivilDateTime: LosslessStringConvertible, Codable, WrittenAsText {
  package static let form = "a local time like 2026-11-24T00:30:00"

  package init?(_ text: String) {
    guard let value = text.scanned({ $0.civilDateTime() }) else { return nil }
    self = value
  }

  package var description: String {
    String(ascii: 19) {
      $0.put(date)
      $0.put("T")
      $0.put(time, withSeconds: true)
    }
  }
}

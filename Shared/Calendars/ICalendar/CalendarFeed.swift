package import Clocks

/// A calendar to subscribe to: a programme as iCalendar (RFC 5545) has it.
package struct CalendarFeed: Hashable, Sendable {
  /// The program that made it: `-//Odi//Programme//EN`.
  package var productID: String
  /// The same in every copy of it (RFC 7986).
  package var uid: String?
  package var name: String?
  /// A sentence about it.
  package var details: String?
  /// A CSS name (RFC 7986).
  package var color: String?
  /// How long a copy stays good.
  package var refreshEvery: Duration?
  /// The zone that the feed says it is of.
  package var zone: TimeZoneRules?
  package var events: [CalendarEvent]
  /// What was wrong with it when it was read. What could be read is there all the same.
  package var problems: [CalendarProblem] = []

  package init(
    productID: String, name: String? = nil, color: String? = nil, refreshEvery: Duration? = nil,
    events: [CalendarEvent] = []
  ) {
    self.productID = productID
    self.name = name
    self.color = color
    self.refreshEvery = refreshEvery
    self.events = events
  }
}

/// Something that takes place.
package struct CalendarEvent: Hashable, Sendable {
  /// The same for ever and everywhere: `show_9xk1@odi.example`.
  package var uid: String
  package var start: CalendarTime
  package var end: CalendarTime?
  package var summary: String
  package var details: String?
  package var location: String?
  package var position: Position?
  package var url: String?
  package var categories: [String] = []
  /// Who takes part, by name.
  package var attendees: [String] = []
  package var status: Status?
  /// How often it was moved or cancelled: a calendar takes the largest.
  package var sequence = 0
  /// When this description of it was made.
  package var stamp: WallTime?
  package var modified: WallTime?
  package var recurrence: Recurrence?
  /// More starts, beside those of the rule.
  package var extraStarts: [CalendarTime] = []
  /// Starts that do not take place.
  package var exceptions: [CalendarTime] = []
  /// The day of a programme that it belongs to, where that is another than its start's: what begins at 00:45 may be of the
  /// evening before. Only we write it.
  package var day: CivilDate?
  /// This event stands for the occurrence of a series that would have begun then.
  package var replaces: CalendarTime?

  package init(uid: String, start: CalendarTime, end: CalendarTime? = nil, summary: String) {
    self.uid = uid
    self.start = start
    self.end = end
    self.summary = summary
  }

  package enum Status: String, Hashable, Sendable, Codable {
    case tentative = "TENTATIVE"
    case confirmed = "CONFIRMED"
    case cancelled = "CANCELLED"
  }

  package struct Position: Hashable, Sendable {
    package let latitude: Double
    package let longitude: Double

    package init?(latitude: Double, longitude: Double) {
      guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
      self.latitude = latitude
      self.longitude = longitude
    }
  }
}

/// When, in one of the four ways of iCalendar.
package enum CalendarTime: Hashable, Sendable {
  /// All day.
  case day(CivilDate)
  /// Whatever the clock on the wall shows, wherever that is.
  case floating(CivilDateTime)
  case utc(WallTime)
  case zoned(CivilDateTime, TimeZoneRules)

  /// Days begin at midnight; days and floating times are taken to be in `zone`.
  package func instant(in zone: TimeZoneRules) -> WallTime {
    switch self {
    case .day(let date): zone.instant(of: CivilDateTime(date, .midnight))
    case .floating(let local): zone.instant(of: local)
    case .utc(let instant): instant
    case .zoned(let local, let own): own.instant(of: local)
    }
  }

  /// The calendar and the clock it is written with.
  var local: CivilDateTime {
    switch self {
    case .day(let date): CivilDateTime(date, .midnight)
    case .floating(let local), .zoned(let local, _): local
    case .utc(let instant): TimeZoneRules.utc.local(at: instant)
    }
  }

  /// The same way of telling the time, on another date.
  func moved(to date: CivilDate) -> CalendarTime {
    switch self {
    case .day: .day(date)
    case .floating(let local): .floating(CivilDateTime(date, local.time))
    case .zoned(let local, let zone): .zoned(CivilDateTime(date, local.time), zone)
    case .utc: .utc(TimeZoneRules.utc.instant(of: CivilDateTime(date, local.time)))
    }
  }

  /// RFC 5545: days are of the calendar, what is shorter is exact.
  func adding(_ duration: CalendarDuration) -> CalendarTime {
    let later = moved(to: local.date + duration.days)
    let seconds = Int64(duration.seconds)
    guard seconds != 0 else { return later }
    switch later {
    case .day(let date): return .day(CivilDateTime(date, .midnight).adding(seconds: seconds).date)
    case .floating(let local): return .floating(local.adding(seconds: seconds))
    case .utc(let instant): return .utc(instant.adding(seconds: seconds))
    case .zoned(let local, let zone):
      return .zoned(zone.local(at: zone.instant(of: local).adding(seconds: seconds)), zone)
    }
  }
}

/// `P1DT2H`: days of the calendar and exact seconds.
package struct CalendarDuration: Hashable, Sendable {
  package var days = 0
  package var seconds = 0
}

extension WallTime {
  /// Stops at the ends of the range.
  func adding(seconds: Int64) -> WallTime {
    let (step, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    let (sum, carry) = milliseconds.addingReportingOverflow(overflow ? (seconds < 0 ? .min : .max) : step)
    return WallTime(milliseconds: carry ? (seconds < 0 ? .min : .max) : sum)
  }
}

/// Something that could not be read as it stands, and what was made of it.
package struct CalendarProblem: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable {
    /// No such zone, and no usable description of it: the feed's or the venue's zone was taken.
    case zoneAssumed
    /// Only an offset is known, not the zone.
    case zoneIsOffset
    /// The zone's own description in the feed was taken.
    case zoneFromFeed
    /// Its rule is beyond what we expand: only the first occurrence is there.
    case recurrenceUnsupported
    /// One property was left out.
    case valueIgnored
    /// A whole event was left out.
    case eventIgnored
    /// No UID: one was made of its time and title.
    case uidMade
    /// A line that is none.
    case lineIgnored
    /// The end is missing.
    case cutShort
  }

  package let kind: Kind
  /// From 1; where the thing began.
  package let line: Int
  package let detail: String

  package var description: String { "line \(line): \(kind.rawValue): \(detail)" }
}

/// Why a text is no calendar at all.
package enum CalendarFeedError: Error, Hashable, CustomStringConvertible {
  case notACalendar
  case tooLarge(limit: String)

  package var description: String {
    switch self {
    case .notACalendar: "this does not begin with BEGIN:VCALENDAR; check the address"
    case .tooLarge(let limit): "this calendar is over a limit: \(limit); ask for a shorter period"
    }
  }
}

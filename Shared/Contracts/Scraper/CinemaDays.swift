package import Calendars
package import RPC
import Wire

/// Which days cinemas are open, in the order of `cinemas`. One without a source has no days.
package struct CinemaDays: RPCRequest, Hashable, WireLayout {
  package typealias Service = ScraperAPI
  package typealias Response = [CinemaCalendar]
  package static let method: MethodID = 0x0201
  package static let safety: Safety = .read

  package static let cinemasMax = 100
  package static let daysMax = 60

  /// At most ``cinemasMax``.
  package var cinemas: [CinemaID]
  /// Nil: each cinema's own today.
  package var from: CivilDate?
  /// 1...``daysMax``.
  package var days: Int

  package init(cinemas: [CinemaID], from: CivilDate? = nil, days: Int) {
    self.cinemas = cinemas
    self.from = from
    self.days = days
  }
}

/// A cinema's days.
package struct CinemaCalendar: Codable, Hashable, Sendable, WireLayout {
  package var cinema: CinemaID
  /// Its own today.
  package var today: CivilDate?
  package var days: [CalendarDay]
  /// Nil if it has none.
  package var source: ScheduleSource?

  package init(cinema: CinemaID, today: CivilDate? = nil, days: [CalendarDay], source: ScheduleSource? = nil) {
    self.cinema = cinema
    self.today = today
    self.days = days
    self.source = source
  }
}

/// Whether a cinema shows something on a day.
package struct CalendarDay: Codable, Hashable, Sendable, WireLayout {
  package var date: CivilDate
  package var status: DayStatus
  package var films: Int
  /// Those still to come or past, without the cancelled.
  package var showtimes: Int

  package init(date: CivilDate, status: DayStatus, films: Int, showtimes: Int) {
    self.date = date
    self.status = status
    self.films = films
    self.showtimes = showtimes
  }
}

/// Open, closed and not told are three things.
package enum DayStatus: GrowingEnum {
  case open
  /// The cinema says so.
  case closed
  /// Not published, or not read.
  case notPublished
  case unknown(String)

  package static let known: [DayStatus] = [.open, .closed, .notPublished]

  package var rawValue: String {
    switch self {
    case .open: "open"
    case .closed: "closed"
    case .notPublished: "unknown"
    case .unknown(let name): name
    }
  }
}

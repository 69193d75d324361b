package import Calendars
package import Clocks
package import Contracts
import Storage
import Wire

/// One visit's findings on their way into the schedule: judged, compared and stored in one transaction, or not at all.
nonisolated package struct Publication: Sendable {
  package var visit: Visit
  package var reading: SourceReading
  /// The right to publish: a replay, which an operator asked for, has one too.
  package var lease: Lease
  package var reason: ScheduleDiff.Reason = .read
  /// What did not come, in a sentence; the rest is published.
  package var shortfall: String?
  /// Told what would change, and nothing is stored.
  package var isTrial = false

  package init(_ visit: Visit, _ reading: SourceReading, lease: Lease) {
    self.visit = visit
    self.reading = reading
    self.lease = lease
  }

  /// Cancelled showings are told about for so long.
  package static let cancelledKept: Duration = .seconds(48 * 3_600)

  /// What a publication did, for whoever serves the schedule.
  package struct Outcome: Sendable {
    package var verdict: Verdict
    package var problem: String?
    /// The days as they are from now on, published anew or merely confirmed.
    package var days: [PublishedDay] = []
    package var events: [ScheduleEvent] = []
    package var films: [Film] = []
    package var merged: [FilmID: FilmID] = [:]
    package var status: SiteStatus
    package var added = 0
    package var removed = 0
    package var changed = 0
    package var showtimes = 0
  }

  package enum Verdict: String, Sendable {
    case published
    /// Everything as before.
    case same
    /// Some days wait for another look, or did not come.
    case partial
    case broken
    /// An operator holds the site back.
    case quarantined
  }
}

/// A day of one site as it is served.
nonisolated package struct PublishedDay: Hashable, Sendable {
  package var site: String
  package var cinema: CinemaID
  package var date: CivilDate
  package var status: DayStatus
  package var revision: Int64
  package var asOf: WallTime
  package var showtimes: [Showtime]

  package init(
    site: String, cinema: CinemaID, date: CivilDate, status: DayStatus, revision: Int64, asOf: WallTime,
    showtimes: [Showtime]
  ) {
    self.site = site
    self.cinema = cinema
    self.date = date
    self.status = status
    self.revision = revision
    self.asOf = asOf
    self.showtimes = showtimes
  }
}

/// Somebody else has taken the site over, or it is gone: what was found is not published.
nonisolated package struct LeaseLost: Error, Hashable, Sendable, CustomStringConvertible {
  package var site: String
  package var description: String {
    "the visit of \(site) took too long and another has taken it over; nothing was published"
  }
}

package import Calendars
package import Clocks
import Contracts

/// Whether a reading can be believed. What cannot is not published: the last good programme stays.
nonisolated package enum Judgement: Hashable, Sendable {
  /// Published, but for the days that wait for a second reading.
  case believed(held: Set<CivilDate>, doubts: [String])
  case refused(String)

  /// A day whose showings are all gone is believed when a second visit, this much later, finds the same.
  package static let secondLook: Duration = .seconds(2 * 3_600)
  /// A few sentences: they are for a person.
  private static let doubtsMax = 3

  /// What is known of a day before it is read again.
  package struct Before: Hashable, Sendable {
    /// Showings published and still to come.
    package var upcoming: Int
    /// When all its showings were first missing.
    package var vanishedAt: WallTime?

    package init(upcoming: Int, vanishedAt: WallTime? = nil) {
      self.upcoming = upcoming
      self.vanishedAt = vanishedAt
    }
  }

  /// - Parameters:
  ///   - usual: the median of showings on this site's days lately; nil if it is new.
  ///   - habits: what its programme is like, learnt from what was published.
  ///   - matched: how many of the reading's showings have a film.
  package init(
    _ reading: SourceReading, matched: Int, before: [CivilDate: Before], usual: Int?, habits: Habits, visit: Visit,
    isApproved: Bool
  ) {
    let expected = visit.site.expectations
    let listings = reading.days.values.flatMap(\.listings)
    let upcoming = before.values.reduce(0) { $0 + $1.upcoming }
    if !isApproved {
      // Where nothing was published lately, nothing is expected; but what cannot be read is no empty programme.
      let isExpected = upcoming > 0 || (visit.scope == .window && ((usual ?? 0) > 0 || !reading.unread.isEmpty))
      if listings.count < expected.showtimes, isExpected {
        self = .refused(
          "expected ≥\(expected.showtimes) showing\(expected.showtimes == 1 ? "" : "s")"
            + " from \(visit.dates.lowerBound) on, got \(listings.count)\(Self.usually(usual))")
        return
      }
      if let problem = Self.share(matched, of: listings.count, atLeast: expected.matchRatio, "have a film")
        ?? Self.share(
          listings.count { $0.screen != nil }, of: listings.count, atLeast: expected.screenRatio, "have a screen")
        ?? Self.thinDay(reading, expected) ?? (expected.learnsHabits ? habits.oddity(of: reading) : nil)
      {
        self = .refused(problem)
        return
      }
      let left = reading.days.filter { (before[$0.key]?.upcoming ?? 0) > 0 }.values.reduce(0) { total, day in
        total + day.listings.count { $0.startsAt > visit.at }
      }
      if upcoming >= expected.dropFrom, Double(left) < Double(upcoming) * (1 - expected.dropMax) {
        self = .refused(
          "of \(upcoming) showings to come only \(left) are left; more than"
            + " \(Int(expected.dropMax * 100)) % fewer is no programme change\(Self.usually(usual))")
        return
      }
    }
    var held: Set<CivilDate> = []
    for (date, day) in reading.days where day.listings.isEmpty && !isApproved {
      guard let known = before[date], known.upcoming > 0 else { continue }
      if let since = known.vanishedAt, visit.at.since(since) >= Self.secondLook { continue }
      held.insert(date)
    }
    let doubts = held.sorted().prefix(Self.doubtsMax).map { date in
      "\(date) had \(before[date]?.upcoming ?? 0) showings and now none; a second look in two hours decides"
    }
    self = .believed(held: held, doubts: doubts)
  }

  private static func usually(_ usual: Int?) -> String { usual.map { " (last 14 d: median \($0) a day)" } ?? "" }

  private static func share(_ part: Int, of whole: Int, atLeast least: Double, _ what: String) -> String? {
    guard whole > 0, Double(part) < least * Double(whole) else { return nil }
    return "only \(part) of \(whole) showings \(what); expected ≥\(Int(least * 100)) %"
  }

  private static func thinDay(_ reading: SourceReading, _ expected: Expectations) -> String? {
    guard expected.showtimesPerOpenDay > 0 else { return nil }
    for (date, day) in reading.days.sorted(by: { $0.key < $1.key }) where day.status == .open {
      if day.listings.count < expected.showtimesPerOpenDay {
        return "expected ≥\(expected.showtimesPerOpenDay) showings on \(date), got \(day.listings.count)"
      }
    }
    return nil
  }
}

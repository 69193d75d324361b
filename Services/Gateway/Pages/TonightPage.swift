import Calendars
import Clocks
import Contracts

/// What can still be reached.
nonisolated enum TonightPage {
  /// Further than this nobody walks, so nothing is said about when to leave.
  static let walkMinutesMax = 90

  /// Showings that somebody can walk to before they start, with the time to leave; without `onFoot`, also those that are
  /// too far to walk.
  static func reachable(_ showings: [ShowingItem], now: WallTime, onFoot: Bool) -> [ShowingItem] {
    showings.compactMap { showing in
      guard let metres = showing.cinema?.metres else { return onFoot ? nil : showing }
      let minutes = Walk.minutes(metres: metres)
      guard minutes <= walkMinutesMax || onFoot else { return showing }
      let start = showing.showtime.startsAt
      let leave = WallTime(milliseconds: start.instant.milliseconds - Int64(minutes) * 60_000)
      guard leave >= now else { return nil }
      var showing = showing
      showing.leaveBy = Timestamp(leave, offset: start.offset)
      return showing
    }
  }
}

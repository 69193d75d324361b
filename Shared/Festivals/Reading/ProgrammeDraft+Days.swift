import Calendars
import Clocks
import Contracts

extension ProgrammeDraft {
  /// The date of a day of a schedule, by the clocks of the festival: programs that keep all in UTC name a day by the date
  /// that is still there when it begins.
  ///
  /// - Parameters:
  ///   - said: the date that the day has in the file.
  ///   - opens: when it begins, as the file writes it.
  ///   - isBound: the file says when it begins or ends.
  ///   - starts: of its events, as far as they say them whole.
  mutating func date(said: CivilDate?, opens: String?, isBound: Bool, starts: [WallTime]) -> CivilDate? {
    let opening = opens.flatMap { ISO8601Time($0) }
    let opensOn = (opening?.instant(in: zone)).map { zone.local(at: $0).date }
    guard let said else { return opensOn }
    let days = starts.map { festival.day(of: $0, in: zone) }
    let shown: CivilDate
    if case .instant(let stamp)? = opening, let opensOn, stamp.offset != zone.offset(at: stamp.instant) {
      shown = days.count(where: { $0 == opensOn }) * 2 > days.count ? opensOn : said
    } else if !isBound, days.count > 1, let only = days.first, days.allSatisfy({ $0 == only }) {
      shown = only
    } else {
      shown = said
    }
    guard abs(shown - said) == 1 else { return said }
    note("the file calls a day \(said), which is \(shown) by the clocks of the festival; that is taken")
    return shown
  }
}

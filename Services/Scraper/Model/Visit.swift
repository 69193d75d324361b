package import Calendars
package import Clocks

/// One look at a site: when, how far ahead, and what is known already.
nonisolated package struct Visit: Hashable, Sendable {
  package var site: Site
  package var zone: TimeZoneRules
  package var at: WallTime
  package var scope: Scope
  /// Codes of films whose details are known and fresh.
  package var knownFilms: Set<String> = []
  /// Only these service dates, if somebody said so.
  package var span: ClosedRange<CivilDate>?

  package enum Scope: String, Sendable {
    /// Today's programme: what people look at now.
    case today
    case window
  }

  package init(site: Site, zone: TimeZoneRules, at: WallTime, scope: Scope, knownFilms: Set<String> = []) {
    self.site = site
    self.zone = zone
    self.at = at
    self.scope = scope
    self.knownFilms = knownFilms
  }

  /// The cinema's own today.
  package var today: CivilDate { ServiceDay.standard.date(of: at, in: zone) }

  /// The days that are looked at: none before today, so none at all where only past ones were asked for.
  package var dates: Range<CivilDate> {
    let today = today
    guard let span else { return today..<(today + (scope == .today ? 1 : site.rhythm.windowDays)) }
    let first = max(span.lowerBound, today)
    return first..<max(first, span.upperBound + 1)
  }
}

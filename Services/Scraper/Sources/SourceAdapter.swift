package import Calendars
package import Clocks
package import Contracts

/// How one kind of site is read: which pages to ask for, and what they say. Pure, so that a visit can be repeated from
/// stored pages and gives the same again.
nonisolated package protocol SourceAdapter: Sendable {
  /// The pages to fetch next, given those that came; none when there is nothing more to ask for.
  func wanted(having pages: [Page], in visit: Visit) -> [PageRequest]
  func read(_ pages: [Page], in visit: Visit) throws(ReadingError) -> SourceReading
  /// What was looked for on a page and what was seen: for whoever mends it.
  func trace(_ page: Page, in visit: Visit) -> [TracedFind]
  /// What was found on an older page and is not any more, and what looks like it: a sentence each.
  func lost(on page: Page, since old: Page, in visit: Visit) -> [String]
}

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

nonisolated extension Site {
  package var reader: any SourceAdapter {
    switch adapter {
    case .dtryx: DtryxAdapter()
    case .structured, .ics, .rule: ListingAdapter()
    }
  }
}

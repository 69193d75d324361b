import Calendars
import Clocks
package import Contracts
import Extraction
import JSON

/// A site whose pages list showings by themselves: events described for machines, a calendar, a page with a rule.
nonisolated package struct ListingAdapter: SourceAdapter {
  /// Programmes further ahead than this are announcements.
  private static let daysMax = 120
  /// For feeds that name zones of their own.
  private static let zones = ZoneDirectory()

  package init() {}

  package func wanted(having pages: [Page], in visit: Visit) -> [PageRequest] {
    guard pages.isEmpty else { return [] }
    let starts = visit.site.start.enumerated().map { (place: $0, text: $1, template: DateTemplate($1)) }
    // Day by day: where a visit must stop asking, the days before are whole.
    return starts.filter { $0.template == nil }.map { PageRequest(Self.role($0.place), $0.text) }
      + visit.dates.flatMap { date in
        starts.compactMap { start in
          start.template.map { PageRequest(Self.role(start.place, date), $0.filled(with: date), .part) }
        }
      }
  }

  /// - Parameter date: of a page that is asked for once a day.
  private static func role(_ place: Int, _ date: CivilDate? = nil) -> String {
    "listing:\(place)" + (date.map { ":\($0)" } ?? "")
  }

  package func read(_ pages: [Page], in visit: Visit) throws(ReadingError) -> SourceReading {
    var reading = SourceReading()
    let came = Set(pages.map(\.role))
    // The days that the pages were asked about: one whose own page did not come is not spoken of.
    let answered = Set(visit.dates.filter { isTold($0, by: came, in: visit) })
    let isDated = visit.site.start.contains { DateTemplate($0) != nil }
    reading.isWhole = isWhole(pages, in: visit)
    var listings: [Listing] = []
    var closed: Set<CivilDate> = []
    for page in pages {
      let found = try extraction(of: page, in: visit)
      for screening in found.screenings {
        if let listing = Listing(screening, for: visit) { listings.append(listing) }
      }
      reading.unread += found.unread.map { UnreadPiece(what: $0.what, why: $0.why) }
      if found.screenings.isEmpty, let reason = found.reason { reading.remark = reason }
      closed.formUnion(found.closedDays)
    }
    keepOwnNames(&listings)
    dropSharedNames(&listings)
    for date in answered { reading.days[date] = DayListing(.notPublished) }
    for listing in listings.sorted(by: { $0.startsAt < $1.startsAt }) {
      let date = listing.serviceTime.date
      guard date >= visit.today, date <= visit.today + Self.daysMax, visit.span?.contains(date) ?? true
      else { continue }
      // A day of which not every page came: others may list a part of it.
      if isDated, !isTold(date, by: came, in: visit) { continue }
      reading.days[date, default: DayListing(.open)].status = .open
      reading.days[date]?.listings.append(listing)
    }
    // A page that says so and lists showings all the same speaks of something else.
    for date in answered where closed.contains(date) && reading.days[date]?.listings.isEmpty == true {
      reading.days[date]?.status = .closed
    }
    return reading
  }

  /// Whether all pages came that tell of a day.
  private func isTold(_ date: CivilDate, by came: Set<String>, in visit: Visit) -> Bool {
    visit.site.start.enumerated().allSatisfy { place, start in
      came.contains(Self.role(place, DateTemplate(start) == nil ? nil : date))
    }
  }

  /// Whether what is not on the pages is gone: all of them came, and each lists all days there are.
  private func isWhole(_ pages: [Page], in visit: Visit) -> Bool {
    guard visit.span == nil, visit.site.start.allSatisfy({ DateTemplate($0) == nil }) else { return false }
    let came = Set(pages.map(\.role))
    return wanted(having: [], in: visit).allSatisfy { came.contains($0.role) }
  }

  package func trace(_ page: Page, in visit: Visit) -> [TracedFind] {
    guard let found = try? extraction(of: page, in: visit) else { return [] }
    return selectors(page, visit)
      + found.trace.entries.map {
        TracedFind(reader: $0.reader.rawValue, place: $0.place, outcome: $0.outcome.rawValue, what: $0.what)
      }
  }

  package func lost(on page: Page, since old: Page, in visit: Visit) -> [String] {
    let known = lines(old, visit)
    var sentences = lines(page, visit).compactMap { line -> String? in
      guard line.matches == 0, let was = known.first(where: { $0.field == line.field })?.matches, was > 0 else {
        return nil
      }
      return "\(line.field): \(line.selector) → 0 nodes (was \(was))" + (line.nearest.map { "; nearest: \($0)" } ?? "")
    }
    guard let found = try? extraction(of: page, in: visit), let before = try? extraction(of: old, in: visit) else {
      return sentences
    }
    let seen = found.trace.seen
    for (reader, count) in before.trace.seen.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let now = seen[reader] ?? 0
      if now * 2 < count { sentences.append("\(page.role): \(reader.rawValue) finds \(now) (was \(count))") }
    }
    if found.screenings.isEmpty, let reason = found.reason { sentences.append("\(page.role): \(reason)") }
    return sentences
  }

  /// What became of each selector of the site's rule.
  private func selectors(_ page: Page, _ visit: Visit) -> [TracedFind] {
    lines(page, visit).map { line in
      TracedFind(
        reader: "rule", place: "\(line.field): \(line.selector)", outcome: line.matches > 0 ? "found" : "refused",
        what: "\(line.matches) nodes" + (line.nearest.map { "; nearest: \($0)" } ?? ""))
    }
  }

  private func lines(_ page: Page, _ visit: Visit) -> [SiteRuleReport.Line] {
    guard let rule = try? rule(of: visit.site) else { return [] }
    let reader = PageReader(zone: visit.zone, capturedAt: page.fetchedAt, zones: Self.zones)
    let source = PageSource(contentTypeField: page.contentType, url: page.url)
    return (try? reader.run(rule, on: page.body, as: source))?.lines ?? []
  }

  func extraction(of page: Page, in visit: Visit) throws(ReadingError) -> Extraction {
    let reader = PageReader(zone: visit.zone, capturedAt: page.fetchedAt, zones: Self.zones)
    let source = PageSource(
      contentTypeField: page.contentType, url: page.url,
      venue: visit.site.parameters["venue"] ?? "\(visit.site.cinema) cinema")
    do throws(ExtractionError) {
      guard let rule = try rule(of: visit.site) else { return try reader.read(page.body, as: source) }
      if !rule.prefer.isEmpty {
        let found = try reader.read(page.body, as: source)
        if found.screenings.contains(where: { !Set($0.foundBy).isDisjoint(with: rule.prefer) }) { return found }
      }
      return try reader.run(rule, on: page.body, as: source).extraction
    } catch {
      throw ReadingError("the page cannot be read: \(error)", role: page.role)
    }
  }

  /// The site's selectors; nil if it has none, and its pages are read as any page.
  private func rule(of site: Site) throws(ExtractionError) -> SiteRule? {
    guard site.adapter == .rule, site.document["films"] != nil else { return nil }
    return try? SiteRule(parsing: site.document, ignoring: Self.membersOfSites)
  }

  /// What a site's file has beside its rule.
  static let membersOfSites: Set = [
    "adapter", "params", "enabled", "credit", "place", "page", "schedule", "expect", "venue", "date_order", "charset",
    "follow",
  ]

  /// A name that a page gives several films is none of a film's: the house's, a season's.
  private func dropSharedNames(_ listings: inout [Listing]) {
    var owners: [String: Set<String>] = [:]
    for listing in listings {
      for name in listing.otherTitles {
        owners[PrintedName.folded(name), default: []].insert(PrintedName.folded(listing.filmTitle ?? listing.title))
      }
    }
    for index in listings.indices {
      listings[index].otherTitles.removeAll { owners[PrintedName.folded($0), default: []].count > 1 }
    }
  }

  /// A name that several showings have is the film's, or the page's, and none of theirs.
  private func keepOwnNames(_ listings: inout [Listing]) {
    let names = Dictionary(grouping: listings.compactMap(\.bookingID), by: { $0 })
    for index in listings.indices {
      if let id = listings[index].bookingID, (names[id]?.count ?? 0) > 1 { listings[index].bookingID = nil }
    }
  }
}

nonisolated extension Listing {
  /// Nil for what has no time of the day, and for what another venue shows.
  fileprivate init?(_ found: FoundScreening, for visit: Visit) {
    guard let start = found.start.instant else { return nil }
    if let wanted = visit.site.parameters["venue"], let venue = found.venue,
      !PrintedName.folded(venue).contains(PrintedName.folded(wanted)),
      !PrintedName.folded(wanted).contains(PrintedName.folded(venue))
    {
      return nil
    }
    self.init(
      title: found.title, filmTitle: found.kind == .screening ? found.filmTitle : nil, startsAt: start,
      serviceTime: found.printedTime ?? ServiceDay.standard.time(of: start, in: visit.zone))
    filmYear = PrintedName(found.title).year
    otherTitles = found.otherTitles.compactMap { PrintedName($0).filmTitle }
    if let end = found.end?.instant, end > start { endsAt = end }
    screen = found.screen
    seats = found.seats.map { Seats($0) }
    attributes = found.attributes.map(\.rawValue).sorted()
    bookingURL = found.url
    bookingID = found.bookingID
    isInferred = found.confidence < Self.sure
  }

  /// Below it a page leaves something to be guessed.
  private static let sure = 0.5
}

nonisolated extension Seats {
  fileprivate init(_ printed: PrintedMarks.Seats) {
    switch printed {
    case .available: self.init(state: .available)
    case .few: self.init(state: .few)
    case .soldOut: self.init(state: .soldOut)
    }
  }
}

import Calendars
import Clocks
package import Contracts
import Extraction

/// A site whose pages list showings by themselves: events described for machines, a calendar, a page with a rule.
nonisolated package struct ListingAdapter: SourceAdapter {
  /// Programmes further ahead than this are announcements.
  private static let daysMax = 120
  /// For feeds that name zones of their own.
  private static let zones = ZoneDirectory()

  package init() {}

  package func wanted(having pages: [Page], in visit: Visit) -> [PageRequest] {
    guard pages.isEmpty else { return [] }
    var requests: [PageRequest] = []
    for start in visit.site.start {
      guard let template = DateTemplate(start) else {
        requests.append(PageRequest("listing:\(requests.count)", start))
        continue
      }
      for date in visit.dates {
        requests.append(PageRequest("listing:\(requests.count)", template.filled(with: date), .part))
      }
    }
    return requests
  }

  package func read(_ pages: [Page], in visit: Visit) throws(ReadingError) -> SourceReading {
    var reading = SourceReading()
    // What is not on the pages any more is gone, if all of them came.
    reading.isWhole = pages.count == wanted(having: [], in: visit).count
    var listings: [Listing] = []
    for page in pages {
      let found = try extraction(of: page, in: visit)
      for screening in found.screenings {
        if let listing = Listing(screening, for: visit) { listings.append(listing) }
      }
      reading.unread += found.unread.map { UnreadPiece(what: $0.what, why: $0.why) }
      if found.screenings.isEmpty, let reason = found.reason { reading.remark = reason }
    }
    keepOwnNames(&listings)
    for date in visit.dates { reading.days[date] = DayListing(.notPublished) }
    for listing in listings.sorted(by: { $0.startsAt < $1.startsAt }) {
      let date = listing.serviceTime.date
      guard date >= visit.today, date <= visit.today + Self.daysMax else { continue }
      reading.days[date, default: DayListing(.open)].status = .open
      reading.days[date]?.listings.append(listing)
    }
    return reading
  }

  package func trace(_ page: Page, in visit: Visit) -> [TracedFind] {
    guard let found = try? extraction(of: page, in: visit) else { return [] }
    return found.trace.entries.map {
      TracedFind(reader: $0.reader.rawValue, place: $0.place, outcome: $0.outcome.rawValue, what: $0.what)
    }
  }

  func extraction(of page: Page, in visit: Visit) throws(ReadingError) -> Extraction {
    let reader = PageReader(zone: visit.zone, capturedAt: page.fetchedAt, zones: Self.zones)
    let source = PageSource(
      contentTypeField: page.contentType, url: page.url, venue: visit.site.parameters["venue"] ?? "\(visit.site.cinema) cinema")
    do throws(ExtractionError) {
      return try reader.read(page.body, as: source)
    } catch {
      throw ReadingError("the page cannot be read: \(error)", role: page.role)
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

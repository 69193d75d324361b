import Contracts

nonisolated extension SiteTest {
  /// Reads stored pages as a visit would.
  init(_ visit: Int64, _ pages: [Page], _ look: Visit) {
    self.init(visit: visit, listings: [], unread: [], trace: [])
    do throws(ReadingError) {
      let reading = try look.site.reader.read(pages, in: look)
      listings = reading.days.sorted { $0.key < $1.key }.flatMap { $0.value.listings.map(TestedListing.init) }
      unread = reading.unread.map { TestedPiece(what: $0.what, why: $0.why) }
      problem = listings.isEmpty ? reading.remark : nil
    } catch {
      problem = error.description
    }
    trace = pages.flatMap { page in look.site.reader.trace(page, in: look) }
  }
}

nonisolated extension TestedListing {
  fileprivate init(_ listing: Listing) {
    self.init(
      title: listing.title, film: listing.filmTitle, startsAt: listing.startsAt,
      printed: "\(listing.serviceTime)", screen: listing.screen, seats: listing.seats?.state.rawValue,
      attributes: listing.attributes)
  }
}

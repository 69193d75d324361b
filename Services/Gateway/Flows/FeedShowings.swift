import Contracts
import RPC

/// Showings for a calendar that programs subscribe to. It knows no pages: they are gathered, and what is left over is told.
enum FeedShowings {
  static let pageMax = FindShowtimes.limitMax
  /// The programme of a large cinema for two months; a calendar of 5,000 events has about 3 MB.
  static let pagesMax = 10
  static var most: Int { pageMax * pagesMax }

  struct Gathered {
    var page: ShowtimePage
    /// One of the pages did not come: this is nothing to keep.
    var isCut = false
  }

  /// What several questions find, which may be a feed's most together.
  static func find(
    _ requests: [FindShowtimes], of scraper: any RPCClient<ScraperAPI>, _ asking: Asking
  ) async throws(RPCError) -> Gathered {
    var all = Gathered(page: ShowtimePage(showtimes: [], films: [], sources: [], revision: 0))
    for request in requests {
      guard all.page.showtimes.count < most else { break }
      let more = try await find(request, of: scraper, asking)
      all.page.showtimes += more.page.showtimes
      all.page.films += more.page.films
      all.page.sources += more.page.sources
      all.page.revision = max(all.page.revision, more.page.revision)
      all.isCut = all.isCut || more.isCut
    }
    return all
  }

  /// All pages until the deadline of who asks. What came before one that did not is told, and that there is more.
  static func find(
    _ request: FindShowtimes, of scraper: any RPCClient<ScraperAPI>, _ asking: Asking
  ) async throws(RPCError) -> Gathered {
    var request = request
    var all = try await scraper.call(request, asking.options)
    for _ in 1..<pagesMax {
      guard let next = all.next else { break }
      request.after = next
      let page: ShowtimePage
      do throws(RPCError) {
        page = try await scraper.call(request, asking.options)
      } catch {
        guard error.isTransient else { throw error }
        return Gathered(page: all, isCut: true)
      }
      all.showtimes += page.showtimes
      all.films += page.films
      all.sources += page.sources
      all.next = page.next
    }
    return Gathered(page: all)
  }
}

nonisolated extension Array {
  /// The same elements, so many together.
  func parts(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

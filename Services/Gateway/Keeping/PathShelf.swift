import Clocks
import Contracts
import RPC

/// The paths of all pages that there are: as many questions as there are thousands of cinemas, kept so that crawlers do
/// not ask them each time. Under which name of the server they are told makes no difference here.
final class PathShelf {
  private let locator: any RPCClient<LocatorAPI>
  private let scraper: any RPCClient<ScraperAPI>
  private let timetable: any RPCClient<TimetableAPI>
  private let time: any TimeSource
  private var kept: Kept?
  /// How often something has changed: what was asked before that is not kept.
  private var changes = 0

  private struct Kept {
    var paths: [String]
    var until: Instant
  }

  /// Paths, and whether they are all.
  struct Found {
    var paths: [String]
    var isWhole: Bool
  }

  /// As long as whole answers. Another cinema, festival or film that plays ends it sooner; other changes of programmes have no
  /// page of their own.
  static let memory: Duration = .seconds(30)

  private enum Limits {
    /// A crawler takes 50,000 addresses from one file; the cinemas of several countries are fewer.
    static let cinemas = 20_000
    static let films = 500
    static let festivals = 200
  }

  init(
    locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, timetable: any RPCClient<TimetableAPI>,
    time: any TimeSource
  ) {
    self.locator = locator
    self.scraper = scraper
    self.timetable = timetable
    self.time = time
  }

  /// Without the directory there are none; without the programmes or the festivals some are missing.
  func paths(_ asking: Asking) async throws -> Found {
    if let kept, kept.until > time.now { return Found(paths: kept.paths, isWhole: true) }
    let asked = changes
    var paths = ["/", "/discover", "/festivals", "/radio"]
    var last: CinemaID?
    var count = 0
    repeat {
      let page = try await locator.call(ListCinemas(after: last, limit: ListCinemas.limitMax), asking.options)
      paths += page.cinemas.map { "/cinemas/\($0.id)" }
      count += page.cinemas.count
      last = page.hasMore ? page.cinemas.last?.id : nil
    } while last != nil && count < Limits.cinemas
    let films = try await optional { () throws(RPCError) in
      try await scraper.call(FilmsShowing(limit: Limits.films), asking.optionsForExtras)
    }
    let festivals = try await optional { () throws(RPCError) in
      try await timetable.call(ListFestivals(limit: Limits.festivals), asking.optionsForExtras)
    }
    paths += (films ?? []).map { "/films/\($0.film.id)" }.sorted()
    paths += (festivals ?? []).map { "/festivals/\($0.id)" }
    let isWhole = films != nil && festivals != nil
    if isWhole, asked == changes { kept = Kept(paths: paths, until: time.now + Self.memory) }
    return Found(paths: paths, isWhole: isWhole)
  }

  /// The cinemas or the festivals changed, or a film began to play.
  func forgetAll() {
    changes += 1
    kept = nil
  }
}

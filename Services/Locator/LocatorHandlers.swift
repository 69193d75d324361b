import Contracts
import RPC

/// Answers the locator's contracts from the directory in memory. Two wait: the stream of changes, and `FormerCinemas`,
/// which asks the database.
struct LocatorHandlers {
  let directory: LiveDirectory
  let store: LocatorStore

  private enum Limits {
    /// Changes that a stream reads from the database at once.
    static let changes = 200
  }

  func register(on router: RPCRouter) {
    router.on(NearestCinemas.self) { (request: NearestCinemas, _: borrowing CallContext) in
      try RPCError.check(request.limit, in: 1...NearestCinemas.askedMax)
      try Self.check(metres: request.metresMax)
      return directory.current.nearest(to: request.origin, limit: request.limit, metresMax: request.metresMax)
    }
    router.on(NearestPlaces.self) { (request: NearestPlaces, _: borrowing CallContext) in
      try RPCError.check(request.limit, in: 1...NearestPlaces.limitMax)
      try Self.check(metres: request.metresMax)
      return try directory.places(nearest: request)
    }
    router.on(CinemasInBox.self) { (request: CinemasInBox, _: borrowing CallContext) in
      try RPCError.check(request.limit, in: 1...CinemasInBox.askedMax)
      guard request.southWest.latitude <= request.northEast.latitude else {
        throw RPCError(.invalidArgument, "the box's south is north of its north; swap the two")
      }
      return directory.current.cinemas(from: request.southWest, to: request.northEast, limit: request.limit)
    }
    router.on(CinemasByID.self) { (request: CinemasByID, _: borrowing CallContext) in
      try RPCError.check(count: request.ids.count, of: "ids", atMost: CinemasByID.idsMax)
      return request.ids.compactMap { directory.current[$0] }
    }
    router.on(FormerCinemas.self) { (request: FormerCinemas, _: CallContext) in
      try RPCError.check(count: request.ids.count, of: "ids", atMost: FormerCinemas.idsMax)
      return try await store.former(request.ids)
    }
    router.on(ListCinemas.self) { (request: ListCinemas, _: borrowing CallContext) in
      try RPCError.check(request.limit, in: 1...ListCinemas.limitMax)
      return directory.current.page(request)
    }
    router.on(FindCinemas.self) { (request: FindCinemas, _: borrowing CallContext) in
      try RPCError.check(request.limit, in: 1...FindCinemas.limitMax)
      return directory.current.cinemas(named: request.text, limit: request.limit, origin: request.origin)
    }
    router.on(Regions.self) { (_: Regions, _: borrowing CallContext) in directory.current.regions }
    router.on(DirectoryChanges.self) {
      (request: DirectoryChanges, _: CallContext, writer: StreamWriter<DirectoryChange>) in
      try await follow(request, writer)
    }
  }

  /// Sends what has changed, then waits for more. The database is asked each time, so nothing falls between the two; what
  /// is not served yet is not told, as who hears of it reads it again.
  private func follow(_ request: DirectoryChanges, _ writer: StreamWriter<DirectoryChange>) async throws {
    var seen = request.since ?? directory.current.revision
    // A reader whose revision is from another life of the database learns it from this one.
    seen = min(seen, directory.current.revision)
    try await writer.send(DirectoryChange(revision: seen))
    while !writer.isShuttingDown {
      let changes = try await store.changes(
        after: seen, upTo: directory.current.revision, limit: Limits.changes)
      for change in changes {
        try await writer.send(change)
        seen = change.revision
      }
      if changes.isEmpty { try await directory.changed(since: seen) }
    }
  }

  private static func check(metres: Double?) throws(RPCError) {
    guard let metres, !(metres >= 0) else { return }
    throw RPCError(.invalidArgument, "metresMax is \(metres); give 0 or more")
  }
}

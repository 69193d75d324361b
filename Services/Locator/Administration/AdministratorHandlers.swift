import Clocks
import Contracts
import Drafts
import RPC

/// Answers the locator's administrators: what changes the directory, and what tells about it.
struct AdministratorHandlers {
  let directory: LiveDirectory
  let store: LocatorStore
  let time: any TimeSource

  private enum Limits {
    /// With texts as long as they may be, a batch still fits in a message.
    static let batch = 1_000
    static let history = 1...1_000
    static let stale = 1...StaleCinemas.askedMax
    static let editorBytes = 100
  }

  func register(on router: RPCRouter) {
    router.on(PutCinemas.self) { (request: PutCinemas, _: CallContext) in try await put(request) }
    router.on(RemoveCinema.self) { (request: RemoveCinema, _: CallContext) in
      try await remove(request)
    }
    router.on(EditHistory.self) { (request: EditHistory, _: CallContext) in
      guard Limits.history.contains(request.limit) else {
        throw RPCError(.invalidArgument, "limit is \(request.limit); ask for 1...\(Limits.history.upperBound)")
      }
      return try await store.history(of: request.cinema, before: request.before, limit: request.limit)
    }
    router.on(StaleCinemas.self) { (request: StaleCinemas, _: CallContext) in
      guard Limits.stale.contains(request.limit) else {
        throw RPCError(.invalidArgument, "limit is \(request.limit); ask for 1...\(Limits.stale.upperBound)")
      }
      return try await store.untouched(since: request.since, limit: request.limit)
    }
    router.on(DescribeDirectory.self) { (request: DescribeDirectory, _: CallContext) in
      if request.isRebuilt { try await directory.reload() }
      return directory.current.statistics
    }
    router.on(SeedDirectory.self) { (_: SeedDirectory, _: CallContext) in try await directory.seed() }
  }

  private func put(_ request: PutCinemas) async throws -> [CinemaEdit] {
    guard request.cinemas.count <= Limits.batch else {
      throw RPCError(.invalidArgument, "\(request.cinemas.count) cinemas; send at most \(Limits.batch) at once")
    }
    let editor = editor(request.editor)
    if request.isDryRun {
      return try await store.plan(request.cinemas, by: editor, at: time.wall, mustBeNew: request.mustBeNew)
    }
    let edits = try await store.put(request.cinemas, by: editor, at: time.wall, mustBeNew: request.mustBeNew)
    if request.hasMore {
      directory.rebuildSoon()
    } else {
      await directory.rebuild()
    }
    return edits
  }

  private func remove(_ request: RemoveCinema) async throws -> CinemaEdit {
    if let other = request.replacedBy, other == request.id || directory.current[other] == nil {
      throw RPCError(
        .invalidArgument, "\(other) cannot stand for \(request.id): name another cinema that is in the directory")
    }
    let removed = try await store.remove(
      request.id, replacedBy: request.replacedBy, by: editor(request.editor), at: time.wall)
    guard let edit = removed else { throw RPCError(.notFound, "there is no cinema \(request.id)") }
    await directory.rebuild()
    return edit
  }

  private func editor(_ text: String) -> String {
    text.prefix(bytes: Limits.editorBytes)
  }
}

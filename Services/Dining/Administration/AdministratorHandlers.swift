import Clocks
import Contracts
import Drafts
import RPC

/// Answers dining's administrators: what changes the restaurants, and what tells about them.
struct AdministratorHandlers {
  let restaurants: LiveRestaurants
  let store: DiningStore
  let guide: HotPepperDesk
  let time: any TimeSource

  private enum Limits {
    /// With texts as long as they may be, a batch still fits in a message.
    static let batch = 200
    static let history = 1...1_000
    static let editorBytes = 100
  }

  func register(on router: RPCRouter) {
    router.on(PutRestaurants.self) { (request: PutRestaurants, _: CallContext) in try await put(request) }
    router.on(RemoveRestaurant.self) { (request: RemoveRestaurant, _: CallContext) in
      guard let edit = try await store.remove(request.id, by: editor(request.editor), at: time.wall) else {
        throw RPCError(.notFound, "there is no restaurant \(request.id)")
      }
      await restaurants.rebuilt()
      return edit
    }
    router.on(RestaurantHistory.self) { (request: RestaurantHistory, _: CallContext) in
      guard Limits.history.contains(request.limit) else {
        throw RPCError(.invalidArgument, "limit is \(request.limit); ask for 1...\(Limits.history.upperBound)")
      }
      return try await store.history(of: request.restaurant, before: request.before, limit: request.limit)
    }
    router.on(ListRestaurants.self) { (request: ListRestaurants, _: borrowing CallContext) in
      guard (1...Limits.batch).contains(request.limit) else {
        throw RPCError(.invalidArgument, "limit is \(request.limit); ask for 1...\(Limits.batch)")
      }
      if let ids = request.only {
        guard ids.count <= Limits.batch else {
          throw RPCError(.invalidArgument, "\(ids.count) ids; ask for at most \(Limits.batch) at once")
        }
        return ids.compactMap { restaurants.current[$0] }
      }
      let all = restaurants.current.restaurants
      let start = request.after.map { after in all.firstIndex { $0.id > after } ?? all.count } ?? 0
      return Array(all[start...].prefix(request.limit))
    }
    router.on(SeedRestaurants.self) { (_: SeedRestaurants, _: CallContext) in try await restaurants.seed() }
    router.on(SyncGuideCodes.self) { (request: SyncGuideCodes, _: CallContext) in try await guide.sync(request.list) }
    router.on(DescribeGuide.self) { (_: DescribeGuide, _: CallContext) in
      var status = try await guide.status()
      status.restaurants = restaurants.current.restaurants.count
      status.revision = restaurants.current.revision
      return status
    }
  }

  private func put(_ request: PutRestaurants) async throws -> [RestaurantEdit] {
    guard request.restaurants.count <= Limits.batch else {
      throw RPCError(
        .invalidArgument, "\(request.restaurants.count) restaurants; send at most \(Limits.batch) at once")
    }
    let editor = editor(request.editor)
    if request.isDryRun { return try await store.plan(request.restaurants, by: editor, at: time.wall) }
    let edits = try await store.put(request.restaurants, by: editor, at: time.wall)
    if request.hasMore {
      restaurants.rebuildSoon()
    } else {
      await restaurants.rebuilt()
    }
    return edits
  }

  private func editor(_ text: String) -> String {
    text.prefix(bytes: Limits.editorBytes)
  }
}

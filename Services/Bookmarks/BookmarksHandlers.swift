package import Clocks
import Contracts
import Crypto
package import Observability
package import RPC
import Storage

/// Answers the requests of BookmarksAPI: holds them to their rules, asks the store, and tells watchers what changed.
package final class BookmarksHandlers {
  package let hub: WatchHub
  let limits: BookmarkLimits
  let rules: RequestRules
  let time: any TimeSource
  private let log: Log
  private let presence: Presence
  private let popularity: Popularity
  private var desk = PairingDesk()
  private let getStore: () throws -> any BookmarkStore
  /// Makes ids, codes and secrets.
  private var random: RandomWords
  private let replays: Counter

  /// - Parameter store: asked for at each request, because it is opened after the handlers are made.
  package init(
    store: @escaping () throws -> any BookmarkStore, limits: BookmarkLimits = BookmarkLimits(), time: any TimeSource,
    presence: Presence, random: any RandomNumberGenerator = SecureRandom(), log: Log = .silent,
    metrics: Metrics = Metrics()
  ) {
    getStore = store
    self.limits = limits
    self.time = time
    self.presence = presence
    self.random = RandomWords(random)
    self.log = log
    rules = RequestRules(limits: limits)
    hub = WatchHub(limits: limits)
    popularity = Popularity(limits: limits, time: time)
    replays = metrics.counter(
      "odi_bookmarks_replays_total", "Changes that were answered as before, by their idempotency key.")
    let watching = metrics.gauge("odi_bookmarks_watchers", "Streams of changes that are open.")
    hub.onCount = { watching.set(Double($0)) }
  }

  package func register(on router: RPCRouter) {
    registerUsers(on: router)
    registerItems(on: router)
    registerRest(on: router)
    registerPlans(on: router)
    registerAdministration(on: router)
  }

  // MARK: Users

  private func registerUsers(on router: RPCRouter) {
    router.on(OpenUser.self) { [self] (request: OpenUser, context: CallContext) in
      try rules.check(locale: request.locale)
      let call = call(context, context.key.map { WriteKey($0, request) })
      return try await stored { try await $0.open(newUser(), locale: request.locale, call) }
    }
    router.on(ProfileOf.self) { [self] (request: ProfileOf, context: CallContext) in
      let profile = try await stored {
        try await $0.profile(of: request.user, withCounts: request.withCounts ?? true, call(context))
      }
      presence.saw(request.user)
      return profile
    }
    router.on(RevokeTokens.self) { [self] (request: RevokeTokens, context: CallContext) in
      if request.issuedAt == nil { desk.forget(request.user) }
      let profile = try await stored {
        try await $0.revokeTokens(of: request.user, issuedAt: request.issuedAt, call(context))
      }
      hub.end(request.user, but: UserTokens(profile), ofAll: request.issuedAt == nil)
      return profile
    }
    router.on(EraseUser.self) { [self] (request: EraseUser, context: CallContext) in
      desk.forget(request.user)
      let rows = try await stored { try await $0.erase(request.user, call(context)) }
      hub.end(request.user)
      presence.erased(request.user)
      return Erased(rows: rows)
    }
    router.on(ExportUser.self) { [self] (request: ExportUser, context: CallContext, writer) in
      try await stored { store in
        let document = ExportDocument(user: request.user, store: store, call: { self.call(context) })
        try await document.write { try await writer.send(ExportChunk(bytes: $0)) }
      }
    }
    router.on(BeginPairing.self) { [self] (request: BeginPairing, context: CallContext) in
      // Only of somebody who is there.
      _ = try await stored { try await $0.profile(of: request.user, withCounts: false, call(context)) }
      let code = try desk.begin(request.user, now: time.now, random: &random)
      let expires = WallTime(milliseconds: time.wall.milliseconds + desk.life.wholeMilliseconds)
      return PairingCode(code: code, expiresAt: expires)
    }
    router.on(FinishPairing.self) { [self] (request: FinishPairing, context: CallContext) in
      try await finishPairing(request, context)
    }
  }

  private func newUser() -> UserID {
    let bytes = (0..<2).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    guard let id = UserID("u_" + Base64URL.encode(bytes)) else { preconditionFailure("a made id is an id") }
    return id
  }

  private func finishPairing(_ request: FinishPairing, _ context: CallContext) async throws -> UserProfile {
    let taker = PairingDesk.Taker(asking: request.asking, origin: request.origin ?? "")
    let grant = try desk.redeem(request.code, by: taker, now: time.now)
    do {
      return try await stored { store in
        if let asking = request.asking, asking != grant.user {
          try await merge(asking, into: grant.user, isAgain: grant.isAgain, store, context)
        }
        return try await store.profile(of: grant.user, withCounts: true, call(context))
      }
    } catch {
      desk.takeBack(grant)
      throw error
    }
  }

  private func merge(
    _ asking: UserID, into user: UserID, isAgain: Bool, _ store: any BookmarkStore, _ context: CallContext
  ) async throws {
    do {
      let revision = try await store.merge(asking, into: user, call(context))
      hub.publish(revision: revision, of: user)
      hub.end(asking)
      desk.forget(asking)
      presence.erased(asking)
    } catch BookmarkError.unknownUser where isAgain {
      // They went over when this was asked before.
      return
    }
  }

  // MARK: Items

  private func registerItems(on router: RPCRouter) {
    router.on(SaveItem.self) { [self] (request: SaveItem, context: CallContext) in
      let item = NewItem(kind: request.kind, id: request.id, note: request.note)
      try rules.check(item)
      let call = call(context, context.key.map { WriteKey($0, request) })
      if let other = request.insteadOf { try rules.check(id: other) }
      let receipt = try await stored {
        try await $0.save(item, insteadOf: request.insteadOf, of: request.user, call)
      }
      tell(receipt, item.kind, request.insteadOf == nil ? item.id : nil, of: request.user)
      return receipt
    }
    router.on(RemoveItem.self) { [self] (request: RemoveItem, context: CallContext) in
      try rules.check(request.kind)
      try rules.check(id: request.id)
      let call = call(context, context.key.map { WriteKey($0, request) })
      if let other = request.otherwise { try rules.check(id: other) }
      let receipt = try await stored {
        try await $0.remove(request.kind, request.id, otherwise: request.otherwise, of: request.user, call)
      }
      tell(receipt, request.kind, request.otherwise == nil ? request.id : nil, of: request.user)
      return receipt
    }
    router.on(ImportItems.self) { [self] (request: ImportItems, context: CallContext) in
      try rules.check(count: request.items.count, of: "items", most: limits.importedItems)
      for (place, item) in request.items.enumerated() { try rules.check(item, at: "items[\(place)].") }
      let call = call(context, context.key.map { WriteKey($0, request) })
      let answer = try await stored { try await $0.importItems(request.items, of: request.user, call) }
      if answer.isReplay {
        replays.add()
      } else {
        hub.publish(revision: answer.revision, count: answer.added, of: request.user)
      }
      presence.saw(request.user)
      return answer
    }
    router.on(ListItems.self) { [self] (request: ListItems, context: CallContext) in
      try rules.check(request.kind)
      try rules.check(limit: request.limit, most: limits.pageItems)
      let after = try request.after.map { text in
        guard let cursor = ItemCursor(text) else {
          throw BookmarkError.invalid("after is no cursor of a page; give its next, or leave it out")
        }
        return cursor
      }
      return try await stored {
        try await $0.items(
          of: request.user, kind: request.kind, otherThan: request.otherThan, after: after, limit: request.limit,
          call(context))
      }
    }
    router.on(ItemChanges.self) { [self] (request: ItemChanges, context: CallContext) in
      try rules.check(request.kind)
      try rules.check(limit: request.limit, most: limits.pageChanges)
      return try await stored {
        try await $0.changes(
          of: request.user, since: request.since, kind: request.kind, limit: request.limit, call(context))
      }
    }
    router.on(WatchItems.self) { [self] (request: WatchItems, context: CallContext, writer) in
      try await stored { store in
        let watch = ItemWatch(
          request: request, store: store, hub: hub, pageChanges: limits.pageChanges, call: { self.call(context) })
        presence.saw(request.user)
        try await watch.run(writer)
      }
    }
  }

  /// Tells watchers of a change, if there was one. Also after a replay nothing is doubled: they go by the revision.
  /// - Parameter id: nil where the receipt does not say all that changed: who watches reads it.
  private func tell(_ receipt: ItemReceipt, _ kind: ItemKind, _ id: String?, of user: UserID) {
    presence.saw(user)
    if receipt.isReplay { return replays.add() }
    guard let id else { return hub.publish(revision: receipt.revision, of: user) }
    if let item = receipt.item {
      // Unchanged, if it carries an older revision.
      guard item.revision == receipt.revision else { return }
      hub.publish(
        ItemChange(revision: receipt.revision, kind: kind, id: id, isRemoved: false, item: item), of: user)
    } else if receipt.didChange {
      hub.publish(ItemChange(revision: receipt.revision, kind: kind, id: id, isRemoved: true), of: user)
    }
  }

  // MARK: The rest of a user

  private func registerRest(on router: RPCRouter) {
    router.on(RecordViews.self) { [self] (request: RecordViews, context: CallContext) in
      try rules.check(count: request.views.count, of: "views", most: limits.recordedViews)
      for (place, view) in request.views.enumerated() {
        try rules.check(view.kind, at: "views[\(place)].")
        try rules.check(id: view.id, at: "views[\(place)].")
      }
      let call = call(context, context.key.map { WriteKey($0, request) })
      presence.saw(request.user)
      return try await stored { try await $0.record(request.views, of: request.user, call) }
    }
    router.on(ListViews.self) { [self] (request: ListViews, context: CallContext) in
      try rules.check(request.kind)
      try rules.check(limit: request.limit, most: limits.pageViews)
      return try await stored {
        try await $0.views(of: request.user, kind: request.kind, limit: request.limit, call(context))
      }
    }
    router.on(ForgetViews.self) { [self] (request: ForgetViews, context: CallContext) in
      try rules.check(request.kind)
      guard request.kind != nil || request.id == nil else {
        throw BookmarkError.invalid("id is given without its kind; give both, or neither to forget everything")
      }
      return Erased(
        rows: try await stored {
          try await $0.forgetViews(of: request.user, kind: request.kind, id: request.id, call(context))
        })
    }
    router.on(SettingsOf.self) { [self] (request: SettingsOf, context: CallContext) in
      try await stored { try await $0.settings(of: request.user, call(context)) }
    }
    router.on(ChangeSettings.self) { [self] (request: ChangeSettings, context: CallContext) in
      try rules.check(request.settings)
      let (settings, didChange) = try await stored {
        try await $0.change(request.settings, of: request.user, ifRevision: request.ifRevision, call(context))
      }
      if didChange { hub.publishSettings(of: request.user) }
      return settings
    }
    router.on(RotateFeedKey.self) { [self] (request: RotateFeedKey, context: CallContext) in
      let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
      let key = Base64URL.encode(bytes)
      try await stored { try await $0.setFeed(SHA256.digest(of: key), of: request.user, call(context)) }
      return FeedKey(key: key)
    }
    router.on(UserOfFeedKey.self) { [self] (request: UserOfFeedKey, context: CallContext) in
      // The hash of something that is not guessable: how long it takes to find says nothing.
      try await stored { try await $0.user(ofFeed: SHA256.digest(of: request.key), call(context)) }
    }
    router.on(MostSaved.self) { [self] (request: MostSaved, _: CallContext) in
      try rules.check(request.kind)
      try rules.check(limit: request.limit, most: limits.popularThings)
      return try await stored { try await popularity.mostSaved(request, from: $0) }
    }
  }

  // MARK: Plans

  private func registerPlans(on router: RPCRouter) {
    router.on(SavePlan.self) { [self] (request: SavePlan, context: CallContext) in
      try rules.check(request.content)
      let draft = PlanDraft(
        content: request.content, replacing: request.id, ifRevision: request.ifRevision, id: newPlan(),
        share: secret(words: 2))
      let call = call(context, context.key.map { WriteKey($0, request) })
      let receipt = try await stored { try await $0.save(draft, of: request.user, call) }
      if receipt.isReplay { replays.add() }
      presence.saw(request.user)
      return receipt
    }
    router.on(PlanOf.self) { [self] (request: PlanOf, context: CallContext) in
      try await stored { try await $0.plan(request.id, of: request.user, call(context)) }
    }
    router.on(ListPlans.self) { [self] (request: ListPlans, context: CallContext) in
      try await stored { try await $0.plans(of: request.user, call(context)) }
    }
    router.on(RemovePlan.self) { [self] (request: RemovePlan, context: CallContext) in
      Erased(rows: try await stored { try await $0.removePlan(request.id, of: request.user, call(context)) })
    }
    router.on(SharedPlan.self) { [self] (request: SharedPlan, context: CallContext) in
      try await stored { try await $0.plan(shared: request.share, call(context)) }
    }
  }

  private func newPlan() -> PlanID {
    guard let id = PlanID("plan_" + secret(words: 1)) else { preconditionFailure("a made id is an id") }
    return id
  }

  /// 64 random bits a word, as text.
  private func secret(words: Int) -> String {
    Base64URL.encode((0..<words).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } })
  }

  // MARK: Administrators (the server lets nobody else ask these)

  private func registerAdministration(on router: RPCRouter) {
    router.on(ListUsers.self) { [self] (request: ListUsers, context: CallContext) in
      try rules.check(limit: request.limit, most: Self.pageUsers)
      return try await stored {
        try await $0.users(
          after: request.after, notSeenSince: request.notSeenSince, limit: request.limit, call(context))
      }
    }
    router.on(PruneUsers.self) { [self] (request: PruneUsers, context: CallContext) in
      // Who was here today is only known here.
      try await presence.flush()
      let users = try await stored {
        try await $0.prune(
          notSeenSince: request.notSeenSince, isDryRun: request.isDryRun, limit: Self.prunedUsers, call(context))
      }
      if !request.isDryRun {
        for user in users { hub.end(user) }
        log.warning("users pruned", ["users": .int(users.count), "by": .string("\(context.peer)")])
      }
      return UsersPruned(users: users.count, hasMore: users.count == Self.prunedUsers)
    }
    router.on(BookmarkStatistics.self) { [self] (_: BookmarkStatistics, context: CallContext) in
      var totals = try await stored { try await $0.totals(call(context)) }
      totals.watchers = hub.count
      totals.pairings = desk.count(at: time.now)
      return totals
    }
  }

  private static let pageUsers = 500
  /// Each is some statements in one transaction that others wait for.
  private static let prunedUsers = 500

  // MARK: Asking the store

  private func call(_ context: CallContext, _ key: WriteKey? = nil) -> StoreCall {
    StoreCall(at: time.wall, deadline: context.deadline, key: key)
  }

  /// Asks the store, and says in the words of the wire what went wrong; what is our fault is logged here.
  private func stored<Answer>(_ body: (any BookmarkStore) async throws -> Answer) async throws -> Answer {
    do {
      return try await body(getStore())
    } catch let error as StorageError {
      let told = RPCError(storage: error)
      if told.cause != nil { log.error("the store failed", ["error": .string("\(error)")]) }
      throw told
    }
  }
}

/// A generator whose type does not matter.
nonisolated private struct RandomWords: RandomNumberGenerator {
  private var words: any RandomNumberGenerator

  init(_ words: any RandomNumberGenerator) { self.words = words }

  mutating func next() -> UInt64 { words.next() }
}

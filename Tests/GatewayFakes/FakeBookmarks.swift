package import Clocks
package import Contracts
package import RPC

/// What users saved, in memory.
@MainActor
package final class FakeBookmarks {
  package let manners = FakeManners()
  package let router = RPCRouter(service: "bookmarks")
  private let time: any TimeSource
  private var users: [UserID: Account] = [:]
  private var serial = 0
  private var codes: [String: UserID] = [:]
  private var feedKeys: [String: UserID] = [:]
  private var receipts: [String: (request: String, receipt: ItemReceipt)] = [:]
  private var opened: [IdempotencyKey: UserProfile] = [:]
  private var watchers: [CheckedContinuation<Void, Never>] = []
  private var plans: [(owner: UserID, plan: Plan)] = []
  private var imports: [IdempotencyKey: (request: ImportItems, answer: ItemsImported)] = [:]
  private var looks: [IdempotencyKey: (asked: [UInt8]?, kept: Int)] = [:]
  private var planReceipts: [IdempotencyKey: PlanReceipt] = [:]

  private struct Account {
    var profile: UserProfile
    var items: [String: ItemChange] = [:]
    var views: [View] = []
    var settings = UserSettings(revision: 1)

    var saved: [SavedItem] { items.values.compactMap(\.item).sorted { $0.revision > $1.revision } }
  }

  package var client: any RPCClient<BookmarksAPI> { InProcessClient(of: BookmarksAPI.self, router, time: time) }

  package init(time: any TimeSource) {
    self.time = time
    register()
  }

  private func account(_ user: UserID) throws -> Account {
    guard let account = users[user] else { throw RPCError(.unauthenticated, "nobody is called \(user)") }
    return account
  }

  private func wake() {
    let woken = watchers
    watchers = []
    for watcher in woken { watcher.resume() }
  }

  private func profile(_ account: Account) -> UserProfile {
    var profile = account.profile
    profile.counts = Dictionary(grouping: account.saved) { $0.kind }.map {
      ItemCount(kind: $0.key, count: $0.value.count)
    }
    .sorted { $0.kind.rawValue < $1.kind.rawValue }
    return profile
  }

  /// One change, and the revision that it makes.
  private func item(_ user: UserID, _ kind: ItemKind, _ id: String) throws -> SavedItem? {
    try account(user).items["\(kind.rawValue)/\(id)"]?.item
  }

  private func change(
    _ user: UserID, _ kind: ItemKind, _ id: String, isRemoved: Bool, note: String? = nil
  ) throws -> ItemReceipt {
    var account = try account(user)
    let place = "\(kind.rawValue)/\(id)"
    let before = account.items[place]?.item
    guard isRemoved ? before != nil : before == nil || note != nil && before?.note != note else {
      return ItemReceipt(item: before, revision: account.profile.revision, didChange: false, isReplay: false)
    }
    account.profile.revision += 1
    let revision = account.profile.revision
    let item =
      isRemoved
      ? nil
      : SavedItem(
        kind: kind, id: id, note: note ?? before?.note, savedAt: before?.savedAt ?? time.wall, revision: revision)
    account.items[place] = ItemChange(revision: revision, kind: kind, id: id, isRemoved: isRemoved, item: item)
    users[user] = account
    wake()
    return ItemReceipt(item: item, revision: revision, didChange: isRemoved || before == nil, isReplay: false)
  }

  private func once(
    _ key: IdempotencyKey?, _ request: String, _ body: () throws -> ItemReceipt
  ) throws -> ItemReceipt {
    guard let key else { return try body() }
    if let known = receipts["\(key)"] {
      guard known.request == request else {
        throw RPCError(.alreadyExists, "this idempotency key belongs to another request")
      }
      var receipt = known.receipt
      receipt.isReplay = true
      return receipt
    }
    let receipt = try body()
    receipts["\(key)"] = (request, receipt)
    return receipt
  }

  /// The handlers keep it alive: a stream may outlast the test that began it.
  private func register() {
    on(OpenUser.self) { [self] request, context in
      if let key = context.key, let known = opened[key] { return known }
      serial += 1
      let profile = UserProfile(
        id: UserID("user_\(serial)")!, createdAt: time.wall, locale: request.locale, revision: 0, counts: [])
      users[profile.id] = Account(profile: profile)
      if let key = context.key { opened[key] = profile }
      return profile
    }
    on(ProfileOf.self) { [self] request, _ in profile(try account(request.user)) }
    on(EraseUser.self) { [self] request, _ in
      let rows = users.removeValue(forKey: request.user)?.items.count ?? 0
      wake()
      return Erased(rows: rows)
    }
    on(SaveItem.self) { [self] request, context in
      let asked = "\(request.user) \(request.kind) \(request.insteadOf ?? request.id) \(request.note ?? "-")"
      return try once(context.key, "put \(asked)") {
        let former = try request.insteadOf.flatMap { try item(request.user, request.kind, $0) }
        if let former { _ = try change(request.user, former.kind, former.id, isRemoved: true) }
        let own = try item(request.user, request.kind, request.id)?.note
        return try change(
          request.user, request.kind, request.id, isRemoved: false, note: request.note ?? own ?? former?.note)
      }
    }
    on(RemoveItem.self) { [self] request, context in
      try once(context.key, "remove \(request.user) \(request.kind) \(request.id)") {
        let isSaved = try item(request.user, request.kind, request.id) != nil
        return try change(
          request.user, request.kind, isSaved ? request.id : request.otherwise ?? request.id, isRemoved: true)
      }
    }
    on(ListItems.self) { [self] request, _ in
      let account = try account(request.user)
      var items = account.saved.filter {
        (request.kind == nil || $0.kind == request.kind) && $0.kind != request.otherThan
      }
      if let after = request.after.flatMap({ Int64($0) }) { items.removeAll { $0.revision >= after } }
      let shown = Array(items.prefix(request.limit))
      return ItemPage(
        items: shown, next: items.count > shown.count ? shown.last.map { String($0.revision) } : nil,
        revision: account.profile.revision)
    }
    on(ItemChanges.self) { [self] request, _ in
      let account = try account(request.user)
      let changes = account.items.values.filter { $0.revision > abs(request.since) }
        .filter { request.kind == nil || $0.kind == request.kind }.sorted { $0.revision < $1.revision }
      let shown = Array(changes.prefix(request.limit))
      let hasMore = changes.count > shown.count
      let last = hasMore ? shown[shown.count - 1].revision : account.profile.revision
      // A whole listing goes on under negative numbers.
      return ItemChangePage(
        changes: shown, revision: hasMore && request.since <= 0 ? -last : last, hasMore: hasMore, isReset: false)
    }
    on(RecordViews.self) { [self] request, context in
      var account = try account(request.user)
      if let key = context.key, let known = looks[key] {
        guard known.asked == request.asked else {
          throw RPCError(.alreadyExists, "this key was used for another request")
        }
        return ViewsRecorded(kept: known.kept, isReplay: true)
      }
      account.views.insert(contentsOf: request.views.reversed(), at: 0)
      users[request.user] = account
      if let key = context.key { looks[key] = (request.asked, request.views.count) }
      return ViewsRecorded(kept: request.views.count, isReplay: false)
    }
    on(ListViews.self) { [self] request, _ in Array(try account(request.user).views.prefix(request.limit)) }
    on(ForgetViews.self) { [self] request, _ in
      var account = try account(request.user)
      let count = account.views.count
      account.views = []
      users[request.user] = account
      return Erased(rows: count)
    }
    on(SettingsOf.self) { [self] request, _ in try account(request.user).settings }
    on(SavePlan.self) { [self] request, context in
      if let key = context.key, let kept = planReceipts[key] { return PlanReceipt(plan: kept.plan, isReplay: true) }
      _ = try account(request.user)
      let receipt: PlanReceipt
      if let id = request.id {
        let place = try planPlace(id, request.user)
        guard request.ifRevision ?? plans[place].plan.revision == plans[place].plan.revision else {
          throw RPCError(.failedPrecondition, "the plan was changed meanwhile")
        }
        plans[place].plan.content = request.content
        plans[place].plan.revision += 1
        receipt = PlanReceipt(plan: plans[place].plan)
      } else {
        let number = plans.count + 1
        let plan = Plan(
          id: PlanID("plan_\(number)")!, share: "share-\(number)", revision: 1, createdAt: time.wall,
          changedAt: time.wall, content: request.content)
        plans.append((request.user, plan))
        receipt = PlanReceipt(plan: plan)
      }
      if let key = context.key { planReceipts[key] = receipt }
      return receipt
    }
    on(PlanOf.self) { [self] request, _ in plans[try planPlace(request.id, request.user)].plan }
    on(ListPlans.self) { [self] request, _ in plans.filter { $0.owner == request.user }.map(\.plan).reversed() }
    on(RemovePlan.self) { [self] request, _ in
      let before = plans.count
      plans.removeAll { $0.owner == request.user && $0.plan.id == request.id }
      return Erased(rows: before - plans.count)
    }
    on(SharedPlan.self) { [self] request, _ in
      guard let found = plans.first(where: { $0.plan.share == request.share }) else {
        throw RPCError(.notFound, "there is no such plan, or no longer")
      }
      return found.plan
    }
    on(ChangeSettings.self) { [self] request, _ in
      var account = try account(request.user)
      if let wanted = request.ifRevision, wanted != account.settings.revision {
        throw RPCError(.failedPrecondition, "the settings have changed")
      }
      let revision = account.settings.revision + 1
      account.settings = request.settings
      account.settings.revision = revision
      users[request.user] = account
      return account.settings
    }
    on(BeginPairing.self) { [self] request, _ in
      _ = try account(request.user)
      serial += 1
      let code = "PAIR" + String(1_000 + serial)
      codes[code] = request.user
      return PairingCode(code: code, expiresAt: WallTime(milliseconds: time.wall.milliseconds + 300_000))
    }
    on(FinishPairing.self) { [self] request, _ in
      let code = request.code.uppercased().filter { $0 != "-" && $0 != " " }
      guard let user = codes.removeValue(forKey: code) else { throw RPCError(.notFound, "this code is not valid") }
      return profile(try account(user))
    }
    on(RotateFeedKey.self) { [self] request, _ in
      _ = try account(request.user)
      serial += 1
      feedKeys = feedKeys.filter { $0.value != request.user }
      feedKeys["feedkey\(serial)"] = request.user
      return FeedKey(key: "feedkey\(serial)")
    }
    on(UserOfFeedKey.self) { [self] request, _ in
      guard let user = feedKeys[request.key] else { throw RPCError(.notFound, "no feed has this key") }
      return profile(try account(user))
    }
    on(RevokeTokens.self) { [self] request, _ in
      var account = try account(request.user)
      if let issuedAt = request.issuedAt {
        account.profile.endedTokens = (account.profile.endedTokens ?? []) + [issuedAt]
      } else {
        account.profile.tokensValidFrom = time.wall
      }
      users[request.user] = account
      wake()
      return profile(account)
    }
    on(ImportItems.self) { [self] request, context in
      if let key = context.key, var known = imports[key] {
        guard request.asked.map({ $0 == known.request.asked }) ?? (request == known.request) else {
          throw RPCError(.alreadyExists, "this idempotency key belongs to another request")
        }
        known.answer.isReplay = true
        return known.answer
      }
      let added = try request.items.indices.filter { place in
        let item = request.items[place]
        return try change(request.user, item.kind, item.id, isRemoved: false, note: item.note).didChange
      }
      let answer = ItemsImported(
        added: added.count, unchanged: request.items.count - added.count,
        revision: try account(request.user).profile.revision, isReplay: false,
        addedPlaces: added.map { request.items[$0].place ?? $0 })
      if let key = context.key { imports[key] = (request, answer) }
      return answer
    }
    on(MostSaved.self) { _, _ in [] }
    router.on(ExportUser.self) {
      [self] (request: ExportUser, context: CallContext, writer: StreamWriter<ExportChunk>) in
      try await manners.pass("ExportUser", context)
      let account = try account(request.user)
      let text = "{\"user\":\"\(request.user)\",\"items\":\(account.saved.count)}"
      for byte in text.utf8 { try await writer.send(ExportChunk(bytes: [byte])) }
    }
    router.on(WatchItems.self) {
      [self] (request: WatchItems, context: CallContext, writer: StreamWriter<ItemEvent>) in
      try await manners.pass("WatchItems", context)
      let opening = try account(request.user)
      var sent = request.since ?? opening.profile.revision
      let isReset = sent > opening.profile.revision
      if isReset { sent = opening.profile.revision }
      try await writer.send(ItemEvent(revision: sent, isReset: isReset ? true : nil))
      while true {
        let account = try account(request.user)
        guard request.token.map(UserTokens(account.profile).hold) ?? true else {
          throw RPCError(.unauthenticated, "this session has ended")
        }
        for change in account.items.values.sorted(by: { $0.revision < $1.revision }) where change.revision > sent {
          try await writer.send(ItemEvent(revision: change.revision, change: change))
        }
        sent = account.profile.revision
        try Task.checkCancellation()
        await withTaskCancellationHandler {
          await withCheckedContinuation { watchers.append($0) }
        } onCancel: {
          Task { @MainActor in self.wake() }
        }
        try Task.checkCancellation()
        if let failure = manners.failure { throw failure }
      }
    }
  }

  private func planPlace(_ id: PlanID, _ user: UserID) throws -> Int {
    guard let place = plans.firstIndex(where: { $0.owner == user && $0.plan.id == id }) else {
      throw RPCError(.notFound, "there is no such plan, or no longer")
    }
    return place
  }

  private func on<Request: RPCRequest>(
    _ type: Request.Type, _ answer: @escaping @MainActor (Request, CallContext) throws -> Request.Response
  ) {
    router.on(type) { [manners] (request: Request, context: CallContext) async throws -> Request.Response in
      try await manners.pass("\(type)", context)
      return try answer(request, context)
    }
  }
}

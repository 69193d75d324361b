import Bookmarks
import Clocks
import Contracts
import Wire

/// The store as the simplest program that does it: dictionaries. What every other store is compared with.
@MainActor
final class MemoryBookmarks: BookmarkStore {
  private struct Person {
    var profile: UserProfile
    var seenAt: WallTime
    var items: [ItemKey: ItemRecord] = [:]
    var purgedTo: Int64 = 0
    var views: [ItemKey: WallTime] = [:]
    var settings = UserSettings()
    var feed: [UInt8]?
    var plans: [PlanID: Plan] = [:]
    var receipts: [[UInt8]: (at: WallTime, request: [UInt8], answer: Any)] = [:]

    var hasNothing: Bool {
      saved.isEmpty && plans.isEmpty && feed == nil && settings == UserSettings(revision: settings.revision)
    }
    var saved: [SavedItem] { items.values.filter { $0.removedAt == nil }.map(\.item) }
    var tombstones: [ItemRecord] { items.values.filter { $0.removedAt != nil } }
  }

  let limits: BookmarkLimits
  private var people: [UserID: Person] = [:]
  /// What somebody else does once, between the reading of a position and its arrival.
  var afterPosition: (() async throws -> Void)?
  private var openings: [[UInt8]: (user: UserID, at: WallTime, request: [UInt8])] = [:]

  init(limits: BookmarkLimits = BookmarkLimits()) { self.limits = limits }

  private func person(_ user: UserID) throws -> Person {
    guard let person = people[user] else { throw BookmarkError.unknownUser }
    return person
  }

  /// Runs a change that a key may have seen before.
  private func change<Answer>(
    _ user: UserID, _ call: StoreCall, _ asReplay: (inout Answer) -> Void, _ body: (inout Person) throws -> Answer
  ) throws -> Answer {
    var person = try person(user)
    if let key = call.key, let kept = person.receipts[key.keyBytes] {
      guard kept.request == key.fingerprint else { throw BookmarkError.keyReused }
      var answer = kept.answer as! Answer
      asReplay(&answer)
      return answer
    }
    let answer = try body(&person)
    if let key = call.key {
      person.receipts[key.keyBytes] = (call.at, key.fingerprint, answer)
      if person.receipts.count > limits.receipts {
        let times = person.receipts.values.map(\.at).sorted()
        let last = times[times.count / 2]
        person.receipts = person.receipts.filter { $0.value.at >= last }
      }
    }
    people[user] = person
    return answer
  }

  private func profile(_ user: UserID, withCounts: Bool = true) throws -> UserProfile {
    let person = try person(user)
    var profile = person.profile
    if withCounts {
      let kinds = Dictionary(grouping: person.saved, by: \.kind.rawValue)
      profile.counts = kinds.keys.sorted().map { ItemCount(kind: .named($0), count: kinds[$0]!.count) }
    }
    return profile
  }

  // MARK: Users

  func open(_ user: UserID, locale: String?, _ call: StoreCall) async throws -> UserProfile {
    if let key = call.key, let kept = openings[key.keyBytes],
      kept.at.milliseconds > call.at.milliseconds - limits.openingLife.wholeMilliseconds
    {
      guard kept.request == key.fingerprint else { throw BookmarkError.keyReused }
      return try profile(kept.user)
    }
    people[user] = Person(
      profile: UserProfile(id: user, createdAt: call.at, locale: locale, revision: 0, counts: []), seenAt: call.at)
    if let key = call.key { openings[key.keyBytes] = (user, call.at, key.fingerprint) }
    return try profile(user)
  }

  func profile(of user: UserID, withCounts: Bool, _ call: StoreCall) async throws -> UserProfile {
    try profile(user, withCounts: withCounts)
  }

  func revokeTokens(of user: UserID, issuedAt: WallTime?, _ call: StoreCall) async throws -> UserProfile {
    var person = try person(user)
    if let issuedAt {
      var ended = Set(person.profile.endedTokens ?? []).union([issuedAt]).sorted()
      if ended.count > limits.endedTokens {
        let oldest = WallTime(milliseconds: ended.removeFirst().milliseconds + 1)
        person.profile.tokensValidFrom = max(person.profile.tokensValidFrom ?? oldest, oldest)
      }
      person.profile.endedTokens = ended
      people[user] = person
      return try profile(user)
    }
    person.profile.endedTokens = nil
    person.profile.tokensValidFrom = max(person.profile.tokensValidFrom ?? call.at, call.at)
    people[user] = person
    return try profile(user)
  }

  func erase(_ user: UserID, _ call: StoreCall) async throws -> Int { erase(user) }

  private func erase(_ user: UserID) -> Int {
    guard let person = people.removeValue(forKey: user) else { return 0 }
    let opened = openings.filter { $0.value.user == user }
    for key in opened.keys { openings[key] = nil }
    return 1 + person.items.count + person.views.count + (person.settings.revision > 0 ? 1 : 0)
      + (person.feed == nil ? 0 : 1) + person.plans.count + person.receipts.count + opened.count
      + (person.profile.endedTokens?.count ?? 0)
  }

  func merge(_ user: UserID, into heir: UserID, _ call: StoreCall) async throws -> Int64 {
    let leaving = try person(user)
    var person = try person(heir)
    for item in leaving.saved.sorted(by: { $0.revision < $1.revision }) {
      let old = person.items[ItemKey(kind: item.kind, id: item.id)]
      let isNoted = old?.removedAt == nil && old?.item.note != nil
      _ = try put(
        NewItem(kind: item.kind, id: item.id, note: isNoted ? nil : item.note), &person, item.savedAt)
    }
    person.plans.merge(leaving.plans) { own, _ in own }
    guard person.plans.count <= limits.plans else { throw BookmarkError.tooManyPlans(limit: limits.plans) }
    for (key, at) in leaving.views { person.views[key] = max(person.views[key] ?? at, at) }
    trimViews(&person)
    people[heir] = person
    _ = erase(user)
    return person.profile.revision
  }

  // MARK: Plans

  func save(_ draft: PlanDraft, of user: UserID, _ call: StoreCall) async throws -> PlanReceipt {
    try change(user, call, { (answer: inout PlanReceipt) in answer.isReplay = true }) { person in
      guard let id = draft.replacing else {
        guard person.plans.count < limits.plans else { throw BookmarkError.tooManyPlans(limit: limits.plans) }
        let plan = Plan(
          id: draft.id, share: draft.share, revision: 1, createdAt: call.at, changedAt: call.at,
          content: draft.content)
        person.plans[plan.id] = plan
        return PlanReceipt(plan: plan)
      }
      guard var plan = person.plans[id] else { throw BookmarkError.noSuchPlan }
      guard plan.content != draft.content else { return PlanReceipt(plan: plan) }
      guard draft.ifRevision == nil || draft.ifRevision == plan.revision else {
        throw BookmarkError.planMoved(revision: plan.revision)
      }
      (plan.content, plan.changedAt) = (draft.content, call.at)
      plan.revision += 1
      person.plans[id] = plan
      return PlanReceipt(plan: plan)
    }
  }

  func plan(_ id: PlanID, of user: UserID, _ call: StoreCall) async throws -> Plan {
    guard let plan = try person(user).plans[id] else { throw BookmarkError.noSuchPlan }
    return plan
  }

  func plans(of user: UserID, _ call: StoreCall) async throws -> [Plan] {
    try person(user).plans.values.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }

  func removePlan(_ id: PlanID, of user: UserID, _ call: StoreCall) async throws -> Int {
    var person = try person(user)
    let removed = person.plans.removeValue(forKey: id)
    people[user] = person
    return removed == nil ? 0 : 1
  }

  func plan(shared link: String, _ call: StoreCall) async throws -> Plan {
    let plans = people.values.flatMap { $0.plans.values }
    guard let plan = plans.first(where: { $0.share == link }) else { throw BookmarkError.noSuchPlan }
    return plan
  }

  // MARK: Items

  private func put(_ item: NewItem, _ person: inout Person, _ now: WallTime) throws -> ItemReceipt {
    let key = ItemKey(kind: item.kind, id: item.id)
    let old = person.items[key]
    let isSaved = old.map { $0.removedAt == nil } ?? false
    var note = old?.item.note
    if let wanted = item.note { note = wanted.isEmpty ? nil : wanted }
    if let old, isSaved, old.item.note == note {
      return ItemReceipt(item: old.item, revision: person.profile.revision, didChange: false, isReplay: false)
    }
    if !isSaved, person.saved.count >= limits.items { throw BookmarkError.tooManyItems(limit: limits.items) }
    person.profile.revision += 1
    let saved = SavedItem(
      kind: item.kind, id: item.id, note: note, savedAt: isSaved ? old!.item.savedAt : now,
      revision: person.profile.revision)
    person.items[key] = ItemRecord(item: saved, removedAt: nil)
    return ItemReceipt(item: saved, revision: person.profile.revision, didChange: !isSaved, isReplay: false)
  }

  func save(
    _ item: NewItem, insteadOf other: String?, of user: UserID, _ call: StoreCall
  ) async throws -> ItemReceipt {
    try change(user, call, { $0.isReplay = true }) { person in
      var item = item
      if let other, other != item.id, let former = live(person.items[ItemKey(kind: item.kind, id: other)]) {
        _ = bury(ItemKey(kind: item.kind, id: other), &person, call.at)
        item.note = item.note ?? live(person.items[ItemKey(kind: item.kind, id: item.id)])?.note ?? former.note
      }
      return try put(item, &person, call.at)
    }
  }

  func remove(
    _ kind: ItemKind, _ id: String, otherwise other: String?, of user: UserID, _ call: StoreCall
  ) async throws -> ItemReceipt {
    try change(user, call, { $0.isReplay = true }) { person in
      let isSaved = live(person.items[ItemKey(kind: kind, id: id)]) != nil
      return bury(ItemKey(kind: kind, id: isSaved ? id : other ?? id), &person, call.at)
    }
  }

  private func live(_ record: ItemRecord?) -> SavedItem? { record?.removedAt == nil ? record?.item : nil }

  private func bury(_ key: ItemKey, _ person: inout Person, _ now: WallTime) -> ItemReceipt {
    guard var record = person.items[key], record.removedAt == nil else {
      return ItemReceipt(revision: person.profile.revision, didChange: false, isReplay: false)
    }
    person.profile.revision += 1
    record.item.revision = person.profile.revision
    record.removedAt = now
    person.items[key] = record
    let tombstones = person.tombstones.map(\.item.revision).sorted()
    if tombstones.count > limits.tombstones {
      let last = tombstones[tombstones.count / 2]
      person.items = person.items.filter { $0.value.removedAt == nil || $0.value.item.revision > last }
      person.purgedTo = max(person.purgedTo, last)
    }
    return ItemReceipt(revision: person.profile.revision, didChange: true, isReplay: false)
  }

  func importItems(_ items: [NewItem], of user: UserID, _ call: StoreCall) async throws -> ItemsImported {
    try change(user, call, { $0.isReplay = true }) { person in
      let added = try items.indices.filter { try put(items[$0], &person, call.at).didChange }
      return ItemsImported(
        added: added.count, unchanged: items.count - added.count, revision: person.profile.revision, isReplay: false,
        addedPlaces: added.map { items[$0].place ?? $0 })
    }
  }

  func items(
    of user: UserID, kind: ItemKind?, otherThan other: ItemKind?, after: ItemCursor?, limit: Int, _ call: StoreCall
  ) async throws -> ItemPage {
    let person = try person(user)
    func place(_ item: SavedItem) -> (WallTime, String, String) { (item.savedAt, item.kind.rawValue, item.id) }
    let all = person.saved.filter { (kind == nil || $0.kind == kind) && $0.kind != other }
      .filter { item in after.map { place(item) < ($0.savedAt, $0.kind, $0.id) } ?? true }
      .sorted { place($0) > place($1) }
    let page = Array(all.prefix(limit))
    return ItemPage(
      items: page, next: all.count > limit ? page.last.map { ItemCursor($0).text } : nil,
      revision: person.profile.revision)
  }

  func changes(
    of user: UserID, since: Int64, kind: ItemKind?, limit: Int, _ call: StoreCall
  ) async throws -> ItemChangePage {
    let person = try person(user)
    let isReset = since > 0 && (since < person.purgedTo || since > person.profile.revision)
    let start = isReset ? 0 : abs(since)
    let all = person.items.values.filter { $0.item.revision > start && (kind == nil || $0.item.kind == kind) }
      .sorted { $0.item.revision < $1.item.revision }
    let page = all.prefix(limit).map(\.change)
    var revision = person.profile.revision
    if all.count > limit { revision = page.last!.revision * (isReset || since <= 0 ? -1 : 1) }
    return ItemChangePage(changes: page, revision: revision, hasMore: all.count > limit, isReset: isReset)
  }

  func position(of user: UserID, _ call: StoreCall) async throws -> LogPosition {
    let person = try person(user)
    let position = LogPosition(revision: person.profile.revision, purgedTo: person.purgedTo)
    let meanwhile = afterPosition
    afterPosition = nil
    try await meanwhile?()
    return position
  }

  func exportItems(
    of user: UserID, after: ItemKey?, limit: Int, _ call: StoreCall
  ) async throws -> [ItemRecord] {
    let all = try person(user).items.sorted { Self.name($0.key) < Self.name($1.key) }
    return all.filter { entry in after.map { Self.name(entry.key) > Self.name($0) } ?? true }
      .prefix(limit).map(\.value)
  }

  private static func name(_ key: ItemKey) -> (String, String) { (key.kind.rawValue, key.id) }

  // MARK: The rest of a user

  private func trimViews(_ person: inout Person) {
    let newest = person.views.sorted { left, right in
      left.value == right.value ? Self.name(left.key) < Self.name(right.key) : left.value > right.value
    }
    person.views = Dictionary(uniqueKeysWithValues: newest.prefix(limits.views).map { ($0.key, $0.value) })
  }

  func record(_ views: [View], of user: UserID, _ call: StoreCall) async throws -> ViewsRecorded {
    try change(user, call, { $0.isReplay = true }) { person in
      var kept = 0
      if person.settings.keepsHistory != false {
        for view in views {
          let at = min(view.at ?? call.at, call.at)
          guard at.milliseconds >= call.at.milliseconds - limits.viewLife.wholeMilliseconds else { continue }
          let key = ItemKey(kind: view.kind, id: view.id)
          person.views[key] = max(person.views[key] ?? at, at)
          kept += 1
        }
        trimViews(&person)
      }
      return ViewsRecorded(kept: kept, isReplay: false)
    }
  }

  func views(of user: UserID, kind: ItemKind?, limit: Int, _ call: StoreCall) async throws -> [View] {
    try person(user).views.filter { kind == nil || $0.key.kind == kind }
      .sorted { left, right in
        left.value == right.value ? Self.name(left.key) < Self.name(right.key) : left.value > right.value
      }
      .prefix(limit).map { View(kind: $0.key.kind, id: $0.key.id, at: $0.value) }
  }

  func forgetViews(of user: UserID, kind: ItemKind?, id: String?, _ call: StoreCall) async throws -> Int {
    var person = try person(user)
    let before = person.views.count
    person.views = person.views.filter { (kind != nil && $0.key.kind != kind) || (id != nil && $0.key.id != id) }
    people[user] = person
    return before - person.views.count
  }

  func exportViews(of user: UserID, after: ItemKey?, limit: Int, _ call: StoreCall) async throws -> [View] {
    try person(user).views.sorted { Self.name($0.key) < Self.name($1.key) }
      .filter { entry in after.map { Self.name(entry.key) > Self.name($0) } ?? true }
      .prefix(limit).map { View(kind: $0.key.kind, id: $0.key.id, at: $0.value) }
  }

  func settings(of user: UserID, _ call: StoreCall) async throws -> UserSettings { try person(user).settings }

  func change(
    _ settings: UserSettings, of user: UserID, ifRevision: Int64?, _ call: StoreCall
  ) async throws -> (settings: UserSettings, didChange: Bool) {
    var person = try person(user)
    var new = settings
    new.revision = person.settings.revision
    if new == person.settings { return (new, false) }
    if let ifRevision, ifRevision != new.revision { throw BookmarkError.settingsMoved(revision: new.revision) }
    new.revision += 1
    person.settings = new
    people[user] = person
    return (new, true)
  }

  func setFeed(_ hash: [UInt8], of user: UserID, _ call: StoreCall) async throws {
    _ = try person(user)
    people[user]?.feed = hash
  }

  func user(ofFeed hash: [UInt8], _ call: StoreCall) async throws -> UserProfile {
    guard let user = people.first(where: { $0.value.feed == hash })?.key else { throw BookmarkError.unknownFeed }
    return try profile(user, withCounts: false)
  }

  // MARK: All users

  func mostSaved(
    _ kind: ItemKind, since: WallTime?, usersMin: Int, limit: Int, _ call: StoreCall
  ) async throws -> [SavedCount] {
    var counts: [String: Int] = [:]
    for item in people.values.flatMap(\.saved) where item.kind == kind && item.savedAt >= since ?? item.savedAt {
      counts[item.id, default: 0] += 1
    }
    return counts.filter { $0.value >= usersMin }
      .sorted { left, right in left.value == right.value ? left.key < right.key : left.value > right.value }
      .prefix(limit).map { SavedCount(id: $0.key, users: $0.value) }
  }

  func touch(_ users: [UserID], _ call: StoreCall) async throws {
    for user in users {
      let before = people[user]?.seenAt ?? call.at
      people[user]?.seenAt = max(before, call.at)
    }
  }

  func users(after: UserID?, notSeenSince: WallTime?, limit: Int, _ call: StoreCall) async throws -> UserList {
    let all = people.values.filter { person in
      (after.map { person.profile.id > $0 } ?? true) && (notSeenSince.map { person.seenAt < $0 } ?? true)
    }.sorted { $0.profile.id < $1.profile.id }
    return UserList(
      users: all.prefix(limit).map { person in
        UserSummary(
          id: person.profile.id, createdAt: person.profile.createdAt, seenAt: person.seenAt,
          revision: person.profile.revision, items: person.saved.count)
      }, hasMore: all.count > limit)
  }

  func prune(notSeenSince: WallTime, isDryRun: Bool, limit: Int, _ call: StoreCall) async throws -> [UserID] {
    let idle = people.values.filter { $0.hasNothing && $0.seenAt < notSeenSince }.map(\.profile.id).sorted()
    let users = Array(idle.prefix(limit))
    if !isDryRun { for user in users { _ = erase(user) } }
    return users
  }

  /// All at once, whatever the limit.
  func purge(_ horizon: PurgeHorizon, limit: Int, _ call: StoreCall) async throws -> Int {
    var rows = 0
    for (user, old) in people {
      var person = old
      for tombstone in old.tombstones where tombstone.removedAt! < horizon.tombstones {
        person.items[ItemKey(kind: tombstone.item.kind, id: tombstone.item.id)] = nil
        person.purgedTo = max(person.purgedTo, tombstone.item.revision)
      }
      person.receipts = person.receipts.filter { $0.value.at >= horizon.receipts }
      person.views = person.views.filter { $0.value >= horizon.views }
      rows += old.items.count - person.items.count + old.receipts.count - person.receipts.count
      rows += old.views.count - person.views.count
      people[user] = person
    }
    let before = openings.count
    openings = openings.filter { $0.value.at >= horizon.openings }
    return rows + before - openings.count
  }

  func totals(_ call: StoreCall) async throws -> BookmarkTotals {
    let kinds = Dictionary(grouping: people.values.flatMap(\.saved), by: \.kind.rawValue)
    return BookmarkTotals(
      users: people.count, items: kinds.keys.sorted().map { ItemCount(kind: .named($0), count: kinds[$0]!.count) },
      tombstones: people.values.reduce(0) { $0 + $1.tombstones.count },
      views: people.values.reduce(0) { $0 + $1.views.count },
      receipts: people.values.reduce(0) { $0 + $1.receipts.count }, feeds: people.values.count { $0.feed != nil },
      watchers: 0, pairings: 0)
  }
}

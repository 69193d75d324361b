import Bookmarks
import Clocks
import Contracts
import Crypto
import RPC
import TestKit
import Testing

@Suite("Bookmark store against its model")
@MainActor
struct StoreModelTests {
  /// Few users, few things, low limits: so that everything meets everything.
  private static var limits: BookmarkLimits {
    var limits = BookmarkLimits()
    limits.items = 8
    limits.tombstones = 6
    limits.views = 5
    limits.receipts = 12
    return limits
  }

  private struct Step {
    var random: SeededRandom
    var now = WallTime.start
    var users: [UserID] = []

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    mutating func user() -> UserID { users.isEmpty ? UserID("nobody")! : users[below(users.count)] }
    mutating func kind() -> ItemKind { below(4) == 0 ? .cinema : .film }
    mutating func maybeKind() -> ItemKind? { below(2) == 0 ? nil : kind() }
    mutating func id() -> String { "f\(below(14))" }
    mutating func note() -> String? { [nil, nil, "", "a", "b"][below(5)] }
    mutating func key(_ request: some FingerprintedRequest) -> WriteKey? {
      below(3) == 0 ? WriteKey(.number(below(30)), request) : nil
    }
  }

  private typealias Act = @MainActor (any BookmarkStore) async throws -> Any

  /// One operation, the same for every store.
  private func act(_ step: inout Step) -> (name: String, run: Act) {
    let (now, user) = (step.now, step.user())
    switch step.below(26) {
    case 0, 1:
      let id = UserID("u\(step.below(1_000_000))")!
      if step.users.count < 6 { step.users.append(id) }
      let call = StoreCall.at(now, step.key(OpenUser(locale: nil)))
      return ("open", { try await $0.open(id, locale: nil, call) })
    case 2...9:
      let item = NewItem(kind: step.kind(), id: step.id(), note: step.note())
      let old = step.below(3) == 0 ? step.id() : nil
      let request = SaveItem(user: user, kind: item.kind, id: item.id, note: item.note, insteadOf: old)
      let call = StoreCall.at(now, step.key(request))
      return ("save \(item) for \(old ?? "-")", { try await $0.save(item, insteadOf: old, of: user, call) })
    case 10...13:
      let (kind, id) = (step.kind(), step.id())
      let other = step.below(3) == 0 ? step.id() : nil
      let call = StoreCall.at(now, step.key(RemoveItem(user: user, kind: kind, id: id, otherwise: other)))
      return (
        "remove \(kind) \(id) or \(other ?? "-")", { try await $0.remove(kind, id, otherwise: other, of: user, call) }
      )
    case 14:
      let items = (0..<step.below(5)).map { _ in NewItem(kind: step.kind(), id: step.id(), note: step.note()) }
      let call = StoreCall.at(now, step.key(ImportItems(user: user, items: items)))
      return ("import", { try await $0.importItems(items, of: user, call) })
    case 15:
      let (kind, limit) = (step.maybeKind(), step.below(4) + 1)
      return (
        "list",
        { store in
          var (pages, after): ([ItemPage], ItemCursor?) = ([], nil)
          repeat {
            pages.append(
              try await store.items(of: user, kind: kind, otherThan: nil, after: after, limit: limit, .at(now)))
            after = pages.last?.next.flatMap { ItemCursor($0) }
          } while after != nil
          return pages
        }
      )
    case 16, 17:
      let (since, kind, limit) = (Int64(step.below(60)) - 10, step.maybeKind(), step.below(4) + 1)
      return ("changes", { try await $0.changes(of: user, since: since, kind: kind, limit: limit, .at(now)) })
    case 18:
      let views = (0..<step.below(4)).map { _ in
        View(kind: step.kind(), id: step.id(), at: step.below(2) == 0 ? nil : now.after(.days(step.below(500) - 450)))
      }
      let call = StoreCall.at(now, step.key(RecordViews(user: user, views: views)))
      return ("record", { try await $0.record(views, of: user, call) })
    case 19:
      let kind = step.maybeKind()
      let id = kind == nil ? nil : step.id()
      return (
        "views",
        {
          [
            try await $0.views(of: user, kind: kind, limit: 3, .at(now)) as Any,
            try await $0.forgetViews(of: user, kind: kind, id: id, .at(now)),
          ]
        }
      )
    case 20:
      let settings = UserSettings(
        language: ["ko", "en", nil][step.below(3)], keepsHistory: [true, false, nil][step.below(3)])
      let revision = step.below(2) == 0 ? nil : Int64(step.below(4))
      return ("settings", { try await $0.change(settings, of: user, ifRevision: revision, .at(now)) })
    case 21:
      let hash = SHA256.digest(of: "\(step.below(8))-\(user)")
      return (
        "feed",
        {
          try await $0.setFeed(hash, of: user, .at(now))
          return try await $0.user(ofFeed: hash, .at(now))
        }
      )
    case 22:
      let heir = step.user()
      guard heir != user, step.below(3) == 0 else {
        let issuedAt = step.below(2) == 0 ? now : nil
        return ("revoke", { try await $0.revokeTokens(of: user, issuedAt: issuedAt, .at(now)) })
      }
      return ("merge", { try await $0.merge(user, into: heir, .at(now)) })
    case 23:
      step.now = now.after(.days(step.below(20)))
      let horizon = PurgeHorizon(
        tombstones: now.after(.days(-30)), receipts: now.after(.days(-7)), openings: now.after(.seconds(-600)),
        views: now.after(.days(-365)))
      return (
        "purge",
        { store in
          var rows = 0
          while true {
            let some = try await store.purge(horizon, limit: 3, .at(now))
            rows += some
            if some < 3 { return rows }
          }
        }
      )
    case 24:
      let prunes = step.below(6) == 0
      let before = now.after(.days(-step.below(60)))
      return (
        "people",
        {
          try await $0.touch([user], .at(now))
          return [
            try await $0.prune(notSeenSince: before, isDryRun: !prunes, limit: 10, .at(now)) as Any,
            try await $0.users(after: user, notSeenSince: now, limit: 2, .at(now)),
            try await $0.mostSaved(.film, since: before, usersMin: 2, limit: 5, .at(now)),
          ]
        }
      )
    default:
      guard step.below(8) == 0 else {
        return (
          "look",
          {
            [
              try await $0.profile(of: user, withCounts: true, .at(now)) as Any,
              try await $0.settings(of: user, .at(now)), try await $0.position(of: user, .at(now)),
              try await $0.exportItems(of: user, after: ItemKey(kind: .film, id: "f12"), limit: 9, .at(now)),
              try await $0.exportViews(of: user, after: nil, limit: 9, .at(now)), try await $0.totals(.at(now)),
            ]
          }
        )
      }
      return ("erase", { try await $0.erase(user, .at(now)) })
    }
  }

  private func outcome(_ act: Act, _ store: any BookmarkStore) async -> String {
    do { return "\(try await act(store))" } catch { return "threw \(error)" }
  }

  @Test("whatever is done, it answers as dictionaries do", arguments: 0..<UInt64(8))
  func same(seed: UInt64) async throws {
    let (memory, sqlite) = (try await StoreKind.memory.make(Self.limits), try await StoreKind.sqlite.make(Self.limits))
    var step = Step(random: SeededRandom(seed: seed))
    var kinds: Set<String> = []
    for number in 0..<1_200 {
      let (name, act) = act(&step)
      let expected = await outcome(act, memory.store)
      let found = await outcome(act, sqlite.store)
      guard expected == found else {
        Issue.record("seed \(seed), step \(number), \(name):\n  model \(expected)\n  store \(found)")
        break
      }
      kinds.insert(String(expected.prefix(30)))
      step.now = step.now.after(.milliseconds(step.below(3)))
    }
    #expect(kinds.contains { $0.hasPrefix("threw tooManyItems") })
    #expect(kinds.contains { $0.hasPrefix("threw keyReused") })
    await sqlite.close()
  }
}

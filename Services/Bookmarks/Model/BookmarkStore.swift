package import Clocks
package import Contracts

/// Where users and what they save are kept.
///
/// Whatever it acknowledges is durable. Every question and every change is about one user, who is named by whoever
/// checked their token; the few that look at all of them are at the end, for the service itself and administrators.
/// Times and ids are handed in. A user that is not there is `BookmarkError.unknownUser`.
@MainActor
package protocol BookmarkStore: AnyObject, Sendable {
  // MARK: Users

  /// Makes a user. With the key of an earlier opening, not too long ago, the user of then.
  func open(_ user: UserID, locale: String?, _ call: StoreCall) async throws -> UserProfile
  func profile(of user: UserID, withCounts: Bool, _ call: StoreCall) async throws -> UserProfile
  /// Tokens issued before `call.at` are void.
  func revokeTokens(of user: UserID, issuedAt: WallTime?, _ call: StoreCall) async throws -> UserProfile
  /// Deletes every row of the user; returns how many. No user is no row.
  func erase(_ user: UserID, _ call: StoreCall) async throws -> Int
  /// Takes what `user` saved and looked at over to `heir`, and erases `user`. Returns the heir's revision.
  func merge(_ user: UserID, into heir: UserID, _ call: StoreCall) async throws -> Int64

  // MARK: Items

  /// In the place of `other`, if that is saved: it is taken out, and its note goes over where there is none.
  func save(
    _ item: NewItem, insteadOf other: String?, of user: UserID, _ call: StoreCall
  ) async throws -> ItemReceipt
  /// Takes out the other if this is not saved.
  func remove(
    _ kind: ItemKind, _ id: String, otherwise other: String?, of user: UserID, _ call: StoreCall
  ) async throws -> ItemReceipt
  /// All or none.
  func importItems(_ items: [NewItem], of user: UserID, _ call: StoreCall) async throws -> ItemsImported
  func items(
    of user: UserID, kind: ItemKind?, otherThan other: ItemKind?, after: ItemCursor?, limit: Int, _ call: StoreCall
  ) async throws -> ItemPage
  func changes(
    of user: UserID, since: Int64, kind: ItemKind?, limit: Int, _ call: StoreCall
  ) async throws -> ItemChangePage
  func position(of user: UserID, _ call: StoreCall) async throws -> LogPosition

  // MARK: The rest of a user

  func record(_ views: [View], of user: UserID, _ call: StoreCall) async throws -> ViewsRecorded
  func views(of user: UserID, kind: ItemKind?, limit: Int, _ call: StoreCall) async throws -> [View]
  /// Returns how many were forgotten.
  func forgetViews(of user: UserID, kind: ItemKind?, id: String?, _ call: StoreCall) async throws -> Int
  func settings(of user: UserID, _ call: StoreCall) async throws -> UserSettings
  /// The settings of afterwards, and whether they are others than before.
  func change(
    _ settings: UserSettings, of user: UserID, ifRevision: Int64?, _ call: StoreCall
  ) async throws -> (settings: UserSettings, didChange: Bool)
  /// Sets the hash of the feed's secret; the old one reads nothing any more.
  func setFeed(_ hash: [UInt8], of user: UserID, _ call: StoreCall) async throws
  func user(ofFeed hash: [UInt8], _ call: StoreCall) async throws -> UserProfile
  /// Part of everything that is kept of a user, in order of kind and id.
  func exportItems(of user: UserID, after: ItemKey?, limit: Int, _ call: StoreCall) async throws -> [ItemRecord]
  func exportViews(of user: UserID, after: ItemKey?, limit: Int, _ call: StoreCall) async throws -> [View]

  // MARK: Plans

  /// Keeps a new plan under this id and link, or replaces the one of `replacing`.
  func save(_ plan: PlanDraft, of user: UserID, _ call: StoreCall) async throws -> PlanReceipt
  func plan(_ id: PlanID, of user: UserID, _ call: StoreCall) async throws -> Plan
  /// Those that were made last first.
  func plans(of user: UserID, _ call: StoreCall) async throws -> [Plan]
  /// Returns how many there were, none or one.
  func removePlan(_ id: PlanID, of user: UserID, _ call: StoreCall) async throws -> Int
  func plan(shared link: String, _ call: StoreCall) async throws -> Plan

  // MARK: All users

  /// How many users saved a thing, most first, only those things that at least `usersMin` did.
  func mostSaved(
    _ kind: ItemKind, since: WallTime?, usersMin: Int, limit: Int, _ call: StoreCall
  ) async throws -> [SavedCount]
  /// Notes that these users were here. Not worth a sync of its own.
  func touch(_ users: [UserID], _ call: StoreCall) async throws
  func users(after: UserID?, notSeenSince: WallTime?, limit: Int, _ call: StoreCall) async throws -> UserList
  /// Ends users who have nothing (no item, plan, choice in the settings or feed's address) and were not seen since;
  /// returns who they are.
  func prune(notSeenSince: WallTime, isDryRun: Bool, limit: Int, _ call: StoreCall) async throws -> [UserID]
  /// Deletes at most `limit` rows that have outlived their time, and returns how many. Less than `limit`: no more.
  func purge(_ horizon: PurgeHorizon, limit: Int, _ call: StoreCall) async throws -> Int
  func totals(_ call: StoreCall) async throws -> BookmarkTotals
}

/// What a call to the store carries besides its question.
nonisolated package struct StoreCall: Sendable {
  package var at: WallTime
  package var deadline: Instant
  /// With it, the answer is kept and given again to the same request.
  package var key: WriteKey?

  package init(at: WallTime, deadline: Instant = .distantFuture, key: WriteKey? = nil) {
    self.at = at
    self.deadline = deadline
    self.key = key
  }
}

/// A plan to be kept.
nonisolated package struct PlanDraft: Sendable {
  package var content: PlanContent
  /// Nil: a new one, under `id` and `share`.
  package var replacing: PlanID?
  package var ifRevision: Int64?
  package var id: PlanID
  package var share: String

  package init(
    content: PlanContent, replacing: PlanID? = nil, ifRevision: Int64? = nil, id: PlanID, share: String
  ) {
    self.content = content
    self.replacing = replacing
    self.ifRevision = ifRevision
    self.id = id
    self.share = share
  }
}

/// Where a user's log of changes begins and ends.
nonisolated package struct LogPosition: Hashable, Sendable {
  package var revision: Int64
  /// Tombstones up to this revision may be gone.
  package var purgedTo: Int64

  package init(revision: Int64, purgedTo: Int64) {
    self.revision = revision
    self.purgedTo = purgedTo
  }

  /// Whether the changes after `since` can no longer be told, or are those of another life of the database.
  package func isReset(since: Int64) -> Bool { since > 0 && (since < purgedTo || since > revision) }
}

/// The name of a thing among all things.
nonisolated package struct ItemKey: Hashable, Sendable {
  package var kind: ItemKind
  package var id: String

  package init(kind: ItemKind, id: String) {
    self.kind = kind
    self.id = id
  }
}

/// An item or its tombstone, with all that is kept of it.
nonisolated package struct ItemRecord: Hashable, Sendable {
  package var item: SavedItem
  package var removedAt: WallTime?

  package init(item: SavedItem, removedAt: WallTime?) {
    self.item = item
    self.removedAt = removedAt
  }

  package var change: ItemChange {
    let isRemoved = removedAt != nil
    return ItemChange(
      revision: item.revision, kind: item.kind, id: item.id, isRemoved: isRemoved, item: isRemoved ? nil : item)
  }
}

/// Before when things are too old to be kept.
nonisolated package struct PurgeHorizon: Sendable {
  package var tombstones: WallTime
  package var receipts: WallTime
  package var openings: WallTime
  package var views: WallTime

  package init(tombstones: WallTime, receipts: WallTime, openings: WallTime, views: WallTime) {
    self.tombstones = tombstones
    self.receipts = receipts
    self.openings = openings
    self.views = views
  }
}

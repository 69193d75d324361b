import Clocks
import Contracts
import RPC
import Storage
import Wire

/// The tables as a transaction sees them, with the statements that more than one request needs. Lives on a thread of the
/// database.
nonisolated struct BookmarkTables {
  let db: DatabaseConnection
  let limits: BookmarkLimits

  init(_ db: DatabaseConnection, _ limits: BookmarkLimits) {
    self.db = db
    self.limits = limits
  }

  // MARK: The user's row

  /// What changes of a user with what they save.
  struct User: Hashable {
    let number: Int64
    var revision: Int64
    var purgedTo: Int64
    var items: Int
    var tombstones: Int
    var receipts: Int

    init(_ row: borrowing Row, from column: Int = 0) throws {
      number = try row.read(column)
      revision = try row.read(column + 1)
      purgedTo = try row.read(column + 2)
      items = try row.read(column + 3)
      tombstones = try row.read(column + 4)
      receipts = try row.read(column + 5)
    }

    static let columns: SQL = "u.number, u.revision, u.purged_to, u.items, u.tombstones, u.receipts"
  }

  func user(_ id: UserID) throws -> User {
    guard
      let user = try db.row("SELECT \(User.columns) FROM user u WHERE u.id = ?", [id.text], { row in try User(row) })
    else { throw BookmarkError.unknownUser }
    return user
  }

  func number(of id: UserID) throws -> Int64 {
    guard let number = try db.value("SELECT number FROM user WHERE id = ?", [id.text], as: Int64.self) else {
      throw BookmarkError.unknownUser
    }
    return number
  }

  func store(_ user: User, was before: User) throws {
    guard user != before else { return }
    try db.execute(
      "UPDATE user SET revision = ?, purged_to = ?, items = ?, tombstones = ?, receipts = ? WHERE number = ?",
      [user.revision, user.purgedTo, user.items, user.tombstones, user.receipts, user.number])
  }

  // MARK: Items

  // Made once: it is asked in every change, and put together of parts.
  private static let userAndItem: SQL = """
    SELECT \(User.columns), i.revision, i.saved_at, i.removed_at, i.note
    FROM user u LEFT JOIN item i ON i.user = u.number AND i.kind = ? AND i.id = ?
    WHERE u.id = ?
    """

  /// The user's row and the item's, if there is one, in one look.
  func find(_ id: UserID, _ item: ItemKey) throws -> (User, ItemRecord?) {
    let found = try db.row(Self.userAndItem, [item.kind.rawValue, item.id, id.text]) { row in
      (try User(row), try row.value(6) == .null ? nil : try Self.record(of: item, row, from: 6))
    }
    guard let found else { throw BookmarkError.unknownUser }
    return found
  }

  func item(_ item: ItemKey, of user: Int64) throws -> ItemRecord? {
    try db.row(
      "SELECT revision, saved_at, removed_at, note FROM item WHERE user = ? AND kind = ? AND id = ?",
      [user, item.kind.rawValue, item.id]
    ) { row in try Self.record(of: item, row, from: 0) }
  }

  /// Columns: revision, saved_at, removed_at, note.
  private static func record(of item: ItemKey, _ row: borrowing Row, from column: Int) throws -> ItemRecord {
    ItemRecord(
      item: SavedItem(
        kind: item.kind, id: item.id, note: try row.read(column + 3), savedAt: try row.read(column + 1),
        revision: try row.read(column)),
      removedAt: try row.read(column + 2))
  }

  /// Columns: kind, id, revision, saved_at, removed_at, note.
  static func record(_ row: borrowing Row) throws -> ItemRecord {
    let kind: String = try row.read(0)
    return try record(of: ItemKey(kind: ItemKind.named(kind), id: try row.read(1)), row, from: 2)
  }

  static let recordColumns: SQL = "kind, id, revision, saved_at, removed_at, note"

  /// Saves an item over what was there of it.
  func put(_ item: NewItem, over old: ItemRecord?, of user: inout User, at now: WallTime) throws -> ItemReceipt {
    let wasSaved = old != nil && old?.removedAt == nil
    // No note in the request keeps the one that was, also the one of a tombstone; an empty one takes it away.
    let note = item.note == nil ? old?.item.note : item.note == "" ? nil : item.note
    if let old, wasSaved, note == old.item.note {
      return ItemReceipt(item: old.item, revision: user.revision, didChange: false, isReplay: false)
    }
    if !wasSaved {
      guard user.items < limits.items else { throw BookmarkError.tooManyItems(limit: limits.items) }
      user.items += 1
      if old != nil { user.tombstones -= 1 }
    }
    user.revision += 1
    let saved = SavedItem(
      kind: item.kind, id: item.id, note: note, savedAt: wasSaved ? old?.item.savedAt ?? now : now,
      revision: user.revision)
    try db.execute(
      """
      INSERT INTO item (user, kind, id, revision, saved_at, note) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (user, kind, id) DO UPDATE
      SET revision = excluded.revision, saved_at = excluded.saved_at, removed_at = NULL, note = excluded.note
      """, [user.number, saved.kind.rawValue, saved.id, saved.revision, saved.savedAt, saved.note])
    return ItemReceipt(item: saved, revision: user.revision, didChange: !wasSaved, isReplay: false)
  }

  /// Leaves a tombstone where an item was saved.
  func bury(_ item: ItemKey, _ old: ItemRecord?, of user: inout User, at now: WallTime) throws -> ItemReceipt {
    guard let old, old.removedAt == nil else {
      return ItemReceipt(revision: user.revision, didChange: false, isReplay: false)
    }
    user.revision += 1
    user.items -= 1
    user.tombstones += 1
    try db.execute(
      "UPDATE item SET revision = ?, removed_at = ? WHERE user = ? AND kind = ? AND id = ?",
      [user.revision, now, user.number, item.kind.rawValue, item.id])
    if user.tombstones > limits.tombstones { try forgetOlderTombstones(of: &user) }
    return ItemReceipt(revision: user.revision, didChange: true, isReplay: false)
  }

  private func forgetOlderTombstones(of user: inout User) throws {
    let last = try db.value(
      "SELECT revision FROM item WHERE user = ? AND removed_at IS NOT NULL ORDER BY revision LIMIT 1 OFFSET ?",
      [user.number, user.tombstones / 2], as: Int64.self)
    guard let last else { return }
    try db.execute(
      "DELETE FROM item WHERE user = ? AND removed_at IS NOT NULL AND revision <= ?", [user.number, last])
    user.tombstones -= db.changes
    user.purgedTo = max(user.purgedTo, last)
  }

  // MARK: Receipts

  /// What was answered to the same request before, if its key is known.
  func replay<Answer: Replayable>(_ call: StoreCall, of user: User) throws -> Answer? {
    guard let key = call.key else { return nil }
    let kept = try db.row(
      "SELECT request, answer FROM receipt WHERE user = ? AND key = ?", [user.number, key.keyBytes]
    ) { row in (request: try row.read(0, as: [UInt8].self), answer: try row.read(1, as: [UInt8].self)) }
    guard let kept else { return nil }
    guard kept.request == key.fingerprint else { throw BookmarkError.keyReused }
    var answer = try Wire.decode(Answer.self, from: kept.answer)
    answer.isReplay = true
    return answer
  }

  /// Keeps an answer under its key, in the transaction of the change.
  func keep(_ answer: some Replayable, _ call: StoreCall, of user: inout User) throws {
    guard let key = call.key else { return }
    try db.execute(
      "INSERT INTO receipt (user, key, at, request, answer) VALUES (?, ?, ?, ?, ?)",
      [user.number, key.keyBytes, call.at, key.fingerprint, try Wire.encode(answer)])
    user.receipts += 1
    if user.receipts > limits.receipts { try forgetOlderReceipts(of: &user) }
  }

  private func forgetOlderReceipts(of user: inout User) throws {
    let last = try db.value(
      "SELECT at FROM receipt WHERE user = ? ORDER BY at LIMIT 1 OFFSET ?", [user.number, user.receipts / 2],
      as: WallTime.self)
    guard let last else { return }
    // Of the same millisecond all stay: the one just written may be among them.
    try db.execute("DELETE FROM receipt WHERE user = ? AND at < ?", [user.number, last])
    user.receipts -= db.changes
  }
}

/// An answer that says whether it was given before.
nonisolated protocol Replayable: Codable, Sendable {
  var isReplay: Bool { get set }
}

nonisolated extension ItemReceipt: Replayable {}
nonisolated extension ItemsImported: Replayable {}
nonisolated extension ViewsRecorded: Replayable {}
nonisolated extension PlanReceipt: Replayable {}

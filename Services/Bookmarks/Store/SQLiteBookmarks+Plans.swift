import Clocks
package import Contracts
import Storage
import Wire

extension SQLiteBookmarks {
  package func save(_ draft: PlanDraft, of user: UserID, _ call: StoreCall) async throws -> PlanReceipt {
    try await write(call) { tables in
      let before = try tables.user(user)
      if let receipt: PlanReceipt = try tables.replay(call, of: before) { return receipt }
      var user = before
      let receipt = PlanReceipt(
        plan: try draft.replacing.map { try tables.replace($0, by: draft, of: user.number, at: call.at) }
          ?? tables.add(draft, of: user.number, at: call.at))
      try tables.keep(receipt, call, of: &user)
      try tables.store(user, was: before)
      return receipt
    }
  }

  package func plan(_ id: PlanID, of user: UserID, _ call: StoreCall) async throws -> Plan {
    try await read(call) { tables in try tables.plan(id, of: try tables.number(of: user)) }
  }

  package func plans(of user: UserID, _ call: StoreCall) async throws -> [Plan] {
    try await read(call) { tables in
      try tables.db.rows(
        "SELECT \(BookmarkTables.planColumns) FROM plan WHERE user = ? ORDER BY created_at DESC, id DESC",
        [try tables.number(of: user)]
      ) { row in try BookmarkTables.plan(row) }
    }
  }

  package func removePlan(_ id: PlanID, of user: UserID, _ call: StoreCall) async throws -> Int {
    try await write(call) { tables in
      try tables.db.execute(
        "DELETE FROM plan WHERE user = ? AND id = ?", [try tables.number(of: user), id.text])
      return tables.db.changes
    }
  }

  package func plan(shared link: String, _ call: StoreCall) async throws -> Plan {
    try await read(call) { tables in
      let plan = try tables.db.row("SELECT \(BookmarkTables.planColumns) FROM plan WHERE share = ?", [link]) { row in
        try BookmarkTables.plan(row)
      }
      guard let plan else { throw BookmarkError.noSuchPlan }
      return plan
    }
  }
}

nonisolated extension BookmarkTables {
  static let planColumns: SQL = "id, share, revision, created_at, changed_at, content"

  static func plan(_ row: borrowing Row) throws -> Plan {
    let text: String = try row.read(0)
    guard let id = PlanID(text) else { throw StorageError(.mismatch, "column id holds no id of a plan") }
    return Plan(
      id: id, share: try row.read(1), revision: try row.read(2), createdAt: try row.read(3),
      changedAt: try row.read(4), content: try Wire.decode(PlanContent.self, from: try row.read(5, as: [UInt8].self)))
  }

  func plan(_ id: PlanID, of user: Int64) throws -> Plan {
    let plan = try db.row(
      "SELECT \(Self.planColumns) FROM plan WHERE user = ? AND id = ?", [user, id.text]
    ) { row in try Self.plan(row) }
    guard let plan else { throw BookmarkError.noSuchPlan }
    return plan
  }

  func add(_ draft: PlanDraft, of user: Int64, at now: WallTime) throws -> Plan {
    let count = try db.value("SELECT count(*) FROM plan WHERE user = ?", [user], as: Int.self) ?? 0
    guard count < limits.plans else { throw BookmarkError.tooManyPlans(limit: limits.plans) }
    let plan = Plan(
      id: draft.id, share: draft.share, revision: 1, createdAt: now, changedAt: now, content: draft.content)
    try db.execute(
      "INSERT INTO plan (user, id, share, revision, created_at, changed_at, content) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [user, plan.id.text, plan.share, plan.revision, now, now, try Wire.encode(plan.content)])
    return plan
  }

  /// The same content again changes nothing, so that a lost answer can be asked for anew.
  func replace(_ id: PlanID, by draft: PlanDraft, of user: Int64, at now: WallTime) throws -> Plan {
    var plan = try plan(id, of: user)
    guard plan.content != draft.content else { return plan }
    guard draft.ifRevision == nil || draft.ifRevision == plan.revision else {
      throw BookmarkError.planMoved(revision: plan.revision)
    }
    plan.content = draft.content
    plan.revision += 1
    plan.changedAt = now
    try db.execute(
      "UPDATE plan SET revision = ?, changed_at = ?, content = ? WHERE user = ? AND id = ?",
      [plan.revision, now, try Wire.encode(plan.content), user, id.text])
    return plan
  }
}

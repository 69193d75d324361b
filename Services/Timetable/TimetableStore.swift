import Calendars
import Clocks
import Contracts
import Festivals
import RPC
package import ServiceStorage
import Storage
import Wire

/// Festivals as they are kept: their sessions, floors and tickets, who was let in, and every change.
///
/// A festival and a session are kept whole, in the self-contained form of `Wire`, beside the columns that are looked for:
/// what a contract gains later needs no migration.
package struct TimetableStore {
  private let database: ServiceDatabase

  nonisolated package static let declaration = DatabaseDeclaration(
    of: "timetable", applicationID: "ODtt", migrations: migrations)

  init(_ database: ServiceDatabase) { self.database = database }

  func festivals() async throws -> [FestivalID] {
    try await database.opened.read { db in
      try db.rows("SELECT id FROM festival ORDER BY id") { row in try row.id(0) }
    }
  }

  /// A festival as it is to be served; nil if there is none. It is made on the database's thread.
  func load(_ id: FestivalID, zones: ZoneDirectory) async throws -> (timetable: Timetable?, revision: Int64) {
    try await database.opened.read { db in
      let revision = try db.revision()
      guard var festival = try db.festival(id) else { return (nil, revision) }
      let changedAt: WallTime? = try db.value("SELECT at FROM change WHERE revision = ?", [festival.revision])
      let sessions = try db.rows(
        "SELECT record FROM session WHERE festival = ? ORDER BY starts_at, place, id", [id.text]
      ) { row in
        var session = try Wire.decode(FestivalSession.self, from: try row.read(0, as: [UInt8].self))
        // One that was kept before changes were counted.
        session.changedAt = session.changedAt ?? changedAt
        return session
      }
      var floors: [FloorID: String] = [:]
      try db.forEach("SELECT id, svg FROM floor WHERE festival = ?", [id.text]) { row in
        floors[try row.id(0)] = try row.read(1)
      }
      for place in festival.floors.indices {
        let floor = festival.floors[place].id
        festival.floors[place].rooms = floors[floor].map { FloorMap.rooms(of: $0, of: id) }
      }
      db.releaseCache()
      let zone = zones.rulesOrUTC(for: festival.zone)
      return (
        Timetable(FestivalProgramme(festival: festival, sessions: sessions), zone: zone, floors: floors), revision
      )
    }
  }

  /// Stores a festival with all its sessions in place of what was there.
  ///
  /// - Returns: what that changed.
  func put(_ programme: FestivalProgramme, by editor: String, at time: WallTime) async throws -> ProgrammeEdit {
    try await database.opened.write { db in
      let edit = try db.edit(of: programme)
      guard edit.isChange else { return edit }
      var festival = programme.festival
      // Maps are put on their own.
      festival.floors = try db.festival(festival.id)?.floors ?? []
      let before = try db.sessions(of: festival.id)
      festival.revision = try db.remember(festival.id, edit.changed, by: editor, at: time)
      try db.execute("DELETE FROM session WHERE festival = ?", [festival.id.text])
      try db.store(festival)
      for (place, session) in programme.sessions.enumerated() {
        try db.store(session.following(before[session.id], at: time), place, of: festival.id)
      }
      return edit
    }
  }

  /// What ``put(_:by:at:)`` would change.
  func plan(_ programme: FestivalProgramme) async throws -> ProgrammeEdit {
    try await database.opened.read { db in try db.edit(of: programme) }
  }

  /// Changes one session. It is read in the transaction that writes it, so of two changes at once none is lost.
  ///
  /// - Returns: the session as it is then, and whether it was another before.
  func change(
    _ request: ChangeSession, zones: ZoneDirectory, by editor: String, at time: WallTime
  ) async throws -> (session: FestivalSession, isChanged: Bool) {
    try await database.opened.write { db in
      let id = request.festival
      let old = try db.session(request.session, of: id)
      var festival = old.festival
      let session = try request.applied(to: old.session, of: festival, in: zones.rulesOrUTC(for: festival.zone))
      guard session != old.session else { return (session, false) }
      if !festival.days.contains(where: { $0.date == session.day }) {
        festival.days.append(FestivalDay(date: session.day))
        festival.days.sort { $0.date < $1.date }
        festival.startsOn = min(festival.startsOn, session.day)
        festival.endsOn = max(festival.endsOn, session.day)
      }
      festival.revision = try db.remember(id, [session.id], by: editor, at: time)
      try db.store(festival)
      let stored = session.following(old.session, at: time)
      try db.store(stored, old.place, of: id)
      return (stored, true)
    }
  }

  /// The session as ``change(_:zones:by:at:)`` would make it.
  func plan(_ request: ChangeSession, zones: ZoneDirectory) async throws -> FestivalSession {
    try await database.opened.read { db in
      let (festival, old, _) = try db.session(request.session, of: request.festival)
      return try request.applied(to: old, of: festival, in: zones.rulesOrUTC(for: festival.zone))
    }
  }

  /// Changes what no schedule says of a festival. It is read in the transaction that writes it.
  ///
  /// - Returns: the festival as it is then, and whether it was another before.
  func change(
    _ request: ChangeFestival, by editor: String, at time: WallTime
  ) async throws -> (festival: Festival, isChanged: Bool) {
    try await database.opened.write { db in
      guard let old = try db.festival(request.festival) else {
        throw RPCError(.notFound, "there is no festival \(request.festival)")
      }
      var festival = try request.applied(to: old)
      guard festival != old else { return (festival, false) }
      festival.revision = try db.remember(festival.id, [], by: editor, at: time)
      try db.store(festival)
      return (festival, true)
    }
  }

  /// Stores the map of a floor in place of the one with its id.
  func put(
    _ svg: String, as floor: FestivalFloor, of id: FestivalID, by editor: String, at time: WallTime
  ) async throws {
    try await database.opened.write { db in
      guard var festival = try db.festival(id) else { throw RPCError(.notFound, "there is no festival \(id)") }
      if let place = festival.floors.firstIndex(where: { $0.id == floor.id }) {
        festival.floors[place] = floor
      } else {
        festival.floors.append(floor)
      }
      festival.revision = try db.remember(id, [], by: editor, at: time)
      try db.store(festival)
      try db.execute(
        "INSERT OR REPLACE INTO floor (festival, id, svg) VALUES (?, ?, ?)", [id.text, floor.id.text, svg])
    }
  }

  /// - Returns: false if it was not there.
  func remove(_ id: FestivalID, by editor: String, at time: WallTime) async throws -> Bool {
    try await database.opened.write { db in
      try db.execute("DELETE FROM festival WHERE id = ?", [id.text])
      guard db.changes > 0 else { return false }
      _ = try db.remember(id, [], by: editor, at: time)
      return true
    }
  }

  /// The last change's.
  func revision() async throws -> Int64 {
    try await database.opened.read { db in try db.revision() }
  }

  /// What changed after a revision, oldest first.
  func changes(after revision: Int64, limit: Int) async throws -> [FestivalChange] {
    try await database.opened.read { db in
      try db.rows(
        "SELECT revision, festival, sessions FROM change WHERE revision > ? ORDER BY revision LIMIT ?",
        [revision, limit]
      ) { row in
        let sessions: String = try row.read(2)
        return FestivalChange(
          revision: try row.read(0), festival: try row.id(1),
          sessions: sessions.split(separator: " ").compactMap { SessionID(String($0)) })
      }
    }
  }
}

// MARK: - Tickets

extension TimetableStore {
  /// Adds tickets; those whose code is there already stay as they are.
  ///
  /// - Returns: how many were new.
  func add(_ tickets: [Ticket], to id: FestivalID) async throws -> Int {
    try await database.opened.write { db in
      guard try db.festival(id) != nil else { throw RPCError(.notFound, "there is no festival \(id)") }
      var added = 0
      for ticket in tickets {
        try db.execute(
          "INSERT OR IGNORE INTO ticket (festival, code, holder, kind) VALUES (?, ?, ?, ?)",
          [id.text, ticket.code, ticket.holder, ticket.kind])
        added += db.changes
      }
      return added
    }
  }

  /// Gives a member of staff a token, of which only the hash is kept. It replaces the one they had.
  func allow(_ name: String, token: [UInt8], at id: FestivalID, now: WallTime) async throws {
    try await database.opened.write { db in
      guard try db.festival(id) != nil else { throw RPCError(.notFound, "there is no festival \(id)") }
      try db.execute(
        "INSERT OR REPLACE INTO staff (festival, name, token, since) VALUES (?, ?, ?, ?)", [id.text, name, token, now])
    }
  }

  /// - Returns: false if there was nobody of that name.
  func dismiss(_ name: String, at id: FestivalID) async throws -> Bool {
    try await database.opened.write { db in
      try db.execute("DELETE FROM staff WHERE festival = ? AND name = ?", [id.text, name])
      return db.changes > 0
    }
  }

  /// Lets somebody in, once: the ticket's row is the lock, and the receipt is written with it.
  func checkIn(
    _ code: String, at id: FestivalID, token: [UInt8], key: IdempotencyKey?, now: WallTime
  ) async throws -> CheckInReceipt {
    let keyBytes = key.map { key in withUnsafeBytes(of: key.bits.bigEndian) { Array($0) } }
    return try await database.opened.write { db in
      guard
        let staff: String = try db.value("SELECT name FROM staff WHERE festival = ? AND token = ?", [id.text, token])
      else {
        throw RPCError(
          .permissionDenied, "this is no token of \(id)'s staff; ask for one: odi-timetable staff add", executed: .no)
      }
      guard
        let ticket = try db.row(
          "SELECT holder, kind, checked_in_at, checked_in_by, receipt FROM ticket WHERE festival = ? AND code = ?",
          [id.text, code],
          { row in
            (
              holder: try row.read(0, as: String?.self), kind: try row.read(1, as: String?.self),
              at: try row.read(2, as: WallTime?.self), by: try row.read(3, as: String?.self),
              receipt: try row.read(4, as: [UInt8]?.self)
            )
          })
      else { throw RPCError(.notFound, "\(id) has no such ticket", executed: .no) }
      if let at = ticket.at {
        // The same sending again: whoever sent it did not hear that it was the first.
        // Two doors may choose the same key, and the second one is to hear that the ticket was shown.
        let isReplay = keyBytes != nil && ticket.receipt == keyBytes && ticket.by == staff
        return CheckInReceipt(
          isFirst: isReplay, checkedInAt: at, staff: ticket.by ?? staff, holder: ticket.holder, kind: ticket.kind,
          isReplay: isReplay)
      }
      try db.execute(
        "UPDATE ticket SET checked_in_at = ?, checked_in_by = ?, receipt = ? WHERE festival = ? AND code = ?",
        [now, staff, keyBytes, id.text, code])
      return CheckInReceipt(
        isFirst: true, checkedInAt: now, staff: staff, holder: ticket.holder, kind: ticket.kind, isReplay: false)
    }
  }

  func doorStatistics(of id: FestivalID) async throws -> DoorStatistics {
    try await database.opened.read { db in
      let tickets: Int = try db.value("SELECT count(*) FROM ticket WHERE festival = ?", [id.text]) ?? 0
      let admitted: Int =
        try db.value("SELECT count(*) FROM ticket WHERE festival = ? AND checked_in_at IS NOT NULL", [id.text]) ?? 0
      let staff = try db.rows(
        """
        SELECT name, (SELECT count(*) FROM ticket WHERE ticket.festival = staff.festival AND checked_in_by = name)
        FROM staff WHERE festival = ? ORDER BY name
        """, [id.text]
      ) { row in DoorStatistics.Member(name: try row.read(0), admitted: try row.read(1)) }
      return DoorStatistics(tickets: tickets, admitted: admitted, staff: staff)
    }
  }
}

// MARK: - The schema

nonisolated extension TimetableStore {
  /// A list that only grows.
  static let migrations = [
    Migration(
      "festivals, tickets and changes",
      """
      CREATE TABLE festival (id TEXT PRIMARY KEY, name TEXT NOT NULL, record BLOB NOT NULL) STRICT, WITHOUT ROWID;

      CREATE TABLE session (
        festival TEXT NOT NULL REFERENCES festival (id) ON DELETE CASCADE, id TEXT NOT NULL, place INTEGER NOT NULL,
        day TEXT NOT NULL, starts_at INTEGER NOT NULL, title TEXT NOT NULL, record BLOB NOT NULL,
        PRIMARY KEY (festival, id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE floor (
        festival TEXT NOT NULL REFERENCES festival (id) ON DELETE CASCADE, id TEXT NOT NULL, svg TEXT NOT NULL,
        PRIMARY KEY (festival, id)
      ) STRICT, WITHOUT ROWID;

      -- AUTOINCREMENT: a revision is never given twice, whatever is deleted.
      CREATE TABLE change (
        revision INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, editor TEXT NOT NULL, festival TEXT NOT NULL,
        sessions TEXT NOT NULL
      ) STRICT;

      CREATE TABLE staff (
        festival TEXT NOT NULL REFERENCES festival (id) ON DELETE CASCADE, name TEXT NOT NULL, token BLOB NOT NULL,
        since INTEGER NOT NULL, PRIMARY KEY (festival, name)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX staff_by_token ON staff (festival, token);

      CREATE TABLE ticket (
        festival TEXT NOT NULL REFERENCES festival (id) ON DELETE CASCADE, code TEXT NOT NULL, holder TEXT, kind TEXT,
        checked_in_at INTEGER, checked_in_by TEXT, receipt BLOB, PRIMARY KEY (festival, code)
      ) STRICT, WITHOUT ROWID;
      """)
  ]
}

// MARK: - Statements

nonisolated extension DatabaseConnection {
  fileprivate func revision() throws -> Int64 { try value("SELECT max(revision) FROM change") ?? 0 }

  fileprivate func festival(_ id: FestivalID) throws -> Festival? {
    try row("SELECT record FROM festival WHERE id = ?", [id.text]) { row in
      try Wire.decode(Festival.self, from: try row.read(0, as: [UInt8].self))
    }
  }

  /// A session with its festival, and where it stands in the programme.
  fileprivate func session(
    _ session: SessionID, of id: FestivalID
  ) throws -> (festival: Festival, session: FestivalSession, place: Int) {
    guard let festival = try festival(id) else { throw RPCError(.notFound, "there is no festival \(id)") }
    let found = try row(
      "SELECT record, place FROM session WHERE festival = ? AND id = ?", [id.text, session.text]
    ) { row in
      (
        session: try Wire.decode(FestivalSession.self, from: try row.read(0, as: [UInt8].self)),
        place: try row.read(1, as: Int.self)
      )
    }
    guard let found else { throw RPCError(.notFound, "\(id) has no session \(session)") }
    return (festival, found.session, found.place)
  }

  fileprivate func sessions(of id: FestivalID) throws -> [SessionID: FestivalSession] {
    var sessions: [SessionID: FestivalSession] = [:]
    try forEach("SELECT record FROM session WHERE festival = ?", [id.text]) { row in
      let session = try Wire.decode(FestivalSession.self, from: try row.read(0, as: [UInt8].self))
      sessions[session.id] = session
    }
    return sessions
  }

  fileprivate func store(_ festival: Festival) throws {
    // Not REPLACE, which would take everything that belongs to it along.
    try execute(
      """
      INSERT INTO festival (id, name, record) VALUES (?1, ?2, ?3)
      ON CONFLICT (id) DO UPDATE SET name = ?2, record = ?3
      """, [festival.id.text, festival.name, try Wire.encode(festival)])
  }

  fileprivate func store(_ session: FestivalSession, _ place: Int, of festival: FestivalID) throws {
    try execute(
      """
      INSERT OR REPLACE INTO session (festival, id, place, day, starts_at, title, record) VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        festival.text, session.id.text, place, "\(session.day)", session.startsAt, session.title,
        try Wire.encode(session),
      ])
  }

  /// - Returns: the change's revision.
  fileprivate func remember(
    _ festival: FestivalID, _ sessions: [SessionID], by editor: String, at time: WallTime
  ) throws -> Int64 {
    // An import that changes hundreds is told as a change of everything.
    let told = sessions.count <= 100 ? sessions.map(\.text).joined(separator: " ") : ""
    try execute(
      "INSERT INTO change (at, editor, festival, sessions) VALUES (?, ?, ?, ?)", [time, editor, festival.text, told])
    return try revision()
  }

  fileprivate func edit(of programme: FestivalProgramme) throws -> ProgrammeEdit {
    let id = programme.festival.id
    var before = try sessions(of: id)
    var edit = ProgrammeEdit(isNew: false, added: [], altered: [], removed: [])
    for session in programme.sessions {
      guard let old = before.removeValue(forKey: session.id) else {
        edit.added.append(session.id)
        continue
      }
      if old.facts != session.facts { edit.altered.append(session.id) }
    }
    edit.removed = before.keys.sorted()
    if var old = try festival(id) {
      var new = programme.festival
      (old.revision, old.floors, new.revision, new.floors) = (0, [], 0, [])
      edit.hasNewFacts = old != new
    } else {
      edit.isNew = true
    }
    return edit
  }
}

nonisolated extension FestivalSession {
  /// What somebody says of it, without what we count.
  fileprivate var facts: FestivalSession {
    var facts = self
    (facts.sequence, facts.changedAt) = (nil, nil)
    return facts
  }

  /// The same with its changes counted as a calendar wants it: in the place of what was there before, nil if nothing.
  fileprivate func following(_ old: FestivalSession?, at time: WallTime) -> FestivalSession {
    var session = self
    guard let old else {
      session.changedAt = time
      return session
    }
    let isToBeShown =
      (old.startsAt, old.endsAt) != (startsAt, endsAt) || old.rooms != rooms || old.isCancelled != isCancelled
    // A calendar's numbers have 32 bits.
    let counted = min(old.sequence ?? 0, Int(Int32.max) - 1) + (isToBeShown ? 1 : 0)
    // A file may be of a calendar whose own count went on.
    session.sequence = max(counted, sequence ?? 0)
    session.changedAt = old.facts == facts ? old.changedAt : time
    return session
  }
}

nonisolated extension ZoneDirectory {
  /// A festival whose zone this machine does not know is shown all the same.
  fileprivate func rulesOrUTC(for zone: ZoneName) -> TimeZoneRules { (try? rules(for: zone)) ?? .utc }
}

nonisolated extension Row {
  fileprivate borrowing func id<Subject>(_ column: Int) throws -> ID<Subject> {
    let text: String = try read(column)
    guard let id = ID<Subject>(text) else {
      throw StorageError(.mismatch, "column \(name(column)) holds '\(text)', which is no id")
    }
    return id
  }
}

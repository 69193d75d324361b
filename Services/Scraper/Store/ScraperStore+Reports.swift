package import Clocks
package import Contracts
package import RPC
import Storage
import Wire

/// What people say is wrong.
nonisolated extension ScraperStore {
  /// The same report with the same key gives the same receipt, however often it comes; another throws ``KeyReused``. Who
  /// wrote it is not kept.
  package func keep(_ report: ReportProblem, key: String, at now: WallTime) async throws -> ProblemReceipt {
    try await database.write { db in
      let values: [(any Storable)?] = [
        report.kind.rawValue, report.cinema, report.showtime, report.film, report.comment,
      ]
      let known = try db.row(
        """
        SELECT id, kind = ?2 AND cinema IS ?3 AND showtime IS ?4 AND film IS ?5 AND comment IS ?6 FROM report
        WHERE key = ?1
        """, [key as (any Storable)?] + values
      ) { row in (id: try row.read(0, as: String.self), isSame: try row.read(1, as: Bool.self)) }
      if let known {
        guard known.isSame else { throw KeyReused() }
        return ProblemReceipt(id: known.id, isReplay: true)
      }
      let id = Identity.report(key: key)
      try db.execute(
        "INSERT INTO report (id, key, at, kind, cinema, showtime, film, comment) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [id, key, now] as [(any Storable)?] + values)
      return ProblemReceipt(id: id, isReplay: false)
    }
  }
}

/// A key came again with another report.
nonisolated package struct KeyReused: RPCErrorConvertible {
  package var rpcError: RPCError {
    RPCError(.alreadyExists, "this key was used for another report; give each report a key of its own", executed: .no)
  }
}

nonisolated extension ScraperStore {
  package func reports(includingDone: Bool, limit: Int) async throws -> [FiledReport] {
    try await database.read { db in
      try db.rows(
        """
        SELECT id, at, kind, cinema, showtime, film, comment, done_at FROM report WHERE ? OR done_at IS NULL
        ORDER BY at DESC, id LIMIT ?
        """, [includingDone, limit]
      ) { row in try FiledReport(row) }
    }
  }

  /// Nil if there is no such report.
  package func close(report id: String, at now: WallTime) async throws -> FiledReport? {
    try await database.write { db in
      try db.execute("UPDATE report SET done_at = coalesce(done_at, ?) WHERE id = ?", [now, id])
      return try db.row(
        "SELECT id, at, kind, cinema, showtime, film, comment, done_at FROM report WHERE id = ?", [id]
      ) { row in try FiledReport(row) }
    }
  }
}

nonisolated extension FiledReport {
  fileprivate init(_ row: borrowing Row) throws {
    self.init(
      id: try row.read(0), at: try row.read(1), kind: .named(try row.read(2)), cinema: try row.read(3),
      showtime: try row.read(4), film: try row.read(5), comment: try row.read(6), doneAt: try row.read(7))
  }
}

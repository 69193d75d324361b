package import Clocks
package import Contracts
import Storage

/// What people say is wrong.
nonisolated extension ScraperStore {
  /// The same key gives the same receipt, however often it comes.
  package func keep(_ report: ReportProblem, key: String, at now: WallTime) async throws -> ProblemReceipt {
    try await database.write { db in
      if let id = try db.value("SELECT id FROM report WHERE key = ?", [key], as: String.self) {
        return ProblemReceipt(id: id, isReplay: true)
      }
      let id = Identity.report(key: key)
      try db.execute(
        "INSERT INTO report (id, key, at, kind, cinema, showtime, film, comment, user) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          id, key, now, report.kind.rawValue, report.cinema, report.showtime, report.film, report.comment, report.user,
        ])
      return ProblemReceipt(id: id, isReplay: false)
    }
  }
}

package import Clocks
import Storage

/// What hosts asked of us, kept over a restart.
nonisolated extension ScraperStore {
  package struct HostPause: Hashable, Sendable {
    package var host: String
    package var until: WallTime
    package var throttles: Int
    package var isByOperator: Bool
  }

  package struct RobotsAnswer: Sendable {
    package var origin: String
    package var status: Int
    package var body: [UInt8]
    /// How long its site says that it is good for.
    package var freshFor: Duration?
    package var readAt: WallTime
  }

  package func keep(_ pauses: [HostPause]) async throws {
    try await database.write { db in
      for pause in pauses {
        try db.execute(
          "INSERT OR REPLACE INTO pause (host, paused_until, throttles, by_operator) VALUES (?, ?, ?, ?)",
          [pause.host, pause.until, pause.throttles, pause.isByOperator])
      }
    }
  }

  package func forgetOperatorPause(of host: String) async throws {
    try await database.write { db in try db.execute("DELETE FROM pause WHERE host = ? AND by_operator", [host]) }
  }

  package func hostPauses() async throws -> [HostPause] {
    try await database.read { db in
      try db.rows("SELECT host, paused_until, throttles, by_operator FROM pause") { row in
        HostPause(
          host: try row.read(0), until: try row.read(1), throttles: try row.read(2), isByOperator: try row.read(3))
      }
    }
  }

  package func keep(_ answer: RobotsAnswer) async throws {
    try await database.write { db in
      try db.execute(
        "INSERT OR REPLACE INTO robots (origin, status, body, fresh_seconds, read_at) VALUES (?, ?, ?, ?, ?)",
        [answer.origin, answer.status, answer.body, answer.freshFor?.components.seconds, answer.readAt])
    }
  }

  /// What hosts said last, the newest at the end.
  package func robots(newest most: Int) async throws -> [RobotsAnswer] {
    try await database.read { db in
      try db.rows(
        """
        SELECT origin, status, body, fresh_seconds, read_at
        FROM (SELECT * FROM robots ORDER BY read_at DESC LIMIT ?) ORDER BY read_at
        """, [most]
      ) { row in
        RobotsAnswer(
          origin: try row.read(0), status: try row.read(1), body: try row.read(2),
          freshFor: try row.read(3, as: Int64?.self).map { .seconds($0) }, readAt: try row.read(4))
      }
    }
  }
}

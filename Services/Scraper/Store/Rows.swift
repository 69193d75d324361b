import Calendars
import Clocks
import Contracts
import ServiceStorage
import Storage
import Wire

/// Rows that several transactions read and write.
nonisolated extension DatabaseConnection {
  func status(of site: String) throws -> SiteStatus? {
    try row(
      """
      SELECT state, problem, as_of, tried_at, whole_at, due_at, failures, approved, quarantined FROM site_status
      WHERE site = ?
      """, [site]
    ) { row in try SiteStatus(row, from: 0) }
  }

  /// All but the lease and when it is due.
  func save(_ status: SiteStatus, of site: String) throws {
    try execute(
      """
      UPDATE site_status SET state = ?, problem = ?, as_of = ?, tried_at = ?, whole_at = ?, failures = ?, approved = ?,
        quarantined = ? WHERE site = ?
      """,
      [
        status.state.rawValue, status.problem, status.asOf, status.triedAt, status.wholeAt, status.failures,
        status.isApproved, status.isQuarantined, site,
      ])
  }

  /// The revision that the event has got.
  func record(_ event: ScheduleEvent, at now: WallTime) throws -> Int64 {
    try execute("INSERT INTO change (at, body) VALUES (?, ?)", [now, WireColumn.bytes(event)])
    return try value("SELECT last_insert_rowid()") ?? 0
  }

  func write(_ showtime: Showtime, site: String, vanishedAt: WallTime?) throws {
    try execute(
      """
      INSERT INTO showtime (site, id, date, starts_at, film, title, state, vanished_at, body)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      ON CONFLICT DO UPDATE SET date = ?3, starts_at = ?4, film = ?5, title = ?6, state = ?7, vanished_at = ?8, body = ?9
      """,
      [
        site, showtime.id, showtime.serviceDate, showtime.startsAt, showtime.film, showtime.title,
        showtime.state.rawValue, vanishedAt, WireColumn.bytes(showtime),
      ])
  }
}

nonisolated extension SiteStatus {
  init(_ row: borrowing Row, from first: Int) throws {
    self.init(dueAt: try row.read(first + 5))
    state = SourceState.named(try row.read(first))
    problem = try row.read(first + 1)
    asOf = try row.read(first + 2)
    triedAt = try row.read(first + 3)
    wholeAt = try row.read(first + 4)
    failures = try row.read(first + 6)
    isApproved = try row.read(first + 7)
    isQuarantined = try row.read(first + 8)
  }
}

nonisolated extension ScheduleSource {
  init(_ site: Site, _ status: SiteStatus, showtimes: Int?) {
    self.init(
      id: site.id, cinema: site.cinema, name: site.credit, url: site.pageURL,
      state: site.isEnabled ? status.state : .disabled, asOf: status.asOf, next: site.isEnabled ? status.dueAt : nil,
      problem: status.problem, showtimes: showtimes, isDemo: site.isDemo ? true : nil)
  }
}

package import Clocks
package import RPC

/// What people said is wrong, newest first.
package struct ListReports: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = [FiledReport]
  package static let method: MethodID = 0x024d
  package static let safety: Safety = .read

  /// Also those that were looked at.
  package var includesDone: Bool
  /// 1...500.
  package var limit: Int

  package init(includesDone: Bool, limit: Int) {
    self.includesDone = includesDone
    self.limit = limit
  }
}

/// A report as it was filed.
package struct FiledReport: Codable, Hashable, Sendable {
  package var id: String
  package var at: WallTime
  package var kind: ReportKind
  package var cinema: CinemaID?
  package var showtime: ShowtimeID?
  package var film: FilmID?
  package var comment: String?
  package var doneAt: WallTime?

  package init(
    id: String, at: WallTime, kind: ReportKind, cinema: CinemaID? = nil, showtime: ShowtimeID? = nil,
    film: FilmID? = nil, comment: String? = nil, doneAt: WallTime? = nil
  ) {
    self.id = id
    self.at = at
    self.kind = kind
    self.cinema = cinema
    self.showtime = showtime
    self.film = film
    self.comment = comment
    self.doneAt = doneAt
  }
}

/// Marks a report as looked at.
package struct CloseReport: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = FiledReport
  package static let method: MethodID = 0x024e
  package static let safety: Safety = .idempotent

  package var id: String

  package init(id: String) {
    self.id = id
  }
}

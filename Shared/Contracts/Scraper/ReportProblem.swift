package import RPC
import Wire

/// Somebody says that something shown is wrong; an operator will look.
package struct ReportProblem: RPCRequest, Hashable, WireLayout {
  package typealias Service = ScraperAPI
  package typealias Response = ProblemReceipt
  package static let method: MethodID = 0x020a
  package static let safety: Safety = .keyed

  package static let commentCharactersMax = 2_000

  package var kind: ReportKind
  package var cinema: CinemaID?
  package var showtime: ShowtimeID?
  package var film: FilmID?
  /// At most ``commentCharactersMax``.
  package var comment: String?
  /// Who says so, if they are known.
  package var user: UserID?

  package init(
    kind: ReportKind, cinema: CinemaID? = nil, showtime: ShowtimeID? = nil, film: FilmID? = nil, comment: String? = nil,
    user: UserID? = nil
  ) {
    self.kind = kind
    self.cinema = cinema
    self.showtime = showtime
    self.film = film
    self.comment = comment
    self.user = user
  }
}

/// What a report is called from now on.
package struct ProblemReceipt: Codable, Hashable, Sendable, WireLayout {
  package var id: String
  /// The same report had come before.
  package var isReplay: Bool

  package init(id: String, isReplay: Bool) {
    self.id = id
    self.isReplay = isReplay
  }
}

/// What is wrong.
package enum ReportKind: GrowingEnum {
  case wrongTime
  case notShowing
  case missing
  case wrongFilm
  case wrongPlace
  case other
  case unknown(String)

  package static let known: [ReportKind] = [.wrongTime, .notShowing, .missing, .wrongFilm, .wrongPlace, .other]

  package var rawValue: String {
    switch self {
    case .wrongTime: "wrong-time"
    case .notShowing: "not-showing"
    case .missing: "missing"
    case .wrongFilm: "wrong-film"
    case .wrongPlace: "wrong-place"
    case .other: "other"
    case .unknown(let name): name
    }
  }
}

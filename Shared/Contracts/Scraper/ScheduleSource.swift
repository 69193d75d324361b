package import Clocks
import Wire

/// Where a cinema's programme comes from, and how fresh it is.
package struct ScheduleSource: Codable, Hashable, Sendable, WireLayout {
  /// The id of the site's configuration.
  package var id: String
  /// The cinema whose programme it is.
  package var cinema: CinemaID
  /// Who is to be credited: `dtryx`.
  package var name: String
  /// Where people can read it themselves.
  package var url: String?
  package var state: SourceState
  /// When it was last read successfully.
  package var asOf: WallTime?
  /// When it is due again.
  package var next: WallTime?
  /// Why it is not `ok`, in a sentence.
  package var problem: String?
  /// Showings published and still to come.
  package var showtimes: Int?
  /// Invented, to try the software with.
  package var isDemo: Bool?

  package init(
    id: String, cinema: CinemaID, name: String, url: String? = nil, state: SourceState, asOf: WallTime? = nil,
    next: WallTime? = nil, problem: String? = nil, showtimes: Int? = nil, isDemo: Bool? = nil
  ) {
    self.id = id
    self.cinema = cinema
    self.name = name
    self.url = url
    self.state = state
    self.asOf = asOf
    self.next = next
    self.problem = problem
    self.showtimes = showtimes
    self.isDemo = isDemo
  }
}

/// Whether a source can be believed just now.
package enum SourceState: GrowingEnum {
  case ok
  /// Not read within the time that it should be; the last good data is served.
  case stale
  /// What was read cannot be right; the last good data is served.
  case broken
  /// An operator holds it back.
  case quarantined
  case disabled
  /// Not read yet.
  case pending
  case unknown(String)

  package static let known: [SourceState] = [.ok, .stale, .broken, .quarantined, .disabled, .pending]

  package var rawValue: String {
    switch self {
    case .ok: "ok"
    case .stale: "stale"
    case .broken: "broken"
    case .quarantined: "quarantined"
    case .disabled: "disabled"
    case .pending: "pending"
    case .unknown(let name): name
    }
  }
}

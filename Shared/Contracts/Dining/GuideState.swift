package import Clocks
import Wire

/// What an outside guide had to do with an answer. What is kept here is answered in any case.
package struct GuideState: Codable, Hashable, Sendable {
  package var kind: Kind
  /// When the guide last answered this question.
  package var asOf: WallTime?
  /// How many restaurants it knows for it; more than it sent, if the question is wide.
  package var available: Int?
  /// So many it tells at once, as it orders them.
  package static let toldMax = 100
  /// So many it is asked for, by who goes on to the end of what was told.
  package static let reachedMax = 1_000
  /// When it is worth asking again.
  package var retryAt: WallTime?
  /// With `quota`: there are questions left today, but whoever asks has had their share of them.
  package var isShareUsed: Bool?

  package enum Kind: GrowingEnum {
    /// No guide is asked: none is set up, or the place is not in its country.
    case none
    case fresh
    /// It has been asked and has not answered yet; ask again in a second.
    case loading
    /// It does not answer; what it said before is told.
    case stale
    /// Today's questions to it are used up.
    case quota
    /// It does not answer, and has not before.
    case failed
    /// It does not take the question: another one may be answered.
    case refused
    case unknown(String)

    package static let known: [Kind] = [.none, .fresh, .loading, .stale, .quota, .failed, .refused]

    package var rawValue: String {
      switch self {
      case .none: "none"
      case .fresh: "fresh"
      case .loading: "loading"
      case .stale: "stale"
      case .quota: "quota"
      case .failed: "failed"
      case .refused: "refused"
      case .unknown(let name): name
      }
    }
  }

  package init(_ kind: Kind, asOf: WallTime? = nil, available: Int? = nil, retryAt: WallTime? = nil) {
    self.kind = kind
    self.asOf = asOf
    self.available = available
    self.retryAt = retryAt
  }
}

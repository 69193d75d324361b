package import Clocks
import Wire

/// A radio station as the public may know it.
package struct Station: Codable, Hashable, Sendable, WireLayout {
  /// A slug that never changes: `gugak-fm`. Two stations may have one name, never one id.
  package var id: StationID
  /// In the station's own language.
  package var name: String
  package var nameEnglish: String?
  /// The slug of a section: `national`.
  package var section: String
  package var tags: [String]
  /// BCP 47: `ko`.
  package var language: String?
  package var website: String?
  /// By whose leave it is listed. Nil: nobody's, and then only operators see it.
  package var rights: StationRights?
  package var health: StationHealth?
  /// Invented, to try the software with.
  package var isDemo: Bool?

  package init(
    id: StationID, name: String, nameEnglish: String? = nil, section: String, tags: [String] = [],
    language: String? = nil, website: String? = nil, rights: StationRights? = nil, health: StationHealth? = nil,
    isDemo: Bool? = nil
  ) {
    self.id = id
    self.name = name
    self.nameEnglish = nameEnglish
    self.section = section
    self.tags = tags
    self.language = language
    self.website = website
    self.rights = rights
    self.health = health
    self.isDemo = isDemo
  }
}

/// Who has allowed us to do what with a station, and how that can be shown.
package struct StationRights: Codable, Hashable, Sendable, WireLayout {
  /// Who holds the rights.
  package var owner: String
  /// Under what: `CC0-1.0`, `letter of 2026-10-02`.
  package var licence: String
  /// Where that stands: a URL, or the name of a file.
  package var proof: String?
  package var use: StationUse
  /// From then on it no longer holds.
  package var until: WallTime?

  package init(owner: String, licence: String, proof: String? = nil, use: StationUse, until: WallTime? = nil) {
    self.owner = owner
    self.licence = licence
    self.proof = proof
    self.use = use
    self.until = until
  }
}

/// What may be done with a station's stream. Each allows what those before it allow.
package enum StationUse: GrowingEnum {
  /// List it, and lead to its website.
  case link
  /// Tell players where its stream is.
  case play
  /// Pass its sound on ourselves.
  case relay
  case unknown(String)

  package static let known: [StationUse] = [.link, .play, .relay]

  package var rawValue: String {
    switch self {
    case .link: "link"
    case .play: "play"
    case .relay: "relay"
    case .unknown(let name): name
    }
  }
}

/// How a station's stream was found when it was last tried.
package struct StationHealth: Codable, Hashable, Sendable, WireLayout {
  package var state: StreamState
  package var checkedAt: WallTime
  /// Of the last time that it was alive: `mp3`, `aac`, `opus`.
  package var codec: String?
  package var kilobits: Int?
  /// Why it is down, in a sentence.
  package var problem: String?
  /// How often in a row it has failed.
  package var failures: Int?

  package init(
    state: StreamState, checkedAt: WallTime, codec: String? = nil, kilobits: Int? = nil, problem: String? = nil,
    failures: Int? = nil
  ) {
    self.state = state
    self.checkedAt = checkedAt
    self.codec = codec
    self.kilobits = kilobits
    self.problem = problem
    self.failures = failures
  }
}

package enum StreamState: GrowingEnum {
  case alive
  /// It failed twice in a row.
  case down
  case unknown(String)

  package static let known: [StreamState] = [.alive, .down]

  package var rawValue: String {
    switch self {
    case .alive: "alive"
    case .down: "down"
    case .unknown(let name): name
    }
  }
}

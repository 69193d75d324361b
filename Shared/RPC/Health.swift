import Wire

/// Whether the service should be sent work now, and if not, why.
package struct CheckHealth: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = HealthReport
  package static let method: MethodID = 0x0006
  package static let safety: Safety = .read

  package init() {}
}

/// The same, at once and again whenever it changes. The stream ends when the server goes; its last word is `draining`.
package struct WatchHealth: RPCStreamRequest {
  package typealias Service = AdminAPI
  package typealias Element = HealthReport
  package static let method: MethodID = 0x0007

  package init() {}
}

/// What a service says of itself, as `/readyz` says it over HTTP.
package struct HealthReport: Codable, Hashable, Sendable {
  package var service: String
  package var state: HealthState
  /// What is not well, a line each, without secrets: `database: the disk is full`.
  package var problems: [String]

  package init(service: String, state: HealthState, problems: [String] = []) {
    self.service = service
    self.state = state
    self.problems = problems
  }
}

/// Where a service is in its life. Only a `ready` one should be sent work.
package enum HealthState: GrowingEnum {
  case starting, ready
  /// It runs, and something that it needs does not.
  case notReady
  /// It ends what is under way and takes nothing new.
  case draining
  case unknown(String)

  package static let known: [HealthState] = [.starting, .ready, .notReady, .draining]

  package var rawValue: String {
    switch self {
    case .starting: "starting"
    case .ready: "ready"
    case .notReady: "not-ready"
    case .draining: "draining"
    case .unknown(let name): name
    }
  }
}

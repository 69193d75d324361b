package import RPC
import Wire

/// Whether the services behind the gateway answer it; each is asked something small.
package struct UpstreamStates: RPCRequest, Hashable, WireLayout {
  package typealias Service = GatewayAPI
  package typealias Response = [UpstreamState]
  package static let method: MethodID = 0x0846
  package static let safety: Safety = .read

  package init() {}
}

/// One service behind the gateway.
package struct UpstreamState: Codable, Hashable, Sendable, WireLayout {
  package var service: String
  package var answers: Bool
  package var microseconds: Int?
  /// Why it does not answer.
  package var problem: String?
  /// Whether its changes are being followed; nil where there are none to follow.
  package var isFollowed: Bool?
  /// How far they have been followed.
  package var revision: Int64?

  package init(
    service: String, answers: Bool, microseconds: Int? = nil, problem: String? = nil, isFollowed: Bool? = nil,
    revision: Int64? = nil
  ) {
    self.service = service
    self.answers = answers
    self.microseconds = microseconds
    self.problem = problem
    self.isFollowed = isFollowed
    self.revision = revision
  }
}

package import Clocks
package import Contracts
package import RPC

/// What the gateway's administrators may ask besides. Only `odi-gateway` itself asks, so these are no contracts between
/// services.

/// Shuts a client out: an IPv4 address, or the /64 of an IPv6 one. Anew, it holds until the new time.
nonisolated package struct BanClient: RPCRequest {
  package typealias Service = GatewayAPI
  package typealias Response = [ClientBan]
  package static let method: MethodID = 0x0849
  package static let safety: Safety = .idempotent

  package var address: String
  /// 1 second to a year.
  package var seconds: Int
  /// For the operators' list; at most 200 bytes.
  package var reason: String?
}

/// Lets a client in again.
nonisolated package struct LiftBan: RPCRequest {
  package typealias Service = GatewayAPI
  package typealias Response = [ClientBan]
  package static let method: MethodID = 0x084A
  package static let safety: Safety = .idempotent

  package var address: String
}

/// Who is shut out now, the first to be let in again first.
nonisolated package struct ListBans: RPCRequest {
  package typealias Service = GatewayAPI
  package typealias Response = [ClientBan]
  package static let method: MethodID = 0x084B
  package static let safety: Safety = .read
}

/// A client that is shut out.
nonisolated package struct ClientBan: Codable, Hashable, Sendable {
  package var address: String
  package var until: WallTime
  package var reason: String?
  /// Requests that were turned away.
  package var refused: Int
}

/// Asks a service nothing more, or asks it again: so that it can be looked after without anybody's request in it.
nonisolated package struct DrainUpstream: RPCRequest {
  package typealias Service = GatewayAPI
  /// The services that are not asked now.
  package typealias Response = [String]
  package static let method: MethodID = 0x084C
  package static let safety: Safety = .idempotent

  package var service: String
  package var isDrained: Bool
}

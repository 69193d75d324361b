package import RPC
import Wire

/// Drops kept answers.
package struct PurgeCache: RPCRequest, Hashable, WireLayout {
  package typealias Service = GatewayAPI
  package typealias Response = CachePurged
  package static let method: MethodID = 0x0844
  package static let safety: Safety = .idempotent

  /// Of paths that begin so: `/v1/cinemas`; nil: all.
  package var prefix: String?

  package init(prefix: String? = nil) { self.prefix = prefix }
}

/// How many were dropped.
package struct CachePurged: Codable, Hashable, Sendable, WireLayout {
  package var dropped: Int

  package init(dropped: Int) { self.dropped = dropped }
}

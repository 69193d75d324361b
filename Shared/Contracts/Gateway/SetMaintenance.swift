package import RPC
import Wire

/// Answers everything but signs of life with 503 and this sentence, or no longer.
package struct SetMaintenance: RPCRequest, Hashable, WireLayout {
  package typealias Service = GatewayAPI
  package typealias Response = MaintenanceState
  package static let method: MethodID = 0x0847
  package static let safety: Safety = .idempotent

  /// What people are told; nil ends it.
  package var message: String?

  package init(message: String? = nil) { self.message = message }
}

/// Whether the gateway is closed for maintenance now.
package struct MaintenanceState: Codable, Hashable, Sendable, WireLayout {
  package var message: String?

  package init(message: String? = nil) { self.message = message }
}

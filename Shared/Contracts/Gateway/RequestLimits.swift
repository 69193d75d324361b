package import RPC
import Wire

/// How often users and addresses may ask; with values, from now on until the gateway is started again.
package struct RequestLimits: RPCRequest, Hashable, WireLayout {
  package typealias Service = GatewayAPI
  package typealias Response = RequestLimitsReport
  package static let method: MethodID = 0x0845
  package static let safety: Safety = .idempotent

  /// A second; 0: no limit.
  package var userRate: Double?
  package var userBurst: Double?
  package var addressRate: Double?
  package var addressBurst: Double?

  package init(
    userRate: Double? = nil, userBurst: Double? = nil, addressRate: Double? = nil, addressBurst: Double? = nil
  ) {
    self.userRate = userRate
    self.userBurst = userBurst
    self.addressRate = addressRate
    self.addressBurst = addressBurst
  }
}

/// The limits that hold, and how many they are kept for.
package struct RequestLimitsReport: Codable, Hashable, Sendable, WireLayout {
  package var userRate: Double
  package var userBurst: Double
  package var addressRate: Double
  package var addressBurst: Double
  package var users: Int
  package var addresses: Int

  package init(
    userRate: Double, userBurst: Double, addressRate: Double, addressBurst: Double, users: Int, addresses: Int
  ) {
    self.userRate = userRate
    self.userBurst = userBurst
    self.addressRate = addressRate
    self.addressBurst = addressBurst
    self.users = users
    self.addresses = addresses
  }
}

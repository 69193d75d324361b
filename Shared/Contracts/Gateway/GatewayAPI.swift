import RPC

/// The gateway as its administrators ask it; everybody else speaks HTTP to it.
package enum GatewayAPI: RPCService {
  package static let name = "gateway"
}

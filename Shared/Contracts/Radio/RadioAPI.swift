import RPC

/// Stations, where their streams are, and what they play now.
package enum RadioAPI: RPCService {
  package static let name = "radio"
}

import RPC

/// Restaurants, their hours, and a meal near a show.
package enum DiningAPI: RPCService {
  package static let name = "dining"
}

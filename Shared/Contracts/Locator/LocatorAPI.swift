import RPC

/// The directory of cinemas.
package enum LocatorAPI: RPCService {
  package static let name = "locator"
}

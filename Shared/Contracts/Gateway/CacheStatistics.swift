package import RPC
import Wire

/// How well keeping answers pays.
package struct CacheStatistics: RPCRequest, Hashable, WireLayout {
  package typealias Service = GatewayAPI
  package typealias Response = CacheReport
  package static let method: MethodID = 0x0843
  package static let safety: Safety = .read

  package init() {}
}

/// What is kept, and how often it served, since the start.
package struct CacheReport: Codable, Hashable, Sendable, WireLayout {
  package var isOn: Bool
  package var entries: Int
  package var bytes: Int
  package var hits: Int
  package var misses: Int
  /// Served although old, because a service did not answer.
  package var stale: Int
  /// Made void by changes.
  package var voided: Int

  package init(isOn: Bool, entries: Int, bytes: Int, hits: Int, misses: Int, stale: Int, voided: Int) {
    self.isOn = isOn
    self.entries = entries
    self.bytes = bytes
    self.hits = hits
    self.misses = misses
    self.stale = stale
    self.voided = voided
  }
}

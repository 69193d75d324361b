package import RPC
import Wire

/// What the gateway answers, route by route, since it started.
package struct GatewayTraffic: RPCRequest, Hashable, WireLayout {
  package typealias Service = GatewayAPI
  package typealias Response = TrafficReport
  package static let method: MethodID = 0x0840
  package static let safety: Safety = .read

  package init() {}
}

/// What goes through the gateway.
package struct TrafficReport: Codable, Hashable, Sendable, WireLayout {
  /// Those that were asked for, the busiest first.
  package var routes: [RouteTraffic]
  /// Open HTTP connections.
  package var connections: Int
  /// Open streams of events.
  package var streams: Int
  /// Questions that were ended by newer ones.
  package var superseded: Int
  /// Set while everything is answered with it.
  package var maintenance: String?

  package init(
    routes: [RouteTraffic], connections: Int, streams: Int, superseded: Int, maintenance: String? = nil
  ) {
    self.routes = routes
    self.connections = connections
    self.streams = streams
    self.superseded = superseded
    self.maintenance = maintenance
  }
}

/// One route's share.
package struct RouteTraffic: Codable, Hashable, Sendable, WireLayout {
  package var method: String
  /// `/v1/cinemas/{id}`
  package var route: String
  package var requests: Int
  /// Of them, answered with 5xx.
  package var failed: Int
  package var p50Microseconds: Int?
  package var p99Microseconds: Int?

  package init(
    method: String, route: String, requests: Int, failed: Int, p50Microseconds: Int? = nil, p99Microseconds: Int? = nil
  ) {
    self.method = method
    self.route = route
    self.requests = requests
    self.failed = failed
    self.p50Microseconds = p50Microseconds
    self.p99Microseconds = p99Microseconds
  }
}

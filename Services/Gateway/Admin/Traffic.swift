import Contracts
import HTTP
import Observability

/// Counts every answer, by route and status.
final class Traffic {
  private let metrics: Metrics
  /// By the route's number, first those of no route: to hash at each answer would cost more than to count.
  private var kinds: [[Kind]] = []

  /// Answers of one route that are counted together.
  private struct Kind {
    var method: HTTPMethod?
    var route: HTTPRoute?
    var status: UInt16
    var histogram: Histogram
  }

  init(_ metrics: Metrics?) { self.metrics = metrics ?? Metrics() }

  func observe(_ exchange: HTTPExchange) {
    let place = exchange.route.map { $0.number + 1 } ?? 0
    let (method, status) = (exchange.method, exchange.status.rawValue)
    while kinds.count <= place { kinds.append([]) }
    for kind in kinds[place] where kind.status == status && kind.method == method {
      return kind.histogram.record(exchange.took)
    }
    let histogram = metrics.histogram(
      "http_server_request_duration_seconds", "Time from a request's last byte to its answer.",
      labels: [
        "http_request_method": method?.rawValue ?? "none", "http_route": exchange.route?.pattern ?? "none",
        "http_response_status_code": "\(status)",
      ])
    kinds[place].append(Kind(method: method, route: exchange.route, status: status, histogram: histogram))
    histogram.record(exchange.took)
  }

  /// Route by route, the busiest first.
  var report: [RouteTraffic] {
    let routes = Dictionary(grouping: kinds.joined()) { kind in
      "\(kind.method?.rawValue ?? "none") \(kind.route?.pattern ?? "none")"
    }
    return routes.values.map { kinds in
      let counts = kinds.map { (status: $0.status, distribution: $0.histogram.distribution) }
      let busiest = counts.max { $0.distribution.count < $1.distribution.count }?.distribution
      return RouteTraffic(
        method: kinds[0].method?.rawValue ?? "none", route: kinds[0].route?.pattern ?? "none",
        requests: counts.reduce(0) { $0 + Int($1.distribution.count) },
        failed: counts.filter { $0.status >= 500 }.reduce(0) { $0 + Int($1.distribution.count) },
        p50Microseconds: busiest?.quantile(0.5).map { Int($0 / .microseconds(1)) },
        p99Microseconds: busiest?.quantile(0.99).map { Int($0 / .microseconds(1)) })
    }.sorted { ($1.requests, $0.route) < ($0.requests, $1.route) }
  }
}

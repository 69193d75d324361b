import Contracts
import HTTP
import Observability

/// Counts every answer, by route and status.
final class Traffic {
  private let metrics: Metrics
  private var histograms: [Kind: Histogram] = [:]

  private struct Kind: Hashable {
    var method: HTTPMethod?
    var route: String?
    var status: UInt16
  }

  init(_ metrics: Metrics?) { self.metrics = metrics ?? Metrics() }

  func observe(_ exchange: HTTPExchange) {
    let kind = Kind(method: exchange.method, route: exchange.route?.pattern, status: exchange.status.rawValue)
    if let known = histograms[kind] { return known.record(exchange.took) }
    let histogram = metrics.histogram(
      "http_server_request_duration_seconds", "Time from a request's last byte to its answer.",
      labels: [
        "http_request_method": kind.method?.rawValue ?? "none", "http_route": kind.route ?? "none",
        "http_response_status_code": "\(kind.status)",
      ])
    histograms[kind] = histogram
    histogram.record(exchange.took)
  }

  /// Route by route, the busiest first.
  var report: [RouteTraffic] {
    let routes = Dictionary(grouping: histograms) { "\($0.key.method?.rawValue ?? "none") \($0.key.route ?? "none")" }
    return routes.values.map { entries in
      let counts = entries.map { (status: $0.key.status, distribution: $0.value.distribution) }
      let busiest = counts.max { $0.distribution.count < $1.distribution.count }?.distribution
      return RouteTraffic(
        method: entries[0].key.method?.rawValue ?? "none", route: entries[0].key.route ?? "none",
        requests: counts.reduce(0) { $0 + Int($1.distribution.count) },
        failed: counts.filter { $0.status >= 500 }.reduce(0) { $0 + Int($1.distribution.count) },
        p50Microseconds: busiest?.quantile(0.5).map { Int($0 / .microseconds(1)) },
        p99Microseconds: busiest?.quantile(0.99).map { Int($0 / .microseconds(1)) })
    }.sorted { ($1.requests, $0.route) < ($0.requests, $1.route) }
  }
}

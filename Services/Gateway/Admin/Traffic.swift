import Contracts
import HTTP
import Observability

/// Counts every answer, by route and status.
final class Traffic {
  private let metrics: Metrics
  private var histograms: [Kind: Histogram] = [:]

  /// Routes are told apart by what they are: to hash their patterns at each answer would cost more than to count.
  private struct Kind: Hashable {
    var method: HTTPMethod?
    var route: HTTPRoute?
    var status: UInt16

    static func == (left: Kind, right: Kind) -> Bool {
      left.method == right.method && left.route === right.route && left.status == right.status
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(route.map { ObjectIdentifier($0) })
      hasher.combine(status)
    }
  }

  init(_ metrics: Metrics?) { self.metrics = metrics ?? Metrics() }

  func observe(_ exchange: HTTPExchange) {
    let kind = Kind(method: exchange.method, route: exchange.route, status: exchange.status.rawValue)
    if let known = histograms[kind] { return known.record(exchange.took) }
    let histogram = metrics.histogram(
      "http_server_request_duration_seconds", "Time from a request's last byte to its answer.",
      labels: [
        "http_request_method": kind.method?.rawValue ?? "none", "http_route": kind.route?.pattern ?? "none",
        "http_response_status_code": "\(kind.status)",
      ])
    histograms[kind] = histogram
    histogram.record(exchange.took)
  }

  /// Route by route, the busiest first.
  var report: [RouteTraffic] {
    let routes = Dictionary(grouping: histograms) { entry in
      "\(entry.key.method?.rawValue ?? "none") \(entry.key.route?.pattern ?? "none")"
    }
    return routes.values.map { entries in
      let counts = entries.map { (status: $0.key.status, distribution: $0.value.distribution) }
      let busiest = counts.max { $0.distribution.count < $1.distribution.count }?.distribution
      return RouteTraffic(
        method: entries[0].key.method?.rawValue ?? "none", route: entries[0].key.route?.pattern ?? "none",
        requests: counts.reduce(0) { $0 + Int($1.distribution.count) },
        failed: counts.filter { $0.status >= 500 }.reduce(0) { $0 + Int($1.distribution.count) },
        p50Microseconds: busiest?.quantile(0.5).map { Int($0 / .microseconds(1)) },
        p99Microseconds: busiest?.quantile(0.99).map { Int($0 / .microseconds(1)) })
    }.sorted { ($1.requests, $0.route) < ($0.requests, $1.route) }
  }
}

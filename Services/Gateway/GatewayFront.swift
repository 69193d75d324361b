import Calendars
package import Clocks
package import HTTP
package import Observability
import RPC

/// The gateway without its process: flows, front desk and HTTP server, over any clients and any clock.
package final class GatewayFront {
  let desk: FrontDesk
  let app: AppCoordinator
  let cache: AnswerCache
  let shelf: CinemaShelf
  let endpoints: [Endpoint]
  package let server: HTTPServer

  package struct Options {
    package var manners = FrontDesk.Manners()
    package var cachesAnswers = true
    /// Whether this process should be sent work; nil if so, else why not.
    package var unready: @MainActor () -> String? = { nil }

    package init() {}
  }

  package init(
    _ upstreams: Upstreams, key: TokenKey, options: Options, time: any TimeSource, traces: Traces,
    log: Log = .silent, metrics: Metrics? = nil
  ) {
    let zones = ZoneDirectory()
    cache = AnswerCache(isOn: options.cachesAnswers, time: time)
    shelf = CinemaShelf(locator: upstreams.locator, time: time)
    desk = FrontDesk(
      sessions: Sessions(key: key, bookmarks: upstreams.bookmarks, time: time), cache: cache, manners: options.manners,
      time: time, zones: zones, traces: traces, log: log)
    app = AppCoordinator(upstreams, desk: desk, shelf: shelf)
    endpoints = app.endpoints
    var router = HTTPRouter()
    desk.register(endpoints, on: &router)
    Self.registerSignsOfLife(on: &router, options.unready)
    var serving = HTTPServer.Options()
    serving.admit = { [desk] request in desk.refusal(of: request) }
    serving.decorate = { [desk] request, response in desk.decorate(request, &response) }
    serving.explain = { error in (error as? RPCError).map { Problem($0) } }
    if let metrics { serving.observe = RequestMetrics(metrics).observe }
    server = HTTPServer(router: router, options: serving, time: time, log: log)
  }

  /// Without detail: what is wrong inside is told on the operations port.
  private static func registerSignsOfLife(on router: inout HTTPRouter, _ unready: @escaping @MainActor () -> String?) {
    router.get("/livez", summary: "Whether the process is alive.") { _ in
      HTTPResponse.text("ok\n").cached(.never, tag: .none)
    }
    router.get("/readyz", summary: "Whether it should be sent work.") { _ in
      let isReady = unready() == nil
      return HTTPResponse.text(isReady ? "ok\n" : "not ready\n", isReady ? .ok : .serviceUnavailable)
        .cached(.never, tag: .none)
    }
  }
}

/// Counts every answer, by route and status.
final class RequestMetrics {
  private let metrics: Metrics
  private var histograms: [String: Histogram] = [:]

  init(_ metrics: Metrics) { self.metrics = metrics }

  func observe(_ exchange: HTTPExchange) {
    let route = exchange.route?.pattern ?? "none"
    let method = exchange.method?.rawValue ?? "none"
    let key = "\(method) \(route) \(exchange.status.rawValue)"
    let histogram: Histogram
    if let known = histograms[key] {
      histogram = known
    } else {
      histogram = metrics.histogram(
        "http_server_request_duration_seconds", "Time from a request's last byte to its answer.",
        labels: [
          "http_request_method": method, "http_route": route, "http_response_status_code": "\(exchange.status.rawValue)",
        ])
      histograms[key] = histogram
    }
    histogram.record(exchange.took)
  }
}

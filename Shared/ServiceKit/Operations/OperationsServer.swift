package import Clocks
package import EventLoops
import HTTP
package import Observability

/// The service as machines look at it: alive, ready, and in numbers.
///
/// `/livez` asks nothing of anybody: that it answers is the answer. `/readyz` asks the conditions. The first part to
/// start and the last to stop, so that both can be seen from outside.
package final class OperationsServer: ServicePart {
  nonisolated package let name = "operations"
  private let wanted: SocketAddress
  private let server: HTTPServer
  private let log: Log
  /// Where it listens, once it does.
  package private(set) var address: SocketAddress?

  package init(
    on address: SocketAddress, readiness: Readiness, metrics: Metrics, time: any TimeSource, log: Log = .silent
  ) {
    wanted = address
    self.log = log
    server = HTTPServer(router: Self.router(readiness, metrics), time: time, log: log)
  }

  package func start() async throws {
    address = try server.listen(on: wanted)
    log.info("operations", ["at": .string(address?.description ?? "")])
  }

  package func stop() async { await server.drain() }

  private static func router(_ readiness: Readiness, _ metrics: Metrics) -> HTTPRouter {
    var router = HTTPRouter()
    router.get("/livez", summary: "Whether the process is alive.") { _ in
      HTTPResponse.text("ok\n").cached(.never, tag: .none)
    }
    router.get(
      "/readyz",
      query: [QueryParameter("verbose", "Tell each condition."), QueryParameter("exclude", "Do not ask these.")],
      summary: "Whether it should be sent work."
    ) { request in
      var query = request.query
      let isVerbose = query.names.contains("verbose")
      let excluded = Set(query.list("exclude"))
      let answer = readiness.answer(excluding: excluded)
      let text = answer.isReady && !isVerbose ? "ok\n" : answer.text
      return HTTPResponse.text(text, answer.isReady ? .ok : .serviceUnavailable).cached(.never, tag: .none)
    }
    router.get("/metrics", summary: "Everything that is counted.") { request in
      let format = Metrics.Exposition(accept: request["accept"])
      return HTTPResponse(.ok, mediaType(of: format), metrics.exposition(format)).cached(.never, tag: .none)
    }
    return router
  }
}

/// The types of the two forms, as their readers know them.
nonisolated private func mediaType(of format: Metrics.Exposition) -> MediaType {
  switch format {
  case .prometheus: MediaType("text/plain; version=0.0.4; charset=utf-8", isCompressible: true)
  case .openMetrics: MediaType("application/openmetrics-text; version=1.0.0; charset=utf-8", isCompressible: true)
  }
}

nonisolated extension IPAddress: SettingValue {
  package static var wanted: String { "an IP address such as 10.0.0.7 or fd00::7" }
  package static var valueName: String { "ADDRESS" }
  package init?(argument: String) { self.init(argument) }
  package var argument: String { description }
}

nonisolated extension SocketAddress: SettingValue {
  package static var wanted: String { "an address such as 127.0.0.1:7101, [::1]:7101 or unix:/run/odi/x.sock" }
  package static var valueName: String { "ADDRESS" }
  package init?(argument: String) {
    guard let address = try? SocketAddress(parsing: argument) else { return nil }
    self = address
  }
  package var argument: String { description }
}

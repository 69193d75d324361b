import Contracts
import RPC

/// Which services behind the gateway an operator keeps it from asking.
final class UpstreamDrain {
  private(set) var drained: Set<String> = []
  static let services = [
    LocatorAPI.name, ScraperAPI.name, BookmarksAPI.name, FilmsAPI.name, DiningAPI.name, TimetableAPI.name,
    RadioAPI.name,
  ]
  /// A restart takes seconds.
  private static let retryAfter: Duration = .seconds(5)

  func set(_ service: String, isDrained: Bool) throws(RPCError) {
    guard Self.services.contains(service) else {
      throw RPCError(
        .invalidArgument, "there is no \(service) behind; give one of \(Self.services.joined(separator: ", "))")
    }
    if isDrained { drained.insert(service) } else { drained.remove(service) }
  }

  /// As if the service were away: kept answers stand in for it, as far as there are some.
  fileprivate func check(_ service: String) throws(RPCError) {
    guard !drained.isEmpty, drained.contains(service) else { return }
    throw RPCError(
      .unavailable, "an operator keeps the gateway from asking \(service)", executed: .no,
      retryAfter: Self.retryAfter)
  }

  /// The same services, asked as long as nobody minds.
  func guarding(_ upstreams: Upstreams) -> Upstreams {
    Upstreams(
      locator: GuardedClient(upstreams.locator, self), scraper: GuardedClient(upstreams.scraper, self),
      bookmarks: GuardedClient(upstreams.bookmarks, self), films: GuardedClient(upstreams.films, self),
      dining: GuardedClient(upstreams.dining, self), timetable: GuardedClient(upstreams.timetable, self),
      radio: GuardedClient(upstreams.radio, self))
  }
}

/// A client that asks nobody while its service is drained. Calls and streams that are under way go on.
private final class GuardedClient<Service: RPCService>: RPCClient {
  private let base: any RPCClient<Service>
  private let drain: UpstreamDrain

  init(_ base: any RPCClient<Service>, _ drain: UpstreamDrain) {
    self.base = base
    self.drain = drain
  }

  func call<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> Request.Response where Request.Service == Service {
    try drain.check(Service.name)
    return try await base.call(request, options)
  }

  func begin<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions,
    _ ended: @escaping @MainActor (Result<Request.Response, RPCError>) -> Void
  ) -> (any CallUnderWay)? where Request.Service == Service {
    // Nil: then `call` is the way, and says why not.
    (try? drain.check(Service.name)).flatMap { base.begin(request, options, ended) }
  }

  func stream<Request: RPCStreamRequest>(
    _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> RPCStream<Request.Element> where Request.Service == Service {
    try drain.check(Service.name)
    return try await base.stream(request, options)
  }
}

import CCurl
package import Clocks
package import EventLoops
package import Observability

/// Fetches pages: as many at once on the loop's one thread as `Limits` says, none of them from where it must not.
///
/// A fetch is a row of hops. Each hop waits for its turn at the host, has the host's addresses looked up and checked,
/// runs as one transfer of libcurl's, and either is the answer or leads to the next hop, which is checked in the same
/// way. Robots.txt and the pause between requests are the caller's to ask about (`RobotsTxt`, `HostBudget`): a fetcher
/// fetches what it is told.
package final class Fetcher {
  package struct Limits: Sendable {
    /// Transfers at once, and connections kept.
    package var transfers = 256
    package var transfersPerHost = 6
    /// Fetches that wait for their turn; one more is refused.
    package var waiting = 10_000

    package init() {}
  }

  /// How we introduce ourselves: who, and where to read about it and complain.
  package static let userAgent = "OdiBot/0.1"

  /// What libcurl says that it is.
  nonisolated package static var library: (name: String, version: String) {
    ("libcurl", String(cString: curl_version_info(CURLVERSION_FIRST).pointee.version))
  }

  private let limits: Limits
  private let ownHeaders: OwnHeaders
  private let addressGuard: AddressGuard
  private let authorities: String?
  private let time: any TimeSource
  private let log: Log
  private let metrics: FetchMetrics?
  private let addresses: AddressBook
  private let loop: CurlLoop
  private var idle: [CurlHandle] = []
  /// How to end whatever a fetch waits for.
  private var stops: [ObjectIdentifier: (FetchError) -> Void] = [:]
  private var queue: HostQueue<OneShot<Result<Void, FetchError>>>
  private var isClosed = false

  /// - Parameter authorities: a PEM file of those whose certificates are trusted, in place of the system's.
  package init(
    limits: Limits = Limits(), addressGuard: AddressGuard = AddressGuard(), authorities: String? = nil,
    userAgent: String = Fetcher.userAgent, time: any TimeSource = EventLoop.time, log: Log = .silent,
    metrics: Metrics? = nil,
    resolve: @escaping @MainActor (_ host: String, _ port: UInt16) async throws(SocketError) -> [SocketAddress] = {
      (host, port) async throws(SocketError) in try await Resolver.addresses(of: host, port: port)
    }
  ) {
    self.limits = limits
    ownHeaders = OwnHeaders(userAgent: userAgent)
    self.addressGuard = addressGuard
    self.authorities = authorities
    self.time = time
    self.log = log
    self.metrics = metrics.map(FetchMetrics.init)
    addresses = AddressBook(time: time, resolve: resolve)
    loop = CurlLoop(connectionsMax: limits.transfers)
    queue = HostQueue(total: limits.transfers, perHost: limits.transfersPerHost, waitingMax: limits.waiting)
  }

  /// Fetches one page. Cancelling the task ends the transfer at once.
  package func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    let began = time.now
    let result: Result<FetchResponse, FetchError>
    do throws(FetchError) { result = .success(try await follow(request)) } catch { result = .failure(error) }
    metrics?.record(result, took: time.now - began)
    log.debug("page fetched", ["site": .string(request.url.site), "outcome": .string(FetchMetrics.outcome(result))])
    return try result.get()
  }

  /// Transfers that run and fetches that wait for theirs.
  package var load: (running: Int, waiting: Int) { (queue.active, queue.waiting) }

  /// Sockets that were opened, for tests that assert there were none.
  package var connectionsTried: Int { loop.opened }

  /// Ends every fetch and closes every connection.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    for stop in stops.values { stop(.closed) }
    stops = [:]
    idle = []
    loop.close()
  }

  // MARK: Hops

  private func follow(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    var path = RedirectPath(request)
    var deadline: Instant?
    var wireBytes = 0
    while true {
      let host = path.url.origin
      // The wait for the first turn does not count: it is ours and not the site's. It has an end of its own.
      let patience = deadline.map { $0 - time.now } ?? request.limits.turn
      try await takeTurn(host, within: patience)
      let end = deadline ?? time.now + request.limits.total
      deadline = end
      let result: Result<HopAnswer, FetchError>
      do throws(FetchError) { result = .success(try await perform(path, until: end)) } catch {
        result = .failure(error)
      }
      giveTurnBack(host)
      let answer = try result.get()
      wireBytes += answer.wireBytes
      guard let location = path.redirect(answer) else {
        return FetchResponse(
          url: path.url, status: answer.status, headers: answer.headers, body: answer.body, isCut: answer.isCut,
          hops: path.hops,
          address: answer.address, majorVersion: answer.majorVersion, wireBytes: wireBytes, timings: answer.timings)
      }
      try path.follow(location, status: answer.status)
    }
  }

  private func perform(_ path: RedirectPath, until deadline: Instant) async throws(FetchError) -> HopAnswer {
    let found = try await checkedAddresses(path.url, until: deadline, total: path.request.limits.total)
    let hop = Hop(
      url: path.url, method: path.method, headers: path.headerLines(ownHeaders), addresses: found,
      cookies: path.request.cookies, limits: path.request.limits, body: path.request.body,
      valve: path.request.valve)
    let handle = idle.popLast() ?? CurlHandle(loop: loop, addressGuard: addressGuard, authorities: authorities)
    defer { if !isClosed, idle.count < limits.transfers { idle.append(handle) } }
    handle.prepare(hop)
    return try await waiting(until: deadline, total: path.request.limits.total, stop: handle.stop) { answer in
      handle.run(answer: answer)
    }
  }

  /// The host's addresses that may be connected to.
  private func checkedAddresses(
    _ url: FetchURL, until deadline: Instant, total: Duration
  ) async throws(FetchError) -> [IPAddress] {
    let found: [IPAddress]
    switch url.host {
    case .address(let address): found = [address]
    case .name(let name):
      if let known = addresses.known(name) {
        found = known
      } else {
        found = try await waiting(until: deadline, total: total) { (answer: OneShot<Result<[IPAddress], FetchError>>) in
          addresses.find(name, port: url.port) { result in
            answer.finish(result.mapError { .unknownHost(name, reason: "\($0)") })
          }
        }
      }
    }
    let allowed = found.filter { addressGuard.refusal(of: $0, port: url.port) == nil }
    guard allowed.isEmpty else { return allowed }
    guard let first = found.first, let refusal = addressGuard.refusal(of: first, port: url.port) else {
      throw .unknownHost(url.host.description, reason: "the name has no address")
    }
    log.debug("address refused", ["site": .string(url.site), "reason": .string(refusal.reason)])
    throw .refused(refusal)
  }

  /// Waits for an answer until the deadline, the task's cancellation or the fetcher's end, whichever comes first.
  private func waiting<Value: Sendable>(
    until deadline: Instant?, total: Duration, stop: ((FetchError) -> Void)? = nil,
    _ begin: (OneShot<Result<Value, FetchError>>) -> Void
  ) async throws(FetchError) -> Value {
    guard !isClosed else { throw .closed }
    guard !Task.isCancelled else { throw .cancelled }
    let answer = OneShot<Result<Value, FetchError>>()
    let stop = stop ?? { answer.finish(.failure($0)) }
    let key = ObjectIdentifier(answer)
    stops[key] = stop
    let timer = deadline.map { deadline in time.after(deadline - time.now) { stop(.timedOut(after: total)) } }
    begin(answer)
    let result = await withTaskCancellationHandler {
      await answer.wait()
    } onCancel: {
      Task { @MainActor [weak self] in self?.stops[key]?(.cancelled) }
    }
    timer?.cancel()
    stops[key] = nil
    return try result.get()
  }

  // MARK: Turns

  private func takeTurn(_ host: String, within patience: Duration) async throws(FetchError) {
    guard !isClosed else { throw .closed }
    guard !Task.isCancelled else { throw .cancelled }
    let turn = OneShot<Result<Void, FetchError>>()
    switch queue.enter(host, turn) {
    case .now: return
    case .never: throw .overloaded(limit: limits.waiting)
    case .later: break
    }
    let key = ObjectIdentifier(turn)
    stops[key] = { turn.finish(.failure($0)) }
    let timer = time.after(patience) { turn.finish(.failure(.timedOut(after: patience))) }
    let result = await withTaskCancellationHandler {
      await turn.wait()
    } onCancel: {
      Task { @MainActor [weak self] in self?.stops[key]?(.cancelled) }
    }
    timer.cancel()
    stops[key] = nil
    try result.get()
  }

  private func giveTurnBack(_ host: String) {
    queue.leave(host)
    while let (host, waiter) = queue.next() {
      // Somebody who has given up does not need the place.
      if waiter.isFinished { queue.leave(host) } else { waiter.finish(.success(())) }
    }
  }
}

import Clocks
import Crypto
import EventLoops
import Observability
import RPC

/// The endpoints of one service and the connections to them.
final class EndpointPool {
  typealias EndpointBalancer = Balancer<SocketAddress>

  let time: any TimeSource
  var random: AnyRandom

  private let service: String
  private let targets: [ServiceTarget]
  private let secret: Secret?
  private let name: String
  private let limits: LinkLimits
  private let network: any Network
  private let log: Log

  private var balancer = EndpointBalancer()
  private var endpoints: [EndpointBalancer.ID: Endpoint] = [:]
  /// The endpoints' connections, by the indices that the balancer gives them.
  private var connections: [ClientConnection?] = []
  private var resolving: ResolveSchedule
  private var isResolving = false
  private var hasResolved = false
  private var timer: (any Scheduled)?
  private var timerDue = Instant.distantFuture
  private var waiters: [Waiter] = []
  private var lastFailure: RPCError?
  private var isClosed = false
  private var leash: Leash!

  /// What its timers hold, weakly: an object that was once held weakly itself is slow to retain ever after.
  private final class Leash {
    unowned let pool: EndpointPool
    init(_ pool: EndpointPool) { self.pool = pool }
  }

  private final class Endpoint {
    let address: SocketAddress
    var reconnect: ReconnectSchedule
    var connection: ClientConnection?
    var isConnecting = false

    init(_ address: SocketAddress, now: Instant) {
      self.address = address
      reconnect = ReconnectSchedule(address.isLocal ? .onThisMachine : ReconnectSchedule.Limits(), now: now)
    }
  }

  /// A call that came before there was anybody to take it.
  private struct Waiter {
    let deadline: Instant
    let continuation: UnsafeContinuation<Void, Never>
  }

  /// Calls that may wait for a connection; more fail at once.
  private static let waitersMax = 1_024

  init(
    service: String, targets: [ServiceTarget], secret: Secret?, name: String, limits: LinkLimits,
    network: any Network, time: any TimeSource, random: any RandomNumberGenerator, log: Log
  ) {
    self.service = service
    self.targets = targets
    self.secret = secret
    self.name = name
    self.limits = limits
    self.network = network
    self.time = time
    self.random = AnyRandom(random)
    self.log = log
    resolving = ResolveSchedule(now: time.now)
    leash = Leash(self)
    tick()
  }

  var load: ClientLoad {
    var load = ClientLoad(waiting: waiters.count)
    for case let connection? in connections {
      load.calls += connection.inFlight
      load.creditUsed += connection.creditUsed
      load.creditHeld += connection.creditHeld
    }
    return load
  }

  var connectedCount: Int { endpoints.values.count { $0.connection?.isUsable == true } }

  // MARK: Calls

  /// Where a call goes. Give it back with `leave`, exactly once.
  struct Place {
    let pick: EndpointBalancer.Pick
    let connection: ClientConnection
    /// The attempt that was made here ends early, so that another can follow it.
    fileprivate var isCutShort = false
  }

  /// Attempts under way that end early.
  private(set) var cutShort = 0

  /// Whether a call that is not answered at its place could go to an endpoint that it has not been at. One that is
  /// tried whether it is well again is not among the usable ones.
  func hasFurther(than place: borrowing Place, attempt: Int) -> Bool {
    balancer.usableCount + (place.pick.isProbe ? 1 : 0) > attempt
  }

  func cutShort(_ place: inout Place) {
    place.isCutShort = true
    cutShort += 1
  }

  /// The place for a call, if there is a connection: as nearly always. After attempts elsewhere it is one that the call
  /// has not been at; if it has been at all, any but the last.
  func placeNow(
    _ context: borrowing CallContext, after tried: [EndpointBalancer.Pick] = []
  ) throws(RPCError) -> Place? {
    guard !isClosed else { throw RPCError(.unavailable, "the client of \(service) was closed", executed: .no) }
    let now = time.now
    guard context.deadline > now else { throw nobody(.deadlineExceeded) }
    guard let pick = pick(after: tried, now) else { return nil }
    if let connection = connections[pick.endpoint.index], connection.isUsable {
      return Place(pick: pick, connection: connection)
    }
    balancer.finish(pick, .neutral, now: now)
    return nil
  }

  @inline(__always)
  private func pick(after tried: [EndpointBalancer.Pick], _ now: Instant) -> EndpointBalancer.Pick? {
    if let last = tried.last, let pick = other(than: tried, now) ?? other(than: [last], now) { return pick }
    return balancer.pick(now: now, using: &random)
  }

  @inline(never)
  private func other(than tried: [EndpointBalancer.Pick], _ now: Instant) -> EndpointBalancer.Pick? {
    balancer.pick(otherThan: tried, now: now, using: &random)
  }

  func leave(_ place: Place, _ failure: RPCError?) {
    if place.isCutShort { cutShort -= 1 }
    balancer.finish(place.pick, failure?.endpointOutcome ?? .success, now: time.now)
  }

  /// The place for a call, as soon as there is one.
  @inline(never)
  func place(_ context: CallContext) async throws(RPCError) -> Place {
    while true {
      if let place = try placeNow(context) { return place }
      // A service whose every endpoint has just refused is not there: better told than waited for.
      if hasResolved, let lastFailure,
        !endpoints.values.contains(where: { $0.isConnecting || $0.reconnect.due == nil }),
        endpoints.values.allSatisfy({ $0.connection == nil }), waiters.isEmpty, !wakeEndpoints()
      {
        throw lastFailure
      }
      try await waitForConnection(until: context.deadline)
    }
  }

  /// Asks the endpoints that may be tried to connect now. False if none may be.
  private func wakeEndpoints() -> Bool {
    let now = time.now
    for endpoint in endpoints.values where endpoint.connection == nil { endpoint.reconnect.wanted(now: now) }
    tick()
    return endpoints.values.contains { $0.isConnecting }
  }

  private func waitForConnection(until deadline: Instant) async throws(RPCError) {
    guard waiters.count < Self.waitersMax else { throw nobody(.unavailable) }
    _ = wakeEndpoints()
    let bound = time.after(deadline - time.now) { [self] in wakeWaiters() }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        if Task.isCancelled {
          continuation.resume()
        } else {
          waiters.append(Waiter(deadline: deadline, continuation: continuation))
        }
      }
    } onCancel: {
      Task { @MainActor in self.wakeWaiters() }
    }
    bound.cancel()
    if Task.isCancelled { throw RPCError(.cancelled, "cancelled", executed: .no) }
  }

  /// Each looks for itself whether there is something for it now.
  private func wakeWaiters() {
    let woken = waiters
    waiters = []
    for waiter in woken { waiter.continuation.resume() }
  }

  private func nobody(_ code: RPCError.Code) -> RPCError {
    RPCError(code, lastFailure?.message ?? "\(service) cannot be reached", executed: .no)
  }

  // MARK: Endpoints

  /// Does what is due, and sets the timer for what is due next.
  private func tick() {
    guard !isClosed else { return }
    let now = time.now
    if resolving.due <= now, !isResolving { resolve(now) }
    var next = isResolving ? Instant.distantFuture : resolving.due
    for (id, endpoint) in endpoints where endpoint.connection == nil && !endpoint.isConnecting {
      guard let due = endpoint.reconnect.due else { continue }
      if due <= now { connect(id, endpoint) } else { next = min(next, due) }
    }
    guard next < timerDue || timerDue <= now else { return }
    timer?.cancel()
    timerDue = next
    guard next < .distantFuture else { return }
    timer = time.after(next - now) { [weak leash] in
      leash?.pool.timerDue = .distantFuture
      leash?.pool.tick()
    }
  }

  private func resolve(_ now: Instant) {
    isResolving = true
    resolving.asked(now: now, using: &random)
    Task { @MainActor in
      var found: [SocketAddress] = []
      for target in targets {
        switch target {
        case .address(let address): found.append(address)
        case .host(let host, let port):
          do throws(SocketError) {
            found += try await network.addresses(of: host, port: port)
          } catch {
            fail("\(service) cannot be found: \(error)")
          }
        }
      }
      isResolving = false
      hasResolved = true
      take(found)
    }
  }

  private func take(_ found: [SocketAddress]) {
    guard !isClosed else { return }
    let now = time.now
    let change = balancer.update(to: found, now: now)
    for (id, address) in change.added {
      endpoints[id] = Endpoint(address, now: now)
      while connections.count <= id.index { connections.append(nil) }
    }
    for (id, _) in change.removed {
      connections[id.index] = nil
      endpoints.removeValue(forKey: id)?.connection?.close()
    }
    tick()
    if endpoints.isEmpty { wakeWaiters() }
  }

  private func connect(_ id: EndpointBalancer.ID, _ endpoint: Endpoint) {
    endpoint.isConnecting = true
    Task { @MainActor in
      var failure: RPCError?
      do throws(SocketError) {
        let stream = try await network.connect(to: endpoint.address)
        failure = await open(stream, id, endpoint)
      } catch {
        failure = RPCError(.unavailable, "\(service) cannot be reached: \(error)", executed: .no)
      }
      endpoint.isConnecting = false
      if let failure {
        lastFailure = failure
        log.debug("no connection", ["service": .string(service), "why": .string(failure.message)])
        endpoint.reconnect.failed(now: time.now, using: &random)
      }
      wakeWaiters()
      tick()
    }
  }

  private func open(_ stream: any ByteStream, _ id: EndpointBalancer.ID, _ endpoint: Endpoint) async -> RPCError? {
    let connection = ClientConnection(
      stream, service: name, secret: secret, limits: limits, time: time, random: random)
    do throws(RPCError) {
      try await connection.opened()
    } catch {
      return error
    }
    guard endpoints[id] === endpoint, !isClosed else {
      connection.close()
      return nil
    }
    endpoint.connection = connection
    connections[id.index] = connection
    endpoint.reconnect.connected()
    balancer.setConnected(id, true, now: time.now)
    connection.whenUnusable = { [weak leash, weak endpoint] error in
      guard let pool = leash?.pool, let endpoint else { return }
      if pool.connections[id.index] === endpoint.connection { pool.connections[id.index] = nil }
      endpoint.connection = nil
      pool.lost(id, endpoint, error)
    }
    return nil
  }

  private func lost(_ id: EndpointBalancer.ID, _ endpoint: Endpoint, _ error: RPCError) {
    guard !isClosed else { return }
    let now = time.now
    lastFailure = error
    balancer.setConnected(id, false, now: now)
    endpoint.reconnect.disconnected(isWanted: !waiters.isEmpty, now: now, using: &random)
    resolving.disconnected(now: now)
    tick()
  }

  private func fail(_ sentence: String) { lastFailure = RPCError(.unavailable, sentence, executed: .no) }

  func close() {
    isClosed = true
    timer?.cancel()
    for endpoint in endpoints.values { endpoint.connection?.close() }
    endpoints = [:]
    connections = connections.map { _ in nil }
    wakeWaiters()
  }
}

/// A generator behind a value, so that the policies' generic parameter is one type.
struct AnyRandom: RandomNumberGenerator {
  private var base: any RandomNumberGenerator
  init(_ base: any RandomNumberGenerator) { self.base = base }
  mutating func next() -> UInt64 { base.next() }
}

extension RPCError {
  /// What the failure says about the endpoint that it came from.
  fileprivate var endpointOutcome: Balancer<SocketAddress>.Outcome {
    switch code {
    case .unavailable, .deadlineExceeded, .internal, .unknown, .dataLoss: executed == .no ? .neutral : .failure
    case .cancelled, .shed, .superseded, .resourceExhausted, .unauthenticated: .neutral
    case .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition, .aborted, .outOfRange,
      .unimplemented:
      .success
    }
  }
}

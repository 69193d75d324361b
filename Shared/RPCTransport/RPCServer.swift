package import Clocks
package import Crypto
package import EventLoops
import Glibc
package import Observability
package import RPC

/// What a server as a whole allows.
nonisolated package struct ServerLimits: Sendable {
  package var link = LinkLimits()
  /// What all connections together may make us hold: answers that nobody reads, messages that are not whole.
  package var heldBytes = 256 << 20
  package var concurrency: ConcurrencyLimiter.Limits
  package var listener = ListenerOptions()
  /// How long calls may go on after the server began to drain: less than the 30 s that orchestrators wait.
  package var drain: Duration = .seconds(25)

  package init(cores: Int = 2) {
    concurrency = ConcurrencyLimiter.Limits(cores: cores)
    listener.stream = .ofCalls
  }
}

/// Answers calls on any number of listeners.
package final class RPCServer {
  let router: RPCRouter
  let limits: ServerLimits
  let secret: Secret?
  let build: String
  let time: any TimeSource
  let tally: Tally
  /// Nil: nobody looks at traces, and none are begun.
  let traces: Traces?
  let faults: FaultInjection
  let ownUser: UInt32
  /// What it answers to `CheckHealth` and `WatchHealth`.
  package let health: ServerHealth
  /// Every peer may administer: for a server that nobody else can reach, such as one in this process.
  package var trustsEveryPeer = false

  private let log: Log
  private(set) var held: HeldBytes!
  private var listeners: [Listener] = []
  private var connections: [Int: ServerConnection] = [:]
  private var accepted = 0
  private var admission: Admission<ServerCall>
  private var superseding = SupersedeTable<SupersedeMark.Pane, ServerCallReference>()
  private var trimTimer: (any Scheduled)?
  /// False: nobody waits for admission, which each ending call would have to ask the generic queue.
  private var mayWait = false
  private var random: any RandomNumberGenerator
  package private(set) var isDraining = false
  private var draining: [UnsafeContinuation<Void, Never>] = []
  private var isOutOfTime = false
  private var reading: MetricsReading?

  /// At least as many as `answerAdministrators` adds to the router: the limiter has a place for each.
  private static let administrationsMax = 8
  /// How often those that wait are looked at, if no call ends.
  private static let trimEvery: Duration = .milliseconds(10)
  /// When those that are refused may come back: a window of the limiter later.
  private static let comeBack: Duration = .milliseconds(100)

  package init(
    _ router: RPCRouter, build: String = "", secret: Secret? = nil, limits: ServerLimits = ServerLimits(),
    time: any TimeSource = EventLoop.time, random: any RandomNumberGenerator = SecureRandom(), log: Log = .silent,
    metrics: Metrics? = nil, traces: Traces? = nil
  ) {
    self.router = router
    self.build = build
    self.secret = secret
    self.limits = limits
    self.time = time
    self.random = random
    self.log = log
    ownUser = getuid()
    health = ServerHealth(of: router.serviceName, time: time)
    self.traces = traces
    tally = Tally(service: router.serviceName, metrics: metrics)
    faults = FaultInjection(time: time, seed: self.random.next())
    admission = Admission(limits.concurrency, kinds: router.methods.count + Self.administrationsMax, now: time.now)
    held = HeldBytes(limit: limits.heldBytes) { [unowned self] in
      // The younger of two that hold as much: whom it meets does not depend on hashing, so that a simulation repeats.
      let largest = connections.values.max { ($0.link.held, $0.number) < ($1.link.held, $1.number) }?.link
      return largest.flatMap { $0.held > 0 ? $0 : nil }
    }
    answerAdministrators()
    if let metrics { register(in: metrics) }
  }

  /// What is asked for when somebody reads the metrics, and costs a call nothing.
  private func register(in metrics: Metrics) {
    func gauge(_ name: String, _ help: String) -> Gauge {
      metrics.gauge("odi_rpc_server_" + name, help, labels: ["service": router.serviceName])
    }
    let waiting = gauge("calls_waiting", "Calls that wait for admission.")
    let connections = gauge("connections", "Connections of clients.")
    let held = gauge("held_bytes", "Answers that nobody reads and messages that are not whole.")
    reading = MetricsReading(of: metrics) { [unowned self] in
      waiting.set(admission.queue.count)
      connections.set(connectionCount)
      held.set(heldBytes)
      var running = Array(repeating: 0, count: router.methods.count)
      for connection in self.connections.values { connection.countRunning(&running) }
      tally.tell(running: running)
    }
  }

  /// Listens on an address. Without a shared secret that is a unix socket or this machine's loopback, nothing else.
  @discardableResult
  package func listen(on address: SocketAddress) throws(SocketError) -> SocketAddress {
    guard address.isLocal || secret != nil else {
      throw SocketError(
        .invalidAddress, "\(address) can be reached from other machines: give a shared secret, or listen on 127.0.0.1")
    }
    let listener = try Listener(on: address, options: limits.listener) { self.accept($0) }
    listeners.append(listener)
    return listener.address
  }

  /// Serves one stream, wherever it comes from.
  package func accept(_ stream: any ByteStream) {
    guard !isDraining else { return stream.close(.shutdown) }
    accepted += 1
    let connection = ServerConnection(stream, number: accepted, server: self)
    connections[accepted] = connection
    connection.link.begin(saying: nil)
  }

  func nonce() -> [UInt8] {
    (0..<(Hello.nonceBytes / 8)).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
  }

  // MARK: Calls

  enum Entry { case run, wait, over }

  /// Lets a call in, lets it wait or refuses it. Streams are few and long: only their connection bounds them.
  func admit(_ call: ServerCall, _ now: Instant) -> Entry {
    guard !call.method.isStreaming else { return .run }
    var isRefused = false
    let verdict = admission.arrive(
      call, kind: call.method.index, priority: call.context.priority, deadline: call.context.deadline, now: now
    ) { refused, why in
      if refused === call { isRefused = true }
      refuse(refused, why)
    }
    if case .run(let ticket) = verdict {
      call.ticket = ticket
      return .run
    }
    mayWait = true
    guard !isRefused else { return .over }
    trimSoon()
    return .wait
  }

  private func refuse(_ call: ServerCall, _ why: AdmissionRefusal) {
    let code: RPCError.Code = why == .expired ? .deadlineExceeded : .shed
    tally.waited(call.method, time.now - call.arrived)
    tally.failed(call.method, code)
    call.waiting = nil
    call.endSpan(at: time.now, failing: code)
    let sentence = "\(router.serviceName) is overloaded: \(why.rawValue)"
    call.connection.stop(call, RPCError(code, sentence, executed: .no, retryAfter: Self.comeBack))
    settle(call)
  }

  /// The caller of a waiting call left: one that waits for its turn, or one that was let in and is held up on purpose.
  func withdraw(_ call: ServerCall) {
    let now = time.now
    call.endSpan(at: now, failing: .cancelled)
    if let ticket = call.ticket {
      call.ticket = nil
      admission.finish(ticket, counts: false, now: now)
      startWaiting(now)
    } else {
      _ = admission.remove { $0 === call }
    }
    settle(call)
  }

  func ended(_ call: ServerCall, failing code: RPCError.Code?) {
    let now = time.now
    call.endSpan(at: now, failing: code)
    if let code {
      tally.failed(call.method, code)
    } else {
      tally.succeeded(call.method, after: now - (call.started ?? now), now: now)
    }
    if let ticket = call.ticket {
      call.ticket = nil
      admission.finish(ticket, counts: code == nil, now: now)
      startWaiting(now)
    }
    settle(call)
  }

  private func settle(_ call: ServerCall) {
    if let mark = call.context.supersede {
      superseding.finish(mark.pane, call: ServerCallReference(call: call), now: time.now)
    }
    wakeDrain()
  }

  private func startWaiting(_ now: Instant) {
    guard mayWait else { return }
    while let (call, ticket) = admission.next(now: now, kind: { $0.method.index }, refuse: { refuse($0, $1) }) {
      call.ticket = ticket
      tally.waited(call.method, now - call.arrived)
      call.connection.startWaiting(call)
    }
    mayWait = !admission.queue.isEmpty
  }

  /// While calls wait, those that waited too long are told, even if none finishes.
  private func trimSoon() {
    guard trimTimer == nil else { return }
    trimTimer = time.after(Self.trimEvery) { [self] in
      trimTimer = nil
      admission.trim(now: time.now) { refuse($0, $1) }
      if !admission.queue.isEmpty { trimSoon() }
    }
  }

  /// Cancels what a newer call of the same pane replaces. False if this one is itself too old.
  func supersede(_ call: ServerCall, _ now: Instant) -> Bool {
    guard let mark = call.context.supersede else { return true }
    let isRead = call.method.safety == .read
    switch superseding.arrive(
      mark.pane, sequence: mark.sequence, call: ServerCallReference(call: call), isRead: isRead, now: now)
    {
    case .notARead: return true
    case .run(let older):
      for reference in older {
        reference.call.connection.stop(
          reference.call, RPCError(.superseded, "a newer request of the same pane took its place"))
      }
      return true
    case .superseded(let newer):
      call.connection.stop(
        call, RPCError(.superseded, "request \(mark.sequence) of this pane came after its request \(newer)"))
      return false
    }
  }

  func noteFault(_ error: RPCError, _ method: RPCMethod) {
    guard error.isOurFault else { return }
    log.error(
      "a handler failed",
      [
        "method": .string(method.name), "error": .string(error.message),
        "cause": .string(error.cause.map { "\($0)" } ?? ""),
      ])
  }

  // MARK: Connections

  func lost(_ connection: ServerConnection, _ reason: StreamEnd, _ refusal: String?) {
    connections[connection.number] = nil
    switch reason {
    case .violation(let what):
      log.warning("connection closed", ["peer": .string("\(connection.link.address)"), "why": .string(what)])
    default:
      log.debug("connection closed", ["peer": .string("\(connection.link.address)"), "why": .string("\(reason)")])
    }
    wakeDrain()
  }

  package var connectionCount: Int { connections.count }
  /// Told when messages of megabytes have come or gone, and none is left.
  package var onRest: (() -> Void)? {
    get { held.onRest }
    set { held.onRest = newValue }
  }

  /// What they hold; see `ServerLimits.heldBytes`.
  package var heldBytes: Int { held.total }
  package var runningCount: Int { connections.values.reduce(0) { $0 + $1.running } }
  /// What is under way; nothing of it may be left when no call is.
  package var load: ServerLoad {
    ServerLoad(
      running: runningCount, orphans: connections.values.reduce(0) { $0 + $1.orphanCount },
      admitted: admission.limiter.inFlight, waiting: admission.queue.count, heldBytes: held.total,
      creditUsed: connections.values.reduce(0) { $0 + $1.creditUsed })
  }
  private var isIdle: Bool { connections.values.allSatisfy { $0.running == 0 } }

  // MARK: The end

  /// Stops taking calls, lets those under way end, and closes: at the latest after `limits.drain`.
  package func drain() async {
    isDraining = true
    health.drain()
    for listener in listeners { listener.close() }
    listeners = []
    for connection in inOrder { connection.announceDrain() }
    let bound = time.after(limits.drain) { [self] in
      isOutOfTime = true
      wakeDrain()
    }
    await until { $0.isIdle }
    // What was answered may still be on its way: megabytes to a reader that takes its time.
    for connection in inOrder { connection.link.finish() }
    await until { server in server.connections.values.allSatisfy { $0.link.isClosed } }
    bound.cancel()
    for connection in inOrder { connection.link.close(.shutdown) }
  }

  /// Returns when it is so, or the time to drain is over.
  private func until(_ isSo: (RPCServer) -> Bool) async {
    while !isSo(self), !isOutOfTime { await withUnsafeContinuation { draining.append($0) } }
  }

  /// Something has ended that a drain may wait for.
  private func wakeDrain() {
    guard !draining.isEmpty else { return }
    let waiting = draining
    draining = []
    for waiter in waiting { waiter.resume() }
  }

  private var inOrder: [ServerConnection] { connections.values.sorted { $0.number < $1.number } }

  // MARK: Administration

  private func answerAdministrators() {
    router.on(Ping.self) { [unowned self] (_: Ping, _: borrowing CallContext) in
      Ping.Response(service: router.serviceName, build: build, isDraining: isDraining)
    }
    router.on(CheckHealth.self) { [health] (_: CheckHealth, _: borrowing CallContext) in health.report }
    router.on(WatchHealth.self) { [health] (_: WatchHealth, _: CallContext, writer) async throws in
      try await health.watch(writer)
    }
    router.on(DescribeService.self) { [unowned self] (_: DescribeService, _: borrowing CallContext) in
      router.methods.map { method in
        MethodDescription(
          id: method.id, name: method.name, safety: method.safety.map { "\($0)" },
          request: FieldProbe.fields(of: method.request), response: FieldProbe.fields(of: method.response))
      }
    }
    router.on(ServerStatus.self) { [unowned self] (_: ServerStatus, _: borrowing CallContext) in status() }
    router.on(ReadFaults.self) { [unowned self] (_: ReadFaults, _: borrowing CallContext) in faults.current }
    router.on(InjectFault.self) { [unowned self] (request: InjectFault, context: borrowing CallContext) in
      if let rule = request.rule { try faults.add(rule) } else { faults.clear() }
      log.warning("faults are injected", ["rules": .int(faults.current.count)])
      return faults.current
    }
  }

  private func status() -> ServerStatus.Response {
    func microseconds(_ duration: Duration?) -> Int? { duration.map { Int($0.saturatedNanoseconds / 1_000) } }
    let methods = zip(router.methods, tally.rows).map { method, row in
      MethodStatus(
        name: method.name, succeeded: row.succeeded, failed: row.failed,
        p50Microseconds: microseconds(row.latency.p50), p95Microseconds: microseconds(row.latency.p95))
    }
    return ServerStatus.Response(
      connections: connections.count, running: runningCount, queued: admission.queue.count,
      limit: admission.limiter.limit, methods: methods)
  }
}

/// What a server has in hand at a moment.
nonisolated package struct ServerLoad: Hashable, Sendable {
  /// Calls whose callers wait, and handlers that go on although theirs left.
  package var running: Int
  package var orphans: Int
  /// Calls that hold a place at the door, and those that stand in front of it.
  package var admitted: Int
  package var waiting: Int
  package var heldBytes: Int
  /// Bytes of elements that the readers have not granted again.
  package var creditUsed: Int
}

/// A call as the supersede table compares it: by identity.
struct ServerCallReference: Equatable {
  let call: ServerCall
  nonisolated static func == (left: ServerCallReference, right: ServerCallReference) -> Bool {
    left.call === right.call
  }
}

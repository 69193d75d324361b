package import Clocks
package import EventLoops

/// A network on virtual time: hosts, connections between them, and everything that goes wrong with those, from a seed.
///
/// The same seed and the same calls give the same trace. Bytes of one direction of a connection never overtake each
/// other; connections and directions do. A lost segment costs a retransmission's delay, as with TCP; a segment that
/// cannot get through for fifteen seconds breaks its connection, and an idle one never notices.
package final class SimulatedNetwork {
  /// How a way from one host to another behaves.
  nonisolated package struct Conditions: Hashable, Sendable {
    package var delay: Duration
    /// Each segment takes up to this much longer.
    package var jitter: Duration
    /// Share of segments that are lost and sent again.
    package var loss: Double
    package var bytesPerSecond: Int?
    /// Segments are cut anywhere below this, so that no reader gets used to whole frames.
    package var segmentMax: Int

    package init(
      delay: Duration = .microseconds(200), jitter: Duration = .microseconds(100), loss: Double = 0,
      bytesPerSecond: Int? = nil, segmentMax: Int = 16 << 10
    ) {
      self.delay = delay
      self.jitter = jitter
      self.loss = loss
      self.bytesPerSecond = bytesPerSecond
      self.segmentMax = max(1, segmentMax)
    }
  }

  /// One direction between two hosts.
  nonisolated struct Way: Hashable {
    var from: String
    var to: String

    var back: Way { Way(from: to, to: from) }
  }

  /// The first retransmission comes after Linux's minimum; each further one takes twice as long.
  private static let retransmission: Duration = .milliseconds(200)
  private static let retransmissionsMax = 6

  package let time: any TimeSource
  package var conditions: Conditions
  /// A number that any difference in what happened changes.
  package private(set) var trace: UInt64 = 0xCBF2_9CE4_8422_2325
  package private(set) var eventCount = 0
  /// Ends of connections that are not over.
  package var streamCount: Int { streams.count }
  /// Hears of every event, for a test that wants to print what happened.
  package var observe: ((String) -> Void)?

  private var random: SeededRandom
  private var events = EventQueue()
  private var timer: (any Scheduled)?
  private var timerDue = Instant.distantFuture
  private var isTicking = false
  private var listeners: [SocketAddress: SimulatedListener] = [:]
  private var ways: [Way: Conditions] = [:]
  private var blocked: Set<Way> = []
  private var busyUntil: [Way: Instant] = [:]
  /// Every stream that is not over, in the order of their opening.
  private var streams: [SimulatedStream] = []
  private var connectionCount = 0

  package init(seed: UInt64, time: any TimeSource, conditions: Conditions = Conditions()) {
    random = SeededRandom(seed: seed)
    self.time = time
    self.conditions = conditions
  }

  // MARK: - Using it

  /// Listens at an address of a host; each connection's server end goes to `accept`.
  package func listen(
    _ host: String, on address: SocketAddress, limits: StreamLimits = .init(),
    accept: @escaping (SimulatedStream) -> Void
  ) throws(SocketError) -> SimulatedListener {
    guard listeners[address] == nil else {
      throw SocketError(.addressInUse, "cannot listen on \(address): address already in use")
    }
    let listener = SimulatedListener(network: self, host: host, address: address, limits: limits, accept: accept)
    listeners[address] = listener
    return listener
  }

  /// Connects from a host. The stream does not read until it is told to.
  package func connect(
    _ host: String, to address: SocketAddress, timeout: Duration = .seconds(2), limits: StreamLimits = .init()
  ) async throws(SocketError) -> SimulatedStream {
    let attempt = SimulatedAttempt()
    connectionCount += 1
    let number = connectionCount
    let failure = SocketError(.timedOut, "cannot connect to \(address): no answer within \(timeout)")
    schedule(after: timeout) { attempt.settle(.failure(failure)) }
    // Without a listener the machine still answers, from wherever it is: the default way.
    let way = Way(from: host, to: listeners[address]?.host ?? address.description)
    schedule(after: travel(way, bytes: 0)) { [self] in
      guard !blocked.contains(way), !blocked.contains(way.back) else { return note("lost", number, 0) }
      guard let listener = listeners[address] else {
        note("refused", number, 0)
        let refusal = SocketError(.unreachable, "cannot connect to \(address): connection refused")
        return schedule(after: travel(way.back, bytes: 0)) { attempt.settle(.failure(refusal)) }
      }
      note("connected", number, 0)
      let client = SimulatedStream(network: self, number: number, way: way, peer: address, limits: limits)
      let server = SimulatedStream(
        network: self, number: -number, way: way.back, peer: .unix(path: host), limits: listener.limits)
      client.pauseReading()
      client.join(server)
      streams.append(client)
      streams.append(server)
      listener.accept(server)
      schedule(after: travel(way.back, bytes: 0)) {
        if !attempt.settle(.success(client)) { client.close(.done) }
      }
    }
    let result = await withTaskCancellationHandler {
      await attempt.result()
    } onCancel: {
      Task { @MainActor in
        attempt.settle(.failure(SocketError(.cancelled, "cannot connect to \(address): cancelled")))
      }
    }
    return try result.get()
  }

  // MARK: - Breaking it

  /// Sets how one direction between two hosts behaves from now on.
  package func set(from: String, to: String, _ conditions: Conditions) { ways[Way(from: from, to: to)] = conditions }

  /// Nothing gets from one host to another, and neither notices.
  package func block(from: String, to: String) {
    note("block \(from) \(to)", 0, 0)
    blocked.insert(Way(from: from, to: to))
  }

  /// Neither host hears the other.
  package func partition(_ one: String, _ other: String) {
    block(from: one, to: other)
    block(from: other, to: one)
  }

  /// What was held up gets through, after a retransmission's delay.
  package func heal(_ one: String, _ other: String) {
    note("heal \(one) \(other)", 0, 0)
    let way = Way(from: one, to: other)
    blocked.remove(way)
    blocked.remove(way.back)
    for stream in streams where stream.way == way || stream.way == way.back { stream.wayIsOpen() }
  }

  /// Breaks every connection between two hosts, noticed by both.
  package func reset(_ one: String, _ other: String) {
    let way = Way(from: one, to: other)
    for stream in streams where stream.way == way || stream.way == way.back { stream.resetSoon() }
  }

  // MARK: - For its streams

  func isBlocked(_ way: Way) -> Bool { blocked.contains(way) }

  func segmentSize(_ way: Way, of size: Int) -> Int {
    Int.random(in: 1...min(size, conditions(of: way).segmentMax), using: &random)
  }

  func retransmissionDelay() -> Duration {
    Self.retransmission + .random(upTo: Self.retransmission, using: &random)
  }

  /// How long a segment that leaves now takes to the other end.
  func travel(_ way: Way, bytes: Int) -> Duration {
    let conditions = conditions(of: way)
    var delay = conditions.delay + .random(upTo: conditions.jitter, using: &random)
    if let rate = conditions.bytesPerSecond, bytes > 0 {
      let start = max(time.now, busyUntil[way] ?? time.now)
      let end = start + .nanoseconds(Int64(Double(bytes) / Double(max(1, rate)) * 1e9))
      busyUntil[way] = end
      delay += end - time.now
    }
    var losses = 0
    while losses < Self.retransmissionsMax, Double.random(in: 0..<1, using: &random) < conditions.loss {
      delay += Self.retransmission * (1 << losses)
      losses += 1
    }
    return delay
  }

  func schedule(after delay: Duration, _ body: @escaping () -> Void) { schedule(at: time.now + delay, body) }

  func schedule(at due: Instant, _ body: @escaping () -> Void) {
    events.add(at: due, body)
    arm()
  }

  func forget(_ stream: SimulatedStream) { streams.removeAll { $0 === stream } }

  func forget(_ listener: SimulatedListener) {
    if listeners[listener.address] === listener { listeners[listener.address] = nil }
  }

  func note(_ event: String, _ number: Int, _ size: Int) {
    eventCount += 1
    mix(time.now.nanoseconds)
    mix(UInt64(bitPattern: Int64(number)))
    mix(UInt64(size))
    for byte in event.utf8 { mix(UInt64(byte)) }
    observe?("\((time.now - Instant(nanoseconds: 0)).saturatedNanoseconds / 1_000) us: \(event) #\(number) \(size) B")
  }

  /// Eight bytes at a time: what moves is most of what there is to do here.
  func note(bytes: UnsafeRawBufferPointer) {
    let whole = bytes.count & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    for byte in bytes[whole...] { mix(UInt64(byte)) }
  }

  private func mix(_ value: UInt64) { trace = (trace ^ value) &* 0x100_0000_01B3 }

  private func conditions(of way: Way) -> Conditions { ways[way] ?? conditions }

  /// One timer serves all events.
  private func arm() {
    guard !isTicking, let due = events.due, due < timerDue else { return }
    timer?.cancel()
    timerDue = due
    timer = time.after(due - time.now) { [weak self] in self?.tick() }
  }

  private func tick() {
    timer = nil
    timerDue = .distantFuture
    isTicking = true
    while let body = events.next(upTo: time.now) { body() }
    isTicking = false
    arm()
  }
}

/// A place that accepts simulated connections.
package final class SimulatedListener {
  package let host: String
  package let address: SocketAddress
  let limits: StreamLimits
  let accept: (SimulatedStream) -> Void
  private weak let network: SimulatedNetwork?

  init(
    network: SimulatedNetwork, host: String, address: SocketAddress, limits: StreamLimits,
    accept: @escaping (SimulatedStream) -> Void
  ) {
    self.network = network
    self.host = host
    self.address = address
    self.limits = limits
    self.accept = accept
  }

  /// Connections that are open stay open.
  package func close() { network?.forget(self) }
}

/// One connection that is being opened. Succeeds or fails once.
private final class SimulatedAttempt {
  private var outcome: Result<SimulatedStream, SocketError>?
  private var waiter: UnsafeContinuation<Result<SimulatedStream, SocketError>, Never>?

  @discardableResult
  func settle(_ result: Result<SimulatedStream, SocketError>) -> Bool {
    guard outcome == nil else { return false }
    outcome = result
    waiter?.resume(returning: result)
    waiter = nil
    return true
  }

  func result() async -> Result<SimulatedStream, SocketError> {
    if let outcome { return outcome }
    return await withUnsafeContinuation { waiter = $0 }
  }
}

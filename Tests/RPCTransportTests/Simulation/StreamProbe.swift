import Clocks
import EventLoops
import RPCTransport
import TestKit

/// Writes down everything that a stream tells its handler.
@MainActor
final class StreamProbe: ByteStreamHandler {
  let stream: any ByteStream
  private(set) var received: [UInt8] = []
  private(set) var reads = 0
  private(set) var drains = 0
  private(set) var ends = 0
  private(set) var closings: [StreamEnd] = []
  /// Set while a test calls the stream: nothing may be told from inside.
  var isInsideCall = false
  private(set) var wasToldInsideCall = false
  private(set) var wasToldAfterClosing = false
  var echoes = false
  var staysHalfOpen = false
  var onReceive: (() -> Void)?

  init(_ stream: any ByteStream) {
    self.stream = stream
    stream.handler = self
  }

  func received(_ bytes: UnsafeRawBufferPointer) {
    told()
    reads += 1
    received.append(contentsOf: bytes)
    if echoes { stream.write(bytes) }
    onReceive?()
  }

  func drained() {
    told()
    drains += 1
  }

  func ended(_ stream: any ByteStream) {
    told()
    ends += 1
    if !staysHalfOpen { stream.close(.endedByPeer) }
  }

  func closed(_ reason: StreamEnd) {
    told()
    closings.append(reason)
  }

  func write(_ bytes: [UInt8]) { inside { stream.write(bytes) } }
  func finish() { inside { stream.finish() } }
  func close(_ reason: StreamEnd = .done) { inside { stream.close(reason) } }
  func resumeReading() { inside { stream.resumeReading() } }

  private func inside(_ body: () -> Void) {
    isInsideCall = true
    body()
    isInsideCall = false
  }

  private func told() {
    if isInsideCall { wasToldInsideCall = true }
    if !closings.isEmpty { wasToldAfterClosing = true }
  }
}

/// The streams that must behave alike.
enum StreamKind: String, CaseIterable, Sendable { case memory, simulated, tcp, unix }

/// A connection of some kind with a probe at both ends, and the way to let time pass on it.
@MainActor
final class ProbedPair {
  let client: StreamProbe
  let server: StreamProbe
  private let virtual: ManualTime?
  private let listener: Listener?

  init(_ kind: StreamKind, limits wanted: StreamLimits = .init()) async throws {
    // The machine's real time decides nothing here, however busy it is.
    var limits = wanted
    limits.stall = .seconds(3_600)
    limits.acknowledgement = .seconds(3_600)
    switch kind {
    case .memory:
      let pair = MemoryStream.pair(limits: limits)
      client = StreamProbe(pair.client)
      server = StreamProbe(pair.server)
      virtual = nil
      listener = nil
    case .simulated:
      let time = ManualTime()
      let network = SimulatedNetwork(seed: 1, time: time)
      let address = SocketAddress.loopback(port: 7_101)
      var accepted: SimulatedStream?
      _ = try network.listen("server", on: address, limits: limits) { accepted = $0 }
      client = StreamProbe(try await network.connected("client", to: address, limits: limits, on: time))
      server = StreamProbe(try need(accepted))
      virtual = time
      listener = nil
    case .tcp, .unix:
      var accepted: SocketStream?
      var options = ListenerOptions()
      options.stream = limits
      let path = "/tmp/odi-probe-\(UInt32.random(in: 0...(.max))).sock"
      let listener = try Listener(on: kind == .tcp ? .loopback() : .unix(path: path), options: options) {
        accepted = $0
      }
      let stream = try await Connector.connect(to: listener.address, timeout: .seconds(3_600), limits: limits)
      while accepted == nil { await turn() }
      client = StreamProbe(stream)
      server = StreamProbe(try need(accepted))
      virtual = nil
      self.listener = listener
    }
    client.resumeReading()
  }

  isolated deinit { listener?.close() }

  /// Waits for a condition; false if it does not come.
  func until(_ condition: () -> Bool) async -> Bool {
    if let virtual { return await virtual.run(until: condition) }
    for _ in 0..<100_000 where !condition() { await turn() }
    return condition()
  }

  /// Lets happen what is going to happen without anyone doing anything.
  func settle() async {
    if let virtual { return await virtual.run(for: .seconds(1)) }
    for _ in 0..<50 { await turn() }
  }
}

@MainActor
private final class Outcome { var isKnown = false }

@MainActor
extension SimulatedNetwork {
  /// Connects, living through the time that it takes.
  func connected(
    _ host: String, to address: SocketAddress, patience: Duration = .seconds(30), limits: StreamLimits = .init(),
    on time: ManualTime
  ) async throws -> SimulatedStream {
    let opening = Task { @MainActor in
      try await self.connect(host, to: address, timeout: patience, limits: limits)
    }
    let outcome = Outcome()
    Task { @MainActor in
      _ = await opening.result
      outcome.isKnown = true
    }
    _ = await time.run { outcome.isKnown }
    return try await opening.value
  }
}

/// One turn of the loop, in which it looks at its sockets.
@MainActor
func turn() async {
  await withUnsafeContinuation { continuation in
    EventLoop.atEndOfTurn { continuation.resume() }
  }
}

struct Missing: Error {}

func need<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw Missing() }
  return value
}

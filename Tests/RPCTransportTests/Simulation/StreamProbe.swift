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

  init(_ kind: StreamKind, limits: StreamLimits = .init()) async throws {
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
      async let opening = network.connect("client", to: address, limits: limits)
      await time.run(for: .milliseconds(10))
      client = StreamProbe(try await opening)
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
      let stream = try await Connector.connect(to: listener.address, limits: limits)
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

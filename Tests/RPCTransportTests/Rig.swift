import Clocks
import Crypto
import EventLoops
import Glibc
import RPC
import RPCTransport

enum Transport: String, CaseIterable, Sendable {
  case inProcess, memory, unix, tcp, simulated

  static let overBytes: [Transport] = [.memory, .unix, .tcp, .simulated]
}

/// A client and the test service, joined by one of the transports.
@MainActor
final class Rig {
  let service: TestService
  let client: any RPCClient<TestAPI>
  let server: RPCServer?
  let time: any TimeSource
  let simulation: SimulatedNetwork?
  private let target: ServiceTarget
  private let network: (any Network)?
  private var driver: Task<Void, Never>?
  private static var serial = 0

  init(
    _ transport: Transport, limits: ServerLimits = ServerLimits(), link: LinkLimits = LinkLimits(), seed: UInt64 = 1
  ) async throws {
    let manual = ManualTime()
    time = transport == .simulated ? manual : EventLoop.time
    service = TestService(time: time)
    var limits = limits
    // The door stays wide open: what overload does is tested where nothing else takes the loop's time.
    limits.concurrency.floor = 512
    guard transport != .inProcess else {
      client = InProcessClient(of: TestAPI.self, service.router, time: time)
      server = nil
      simulation = nil
      target = .address(.unix(path: "memory"))
      network = nil
      return
    }
    let server = RPCServer(service.router, limits: limits, time: time, random: SeededRandom(seed: seed))
    self.server = server
    var network: (any Network)?
    var target = ServiceTarget.address(.unix(path: "memory"))
    switch transport {
    case .inProcess, .memory:
      network = MemoryNetwork(server)
      simulation = nil
    case .unix:
      Rig.serial += 1
      target = .address(try server.listen(on: .unix(path: "/tmp/odi-rig-\(getpid())-\(Rig.serial).sock")))
      simulation = nil
    case .tcp:
      target = .address(try server.listen(on: .loopback()))
      simulation = nil
    case .simulated:
      let conditions = SimulatedNetwork.Conditions(
        delay: .microseconds(300), jitter: .microseconds(500), loss: 0.002, segmentMax: 16_000)
      let simulated = SimulatedNetwork(seed: seed, time: time, conditions: conditions)
      let address = SocketAddress.ip(IPAddress("10.0.0.2")!, port: 7_101)
      _ = try simulated.listen("server", on: address) { server.accept($0) }
      simulation = simulated
      network = SimulatedHost("client", on: simulated)
      target = .address(address)
    }
    server.trustsEveryPeer = true
    let wire = network ?? SocketNetwork()
    self.network = wire
    self.target = target
    client = ServiceClient(
      of: TestAPI.self, at: [target], limits: link, network: wire, time: time, random: SeededRandom(seed: seed &+ 1))
    guard transport == .simulated else { return }
    // Virtual time passes while the test waits.
    driver = Task { @MainActor in while !Task.isCancelled { await manual.run(for: .milliseconds(1)) } }
  }

  /// Another client of the same server, over connections of its own.
  func another<Service: RPCService>(of _: Service.Type) -> any RPCClient<Service> {
    guard let network else { return InProcessClient(of: Service.self, service.router, time: time) }
    return ServiceClient(of: Service.self, at: [target], network: network, time: time, random: SeededRandom(seed: 3))
  }

  func close<Service: RPCService>(_ client: any RPCClient<Service>) { (client as? ServiceClient<Service>)?.close() }

  func close() async {
    (client as? ServiceClient<TestAPI>)?.close()
    await server?.drain()
    driver?.cancel()
  }

  /// Lets things happen until `isDone`, or a generous number of turns has passed.
  func until(_ isDone: () -> Bool) async -> Bool {
    for _ in 0..<200_000 {
      if isDone() { return true }
      await withUnsafeContinuation { continuation in EventLoop.atEndOfTurn { continuation.resume() } }
    }
    return isDone()
  }
}

/// A network on virtual time with one server on it, and where that server is. For tests that move time: what goes over
/// `MemoryNetwork` takes turns of the loop, which virtual time does not wait for.
@MainActor
func simulated(_ server: RPCServer, on time: ManualTime) throws -> (any Network, ServiceTarget) {
  let network = SimulatedNetwork(seed: 1, time: time)
  let address = SocketAddress.ip(IPAddress("10.0.0.2")!, port: 7_101)
  _ = try network.listen("server", on: address) { server.accept($0) }
  return (SimulatedHost("client", on: network), .address(address))
}

/// Bytes within the process.
final class MemoryNetwork: Network {
  private let server: RPCServer
  init(_ server: RPCServer) { self.server = server }

  func connect(to address: SocketAddress) async throws(SocketError) -> any ByteStream {
    let pair = MemoryStream.pair()
    server.accept(pair.server)
    return pair.client
  }

  func addresses(of host: String, port: UInt16) async throws(SocketError) -> [SocketAddress] { [] }
}

@MainActor
func error(of body: () async throws(RPCError) -> some Any) async -> RPCError? {
  do throws(RPCError) {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}

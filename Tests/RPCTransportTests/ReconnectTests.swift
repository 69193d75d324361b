import Clocks
import EventLoops
import RPC
import RPCTransport
import Testing

/// A client whose server ends, stays away and comes back, over virtual time.
@Suite("Reconnecting")
@MainActor
struct ReconnectTests {
  private let time = ManualTime()
  private let service: TestService
  private let server: RPCServer
  private let network: SimulatedNetwork

  init() {
    service = TestService(time: time)
    server = RPCServer(service.router, time: time, random: SeededRandom(seed: 1))
    server.trustsEveryPeer = true
    network = SimulatedNetwork(seed: 1, time: time)
  }

  private func listen(at address: SocketAddress) throws -> SimulatedListener {
    try network.listen("server", on: address) { [server] in server.accept($0) }
  }

  private func client(of address: SocketAddress, seed: UInt64) -> ServiceClient<TestAPI> {
    ServiceClient(
      of: TestAPI.self, at: [.address(address)], network: SimulatedHost("client", on: network), time: time,
      random: SeededRandom(seed: seed))
  }

  /// Whether a call is answered; virtual time passes only if it has to.
  private func isAnswered(_ client: ServiceClient<TestAPI>) async -> Bool {
    var result: Bool?
    let call = Task { @MainActor in
      result = (try? await client.call(Echo(text: "in"), CallOptions(mayRetry: false))) == "in"
    }
    _ = await time.run { result != nil }
    await call.value
    return result == true
  }

  @Test(
    "a server of this machine is met within a second of its return, and is asked less than thrice a second until then",
    arguments: [1, 20, 90, 540] as [Int64])
  func near(awaySeconds: Int64) async throws {
    let address = SocketAddress.loopback(port: 7_101)
    let clients = (0..<8).map { client(of: address, seed: $0) }
    let listener = try listen(at: address)
    for client in clients { #expect(await isAnswered(client)) }
    var refused = 0
    network.observe = { if $0.contains(": refused ") { refused += 1 } }
    listener.close()
    network.reset("client", "server")
    // Somebody asks all the while: that must not hasten what was just tried in vain.
    for _ in 0..<awaySeconds * 4 {
      await time.run(for: .milliseconds(250))
      #expect(await !isAnswered(clients[0]))
    }
    #expect(refused >= Int(awaySeconds) && refused <= clients.count * (8 + Int(awaySeconds) * 3), "\(refused)")
    _ = try listen(at: address)
    await time.run(for: .milliseconds(1_050))
    for client in clients {
      let before = time.now
      #expect(await isAnswered(client))
      #expect(time.now - before < .milliseconds(10), "it was connected before it was asked")
      client.close()
    }
  }

  @Test("1,024 calls may wait for a connection; one more fails at once, and was not executed")
  func waiters() async throws {
    let address = SocketAddress.ip(IPAddress("10.0.0.2")!, port: 7_101)
    _ = try listen(at: address)
    network.partition("client", "server")
    let client = client(of: address, seed: 1)
    var answers = 0
    var failures: [RPCError] = []
    let calls = (0..<1_025).map { _ in
      Task { @MainActor in
        do throws(RPCError) {
          _ = try await client.call(Echo(text: ""), CallOptions(timeout: .seconds(600), mayRetry: false))
          answers += 1
        } catch {
          failures.append(error)
        }
      }
    }
    _ = await time.run(until: { !failures.isEmpty }, limit: .seconds(1))
    #expect(failures.map(\.code) == [.unavailable] && failures.first?.executed == .no && answers == 0)
    network.heal("client", "server")
    _ = await time.run(until: { answers + failures.count == 1_025 }, limit: .seconds(300))
    for call in calls { await call.value }
    // A door that opens all at once may shed some of those that waited; none waits on.
    #expect(failures.dropFirst().allSatisfy { $0.code == .shed || $0.code == .resourceExhausted })
    client.close()
  }

  @Test("a server elsewhere, or one that stays away, is asked each ten seconds at the most")
  func far() async throws {
    for address in [SocketAddress.ip(IPAddress("10.0.0.2")!, port: 7_101), .loopback(port: 7_101)] {
      let client = client(of: address, seed: 5)
      await time.run(for: .seconds(700))
      var refused = 0
      network.observe = { if $0.contains(": refused ") { refused += 1 } }
      await time.run(for: .seconds(3_600))
      #expect((360...900).contains(refused), "\(address): \(refused)")
      client.close()
    }
  }
}

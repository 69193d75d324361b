import Clocks
import EventLoops
import RPC
import RPCTransport
import Testing

/// Calls to a service of two endpoints, one of which has stopped answering though its connection lives.
@Suite("Attempts")
@MainActor
struct AttemptTests {
  private let time = ManualTime()
  private let network: SimulatedNetwork
  private let well: TestService
  private let hung: TestService
  private let servers: [RPCServer]
  private let targets: [ServiceTarget]
  /// Two that refuse every call, and one that is well.
  private let closing: TestService
  private let asClosing: TestService
  private let three: [ServiceTarget]

  init() throws {
    network = SimulatedNetwork(seed: 1, time: time)
    (well, hung) = (TestService(time: time), TestService(time: time))
    var limits = ServerLimits()
    (limits.concurrency.floor, limits.concurrency.initial) = (512, 512)
    hung.isHung = true
    (closing, asClosing) = (TestService(time: time), TestService(time: time))
    for service in [closing, asClosing] { service.failuresBeforeSuccess = .max }
    var (servers, targets): ([RPCServer], [ServiceTarget]) = ([], [])
    for (number, service) in [well, hung, closing, asClosing].enumerated() {
      let server = RPCServer(
        service.router, limits: limits, time: time, random: SeededRandom(seed: UInt64(number)))
      let address = SocketAddress.ip(IPAddress("10.0.0.\(number + 2)")!, port: 7_101)
      _ = try network.listen("server \(number)", on: address) { server.accept($0) }
      servers.append(server)
      targets.append(.address(address))
    }
    self.servers = servers
    (self.targets, three) = (Array(targets[..<2]), [targets[0], targets[2], targets[3]])
  }

  private func client(of targets: [ServiceTarget], seed: UInt64) async -> ServiceClient<TestAPI> {
    let client = ServiceClient(
      of: TestAPI.self, at: targets, network: SimulatedHost("client", on: network), time: time,
      random: SeededRandom(seed: seed))
    _ = await time.run { client.connectedCount == targets.count }
    return client
  }

  private struct Ended {
    var result: Result<String, RPCError>
    var took: Duration
  }

  /// Calls what hangs at one of the endpoints, with a task or without.
  private func call<Request: RPCRequest>(
    _ client: ServiceClient<TestAPI>, _ options: CallOptions, direct: Bool = false,
    _ request: Request = MayHang(text: "in")
  ) async -> Ended where Request.Service == TestAPI, Request.Response == String {
    let began = time.now
    var ended: Ended?
    func end(_ result: Result<String, RPCError>) { ended = Ended(result: result, took: time.now - began) }
    if direct {
      _ = client.begin(request, options) { end($0) }
      _ = await time.run { ended != nil }
    } else {
      let call = Task { @MainActor in
        do throws(RPCError) { end(.success(try await client.call(request, options))) } catch { end(.failure(error)) }
      }
      _ = await time.run { ended != nil }
      await call.value
    }
    return ended!
  }

  private func end(_ clients: [ServiceClient<TestAPI>]) async {
    for client in clients { client.close() }
    for server in servers {
      let drained = Task { @MainActor in await server.drain() }
      await time.run(for: .seconds(30))
      await drained.value
    }
  }

  @Test(
    "a call that one endpoint keeps for half of its time is answered by the other, and ends at the first",
    arguments: [false, true])
  func elsewhere(direct: Bool) async throws {
    var clients: [ServiceClient<TestAPI>] = []
    var waited = 0
    for seed in 0..<16 as Range<UInt64> {
      let client = await client(of: targets, seed: seed)
      let ended = await call(client, CallOptions(timeout: .seconds(8)), direct: direct)
      #expect((try? ended.result.get()) == "in")
      if ended.took >= .seconds(4) {
        waited += 1
        #expect(ended.took < .milliseconds(4_200), "\(ended.took)")
      } else {
        #expect(ended.took < .milliseconds(100), "\(ended.took)")
      }
      clients.append(client)
    }
    // Some met the one that hangs first, some the other.
    #expect((1...15).contains(waited) && hung.calls == waited && well.calls == 16)
    #expect(hung.cancellations == waited)
    await end(clients)
  }

  @Test(
    "with one endpoint, or where a call must not be repeated, an attempt has the whole time",
    arguments: [false, true])
  func undivided(direct: Bool) async throws {
    let alone = await client(of: [targets[1]], seed: 1)
    let slow = await call(alone, CallOptions(timeout: .seconds(8)), direct: direct)
    guard case .failure(let failure) = slow.result else { return #expect(Bool(false), "it was answered") }
    #expect(failure.code == .deadlineExceeded && slow.took >= .milliseconds(7_990) && hung.calls == 1)
    var clients = [alone]
    for seed in 0..<8 as Range<UInt64> {
      let client = await client(of: targets, seed: seed)
      let ended = await call(client, CallOptions(timeout: .seconds(8), mayRetry: false), direct: direct)
      if case .failure = ended.result { #expect(ended.took >= .milliseconds(7_990)) }
      clients.append(client)
    }
    #expect(hung.calls > 1 && hung.calls + well.calls == 9)
    await end(clients)
  }

  @Test("who is asked after every other has all that is left", arguments: [false, true])
  func lastAsked(direct: Bool) async throws {
    well.takes = .milliseconds(2_500)
    var clients: [ServiceClient<TestAPI>] = []
    var waited = 0
    for seed in 0..<16 as Range<UInt64> {
      let client = await client(of: targets, seed: seed)
      let ended = await call(client, CallOptions(timeout: .seconds(8)), direct: direct)
      #expect((try? ended.result.get()) == "in" && ended.took < .milliseconds(6_700), "\(ended)")
      if ended.took > .seconds(4) { waited += 1 }
      clients.append(client)
    }
    #expect((1...15).contains(waited) && hung.calls == waited && well.calls == 16)
    await end(clients)
  }

  @Test(
    "the call that tries whether one is well again is answered by the other if it is not", arguments: [false, true])
  func probed(direct: Bool) async throws {
    let client = await client(of: targets, seed: 1)
    func answered() async -> Duration {
      let ended = await call(client, CallOptions(timeout: .seconds(8)), direct: direct)
      #expect((try? ended.result.get()) == "in", "\(ended)")
      return ended.took
    }
    while hung.calls < 5 { _ = await answered() }
    await time.run(for: .seconds(5))
    let took = await answered()
    #expect(hung.calls == 6 && took >= .seconds(4), "\(hung.calls), \(took)")
    await end([client])
  }

  @Test("a call is not made again where it has failed while there are others", arguments: [false, true])
  func everywhere(direct: Bool) async throws {
    var clients: [ServiceClient<TestAPI>] = []
    var furthest = 0
    for seed in 0..<32 as Range<UInt64> {
      let client = await client(of: three, seed: seed)
      let before = (closing.calls, asClosing.calls)
      let ended = await call(client, CallOptions(timeout: .seconds(8)), direct: direct, Refuse(code: 0, message: ""))
      #expect((try? ended.result.get()) == "fine", "\(seed): \(ended.result)")
      if closing.calls > before.0, asClosing.calls > before.1 { furthest += 1 }
      clients.append(client)
    }
    #expect(furthest > 0, "some met the one that is well last")
    await end(clients)
  }

  @Test("no more attempts are cut short than can be made again", arguments: [false, true])
  func asManyAsAreRepeated(direct: Bool) async throws {
    let client = await client(of: targets, seed: 1)
    let began = time.now
    var (answered, failed) = (0, 0)
    func end(_ result: Result<String, RPCError>) {
      switch result {
      case .success: answered += 1
      case .failure(let error):
        failed += 1
        #expect(error.code == .deadlineExceeded && time.now - began >= .milliseconds(7_990), "\(error)")
      }
    }
    let (request, options) = (MayHang(text: "in"), CallOptions(timeout: .seconds(8)))
    let calls = (0..<300).map { _ in
      Task { @MainActor in
        if direct {
          #expect(client.begin(request, options) { end($0) } != nil)
        } else {
          do throws(RPCError) { end(.success(try await client.call(request, options))) } catch { end(.failure(error)) }
        }
      }
    }
    _ = await time.run { answered + failed == 300 }
    for call in calls { await call.value }
    #expect(failed > 0 && answered > 150 && hung.calls > failed, "\(answered), \(failed), \(hung.calls)")
    await self.end([client])
  }
}

import Clocks
import EventLoops
import RPC
import RPCTransport
import Testing

/// A call without a task keeps what callers rely on.
@Suite("Calls without a task")
@MainActor
struct DirectCallTests {
  /// A call that was begun, and how it ended.
  private final class Begun<Answer: Sendable> {
    var call: (any CallUnderWay)?
    var result: Result<Answer, RPCError>?
    var ends = 0
  }

  private func begin<Request: RPCRequest>(
    _ request: Request, on rig: Rig, _ options: CallOptions = CallOptions(timeout: .seconds(60))
  ) -> Begun<Request.Response> where Request.Service == TestAPI {
    let begun = Begun<Request.Response>()
    begun.call = rig.client.begin(request, options) { result in
      begun.result = result
      begun.ends += 1
    }
    return begun
  }

  private func rig(_ transport: Transport) async throws -> Rig {
    let rig = try await Rig(transport)
    _ = try await rig.client.call(Echo(text: "connected"))
    return rig
  }

  private func callsUnderWay(_ rig: Rig) -> Int { (rig.client as? ServiceClient<TestAPI>)?.load.calls ?? 0 }

  @Test("its answer is handed over once, and its place is given back", arguments: Transport.allCases)
  func answer(transport: Transport) async throws {
    let rig = try await rig(transport)
    let quick = begin(Echo(text: "어디"), on: rig)
    let slow = begin(SlowEcho(text: "slow", milliseconds: 2), on: rig)
    #expect(quick.call != nil && slow.call != nil)
    #expect(await rig.until { quick.result != nil && slow.result != nil })
    #expect((try? quick.result?.get()) == "어디" && (try? slow.result?.get()) == "slow")
    #expect(quick.ends == 1 && slow.ends == 1 && callsUnderWay(rig) == 0)
    await rig.close()
  }

  @Test("while there is no connection nothing is begun", arguments: Transport.overBytes)
  func unconnected(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let begun = begin(Echo(text: "too early"), on: rig)
    #expect(begun.call == nil)
    #expect(try await rig.client.call(Echo(text: "later")) == "later")
    #expect(begun.ends == 0 && rig.service.calls == 1)
    await rig.close()
  }

  @Test("a failure that is safe to repeat is repeated, any other is handed over", arguments: Transport.overBytes)
  func failures(transport: Transport) async throws {
    let rig = try await rig(transport)
    rig.service.failuresBeforeSuccess = 2
    let begun = begin(Refuse(code: 0, message: ""), on: rig)
    #expect(await rig.until { begun.result != nil })
    #expect((try? begun.result?.get()) == "fine" && rig.service.calls == 4)
    rig.service.failuresBeforeSuccess = 100
    let hopeless = begin(Refuse(code: 0, message: ""), on: rig)
    #expect(await rig.until { hopeless.result != nil })
    #expect(rig.service.calls == 7)
    rig.service.failuresBeforeSuccess = 0
    let refused = begin(Refuse(code: RPCError.Code.notFound.rawValue, message: "no such film"), on: rig)
    #expect(await rig.until { refused.result != nil })
    guard case .failure(let error) = refused.result else { return #expect(Bool(false), "it was not refused") }
    #expect(error.code == .notFound && error.message == "no such film" && rig.service.calls == 8)
    #expect([begun, hopeless, refused].allSatisfy { $0.ends == 1 } && callsUnderWay(rig) == 0)
    await rig.close()
  }

  @Test("who leaves early ends the handler, and hears of it once", arguments: Transport.overBytes)
  func cancel(transport: Transport) async throws {
    let rig = try await rig(transport)
    let begun = begin(SlowEcho(text: "", milliseconds: 3_600_000), on: rig)
    #expect(await rig.until { rig.service.calls == 2 })
    begun.call?.cancel()
    begun.call?.cancel()
    #expect(await rig.until { rig.service.cancellations == 1 })
    guard case .failure(let error) = begun.result else { return #expect(Bool(false), "it goes on") }
    #expect(error.code == .cancelled && begun.ends == 1 && callsUnderWay(rig) == 0)
    await rig.close()
  }

  @Test("it ends with its deadline, and the handler is cancelled", arguments: Transport.overBytes)
  func deadline(transport: Transport) async throws {
    let rig = try await rig(transport)
    let begun = begin(SlowEcho(text: "", milliseconds: 3_600_000), on: rig, CallOptions(timeout: .milliseconds(40)))
    #expect(await rig.until { begun.result != nil })
    guard case .failure(let error) = begun.result else { return #expect(Bool(false), "it was answered") }
    #expect(error.code == .deadlineExceeded)
    #expect(await rig.until { rig.service.cancellations == 1 })
    await rig.close()
  }
}

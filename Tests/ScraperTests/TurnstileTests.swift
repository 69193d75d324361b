import Clocks
import EventLoops
import RPC
import Scraper
import Testing

@Suite("Turnstiles", .timeLimit(.minutes(5)))
@MainActor
struct TurnstileTests {
  /// Callers that stay inside until the test lets them go.
  @MainActor
  private final class Crowd {
    let turnstile = Turnstile(places: 2, waiting: 1, "callers are here", comeBackAfter: .seconds(3))
    private(set) var inside = 0
    private(set) var done = 0
    private var mayGo = 0
    private let bell = Bell()

    func enter() async throws {
      try await turnstile.pass {
        inside += 1
        defer { inside -= 1 }
        bell.ring()
        while mayGo == 0 { await bell.wait() }
        mayGo -= 1
      }
      done += 1
      bell.ring()
    }

    func letGo(_ count: Int) {
      mayGo += count
      bell.ring()
    }

    func until(_ isSo: (Crowd) -> Bool) async { while !isSo(self), !Task.isCancelled { await bell.wait() } }
  }

  @Test("so many go through at once, so many wait, and who comes beyond is told when to come back")
  func bounded() async throws {
    let crowd = Crowd()
    var callers = (0..<2).map { _ in Task { @MainActor in try await crowd.enter() } }
    await crowd.until { $0.inside == 2 }
    callers.append(Task { @MainActor in try await crowd.enter() })
    for _ in 0..<10 { await Task.yield() }
    let refused = await #expect(throws: RPCError.self) { try await crowd.enter() }
    #expect(refused?.code == .resourceExhausted && refused?.retryAfter == .seconds(3) && refused?.executed == .no)
    #expect(refused?.message == "3 callers are here already; come back in 3 s")
    #expect(crowd.inside == 2)
    crowd.letGo(1)
    await crowd.until { $0.done == 1 && $0.inside == 2 }
    crowd.letGo(2)
    for caller in callers { try await caller.value }
    #expect(crowd.inside == 0 && crowd.done == 3)
  }

  @Test("who gives up waiting leaves its place to the next")
  func gaveUp() async throws {
    let crowd = Crowd()
    let callers = (0..<2).map { _ in Task { @MainActor in try await crowd.enter() } }
    await crowd.until { $0.inside == 2 }
    let waiting = Task { @MainActor in try await crowd.enter() }
    for _ in 0..<10 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let next = Task { @MainActor in try await crowd.enter() }
    crowd.letGo(3)
    for caller in callers + [next] { try await caller.value }
    #expect(crowd.done == 3)
  }
}

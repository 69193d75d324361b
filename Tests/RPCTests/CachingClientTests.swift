import Clocks
import RPC
import Testing

@Suite("A client that caches")
@MainActor
struct CachingClientTests {
  @Test("a thousand equal reads at once are one call, and all are answered")
  func single() async throws {
    let board = Board()
    let client = board.cachingClient()
    let readers = (0..<1_000).map { _ in Task { @MainActor in try await client.call(ReadNotice(shelf: 1)) } }
    await board.asked(1)
    board.answer("a")
    for reader in readers { #expect(try await reader.value == "a") }
    #expect(board.calls == 1)
  }

  @Test("different reads are different calls")
  func different() async throws {
    let board = Board()
    let client = board.cachingClient()
    let readers = (1...2).map { shelf in Task { @MainActor in try await client.call(ReadNotice(shelf: shelf)) } }
    await board.asked(2)
    board.answer("a")
    for reader in readers { _ = try await reader.value }
    #expect(board.calls == 2)
  }

  @Test("a fresh answer is served without a call, a stale one at once with its age and a new one fetched behind it")
  func stale() async throws {
    let board = Board()
    let client = board.cachingClient()
    board.answersAtOnce = "old"
    #expect(try await client.call(ReadNotice(shelf: 1)) == "old")
    board.time.advance(by: .seconds(4))
    let fresh = try await client.read(ReadNotice(shelf: 1))
    #expect(fresh.value == "old" && fresh.age == .seconds(4) && !fresh.isStale && board.calls == 1)
    board.answersAtOnce = "new"
    board.time.advance(by: .seconds(4))
    let stale = try await client.read(ReadNotice(shelf: 1))
    #expect(stale.value == "old" && stale.age == .seconds(8) && stale.isStale)
    await board.asked(2)
    await settled()
    #expect(try await client.read(ReadNotice(shelf: 1)).value == "new" && board.calls == 2)
  }

  @Test("while the service is down a stale answer is served and the service is asked once a second, no more")
  func outage() async throws {
    let board = Board()
    let client = board.cachingClient()
    board.answersAtOnce = "old"
    _ = try await client.call(ReadNotice(shelf: 1))
    board.error = RPCError(.unavailable, "down")
    board.time.advance(by: .seconds(6))
    for _ in 0..<100 {
      #expect(try await client.read(ReadNotice(shelf: 1)).value == "old")
      await settled()
    }
    #expect(board.calls == 2)
    board.time.advance(by: .seconds(2))
    _ = try await client.read(ReadNotice(shelf: 1))
    await settled()
    #expect(board.calls == 3)
    board.time.advance(by: .seconds(120))
    let error = await #expect(throws: RPCError.self) { try await client.read(ReadNotice(shelf: 1)) }
    #expect(error?.code == .unavailable)
  }

  @Test("the work goes on while anybody waits, and is cancelled when the last one leaves")
  func lastToLeave() async throws {
    let board = Board()
    let client = board.cachingClient()
    let readers = (0..<3).map { _ in Task { @MainActor in try await client.call(ReadNotice(shelf: 1)) } }
    await board.asked(1)
    readers[0].cancel()
    readers[1].cancel()
    await #expect(throws: RPCError.self) { try await readers[0].value }
    await #expect(throws: RPCError.self) { try await readers[1].value }
    #expect(board.cancelled == 0)
    readers[2].cancel()
    await #expect(throws: RPCError.self) { try await readers[2].value }
    await board.cancellation()
    #expect(board.cancelled == 1)
  }

  @Test("a caller with more time than the first one still gets its answer")
  func patience() async throws {
    let board = Board()
    let client = board.cachingClient()
    let hasty = Task { @MainActor in try await client.call(ReadNotice(shelf: 1), within: .seconds(1)) }
    await board.asked(1)
    let patient = Task { @MainActor in try await client.call(ReadNotice(shelf: 1), within: .seconds(9)) }
    await settled()
    board.time.advance(by: .seconds(2))
    let error = await #expect(throws: RPCError.self) { try await hasty.value }
    #expect(error?.code == .deadlineExceeded)
    await board.asked(2)
    board.answer("a")
    #expect(try await patient.value == "a")
  }

  @Test("who reads after a write does not get what was asked before it")
  func invalidated() async throws {
    let board = Board()
    let client = board.cachingClient()
    let before = Task { @MainActor in try await client.call(ReadNotice(shelf: 1)) }
    await board.asked(1)
    try client.invalidate(ReadNotice(shelf: 1))
    let after = Task { @MainActor in try await client.call(ReadNotice(shelf: 1)) }
    await board.asked(2)
    board.answerFirst("old")
    #expect(try await before.value == "old")
    board.answer("new")
    #expect(try await after.value == "new")
    #expect(try await client.call(ReadNotice(shelf: 1)) == "new" && board.calls == 2)
  }

  @Test("a read without a declaration is asked each time")
  func undeclared() async throws {
    let board = Board()
    let client = board.cachingClient()
    board.answersAtOnce = "a"
    for _ in 0..<3 { _ = try await client.call(ReadNoticeNow(shelf: 1)) }
    #expect(board.calls == 3 && client.kept.entries == 0)
  }

  /// Lets what was resumed run: each turn of the executor runs what the one before made ready.
  private func settled() async {
    for _ in 0..<50 { await Task.yield() }
  }
}

private enum BoardAPI: RPCService { static let name = "board" }

private struct ReadNotice: RPCRequest {
  typealias Service = BoardAPI
  typealias Response = String
  static let method: MethodID = 0x7001
  static let safety: Safety = .read
  static let freshness: Freshness? = Freshness(fresh: .seconds(5), stale: .seconds(60))
  var shelf: Int
}

private struct ReadNoticeNow: RPCRequest {
  typealias Service = BoardAPI
  typealias Response = String
  static let method: MethodID = 0x7002
  static let safety: Safety = .read
  var shelf: Int
}

/// A service whose answers a test gives when it likes.
@MainActor
private final class Board {
  let time = ManualTime()
  private(set) var calls = 0
  private(set) var cancelled = 0
  var answersAtOnce: String?
  var error: RPCError?
  private var waiting: [UnsafeContinuation<String?, Never>] = []
  private var watchers: [(count: Int, continuation: UnsafeContinuation<Void, Never>)] = []
  private var cancelWatchers: [UnsafeContinuation<Void, Never>] = []

  func cachingClient() -> CachingClient<BoardAPI> {
    let router = RPCRouter(service: "board")
    router.on(ReadNotice.self) { (_: ReadNotice, _: CallContext) async throws in try await self.read() }
    router.on(ReadNoticeNow.self) { (_: ReadNoticeNow, _: CallContext) async throws in try await self.read() }
    return CachingClient(InProcessClient(of: BoardAPI.self, router, time: time), time: time)
  }

  private func read() async throws -> String {
    calls += 1
    watchers.removeAll { watcher in
      guard calls >= watcher.count else { return false }
      watcher.continuation.resume()
      return true
    }
    if let error { throw error }
    if let answersAtOnce { return answersAtOnce }
    let text = await withTaskCancellationHandler {
      await withUnsafeContinuation { waiting.append($0) }
    } onCancel: {
      Task { @MainActor in self.cancel() }
    }
    guard let text else { throw RPCError(.cancelled, "cancelled") }
    return text
  }

  private func cancel() {
    cancelled += 1
    waiting.popLast()?.resume(returning: nil)
    for watcher in cancelWatchers { watcher.resume() }
    cancelWatchers = []
  }

  func asked(_ count: Int) async {
    guard calls < count else { return }
    await withUnsafeContinuation { watchers.append((count, $0)) }
  }

  func cancellation() async {
    guard cancelled == 0 else { return }
    await withUnsafeContinuation { cancelWatchers.append($0) }
  }

  func answer(_ text: String) {
    for continuation in waiting { continuation.resume(returning: text) }
    waiting = []
  }

  func answerFirst(_ text: String) { waiting.removeFirst().resume(returning: text) }
}

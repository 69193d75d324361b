import EventLoops
import Foundation
import TestKit
import Testing

@Suite("Bell")
@MainActor
struct BellTests {
  @Test("a ring wakes everybody who waits, and nobody who comes later")
  func ring() async {
    let bell = Bell()
    var woken = 0
    let waiting = (0..<3).map { _ in
      Task.immediate { @MainActor in
        await bell.wait()
        woken += 1
      }
    }
    bell.ring()
    for task in waiting { await task.value }
    #expect(woken == 3)
    let late = Task.immediate { @MainActor in await bell.wait() }
    #expect(!late.isCancelled && woken == 3)
    bell.ring()
    await late.value
  }

  @Test("whoever is cancelled waits no longer, before or while waiting")
  func cancelled() async {
    let bell = Bell()
    let waiting = Task.immediate { @MainActor in await bell.wait() }
    waiting.cancel()
    await waiting.value
    let late = Task { @MainActor in await bell.wait() }
    late.cancel()
    await late.value
  }

  @Test("memory that nobody uses is given back without harm, and without threads that stay")
  func memory() async throws {
    guard Alone.isAlone else {
      #expect(try await Alone.run("BellTests/memory") == .code(0))
      return
    }
    let before = try Self.threads()
    await Background.giveMemoryBack()
    // The one that did it may be about to end; libuv's pool has four.
    #expect(try Self.threads() < before + 4)
  }

  private static func threads() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }
}

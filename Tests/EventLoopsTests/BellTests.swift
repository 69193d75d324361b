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

  @Test("threads have no further pools of malloc's than was said")
  func pools() async throws {
    guard Alone.isAlone else {
      #expect(try await Alone.run("BellTests/pools") == .code(0))
      return
    }
    let end = DispatchSemaphore(value: 0)
    /// Begins threads that have allocated when this returns, and that live on: pools of those that end are used again.
    func begin(_ count: Int) async {
      for _ in 0..<count {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            let block = UnsafeMutableRawPointer.allocate(byteCount: 64 << 10, alignment: 16)
            continuation.resume()
            end.wait()
            block.deallocate()
          }
        }
      }
    }
    let before = try Self.pools()
    await begin(3)
    let own = try Self.pools()
    #expect(own >= before + 3)
    Background.shareMemory(in: 2)
    await begin(3)
    #expect(try Self.pools() == own)
    for _ in 0..<6 { end.signal() }
  }

  /// Parts of the address space that malloc has reserved for threads: 64 MiB each, the first of which is in use.
  private static func pools() throws -> Int {
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n").map { line in
      let fields = line.split(separator: " ")
      let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      return (begin: ends[0], end: ends[1], rights: fields[1])
    }
    return zip(maps, maps.dropFirst()).count { used, reserved in
      used.rights == "rw-p" && reserved.rights == "---p" && reserved.begin == used.end
        && reserved.end - used.begin == 64 << 20
    }
  }

  private static func threads() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }
}

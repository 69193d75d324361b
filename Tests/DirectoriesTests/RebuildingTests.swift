import Clocks
import Directories
import Observability
import TestKit
import Testing

@MainActor
@Suite("What is served is made anew")
struct RebuildingTests {
  /// What is made anew, when the test says so.
  private final class Works {
    var begun = 0
    var fails = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    struct Broken: Error {}

    func run() async throws {
      begun += 1
      await withCheckedContinuation { waiting.append($0) }
      if fails { throw Broken() }
    }

    func finish() { waiting.removeFirst().resume() }
  }

  private let time = ManualTime()
  private let works = Works()

  private func until(_ isSo: () -> Bool) async {
    while !isSo() { await Task.yield() }
  }

  private func rebuilding() -> Rebuilding {
    Rebuilding(of: "directory", on: time, .silent) { [works] in try await works.run() }
  }

  @Test("changes that are made meanwhile share the next")
  func shared() async {
    let rebuilding = rebuilding()
    rebuilding.begin()
    await until { works.begun == 1 }
    for _ in 0..<3 { rebuilding.begin() }
    works.finish()
    await until { works.begun == 2 }
    works.finish()
    await until { rebuilding.isResting }
    #expect(works.begun == 2)
  }

  @Test("who waits is told when the change is served, not when an older one is")
  func waiting() async {
    let rebuilding = rebuilding()
    rebuilding.begin()
    await until { works.begun == 1 }
    var isServed = false
    let waiter = Task {
      await rebuilding.finish()
      isServed = true
    }
    await Task.yield()
    works.finish()
    await until { works.begun == 2 }
    #expect(!isServed)
    works.finish()
    await waiter.value
    #expect(isServed)
  }

  @Test("who waits is let go after a while, and what was begun goes on")
  func patience() async {
    let rebuilding = rebuilding()
    let waiter = Task { await rebuilding.finish(within: .milliseconds(200)) }
    await until { works.begun == 1 && time.pending == 1 }
    time.advance(by: .milliseconds(200))
    await waiter.value
    works.finish()
    await until { rebuilding.isResting }
    #expect(works.begun == 1)
  }

  @Test("what failed is tried again after a pause")
  func retries() async {
    let rebuilding = rebuilding()
    works.fails = true
    rebuilding.begin()
    await until { works.begun == 1 }
    works.finish()
    await until { time.pending == 1 }
    works.fails = false
    time.advance(by: .milliseconds(500))
    await until { works.begun == 2 }
    works.finish()
    await until { rebuilding.isResting }
    #expect(works.begun == 2)
  }

  @Test("of changes in batches only the last begins one")
  func batches() async {
    let rebuilding = rebuilding()
    for _ in 0..<3 {
      rebuilding.beginSoon()
      time.advance(by: .milliseconds(400))
    }
    #expect(works.begun == 0)
    time.advance(by: .milliseconds(100))
    await until { works.begun == 1 }
    works.finish()
    await until { rebuilding.isResting }
    #expect(works.begun == 1)
  }

  @Test("who waits for news is let go when the service ends")
  func end() async throws {
    let rebuilding = rebuilding()
    let waiter = Task { try await rebuilding.news { true } }
    await Task.yield()
    rebuilding.end()
    try await waiter.value
  }
}

import Clocks
import Dispatch
import EventLoops
import Glibc
import TestKit
import Testing

/// The executor is an SPI of the toolchain: these fail loudly when a new one changes it.
@Suite("The loop as Swift's executor")
struct ExecutorTests {
  @Test("a nonisolated async function runs on the loop's thread")
  func nonisolatedAsync() async {
    #expect(await nonisolatedThread())
  }

  @Test("a @concurrent function runs on the loop's thread")
  func concurrent() async {
    #expect(await concurrentThread())
  }

  @Test("an actor's method runs on the loop's thread")
  func actor() async {
    #expect(await SomeActor().isOnLoop())
  }

  @Test("a detached task runs on the loop's thread")
  func detached() async {
    #expect(await Task.detached { EventLoop.isCurrent }.value)
  }

  @Test("a child of a task group runs on the loop's thread")
  func groupChild() async {
    let answers = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { EventLoop.isCurrent } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == Array(repeating: true, count: 8))
  }

  @Test("a continuation resumed from a foreign thread goes on upon the loop's thread")
  func foreignResume() async {
    let foreign: Bool = await withCheckedContinuation { continuation in
      let box = Unmanaged.passRetained(Box(continuation))
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { argument in
          Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().continuation.resume(returning: EventLoop.isCurrent)
          return nil
        }, box.toOpaque())
      pthread_detach(thread)
    }
    #expect(!foreign)
    #expect(EventLoop.isCurrent)
  }

  @Test("a task that is begun runs until it first waits, from a callback and from within another job")
  @MainActor func begun() async {
    var steps: [String] = []
    func begin(_ name: String) -> Task<Void, Never> {
      EventLoop.begin {
        steps.append("\(name) begins")
        await Task.yield()
        steps.append("\(name) goes on")
      }
    }
    // Jobs that were ready before it run after it, and none of them is lost.
    let earlier = Task { @MainActor in steps.append("earlier") }
    let inJob = begin("in a job")
    steps.append("back")
    await earlier.value
    await inJob.value
    var inCallback: Task<Void, Never>?
    await withUnsafeContinuation { continuation in
      EventLoop.time.after(.zero) {
        inCallback = begin("in a callback")
        steps.append("back again")
        continuation.resume()
      }
    }
    await inCallback?.value
    #expect(
      steps == [
        "in a job begins", "back", "earlier", "in a job goes on", "in a callback begins", "back again",
        "in a callback goes on",
      ])
  }

  @Test("a task that is begun keeps task-local values and can be cancelled")
  @MainActor func begunTask() async {
    let (task, seen) = Self.$number.withValue(7) { () -> (Task<Void, Never>, Seen) in
      let seen = Seen()
      let task = EventLoop.begin {
        seen.number = Self.number
        while !Task.isCancelled { await Task.yield() }
        seen.wasCancelled = true
      }
      return (task, seen)
    }
    #expect(seen.number == 7)
    task.cancel()
    await task.value
    #expect(seen.wasCancelled)
  }

  @TaskLocal private static var number = 0

  @MainActor private final class Seen {
    var number = 0
    var wasCancelled = false
  }

  @Test("the main actor is the loop's thread")
  @MainActor func mainActor() async {
    #expect(EventLoop.isCurrent)
    await Task.yield()
    #expect(EventLoop.isCurrent)
  }

  @Test("the standard library's sleep wakes on the loop's thread")
  func standardSleep() async throws {
    try await ContinuousClock().sleep(for: .milliseconds(2))
    #expect(EventLoop.isCurrent)
  }

  @Test("no Dispatch worker ever exists")
  @MainActor func noDispatch() async throws {
    #expect(try await Alone.run("everyThreadIsOurs") == .code(0))
    #expect(try await Alone.run("aDispatchWorkerIsSeen") == .code(0))
  }

  /// In a process of its own, where no other test starts threads.
  @Test("(alone) every thread is the loop's or libuv's", .enabled(if: Alone.isAlone))
  func everyThreadIsOurs() async throws {
    for _ in 0..<100 { await Task.detached { await Task.yield() }.value }
    _ = await concurrentThread()
    // Both ways to sleep of the standard library would begin a thread of Dispatch elsewhere: they are what is tried here.
    try await ContinuousClock().sleep(for: .milliseconds(2))
    try await Task.sleep(for: .milliseconds(2))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { _ = try await Resolver.addresses(of: "localhost", port: 1) }
      group.addTask { await Background.run {} }
      try await group.waitForAll()
    }
    #expect(strangers().isEmpty)
  }

  @Test("(alone) a Dispatch worker is seen", .enabled(if: Alone.isAlone))
  func aDispatchWorkerIsSeen() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume() }
    }
    #expect(!strangers().isEmpty)
  }

  /// The names of the threads that are neither the first one nor libuv's, which keep the first one's name unless libuv
  /// gives them its own.
  private func strangers() -> [String] {
    let own = String(threadNames(of: "\(getpid())").first ?? "")
    return threadNames().filter { $0 != own && $0 != "libuv-worker" }
  }

  @Test("jobs that never cease do not keep the loop from its timers")
  @MainActor func busyJobs() async {
    let busy = Task { @MainActor in while !Task.isCancelled { await Task.yield() } }
    await withCheckedContinuation { continuation in
      EventLoop.time.after(.milliseconds(1)) { continuation.resume() }
    }
    busy.cancel()
    await busy.value
  }

  private func threadNames(of only: String? = nil) -> [String] {
    guard let directory = opendir("/proc/self/task") else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let id = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard only == nil || only == id, let file = fopen("/proc/self/task/\(id)/comm", "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 64)
      if fgets(&line, 64, file) != nil {
        names.append(String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
    }
    return names
  }
}

private func nonisolatedThread() async -> Bool {
  await Task.yield()
  return EventLoop.isCurrent
}

@concurrent private func concurrentThread() async -> Bool { EventLoop.isCurrent }

private actor SomeActor {
  func isOnLoop() -> Bool { EventLoop.isCurrent }
}

private final class Box: Sendable {
  let continuation: CheckedContinuation<Bool, Never>
  init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = continuation }
}

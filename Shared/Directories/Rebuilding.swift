package import Clocks
import EventLoops
package import Observability

/// Makes what is served anew after changes. One at a time: changes that are made meanwhile share the next.
@MainActor
package final class Rebuilding {
  private let time: any TimeSource
  private let log: Log
  /// What it is called in the log: `directory`.
  private let name: String
  private let rebuild: @MainActor () async throws -> Void
  private let bell = Bell()
  private var running: Task<Void, Never>?
  private var planned: (any Scheduled)?
  package private(set) var isEnding = false
  /// Changes that were told of, and how many of them are in what is served.
  private var told = 0
  private var served = 0

  /// Batches of one import come within milliseconds of each other; and what cannot be read now can be soon.
  private static let pause: Duration = .milliseconds(500)
  /// Before it is tried once more where it failed again and again.
  private static let pauseMax: Duration = .seconds(60)

  package init(
    of name: String, on time: any TimeSource, _ log: Log, _ rebuild: @escaping @MainActor () async throws -> Void
  ) {
    self.name = name
    self.time = time
    self.log = log
    self.rebuild = rebuild
  }

  package var isResting: Bool { running == nil }

  /// There was a change.
  package func begin() {
    told += 1
    guard running == nil else { return }
    running = Task {
      var pause = Self.pause
      while served < told, !isEnding {
        let known = told
        do {
          try await rebuild()
          served = known
          pause = Self.pause
        } catch {
          // What was stored is served as soon as it can be read.
          log.error(
            "what is served could not be made anew; it is tried again",
            ["what": .string(name), "error": "\(error)"])
          try? await time.sleep(for: pause)
          pause = min(pause * 2, Self.pauseMax)
        }
        bell.ring()
      }
      running = nil
    }
  }

  /// There was a change, and more may follow at once: who sends them in batches may stop half way.
  package func beginSoon() {
    planned?.cancel()
    planned = time.after(Self.pause) { [self] in begin() }
  }

  /// There was a change. Returns when it is served, or after `patience`.
  package func finish(within patience: Duration? = nil) async {
    begin()
    let mine = told
    guard let patience else { return await serving(mine) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.serving(mine) }
      group.addTask { [time] in try? await time.sleep(for: patience) }
      await group.next()
      group.cancelAll()
    }
  }

  private func serving(_ change: Int) async {
    while served < change, !isEnding, !Task.isCancelled { await bell.wait() }
  }

  /// Wakes those who wait for news of what is served.
  package func tell() { bell.ring() }

  /// Returns when what is served is no longer old, or when the service ends.
  package func news(while isOld: @MainActor () -> Bool) async throws {
    while isOld(), !isEnding {
      await bell.wait()
      try Task.checkCancellation()
    }
  }

  package func end() {
    isEnding = true
    planned?.cancel()
    bell.ring()
  }
}

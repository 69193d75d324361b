import Clocks
import RPC

/// Keeps a stream of another service open: opens it again when it breaks, slower and slower while that does not work.
final class Following {
  private var task: Task<Void, Never>?
  private let time: any TimeSource
  /// Whether it is open now.
  private(set) var isOpen = false

  /// The first pause is short, because a service that is restarted is back at once.
  private static let pauseMin: Duration = .milliseconds(100)
  /// A change is to reach its watchers within two seconds of the service's return.
  private static let pauseMax: Duration = .seconds(1)

  init(time: any TimeSource) { self.time = time }

  /// - Parameter follow: opens the stream and reads it to its end; calls `opened` with its first element.
  func begin(_ follow: @escaping @MainActor (_ opened: @MainActor () -> Void) async throws -> Void) {
    guard task == nil else { return }
    task = Task { [weak self, time] in
      var pause = Self.pauseMin
      while self != nil, !Task.isCancelled {
        do {
          try await follow {
            self?.isOpen = true
            pause = Self.pauseMin
          }
        } catch {
          // Whatever it was, the stream has to be opened again; the client's log says what.
        }
        self?.isOpen = false
        guard (try? await time.sleep(for: pause)) != nil else { return }
        pause = min(pause * 2, Self.pauseMax)
      }
    }
  }

  func end() {
    task?.cancel()
    task = nil
    isOpen = false
  }
}

import Clocks
import Contracts
import RPC

/// The directory's changes as this process hears them, so that nothing is kept that is no longer so.
final class DirectoryFeed {
  private(set) var revision: Int64?
  /// Hears which cinema was changed or removed.
  var onChange: [(CinemaID) -> Void] = []
  private let locator: any RPCClient<LocatorAPI>
  private let following: Following

  init(locator: any RPCClient<LocatorAPI>, time: any TimeSource) {
    self.locator = locator
    following = Following(time: time)
  }

  var isLive: Bool { following.isOpen }

  func start() {
    following.begin { [weak self] opened in
      guard let self else { return }
      let stream = try await locator.stream(DirectoryChanges(since: revision))
      for try await change in stream {
        opened()
        revision = max(revision ?? 0, change.revision)
        guard let id = change.cinema?.id ?? change.removed else { continue }
        for hear in onChange { hear(id) }
      }
    }
  }

  func stop() { following.end() }
}

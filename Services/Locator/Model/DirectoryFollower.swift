import Clocks
import Contracts
import RPC
import ServiceKit

/// Keeps a worker's directory as the owner's is: when that has changed, it is read again from the database of both.
@MainActor
final class DirectoryFollower: ServicePart {
  nonisolated let name = "follower"
  private let directory: LiveDirectory
  private let owner: any RPCClient<LocatorAPI>
  private let time: any TimeSource
  private var following: Task<Void, Never>?

  /// Before an owner that did not answer is asked again: it began this process, and ends it when it ends.
  private static let pause: Duration = .milliseconds(100)

  init(_ directory: LiveDirectory, of owner: any RPCClient<LocatorAPI>, time: any TimeSource) {
    self.directory = directory
    self.owner = owner
    self.time = time
  }

  func start() async throws {
    following = Task {
      while !Task.isCancelled {
        try? await follow()
        try? await time.sleep(for: Self.pause)
      }
    }
  }

  func stop() async { following?.cancel() }

  private func follow() async throws {
    for try await change in try await owner.stream(DirectoryChanges(since: directory.current.revision))
    where change.revision > directory.current.revision {
      directory.rebuildMeanwhile()
    }
  }
}

import Clocks
import Contracts
import RPC

/// The timetable's changes as this process hears them: nothing is kept that is no longer so, and readers are told.
final class FestivalFeed {
  private(set) var revision: Int64?
  var onChange: [(FestivalChange) -> Void] = []
  private let timetable: any RPCClient<TimetableAPI>
  private let following: Following

  init(timetable: any RPCClient<TimetableAPI>, time: any TimeSource) {
    self.timetable = timetable
    following = Following(time: time)
  }

  func start() {
    following.begin { [weak self] opened in
      guard let self else { return }
      let stream = try await timetable.stream(FestivalChanges(since: revision))
      for try await change in stream {
        opened()
        revision = max(revision ?? 0, change.revision)
        guard change.festival != nil else { continue }
        for hear in onChange { hear(change) }
      }
    }
  }

  func stop() { following.end() }
}

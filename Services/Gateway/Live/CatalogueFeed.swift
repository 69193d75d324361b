import Clocks
import Contracts
import RPC

/// The catalogue's changes as this process hears them, so that nothing is kept that is no longer so.
final class CatalogueFeed {
  private(set) var revision: Int64?
  /// Hears of every change.
  var onChange: [() -> Void] = []
  private let films: any RPCClient<FilmsAPI>
  private let following: Following

  init(films: any RPCClient<FilmsAPI>, time: any TimeSource) {
    self.films = films
    following = Following(time: time)
  }

  func start() {
    following.begin { [weak self] opened in
      guard let self else { return }
      let stream = try await films.stream(CatalogueChanges())
      for try await change in stream {
        opened()
        guard change.revision != revision else { continue }
        revision = change.revision
        for hear in onChange { hear() }
      }
    }
  }

  func stop() { following.end() }
}

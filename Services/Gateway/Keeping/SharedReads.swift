import Clocks
import Contracts
import RPC

/// Reads of services that many answers are made of: asked once however many ask, and kept as long as their contracts say.
///
/// Not of every service: the locator's and the scraper's answers are kept whole, by `AnswerCache`, and change with each
/// event; one read that is kept below them would be a second age for the same thing.
final class SharedReads {
  let upstreams: Upstreams
  private let films: CachingClient<FilmsAPI>
  private let dining: CachingClient<DiningAPI>

  init(_ upstreams: Upstreams, time: any TimeSource) {
    films = CachingClient(upstreams.films, time: time)
    dining = CachingClient(upstreams.dining, time: time)
    self.upstreams = upstreams.sharing(films: films, dining: dining)
  }

  /// Films were added, changed or removed.
  func forgetCatalogue() { films.invalidateAll() }

  func forgetAll() {
    films.invalidateAll()
    dining.invalidateAll()
  }
}

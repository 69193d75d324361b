import Clocks
import Contracts
import RPC

/// Which films have pictures, as the catalogue told last: programmes come from elsewhere and do not say.
final class PosterShelf {
  private(set) var names: [FilmID: String] = [:]
  /// Hears when other pictures are known than before.
  var onChange: () -> Void = {}
  private let films: any RPCClient<FilmsAPI>
  private let time: any TimeSource
  private var asking: Task<Void, Never>?

  /// All that the catalogue tells at once: 1 MB.
  private static let namesMax = 20_000
  private static let patience: Duration = .seconds(10)
  /// While it does not answer.
  private static let pause: Duration = .seconds(30)

  init(films: any RPCClient<FilmsAPI>, time: any TimeSource) {
    self.films = films
    self.time = time
  }

  /// Asks anew, after the catalogue has changed.
  func refresh() {
    asking?.cancel()
    asking = Task { [weak self, films, time] in
      while !Task.isCancelled {
        let found = await outcome { () throws(RPCError) in
          try await films.call(PosterNames(limit: Self.namesMax), CallOptions(timeout: Self.patience))
        }
        guard !Task.isCancelled else { return }
        if let found = try? found.get() {
          self?.take(Dictionary(found.map { ($0.film, $0.poster) }) { first, _ in first })
          return
        }
        try? await time.sleep(for: Self.pause)
      }
    }
  }

  private func take(_ found: [FilmID: String]) {
    guard found != names else { return }
    names = found
    onChange()
  }

  func stop() {
    asking?.cancel()
    asking = nil
  }
}

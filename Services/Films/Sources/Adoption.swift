import Clocks
import Contracts
import Observability
import RPC
import ServiceKit

/// Takes up the films that programmes show, so that one film has one record and every id that it goes by leads there.
///
/// The scraper is asked once a minute for what changed; while it does not answer, the catalogue is as it was.
@MainActor
package final class Adoption: ServicePart {
  nonisolated package let name = "programmes"
  private let catalogue: LiveCatalogue
  private let store: FilmStore
  private let scraper: any RPCClient<ScraperAPI>
  private let time: any TimeSource
  private let log: Log
  private var loop: Task<Void, Never>?
  /// How far the scraper's changes were taken up; nil at the start, when all are asked for once.
  private var mark: String?
  /// The newest asking; another one waits for it, so that the mark only goes forward.
  private var latest: Task<[FilmEdit], any Error>?
  private var failures = FailureStreak(silent: 2)
  /// Whether it ever had a film.
  private var hasAny = false

  /// A new film is on the Discover page within this.
  private static let pause: Duration = .seconds(60)
  /// After a failure, and until there is anything: the scraper starts beside us.
  private static let shortPause: Duration = .seconds(2)
  /// The contract's limit.
  private static let batch = 500
  private static let editor = "programmes"

  init(
    _ catalogue: LiveCatalogue, _ store: FilmStore, scraper: any RPCClient<ScraperAPI>,
    in environment: ServiceEnvironment
  ) {
    self.catalogue = catalogue
    self.store = store
    self.scraper = scraper
    time = environment.time
    log = environment.log
  }

  package func start() async throws {
    loop = Task { [weak self] in
      while let self, !Task.isCancelled {
        var pause = Self.shortPause
        do {
          _ = try await adopt()
          if failures.ended() { log.info("programmes are taken up again") }
          if hasAny { pause = Self.pause }
        } catch {
          note(error)
        }
        guard (try? await time.sleep(for: pause)) != nil else { return }
      }
    }
  }

  package func drain() async {
    loop?.cancel()
    await loop?.value
    loop = nil
  }

  private func note(_ error: any Error) {
    guard !Task.isCancelled, failures.failed() else { return }
    log.warning(
      "programmes are not taken up; see that the scraper runs and that `scraper` says where", ["error": "\(error)"])
  }

  /// Asks what changed in programmes and takes it up. Returns what that changed here.
  func adopt() async throws -> [FilmEdit] {
    let earlier = latest
    let own = Task { [self] in
      _ = await earlier?.result
      return try await takeUpChanges()
    }
    latest = own
    return try await withTaskCancellationHandler {
      try await own.value
    } onCancel: {
      own.cancel()
    }
  }

  private func takeUpChanges() async throws -> [FilmEdit] {
    var edits: [FilmEdit] = []
    var hasMore = true
    while hasMore {
      let changes = try await scraper.call(FilmsChanged(after: mark, limit: Self.batch))
      edits += try await take(changes.films)
      // What could not be stored is asked for again.
      mark = changes.mark
      hasMore = changes.hasMore == true
    }
    return edits
  }

  private func take(_ entries: [FilmEntry]) async throws -> [FilmEdit] {
    guard !entries.isEmpty else { return [] }
    hasAny = true
    let current = catalogue.current
    let edits = try await store.adopt(
      Dictionary(grouping: entries, by: \.film.id).sorted { $0.key < $1.key }.map { id, entries in
        let film = entries[0].film
        return FilmStore.Programmed(
          film: film, others: entries.map(\.asked).filter { $0 != id },
          into: current[id]?.film.id ?? current.record(of: film.inCatalogueWords))
      }, by: Self.editor, at: time.wall)
    // Without an edit too: a second adoption may have stored these a moment ago, and not be served yet.
    try await catalogue.catchUp()
    return edits
  }
}

/// Failures in a row, told once.
nonisolated struct FailureStreak {
  /// So many are no news: what is asked may have been started a moment later.
  let silent: Int
  private var count = 0

  init(silent: Int) { self.silent = silent }

  /// - Returns: whether it is time to tell.
  mutating func failed() -> Bool {
    count += 1
    return count == silent + 1
  }

  /// - Returns: whether that ended what was told.
  mutating func ended() -> Bool {
    defer { count = 0 }
    return count > silent
  }
}

import Clocks
import Contracts
import Observability
import RPC
import ServiceKit

/// Takes up the films that programmes show, so that one film has one record and every id that it goes by leads there.
///
/// The scraper is asked once a minute; while it does not answer, the catalogue is as it was.
@MainActor
package final class Adoption: ServicePart {
  nonisolated package let name = "programmes"
  private let catalogue: LiveCatalogue
  private let store: FilmStore
  private let scraper: any RPCClient<ScraperAPI>
  private let time: any TimeSource
  private let log: Log
  private var loop: Task<Void, Never>?
  /// What was taken up, as it was told: nothing is written for a film that has not changed.
  private var known: [FilmID: Film] = [:]

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
          if !known.isEmpty { pause = Self.pause }
        } catch {
          log.debug("programmes were not asked", ["error": "\(error)"])
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

  /// Asks what plays and takes it up. Returns what that changed.
  func adopt() async throws -> [FilmEdit] {
    let showing = try await scraper.call(FilmsShowing(limit: Self.batch)).map(\.film)
    let new = showing.filter { known[$0.id] != $0 }
    var edits: [FilmEdit] = []
    if !new.isEmpty {
      let current = catalogue.current
      let films = new.map { film in
        (film: film, into: current[film.id]?.film.id ?? current.record(of: film.inCatalogueWords))
      }
      edits = try await store.adopt(films, by: Self.editor, at: time.wall)
      // Without an edit too: a second adoption may have stored these a moment ago, and not be served yet.
      try await catalogue.reload()
    }
    edits += try await mergeWhatTheScraperMerged(showing)
    for film in new { known[film.id] = film }
    return edits
  }

  /// Two films that turned out to be one are one here too.
  private func mergeWhatTheScraperMerged(_ showing: [Film]) async throws -> [FilmEdit] {
    let current = Set(showing.map(\.id))
    var rest = try await store.programmeIDs().filter { !current.contains($0) }[...]
    var edits: [FilmEdit] = []
    // What is served has two where there is one: a second adoption may have merged them, so an edit is not what counts.
    var isBehind = false
    while !rest.isEmpty {
      let batch = Array(rest.prefix(Self.batch))
      rest = rest.dropFirst(batch.count)
      for entry in try await scraper.call(FilmsByID(ids: batch)) where entry.asked != entry.film.id {
        guard let lost = catalogue.current[entry.asked], let kept = catalogue.current[entry.film.id],
          lost.film.id != kept.film.id
        else { continue }
        isBehind = true
        let edit = try await store.merge(kept.film.id, lost.film.id, by: Self.editor, at: time.wall)
        if let edit { edits.append(edit) }
      }
    }
    if isBehind { try await catalogue.reload() }
    return edits
  }
}

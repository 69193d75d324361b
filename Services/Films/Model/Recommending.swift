import Clocks
import Contracts
import Glibc
import Observability
import RPC
import Recommendation
import ServiceKit
import Wire

/// Which films somebody may like: the recommender over the catalogue that is served now, and the model that was trained.
@MainActor
package final class Recommending: ServicePart {
  nonisolated package let name = "recommender"
  private let catalogue: LiveCatalogue
  private let modelPath: String
  private let log: Log
  private var model: RecommendationModel?
  private var recommender = Recommender(model: nil, films: [])
  /// The catalogue that the recommender was made of, and the film of each of its items.
  private var made: Catalogue?
  private var films: [String: Int] = [:]
  private var items: [String] = []

  /// 3,000 items against all are 36 MiB, 20,000 with 100 neighbours each 16.
  private static let modelBytes = 256 << 20

  init(_ catalogue: LiveCatalogue, in environment: ServiceEnvironment) {
    self.catalogue = catalogue
    modelPath = environment.data.file(ModelCommands.fileName)
    log = environment.log
    environment.onReload { [weak self] _ in self?.readModel() }
  }

  package func start() async throws { readModel() }

  /// Takes the model up that was trained last; without one films are found by what is known of them. One that cannot
  /// be read leaves the one before in its place.
  private func readModel() {
    made = nil
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try contents(ofFile: modelPath, bytesMax: Self.modelBytes)
    } catch {
      if error.errno == ENOENT {
        model = nil
      } else {
        log.warning(
          "the model cannot be read; look at the file and reload",
          ["path": .string(modelPath), "error": "\(error)"])
      }
      return
    }
    do throws(ModelFileError) {
      let read = try RecommendationModel(bytes)
      model = read
      log.info("took up a model", ["items": .int(read.items.count)])
    } catch {
      log.warning("the model cannot be read; train it again", ["path": .string(modelPath), "error": "\(error)"])
    }
  }

  // MARK: Questions

  /// Nil if there is no such film.
  func similar(to id: FilmID, limit: Int) -> [SuggestedFilm]? {
    let current = prepare()
    guard let place = current.place(of: id) else { return nil }
    return recommender.similar(to: items[place], limit: limit).compactMap { told($0, in: current) }
  }

  func films(for history: [LikedFilm], limit: Int) -> [SuggestedFilm] {
    let current = prepare()
    let taste = history.compactMap { liked in
      current.place(of: liked.id).map { Taste(film: items[$0], weight: liked.weight) }
    }
    return recommender.recommend(for: taste, limit: limit).compactMap { told($0, in: current) }
  }

  // MARK: The recommender

  /// Made when it is first asked after a change: changes come in bunches, questions seldom.
  private func prepare() -> Catalogue {
    let current = catalogue.current
    guard made !== current else { return current }
    made = current
    // What the model calls a film: its id of any time, or one of elsewhere.
    items = current.films.map { entry in
      let names = entry.ids.map(\.text) + (entry.film.externalIDs ?? [])
      return names.first { model?.place(of: $0) != nil } ?? entry.film.id.text
    }
    films = Dictionary(items.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    recommender = Recommender(
      model: model,
      films: zip(items, current.films).map { item, entry in
        FilmTraits(id: item, traits: entry.traits, popularity: entry.popularity ?? 0)
      })
    return current
  }

  private func told(_ recommendation: RecommendedFilm, in current: Catalogue) -> SuggestedFilm? {
    guard let place = films[recommendation.film] else { return nil }
    return SuggestedFilm(
      film: current.films[place], score: recommendation.score,
      reasons: recommendation.reasons.map { told($0, in: current) })
  }

  private func told(_ reason: Reason, in current: Catalogue) -> RecommendationReason {
    switch reason {
    case .popular: return RecommendationReason(kind: .popular)
    case .because(let item, let shared, let share):
      let film = films[item].map { current.films[$0].film }
      // What says most, of what we have words for.
      for trait in shared {
        guard let colon = trait.firstIndex(of: ":") else { continue }
        let kind: RecommendationKind = .named(String(trait[..<colon]))
        guard RecommendationKind.known.contains(kind) else { continue }
        let word = String(trait[trait.index(after: colon)...])
        return RecommendationReason(kind: kind, film: film, word: word, share: share)
      }
      return RecommendationReason(kind: .liked, film: film, share: share)
    }
  }
}

nonisolated extension CatalogueFilm {
  /// What the recommender goes by.
  fileprivate var traits: [String] {
    let decade = film.year.map { ["years:\($0 / 10 * 10)"] } ?? []
    let makers = (film.directors ?? []).map { "director:\($0)" } + (writers ?? []).map { "writer:\($0)" }
    return makers + (film.cast ?? []).prefix(8).map { "cast:\($0)" } + (film.genres ?? []).map { "genre:\($0)" }
      + (film.countries ?? []).map { "country:\($0)" } + decade
  }
}

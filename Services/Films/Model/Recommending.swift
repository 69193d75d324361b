import Clocks
import Contracts
import EventLoops
import Glibc
import Observability
import RPC
import Recommendation
import ServiceKit
import Wire

/// Which films somebody may like: the recommender over the catalogue that is served now, and the model that was trained.
///
/// It is made, and where somebody has many films also asked, on another thread: the loop answers others meanwhile.
@MainActor
package final class Recommending: ServicePart {
  nonisolated package let name = "recommender"
  private let catalogue: LiveCatalogue
  private let modelPath: String
  private let log: Log
  private var model: RecommendationModel?
  /// Counts the models that were taken up.
  private var modelNumber = 0
  private var made: KnownFilms?
  private var making: Task<Void, Never>?

  init(_ catalogue: LiveCatalogue, in environment: ServiceEnvironment) {
    self.catalogue = catalogue
    modelPath = environment.data.file(ModelCommands.fileName)
    log = environment.log
    environment.onReload { [weak self] _ in try self?.readModel() }
  }

  package func start() async throws {
    // Films are found without it too, and the log says why.
    try? readModel()
  }

  /// Takes the model up that was trained last; without one films are found by what is known of them. One that cannot
  /// be read leaves the one before in its place.
  private func readModel() throws(ReloadError) {
    modelNumber += 1
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try contents(ofFile: modelPath, bytesMax: RecommendationModel.bytesMax)
    } catch {
      if error.errno == ENOENT {
        model = nil
      } else {
        log.warning(
          "the model cannot be read; look at the file and reload",
          ["path": .string(modelPath), "error": "\(error)"])
        throw ReloadError(["\(modelPath) cannot be read: \(error)"])
      }
      return
    }
    do throws(ModelFileError) {
      let read = try RecommendationModel(bytes)
      model = read
      log.info("took up a model", ["items": .int(read.items.count)])
    } catch {
      log.warning("the model cannot be read; train it again", ["path": .string(modelPath), "error": "\(error)"])
      throw ReloadError(["\(modelPath) is no model: \(error); train it again"])
    }
  }

  // MARK: Questions

  /// Nil if there is no such film.
  func similar(to id: FilmID, limit: Int) async -> [SuggestedFilm]? {
    let known = await known()
    return await Background.run { known.similar(to: id, limit: limit) }
  }

  func films(for history: [LikedFilm], limit: Int) async -> [SuggestedFilm] {
    let known = await known()
    return await Background.run { known.films(for: history, limit: limit) }
  }

  /// Made when it is first asked after a change: changes come in bunches, questions seldom. What changes while it is
  /// made waits for the next question.
  private func known() async -> KnownFilms {
    let (revision, number) = (catalogue.current.revision, modelNumber)
    while true {
      if let made,
        made.catalogue === catalogue.current && made.modelNumber == modelNumber
          || made.catalogue.revision > revision || made.modelNumber > number
      {
        return made
      }
      let task = making ?? Task { await make() }
      making = task
      await task.value
    }
  }

  private func make() async {
    let (current, model, number) = (catalogue.current, model, modelNumber)
    made = await Background.run { KnownFilms(current, model, modelNumber: number) }
    making = nil
  }
}

/// The films of one catalogue as the recommender knows them. A value: it can be asked on any thread.
nonisolated private struct KnownFilms: Sendable {
  let catalogue: Catalogue
  let modelNumber: Int
  private let recommender: Recommender
  private let places: [String: Int]
  private let items: [String]

  init(_ catalogue: Catalogue, _ model: RecommendationModel?, modelNumber: Int) {
    self.catalogue = catalogue
    self.modelNumber = modelNumber
    // What the model calls a film: its id of any time, or one of elsewhere.
    items = catalogue.films.map { entry in
      let names = entry.ids.map(\.text) + (entry.film.externalIDs ?? [])
      return names.first { model?.place(of: $0) != nil } ?? entry.film.id.text
    }
    places = Dictionary(items.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    recommender = Recommender(
      model: model,
      films: zip(items, catalogue.films).map { item, entry in
        FilmTraits(id: item, traits: entry.traits(of: catalogue.people), popularity: entry.wanted)
      })
  }

  func similar(to id: FilmID, limit: Int) -> [SuggestedFilm]? {
    guard let place = catalogue.place(of: id) else { return nil }
    return recommender.similar(to: items[place], limit: limit).compactMap(told)
  }

  func films(for history: [LikedFilm], limit: Int) -> [SuggestedFilm] {
    let taste = history.compactMap { liked in
      catalogue.place(of: liked.id).map { Taste(film: items[$0], weight: liked.weight) }
    }
    return recommender.recommend(for: taste, limit: limit).compactMap(told)
  }

  private func told(_ recommendation: RecommendedFilm) -> SuggestedFilm? {
    guard let place = places[recommendation.film] else { return nil }
    let film = catalogue.films[place]
    return SuggestedFilm(
      film: catalogue.people.named(film), score: recommendation.score,
      reasons: recommendation.reasons.map { told($0, for: film) })
  }

  private func told(_ reason: Reason, for suggested: CatalogueFilm) -> RecommendationReason {
    switch reason {
    case .popular: return RecommendationReason(kind: .popular)
    case .because(let item, let shared, let share):
      let film = places[item].map { catalogue.films[$0].film }
      // What says most, of what we have words for.
      for trait in shared {
        guard let colon = trait.firstIndex(of: ":") else { continue }
        let kind: RecommendationKind = .named(String(trait[..<colon]))
        guard RecommendationKind.known.contains(kind) else { continue }
        var word = String(trait[trait.index(after: colon)...])
        if kind == .director || kind == .cast { word = suggested.name(of: word, in: catalogue.people) }
        return RecommendationReason(kind: kind, film: film, word: word, share: share)
      }
      return RecommendationReason(kind: .liked, film: film, share: share)
    }
  }
}

nonisolated extension CatalogueFilm {
  /// What the recommender goes by. People by their ids: films of theirs are alike in whatever letters each lists them.
  fileprivate func traits(of people: People) -> [String] {
    func ids(_ names: [String]?, as kind: String) -> [String] {
      (names ?? []).map { "\(kind):\(people.person(named: $0)?.id.text ?? $0)" }
    }
    let decade = film.year.map { ["years:\($0 / 10 * 10)"] } ?? []
    return ids(film.directors, as: "director") + ids(writers, as: "writer")
      + ids(film.cast.map { Array($0.prefix(8)) }, as: "cast")
      + (film.genres ?? []).map { "genre:\($0)" } + (film.countries ?? []).map { "country:\($0)" } + decade
  }

  /// The name by which it lists whom a trait means.
  fileprivate func name(of id: String, in people: People) -> String {
    ((film.directors ?? []) + (film.cast ?? [])).first { people.person(named: $0)?.id.text == id } ?? id
  }
}

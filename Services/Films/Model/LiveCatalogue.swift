import Atlas
import Clocks
package import Contracts
import Directories
import FilmFiles
import Observability
import RPC
import ServiceKit

/// The catalogue that is served now. After a change another one is made on the database's thread and takes its place.
@MainActor
package final class LiveCatalogue: ServicePart {
  nonisolated package let name = "catalogue"
  private(set) var current = Catalogue.empty
  private let store: FilmStore
  private let seedsWhenEmpty: Bool
  private let time: any TimeSource
  private let log: Log
  private let size: Gauge
  private let building: Histogram
  private lazy var rebuilding = Rebuilding(of: "catalogue", on: time, log) { [weak self] in try await self?.reload() }

  /// Who adds what the build knows, for the history.
  private static let seeder = "odi-films seed"

  init(_ store: FilmStore, seedsWhenEmpty: Bool, in environment: ServiceEnvironment) {
    self.store = store
    self.seedsWhenEmpty = seedsWhenEmpty
    time = environment.time
    log = environment.log
    size = environment.metrics.gauge("odi_films_films", "Films in the catalogue.")
    building = environment.metrics.histogram("odi_films_catalogue_seconds", "Making the catalogue after a change.")
  }

  package func start() async throws {
    try await reload()
    if seedsWhenEmpty, current.films.isEmpty { _ = try await seed() }
  }

  package func drain() async { rebuilding.end() }

  /// Makes the catalogue anew from what is stored.
  func reload() async throws {
    let start = time.now
    let loaded = try await store.load()
    building.record(time.now - start)
    // Two changes may be loaded at once, and the older one arrive later.
    guard loaded.revision >= current.revision else { return }
    current = loaded
    size.set(Double(loaded.films.count))
    log.debug(
      "catalogue",
      ["revision": .int(loaded.revision), "films": .int(loaded.films.count), "took": .duration(time.now - start)])
    rebuilding.tell()
  }

  /// Makes it anew if something was stored that it does not have.
  func catchUp() async throws {
    if try await store.revision() > current.revision { try await reload() }
  }

  /// Makes it anew once no more changes come.
  func reloadSoon() { rebuilding.beginSoon() }

  /// Adds the known films that are not there yet, and to the others what this build has come to know of them; what
  /// somebody has changed stays as it is.
  func seed() async throws -> [FilmEdit] {
    let known = try FilmTable.read(Atlas.films.bytes, named: Atlas.films.name).films()
    let places = known.map { (film: $0, record: current.record(of: $0)) }
    let arrivals = places.filter { $0.record == nil }.map { FilmStore.Arrival(film: $0.film) }
    let added = try await store.put(arrivals, by: Self.seeder, at: time.wall)
    let there = places.compactMap { film, record in record.map { FilmStore.Arrival(film: film, into: $0) } }
    let edits = added + (try await store.complete(there, by: Self.seeder, at: time.wall))
    if !edits.isEmpty {
      log.info(
        "added and completed the known films",
        ["added": .int(added.count), "completed": .int(edits.count - added.count)])
      try await reload()
    }
    return edits
  }

  /// Returns when there is a later revision, or when the service ends.
  func changed(since revision: Int64) async throws {
    try await rebuilding.news { current.revision <= revision }
  }
}

nonisolated extension Catalogue {
  /// The record that a film from elsewhere is: by its ids, or by title, year and director; nil if it is none.
  ///
  /// - Parameter isNamed: somebody gave it its id. One that was made of its title says no more than the title.
  package func record(of film: CatalogueFilm, isNamed: Bool = true) -> FilmID? {
    for id in isNamed ? film.ids : film.otherIDs ?? [] { if let known = self[id] { return known.film.id } }
    for id in film.film.externalIDs ?? [] { if let known = self.film(named: id) { return known.film.id } }
    guard let id = record(of: film.film), let known = self[id], !known.excludes(film) else { return nil }
    return id
  }

  /// By title, year and director alone. Without a year nothing is sure enough to be joined by itself.
  package func record(of film: Film) -> FilmID? {
    guard film.year != nil else { return nil }
    let printed = PrintedFilm(
      title: film.title, titles: film.searchedTitles, year: film.year, directors: film.directors,
      runtimeMinutes: film.runtimeMinutes)
    let match = TitleMatcher(self).match(printed, limit: 1)
    guard let best = match.candidates.first, match.film == best.film.id else { return nil }
    // A part of a title is enough for a proposal, and not for a fact.
    let isSpeltSo = best.parts.contains { $0.name == "title" && $0.note.contains(" = ") }
    // Nor is it one if somebody else made it, however much else agrees.
    let isOthers = best.parts.contains { $0.name == "director" && $0.score < 0 }
    let isOfThatYear = best.parts.contains { $0.name == "year" && $0.score > 0 }
    return isSpeltSo && isOfThatYear && !isOthers ? best.film.id : nil
  }
}

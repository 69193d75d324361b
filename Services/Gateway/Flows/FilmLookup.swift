import Contracts
import HTTP
import RPC

/// What is known of a film: by its programme, by the catalogue, or by both.
nonisolated struct KnownFilm: Sendable {
  /// By its id of today.
  var film: Film
  var entry: CatalogueFilm?
  /// Whether its title is the one that cinemas print.
  var isPrinted: Bool
  /// Every id that its showings may carry.
  var ids: [FilmID]
  /// One of the two did not answer, and may know more of it.
  var isPartial = false

  /// Nil if neither knows it.
  init?(_ programme: Film?, _ entry: CatalogueFilm?) {
    guard let film = programme.map({ $0.completed(by: entry) }) ?? entry?.film else { return nil }
    self.film = film
    self.entry = entry
    isPrinted = programme != nil
    ids = [film.id] + (entry?.ids ?? []).filter { $0 != film.id }
  }
}

/// Asks the programmes and the catalogue about films at once. One of the two may be away.
struct FilmLookup {
  let scraper: any RPCClient<ScraperAPI>
  let films: any RPCClient<FilmsAPI>

  /// Films that both are asked about at once.
  static let idsMax = min(FilmsByID.idsMax, CatalogueFilms.idsMax)

  /// Films that play among which similar ones are looked for, those with the most showings first.
  private static let playingMax = 200

  /// What was found of several films.
  struct Found {
    /// By the id that was asked for.
    var films: [FilmID: KnownFilm] = [:]
    /// Why one of the two did not answer: a film that is not here may be known to it.
    var failure: RPCError?
  }

  /// - Parameter programme: for the scraper's part, if the answer can do without it.
  func films(_ ids: [FilmID], _ asking: Asking, programme options: CallOptions? = nil) async -> Found {
    guard !ids.isEmpty else { return Found() }
    let ofProgramme = if let options { options } else { asking.options }
    async let shown = outcome { () throws(RPCError) in
      try await scraper.call(FilmsByID(ids: ids), ofProgramme)
    }
    async let catalogued = outcome { () throws(RPCError) in
      try await films.call(CatalogueFilms(ids: ids, namesPeople: true), asking.optionsForExtras)
    }
    let (programme, catalogue) = (await shown, await catalogued)
    let programmes = ((try? programme.get()) ?? []).byAsked(\.asked, \.film)
    let entries = ((try? catalogue.get()) ?? []).byAsked(\.asked, \.film)
    var found = Found(failure: programme.failure ?? catalogue.failure)
    for id in ids { found.films[id] = KnownFilm(programmes[id], entries[id]) }
    return found
  }

  /// One film; not found if nobody knows it.
  func film(_ id: FilmID, _ asking: Asking) async throws -> KnownFilm {
    let found = await films([id], asking)
    if var film = found.films[id] {
      film.isPartial = found.failure != nil
      return film
    }
    if let failure = found.failure { throw failure }
    throw Problem(.notFound, "no film has the id \(id)")
  }

  /// Films like one.
  struct Alike {
    var films: [FilmItem]
    /// The catalogue did not answer, and would have told others.
    var isPartial = false
  }

  /// Films like one, by the catalogue; without it, those that play and share something.
  func similar(to film: Film, limit: Int, _ asking: Asking) async throws -> Alike {
    let found = await outcome { () throws(RPCError) in
      try await films.call(SimilarFilms(film: film.id, limit: limit), asking.optionsForExtras)
    }
    if let similar = try? found.get() { return Alike(films: similar.map { FilmItem($0.film, in: asking.language) }) }
    let playing = try await optional { () throws(RPCError) in
      try await scraper.call(FilmsShowing(limit: Self.playingMax), asking.optionsForExtras)
    }
    let alike = Similar.films(to: film, among: (playing ?? []).map(\.film)).prefix(limit)
    // A film that the catalogue does not have lacks nothing: nobody is to ask again.
    let isUnknown = found.failure?.code == .notFound
    return Alike(films: alike.map { FilmItem($0, in: asking.language) }, isPartial: !isUnknown || playing == nil)
  }
}

nonisolated extension Result where Failure == RPCError {
  fileprivate var failure: RPCError? {
    if case .failure(let error) = self { error } else { nil }
  }
}

nonisolated extension Array {
  fileprivate func byAsked<Value>(
    _ asked: KeyPath<Element, FilmID>, _ value: KeyPath<Element, Value>
  ) -> [FilmID: Value] {
    Dictionary(map { ($0[keyPath: asked], $0[keyPath: value]) }) { first, _ in first }
  }
}

nonisolated extension Film {
  /// What its programme tells, and what the catalogue knows besides.
  func completed(by entry: CatalogueFilm?) -> Film {
    guard let known = entry?.film else { return self }
    var film = self
    film.originalTitle = film.originalTitle ?? known.originalTitle
    film.year = film.year ?? known.year
    film.runtimeMinutes = film.runtimeMinutes ?? known.runtimeMinutes
    film.countries = film.countries ?? known.countries
    film.genres = film.genres ?? known.genres
    film.directors = film.directors ?? known.directors
    film.cast = film.cast ?? known.cast
    film.rating = film.rating ?? known.rating
    film.synopsis = film.synopsis ?? known.synopsis
    film.poster = known.poster
    film.add(known.titles ?? [])
    for id in known.externalIDs ?? [] where film.externalIDs?.contains(id) != true {
      film.externalIDs = (film.externalIDs ?? []) + [id]
    }
    return film
  }
}

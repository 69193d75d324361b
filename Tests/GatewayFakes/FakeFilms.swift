package import Clocks
package import Contracts
package import RPC

/// A small catalogue, in memory: some classics, and what the invented cinemas show.
@MainActor
package final class FakeFilms {
  package let manners = FakeManners()
  package let router = RPCRouter(service: FilmsAPI.name)
  package var films: [CatalogueFilm]
  package var genres = [GenreCount(id: "drama", films: 6), GenreCount(id: "horror", films: 1)]
  /// The picture that every film has which has a poster; nil: it cannot be had now.
  package var picture: PosterPicture?
  private let time: any TimeSource

  package var client: any RPCClient<FilmsAPI> { InProcessClient(of: FilmsAPI.self, router, time: time) }

  package init(showing: [Film], time: any TimeSource) {
    self.time = time
    films =
      showing.map { film in
        var entry = CatalogueFilm(film: film, writers: ["A Writer"], credit: "told by somebody")
        entry.film.genres = ["drama"]
        // By this id it was known before it played.
        entry.otherIDs = [FilmID("\(film.id.text)-\(film.year ?? 0)")].compactMap(\.self)
        return entry
      } + Self.classics
    register()
  }

  private static func isNamed(_ text: String, in entry: CatalogueFilm) -> Bool {
    person.name.contains(text) && entry.film.directors?.contains(person.name) == true
  }

  private func entry(_ id: FilmID) -> CatalogueFilm? { films.first { $0.ids.contains(id) } }

  private func register() {
    router.on(ListCatalogue.self, manners) { [self] request in
      var found = request.only.map { $0.compactMap(entry) } ?? films
      found = found.filter { entry in
        (request.genres.map { !Set($0).isDisjoint(with: entry.film.genres ?? []) } ?? true)
          && (request.countries.map { !Set($0).isDisjoint(with: entry.film.countries ?? []) } ?? true)
          && entry.film.year ?? 0 >= request.yearFrom ?? 0 && entry.film.year ?? 0 <= request.yearTo ?? 9_999
          && (request.text.map { entry.film.title.contains($0) || Self.isNamed($0, in: entry) } ?? true)
      }
      guard let start = Int(request.after ?? "0"), (0...found.count).contains(start) else {
        throw RPCError(.outOfRange, "no such page")
      }
      let page = found.dropFirst(start).prefix(request.limit)
      let end = start + page.count
      return CataloguePage(
        films: Array(page), next: end < found.count ? String(end) : nil, total: found.count, revision: 1,
        people: request.text.map(Self.person.name.contains) == true ? [Self.person] : nil)
    }
    router.on(CatalogueFilms.self, manners) { [self] request in
      request.ids.compactMap { id in entry(id).map { CatalogueEntry(asked: id, film: $0) } }
    }
    router.on(SearchCatalogue.self, manners) { [self] request in
      let text = request.text.lowercased()
      let hits = films.filter { $0.film.title.lowercased().contains(text) }
        .map { CatalogueHit(film: $0, score: 90, matched: $0.film.title, highlights: []) }
      let people = Self.person.name.lowercased().contains(text) && request.includesPeople == true
      return people ? hits + [CatalogueHit(person: Self.person, score: 80, matched: "Ozu", highlights: [])] : hits
    }
    router.on(MatchTitles.self, manners) { [self] request in
      guard request.titles.count <= 200 else { throw RPCError(.invalidArgument, "at most 200 titles") }
      return request.titles.map(match)
    }
    router.on(SimilarFilms.self, manners) { [self] request in
      guard let film = entry(request.film) else { throw RPCError(.notFound, "no film has the id \(request.film)") }
      return suggested([film.film.id], request.limit)
    }
    router.on(RecommendFilms.self, manners) { [self] request in
      suggested(request.history.compactMap { entry($0.id)?.film.id }, request.limit)
    }
    router.on(Genres.self, manners) { [self] _ in genres }
    router.on(PersonByID.self, manners) { [self] request in
      guard request.id == Self.person.id else { throw RPCError(.notFound, "nobody has the id \(request.id)") }
      let directed = films.filter { $0.film.directors?.contains(Self.person.name) == true }
      return PersonPage(person: Self.person, directed: directed, wrote: [], playedIn: [])
    }
    router.on(PosterOfFilm.self, manners) { [self] request in
      guard entry(request.film)?.film.poster != nil else { throw RPCError(.notFound, "no poster") }
      guard let picture else { throw RPCError(.unavailable, "away") }
      return picture
    }
    router.on(PosterNames.self, manners) { [self] _ in
      films.compactMap { entry in entry.film.poster.map { PosterName(film: entry.film.id, poster: $0) } }
    }
    router.on(CatalogueChanges.self) {
      [self] (_: CatalogueChanges, context: CallContext, writer: StreamWriter<CatalogueChange>) in
      try await manners.pass("CatalogueChanges", context)
      try await writer.send(CatalogueChange(revision: 1))
      try await time.sleep(for: .seconds(86_400))
    }
  }

  /// By the whole title and the year; a film that begins with the same word may be meant.
  private func match(_ printed: PrintedFilm) -> TitleMatch {
    let name = printed.title.lowercased()
    let same = films.filter { entry in
      entry.film.title.lowercased() == name && (printed.year == nil || printed.year == entry.film.year)
    }
    let word = name.prefix { $0 != " " }
    let near = same.isEmpty ? films.filter { $0.film.title.lowercased().hasPrefix(word) } : same
    return TitleMatch(
      name: printed.title, attributes: [], removed: [], film: same.count == 1 ? same[0].film.id : nil,
      candidates: near.map { TitleCandidate(film: $0.film, score: 1, parts: []) })
  }

  /// All others; the first that was liked is the reason.
  private func suggested(_ liked: [FilmID], _ limit: Int) -> [SuggestedFilm] {
    let reason = liked.first.flatMap(entry).map { entry in
      RecommendationReason(kind: .director, film: entry.film, word: "A Director", share: 1)
    }
    return films.filter { !liked.contains($0.film.id) }.prefix(limit)
      .map { SuggestedFilm(film: $0, score: 0.5, reasons: [reason ?? RecommendationReason(kind: .popular)]) }
  }

  private static let person = Person(id: PersonID("yasujiro-ozu")!, name: "Yasujirō Ozu", films: 2)

  private static let classics = [
    classic("film_tokyo-story-1953", "Tokyo Story", "東京物語", 1953, person.name),
    classic("film_late-spring-1949", "Late Spring", "晩春", 1949, person.name),
    classic("film_ran-1985", "Ran", "乱", 1985, "Akira Kurosawa"),
  ]

  private static func classic(
    _ id: String, _ title: String, _ original: String, _ year: Int, _ director: String
  ) -> CatalogueFilm {
    CatalogueFilm(
      film: Film(
        id: FilmID(id)!, title: title, titles: [FilmTitle(language: "ja", text: original)], originalTitle: original,
        year: year, countries: ["JP"], genres: ["drama"], directors: [director]))
  }
}

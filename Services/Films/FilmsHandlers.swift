import Contracts
import RPC

/// Answers the catalogue's contracts from memory. None of them waits but the stream of changes, posters, and what is
/// recommended, which is reckoned on another thread.
struct FilmsHandlers {
  let catalogue: LiveCatalogue
  let recommending: Recommending
  let posters: PosterSource

  private enum Limits {
    static let textBytes = 500
  }

  func register(on router: RPCRouter) {
    router.on(ListCatalogue.self) { (request: ListCatalogue, _: borrowing CallContext) in
      try RPCError.check(request.limit, in: 1...ListCatalogue.limitMax)
      try RPCError.check(count: request.only?.count, of: "ids", atMost: ListCatalogue.onlyMax)
      try Self.check(text: request.text)
      guard let page = catalogue.current.page(request) else {
        throw RPCError(.outOfRange, "after is no place in a list; begin without it", executed: .no)
      }
      return page
    }
    router.on(SearchCatalogue.self) { (request: SearchCatalogue, _: borrowing CallContext) in
      try RPCError.check(request.limit, in: 1...SearchCatalogue.limitMax)
      try Self.check(text: request.text)
      return catalogue.current.search(request)
    }
    router.on(CatalogueFilms.self) { (request: CatalogueFilms, _: borrowing CallContext) in
      try RPCError.check(count: request.ids.count, of: "ids", atMost: CatalogueFilms.idsMax)
      let current = catalogue.current
      var budget = FilmBudget()
      return request.ids.compactMap { id in
        guard var entry = current[id] else { return nil }
        if request.namesPeople == true { entry = current.people.named(entry) }
        return CatalogueEntry(asked: id, film: budget.take(entry))
      }
    }
    router.on(SimilarFilms.self) { (request: SimilarFilms, _: CallContext) in
      try RPCError.check(request.limit, in: 1...SimilarFilms.limitMax)
      guard let similar = await recommending.similar(to: request.film, limit: request.limit) else {
        throw RPCError(.notFound, "no film has the id \(request.film)")
      }
      return similar
    }
    router.on(MatchTitles.self) { (request: MatchTitles, _: borrowing CallContext) in
      try RPCError.check(request.limit, in: 1...MatchTitles.limitMax)
      try RPCError.check(count: request.titles.count, of: "titles", atMost: MatchTitles.titlesMax)
      for title in request.titles { try Self.check(text: title.title) }
      let matcher = TitleMatcher(catalogue.current)
      var budget = FilmBudget()
      return request.titles.map { title in
        var match = matcher.match(title, limit: request.limit)
        for index in match.candidates.indices {
          match.candidates[index].film = budget.take(match.candidates[index].film)
        }
        return match
      }
    }
    router.on(RecommendFilms.self) { (request: RecommendFilms, _: CallContext) in
      try RPCError.check(request.limit, in: 1...RecommendFilms.limitMax)
      try RPCError.check(count: request.history.count, of: "films", atMost: RecommendFilms.historyMax)
      guard request.history.allSatisfy({ $0.weight.isFinite }) else {
        throw RPCError(.invalidArgument, "a weight is no number; give 1 for a film that was saved", executed: .no)
      }
      return await recommending.films(for: request.history, limit: request.limit)
    }
    router.on(Genres.self) { (_: Genres, _: borrowing CallContext) in catalogue.current.genres }
    router.on(PersonByID.self) { (request: PersonByID, _: borrowing CallContext) in
      let current = catalogue.current
      guard let page = current.people.page(of: request.id, in: current.films) else {
        throw RPCError(.notFound, "nobody has the id \(request.id)")
      }
      return page
    }
    router.on(PosterOfFilm.self) { (request: PosterOfFilm, _: CallContext) in
      try RPCError.check(request.width, "width", in: 1...PosterOfFilm.widthMax)
      guard let film = catalogue.current[request.film] else {
        throw RPCError(.notFound, "no film has the id \(request.film)")
      }
      return try await posters.poster(of: film, width: request.width)
    }
    router.on(PosterNames.self) { (request: PosterNames, _: borrowing CallContext) in
      try RPCError.check(request.limit, in: 1...PosterNames.limitMax)
      let named = catalogue.current.films.lazy.compactMap { entry in
        entry.film.poster.map { PosterName(film: entry.film.id, poster: $0) }
      }
      return Array(named.prefix(request.limit))
    }
    router.on(CatalogueChanges.self) {
      (_: CatalogueChanges, _: CallContext, writer: StreamWriter<CatalogueChange>) in
      try await follow(writer)
    }
  }

  private func follow(_ writer: StreamWriter<CatalogueChange>) async throws {
    while !writer.isShuttingDown {
      let seen = catalogue.current.revision
      try await writer.send(CatalogueChange(revision: seen))
      try await catalogue.changed(since: seen)
    }
  }

  private static func check(text: String?) throws(RPCError) {
    guard text?.utf8.count ?? 0 <= Limits.textBytes else {
      throw RPCError(.invalidArgument, "the text is longer than \(Limits.textBytes) bytes; shorten it", executed: .no)
    }
  }
}

import Contracts
import HTTP
import JSON
import RPC

/// Films, cinemas, people and festivals by name.
final class SearchCoordinator: Coordinator {
  private let locator: any RPCClient<LocatorAPI>
  private let scraper: any RPCClient<ScraperAPI>
  private let films: any RPCClient<FilmsAPI>
  private let titles: TitleShelf
  private let festivals: FestivalShelf

  init(
    locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, films: any RPCClient<FilmsAPI>,
    titles: TitleShelf, festivals: FestivalShelf
  ) {
    self.locator = locator
    self.scraper = scraper
    self.films = films
    self.titles = titles
    self.festivals = festivals
  }

  enum Kind: String, CaseIterable, Sendable { case film, cinema, person, festival }

  private static let text = QueryField<String?>.text(
    "q", "A part of a name, two letters of Korean or Japanese, or initial consonants.", isRequired: true,
    length: 1...100)
  private static let types = QueryField<Set<Kind>>.choices("types", "Only these; all if left out.", of: Kind.self)
  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 20)
  /// What fits under a field that is being typed in.
  private static let suggested = 8
  private static let sources: Set<Ingredient> = [.directory, .schedule, .catalogue, .festivals]

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/search", "search", "Films, cinemas, people and festivals by name, the best first.", .search,
        query: [
          Self.text, Self.types, QueryField<Double?>.maybeLatitude, QueryField<Double?>.maybeLongitude, Self.limit,
        ], answers: [.json("The best first.", ListPage<HitItem>.schema)], isShared: true
      ) { [self] asking in
        var query = asking.query
        let (text, types, limit) = (query.take(Self.text), query.take(Self.types), query.take(Self.limit))
        let origin = query.takePoint()
        try query.finish()
        let (hits, missing) = try await hits(text ?? "", types, origin, limit, asking)
        return .json(
          ListPage(
            hits, missing: missing,
            isDemo: hits.contains { $0.film?.film.isDemo == true || $0.festival?.isDemo == true }),
          madeOf: Self.sources, isPartial: !missing.isEmpty)
      },
      Endpoint(
        .get, "/v1/suggest", "suggest", "What somebody who types may mean.", .search, query: [Self.text],
        answers: [.json("The best first, at most 8.", ListPage<SuggestionItem>.schema)], isShared: true
      ) { [self] asking in
        var query = asking.query
        let text = query.take(Self.text)
        try query.finish()
        let (hits, missing) = try await hits(text ?? "", [], nil, Self.suggested, asking)
        return .json(
          ListPage(hits.map { SuggestionItem(hit: $0) }, missing: missing),
          madeOf: Self.sources, isPartial: !missing.isEmpty)
      },
    ]
  }

  /// All are asked at once. If one is away the others' hits are still of use; without any there is no answer.
  private func hits(
    _ text: String, _ types: Set<Kind>, _ origin: Coordinate?, _ limit: Int, _ asking: Asking
  ) async throws -> ([HitItem], missing: [String]) {
    let wanted = types.isEmpty ? Set(Kind.allCases) : types
    let (language, options) = (asking.language, asking.optionsForExtras)
    async let showing = found(wanted.contains(.film)) { () throws(RPCError) in
      var found = try await scraper.call(FindFilms(text: text, limit: limit), options)
      _ = await titles.complete(&found, in: language, asking)
      return found.map { HitItem($0, language: language) }
    }
    async let catalogued = found(wanted.contains(.film) || wanted.contains(.person)) { () throws(RPCError) in
      let request = SearchCatalogue(text: text, limit: limit, includesPeople: wanted.contains(.person))
      return try await films.call(request, options).compactMap { HitItem($0, language: language) }
    }
    async let cinemas = found(wanted.contains(.cinema)) { () throws(RPCError) in
      try await locator.call(FindCinemas(text: text, limit: limit, origin: origin), options).map {
        HitItem($0, from: origin)
      }
    }
    async let named = found(wanted.contains(.festival)) { () throws(RPCError) in
      try await festivals.find(text, limit: limit, options).map { HitItem($0) }
    }
    let parts = [
      ("film", await showing), ("catalogue", await catalogued), ("cinema", await cinemas), ("festival", await named),
    ]
    let asked = parts.compactMap { name, part in part.map { (name, $0) } }
    let missing = asked.compactMap { name, part in (try? part.get()) == nil ? name : nil }
    if let (_, first) = asked.first, missing.count == asked.count { _ = try first.get() }
    // A film that plays is in the catalogue too, by the same id.
    var seen: Set<String> = []
    let all = asked.flatMap { _, part in (try? part.get()) ?? [] }
      .filter { wanted.contains(Kind(rawValue: $0.type) ?? .film) && seen.insert("\($0.type) \($0.id)").inserted }
    let sorted = all.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
    return (sorted.prefix(limit).map(\.element), missing)
  }

  /// Nil if it is not wanted.
  private func found(
    _ isWanted: Bool, _ call: () async throws(RPCError) -> [HitItem]
  ) async -> Result<[HitItem], RPCError>? {
    isWanted ? await outcome(call) : nil
  }
}

nonisolated extension QueryReader {
  /// The point of `lat` and `lon`, where it may be left out. One of them alone says nothing.
  mutating func takePoint() -> Coordinate? {
    let (latitude, longitude) = (take(QueryField<Double?>.maybeLatitude), take(QueryField<Double?>.maybeLongitude))
    guard let latitude, let longitude else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }
}

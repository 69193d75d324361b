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
      ) { [self] asking in try await search(asking) },
      Endpoint(
        .get, "/v1/suggest", "suggest", "What somebody who types may mean.", .search, query: [Self.text],
        answers: [.json("The best first, at most 8.", ListPage<SuggestionItem>.schema)], isShared: true
      ) { [self] asking in
        var query = asking.query
        let text = query.take(Self.text)
        try query.finish()
        let found = try await hits(text ?? "", [], nil, Self.suggested, asking)
        return Answer.json(
          ListPage(found.hits.map { SuggestionItem(hit: $0) }, missing: found.missing),
          madeOf: Self.sources, isPartial: found.isPartial
        ).yielding(if: !found.missing.isEmpty)
      },
    ]
  }

  private func search(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (text, types, limit) = (query.take(Self.text) ?? "", query.take(Self.types), query.take(Self.limit))
    let (origin, hint) = query.takePoint()
    try query.finish()
    var found = try await hits(text, types, origin, limit, asking)
    var meant: String?
    // Where a part is missing, what was asked for may well be there.
    if found.hits.isEmpty, found.missing.isEmpty {
      var name = MeantName(text)
      for some in await all(of: name.pieces, types, asking) {
        // A name that nobody can be asked for now is not suggested; another time it may be.
        found.isPartial = found.isPartial || some?.missing.isEmpty != true
        for hit in some?.hits ?? [] { name.consider(hit.title) }
      }
      meant = name.best
    }
    let page = ListPage(
      found.hits, hint: hint, missing: found.missing, meant: meant, isDemo: found.hits.contains(where: \.isDemo))
    return Answer.json(page, madeOf: Self.sources, isPartial: found.isPartial)
      .yielding(if: !found.missing.isEmpty)
  }

  /// What is found of each part of a name, all asked for at once; nil of a part that nobody answered for.
  private func all(of pieces: [String], _ types: Set<Kind>, _ asking: Asking) async -> [Found?] {
    await withTaskGroup(of: (Int, Found?).self) { group in
      for (place, piece) in pieces.enumerated() {
        group.addTask { (place, try? await self.hits(piece, types, nil, Self.candidates, asking)) }
      }
      // However they come back: which name is the best may depend on which is looked at first.
      var found = [Found?](repeating: nil, count: pieces.count)
      for await (place, some) in group { found[place] = some }
      return found
    }
  }

  /// What is looked at for each part of a name that nobody knows.
  private static let candidates = min(SearchCatalogue.limitMax, FindCinemas.limitMax)

  /// What was found.
  private struct Found {
    /// The best first.
    var hits: [HitItem]
    /// Which services did not answer.
    var missing: [String]
    /// Something did not come: hits, or their titles.
    var isPartial: Bool
  }

  /// What one service found, and whether titles of it did not come.
  private struct Part {
    var hits: [HitItem]
    var isPartial = false
  }

  /// All are asked at once. If one is away the others' hits are still of use; without any there is no answer.
  private func hits(
    _ text: String, _ types: Set<Kind>, _ origin: Coordinate?, _ limit: Int, _ asking: Asking
  ) async throws -> Found {
    let wanted = types.isEmpty ? Set(Kind.allCases) : types
    let (language, options) = (asking.language, asking.optionsForExtras)
    async let showing = found(wanted.contains(.film)) { () throws(RPCError) in
      var found = try await scraper.call(FindFilms(text: text, limit: limit), options)
      let besides = await titles.complete(&found, in: language, asking)
      return Part(hits: found.map { HitItem($0, language: language) }, isPartial: besides.isPartial)
    }
    async let catalogued = found(wanted.contains(.film) || wanted.contains(.person)) { () throws(RPCError) in
      let request = SearchCatalogue(text: text, limit: limit, includesPeople: wanted.contains(.person))
      return Part(hits: try await films.call(request, options).compactMap { HitItem($0, language: language) })
    }
    async let cinemas = found(wanted.contains(.cinema)) { () throws(RPCError) in
      let request = FindCinemas(text: text, limit: limit, origin: origin)
      return Part(hits: try await locator.call(request, options).map { HitItem($0, from: origin) })
    }
    async let named = found(wanted.contains(.festival)) { () throws(RPCError) in
      Part(hits: try await festivals.find(text, limit: limit, options).map { HitItem($0) })
    }
    let parts = [
      ("film", await showing), ("catalogue", await catalogued), ("cinema", await cinemas), ("festival", await named),
    ]
    let asked = parts.compactMap { name, part in part.map { (name, $0) } }
    let told = asked.compactMap { try? $1.get() }
    let missing = asked.compactMap { name, part in (try? part.get()) == nil ? name : nil }
    if let (_, first) = asked.first, missing.count == asked.count { _ = try first.get() }
    // A film that plays is in the catalogue too, by the same id.
    var seen: Set<String> = []
    let all = told.flatMap(\.hits)
      .filter { wanted.contains(Kind(rawValue: $0.type) ?? .film) && seen.insert("\($0.type) \($0.id)").inserted }
    let sorted = all.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
    return Found(
      hits: sorted.prefix(limit).map(\.element), missing: missing,
      isPartial: !missing.isEmpty || told.contains(where: \.isPartial))
  }

  /// Nil if it is not wanted.
  private func found(
    _ isWanted: Bool, _ call: () async throws(RPCError) -> Part
  ) async -> Result<Part, RPCError>? {
    isWanted ? await outcome(call) : nil
  }
}

nonisolated extension QueryReader {
  /// The point of `lat` and `lon`, where it may be left out. One of them alone says nothing, and its sender is told so.
  mutating func takePoint() -> (point: Coordinate?, hint: String?) {
    let (latitude, longitude) = (take(QueryField<Double?>.maybeLatitude), take(QueryField<Double?>.maybeLongitude))
    guard let latitude, let longitude else {
      let isHalf = names.contains("lat") != names.contains("lon")
      return (nil, isHalf ? "give lat and lon together to see what is near" : nil)
    }
    return (try? Coordinate(latitude: latitude, longitude: longitude), nil)
  }
}

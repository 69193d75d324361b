import Contracts
import HTTP
import JSON
import RPC

/// Films and cinemas by name.
final class SearchCoordinator: Coordinator {
  private let locator: any RPCClient<LocatorAPI>
  private let scraper: any RPCClient<ScraperAPI>

  init(locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>) {
    self.locator = locator
    self.scraper = scraper
  }

  enum Kind: String, CaseIterable, Sendable { case film, cinema }

  private static let text = QueryField<String?>.text(
    "q", "A part of a name, two letters of Korean or Japanese, or initial consonants.", isRequired: true,
    length: 1...100)
  private static let types = QueryField<Set<Kind>>.choices("types", "Only these; all if left out.", of: Kind.self)
  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 20)
  /// What fits under a field that is being typed in.
  private static let suggested = 8

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/search", "search", "Films and cinemas by name, the best first.", .search,
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
          ListPage(hits, missing: missing, isDemo: hits.contains { $0.film?.film.isDemo == true }),
          madeOf: [.directory, .schedule], isPartial: !missing.isEmpty)
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
          ListPage(hits.map { SuggestionItem(hit: $0) }, missing: missing), madeOf: [.directory, .schedule],
          isPartial: !missing.isEmpty)
      },
    ]
  }

  /// Both are asked at once. If one is away the other's hits are still of use; without both there is no answer.
  private func hits(
    _ text: String, _ types: Set<Kind>, _ origin: Coordinate?, _ limit: Int, _ asking: Asking
  ) async throws -> ([HitItem], missing: [String]) {
    let wanted = types.isEmpty ? Set(Kind.allCases) : types
    let options = wanted.count == 1 ? asking.options : asking.optionsForExtras
    async let films =
      wanted.contains(.film)
      ? found { () throws(RPCError) in
        try await scraper.call(FindFilms(text: text, limit: limit), options).map {
          HitItem($0, language: asking.language)
        }
      } : .success([])
    async let cinemas =
      wanted.contains(.cinema)
      ? found { () throws(RPCError) in
        try await locator.call(FindCinemas(text: text, limit: limit, origin: origin), options).map {
          HitItem($0, from: origin)
        }
      } : .success([])
    let (first, second) = (await films, await cinemas)
    var missing: [String] = []
    if case .failure(let error) = first {
      guard error.isTransient, wanted.count > 1 else { throw error }
      missing.append(Kind.film.rawValue)
    }
    if case .failure(let error) = second {
      guard error.isTransient, wanted.count > 1, missing.isEmpty else { throw error }
      missing.append(Kind.cinema.rawValue)
    }
    let all = ((try? first.get()) ?? []) + ((try? second.get()) ?? [])
    let sorted = all.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
    return (sorted.prefix(limit).map(\.element), missing)
  }

  private func found(_ call: () async throws(RPCError) -> [HitItem]) async -> Result<[HitItem], RPCError> {
    do throws(RPCError) {
      return .success(try await call())
    } catch {
      return .failure(error)
    }
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

import Contracts
import Crypto
import EventLoops
import Fetch
import RPC
import RPCTransport
package import ServiceKit
import ServiceStorage
import Storage

/// The catalogue of films as a service: who it is, and how it is put together.
package enum FilmsService {
  nonisolated static let scraper = Setting<[UpstreamAddress]>.list(
    "scraper", "where the scraper takes calls: what plays is taken up", default: [UpstreamAddress(port: 7_102)])
  nonisolated static let starter = Setting<Bool>.value(
    "starter", "begin an empty catalogue with the films that we know", default: true)
  nonisolated static let tmdbKey = Setting<Secret?>.secret(
    "tmdb-key", "the operator's key for The Movie Database", issuer: "themoviedb.org/settings/api")
  nonisolated static let tmdbURL = Setting<String>.value(
    "tmdb-url", "where The Movie Database is", default: "https://api.themoviedb.org")
  nonisolated static let kobisKey = Setting<Secret?>.secret(
    "kobis-key", "the operator's key for the Korean Film Council's open API",
    issuer: "kobis.or.kr/kobisopenapi")
  nonisolated static let kobisURL = Setting<String>.value(
    "kobis-url", "where the Korean Film Council's open API is",
    default: "https://www.kobis.or.kr/kobisopenapi/webservice/rest")
  nonisolated static let tmdbImages = Setting<String>.value(
    "tmdb-images", "where The Movie Database's pictures are", default: PosterAddress.base)

  package static var program: ServiceProgram {
    ServiceProgram(
      "films", "the catalogue of films: titles in every language, who made them, which are alike",
      discussion: """
        Keeps the films in DIR/films.sqlite and answers from memory. What cinemas show is taken up once a minute. Every \
        change is kept, with what was there before, and can be undone.
        """,
      examples: [
        .init("odi-films search ㄱㅅㅊ", "기생충, by its initial consonants"),
        .init("odi-films match '[시네마톡] 괴물 (4K)' --year 2023", "which film a printed title means, and why"),
        .init("odi-films import mine.csv --dry-run", "what a file would change"),
      ],
      build: .ofSuite(libraries: [Database.library, Fetcher.library]), port: 7_104,
      settings: [scraper, starter, tmdbKey, tmdbURL, tmdbImages, kobisKey, kobisURL],
      checks: [.storage],
      commands: FilmsCommands().all + [ModelCommands().command, DatabaseCommands(FilmStore.declaration).command],
      parts: parts)
  }

  private static func parts(_ environment: ServiceEnvironment) throws -> [any ServicePart] {
    let database = ServiceDatabase(FilmStore.declaration, in: environment)
    let store = FilmStore(database)
    let catalogue = LiveCatalogue(store, seedsWhenEmpty: environment.configuration[starter], in: environment)
    let recommending = Recommending(catalogue, in: environment)
    let scraper = ServiceClient(
      of: ScraperAPI.self, at: environment.configuration[Self.scraper].map(\.target),
      secret: environment.configuration[StandardSettings.sharedSecret], as: "films", time: environment.time,
      log: environment.log, metrics: environment.metrics)
    let adoption = Adoption(catalogue, store, scraper: scraper, in: environment)
    let tmdb = TMDbSource(in: environment)
    let kobis = KOBISSource(in: environment)
    let posters = PosterSource(store, in: environment)
    let router = RPCRouter(service: FilmsAPI.name)
    FilmsHandlers(catalogue: catalogue, recommending: recommending, posters: posters).register(on: router)
    AdministratorHandlers(
      catalogue: catalogue, store: store, adoption: adoption, tmdb: tmdb, kobis: kobis, posters: posters,
      harvest: PosterHarvest(catalogue, store, posters: posters, tmdb: tmdb, in: environment), time: environment.time
    ).register(on: router)
    database.answerAdministrators(on: router)
    return [database, recommending, catalogue, tmdb, kobis, posters, CallServer(router, in: environment), adoption]
  }
}

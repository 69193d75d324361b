import Contracts
import Crypto
import Fetch
import FilmFiles
import HTTP
import JSON
import RPC
import ServiceKit

/// Asks The Movie Database for films, with the operator's key. Nothing is asked that an operator did not ask for.
@MainActor
package final class TMDbSource: ServicePart {
  nonisolated package let name = "tmdb"
  nonisolated static let title = "TMDb"
  private let upstream: KeyedUpstream

  /// A film with its credits and translations has some 200 KB.
  private static let bodyBytes = 4 << 20

  /// What is asked for with a film.
  private static let parts = "credits,translations,alternative_titles,videos,release_dates,external_ids"

  init(in environment: ServiceEnvironment) {
    upstream = KeyedUpstream(
      Self.title, key: FilmsService.tmdbKey, at: environment.configuration[FilmsService.tmdbURL],
      bodyBytes: Self.bodyBytes, in: environment)
  }

  package func start() async throws {}

  package func stop() async { upstream.close() }

  var hasKey: Bool { upstream.key != nil }

  /// The films of these numbers, and those that a text finds, each with credits; what is odd is left out and told.
  func films(_ numbers: [Int], search: String?, year: Int?) async throws -> CheckedFilms {
    let key = try upstream.requireKey()
    var numbers = numbers
    if let search {
      var query = "query=\(PercentEncoding.encode(search))"
      if let year { query += "&year=\(year)" }
      let found = try await ask("/3/search/movie", query, key)
      numbers += (found["results"]?.array ?? []).prefix(KeyedUpstream.searched).compactMap { $0["id"]?.int }
    }
    return try await upstream.films(numbers.map(String.init)) {
      let json = try await ask("/3/movie/\($0)", "append_to_response=\(Self.parts)", key)
      return TMDbDocument.read(json, named: "TMDb")
    }
  }

  private func ask(_ path: String, _ query: String, _ key: Secret) async throws -> JSONValue {
    // A header, because addresses are what gets logged on the way. Short keys are of the older kind, which is not taken there.
    let isToken = key.count > 40
    let target = isToken ? "\(path)?\(query)" : "\(path)?api_key=\(PercentEncoding.encode(key.revealed))&\(query)"
    return try await upstream.ask(
      path, target, headers: isToken ? [("Authorization", "Bearer \(key.revealed)")] : []
    ) { answer, json in answer.isSuccess ? nil : refusal(answer, json, path) }
  }

  private func refusal(_ answer: FetchResponse, _ json: JSONValue?, _ path: String) -> RPCError {
    let said = json?["status_message"]?.string ?? "status \(answer.status)"
    switch answer.status {
    case 401, 403: return upstream.refusedKey(said)
    case 404: return RPCError(.notFound, "TMDb knows nothing at \(path): \(said.prefix(200))", executed: .no)
    case 429: return upstream.asksToWait(answer, said)
    default: return upstream.oddAnswer(said)
    }
  }
}

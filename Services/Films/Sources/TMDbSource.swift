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
  private let key: Secret?
  private let upstream: KeyedUpstream

  /// Of a search, that many are fetched: the one that was meant is among the first.
  private static let searched = 5
  /// Where TMDb does not say how long to wait: its limit is by the second.
  private static let pause = 10
  /// No client is told to wait longer than an hour, whatever is said.
  private static let pauseMax = 3_600
  /// A film with its credits and translations has some 200 KB.
  private static let bodyBytes = 4 << 20

  init(in environment: ServiceEnvironment) {
    key = environment.configuration[FilmsService.tmdbKey]
    upstream = KeyedUpstream(
      "TMDb", at: environment.configuration[FilmsService.tmdbURL], bodyBytes: Self.bodyBytes, in: environment)
  }

  package func start() async throws {}

  package func stop() async { upstream.close() }

  /// The films of these numbers, and those that a text finds, each with credits; what is odd is left out and told.
  func films(_ numbers: [Int], search: String?, year: Int?) async throws -> CheckedFilms {
    guard key != nil else { throw upstream.noKey(flag: "tmdb-key-file") }
    var numbers = numbers
    if let search {
      var query = "query=\(PercentEncoding.encode(search))"
      if let year { query += "&year=\(year)" }
      let found = try await ask("/3/search/movie", query)
      numbers += (found["results"]?.array ?? []).prefix(Self.searched).compactMap { $0["id"]?.int }
    }
    var reading = TMDbDocument.read(.array([]), named: "TMDb")
    for number in numbers {
      let json = try await ask("/3/movie/\(number)", "append_to_response=credits,translations,videos")
      let drafts = TMDbDocument.read(json, named: "TMDb").drafts
      reading.drafts += drafts
      if drafts.isEmpty {
        reading.problems.append(
          DraftProblems(place: "TMDb film \(number)", problems: ["its answer has no title; look there what it is"]))
      }
    }
    return reading.checked()
  }

  private func ask(_ path: String, _ query: String) async throws -> JSONValue {
    guard let key else { return .null }
    // A header, because addresses are what gets logged on the way. Short keys are of the older kind, which is not taken there.
    let isToken = key.count > 40
    let target = isToken ? "\(path)?\(query)" : "\(path)?api_key=\(PercentEncoding.encode(key.revealed))&\(query)"
    return try await upstream.ask(
      path, target, headers: isToken ? [("Authorization", "Bearer \(key.revealed)")] : []
    ) { answer, json in answer.isSuccess ? nil : refusal(answer, json, path) }
  }

  private func refusal(_ answer: FetchResponse, _ json: JSONValue?, _ path: String) -> RPCError {
    let said = json?["status_message"]?.string.map { String($0.prefix(200)) } ?? "status \(answer.status)"
    switch answer.status {
    case 401, 403: return RPCError(.failedPrecondition, "TMDb does not take the key: \(said)", executed: .no)
    case 404: return RPCError(.notFound, "TMDb knows nothing at \(path): \(said)", executed: .no)
    case 429:
      let seconds =
        answer.headers["retry-after"].flatMap { Int($0) }.map { min(max($0, 1), Self.pauseMax) } ?? Self.pause
      return RPCError(
        .resourceExhausted, "TMDb asks us to wait; try again in \(seconds) s: \(said)", executed: .no)
    default: return upstream.oddAnswer(said)
    }
  }
}

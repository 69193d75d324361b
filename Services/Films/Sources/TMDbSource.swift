import Contracts
import Crypto
import EventLoops
import Fetch
import FilmFiles
import HTTP
import JSON
import Observability
import RPC
import ServiceKit

/// Asks The Movie Database for films, with the operator's key. Nothing is asked that an operator did not ask for.
@MainActor
package final class TMDbSource: ServicePart {
  nonisolated package let name = "tmdb"
  private let key: Secret?
  private let base: String
  private let log: Log
  private let fetcher: Fetcher

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
    let base = environment.configuration[FilmsService.tmdbURL]
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    log = environment.log
    fetcher = Fetcher(
      addressGuard: AddressGuard(exceptions: OwnUpstream.addresses(of: base)), time: environment.time,
      log: environment.log, metrics: environment.metrics)
  }

  package func start() async throws {}

  package func stop() async { fetcher.close() }

  /// The films of these numbers, and those that a text finds, each with credits; what is odd is left out and told.
  func films(_ numbers: [Int], search: String?, year: Int?) async throws -> CheckedFilms {
    guard key != nil else {
      throw RPCError(
        .failedPrecondition, "no key for TMDb is set; put it into a file and serve with --tmdb-key-file FILE",
        executed: .no)
    }
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
    var request = try FetchRequest("\(base)\(path)?\(query)")
    request.limits.bodyBytes = Self.bodyBytes
    // A header, because addresses are what gets logged on the way. Short keys are of the older kind, which is not taken there.
    if key.count > 40 {
      request.headers = [("Authorization", "Bearer \(key.revealed)")]
    } else {
      request = try FetchRequest("\(base)\(path)?api_key=\(PercentEncoding.encode(key.revealed))&\(query)")
      request.limits.bodyBytes = Self.bodyBytes
    }
    let answer: FetchResponse
    do throws(FetchError) {
      answer = try await fetcher.fetch(request)
    } catch {
      // The error may hold the address, and the address the key.
      log.warning("TMDb was not reached", ["path": .string(path)])
      throw RPCError(.unavailable, "TMDb was not reached; try again, or look whether \(base) is right", executed: .no)
    }
    let json = try? JSONValue(parsing: answer.body)
    guard answer.isSuccess else { throw Self.refusal(answer, json, path) }
    guard let json, json.object != nil else {
      throw RPCError(
        .unavailable, "TMDb's answer is no JSON object; see that \(base) is TMDb and no page of a proxy", executed: .no)
    }
    return json
  }

  private static func refusal(_ answer: FetchResponse, _ json: JSONValue?, _ path: String) -> RPCError {
    let said = json?["status_message"]?.string.map { String($0.prefix(200)) } ?? "status \(answer.status)"
    switch answer.status {
    case 401, 403: return RPCError(.failedPrecondition, "TMDb does not take the key: \(said)", executed: .no)
    case 404: return RPCError(.notFound, "TMDb knows nothing at \(path): \(said)", executed: .no)
    case 429:
      let seconds = answer.headers["retry-after"].flatMap { Int($0) }.map { min(max($0, 1), pauseMax) } ?? pause
      return RPCError(
        .resourceExhausted, "TMDb asks us to wait; try again in \(seconds) s: \(said)", executed: .no)
    default: return RPCError(.unavailable, "TMDb did not answer as it should: \(said)", executed: .no)
    }
  }
}

import Clocks
import Crypto
import Drafts
import EventLoops
import Fetch
import FilmFiles
import JSON
import Observability
import RPC
import ServiceKit

/// Somebody's films behind a key of the operator's: asked for JSON, and what goes wrong is told without the key.
@MainActor
final class KeyedUpstream {
  /// What people call it.
  let title: String
  /// Nil as long as the operator has none; another may be set while the service runs.
  private(set) var key: Secret?
  private let keyFlag: String
  private let base: String
  private let bodyBytes: Int
  private let time: any TimeSource
  private let log: Log
  private let fetcher: Fetcher

  /// Of a search, that many are fetched: the one that was meant is among the first.
  static let searched = 5
  /// Of what it says is wrong, that much is passed on.
  private static let saidMax = 200
  /// Where it asks for a pause and does not say how long: limits of such services are by the second.
  private static let pause: Duration = .seconds(10)
  /// No client is told to wait longer, whatever is said.
  private static let pauseMax: Duration = .seconds(3_600)

  init(
    _ title: String, key: Setting<Secret?>, at base: String, bodyBytes: Int, in environment: ServiceEnvironment
  ) {
    self.title = title
    self.key = environment.configuration[key]
    keyFlag = "\(key.spec.name)-file"
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    self.bodyBytes = bodyBytes
    time = environment.time
    log = environment.log
    fetcher = Fetcher(
      addressGuard: .ofOperators(base), time: environment.time, log: environment.log, metrics: environment.metrics)
    environment.onReload(of: [key]) { [weak self] in self?.key = $0[key] }
  }

  func close() { fetcher.close() }

  func requireKey() throws(RPCError) -> Secret {
    if let key { return key }
    throw RPCError(
      .failedPrecondition, "no key for \(title) is set; put it into a file and serve with --\(keyFlag) FILE",
      executed: .no)
  }

  /// The films that `read` gives for these ids, asked for one after another. One that is not there is told and left out;
  /// what would end the next question too ends the asking, and what came before it is kept. If none came, that is thrown.
  func films(_ ids: [String], _ read: (String) async throws -> FilmReading) async throws -> CheckedFilms {
    var reading = FilmReading()
    reading.leavesOddFieldsOut = true
    var first: RPCError?
    for (index, id) in ids.enumerated() {
      var problem = "its answer has no title; look there what it is"
      var isEnd = false
      do {
        let drafts = try await read(id).drafts
        reading.drafts += drafts
        guard drafts.isEmpty else { continue }
      } catch let error as RPCError {
        if first == nil { first = error }
        problem = error.message
        isEnd = error.code != .notFound
      }
      let left = ids[(index + 1)...]
      if isEnd, !left.isEmpty { problem += "; not asked for: \(left.joined(separator: ", "))" }
      reading.problems.append(DraftProblems(place: "\(title) film \(id)", problems: [problem]))
      if isEnd { break }
    }
    if reading.drafts.isEmpty, let first { throw first }
    return reading.checked()
  }

  /// - Parameters:
  ///   - what: the part of the address that may be logged
  ///   - target: all of it behind the base, which may hold the key
  ///   - refusal: what an answer says is wrong, in the words of whom is asked
  func ask(
    _ what: String, _ target: String, headers: [(String, String)] = [],
    refusal: (FetchResponse, JSONValue?) -> RPCError?
  ) async throws -> JSONValue {
    let answer: FetchResponse
    do throws(FetchError) {
      var request = try FetchRequest(base + target)
      request.headers = headers
      request.limits.bodyBytes = bodyBytes
      answer = try await fetcher.fetch(request)
    } catch {
      // The error may hold the address, and the address the key.
      log.warning("a source of films was not reached", ["source": .string(title), "asked": .string(what)])
      throw RPCError(
        .unavailable, "\(title) was not reached; try again, or look whether \(base) is right", executed: .no)
    }
    let json = try? JSONValue(parsing: answer.body)
    if let refusal = refusal(answer, json) { throw refusal }
    guard answer.isSuccess else { throw oddAnswer("status \(answer.status)") }
    guard let json, json.object != nil else {
      throw RPCError(
        .unavailable, "\(title)'s answer is no JSON object; see that \(base) is \(title) and no page of a proxy",
        executed: .no)
    }
    return json
  }

  // MARK: What it says is wrong

  func refusedKey(_ said: String) -> RPCError {
    RPCError(.failedPrecondition, "\(title) does not take the key: \(said.prefix(Self.saidMax))", executed: .no)
  }

  func asksToWait(_ answer: FetchResponse, _ said: String) -> RPCError {
    let told = answer.headers["retry-after"].flatMap { RetryAfter.wait($0, now: time.wall) } ?? Self.pause
    let wait = min(max(told, .seconds(1)), Self.pauseMax)
    return RPCError(
      .resourceExhausted,
      "\(title) asks us to wait; try again in \(wait.components.seconds) s: \(said.prefix(Self.saidMax))",
      executed: .no, retryAfter: wait)
  }

  func oddAnswer(_ said: String) -> RPCError {
    RPCError(
      .unavailable, "\(title) did not answer as it should: \(said.prefix(Self.saidMax))", executed: .no)
  }
}

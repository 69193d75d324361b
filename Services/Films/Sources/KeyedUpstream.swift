import EventLoops
import Fetch
import JSON
import Observability
import RPC
import ServiceKit

/// Somebody's films behind a key of the operator's: asked for JSON, and what goes wrong is told without the key.
@MainActor
final class KeyedUpstream {
  /// What people call it.
  let title: String
  let base: String
  private let bodyBytes: Int
  private let log: Log
  private let fetcher: Fetcher

  init(_ title: String, at base: String, bodyBytes: Int, in environment: ServiceEnvironment) {
    self.title = title
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    self.bodyBytes = bodyBytes
    log = environment.log
    fetcher = Fetcher(
      addressGuard: AddressGuard(exceptions: OwnUpstream.addresses(of: base)), time: environment.time,
      log: environment.log, metrics: environment.metrics)
  }

  func close() { fetcher.close() }

  func noKey(flag: String) -> RPCError {
    RPCError(
      .failedPrecondition, "no key for \(title) is set; put it into a file and serve with --\(flag) FILE", executed: .no
    )
  }

  /// - Parameters:
  ///   - what: the part of the address that may be logged
  ///   - target: all of it behind the base, which may hold the key
  ///   - refusal: what an answer says is wrong, in the words of whom is asked
  func ask(
    _ what: String, _ target: String, headers: [(String, String)] = [],
    refusal: (FetchResponse, JSONValue?) -> RPCError?
  ) async throws -> JSONValue {
    var request = try FetchRequest(base + target)
    request.headers = headers
    request.limits.bodyBytes = bodyBytes
    let answer: FetchResponse
    do throws(FetchError) {
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

  func oddAnswer(_ said: String) -> RPCError {
    RPCError(.unavailable, "\(title) did not answer as it should: \(said)", executed: .no)
  }
}

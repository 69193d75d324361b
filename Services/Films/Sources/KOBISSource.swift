import Crypto
import FilmFiles
import HTTP
import JSON
import RPC
import ServiceKit

/// Asks the Korean Film Council's open API for films, with the operator's key. Nothing is asked that an operator did not
/// ask for.
///
/// It answers 200 whatever is wrong, and says in the body what: a key that it does not know, a day's quota that is used
/// up, a parameter that it does not take.
@MainActor
package final class KOBISSource: ServicePart {
  nonisolated package let name = "kobis"
  private let upstream: KeyedUpstream

  /// A film with all its companies and staff has some 30 KB.
  private static let bodyBytes = 2 << 20
  /// Codes are eight letters and digits.
  private static let codeBytes = 1...20

  init(in environment: ServiceEnvironment) {
    upstream = KeyedUpstream(
      "KOBIS", key: FilmsService.kobisKey, at: environment.configuration[FilmsService.kobisURL],
      bodyBytes: Self.bodyBytes, in: environment)
  }

  package func start() async throws {}

  package func stop() async { upstream.close() }

  /// The films of these codes, and those that a text finds; what is odd is left out and told.
  func films(_ codes: [String], search: String?, year: Int?) async throws -> CheckedFilms {
    let key = try upstream.requireKey()
    for code in codes where !Self.isCode(code) {
      throw RPCError(.invalidArgument, "\(code.prefix(40)) is no code of KOBIS's; give one as 20231089", executed: .no)
    }
    var codes = codes
    if let search {
      var query = "movieNm=\(PercentEncoding.encode(search))&itemPerPage=\(KeyedUpstream.searched)"
      if let year { query += "&prdtStartYear=\(year)&prdtEndYear=\(year)" }
      let found = try await ask("searchMovieList", query, key)
      let list = found["movieListResult"]?["movieList"]?.array ?? []
      codes += list.prefix(KeyedUpstream.searched).compactMap { $0["movieCd"]?.string }.filter(Self.isCode)
    }
    return try await upstream.films(codes) {
      KOBISDocument.read(try await ask("searchMovieInfo", "movieCd=\($0)", key), named: "KOBIS")
    }
  }

  private static func isCode(_ text: String) -> Bool {
    codeBytes.contains(text.utf8.count)
      && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) }
  }

  private func ask(_ method: String, _ query: String, _ key: Secret) async throws -> JSONValue {
    let target = "/movie/\(method).json?key=\(PercentEncoding.encode(key.revealed))&\(query)"
    return try await upstream.ask(method, target) { _, json in json?["faultInfo"].map(refusal) }
  }

  /// By its number, or by its words where that is another.
  private func refusal(_ fault: JSONValue) -> RPCError {
    let text = fault["message"]?.string ?? ""
    let number = fault["errorCode"]?.string ?? fault["errorCode"]?.int.map(String.init) ?? ""
    let said = "\(text.prefix(160)) (\(number.prefix(20)))"
    if number == "320011" || text.contains("초과") {
      return RPCError(
        .resourceExhausted, "KOBIS's quota of this key is used up for today; try again tomorrow: \(said)", executed: .no
      )
    }
    if number.utf8.starts(with: "3200".utf8) { return upstream.refusedKey(said) }
    return upstream.oddAnswer(said)
  }
}

import Clocks
import Contracts
import EventLoops
import FilmFiles
import Films
import HTTP
import JSON
import Observability
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// The Movie Database, as its documentation describes it.
@Suite("TMDb")
@MainActor
struct TMDbTests {
  /// As long as a key of the kind that goes into the header; one letter repeated would be taken for a placeholder.
  private static let key = String(repeating: "0123456789abcdef", count: 4)

  nonisolated static let film = #"""
    {"id": 843, "title": "In the Mood for Love", "original_title": "花樣年華", "original_language": "cn",
     "release_date": "2000-09-29", "runtime": 99, "vote_average": 8.1, "vote_count": 2500, "poster_path": "/iY.jpg",
     "imdb_id": "tt0118694", "genres": [{"id": 18, "name": "Drama"}], "production_countries": [{"iso_3166_1": "HK"}],
     "credits": {"cast": [{"name": "Maggie Cheung", "order": 0}], "crew": [{"job": "Director", "name": "Wong Kar-wai"}]},
     "translations": {"translations": [{"iso_639_1": "ko", "data": {"title": "화양연화"}}]}}
    """#

  private func running(
    key: String?, in keys: TemporaryFolder? = nil, _ body: (ServiceRig, any RPCClient<FilmsAPI>) async throws -> Void
  ) async throws {
    var router = HTTPRouter()
    router.get("/3/search/movie", query: ["query", "year"]) { request in
      guard request["authorization"] == "Bearer " + Self.key else { return Self.refused }
      return .json(Array(#"{"page":1,"results":[{"id":843},{"id":404}],"total_results":2}"#.utf8))
    }
    router.get("/3/movie/{number}", query: ["append_to_response"]) { (request, number: String) in
      guard request["authorization"] == "Bearer " + Self.key else { return Self.refused }
      return switch number {
      case "843": .json(Array(TMDbTests.film.utf8))
      case "1": Self.refused
      case "2": Self.overQuota
      case "3": .json(Array(#"{"id":3,"title":"Cut o"#.utf8))
      case "4": .json(Array("[1,2]".utf8))
      case "5": .json(Array("{}".utf8))
      case "6": .json(Array(#"{"id":6,"title":"Odd","runtime":"long","release_date":"soon","poster_path":7}"#.utf8))
      default: .json(Array(#"{"success":false,"status_code":34,"status_message":"Not here."}"#.utf8), .notFound)
      }
    }
    let server = HTTPServer(router: router, time: EventLoop.time)
    let address = try server.listen(on: .loopback())
    let folder = try keys ?? TemporaryFolder()
    var flags = ["tmdb-url": "http://\(address)/", "starter": "false"]
    if let key { flags["tmdb-key-file"] = try folder.writeSecret(key, to: "key") }
    try await FilmsTests.running(flags, body)
    await server.drain()
  }

  private static var overQuota: HTTPResponse {
    var answer = HTTPResponse.json(
      Array(#"{"success":false,"status_code":25,"status_message":"Your request count is over the limit."}"#.utf8),
      .tooManyRequests)
    answer.fields = [HTTPField("Retry-After", "7")]
    return answer
  }

  private static let refused = HTTPResponse.json(
    Array(
      #"{"success":false,"status_code":7,"status_message":"Invalid API key: You must be granted a valid key."}"#.utf8),
    .unauthorized)

  @Test("a film is fetched by its number, once, with its credit")
  func fetched() async throws {
    try await running(key: Self.key) { rig, client in
      let result = await rig.command("fetch", "843")
      #expect(result.code == .done && result.errors.contains("TMDB API"), "\(result.errors)")
      let film = try await client.call(CatalogueFilms(ids: [.named("film_tmdb-843")])).first?.film
      #expect(film?.film.originalTitle == "花樣年華" && film?.credit == TMDbDocument.credit)
      #expect(await rig.command("fetch", "843", "--tsv").output.split(separator: "\n").count == 1)
    }
  }

  @Test("what comes before a failure is kept, and what was not asked for is named")
  func partly() async throws {
    try await running(key: Self.key) { rig, client in
      // The search leads to a film that is not there, behind one that is.
      let found = await rig.command("fetch", "--search", "mood")
      #expect(found.code == .partial && found.errors.contains("TMDb film 404: TMDb knows nothing"), "\(found.errors)")
      let first = try await client.entry("film_tmdb-843")
      #expect(first != nil)
      let quota = await rig.command("fetch", "404", "6", "2", "843", "5")
      #expect(quota.code == .partial && quota.errors.contains("TMDb film 404: TMDb knows nothing"), "\(quota.errors)")
      #expect(quota.errors.contains("try again in 7 s") && quota.errors.contains("not asked for: 843, 5"))
      let odd = try await client.entry("film_tmdb-6")
      #expect(odd != nil)
    }
  }

  @Test("a key that was set anew is taken with a reload")
  func newKey() async throws {
    let keys = try TemporaryFolder()
    try await running(key: "0another" + Self.key.dropFirst(8), in: keys) { rig, client in
      let refused = await rig.command("fetch", "843")
      #expect(refused.errors.contains("TMDb does not take the key"), "\(refused.errors)")
      _ = try keys.writeSecret(Self.key, to: "key")
      let reloaded = await rig.command("reload")
      #expect(reloaded.code == .done, "\(reloaded.errors)")
      #expect(await rig.command("fetch", "843").code == .done)
      let film = try await client.entry("film_tmdb-843")
      #expect(film != nil)
    }
  }

  @Test("what goes wrong there is said, and the key is not")
  func failures() async throws {
    try await running(key: Self.key) { rig, _ in
      let missing = await rig.command("fetch", "404")
      #expect(missing.code == .notFound && missing.errors.contains("Not here."))
      let refused = await rig.command("fetch", "1")
      #expect(refused.errors.contains("TMDb does not take the key"))
      // A quota, what is cut off, what is no film: each is told as what it is, and nothing of it is stored.
      let quota = await rig.command("fetch", "2")
      #expect(quota.code != .done && quota.errors.contains("try again in 7 s: Your request count"), "\(quota.errors)")
      for number in ["3", "4"] {
        let broken = await rig.command("fetch", number)
        #expect(broken.code != .done && broken.errors.contains("TMDb's answer is no JSON object"), "\(broken.errors)")
      }
      let empty = await rig.command("fetch", "5")
      #expect(empty.code != .done && empty.errors.contains("TMDb film 5: its answer has no title"), "\(empty.errors)")
      let list = await rig.command("list", "--tsv", "--fields", "id")
      #expect(list.code == .done && !list.output.contains("film_"), "\(list.errors)")
      // What is odd in a record is left out of it, and told.
      let odd = await rig.command("fetch", "6")
      #expect(odd.errors.contains("released_on is soon"), "\(odd.errors)")
      #expect(await rig.command("get", "film_tmdb-6", "--json").output.contains(#""title":"Odd""#))
      #expect(![missing.errors, refused.errors, rig.log.lines.joined()].contains { $0.contains(Self.key) })
    }
    try await running(key: nil) { rig, _ in
      let result = await rig.command("fetch", "843")
      #expect(result.errors.contains("--tmdb-key-file"))
    }
  }
}

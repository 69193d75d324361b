import Contracts
import EventLoops
import FilmFiles
import Films
import HTTP
import Observability
import RPC
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// The Korean Film Council's open API in the shapes that it answers in: 200 whatever is wrong.
@Suite("KOBIS")
@MainActor
struct KOBISTests {
  private static let key = "0123456789abcdef0123456789abcdef"

  private static let info = #"""
    {"movieInfoResult":{"movieInfo":{"movieCd":"20183782","movieNm":"기생충","movieNmEn":"PARASITE","movieNmOg":"",
    "showTm":"131","prdtYear":"2019","openDt":"20190530","nations":[{"nationNm":"한국"}],"genres":[{"genreNm":"드라마"}],
    "directors":[{"peopleNm":"봉준호","peopleNmEn":"BONG Joon-ho"}],"actors":[{"peopleNm":"송강호","cast":"기택"}],
    "audits":[{"auditNo":"x","watchGradeNm":"15세이상관람가"}]},"source":"영화진흥위원회"}}
    """#
  private static let unknown =
    #"{"movieInfoResult":{"movieInfo":{"movieCd":"","movieNm":"","showTm":""},"source":"x"}}"#
  private static let list =
    #"{"movieListResult":{"totCnt":1,"source":"x","movieList":[{"movieCd":"20183782","movieNm":"기생충"}]}}"#

  private static func asked(_ name: String, _ request: HTTPRequest) -> String? {
    request.query.parameters.first { $0.name == name }?.value
  }

  private static func fault(_ code: String, _ message: String) -> HTTPResponse {
    .json(Array(#"{"faultInfo":{"message":"\#(message)","errorCode":"\#(code)"}}"#.utf8))
  }

  private func running(
    key: String? = KOBISTests.key, _ body: (ServiceRig, any RPCClient<FilmsAPI>) async throws -> Void
  ) async throws {
    var router = HTTPRouter()
    let parameters: [QueryParameter] = [
      "key", "movieNm", "itemPerPage", "prdtStartYear", "prdtEndYear", "movieCd",
    ]
    router.get("/rest/movie/searchMovieList.json", query: parameters) { request in
      guard Self.asked("key", request) == Self.key else { return Self.fault("320010", "유효하지않은 키값입니다.") }
      guard Self.asked("movieNm", request) == "기생충", Self.asked("prdtStartYear", request) == "2019" else {
        return .json(Array(#"{"movieListResult":{"totCnt":0,"source":"x","movieList":[]}}"#.utf8))
      }
      return .json(Array(Self.list.utf8))
    }
    router.get("/rest/movie/searchMovieInfo.json", query: parameters) { request in
      guard Self.asked("key", request) == Self.key else { return Self.fault("320010", "유효하지않은 키값입니다.") }
      switch Self.asked("movieCd", request) {
      case "20183782": return .json(Array(Self.info.utf8))
      case "1": return Self.fault("320011", "키의 하루 이용량을 초과하였습니다.")
      case "2": return Self.fault("310000", "시스템 에러가 발생하였습니다.")
      case "3": return .html("<html>점검 중</html>")
      default: return .json(Array(Self.unknown.utf8))
      }
    }
    let server = HTTPServer(router: router, time: EventLoop.time)
    let address = try server.listen(on: .loopback())
    let folder = try TemporaryFolder()
    var flags = ["kobis-url": "http://\(address)/rest/", "starter": "false"]
    if let key { flags["kobis-key-file"] = try folder.writeSecret(key, to: "key") }
    try await FilmsTests.running(flags, body)
    await server.drain()
  }

  @Test("a film is fetched by its code or found by its title, once, with its credit")
  func fetched() async throws {
    try await running { rig, client in
      let found = await rig.command("fetch", "--source", "kobis", "--search", "기생충", "--year", "2019")
      #expect(found.code == .done && found.errors.contains("영화진흥위원회"), "\(found.errors)")
      let film = try await client.entry("film_kobis-20183782")
      #expect(film?.film.title == "기생충" && film?.film.runtimeMinutes == 131 && film?.credit == KOBISDocument.credit)
      #expect(film?.film.externalIDs == ["kobis:20183782"])
      let again = await rig.command("fetch", "--source", "kobis", "20183782", "--tsv")
      #expect(again.code == .done && again.output.split(separator: "\n").count == 1, "\(again.output)")
    }
  }

  @Test("what is known better stays; KOBIS adds what is absent, and goes on telling of films that only it knows")
  func completes() async throws {
    try await FilmsTests.running { rig, client in
      let before = try #require(try await client.entry("film_parasite-2019"))
      let folder = rig.folder
      func film(_ title: String, _ code: String, _ minutes: Int) throws -> String {
        try folder.write(
          #"{"movieCd":"\#(code)","movieNm":"\#(title)","movieNmEn":"PARASITE","showTm":"\#(minutes)","prdtYear":"2019","genres":[{"genreNm":"공포(호러)"}],"directors":[{"peopleNm":"봉준호","peopleNmEn":"BONG Joon Ho"}],"audits":[{"watchGradeNm":"15세이상관람가"}]}"#,
          to: "kobis.json")
      }
      for _ in 0..<2 {
        #expect(await rig.command("import", try film("기생충", "20183782", 1)).code == .done)
        let after = try #require(try await client.entry("film_kobis-20183782"))
        #expect(after.film.id == before.film.id && after.film.title == before.film.title)
        #expect(after.film.titles == before.film.titles && after.film.genres == before.film.genres)
        #expect(after.film.directors == before.film.directors)
        #expect(after.film.runtimeMinutes == before.film.runtimeMinutes)
        #expect(after.film.rating?.code == "15" && after.film.externalIDs?.contains("kobis:20183782") == true)
      }
      for minutes in [100, 101] {
        #expect(await rig.command("import", try film("밀물", "1", minutes)).code == .done)
        let own = try await client.entry("film_kobis-1")
        #expect(own?.film.runtimeMinutes == minutes)
      }
    }
  }

  @Test("a wrong key, a used quota, a failure and a code that is none are told apart, and the key is not told")
  func failures() async throws {
    try await running { rig, _ in
      var said: [String] = []
      for (code, words) in [
        ("1", "quota of this key is used up for today"), ("2", "did not answer as it should: 시스템"),
        ("3", "is no JSON object"), ("9", "KOBIS film 9: its answer has no title"), ("a&b", "is no code of KOBIS's"),
      ] {
        let result = await rig.command("fetch", "--source", "kobis", code)
        #expect(result.code != .done && result.errors.contains(words), "\(result.errors)")
        said.append(result.errors)
      }
      #expect(![rig.log.lines.joined(), said.joined()].contains { $0.contains(Self.key) })
      let list = await rig.command("list", "--tsv", "--fields", "id")
      #expect(list.code == .done && !list.output.contains("film_"), "\(list.errors)")
    }
    try await running(key: "another0another0another0another0") { rig, _ in
      let result = await rig.command("fetch", "--source", "kobis", "20183782")
      #expect(result.errors.contains("KOBIS does not take the key: 유효하지않은"), "\(result.errors)")
    }
    try await running(key: nil) { rig, _ in
      let result = await rig.command("fetch", "--source", "kobis", "20183782")
      #expect(result.errors.contains("--kobis-key-file"))
    }
  }
}

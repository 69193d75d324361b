import Clocks
import Contracts
import EventLoops
import Fetch
import Films
import HTTP
import JSON
import RPC
import RPCTransport
import ServiceKit
import ServiceStorage
import ServiceTestKit
import Storage
import TestKit
import Testing

/// `posters fetch`: many pictures ahead of those who ask for them, from an upstream of our own.
@Suite("Posters fetched ahead")
@MainActor
struct PosterHarvestTests {
  nonisolated private static let key = String(repeating: "0123456789abcdef", count: 4)
  /// As large as it says, and no lines in it.
  nonisolated private static let picture: [UInt8] = [
    0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC2, 0, 11, 8, 1, 0x2C, 0, 0xC8, 1, 1, 0x11, 0,
  ]
  nonisolated private static let headless: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 8, count: 40)

  /// What the upstream was asked, in order, and whether it has had enough.
  @MainActor
  private final class Upstream {
    var asked: [String] = [] { didSet { lastAsked = EventLoop.time.now } }
    var lastAsked: Instant?
    var isBusy = false
    /// What somebody does before it answers.
    var meanwhile: [String: @MainActor () async -> Void] = [:]
  }

  @MainActor
  private final class Turns { var came: [String: Duration] = [:] }

  private func running(
    _ rows: [String], key: String? = nil,
    _ body: (ServiceRig, any RPCClient<FilmsAPI>, Upstream) async throws -> Void
  ) async throws {
    let upstream = Upstream()
    func answer(_ path: String, _ file: String) async -> HTTPResponse {
      upstream.asked.append(path)
      await upstream.meanwhile[path]?()
      guard !upstream.isBusy else {
        var busy = HTTPResponse(.tooManyRequests)
        busy.fields = [HTTPField("Retry-After", "40")]
        return busy
      }
      return switch file {
      case "page.jpg": HTTPResponse(.ok, .jpeg, Array("<html>not here</html>".utf8))
      case "headless.jpg": HTTPResponse(.ok, .jpeg, Self.headless)
      case "large.jpg": HTTPResponse(.ok, .jpeg, Self.picture + [UInt8](repeating: 0, count: PosterPicture.bytesMax))
      case "moved.jpg": .redirect(.found, to: "/t/p/w342/good.jpg")
      case "gone.jpg": HTTPResponse(.notFound)
      default: HTTPResponse(.ok, .html, Self.picture)
      }
    }
    var router = HTTPRouter()
    router.get("/t/p/{size}/{file}") { (_, size: String, file: String) async in await answer("\(size)/\(file)", file) }
    router.get("/pictures/{file}") { (_, file: String) async in await answer("pictures/\(file)", file) }
    router.get("/3/movie/{number}", query: ["append_to_response"]) { (_, number: String) async in
      upstream.asked.append("movie/\(number)")
      await upstream.meanwhile["movie/\(number)"]?()
      guard number != "843" else { return .json(Array(TMDbTests.film.utf8)) }
      let path = number.hasPrefix("5") ? "null" : #""/p\#(number).jpg""#
      return .json(Array(#"{"id":\#(number),"title":"TMDb's","poster_path":\#(path)}"#.utf8))
    }
    let server = HTTPServer(router: router, time: EventLoop.time)
    let address = try server.listen(on: .loopback())
    let folder = try TemporaryFolder()
    var flags = ["tmdb-images": "http://\(address)/t/p/", "tmdb-url": "http://\(address)", "starter": "false"]
    if let key { flags["tmdb-key-file"] = try folder.writeSecret(key, to: "key") }
    try await FilmsTests.running(flags) { rig, client in
      let lines = ["id,title,year,poster_url,external_ids"] + rows.map { $0.replacing("HOST", with: "\(address)") }
      let file = try folder.write(lines.joined(separator: "\n") + "\n", to: "f.csv")
      let imported = await rig.command("import", file)
      #expect(imported.code == .done, "\(imported.errors)")
      try await body(rig, client, upstream)
    }
    await server.drain()
  }

  private static func tmdb(_ name: String) -> String {
    "film_\(name),\(name),2001,https://image.tmdb.org/t/p/w500/\(name).jpg,"
  }

  /// By film: the bytes, or the problem.
  private func told(_ result: Screen.Result) throws -> [String: String] {
    let rows = try JSONValue(parsing: result.output)["data"]?.array ?? []
    return Dictionary(
      rows.map { row in
        (row["film"]?.string ?? "", row["problem"]?.string ?? row["bytes"]?.int.map(String.init) ?? "wanted")
      }
    ) { first, _ in first }
  }

  @Test("each picture is fetched once, and what is none is told and not stored")
  func fetched() async throws {
    let names = ["good", "page", "headless", "large", "moved", "gone"]
    try await running(names.map(Self.tmdb)) { rig, client, upstream in
      let dry = await rig.command("posters", "fetch", "--dry-run", "--json")
      #expect(try told(dry) == Dictionary(uniqueKeysWithValues: names.map { ("film_\($0)", "wanted") }))
      #expect(dry.code == .done && dry.errors.contains("6 pictures would be fetched") && upstream.asked.isEmpty)
      let result = await rig.command("posters", "fetch", "--json")
      let news = try told(result)
      #expect(result.code == .partial && result.errors.contains("1 pictures fetched · 5 were not"), "\(result.errors)")
      #expect(news["film_good"] == "\(Self.picture.count)")
      for (name, words) in [
        ("page", "no JPEG, PNG or WebP"), ("headless", "no JPEG, PNG or WebP"), ("large", "not fetched"),
        ("moved", "status 302"), ("gone", "not there any more"),
      ] {
        #expect(news["film_\(name)"]?.contains(words) == true, "\(name): \(news["film_\(name)"] ?? "nothing")")
      }
      #expect(upstream.asked.sorted() == names.map { "w342/\($0).jpg" }.sorted())
      upstream.asked = []
      // Whoever is shown it now waits for nobody.
      let shown = try await client.call(PosterOfFilm(film: .named("film_good"), width: 342))
      #expect(shown.bytes == Self.picture && upstream.asked.isEmpty)
      #expect(await rig.command("posters", "verify").code == .done)
      let again = await rig.command("posters", "fetch", "--dry-run", "--json")
      #expect(try told(again)["film_good"] == nil && again.errors.contains("5 pictures would be fetched"))
    }
  }

  @Test("TMDb is asked where a film's picture is of which only the number is known; without a key that is told")
  func numbers() async throws {
    let rows = ["film_mood,Mood,2000,,tmdb:843", "film_bare,Bare,2001,,tmdb:5", "film_none,None,2001,,"]
    try await running(rows + [Self.tmdb("good")]) { rig, _, upstream in
      for count in [1, 0] {
        let dry = await rig.command("posters", "fetch", "--dry-run")
        #expect(dry.code == .done && dry.errors.contains("\(count) pictures would be fetched"), "\(dry.errors)")
        let result = await rig.command("posters", "fetch")
        // That a key would find more is no failure, however much is left to fetch.
        #expect(result.code == .done && result.errors.contains("\(count) pictures fetched"), "\(result.errors)")
        #expect(result.errors.contains("2 films") && result.errors.contains("--tmdb-key-file"), "\(result.errors)")
      }
      #expect(upstream.asked == ["w342/good.jpg"])
    }
    try await running(rows, key: Self.key) { rig, client, upstream in
      let result = await rig.command("posters", "fetch", "--json")
      let news = try told(result)
      #expect(result.code == .partial && news["film_mood"] == "\(Self.picture.count)", "\(result.errors)")
      #expect(news["film_bare"]?.contains("TMDb has no poster") == true && news.count == 2)
      #expect(upstream.asked.sorted() == ["movie/5", "movie/843", "w342/iY.jpg"])
      // The record says it from now on, and what else it said stays.
      let film = try await client.entry("film_mood")
      #expect(film?.film.poster != nil && film?.film.title == "Mood" && film?.film.originalTitle == nil)
      #expect(film?.credit?.contains("TMDB API") == true)
    }
  }

  @Test("what operators do while posters are fetched stays: an edit, a removal, an address, a picture of their own")
  func meanwhile() async throws {
    let rows = [
      "film_two,Two,2001,,tmdb:2", "film_three,Three,2001,,tmdb:3", "film_four,Four,2001,,tmdb:4",
      "film_mine,Mine,2001,http://HOST/pictures/mine.jpg,",
    ]
    let folder = try TemporaryFolder()
    let own: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 7, count: 40)
    let file = try folder.write(own, to: "own.png")
    try await running(rows, key: Self.key) { rig, client, upstream in
      @MainActor func during(_ path: String, _ words: String...) {
        upstream.meanwhile[path] = {
          let result = await rig.command(words)
          #expect(result.code == .done, "\(result.errors)")
        }
      }
      during("movie/2", "edit", "film_two", "--title", "Told")
      during("movie/3", "rm", "film_three", "--yes")
      during("movie/4", "edit", "film_four", "--poster-url", "https://image.tmdb.org/t/p/w500/told.jpg")
      during("pictures/mine.jpg", "poster", "set", "film_mine", file)
      let result = await rig.command("posters", "fetch", "--from", "127.0.0.1", "--json")
      let news = try told(result)
      #expect(result.code == .partial, "\(result.errors)")
      let two = try await client.entry("film_two")
      #expect(two?.film.title == "Told" && two?.film.poster != nil)
      #expect(two?.credit?.contains("TMDB API") == true)
      let three = try await client.entry("film_three")
      #expect(three == nil && news["film_three"]?.contains("no film film_three any more") == true, "\(news)")
      let four = try await client.entry("film_four")
      #expect(four?.film.posterURL?.hasSuffix("/told.jpg") == true)
      #expect(upstream.asked.contains("w342/told.jpg") && !upstream.asked.contains("w342/p4.jpg"), "\(upstream.asked)")
      #expect(news["film_mine"]?.contains("a picture of its own by now") == true, "\(news)")
      let mine = try await client.call(PosterOfFilm(film: .named("film_mine"), width: 92))
      #expect(mine.bytes == own)
    }
  }

  @Test("TMDb is asked where pictures are at the pace at which it is asked for them")
  func addresses() async throws {
    let rows = (50...53).map { "film_n\($0),N\($0),2001,,tmdb:\($0)" }
    try await running(rows, key: Self.key) { rig, _, upstream in
      let began = EventLoop.time.now
      _ = await rig.command("posters", "fetch")
      #expect(upstream.asked.count == 4)
      // Three waits of a quarter of a second; the loop's clock is a millisecond coarse.
      let last = try #require(upstream.lastAsked)
      #expect(last - began >= .milliseconds(745))
    }
  }

  @Test("--from takes a host as people write it and a page's address, refuses what is none, tells whom no film names")
  func hosts() async throws {
    let ascii = try FetchURL(parsing: "https://한글.example/").host.description
    let rows = [
      "film_hangul,Hangul,2001,https://\(ascii)/x.jpg,", "film_mine,Mine,2001,https://pictures.example/x.jpg,",
      "film_loud,Loud,2001,https://loud.example/x.jpg,", Self.tmdb("good"),
    ]
    try await running(rows) { rig, _, upstream in
      let result = await rig.command(
        "posters", "fetch", "--dry-run", "--json", "--from", "한글.example", "--from", "https://pictures.example/of/us",
        "--from", "LOUD.example.", "--from", "nobody.example", "--from", "image.tmdb.org")
      #expect(result.code == .done, "\(result.errors)")
      let films = try told(result).keys.sorted()
      #expect(films == ["film_good", "film_hangul", "film_loud", "film_mine"], "\(result.errors)")
      #expect(result.errors.contains("no film has a picture at nobody.example"), "\(result.errors)")
      #expect(!result.errors.contains("picture at image.tmdb.org"), "\(result.errors)")
      for odd in ["a b", "ftp://pictures.example", "me@pictures.example", "127.1"] {
        let refused = await rig.command("posters", "fetch", "--from", odd)
        #expect(refused.code == .usage && refused.errors.contains("\(odd) is no host"), "\(odd): \(refused.errors)")
      }
      #expect(upstream.asked.isEmpty)
    }
  }

  @Test("a shelf that is full of old pictures is renewed; one that is full of good ones is told, with what to do")
  func fullShelf() async throws {
    try await running([Self.tmdb("good")]) { rig, _, upstream in
      let database = try #require(rig.parts.lazy.compactMap { $0 as? ServiceDatabase }.first).opened
      func fill(since: Int64) async throws {
        try await database.write { db in
          try db.execute("DELETE FROM fetched_poster")
          try db.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 64)
            INSERT INTO fetched_poster (address, form, tag, bytes, since)
            SELECT 'http://pictures.example/' || i, 'jpeg', 'x', zeroblob(1 << 20), ? FROM n
            """, [since])
        }
      }
      try await fill(since: .max)
      let full = await rig.command("posters", "fetch")
      #expect(full.code == .failed && upstream.asked.isEmpty)
      #expect(full.errors.contains("odi-films posters gc"), "\(full.errors)")
      try await fill(since: 0)
      let renewed = await rig.command("posters", "fetch")
      #expect(renewed.code == .done && upstream.asked == ["w342/good.jpg"], "\(renewed.errors)")
    }
  }

  @Test("a host that the operator names gives pictures that become their own; others are told, and not asked")
  func elsewhere() async throws {
    let rows = [
      "film_mine,Mine,2001,http://HOST/pictures/mine.jpg,", "film_led,Led,2001,http://HOST/pictures/moved.jpg,",
      "film_inside,Inside,2001,http://10.0.0.7/x.jpg,", "film_other,Other,2001,https://other.example/x.jpg,",
    ]
    try await running(rows) { rig, client, upstream in
      let none = await rig.command("posters", "fetch")
      #expect(none.code == .done && upstream.asked.isEmpty)
      #expect(none.errors.contains("2 films have a picture at 127.0.0.1; --from 127.0.0.1"), "\(none.errors)")
      let result = await rig.command("posters", "fetch", "--from", "127.0.0.1", "--from", "10.0.0.7", "--json")
      let news = try told(result)
      #expect(result.code == .partial && news.count == 3, "\(result.errors)")
      #expect(news["film_mine"] == "\(Self.picture.count)")
      #expect(news["film_led"]?.contains("status 302") == true)
      // Whatever a record says, no address of a network within is connected to.
      #expect(news["film_inside"]?.contains("private") == true, "\(news)")
      #expect(result.errors.contains("1 films have a picture at other.example"))
      #expect(upstream.asked.sorted() == ["pictures/mine.jpg", "pictures/moved.jpg"])
      let shown = try await client.call(PosterOfFilm(film: .named("film_mine"), width: 92))
      #expect(shown.bytes == Self.picture)
      #expect(await rig.command("history", "film_mine").output.contains("pictured"))
      #expect(await rig.command("poster", "rm", "film_mine").code == .done)
    }
  }

  @Test("who asks to be left alone is, and what was left is told")
  func busy() async throws {
    try await running(["a", "b", "c"].map(Self.tmdb)) { rig, _, upstream in
      upstream.isBusy = true
      let result = await rig.command("posters", "fetch", "--json")
      #expect(upstream.asked.count == 1 && result.code == .partial)
      #expect(result.errors.contains("asks to be left alone for"), "\(result.errors)")
      #expect(result.errors.contains("films that were left: 2"))
      upstream.isBusy = false
      #expect(await rig.command("posters", "fetch").code == .failed)
      #expect(upstream.asked.count == 1)
    }
  }

  @Test("a host is asked at its own pace, also by two at once, and not at all once it asks for a pause")
  func pace() async throws {
    let time = ManualTime()
    let pace = PosterPace(of: "http://pictures.example/t/p/", time: time)
    let (own, other) = (try FetchURL(parsing: "http://pictures.example/a"), try FetchURL(parsing: "http://b.example/a"))
    let began = time.now
    try await pace.turn(of: own)
    try await pace.turn(of: other)
    #expect(time.now == began)
    let turns = Turns()
    for (name, url) in [("second", own), ("third", own), ("other", other)] {
      Task {
        try await pace.turn(of: url)
        turns.came[name] = time.now - began
      }
    }
    while time.pending < 3 { await Task.yield() }
    while let next = time.nextDue {
      let count = turns.came.count
      time.advance(by: next - time.now)
      while turns.came.count == count { await Task.yield() }
    }
    #expect(
      turns.came == ["second": .milliseconds(250), "third": .milliseconds(500), "other": .seconds(2)])
    pace.ended(own, .throttled(retryAfter: .seconds(40)))
    await #expect(throws: RPCError.self) { try await pace.turn(of: own) }
    time.advance(by: .seconds(41))
    try await pace.turn(of: own)
  }
}

import Clocks
import Contracts
import EventLoops
import Films
import HTTP
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// Pictures: whose are fetched, what is taken for one, and what is kept.
@Suite("Posters")
@MainActor
struct PosterTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 7, count: 40)
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 8, count: 40)

  /// What was asked of the pictures' upstream, in order.
  @MainActor
  private final class Asked { var paths: [String] = [] }

  private func running(_ body: (ServiceRig, any RPCClient<FilmsAPI>, Asked) async throws -> Void) async throws {
    let asked = Asked()
    var router = HTTPRouter()
    router.get("/t/p/{size}/{file}") { (request, size: String, file: String) in
      asked.paths.append("\(size)/\(file)")
      switch file {
      // It says what it is not: only the bytes count.
      case "good.jpg": return HTTPResponse(.ok, .html, Self.jpeg)
      case "page.jpg": return HTTPResponse(.ok, .jpeg, Array("<html>not here</html>".utf8))
      case "large.jpg":
        return HTTPResponse(.ok, .jpeg, Self.jpeg + [UInt8](repeating: 0, count: PosterPicture.bytesMax))
      case "moved.jpg": return .redirect(.found, to: "/t/p/w500/good.jpg")
      case "down.jpg": return HTTPResponse(.serviceUnavailable)
      default: return HTTPResponse(.notFound)
      }
    }
    let server = HTTPServer(router: router, time: EventLoop.time)
    let address = try server.listen(on: .loopback())
    let flags = ["tmdb-images": "http://\(address)/t/p/", "starter": "false"]
    try await FilmsTests.running(flags) { rig, client in
      let folder = try TemporaryFolder()
      let rows = ["good", "page", "large", "moved", "down", "gone"].map {
        "film_\($0),\($0),2001,https://image.tmdb.org/t/p/w500/\($0).jpg"
      }
      let own = [
        "film_elsewhere,Elsewhere,2001,https://cinema.example/t/p/w500/good.jpg",
        "film_climbing,Climbing,2001,https://image.tmdb.org/t/p/w500/../../good.jpg", "film_bare,Bare,2001,",
      ]
      let file = try folder.write(
        (["id,title,year,poster_url"] + rows + own).joined(separator: "\n") + "\n", to: "f.csv")
      let imported = await rig.command("import", file)
      #expect(imported.code == .done, "\(imported.errors)")
      try await body(rig, client, asked)
    }
    await server.drain()
  }

  @Test("a poster of TMDb's is fetched once, in the width that is asked for, and told by what it is")
  func fetched() async throws {
    try await running { _, client, asked in
      async let one = client.call(PosterOfFilm(film: .named("film_good"), width: 300))
      async let other = client.call(PosterOfFilm(film: .named("film_good"), width: 342))
      let pictures = try await [one, other]
      #expect(pictures.allSatisfy { $0.form == .jpeg && $0.bytes == Self.jpeg } && pictures[0].tag == pictures[1].tag)
      #expect(asked.paths == ["w342/good.jpg"])
      _ = try await client.call(PosterOfFilm(film: .named("film_good"), width: 342))
      _ = try await client.call(PosterOfFilm(film: .named("film_good"), width: 2_000))
      #expect(asked.paths == ["w342/good.jpg", "w780/good.jpg"])
      let names = try await client.call(PosterNames(limit: 100))
      #expect(
        names.map(\.film.text).sorted() == ["down", "gone", "good", "large", "moved", "page"].map { "film_" + $0 })
      let film = try await client.entry("film_good")
      #expect(film?.film.poster == names.first { $0.film.text == "film_good" }?.poster)
    }
  }

  @Test("what is no picture, too large, elsewhere or gone is refused, and not asked for again at once")
  func refused() async throws {
    try await running { _, client, asked in
      func refusal(_ id: String) async -> RPCError? {
        do throws(RPCError) {
          _ = try await client.call(PosterOfFilm(film: .named("film_" + id), width: 92))
          return nil
        } catch {
          return error
        }
      }
      for (id, code, words) in [
        ("page", .notFound, "no JPEG, PNG or WebP"), ("gone", .notFound, "not there any more"),
        ("large", .unavailable, "not fetched"), ("moved", .unavailable, "status 302"),
        ("down", .unavailable, "status 503"),
      ] as [(String, RPCError.Code, String)] {
        let error = await refusal(id)
        #expect(error?.code == code && error?.message.contains(words) == true, "\(id): \(error?.message ?? "taken")")
      }
      let count = asked.paths.count
      for id in ["page", "gone", "large", "moved", "down"] {
        let again = await refusal(id)
        #expect(again != nil)
      }
      // Nobody allowed these to be shown, and an address that climbs is none.
      for id in ["elsewhere", "climbing", "bare"] {
        let error = await refusal(id)
        #expect(error?.code == .notFound && error?.message == "film_\(id) has no poster")
      }
      #expect(asked.paths.count == count)
    }
  }

  @Test("an operator's own picture stands before TMDb's, follows its film, and can be taken away")
  func own() async throws {
    try await running { rig, client, asked in
      let folder = try TemporaryFolder()
      let file = try folder.write(Self.png, to: "own.png")
      let text = try folder.write("<svg/>", to: "own.svg")
      let before = try await client.entry("film_good")?.film.poster
      #expect(await rig.command("poster", "set", "film_good", text).errors.contains("no JPEG, PNG or WebP"))
      #expect(await rig.command("poster", "set", "film_nobody", file).code == .notFound)
      #expect(await rig.command("poster", "set", "film_good", file).code == .done)
      let picture = try await client.call(PosterOfFilm(film: .named("film_good"), width: 92))
      #expect(picture.form == .png && picture.bytes == Self.png && asked.paths.isEmpty)
      let named = try await client.entry("film_good")?.film.poster
      #expect(named != nil && named != before)
      // The film becomes part of another, and is one by itself again.
      #expect(await rig.command("merge", "film_bare", "film_good").code == .done)
      let merged = try await client.entry("film_bare")?.film.poster
      #expect(merged == named)
      #expect(await rig.command("split", "film_good").code == .done)
      let (apart, bare) = (
        try await client.entry("film_good")?.film.poster, try await client.entry("film_bare")?.film.poster
      )
      #expect(apart == named && bare == nil)
      // That a picture was given is no change that undoing would take for the film.
      let history = await rig.command("history", "film_good", "--tsv", "--fields", "revision,kind").output
      let revision = history.split(separator: "\n").first { $0.hasSuffix("pictured") }?.prefix { $0 != "\t" }
      #expect(await rig.command("undo", String(try #require(revision))).code != .done)
      #expect(await rig.command("poster", "rm", "film_good").code == .done)
      let after = try await client.entry("film_good")?.film.poster
      #expect(after == before)
      #expect(await rig.command("poster", "rm", "film_good").code == .notFound)
    }
  }
}

import Clocks
import Contracts
import EventLoops
import Films
import Foundation
import HTTP
import JSON
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

  private func running(
    folder kept: TemporaryFolder? = nil, _ body: (ServiceRig, any RPCClient<FilmsAPI>, Asked) async throws -> Void
  ) async throws {
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
    try await FilmsTests.running(flags, folder: kept) { rig, client in
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

  /// As large as it says, and no picture in it.
  nonisolated private static func pngHead(_ width: UInt8, _ height: UInt8) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 1, width, 0, 0, 0, height, 8, 2, 0, 0, 0, 1, 2, 3, 4]
  }

  nonisolated private static let jpegHead: [UInt8] =
    [
      0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC4, 0, 3, 9, 0xFF, 0xC2, 0, 11, 8, 1, 0x2C, 0, 0xC8, 1, 1, 0x11,
      0,
    ]

  nonisolated private static func webp(_ part: String, _ rest: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + [30, 0, 0, 0] + Array("WEBP\(part)".utf8) + [18, 0, 0, 0] + rest
      + [UInt8](repeating: 0, count: 12)
  }

  @Test(
    "a picture's head says how large it is; cut off before that, or with no size, it is none",
    arguments: [
      (pngHead(2, 9), PictureForm.png, 258, 9), (jpegHead, .jpeg, 200, 300),
      (webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0xC8, 0x40, 0x2C, 0x81]), .webp, 200, 300),
      (webp("VP8L", [0x2F, 0xC7, 0xC0, 0x4A, 0]), .webp, 200, 300),
      (webp("VP8X", [0, 0, 0, 0, 0xC7, 0, 0, 0x2B, 1, 0]), .webp, 200, 300),
    ])
  func heads(bytes: [UInt8], form: PictureForm, width: Int, height: Int) {
    #expect(PictureForm(sniffing: bytes) == form)
    let head = PictureHead(bytes, as: form)
    #expect(head?.width == width && head?.height == height)
    for count in 0..<20 { #expect(PictureHead(Array(bytes.prefix(count)), as: form) == nil, "\(count)") }
    for other in PictureForm.known where other != form { #expect(PictureHead(bytes, as: other) == nil) }
  }

  @Test("of any bytes a head is read, or none")
  func anyHead() {
    var random = SeededRandom(seed: 5)
    #expect(PictureHead(Self.pngHead(1, 0), as: .png) == nil)
    for _ in 0..<2_000 {
      var bytes = [Self.pngHead(1, 1), Self.jpegHead, Self.webp("VP8X", [])].randomElement(using: &random)!
      for _ in 0..<3 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
      let cut = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      for form in PictureForm.known { _ = PictureHead(cut, as: form) }
    }
  }

  @Test(
    "verify names each stored picture that is damaged or cannot be shown; gc takes away those that no film leads to")
  func lookedAfter() async throws {
    let (kept, folder) = (try TemporaryFolder(), try TemporaryFolder())
    try await running(folder: kept) { rig, _, _ in
      let whole = try folder.write(Self.pngHead(2, 9), to: "whole.png")
      #expect(await rig.command("posters", "verify").code == .done)
      for (id, file) in [
        ("gone", whole), ("bare", whole), ("elsewhere", try folder.write(Self.png, to: "broken.png")),
        ("down", try folder.write(Self.pngHead(3, 9), to: "other.png")),
      ] {
        #expect(await rig.command("poster", "set", "film_\(id)", file).code == .done)
      }
    }
    // A bit is lost where it lies.
    try Self.replace(Self.pngHead(3, 9), with: Self.pngHead(3, 8), in: kept.file("films.sqlite"))
    try await running(folder: kept) { rig, client, _ in
      _ = try await client.call(PosterOfFilm(film: .named("film_good"), width: 92))
      let told = await rig.command("posters", "verify", "--json")
      let faults = try JSONValue(parsing: told.output)["data"]?.array ?? []
      let lines = faults.map {
        "\($0["shelf"]?.string ?? "") \($0["picture"]?.string ?? ""): \($0["fault"]?.string ?? "")"
      }
      try #require(lines.count == 3, "\(lines)")
      #expect(lines[0] == "own film_down: its bytes are not those that were stored")
      #expect(lines[1] == "own film_elsewhere: its head says no size: it cannot be shown")
      #expect(
        lines[2].hasPrefix("fetched http://")
          && lines[2].hasSuffix("good.jpg: its head says no size: it cannot be shown"))
      #expect(told.code == .degraded && told.errors.contains("5 pictures with"))

      #expect(await rig.command("posters", "gc", "--yes").errors.contains("0 pictures · 0 bytes"))
      #expect(await rig.command("rm", "film_gone", "--yes").code == .done)
      #expect(await rig.command("posters", "verify").output.contains("there is no film film_gone"))
      #expect(await rig.command("edit", "film_good", "--poster-url", "").code == .done)
      let bytes = Self.pngHead(2, 9).count + Self.jpeg.count
      let dry = await rig.command("posters", "gc", "--dry-run", "--tsv")
      #expect(dry.output.contains("film_gone") && dry.output.contains("good.jpg"))
      #expect(dry.errors.contains("2 pictures · \(bytes) bytes · nothing was removed"))
      #expect(await rig.command("posters", "gc").code == .usage)
      #expect(await rig.command("posters", "gc", "--yes").errors.contains("2 pictures · \(bytes) bytes freed"))
      #expect(await rig.command("posters", "gc", "--dry-run").errors.contains("0 pictures"))
      let kept = try await client.call(PosterOfFilm(film: .named("film_bare"), width: 92))
      #expect(kept.bytes == Self.pngHead(2, 9))
    }
  }

  private static func replace(_ old: [UInt8], with new: [UInt8], in file: String) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
    let found = try #require(bytes.firstRange(of: old), "the picture is not in the file")
    bytes.replaceSubrange(found, with: new)
    try Data(bytes).write(to: URL(filePath: file))
  }
}

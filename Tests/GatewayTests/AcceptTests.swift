import Gateway
import HTTP
import JSON
import Testing

/// What a client says that it takes.
@Suite("Accepted types", .timeLimit(.minutes(5)))
@MainActor
struct AcceptTests {
  private let gateway = GatewayFixture()

  private func status(_ path: String, _ accept: String) async -> Int {
    await gateway.ask("GET", path, ["Accept: \(accept)"]).status
  }

  @Test(
    "an answer is given in the type that it has, to whoever takes it",
    arguments: [
      "*/*", "application/json", "application/*", "text/html, application/json;q=0.1", "*", "APPLICATION/JSON",
      "text/html;level=1, */*;q=0.01", "application/json; charset=utf-8", "", "nonsense",
      "application/xml ;q=1, */* ; q=0.2",
    ])
  func taken(accept: String) async {
    #expect(await status("/v1/sources", accept) == 200)
  }

  @Test(
    "who takes nothing of it is told what there is",
    arguments: [
      "text/html", "application/xml, text/*;q=0.9", "application/json;q=0", "*/*, application/json;q=0.0", "image/*",
      "application/json;q=nothing", "*/*;q=0",
    ])
  func refused(accept: String) async {
    let reply = await gateway.ask("GET", "/v1/sources", ["Accept: \(accept)"])
    #expect(reply.status == 406 && reply.problem == "not-acceptable")
    #expect(reply.json["detail"]?.string?.contains("application/json") == true)
  }

  @Test("each endpoint has its own type; pictures are taken by whoever takes pictures, JSON by whoever takes JSON")
  func types() async throws {
    #expect(await status("/v1/cinemas/lantern/calendar.ics", "text/calendar") == 200)
    #expect(await status("/v1/cinemas/lantern/calendar.ics", "application/json") == 406)
    #expect(await status("/v1/cinemas.geojson", "application/geo+json") == 200)
    #expect(await status("/v1/cinemas.geojson", "application/json") == 200)
    #expect(await status("/v1/films/film_tea/poster", "image/avif,image/webp") == 200)
    #expect(await status("/v1/films/film_tea/poster", "text/html") == 406)
    #expect(await status("/", "text/html,application/xhtml+xml,application/xml;q=0.9") == 200)
    #expect(await status("/", "application/json") == 406)
    // What has no body has no type.
    let token = try await gateway.session()
    let gone = await gateway.ask("DELETE", "/v1/me/bookmarks/film_tea", ["Accept: text/html"], token: token)
    #expect(gone.status == 204)
    #expect(await status("/v1/sources", String(repeating: "text/html,", count: 40)) == 200, "too much to be read")
  }
}

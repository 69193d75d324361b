import Calendars
import Contracts
import Gateway
import GatewayFakes
import HTML
import JSON
import Testing

/// What people read on the page, and hear of it.
@MainActor
@Suite("Reading the page", .timeLimit(.minutes(1)))
struct ReadingTests {
  private static let at = "at=37.571,126.976"
  private let gateway = GatewayFixture()

  private func read(_ path: String) async throws -> HTMLDocument {
    try HTMLDocument.parse(await gateway.ask(path).body, contentCharset: "utf-8")
  }

  @Test("a cinema that is found by its city is called by its name, and so it is while somebody types")
  func places() async throws {
    for index in gateway.world.locator.cinemas.indices { gateway.world.locator.cinemas[index].city = "Riverside" }
    let hits = await gateway.ask("/v1/search?q=riverside&types=cinema").json["data"]?.array ?? []
    let titles = hits.compactMap { $0["title"]?.string }
    #expect(titles.contains("등불극장") && Set(titles).count == titles.count && titles.count > 2, "\(titles)")
    #expect(hits.allSatisfy { $0["highlight"]?.array?.isEmpty == true }, "nothing of a name is what was asked for")
    let guesses = await gateway.ask("/v1/suggest?q=riverside").json["data"]?.array ?? []
    let guessed = guesses.compactMap { $0["text"]?.string }
    #expect(!guessed.isEmpty && guessed.allSatisfy(titles.contains), "\(guessed)")
    let named = await gateway.ask("/v1/search?q=lantern&types=cinema").json["data"]?.array?.first
    #expect(named?["title"] == "Lantern Cinema" && named?["highlight"]?.array?.count == 1)
  }
}

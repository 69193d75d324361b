import Contracts
import GatewayFakes
import JSON
import RPC
import Testing

/// What somebody may want to see, made of their own rows.
@MainActor
@Suite("Recommendations", .timeLimit(.minutes(5)))
struct RecommendationTests {
  @Test("what was saved and looked at leads to films, each with its reason; what led to them is not among them")
  func reasons() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    #expect(await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token).status == 201)
    let found = await gateway.ask("/v1/me/recommendations?limit=3&explain=true", token: token)
    #expect(found.status == 200 && found["cache-control"] == "private, no-store")
    let films = try #require(found.json["data"]?.array)
    #expect(films.count == 3)
    #expect(!films.contains { $0["film"]?["id"]?.string == "film_tea" })
    let reason = try #require(films[0]["reasons"]?[0])
    #expect(reason["film_id"]?.string == "film_tea")
    #expect(reason["share"]?.double == 1)
    #expect(reason["text"]?.string?.isEmpty == false)
    let short = await gateway.ask("/v1/me/recommendations?limit=3", token: token)
    #expect(short.json["data"]?[0]?["reasons"]?[0]?["share"]?.double == nil, "shares are told to who asks for them")
  }

  @Test("a look counts until it is forgotten")
  func forgotten() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let empty = await gateway.ask("/v1/me/recommendations", token: token)
    #expect(empty.json["data"]?[0]?["reasons"]?[0]?["kind"]?.string == "popular")
    #expect(empty.json["hint"]?.string != nil)
    let looked = await gateway.ask("POST", "/v1/me/views", body: #"{"film":"film_tea"}"#, token: token)
    #expect(looked.status == 200, "\(looked.json)")
    let after = await gateway.ask("/v1/me/recommendations", token: token)
    #expect(after.json["data"]?[0]?["reasons"]?[0]?["film_id"]?.string == "film_tea")
    #expect(await gateway.ask("DELETE", "/v1/me/views", token: token).status == 204)
    let again = await gateway.ask("/v1/me/recommendations", token: token)
    #expect(again.json["data"]?[0]?["reasons"]?[0]?["kind"]?.string == "popular")
  }

  @Test(
    "looks of before somebody no longer wanted them to be remembered lead nowhere; titles are in the language asked for"
  )
  func optedOut() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    await gateway.ask("POST", "/v1/me/views", body: #"{"film":"film_tea"}"#, token: token)
    await gateway.ask("PATCH", "/v1/me/settings", body: #"{"keeps_history":false}"#, token: token)
    let after = await gateway.ask("/v1/me/recommendations?lang=ko", token: token)
    #expect(after.json["data"]?[0]?["reasons"]?[0]?["kind"]?.string == "popular", "\(after.text)")
    #expect(after.json["data"]?[0]?["reasons"]?[0]?["text"] == "많은 사람이 보고 싶어 합니다")
    // Nobody can tell: then it is not gone by.
    await gateway.ask("PATCH", "/v1/me/settings", body: #"{"keeps_history":null}"#, token: token)
    gateway.world.bookmarks.manners.failures["SettingsOf"] = RPCError(.unavailable, "away", executed: .no)
    let unknown = await gateway.ask("/v1/me/recommendations", token: token)
    #expect(unknown.json["data"]?[0]?["reasons"]?[0]?["kind"]?.string == "popular")
  }

  @Test("nobody is told what others like: it needs a session, and another's rows change nothing")
  func ownRows() async throws {
    let gateway = GatewayFixture()
    #expect(await gateway.ask("/v1/me/recommendations").status == 401)
    let (mine, other) = (try await gateway.session(), try await gateway.session())
    let before = await gateway.ask("/v1/me/recommendations", token: mine)
    #expect(await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: other).status == 201)
    #expect(await gateway.ask("/v1/me/recommendations", token: mine).json == before.json)
  }

  @Test("without the catalogue's service there is a problem, not an empty list")
  func away() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    gateway.world.films.manners.failure = RPCError(.unavailable, "away", executed: .no)
    let found = await gateway.ask("/v1/me/recommendations", token: token)
    #expect(found.status == 503)
  }
}

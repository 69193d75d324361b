import Clocks
import Contracts
import EventLoops
import Gateway
import GatewayFakes
import HTTP
import JSON
import RPC
import Testing

/// What belongs to somebody.
@MainActor
@Suite("Users", .timeLimit(.minutes(5)))
struct UserTests {
  @Test("a film is saved, listed with its next showing, told as a change, and removed")
  func bookmarks() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let put = await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", body: #"{"note":"w/ Mina"}"#, token: token)
    #expect(put.status == 201 && put.json["film_id"]?.string == "film_tea" && put.json["rev"]?.int == 1)
    #expect(await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token).status == 200)
    let list = await gateway.ask("/v1/me/bookmarks?include=film,next_showtime", token: token)
    let item = try #require(list.json["data"]?[0])
    #expect(item["note"]?.string == "w/ Mina" && item["film"]?["id"]?.string == "film_tea")
    #expect(item["next_showtime"]?["cinema"]?["name"]?.string != nil)
    #expect(await gateway.ask("DELETE", "/v1/me/bookmarks/film_tea", token: token).status == 204)
    let changes = await gateway.ask("/v1/me/bookmarks/changes?since=0", token: token)
    #expect(changes.json["data"]?[0]?["op"]?.string == "delete" && changes.json["next_cursor"]?.string == "2")
    #expect(list["cache-control"] == "private, no-store" && list["etag"] == nil)
  }

  @Test(
    "a film that nobody knows cannot be saved; while nobody can tell, the user is believed",
    arguments: [RPCError.Code.unavailable, .internal, .unimplemented, .notFound])
  func unknownFilm(trouble: RPCError.Code) async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    #expect(await gateway.ask("PUT", "/v1/me/bookmarks/film_nope", token: token).status == 404)
    gateway.world.scraper.manners.failure = RPCError(trouble, "away", executed: .no)
    #expect(await gateway.ask("PUT", "/v1/me/bookmarks/film_nope", token: token).status == 201)
  }

  @Test("nobody is served without a session, nor with one that was made void or is of somebody erased")
  func sessions() async throws {
    let gateway = GatewayFixture()
    let none = await gateway.ask("/v1/me")
    #expect(none.status == 401 && none["www-authenticate"] == "Bearer realm=\"odi\"")
    #expect(await gateway.ask("/v1/me", token: "v1.x.user_1.9999999999999.AAAA").status == 401)
    let token = try await gateway.session()
    #expect(await gateway.ask("/v1/me", token: token).status == 200)
    gateway.time.advance(by: .seconds(1))
    #expect(await gateway.ask("DELETE", "/v1/sessions/current", token: token).status == 204)
    let void = await gateway.ask("/v1/me", token: token)
    #expect(void.status == 401 && void["www-authenticate"]?.contains("error=\"invalid_token\"") == true)
    let other = try await gateway.session()
    #expect(await gateway.ask("DELETE", "/v1/me", token: other).status == 204)
    #expect(await gateway.ask("/v1/me/bookmarks", token: other).status == 401)
  }

  @Test("a session is signed for by Bearer in any case, and by nothing else")
  func scheme() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    for scheme in ["Bearer", "bearer", "BEARER"] {
      #expect(await gateway.ask("GET", "/v1/me", ["Authorization: \(scheme) \(token)"]).status == 200, "\(scheme)")
    }
    for header in ["Bearer", "Bearer  \(token)", "Bearer\(token)", "Basic \(token)", token] {
      #expect(await gateway.ask("GET", "/v1/me", ["Authorization: \(header)"]).status == 401, "\(header)")
    }
  }

  @Test("a token that was taken before is not taken when its time is over, nor with another code")
  func knownTokens() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    #expect(await gateway.ask("/v1/me", token: token).status == 200)
    let code = token.suffix(9)
    let forged = token.dropLast(9) + (code.first == "A" ? "B" : "A") + code.dropFirst()
    #expect(await gateway.ask("/v1/me", token: String(forged)).status == 401)
    gateway.time.wall = WallTime(milliseconds: gateway.time.wall.milliseconds + 366 * 86_400_000)
    #expect(await gateway.ask("/v1/me", token: token).status == 401)
  }

  @Test("a cookie signs for reading; for writing it needs a field that no other site can send")
  func cookies() async throws {
    let gateway = GatewayFixture()
    let opened = await gateway.ask("POST", "/v1/sessions", ["X-Odi-Request: 1"], body: #"{"locale":"ko"}"#)
    let cookie = try #require(opened["set-cookie"])
    #expect(cookie.hasPrefix("odi=v1.") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
    let pair = String(cookie.prefix { $0 != ";" })
    #expect(await gateway.ask("GET", "/v1/me", ["Cookie: a=b; \(pair)"]).status == 200)
    let bare = await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", ["Cookie: \(pair)"])
    #expect(bare.status == 403 && bare.problem == "forbidden")
    #expect(
      await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", ["Cookie: \(pair)", "X-Odi-Request: 1"]).status == 201)
    let plain = await gateway.ask("POST", "/v1/sessions")
    #expect(plain["set-cookie"] == nil, "an app gets no cookie")
  }

  @Test("behind a proxy that speaks https the cookie is bound to its origin")
  func secureCookie() async {
    let gateway = GatewayFixture { $0.manners.publicURL = "https://odi.example" }
    let opened = await gateway.ask("POST", "/v1/sessions", ["X-Odi-Request: 1"])
    #expect(opened["set-cookie"]?.hasPrefix("__Host-odi=") == true)
    #expect(opened["set-cookie"]?.contains("Secure") == true)
  }

  @Test("the same write sent again is done once, and says so; another under its name is refused")
  func idempotency() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let key = ["Idempotency-Key: my-key-1"]
    let first = await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", key, token: token)
    let again = await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", key, token: token)
    #expect(first.status == 201 && again.status == 201 && first.body == again.body)
    #expect(first["idempotent-replayed"] == nil && again["idempotent-replayed"] == "true")
    let other = await gateway.ask("PUT", "/v1/me/bookmarks/film_monster", key, token: token)
    #expect(other.status == 422 && other.problem == "idempotency-mismatch")
    gateway.world.bookmarks.manners.failure = RPCError(.aborted, "it is under way")
    let running = await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", key, token: token)
    #expect(running.status == 409 && running["retry-after"] != nil)
  }

  @Test("a stranger's key is one that nobody else makes; of two strangers' reports called 1 both are kept")
  func strangersKeys() async throws {
    let gateway = GatewayFixture()
    let common = await gateway.ask("POST", "/v1/sessions", ["Idempotency-Key: 1"])
    #expect(common.status == 400 && common.json["errors"]?[0]?["parameter"]?.string == "Idempotency-Key")
    let key = ["Idempotency-Key: 6f9619ff-8b86-d011-b42d-00c04fc964ff"]
    let first = await gateway.ask("POST", "/v1/sessions", key)
    let again = await gateway.ask("POST", "/v1/sessions", key)
    #expect(first.status == 201 && first.json["user"] == again.json["user"])
    let networks = [IPAddress("203.0.113.1"), IPAddress("203.0.113.2")].map { $0?.description }
    #expect(
      IdempotencyKey(naming: "1", of: nil, at: networks[0]) != IdempotencyKey(naming: "1", of: nil, at: networks[1]))
  }

  @Test("changes are paged to their end from the beginning on")
  func changesInPages() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let films = gateway.world.scraper.films.map(\.id.text).sorted().prefix(3)
    for film in films { #expect(await gateway.ask("PUT", "/v1/me/bookmarks/\(film)", token: token).status == 201) }
    var (found, since) = ([String](), "0")
    for _ in films {
      let page = await gateway.ask("/v1/me/bookmarks/changes?limit=1&since=\(since)", token: token)
      #expect(page.status == 200)
      #expect(page.json["rev"]?.int ?? -1 > 0)
      found += page.json["data"]?.array?.compactMap { $0["film_id"]?.string } ?? []
      since = try #require(page.json["next_cursor"]?.string)
    }
    #expect(found == Array(films) && since == "3")
  }

  @Test("favourites are full pages, however many films were saved after them")
  func favouritesBesideFilms() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    await gateway.ask("PUT", "/v1/me/favourites/cinema/lantern", token: token)
    for film in gateway.world.scraper.films {
      await gateway.ask("PUT", "/v1/me/bookmarks/\(film.id)", token: token)
    }
    let page = await gateway.ask("/v1/me/favourites?limit=1", token: token).json
    #expect(page["data"]?[0]?["id"]?.string == "lantern" && page["has_more"]?.bool == false)
  }

  @Test("a full quota is no reason to wait: it is a conflict, without a time")
  func quota() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    gateway.world.bookmarks.manners.failure = RPCError(.resourceExhausted, "at most 5000 things can be saved")
    let full = await gateway.ask("PUT", "/v1/me/favourites/cinema/lantern", token: token)
    #expect(full.status == 409 && full.problem == "quota" && full["retry-after"] == nil)
    gateway.world.bookmarks.manners.failure = RPCError(.resourceExhausted, "later", retryAfter: .seconds(7))
    let busy = await gateway.ask("PUT", "/v1/me/favourites/cinema/lantern", token: token)
    #expect(busy.status == 429 && busy["retry-after"] == "7")
  }

  @Test("a service that does not let the gateway in is an outage, and nobody is told to sign in")
  func notLetIn() throws {
    var error = RPCError(.unauthenticated, "the secrets differ", executed: .no)
    #expect(Problem(error).status == .serviceUnavailable)
    error.origin = "bookmarks"
    #expect(Problem(error).status == .unauthorized)
  }

  @Test("a session that has ended shuts no door that is open to strangers")
  func endedSession() async throws {
    let gateway = GatewayFixture()
    let other = try await gateway.session()
    let code = try #require(await gateway.ask("POST", "/v1/me/pairing", token: other).json["code"]?.string)
    let dead = try await gateway.session()
    gateway.time.advance(by: .seconds(1))
    #expect(await gateway.ask("DELETE", "/v1/sessions/current", token: dead).status == 204)
    #expect(await gateway.ask("/v1/me", token: dead).status == 401)
    let paired = await gateway.ask("POST", "/v1/sessions/pair", body: #"{"code":"\#(code)"}"#, token: dead)
    #expect(paired.status == 201)
    let key = try #require(await gateway.ask("POST", "/v1/me/bookmarks/feed", token: other).json["url"]?.string)
    let feed = try #require(key.split(separator: "?").last)
    #expect(await gateway.ask("/v1/me/bookmarks.ics?\(feed)", token: dead).status == 200)
    #expect(await gateway.ask("/v1/me/bookmarks.ics", token: dead).status == 401)
  }

  @Test("settings are changed only if they are those that were read")
  func settings() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let read = await gateway.ask("/v1/me/settings", token: token)
    let tag = try #require(read["etag"])
    let changed = await gateway.ask(
      "PATCH", "/v1/me/settings", ["If-Match: \(tag)"], body: #"{"theme":"dark"}"#, token: token)
    #expect(changed.status == 200 && changed.json["theme"]?.string == "dark" && changed["etag"] != tag)
    let late = await gateway.ask(
      "PATCH", "/v1/me/settings", ["If-Match: \(tag)"], body: #"{"theme":"light"}"#, token: token)
    #expect(late.status == 412 && late.problem == "precondition-failed")
    #expect(await gateway.ask("PATCH", "/v1/me/settings", body: #"{"theme":null}"#, token: token).json["theme"] == nil)
  }

  @Test("a second device becomes the same user with a code")
  func pairing() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let code = try #require(await gateway.ask("POST", "/v1/me/pairing", token: token).json["code"]?.string)
    let paired = await gateway.ask("POST", "/v1/sessions/pair", body: #"{"code":"\#(code.lowercased())"}"#)
    #expect(paired.status == 201)
    let second = try #require(paired.json["token"]?.string)
    let (first, other) = (await gateway.ask("/v1/me", token: token), await gateway.ask("/v1/me", token: second))
    #expect(first.json["id"]?.string != nil && first.json["id"] == other.json["id"])
    #expect(await gateway.ask("POST", "/v1/sessions/pair", body: #"{"code":"\#(code)"}"#).status == 404)
  }

  @Test("who signs out does so on this device; all devices at once is another request")
  func signOut() async throws {
    let gateway = GatewayFixture()
    let first = try await gateway.session()
    let code = try #require(await gateway.ask("POST", "/v1/me/pairing", token: first).json["code"]?.string)
    gateway.time.advance(by: .seconds(1))
    let paired = await gateway.ask("POST", "/v1/sessions/pair", body: #"{"code":"\#(code)"}"#)
    let second = try #require(paired.json["token"]?.string)
    #expect(await gateway.ask("DELETE", "/v1/sessions/current", token: second).status == 204)
    #expect(await gateway.ask("/v1/me", token: second).status == 401)
    #expect(await gateway.ask("/v1/me", token: first).status == 200)
    gateway.time.advance(by: .seconds(60))
    #expect(await gateway.ask("/v1/me", token: second).status == 401, "also when Bookmarks is asked again")
    #expect(await gateway.ask("DELETE", "/v1/sessions", token: first).status == 204)
    #expect(await gateway.ask("/v1/me", token: first).status == 401)
  }

  @Test("with a session what is near tells which films are saved, to nobody else; one that has ended is no hindrance")
  func saved() async throws {
    let gateway = GatewayFixture()
    let path = "/v1/cinemas/nearby?lat=37.571&lon=126.976&include=days,showtimes"
    let token = try await gateway.session()
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token)
    func marks(_ reply: Reply) -> [JSONValue] {
      (reply.json["data"]?.array ?? []).flatMap { $0["films"]?.array ?? [] }
    }
    let own = await gateway.ask(path, token: token)
    #expect(own.status == 200 && own["cache-control"] == "private, no-store" && own["etag"] == nil)
    for group in marks(own) where group["film"]?["id"]?.string != nil {
      #expect(group["bookmarked"]?.bool == (group["film"]?["id"]?.string == "film_tea"))
    }
    #expect(marks(own).contains { $0["bookmarked"]?.bool == true })
    // Saved before it played, by the id that the catalogue alone remembers.
    await gateway.ask("PUT", "/v1/me/bookmarks/film_ran-1985", token: token)
    let catalogue = gateway.world.films
    catalogue.films.removeAll { $0.film.id.text == "film_ran-1985" }
    let monster = try #require(catalogue.films.firstIndex { $0.film.id.text == "film_monster" })
    catalogue.films[monster].otherIDs = [FilmID("film_ran-1985")!]
    let both = marks(await gateway.ask(path, token: token)).filter { $0["bookmarked"]?.bool == true }
    #expect(Set(both.compactMap { $0["film"]?["id"]?.string }) == ["film_tea", "film_monster"])
    let strangers = await gateway.ask(path)
    #expect(strangers["cache-control"]?.hasPrefix("public") == true)
    #expect(!marks(strangers).isEmpty && marks(strangers).allSatisfy { $0["bookmarked"] == nil })
    gateway.time.advance(by: .seconds(1))
    await gateway.ask("DELETE", "/v1/sessions", token: token)
    let ended = await gateway.ask(path, token: token)
    #expect(ended.status == 200 && ended["cache-control"]?.hasPrefix("public") == true)
    #expect(await gateway.ask(path, token: "nonsense").status == 200)
  }

  @Test("a feed is read with its secret alone")
  func feed() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token)
    let feed = await gateway.ask("POST", "/v1/me/bookmarks/feed", token: token)
    let key = try #require(feed.json["key"]?.string)
    let read = await gateway.ask("/v1/me/bookmarks.ics?key=\(key)")
    #expect(read.status == 200 && read["content-type"] == "text/calendar; charset=utf-8")
    #expect(read.text.contains("BEGIN:VEVENT") && read["cache-control"] == "private, no-store")
    #expect(await gateway.ask("/v1/me/bookmarks.ics?key=wrong").status == 404)
    #expect(await gateway.ask("/v1/me/bookmarks.ics").status == 401)
  }

  @Test(
    "a calendar tells what was gathered when its cinemas are not told",
    arguments: [RPCError.Code.deadlineExceeded, .unavailable, .internal])
  func hurriedFeed(trouble: RPCError.Code) async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token)
    let locator = gateway.world.locator.manners
    locator.failures["CinemasByID"] = RPCError(trouble, "no time was left", executed: .no)
    let hurried = await gateway.ask("/v1/me/bookmarks.ics", token: token)
    #expect(hurried.status == 200 && hurried["X-Odi-Partial"] == "1", "\(hurried.text)")
    #expect(hurried.text.contains("BEGIN:VEVENT") && !hurried.text.contains("LOCATION:"))
    locator.failures = [:]
    let whole = await gateway.ask("/v1/me/bookmarks.ics", token: token)
    #expect(whole["X-Odi-Partial"] == nil && whole.text.contains("LOCATION:"))
    let events = { (reply: Reply) in reply.text.split(separator: "BEGIN:VEVENT").count }
    #expect(events(whole) == events(hurried))
    // Cinemas that were met are told for as long as nobody tells of them.
    gateway.time.advance(by: .seconds(600))
    locator.failures["CinemasByID"] = RPCError(.unavailable, "away", executed: .no)
    #expect(await gateway.ask("/v1/me/bookmarks.ics", token: token).text.contains("LOCATION:"))
  }

  @Test("favourites, views, imports and the export are kept for their user")
  func others() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    #expect(await gateway.ask("PUT", "/v1/me/favourites/cinema/lantern", token: token).status == 201)
    #expect(await gateway.ask("PUT", "/v1/me/favourites/teapot/lantern", token: token).status == 404)
    #expect(await gateway.ask("/v1/me/favourites", token: token).json["data"]?[0]?["id"]?.string == "lantern")
    #expect(
      await gateway.ask("POST", "/v1/me/views", body: #"{"film":"film_tea"}"#, token: token).json["kept"]?.int == 1)
    #expect(await gateway.ask("/v1/me/views", token: token).json["data"]?[0]?["id"]?.string == "film_tea")
    let strange = await gateway.ask("POST", "/v1/me/views", body: #"{"film":"film_nobodys"}"#, token: token)
    #expect(strange.status == 404 && strange.json["detail"] == "no film has the id film_nobodys", "\(strange.text)")
    let some = #"{"films":["film_nobodys","film_monster"]}"#
    #expect(await gateway.ask("POST", "/v1/me/views", body: some, token: token).json["kept"]?.int == 1)
    gateway.world.films.manners.failure = RPCError(.unavailable, "away", executed: .no)
    let believed = await gateway.ask("POST", "/v1/me/views", body: #"{"film":"film_nobodys"}"#, token: token)
    #expect(believed.json["kept"]?.int == 1, "while who may know is away")
    // The same again, when that one is back: it was taken, whatever is known of it by now.
    let both = #"{"films":["film_nobodys","film_tea"]}"#
    func look(_ body: String, _ key: String) async -> Reply {
      await gateway.ask("POST", "/v1/me/views", ["Idempotency-Key: \(key)"], body: body, token: token)
    }
    for (body, key, kept) in [(#"{"film":"film_nobodys"}"#, "one", 1), (both, "two", 2)] {
      gateway.world.films.manners.failure = RPCError(.unavailable, "away", executed: .no)
      #expect(await look(body, key).json["kept"]?.int == kept)
      gateway.world.films.manners.failure = nil
      let again = await look(body, key)
      #expect(again.json["kept"]?.int == kept && again["Idempotent-Replayed"] == "true", "\(again.text)")
      #expect(await look(#"{"film":"film_monster"}"#, key).status == 422, "the key of another request")
    }
    for _ in 1...2 { #expect(await look(#"{"film":"film_nobodys"}"#, "three").status == 404) }
    let films = #"{"films":[{"film_id":"film_tea"},{"film_id":"film_monster","note":"?"}]}"#
    #expect(await gateway.ask("POST", "/v1/me/bookmarks/import", body: films, token: token).json["added"]?.int == 2)
    #expect(await gateway.ask("/v1/me/export", token: token).json["items"]?.int == 3)
  }
}

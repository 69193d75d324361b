import Contracts
import GatewayFakes
import JSON
import RPC
import Testing

/// Many things saved at once: what somebody wrote down elsewhere, and what was exported here.
@Suite("Imports", .timeLimit(.minutes(5)))
@MainActor
struct ImportTests {
  private static let path = "/v1/me/bookmarks/import"
  private let gateway = GatewayFixture()

  private func send(
    _ table: String, _ token: String, key: String? = nil, type: String = "text/csv; charset=utf-8"
  ) async -> Reply {
    let fields = ["Content-Type: \(type)"] + (key.map { ["Idempotency-Key: \($0)"] } ?? [])
    return await gateway.ask("POST", Self.path, fields, body: table, token: token)
  }

  private func outcomes(_ reply: Reply) -> [String?] {
    (reply.json["rows"]?.array ?? []).map { $0["outcome"]?.string }
  }

  private func saved(_ token: String) async -> Set<String> {
    let page = await gateway.ask("/v1/me/bookmarks?limit=100", token: token)
    return Set((page.json["data"]?.array ?? []).compactMap { $0["film_id"]?.string })
  }

  @Test("a watchlist of another site is taken row by row: what is known, what is not, and what may be meant")
  func watchlist() async throws {
    let token = try await gateway.session()
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token)
    let table = """
      Date,Name,Year,Letterboxd URI
      2026-11-20,Tokyo Story,1953,https://boxd.it/2a4s
      2026-11-20,녹차의 맛,2004,https://boxd.it/1
      2026-11-20,Late Autumn,1960,https://boxd.it/2
      2026-11-20,Solaris,1972,https://boxd.it/3
      2026-11-20,Ran,nineteen,https://boxd.it/4
      2026-11-20,Ran,1985,https://boxd.it/5,and,more
      """
    let reply = await send(table, token)
    #expect(reply.status == 200, "\(reply.text)")
    let rows = try #require(reply.json["rows"]?.array)
    #expect(rows.map { $0["line"]?.int } == [2, 3, 4, 5, 6, 7])
    #expect(outcomes(reply) == ["taken", "known", "not_found", "not_found", "refused", "refused"])
    #expect(reply.json["added"]?.int == 1 && reply.json["unchanged"]?.int == 1)
    #expect(reply.json["ignored_columns"]?.array?.compactMap(\.string) == ["date", "letterboxd_uri"])
    #expect(rows[0]["film_id"]?.string == "film_tokyo-story-1953" && rows[0]["title"]?.string == "Tokyo Story")
    #expect(rows[2]["title"]?.string == "Late Autumn")
    #expect(rows[2]["did_you_mean"]?[0]?["film_id"]?.string == "film_late-spring-1949")
    #expect(rows[2]["did_you_mean"]?[0]?["year"]?.int == 1949)
    #expect(rows[3]["did_you_mean"] == nil && rows[3]["detail"]?.string?.contains("no film of this name") == true)
    #expect(rows[4]["detail"]?.string?.contains("nineteen") == true && rows[4]["reason"] == "bad_year")
    #expect(rows[5]["reason"] == "unreadable" && rows[..<4].allSatisfy { $0["reason"] == nil })
    #expect(await saved(token) == ["film_tea", "film_tokyo-story-1953"])
  }

  @Test("films are told by the names that the reader knows them by")
  func named() async throws {
    let token = try await gateway.session()
    for (language, title) in [("en", "A Taste of Tea"), ("ko", "녹차의 맛")] {
      let reply = await gateway.ask(
        "POST", Self.path, ["Content-Type: text/csv", "Accept-Language: \(language)"], body: "id\nfilm_tea\n",
        token: token)
      #expect(reply.json["rows"]?[0]?["title"]?.string == title, "\(reply.text)")
    }
  }

  @Test("our own columns are read too: ids, notes and what is no film")
  func ownColumns() async throws {
    let token = try await gateway.session()
    let table = """
      kind;id;note;saved_at
      film;film_monster;with Mina;2026-11-20T09:00:00Z
      cinema;lantern;;
      film;film_nothing;;
      teapot;lantern;;
      station;;;
      """
    let reply = await send(table, token)
    #expect(outcomes(reply) == ["taken", "taken", "not_found", "refused", "refused"], "\(reply.text)")
    let rows = try #require(reply.json["rows"]?.array)
    #expect(rows[1]["kind"]?.string == "cinema" && rows[1]["id"]?.string == "lantern" && rows[1]["film_id"] == nil)
    let list = await gateway.ask("/v1/me/bookmarks", token: token)
    #expect(list.json["data"]?[0]?["note"]?.string == "with Mina")
    #expect(await gateway.ask("/v1/me/favourites", token: token).json["data"]?[0]?["id"]?.string == "lantern")
  }

  @Test("each reason to refuse a row has a word, which the page has in its languages")
  func reasons() async throws {
    let (long, note) = (String(repeating: "가", count: 200), String(repeating: "x", count: 2_001))
    let table = """
      kind,film_id,name,year,note
      teapot,lantern,,,
      film,No Id,,,
      film,,Ran,19x5,
      film,,Ran,1066,
      film,film_tea,,,\(note)
      film,,\(long),,
      film,,,,
      cinema,,Lantern,,
      film,,"Ran,,
      """
    let reply = await send(table, try await gateway.session())
    let rows = try #require(reply.json["rows"]?.array)
    let words = rows.compactMap { $0["reason"]?.string }
    #expect(
      words == [
        "unknown_kind", "bad_id", "bad_year", "bad_year", "long_note", "long_name", "no_name", "no_id", "unreadable",
      ], "\(reply.text)")
    let base = try #require(await gateway.ask("/").text.firstMatch(of: #/\/s\/\w+/#)).output
    for language in ["en", "ja", "ko"] {
      let texts = try await JSONValue(parsing: gateway.ask("\(base)/i18n/\(language).json").body)
      for word in Set(words) { #expect(texts["import.why.\(word)"] != nil, "\(language): \(word)") }
    }
  }

  @Test("sending it again saves nothing twice, and with its key answers as before")
  func again() async throws {
    let token = try await gateway.session()
    let table = "name,year\nTokyo Story,1953\nTokyo Story,1953\nMonster of Nowhere,1999\n"
    let first = await send(table, token, key: "watchlist-1")
    #expect(outcomes(first) == ["taken", "known", "not_found"] && first["idempotent-replayed"] == nil)
    let replay = await send(table, token, key: "watchlist-1")
    #expect(replay["idempotent-replayed"] == "true" && replay.body == first.body)
    let again = await send(table, token)
    #expect(outcomes(again) == ["known", "known", "not_found"])
    #expect(again.json["rev"]?.int == first.json["rev"]?.int)
  }

  @Test("a lost answer is given again with its key, though the catalogue knows better by then")
  func knownBetter() async throws {
    let token = try await gateway.session()
    let table = "film_id\nfilm_nothing\nfilm_tea\n"
    gateway.world.films.manners.failure = RPCError(.unavailable, "it is restarted", executed: .no)
    let first = await send(table, token, key: "watchlist-2")
    #expect(outcomes(first) == ["taken", "taken"], "\(first.text)")
    gateway.world.films.manners.failure = nil
    let again = await send(table, token, key: "watchlist-2")
    #expect(again["idempotent-replayed"] == "true" && outcomes(again) == ["taken", "taken"], "\(again.text)")
    let other = await send("film_id\nfilm_monster\n", token, key: "watchlist-2")
    #expect(other.status == 409 || other.status == 422, "\(other.text)")
    #expect(await saved(token) == ["film_nothing", "film_tea"])
  }

  @Test("what was exported is brought back, and what was removed before is not")
  func exported() async throws {
    let token = try await gateway.session()
    let document = """
      {"format":"odi-user-1","exported_at":"2026-11-20T09:00:00Z","user":{"id":"user_9","revision":4},"settings":{},
       "items":[{"kind":"film","id":"film_tea","saved_at":"2026-11-19T09:00:00Z","revision":3},
        {"kind":"film","id":"film_monster","saved_at":"x","removed_at":"2026-11-19T10:00:00Z","revision":4},
        {"kind":"cinema","id":"lantern","note":"by the river","saved_at":"x","revision":2}],"views":[],"plans":[]}
      """
    let reply = await send(document, token, type: "application/json")
    #expect(reply.status == 200 && outcomes(reply) == ["taken", "taken"], "\(reply.text)")
    let pointers = (reply.json["rows"]?.array ?? []).map { $0["pointer"]?.string }
    #expect(pointers == ["/items/0", "/items/2"])
    #expect(await saved(token) == ["film_tea"])
    let wrong = await send(#"{"items":[{"kind":"teapot","id":"a b"}],"itmes":1}"#, token, type: "application/json")
    let places = Set((wrong.json["errors"]?.array ?? []).compactMap { $0["pointer"]?.string })
    #expect(wrong.status == 422 && places == ["/items/0/kind", "/items/0/id", "/itmes"], "\(wrong.text)")
  }

  /// An export of so many cinemas, and of as many that were taken out again.
  private func export(_ count: Int, note: String = "") -> String {
    let items = (0..<count).flatMap { number in
      let item = "{\"kind\":\"cinema\",\"id\":\"c\(number)\",\"saved_at\":\"x\""
      return [item + ",\"note\":\"\(note)\"}", item + ",\"removed_at\":\"x\"}"]
    }
    return "{\"format\":\"odi-user-1\",\"items\":[\(items.joined(separator: ","))]}"
  }

  @Test("an export of any size comes back: a part at a time, and what was taken out is not counted")
  func large() async throws {
    let token = try await gateway.session()
    let document = export(2_300)
    let first = await send(document, token, key: "all", type: "application/json")
    #expect(first.status == 200, "\(first.text.prefix(300))")
    #expect(first.json["added"]?.int == 2_300 && outcomes(first).allSatisfy { $0 == "taken" })
    let rows = first.json["rows"]?.array ?? []
    #expect(rows.count == 2_300 && rows.last?["pointer"]?.string == "/items/4598" && rows.last?["id"] == "c2299")
    #expect(gateway.world.bookmarks.manners.seen.count { $0 == "ImportItems" } == 3)
    let again = await send(document, token, key: "all", type: "application/json")
    #expect(again["idempotent-replayed"] == "true" && again.body == first.body)
    let more = await send(export(5_001), token, type: "application/json")
    let detail = more.json["errors"]?[0]?["detail"]?.string
    #expect(more.status == 422 && detail == "has 5001 to save; send at most 5000 at a time", "\(more.text)")
    let empty = await send(#"{"items":[]}"#, token, type: "application/json")
    #expect(empty.status == 200 && empty.json["rows"]?.array?.isEmpty == true, "who saved nothing exports nothing")
  }

  @Test("an import that failed half way says how far it came, and goes on there when it is sent again")
  func halfWay() async throws {
    let token = try await gateway.session()
    let (document, manners) = (export(1_200), gateway.world.bookmarks.manners)
    manners.held = ["ImportItems"]
    let exchange = gateway.open(
      "POST", Self.path, ["Content-Type: application/json", "Idempotency-Key: all"], body: document, token: token)
    await manners.until { manners.waiting == 1 }
    manners.open()
    await manners.until { manners.seen.count { $0 == "ImportItems" } == 2 && manners.waiting == 1 }
    manners.failure = RPCError(.unavailable, "away", executed: .no)
    manners.open()
    let broken = await exchange.reply()
    let detail = broken.json["detail"]?.string
    #expect(broken.status == 503 && detail?.contains("the first 1000 were taken") == true, "\(broken.text)")
    (manners.failure, manners.held) = (nil, [])
    let whole = await send(document, token, key: "all", type: "application/json")
    #expect(whole.json["added"]?.int == 1_200 && whole["idempotent-replayed"] == nil, "\(whole.text.prefix(300))")
    #expect(outcomes(whole).allSatisfy { $0 == "taken" })
  }

  @Test("a list of names is saved while the rest is looked for, and sent again goes on where its time ran out")
  func longList() async throws {
    let token = try await gateway.session()
    let (films, bookmarks) = (gateway.world.films.manners, gateway.world.bookmarks.manners)
    let table = "name,year\n" + String(repeating: "Tokyo Story,1953\nRan of Nowhere,1985\n", count: 1_150)
    func asked() -> Int { films.seen.count { $0 == "MatchTitles" } }
    films.held = ["MatchTitles"]
    let exchange = gateway.open(
      "POST", Self.path, ["Content-Type: text/csv", "Idempotency-Key: names"], body: table, token: token)
    await films.until { films.waiting == 1 }
    // The catalogue answers until some of the second part is known; then the time is over.
    while !bookmarks.seen.contains("ImportItems") || asked() < 60 {
      let before = asked()
      films.open()
      await films.until { asked() > before && films.waiting == 1 }
    }
    films.failure = RPCError(.deadlineExceeded, "not in time", executed: .no)
    films.open()
    let broken = await exchange.reply()
    #expect(broken.json["detail"]?.string?.contains("the first 1000 were taken") == true, "\(broken.text.prefix(300))")
    #expect(broken.status == 503 || broken.status == 504)
    #expect(await saved(token) == ["film_tokyo-story-1953"])
    (films.failure, films.held) = (nil, [])
    let before = asked()
    let whole = await send(table, token, key: "names")
    #expect(whole.status == 200 && whole.json["added"]?.int == 1, "\(whole.text.prefix(300))")
    let outcomes = outcomes(whole)
    #expect(outcomes.count == 2_300 && outcomes.prefix(4) == ["taken", "not_found", "known", "not_found"])
    // 59 messages of 20 names were answered before, of 115.
    #expect(asked() - before == 56)
    let again = await send(table, token, key: "names")
    #expect(again["idempotent-replayed"] == "true" && again.body == whole.body)
  }

  @Test("long notes go in several messages, none longer than one may be")
  func longNotes() async throws {
    let token = try await gateway.session()
    let reply = await send(
      export(400, note: String(repeating: "강", count: 2_000)), token, type: "application/json")
    #expect(reply.status == 200 && reply.json["added"]?.int == 400, "\(reply.text.prefix(300))")
    #expect(gateway.world.bookmarks.manners.seen.count { $0 == "ImportItems" } == 2)
  }

  @Test("what cannot be read at all is refused whole, and says what to do")
  func refused() async throws {
    let token = try await gateway.session()
    let many = "name\n" + String(repeating: "Ran\n", count: 5_001)
    for (table, word) in [
      (many, "more than 5000 rows"), ("", "empty"), ("name,year\n", "no rows"), ("titel,year\nRan,1985\n", "title"),
      ("name,name\nRan,Ran\n", "twice"),
    ] {
      let reply = await send(table, token)
      #expect(reply.status == 422 && reply.problem == "validation", "\(reply.text)")
      #expect(reply.json["errors"]?[0]?["detail"]?.string?.contains(word) == true, "\(reply.text)")
    }
    #expect(await send("name\nRan\n", token, type: "text/plain").status == 415)
    #expect(await send(String(many.dropLast(4)), token).status == 200, "as many as a user may keep are taken")
    #expect(await send(String(repeating: "x", count: (4 << 20) + 1), token).status == 413)
  }

  @Test("while the catalogue is away, names are not guessed and nothing is saved; ids are believed")
  func away() async throws {
    let token = try await gateway.session()
    gateway.world.films.manners.failure = RPCError(.unavailable, "away", executed: .no)
    let named = await send("name,film_id\n,film_tea\nRan,\n", token)
    #expect(named.status == 503 && named["retry-after"] != nil)
    #expect(await saved(token).isEmpty)
    let ids = await send("film_id\nfilm_tea\nfilm_whatever\n", token)
    #expect(outcomes(ids) == ["taken", "taken"])
  }

  @Test("whatever the catalogue fails with, ids are believed", arguments: [RPCError.Code.internal, .unimplemented])
  func broken(trouble: RPCError.Code) async throws {
    let token = try await gateway.session()
    gateway.world.films.manners.failure = RPCError(trouble, "broken", executed: .no)
    let ids = await send("film_id\nfilm_tea\nfilm_whatever\n", token)
    #expect(outcomes(ids) == ["taken", "taken"], "\(ids.text)")
  }
}

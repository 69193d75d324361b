import Calendars
import Clocks
import Contracts
import Festivals
import Gateway
import GatewayFakes
import HTML
import HTTP
import JSON
import RPC
import TestKit
import Testing

/// Festivals, the agenda, codes and the door, over a timetable from memory.
@MainActor
@Suite("Festivals", .timeLimit(.minutes(5)))
struct FestivalTests {
  @Test("a festival is found by either name, is asked for once, and again when the timetable changes or was away")
  func search() async {
    let gateway = GatewayFixture()
    func find(_ text: String) async -> JSONValue? {
      await gateway.ask("/v1/search?types=festival&q=" + text).json["data"]?[0]
    }
    func asked() -> Int { gateway.world.festivals.manners.seen.count { $0 == "ListFestivals" } }
    gateway.world.festivals.manners.failure = RPCError(.unavailable, "away")
    #expect(await gateway.ask("/v1/search?types=festival&q=lan").status == 503)
    let both = await gateway.ask("/v1/search?q=lan").json
    #expect(both["missing"]?.array == ["festival"] && both["data"]?.array?.isEmpty == false)
    gateway.world.festivals.manners.failure = nil
    let before = asked()
    let hit = await find("lantern%20fes")
    #expect(hit?["type"] == "festival" && hit?["id"] == "lantern" && hit?["title"] == "Lantern Festival")
    #expect(hit?["festival"]?["starts_on"] == "2026-11-22" && hit?["highlight"]?[0]?.array == [0, 11])
    #expect(await find("%EB%93%B1%EB%B6%88")?["title"] == "등불 영화제")
    #expect(asked() == before + 1)
    gateway.time.advance(by: .seconds(61))
    #expect(await find("lante")?["id"] == "lantern")
    #expect(asked() == before + 2)
  }

  private let gateway = GatewayFixture()

  @Test("a day comes as a grid: a cell for each screen, rows that are whole, what overlaps beside each other")
  func grid() async {
    let page = await gateway.ask("/v1/festivals/lantern/timetable?day=2026-11-22").json
    #expect(page["slot_min"]?.int == 10 && page["rows"]?.int == 38)
    #expect(page["starts_at"]?.string == "2026-11-22T19:30:00+09:00")
    let cells = (page["sessions"]?.array ?? []).map { cell in
      let row = (cell["row"]?.array ?? []).compactMap(\.int)
      return
        "\(cell["id"]?.string ?? "") \(cell["screen"]?.string ?? "") \(row) \(cell["lane"]?.int ?? -1)/\(cell["lanes"]?.int ?? -1)"
    }
    #expect(cells.count == 4 && cells.contains("ses_moon garden [6, 12] 1/2"), "\(cells)")
    let late = page["sessions"]?.array?.first { $0["id"]?.string == "ses_late" }
    #expect(late?["display_time"]?.string == "24:30" && late?["day"]?.string == "2026-11-22")
    #expect(page["gaps"]?.array?.count == 1 && page["demo"]?.bool == true)
    #expect(await gateway.ask("/v1/festivals/lantern/timetable?day=2026-11-29").status == 404)
    #expect(await gateway.ask("/v1/festivals/nowhere/timetable").status == 404)
    #expect(await gateway.ask("/v1/festivals/lantern/timetable?screen=a/b").status == 400)
  }

  @Test("painted before any script, a session stands there once, in its track's colour, over when it is over")
  func painted() async throws {
    let told = await gateway.ask("/v1/festivals/lantern/timetable?day=2026-11-22").json["sessions"]?.array ?? []
    let page = try HTMLDocument.parse(
      await gateway.ask("/festivals/lantern?day=2026-11-22&lang=ko").body, contentCharset: "utf-8")
    let rows = page.select("li.session")
    let ids = rows.compactMap { $0["data-key"] }
    #expect(ids.count == Set(ids).count && Set(ids) == Set(told.compactMap { $0["id"]?.string }), "\(ids)")
    for row in rows {
      let session = try #require(told.first { $0["id"]?.string == row["data-key"] })
      #expect(row["data-track"] == (session["track"] == nil ? nil : "0"))
      let end = session["ends_at"]?.string.flatMap { Timestamp($0) }?.instant
      let isOver = row["class"]?.contains("over") == true
      #expect(isOver == end.map { $0 < gateway.time.wall })
    }
    #expect(page.select("details.floor img").count == 1 && page.select("#sponsors").count == 1)
  }

  @Test("a screen that the address names is shown alone, with a way back to all; a map's rooms lead there")
  func oneScreen() async throws {
    func page(_ query: String) async throws -> HTMLDocument {
      try HTMLDocument.parse(
        await gateway.ask("/festivals/lantern?day=2026-11-22&lang=ko\(query)").body, contentCharset: "utf-8")
    }
    let all = try await page("")
    #expect(all.select("li.session").count == 3 && all.select(".alone").isEmpty)
    let link = all.select("details.floor li a").first
    #expect(link?["href"] == "/festivals/lantern?day=2026-11-22&lang=ko&screen=garden" && link?.text == "야외")
    let one = try await page("&screen=garden")
    #expect(one.select("li.session").compactMap { $0["data-key"] } == ["ses_tea", "ses_moon"])
    #expect(one.select(".alone a").first?["href"] == "/festivals/lantern?day=2026-11-22&lang=ko")
    #expect(try await page("&screen=attic").select("li.session").count == 3, "one that is none narrows nothing")
  }

  @Test("what surrounds a programme is there: for whom it is, where, and who pays for it, tier by tier")
  func surroundings() async throws {
    gateway.world.festivals.programme.festival.address = "종로 1"
    gateway.world.festivals.programme.festival.sponsors = [
      FestivalSponsor(name: "Paper", tier: "tier-1"), FestivalSponsor(name: "Ink", tier: "Media"),
      FestivalSponsor(name: "Lamp", tier: "tier-1"),
    ]
    gateway.world.festivals.programme.sessions[0].level = "Everyone"
    let told = await gateway.ask("/v1/festivals/lantern").json
    #expect(told["maps"]?["osm"]?.string?.contains("37.5663") == true && told["maps"]?["kakao"] != nil)
    let page = try HTMLDocument.parse(
      await gateway.ask("/festivals/lantern?day=2026-11-22&lang=en").body, contentCharset: "utf-8")
    #expect(page.select("[data-key=ses_tea] p.small").first?.text.contains("Everyone") == true)
    #expect(page.select("[aria-labelledby=venue] p").map(\.text) == ["등불극장", "종로 1"])
    #expect(page.select("[aria-labelledby=venue] a").count == 5)
    #expect(
      page.select("[aria-labelledby=sponsors] ul").map { $0.select("li").map(\.text) } == [["Paper", "Lamp"], ["Ink"]])
    #expect(page.select("[aria-labelledby=sponsors] h3").map(\.text) == ["Media"])
  }

  @Test("what a festival wrote of a session is painted as what it means, and nothing of it acts")
  func prose() async throws {
    gateway.world.festivals.programme.sessions[0].abstract = """
      ## Tea
      A *cup* of [tea](https://tea.example/?a=1&b=2), <script>alert(1)</script> [no](javascript:alert(1))

      1. one
      2. **two**
      """
    let told = await gateway.ask("/v1/festivals/lantern/sessions/ses_tea").json
    #expect(told["prose"]?.array?.compactMap { $0["kind"]?.string } == ["heading", "paragraph", "numbered_list"])
    let list = await gateway.ask("/v1/festivals/lantern/sessions").json["data"]?[0]
    #expect(list?["prose"] == nil && list?["abstract"] != nil)
    let page = await gateway.ask("/festivals/lantern/sessions/ses_tea?lang=en").text
    let link = #"<a href="https://tea.example/?a=1&amp;b=2" target="_blank" rel="noopener nofollow">tea</a>"#
    #expect(
      page.contains(
        #"<div class="synopsis"><h2>Tea</h2><p>A <em>cup</em> of \#(link), &lt;script&gt;alert(1)&lt;/script&gt; "#
          + "[no](javascript:alert(1))</p><ol><li>one</li><li><strong>two</strong></li></ol></div>"), "\(page)")
  }

  @Test("a code on a door that names its session as a parameter leads to it, in the language that it says")
  func oldCodes() async {
    let led = await gateway.ask("/festivals/lantern?session=ses_tea&lang=ja&utm=a")
    #expect(led.status == 308 && led["location"] == "/festivals/lantern/sessions/ses_tea?lang=ja")
    #expect(await gateway.ask("/festivals/lantern?session=a/b").status == 200, "what is no id names none")
  }

  @Test("files are for other programs: schedule.json, schedule.xml, a calendar, a map in which nothing acts")
  func files() async {
    gateway.world.festivals.programme.sessions[0].uid = "tea@organiser.example"
    let json = await gateway.ask("/v1/festivals/lantern/schedule.json")
    #expect(json.json["schedule"]?["conference"]?["days"]?.array?.count == 2 && json["etag"] != nil)
    let day = await gateway.ask("/v1/festivals/lantern/schedule.json?day=2026-11-23")
    #expect(day.json["schedule"]?["conference"]?["days"]?.array?.count == 1)
    #expect(await gateway.ask("/v1/festivals/lantern/schedule.json?day=2026-11-29").status == 404)
    let xml = await gateway.ask("/v1/festivals/lantern/schedule.xml")
    #expect(xml["content-type"]?.hasPrefix("application/xml") == true && xml.text.contains("<title>차 한 잔</title>"))
    let calendar = await gateway.ask("/v1/festivals/lantern/sessions/ses_tea.ics")
    #expect(
      calendar["content-type"]?.hasPrefix("text/calendar") == true && calendar.text.contains("SUMMARY:[demo] 차 한 잔"))
    // In each calendar that it stands in a session is the same event.
    func uids(_ text: String) -> Set<Substring> {
      Set(text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("UID:") })
    }
    let first = gateway.world.festivals.programme.sessions[0].id
    let one = await gateway.ask("/v1/festivals/lantern/sessions/\(first).ics")
    #expect(uids(one.text) == ["UID:tea@organiser.example"])
    let map = await gateway.ask("/v1/festivals/lantern/floors/ground.svg")
    #expect(map["content-type"] == "image/svg+xml")
    #expect(map["content-security-policy"]?.contains("default-src 'none'") == true)
    #expect(await gateway.ask("/v1/festivals/lantern/floors/attic.svg").status == 404)
  }

  @Test("an agenda is one's own: kept with what one saves, with what is at the same time, and what is gone")
  func agenda() async throws {
    let token = try await gateway.session()
    let agenda = "/v1/me/festivals/lantern/agenda"
    #expect(await gateway.ask("PUT", "\(agenda)/ses_tea", token: token).status == 201)
    #expect(await gateway.ask("PUT", "\(agenda)/ses_tea", token: token).status == 200)
    #expect(await gateway.ask("PUT", "\(agenda)/ses_moon", token: token).status == 201)
    #expect(await gateway.ask("PUT", "\(agenda)/ses_none", token: token).status == 404)
    let both = await gateway.ask("GET", agenda, token: token).json
    #expect(both["data"]?.array?.compactMap { $0["id"]?.string } == ["ses_tea", "ses_moon"])
    #expect(both["conflicts"]?[0]?["sessions"]?.array?.compactMap(\.string) == ["ses_tea", "ses_moon"])
    #expect(both["conflicts"]?[0]?["minutes"]?.int == 30)
    gateway.world.festivals.programme.sessions.removeFirst()
    let rest = await gateway.ask("GET", agenda, token: token).json
    #expect(rest["gone"]?.array?.compactMap(\.string) == ["ses_tea"] && rest["conflicts"]?.array?.isEmpty == true)
    #expect(await gateway.ask("DELETE", "\(agenda)/ses_moon", token: token).status == 204)
    #expect(await gateway.ask("GET", agenda, token: token).json["data"]?.array?.isEmpty == true)
    let other = try await gateway.session()
    #expect(await gateway.ask("GET", agenda, token: other).json["gone"]?.array?.isEmpty == true)
  }

  @Test("an agenda is whole however many sessions of other festivals were saved after it")
  func longAgenda() async throws {
    let token = try await gateway.session()
    let agenda = "/v1/me/festivals/lantern/agenda"
    #expect(await gateway.ask("PUT", "\(agenda)/ses_tea", token: token).status == 201)
    let name = try #require(await gateway.ask("/v1/me", token: token).json["id"]?.string)
    let user = try #require(UserID(name))
    let items = (0..<1_200).map { NewItem(kind: .session, id: "elsewhere.s\($0)") }
    _ = try await gateway.world.bookmarks.client.call(
      ImportItems(user: user, items: items), CallOptions(key: IdempotencyKey(bits: 1)))
    let page = await gateway.ask("GET", agenda, token: token).json
    #expect(page["data"]?.array?.compactMap { $0["id"]?.string } == ["ses_tea"])
  }

  @Test("festivals come a page at a time, and a cursor leads to the next")
  func list() async throws {
    gateway.world.festivals.others = (1...3).map { number in
      var other = gateway.world.festivals.programme.festival
      other.id = FestivalID("other-\(number)")!
      return other
    }
    let first = await gateway.ask("/v1/festivals?limit=2")
    #expect(first.json["data"]?.array?.compactMap { $0["id"]?.string } == ["lantern", "other-1"])
    #expect(first.json["has_more"]?.bool == true && first["link"]?.contains("rel=\"next\"") == true)
    let cursor = try #require(first.json["next_cursor"]?.string)
    let second = await gateway.ask("/v1/festivals?limit=2&cursor=\(cursor)")
    #expect(second.json["data"]?.array?.compactMap { $0["id"]?.string } == ["other-2", "other-3"])
    #expect(second.json["has_more"]?.bool == false && second.json["next_cursor"]?.isNull == true)
    #expect(await gateway.ask("/v1/festivals?active_on=2026-11-22&cursor=\(cursor)").status == 400)
  }

  @Test("the door lets a ticket in once, and only staff may ask")
  func door() async {
    let path = "/v1/festivals/lantern/checkins"
    let body = #"{"code":"ticket-1"}"#
    #expect(await gateway.ask("POST", path, body: body).status == 403)
    #expect(await gateway.ask("POST", path, ["X-Odi-Staff: somebody"], body: body).status == 403)
    let first = await gateway.ask("POST", path, ["X-Odi-Staff: staff_door"], body: body)
    #expect(first.status == 200 && first.json["admitted"]?.bool == true)
    let second = await gateway.ask("POST", path, ["X-Odi-Staff: staff_door"], body: body)
    #expect(second.status == 409 && second.json["admitted"]?.bool == false)
    #expect(second.json["checked_in_at"] == first.json["checked_in_at"])
    #expect(await gateway.ask("POST", path, ["X-Odi-Staff: staff_door"], body: #"{"code":"x"}"#).status == 404)
    // No door sent a key, so each of the four that went on got one of its own.
    #expect(Set(gateway.world.festivals.manners.keys.compactMap(\.self)).count == 4)
  }

  @Test("a code is drawn for ever the same, and one in a picture is read")
  func codes() async {
    let code = await gateway.ask("/v1/qr.svg?data=https%3A%2F%2Fodi.example")
    #expect(code.status == 200 && code["content-type"] == "image/svg+xml")
    #expect(code["cache-control"]?.contains("immutable") == true && code.text.hasPrefix("<svg"))
    #expect(await gateway.ask("/v1/qr.svg").status == 400)
    #expect(await gateway.ask("/v1/qr.svg?data=x&ecc=Z").status == 400)
    let picture = await gateway.ask(
      "POST", "/v1/qr/decode", ["Content-Type: image/png"], body: "\u{7F}PNG")
    #expect(picture.status == 422 && picture.text.contains("neither PNG nor JPEG"))
    #expect(await gateway.ask("POST", "/v1/qr/decode", ["Content-Type: text/plain"], body: "x").status == 415)
  }

  @Test("without the timetable the last good answer serves, and the rest of the API does not notice")
  func outage() async {
    let good = await gateway.ask("/v1/festivals/lantern/timetable")
    gateway.world.festivals.manners.failure = RPCError(.unavailable, "away")
    gateway.time.advance(by: .seconds(60))
    let kept = await gateway.ask("/v1/festivals/lantern/timetable")
    #expect(good.status == 200 && kept.status == 200 && kept.json["stale"]?.bool == true)
    #expect(await gateway.ask("/v1/festivals/lantern/sessions").status == 503)
    #expect(await gateway.ask("/v1/cinemas").status == 200)
  }

  @Test("in a night in which clocks are set back the list has the two showings of one hour in their order")
  func hourTwice() async throws {
    let gateway = GatewayFixture()
    let festivals = gateway.world.festivals
    let night = CivilDate("2026-10-24")!
    festivals.programme.festival.zone = ZoneName("Europe/Berlin")!
    festivals.programme.festival.days = [FestivalDay(date: night)]
    (festivals.programme.festival.startsOn, festivals.programme.festival.endsOn) = (night, night)
    festivals.programme.sessions.removeLast()
    for (place, start) in ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"].enumerated() {
      let instant = Timestamp(start)!.instant
      festivals.programme.sessions[place].day = night
      festivals.programme.sessions[place].startsAt = instant
      festivals.programme.sessions[place].endsAt = instant.adding(.seconds(1_800))
    }
    let reply = await gateway.ask("/festivals/lantern?day=\(night)&lang=en")
    let page = try HTMLDocument.parse(reply.body, contentCharset: "utf-8")
    #expect(page.select("li.session").compactMap { $0["data-key"] } == ["ses_tea", "ses_moon"], "\(reply.status)")
  }
}

import Calendars
import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTML
import JSON
import RPC
import Testing

/// Dinners around a showing, restaurants, and plans that are given away.
@MainActor
@Suite("Evenings", .timeLimit(.minutes(5)))
struct EveningTests {
  private let showing = "show_lantern_2026-11-22_2"

  @Test("a dinner before a film tells when to sit down and when to leave, in the cinema's zone")
  func before() async throws {
    let gateway = GatewayFixture()
    let reply = await gateway.ask("/v1/showtimes/\(showing)/dinner?eat_min=45&walk_max_min=5")
    #expect(reply.status == 200 && reply.json["state"]?.string == "complete" && reply.json["mode"]?.string == "before")
    #expect(reply.json["showtime"]?["id"]?.string == showing)
    let place = try #require(reply.json["data"]?[0], "\(reply.text)")
    #expect(place["restaurant"]?["id"]?.string == "rest_noodle" && place["restaurant"]?["demo"]?.bool == true)
    let leave = try #require(place["leave_by"]?.string)
    #expect(leave.hasPrefix("2026-11-22T19:2") && leave.hasSuffix("+09:00"), "\(leave)")
    #expect(place["walk_min"]?.int == 2 && place["open_confidence"]?.string == "parsed")
    #expect(reply.json["attribution"]?[0]?["text"]?.string == "Powered by ホットペッパーグルメ Webサービス")
    let asked = try #require(gateway.world.dining.dinners.first)
    #expect(asked.eatMinutes == 45 && asked.walkMinutesMax == 5 && asked.marginMinutes == 8)
  }

  @Test("after a film it begins at the film's end, and nothing open is said in words")
  func after() async throws {
    let gateway = GatewayFixture()
    gateway.world.dining.places.removeAll { $0.hours.confidence != .unknown }
    let reply = await gateway.ask("/v1/showtimes/\(showing)/dinner?mode=after")
    #expect(reply.status == 200 && reply.json["data"]?.array?.isEmpty == true)
    #expect(reply.json["hint"]?.string?.contains("convenience") == true, "\(reply.text)")
    let page = await gateway.ask("/dinner/\(showing)?mode=after&lang=ja").text
    #expect(
      page.contains("もっと遠くか、観るまえでお探しください。") && !page.contains("convenience"),
      "people are told in words of their own")
    let asked = try #require(gateway.world.dining.dinners.first)
    #expect(asked.mode == .after && asked.at > gateway.time.wall)
    #expect(await gateway.ask("/v1/showtimes/show_nope/dinner").status == 404)
    #expect(await gateway.ask("/v1/showtimes/\(showing)/dinner?mode=during").status == 400)
  }

  @Test("painted before any script, a guide that loads, its quota, its failure and nothing that fits are told apart")
  func painted() async throws {
    let gateway = GatewayFixture { $0.cachesAnswers = false }
    gateway.world.dining.places.removeAll { $0.hours.confidence != .unknown }
    var said: Set<String> = []
    for (kind, look, status) in [
      (GuideState.Kind.none, "empty", 200), (.loading, "empty", 200), (.quota, "error", 503), (.failed, "error", 503),
      (.refused, "error", 400),
    ] {
      gateway.world.dining.guide = GuideState(
        kind, retryAt: WallTime(milliseconds: gateway.time.wall.milliseconds + 90_000))
      let reply = await gateway.ask("/dinner/\(showing)?lang=en")
      let page = try HTMLDocument.parse(reply.body, contentCharset: "utf-8")
      #expect(reply.status == status, "\(kind)")
      let notice = try #require(page.first(".dinner .notice"), "\(kind): \(reply.text)")
      #expect(notice["class"] == "notice \(look)", "\(kind)")
      #expect(said.insert(notice.text).inserted, "\(kind): \(notice.text)")
      #expect(page.select("div.choice").count == 2, "what can be chosen stays")
    }
    #expect(await gateway.ask("/dinner/show_nope").status == 404)
  }

  @Test("nothing found, a guide that loads, its quota, its failure and a wrong parameter are five answers")
  func states() async throws {
    let gateway = GatewayFixture { $0.cachesAnswers = false }
    let far = "/v1/restaurants?near=10,10"
    func ask(_ kind: GuideState.Kind, _ target: String) async -> Reply {
      gateway.world.dining.guide = GuideState(
        kind, retryAt: WallTime(milliseconds: gateway.time.wall.milliseconds + 90_000))
      return await gateway.ask(target)
    }
    let empty = await ask(.none, far)
    #expect(empty.status == 200 && empty.json["data"]?.array?.isEmpty == true && empty.json["hint"] != nil)
    #expect(empty.json["state"]?.string == "complete")
    let loading = await ask(.loading, far)
    #expect(loading.status == 200 && loading.json["state"]?.string == "loading" && loading["retry-after"] == "1")
    #expect(loading["cache-control"]?.contains("no-store") == true)
    let quota = await ask(.quota, far)
    #expect(quota.status == 503 && quota.problem == "upstream-quota" && quota["retry-after"] == "90")
    // A question that nobody asked before: what was answered once is answered again while the guide is away.
    let failed = await ask(.failed, "/v1/restaurants?near=10,20")
    #expect(failed.status == 503 && failed.problem == "upstream-unavailable", "\(failed.text)")
    let kept = await ask(.failed, far)
    #expect(kept.status == 200 && kept.json["stale"]?.bool == true && kept.json["data"]?.array?.isEmpty == true)
    let refused = await ask(.refused, "/v1/restaurants?near=10,30")
    #expect(refused.status == 400 && refused.problem == "validation", "\(refused.text)")
    #expect(refused.text.contains("take a condition away"))
    #expect(await gateway.ask("/v1/restaurants?near=10,200").status == 400)
    #expect(await gateway.ask("/v1/restaurants").status == 400)
    // What is kept is shown in any case.
    let shown = await ask(.quota, "/v1/cinemas/lantern/restaurants")
    #expect(shown.status == 200 && shown.json["state"]?.string == "quota" && shown.json["data"]?.array?.count == 3)
  }

  @Test("what a restaurant says of a thing in its own words is served beside yes and no; areas by their size")
  func words() async throws {
    let gateway = GatewayFixture()
    gateway.world.dining.places[0].features = [
      FeatureNote(feature: .privateRoom, state: .yes, text: "あり ：10名様まで"), FeatureNote(feature: .wifi, state: .no),
    ]
    let id = gateway.world.dining.places[0].id
    let place = await gateway.ask("/v1/restaurants/\(id)").json
    #expect(place["features"]?["private_room"] == "yes" && place["features"]?["wifi"] == "no")
    #expect(place["feature_notes"]?["private_room"] == "あり ：10名様まで" && place["feature_notes"]?["wifi"] == nil)
    let lite = await gateway.ask("/v1/restaurants?near=37.5663,126.9779&type=lite").text
    #expect(!lite.contains("feature_notes"))
    // What the guide's other types add is in ours from the start; its + is a blank to who reads a query.
    for type in ["full", "credit_card", "special", "credit_card+special", "credit_card%2Bspecial"] {
      let reply = await gateway.ask("/v1/restaurants?near=37.5663,126.9779&type=\(type)")
      #expect(reply.status == 200 && reply.text.contains("feature_notes"), "\(type): \(reply.text.prefix(300))")
    }
    #expect(await gateway.ask("/v1/restaurants?near=37.5663,126.9779&type=credit_cards").status == 400)
    let areas = await gateway.ask("/v1/dining/areas").json["data"]?.array ?? []
    #expect(areas.map { $0["category"]?.string } == ["large_service_area", "small_area"])
    let small = await gateway.ask("/v1/dining/areas?size=small_area").json["data"]?.array ?? []
    #expect(small.map { $0["code"]?.string } == ["X001"])
    #expect(await gateway.ask("/v1/dining/areas?size=tiny").status == 400)
    // A guide's codes hardly change, but a list of nothing may be filled at any minute.
    let genres = await gateway.ask("/v1/dining/genres")
    #expect(genres["cache-control"] == "public, max-age=86400" && genres["etag"] != nil)
    let none = await gateway.ask("/v1/dining/areas?size=service_area")
    #expect(none.json["data"]?.array?.isEmpty == true && none["cache-control"]?.contains("max-age=60") == true)
  }

  @Test("conditions reach dining under our names and under the guide's")
  func conditions() async throws {
    let gateway = GatewayFixture()
    let reply = await gateway.ask(
      "/v1/restaurants?near=35.69,139.70&datum=tokyo&range=4&genre=G001,G002&budget=B002&features=wifi,private_room"
        + "&keyword=noodles%20late&party_capacity=4&small_area=X1&special_or=LT1&credit_card=c01&sort=budget&budget_max=5000"
        + "&name_any=a&open_at=2026-11-22T20:00:00%2B09:00&limit=7")
    #expect(reply.status == 200, "\(reply.text)")
    let asked = try #require(gateway.world.dining.questions.first)
    #expect(asked.metresMax == 2_000 && asked.order == .budget && asked.limit == 7)
    #expect(asked.filter.genres == ["G001", "G002"] && asked.filter.features == [.privateRoom, .wifi])
    #expect(asked.filter.keyword == "noodles late" && asked.filter.party == 4 && asked.filter.smallAreas == ["X1"])
    #expect(asked.filter.specialsAny == ["LT1"] && asked.filter.creditCards == ["c01"])
    #expect(asked.filter.budgetMost == 5_000 && asked.filter.nameAny == "a" && asked.filter.openAt != nil)
    // The old datum lies some 450 m to the north-west.
    let moved = try #require(asked.origin).metres(to: try Coordinate(latitude: 35.69, longitude: 139.70))
    #expect((400...500).contains(moved))
    let wrong = await gateway.ask("/v1/restaurants?q=a&budget=B1,B2,B3&budget_min=9&budget_max=3&range=6&featurs=wifi")
    let names = Set((wrong.json["errors"]?.array ?? []).compactMap { $0["parameter"]?.string })
    #expect(wrong.status == 400 && names == ["budget", "budget_min", "range", "featurs"], "\(names)")
    for index in gateway.world.dining.places.indices {
      gateway.world.dining.places[index].genre = CodedName(code: "G017", name: "한국요리")
    }
    for (language, name) in [("ko", "한국요리"), ("ja", "韓国料理"), ("en", "Korean")] {
      let first = await gateway.ask("/v1/cinemas/lantern/restaurants?sort=distance&lang=\(language)").json["data"]?[0]
      #expect(first?["genre"]?["name"]?.string == name && first?["genre"]?["code"] == "G017")
    }
    // As Recruit's guide takes them: each a parameter of its own.
    let flags = await gateway.ask("/v1/restaurants?q=a&wifi=1&private_room=1").json["errors"]?.array ?? []
    #expect(flags.map { $0["did_you_mean"]?.string } == ["features=wifi", "features=private_room"], "\(flags)")
    let feature = await gateway.ask("/v1/restaurants?q=a&features=wify").json["errors"]?[0]
    #expect(feature?["did_you_mean"] == "wifi" && feature?["detail"]?.string?.contains("did you mean wifi?") == true)
  }

  @Test("pages of restaurants follow each other, and a cursor holds for its own question only")
  func pages() async throws {
    let gateway = GatewayFixture()
    let first = await gateway.ask("/v1/cinemas/lantern/restaurants?limit=2&sort=distance")
    let cursor = try #require(first.json["next_cursor"]?.string)
    #expect(first.json["found"]?.int == 3 && first["link"]?.contains("rel=\"next\"") == true)
    let second = await gateway.ask("/v1/cinemas/lantern/restaurants?limit=2&sort=distance&cursor=\(cursor)")
    #expect(second.json["data"]?.array?.count == 1 && second.json["has_more"]?.bool == false)
    #expect(await gateway.ask("/v1/cinemas/lantern/restaurants?sort=budget&cursor=\(cursor)").status == 400)
  }

  @Test(
    "a plan is made, changed, read by its link as page and calendar, kept by nobody, and gone when it is removed",
    arguments: [true, false])
  func plan(cachesAnswers: Bool) async throws {
    let gateway = GatewayFixture { $0.cachesAnswers = cachesAnswers }
    let token = try await gateway.session()
    let body = #"{"showtime_id":"\#(showing)","restaurant_id":"rest_noodle","title":"Friday","note":"w/ Mina"}"#
    let made = await gateway.ask("POST", "/v1/me/plans", ["Idempotency-Key: k1"], body: body, token: token)
    #expect(made.status == 201, "\(made.text)")
    let again = await gateway.ask("POST", "/v1/me/plans", ["Idempotency-Key: k1"], body: body, token: token)
    #expect(again.json["id"] == made.json["id"] && again["idempotent-replayed"] == "true")
    let (id, share) = (try #require(made.json["id"]?.string), try #require(made.json["share"]?.string))
    #expect(made.json["url"]?.string == "http://odi.test/v1/plans/\(share)" && made.json["demo"]?.bool == true)
    #expect(made.json["dinner"]?["leave_by"]?.string?.hasSuffix("+09:00") == true)

    #expect(await gateway.ask("/v1/me/plans/\(id)", token: token)["etag"] == "\"1\"")
    let read = await gateway.ask("/v1/plans/\(share)")
    #expect(read.status == 200 && read.json["id"] == nil && read.json["title"]?.string == "Friday")
    #expect(read.json["showtime_state"]?.string == "scheduled")
    #expect(read["cache-control"] == "private, no-store" && read["etag"] == nil)
    #expect(await gateway.ask("/v1/plans/\(share)?lang=ko").status == 200)
    #expect(await gateway.ask("/v1/plans/\(share)?lang=tlh").status == 400)
    let calendar = await gateway.ask("/v1/plans/\(share).ics")
    #expect(calendar["cache-control"] == "private, no-store")
    #expect(calendar.text.contains("SUMMARY:[demo] 달빛국수") && calendar.text.contains("UID:\(showing)@odi"))
    #expect(calendar.text.split(separator: "BEGIN:VEVENT").count == 3)

    let late = await gateway.ask(
      "PATCH", "/v1/me/plans/\(id)", ["If-Match: \"9\""], body: #"{"title":null}"#, token: token)
    #expect(late.status == 412)
    let odd = await gateway.ask(
      "PATCH", "/v1/me/plans/\(id)", ["If-Match: \"zz\""], body: #"{"title":null}"#, token: token)
    #expect(odd.status == 412 && odd.json["detail"]?.string?.hasPrefix("the plan has changed") == true, "\(odd.text)")
    let changed = await gateway.ask(
      "PATCH", "/v1/me/plans/\(id)", ["If-Match: \"1\""], body: #"{"title":null,"restaurant_id":null}"#, token: token)
    #expect(changed.status == 200 && changed.json["rev"]?.int == 2, "\(changed.text)")
    #expect(changed.json["title"] == nil && changed.json["dinner"] == nil && changed.json["note"]?.string == "w/ Mina")
    #expect(await gateway.ask("/v1/me/plans", token: token).json["data"]?.array?.count == 1)

    let stranger = try await gateway.session()
    #expect(await gateway.ask("/v1/me/plans/\(id)", token: stranger).status == 404)
    #expect(await gateway.ask("DELETE", "/v1/me/plans/\(id)", token: token).status == 204)
    #expect(await gateway.ask("/v1/plans/\(share)").status == 404)
    #expect(await gateway.ask("/v1/plans/\(share).ics").status == 404)
  }

  @Test("a change of a plan that is sent again under its key answers as before, though its revision has passed")
  func repeatedChange() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let made = await gateway.ask(
      "POST", "/v1/me/plans", body: #"{"showtime_id":"\#(showing)"}"#, token: token)
    let path = "/v1/me/plans/\(try #require(made.json["id"]?.string))"
    for isAgain in [false, true] {
      let changed = await gateway.ask(
        "PATCH", path, ["If-Match: \"1\"", "Idempotency-Key: k2"], body: #"{"title":"Late"}"#, token: token)
      #expect(changed.status == 200 && changed.json["rev"]?.int == 2, "\(changed.text)")
      #expect((changed["idempotent-replayed"] == "true") == isAgain)
    }
    let late = await gateway.ask(
      "PATCH", path, ["If-Match: \"1\"", "Idempotency-Key: k3"], body: #"{"title":"Later"}"#, token: token)
    #expect(late.status == 412)
  }

  @Test("a meal is reckoned from the time that its film has by now, and is as long as it was")
  func mealOfMoved() async throws {
    let gateway = GatewayFixture { $0.cachesAnswers = false }
    let token = try await gateway.session()
    let body = #"{"showtime_id":"\#(showing)","restaurant_id":"rest_noodle","eat_min":45}"#
    let made = await gateway.ask("POST", "/v1/me/plans", body: body, token: token)
    #expect(made.json["dinner"]?["eat_min"]?.int == 45)
    let path = "/v1/me/plans/\(try #require(made.json["id"]?.string))"
    let before = try #require(gateway.world.dining.dinners.last)
    for (cinema, days) in gateway.world.scraper.days {
      for (date, showtimes) in days {
        for (place, show) in showtimes.enumerated() where show.id.text == showing {
          let start = WallTime(milliseconds: show.startsAt.milliseconds + 3_600_000)
          gateway.world.scraper.days[cinema]?[date]?[place].startsAt = start
          gateway.world.scraper.days[cinema]?[date]?[place].endsAt = nil
          gateway.world.scraper.days[cinema]?[date]?[place].changes = 4
        }
      }
    }
    let moved = await gateway.ask(path, token: token).json
    #expect(moved["showtime_state"]?.string == "moved" && moved["dinner_state"]?.string == "moved")
    func time(_ value: JSONValue?) throws -> Int64 {
      let text = try #require(value?.string)
      let time = try #require(Timestamp(text))
      return time.instant.milliseconds / 60_000
    }
    #expect(try time(moved["dinner_now"]?["leave_by"]) == time(moved["dinner"]?["leave_by"]) + 60)
    #expect(try time(moved["ends_at_now"]) == time(moved["showtime"]?["ends_at"]) + 60)
    let share = try #require(moved["share"]?.string)
    let calendar = await gateway.ask("/v1/plans/\(share).ics").text
    #expect(calendar.split(separator: "SEQUENCE:4\r\n").count == 3, "\(calendar)")
    let page = await gateway.ask("/plans/\(share)").text
    #expect(page.contains("<b>8:20\u{A0}pm</b>") && page.contains("Moved from 7:30\u{A0}pm to 8:30\u{A0}pm"), "\(page)")
    // Nobody is there then, or nobody says whether.
    let (places, closed) = (gateway.world.dining.places, gateway.world.dining.closed)
    gateway.world.dining.closed = Set(places.map(\.id))
    #expect(await gateway.ask(path, token: token).json["dinner_state"]?.string == "closed")
    #expect(await gateway.ask("/v1/plans/\(share).ics").text.contains("STATUS:TENTATIVE"))
    gateway.world.dining.closed = closed
    gateway.world.dining.late = 1
    #expect(await gateway.ask(path, token: token).json["dinner_state"]?.string == "closed")
    gateway.world.dining.late = 0
    for index in places.indices where places[index].id.text == "rest_noodle" {
      gateway.world.dining.places[index].hours.confidence = .unknown
    }
    let untold = await gateway.ask(path, token: token).json
    #expect(untold["dinner_state"]?.string == "unknown" && untold["dinner_now"] == moved["dinner_now"])
    #expect(await gateway.ask("/v1/plans/\(share).ics").text.contains("STATUS:TENTATIVE") == false)
    // The place is gone from the guide: as much later as the showing.
    gateway.world.dining.places.removeAll()
    let gone = await gateway.ask(path, token: token).json
    #expect(gone["dinner_state"]?.string == "unknown" && gone["dinner_now"] == moved["dinner_now"])
    gateway.world.dining.places = places
    gateway.world.dining.manners.failure = RPCError(.unavailable, "away", executed: .no)
    let unsure = await gateway.ask(path, token: token).json
    #expect(unsure["dinner_state"]?.string == "unknown" && unsure["dinner_now"] == moved["dinner_now"])
    gateway.world.dining.manners.failure = nil
    let changed = await gateway.ask("PATCH", path, body: #"{"mode":"before"}"#, token: token)
    #expect(changed.status == 200 && changed.json["showtime_state"]?.string == "scheduled", "\(changed.text)")
    let after = try #require(gateway.world.dining.dinners.last)
    #expect(after.at.milliseconds == before.at.milliseconds + 3_600_000 && after.eatMinutes == 45)
    #expect(changed.json["dinner"]?["eat_min"]?.int == 45 && after.asker?.user != nil)
  }

  @Test("a list of plans tells what has become of each showing, by one question")
  func listedPlans() async throws {
    let gateway = GatewayFixture { $0.cachesAnswers = false }
    let token = try await gateway.session()
    let late = "show_lantern_2026-11-22_3"
    let bodies = [
      #"{"showtime_id":"\#(showing)","restaurant_id":"rest_noodle"}"#, #"{"showtime_id":"\#(late)"}"#,
    ]
    for body in bodies {
      #expect(await gateway.ask("POST", "/v1/me/plans", body: body, token: token).status == 201)
    }
    func listed() async -> [String: JSONValue] {
      let plans = await gateway.ask("/v1/me/plans", token: token).json["data"]?.array ?? []
      return Dictionary(plans.map { ($0["showtime"]?["id"]?.string ?? "", $0) }) { first, _ in first }
    }
    let (scraper, cinema) = (gateway.world.scraper, CinemaID("lantern")!)
    let asked = scraper.manners.seen.count { $0 == "ShowtimesByID" }
    let before = await listed()
    #expect(before.count == 2 && before.values.allSatisfy { $0["showtime_state"] == "scheduled" }, "\(before)")
    #expect(scraper.manners.seen.count { $0 == "ShowtimesByID" } == asked + 1)
    let start = try #require(scraper.days[cinema]?[scraper.today]?[2].startsAt)
    scraper.days[cinema]?[scraper.today]?[2].startsAt = WallTime(milliseconds: start.milliseconds + 3_600_000)
    scraper.days[cinema]?[scraper.today]?[3].state = .cancelled
    let now = await listed()
    #expect(now[late]?["showtime_state"] == "cancelled")
    let moved = try #require(now[showing])
    #expect(moved["showtime_state"] == "moved" && moved["starts_at_now"]?.string?.contains("T20:30") == true)
    // Whether the place is open then only the plan itself asks.
    #expect(moved["dinner_state"] == "unknown" && moved["dinner_now"]?["leave_by"]?.string != nil)
    scraper.manners.failure = RPCError(.unavailable, "away", executed: .no)
    let blind = await listed()
    #expect(blind.count == 2 && blind.values.allSatisfy { $0["showtime_state"] == "unknown" })
  }

  @Test("a plan's link is a QR code for whoever sits beside, as long as there is the plan")
  func planCode() async throws {
    let gateway = GatewayFixture()
    let share = try await gateway.sharedPlan()
    let plan = await gateway.ask("/v1/plans/\(share)").json
    #expect(plan["qr_url"]?.string == "http://odi.test/v1/plans/\(share)/qr.svg")
    #expect(plan["page_url"]?.string == "http://odi.test/plans/\(share)")
    let code = await gateway.ask("/v1/plans/\(share)/qr.svg")
    #expect(
      code.status == 200 && code["content-type"] == "image/svg+xml" && code["cache-control"] == "private, no-store")
    #expect(code.text.contains("<title>http://odi.test/plans/\(share)</title>"))
    #expect(await gateway.ask("/v1/plans/nothing/qr.svg").status == 404)
  }

  @Test("too late to eat before a film is told apart from closed")
  func tooLate() async throws {
    let gateway = GatewayFixture { $0.cachesAnswers = false }
    gateway.world.dining.late = 2
    let late = await gateway.ask("/v1/showtimes/\(showing)/dinner")
    #expect(late.json["hint"]?.string?.contains("no time left") == true, "\(late.text)")
    gateway.world.dining.late = 0
    gateway.world.dining.places.removeAll { $0.hours.confidence != .unknown }
    let closed = await gateway.ask("/v1/showtimes/\(showing)/dinner?eat_min=240")
    #expect(closed.json["hint"]?.string?.contains("shorter eat_min, or a larger") == true, "\(closed.text)")
    let narrow = await gateway.ask("/v1/showtimes/\(showing)/dinner?party=2")
    #expect(narrow.json["hint"]?.string?.contains("take a condition away") == true, "\(narrow.text)")
    gateway.world.dining.places = []
    let none = await gateway.ask("/v1/showtimes/\(showing)/dinner")
    #expect(none.json["hint"]?.string?.contains("larger walk_max_min") == true, "\(none.text)")
    let unfit = await gateway.ask("/v1/showtimes/\(showing)/dinner?party=1000")
    #expect(unfit.json["hint"]?.string?.contains("take a condition away") == true, "\(unfit.text)")
  }

  @Test("a plan of what is not there, or closed then, is refused; one whose showing moves says so")
  func movedPlan() async throws {
    let gateway = GatewayFixture { $0.cachesAnswers = false }
    let token = try await gateway.session()
    for (body, told) in [
      ("{}", "is missing"), (#"{"showtime_id":"a b"}"#, "must be an id"), (#"{"showtime_id":1}"#, "not"),
    ] {
      let reply = await gateway.ask("POST", "/v1/me/plans", body: body, token: token)
      #expect(reply.status == 422 && reply.text.contains("showtime_id") && reply.text.contains(told), "\(reply.text)")
    }
    let nothing = await gateway.ask("POST", "/v1/me/plans", body: #"{"showtime_id":"show_nope"}"#, token: token)
    #expect(nothing.status == 404 && nothing.text.contains("show_nope"))
    let closed = await gateway.ask(
      "POST", "/v1/me/plans", body: #"{"showtime_id":"\#(showing)","restaurant_id":"rest_shy"}"#, token: token)
    #expect(closed.status == 422 && closed.json["errors"]?[0]?["detail"]?.string?.contains("closed") == true)
    let share = try await gateway.sharedPlan()
    gateway.world.scraper.manners.failure = RPCError(.unavailable, "away", executed: .no)
    let blind = await gateway.ask("/v1/plans/\(share)")
    #expect(blind.status == 200 && blind.json["showtime_state"]?.string == "unknown")
    #expect(blind["cache-control"]?.contains("no-store") == true)
  }
}

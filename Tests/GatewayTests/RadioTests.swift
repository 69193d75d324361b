import Calendars
import Clocks
import Contracts
import EventLoops
import Gateway
import GatewayFakes
import JSON
import RPC
import Testing

/// Stations as a browser asks for them.
@MainActor
@Suite("Radio", .timeLimit(.minutes(5)))
struct RadioTests {
  private func names(_ reply: Reply) -> [[String]] {
    (reply.json["data"]?.array ?? []).map { section in
      (section["stations"]?.array ?? []).compactMap { $0["id"]?.string }
    }
  }

  @Test("stations come by section, and those of another section or name stay away")
  func sections() async {
    let gateway = GatewayFixture()
    let reply = await gateway.ask("/v1/stations")
    #expect(reply.status == 200 && names(reply) == [["lantern", "reel"], ["paper", "ghost"]])
    #expect(reply.json["demo"] == true && reply["cache-control"] == "no-cache")
    #expect(reply.fields.contains { $0.name == "vary" && $0.value == "Accept-Language, Authorization, Cookie" })
    #expect(reply.json["data"]?[1]?["stations"]?[1]?["state"] == "down")
    #expect(names(await gateway.ask("/v1/stations?section=music")) == [["paper", "ghost"]])
    #expect(names(await gateway.ask("/v1/stations?q=reel")) == [["reel"]])
    #expect(await gateway.ask("/v1/stations?sektion=music").status == 400)
  }

  @Test("what a station is about is told in the reader's language; a word that we do not know stays as it is")
  func tags() async throws {
    let gateway = GatewayFixture()
    gateway.world.radio.stations[0].tags = ["film", "클래식", "바다"]
    for (language, tags) in [
      ("ko", ["영화", "클래식", "바다"]), ("ja", ["映画", "クラシック", "바다"]), ("en", ["film", "classical", "바다"]),
      ("", ["film", "클래식", "바다"]),
    ] {
      let list = await gateway.ask("/v1/stations" + (language.isEmpty ? "" : "?lang=\(language)"))
      let station = list.json["data"]?[0]?["stations"]?[0]
      #expect(station?["tags"]?.array?.compactMap(\.string) == tags)
      // By what it is in other languages it can be found.
      let all = Set(tags + (station?["other_tags"]?.array?.compactMap(\.string) ?? []))
      #expect(all == ["영화", "映画", "film", "클래식", "クラシック", "classical", "바다"])
    }
    gateway.world.radio.stations[0].tags = ["film", "영화"]
    let once = await gateway.ask("/v1/stations/\(gateway.world.radio.stations[0].id)?lang=ja")
    #expect(once.json["tags"]?.array?.compactMap(\.string) == ["映画"], "\(once.text)")
  }

  @Test("a station whose rights ended is gone at once, here and for whoever keeps answers, also while radio is away")
  func rightsEnd() async throws {
    let gateway = GatewayFixture()
    let shown = await gateway.ask("/v1/stations/reel?lang=en")
    #expect(shown.status == 200 && shown["cache-control"] == "no-cache" && shown["etag"] != nil)
    #expect(shown["vary"]?.contains("Accept-Language") == true)
    #expect(await gateway.ask("/v1/stations/reel?lagn=en").status == 400)
    gateway.world.radio.stations.removeAll { $0.id.text == "reel" }
    #expect(await gateway.ask("/v1/stations/reel?lang=en").status == 404)
    gateway.world.radio.manners.failure = RPCError(.unavailable, "away", executed: .no)
    #expect(await gateway.ask("/v1/stations/reel?lang=en").status == 503, "nothing is told that may have ended")
  }

  @Test("favourites come first for whoever has some, by id, and such an answer is kept nowhere")
  func favourites() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    let target = "/v1/stations?favourites_first=true"
    #expect(names(await gateway.ask("GET", target, token: token)) == [["lantern", "reel"], ["paper", "ghost"]])
    for id in ["ghost", "lantern"] {
      await gateway.ask("PUT", "/v1/me/favourites/station/\(id)", token: token)
    }
    let reply = await gateway.ask("GET", target, token: token)
    #expect(names(reply).first.map(Set.init) == ["ghost", "lantern"] && names(reply).count == 3)
    #expect(reply.json["data"]?[0]?["id"] == "favourites" && reply["cache-control"] == "private, no-store")
    #expect(
      names(await gateway.ask(target)) == [["lantern", "reel"], ["paper", "ghost"]], "nobody asks for themselves")
    for (flag, count) in [("true", 3), ("1", 3), ("false", 2), ("0", 2)] {
      let answer = await gateway.ask("GET", "/v1/stations?favourites_first=\(flag)", token: token)
      #expect(names(answer).count == count, "\(flag)")
    }
    for flag in ["yes", "2", ""] {
      #expect(await gateway.ask("GET", "/v1/stations?favourites_first=\(flag)", token: token).status == 400, "\(flag)")
    }
  }

  @Test("without bookmarks the stations are there all the same")
  func bookmarksAway() async throws {
    let gateway = GatewayFixture()
    let token = try await gateway.session()
    await gateway.ask("GET", "/v1/stations", token: token)
    gateway.world.bookmarks.manners.held = ["ListItems"]
    let exchange = gateway.open("GET", "/v1/stations?favourites_first=true", token: token)
    await gateway.world.bookmarks.manners.until { gateway.world.bookmarks.manners.waiting > 0 }
    gateway.world.bookmarks.manners.failure = RPCError(.unavailable, "away", executed: .no)
    gateway.world.bookmarks.manners.open()
    let reply = await exchange.reply()
    #expect(reply.status == 200 && names(reply).count == 2 && reply.json["missing"] == ["favourites"])
  }

  @Test("a stream that we pass on has an address of ours, another its own; what may only be linked to has none")
  func streams() async {
    let gateway = GatewayFixture()
    let relayed = await gateway.ask("/v1/stations/lantern/stream")
    #expect(relayed.json["url"] == "/v1/stations/lantern/audio" && relayed.json["relayed"] == true)
    let own = await gateway.ask("/v1/stations/reel/stream")
    #expect(own.json["url"] == "http://stream.example/reel" && own.json["relayed"] == false)
    #expect(own["cache-control"] == "private, no-store")
    let linked = await gateway.ask("/v1/stations/paper/stream")
    #expect(linked.status == 403 && linked.problem == "forbidden")
    let silent = await gateway.ask("/v1/stations/ghost/stream")
    #expect(silent.status == 503 && silent.problem == "upstream-unavailable" && silent["retry-after"] != nil)
    #expect(silent.json["detail"] == "it cannot be heard", "the service answers, and says so")
    #expect(await gateway.ask("/v1/stations/nobody/stream").status == 404)
    gateway.world.radio.manners.failure = RPCError(.unavailable, "away", executed: .no)
    let away = await gateway.ask("/v1/stations/reel/stream")
    #expect(away.status == 503 && away.json["detail"]?.string?.contains("radio does not answer") == true)
  }

  @Test("what plays now is told, and for how long that holds")
  func nowPlaying() async {
    let gateway = GatewayFixture()
    let reply = await gateway.ask("/v1/stations/reel/now_playing")
    #expect(reply.json["title"] == "Gymnopédie" && reply.json["artist"] == "Satie")
    #expect(reply.json["expires_at"]?.string != nil && reply.json["ends_at"] == nil)
    let end = WallTime(milliseconds: gateway.time.wall.milliseconds + 1_200_000)
    gateway.world.radio.programme = ("The Reel Hour", end)
    let within = await gateway.ask("/v1/stations/reel/now_playing").json
    #expect(within["programme"] == "The Reel Hour" && within["ends_at"]?.string == "\(Timestamp(end))")
  }

  @Test("sound is passed on as it comes, and its stream is closed when the listener leaves")
  func sound() async {
    let gateway = GatewayFixture()
    let exchange = gateway.open("GET", "/v1/stations/lantern/audio")
    let text = await exchange.read { $0.contains("sound") }
    #expect(text.contains("Content-Type: audio/wav\r\n") && text.contains("Cache-Control: no-store"))
    #expect(text.contains("RIFF"))
    #expect(gateway.world.radio.listeners == 1)
    exchange.hangUp()
    await gateway.world.radio.silence()
    #expect(await gateway.ask("/v1/stations/reel/audio").status == 403)
  }

  @Test("what a station plays and that it fell silent is heard by its listeners, and by whose favourite it is")
  func events() async throws {
    let gateway = GatewayFixture()
    gateway.front.begin()
    await gateway.front.live.feed.live()
    let token = try await gateway.session()
    await gateway.ask("PUT", "/v1/me/favourites/station/reel", token: token)
    let radio = gateway.world.radio
    let listener = gateway.open("GET", "/v1/events?topics=station:reel")
    let fan = gateway.open("GET", "/v1/events?topics=me", token: token)
    let other = gateway.open("GET", "/v1/events?topics=station:lantern")
    let all = [listener, fan, other]
    for reader in all { _ = await reader.read { $0.contains("event: hello\n") && $0.hasSuffix("\n\n") } }
    /// Another look, when what the one before asked has been answered.
    func look(_ isOver: @escaping (String) -> Bool) async {
      for _ in 0..<20 where !isOver(listener.text) {
        gateway.time.advance(by: .seconds(15))
        // Turns of the loop, in which readers take what came: one that takes nothing for ten seconds is closed.
        for _ in 0..<10 { await Background.run {} }
      }
    }
    await look { $0.contains("Gymnop") }
    radio.playing = "Satie - Gnossienne"
    await look { $0.contains("Gnossienne") }
    radio.programme = ("The Reel Hour", WallTime(milliseconds: gateway.time.wall.milliseconds + 1_200_000))
    await look { $0.contains("The Reel Hour") }
    radio.silent = [StationID("reel")!]
    await look { $0.contains("event: radio.down\n") }
    #expect(
      listener.text.contains("event: radio.now_playing\ndata: {\"station_id\":\"reel\",\"title\":\"Gnossienne\""))
    // Once when it began, and once when its programme was told.
    #expect(listener.text.ranges(of: "Gnossienne\",\"artist\"").count == 2)
    #expect(listener.text.contains(#""programme":"The Reel Hour","ends_at":"#))
    #expect(listener.text.contains("event: radio.down\ndata: {\"station_id\":\"reel\",\"state\":\"down\""))
    #expect(listener.text.ranges(of: "event: radio.down").count == 1)
    #expect(fan.text.contains("radio.now_playing") && fan.text.contains("radio.down"))
    #expect(!other.text.contains("reel"))
    for reader in all { reader.hangUp() }
    gateway.front.end()
  }
}

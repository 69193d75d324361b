import Clocks
import Contracts
import Gateway
import GatewayFakes
import JSON
import RPC
import Testing

/// Who saved a film is told when it begins to play near them: at once, after a restart, and by whatever id it was saved.
@MainActor
@Suite("Alerts of films that begin to play", .timeLimit(.minutes(5)))
struct PlayingAlertTests {
  private let gateway = GatewayFixture()

  @Test("a saved film that begins to play near its user is an event, by whatever id it was saved")
  func playing() async throws {
    gateway.front.begin()
    await gateway.front.live.feed.live()
    let token = try await gateway.session()
    // Saved before anybody knew of it but the catalogue, which later finds that it is film_tea.
    for film in ["film_monster", "film_ran-1985"] {
      #expect(await gateway.ask("PUT", "/v1/me/bookmarks/\(film)", token: token).status == 201)
    }
    let device = gateway.open("GET", "/v1/events?topics=me,cinema:lantern", token: token)
    _ = await device.read { $0.contains("id: 100-2\n") || $0.contains("id: -2\n") }
    func list(_ film: String, at cinema: String) {
      var change = gateway.change(cinema)
      (change.listed, change.changed) = ([FilmID(film)!], [])
      gateway.world.scraper.publish(change)
    }
    list("film_monster", at: "moonlight")
    list("film_monster", at: "lantern")
    let text = await device.read { $0.contains("event: bookmark.playing\n") && $0.hasSuffix("\n\n") }
    #expect(text.contains("{\"film_id\":\"film_monster\",\"cinema_id\":\"lantern\""))
    #expect(!text.contains("\"film_id\":\"film_monster\",\"cinema_id\":\"moonlight\""))
    // The catalogue takes a new film up within a minute, and then knows that it is one that was saved.
    findsNewIsRan()
    list("film_new", at: "lantern")
    _ = await device.read { $0.contains("\"film_id\":\"film_new\",\"cinema_id\":\"lantern\"") }
    // A reader that takes nothing for ten seconds is closed, so each sign of life is read before time goes on.
    for beats in 1...5 {
      gateway.time.advance(by: .seconds(16))
      _ = await device.read { $0.ranges(of: ":\n\n").count >= beats }
    }
    let later = await device.read { $0.contains("\"saved_as\":\"film_ran-1985\"") }
    #expect(later.contains("\"film_id\":\"film_new\",\"saved_as\":\"film_ran-1985\",\"cinema_id\":\"lantern\""))
    device.hangUp()
    gateway.front.end()
  }

  @Test("what was removed while asking failed, and saved again since, is told when it begins to play")
  func playingAfterFailure() async throws {
    gateway.front.begin()
    await gateway.front.live.feed.live()
    let token = try await gateway.session()
    let path = "/v1/me/bookmarks/film_monster"
    #expect(await gateway.ask("PUT", path, token: token).status == 201)
    let device = gateway.open("GET", "/v1/events?topics=me,cinema:lantern", token: token)
    _ = await device.read { $0.contains("id: 100-1\n") || $0.contains("id: -1\n") }
    func list() {
      var change = gateway.change("lantern")
      (change.listed, change.changed) = ([FilmID("film_monster")!], [])
      gateway.world.scraper.publish(change)
    }
    let manners = gateway.world.bookmarks.manners
    manners.held = ["ListItems"]
    list()
    await manners.until { manners.waiting == 1 }
    await gateway.ask("DELETE", path, token: token)
    _ = await device.read { $0.contains("event: bookmark.removed\n") }
    manners.failure = RPCError(.unavailable, "it is restarted", executed: .no)
    manners.held = []
    manners.open()
    for _ in 0..<50 { await Task.yield() }
    manners.failure = nil
    #expect(await gateway.ask("PUT", path, token: token).status == 201)
    _ = await device.read { $0.contains("event: bookmark.put\n") }
    list()
    let text = await device.read { $0.contains("event: bookmark.playing\n") && $0.hasSuffix("\n\n") }
    #expect(text.contains("{\"film_id\":\"film_monster\",\"cinema_id\":\"lantern\""))
    device.hangUp()
    gateway.front.end()
  }

  /// Somebody who saved a film, while the gateway runs and hears.
  private func follower(of film: String) async throws -> String {
    gateway.front.begin()
    await gateway.front.live.feed.live()
    let token = try await gateway.session()
    #expect(await gateway.ask("PUT", "/v1/me/bookmarks/\(film)", token: token).status == 201)
    return token
  }

  /// What the catalogue took up as film_new was known, and saved, as another.
  private func findsNewIsRan() {
    gateway.world.films.films[5].film.id = FilmID("film_new")!
    gateway.world.films.films[5].otherIDs = [FilmID("film_ran-1985")!]
  }

  /// A reader of what concerns its user alone, once it has come as far as its user.
  private func device(
    _ token: String, after last: String? = nil, at place: String = "&near=37.566,126.978", revision: Int = 1
  ) async -> Exchange {
    let device = gateway.open(
      "GET", "/v1/events?topics=me" + place, last.map { ["Last-Event-ID: \($0)"] } ?? [], token: token)
    _ = await device.read { $0.contains("event: hello\n") && $0.contains("-\(revision)") }
    return device
  }

  private func list(_ film: String, at cinema: String = "lantern") {
    var change = gateway.change(cinema)
    (change.listed, change.changed) = ([FilmID(film)!], [])
    gateway.world.scraper.publish(change)
  }

  private func lastID(_ text: String) -> String? {
    text.split(separator: "\n").last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
  }

  private static let told = "event: bookmark.playing\n"

  @Test("a film that began to play while its user was away is told when they come back, once")
  func playingMeanwhile() async throws {
    let token = try await follower(of: "film_monster")
    let before = await device(token)
    let last = try #require(lastID(before.text))
    before.hangUp()
    list("film_monster")
    gateway.restart()
    gateway.front.begin()
    await gateway.front.live.feed.live()
    let after = await device(token, after: last)
    let text = await after.read { $0.contains(Self.told) && $0.hasSuffix("\n\n") }
    #expect(text.contains("{\"film_id\":\"film_monster\",\"cinema_id\":\"lantern\""))
    let newest = try #require(lastID(text))
    after.hangUp()
    let again = await device(token, after: newest)
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token)
    let later = await again.read { $0.contains("event: bookmark.put\n") && $0.hasSuffix("\n\n") }
    #expect(!later.contains(Self.told))
    again.hangUp()
    gateway.front.end()
  }

  @Test("what the catalogue found out about a listing while its user was away is told when they come back")
  func playingFoundMeanwhile() async throws {
    let token = try await follower(of: "film_ran-1985")
    let before = await device(token)
    findsNewIsRan()
    list("film_new")
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token)
    let seen = await before.read { $0.contains("id: 101-2\n") && $0.hasSuffix("\n\n") }
    let last = try #require(lastID(seen))
    before.hangUp()
    for _ in 0..<50 { await Task.yield() }
    gateway.time.advance(by: .seconds(66))
    for _ in 0..<50 { await Task.yield() }
    let after = await device(token, after: last, revision: 2)
    let text = await after.read { $0.contains(Self.told) && $0.hasSuffix("\n\n") }
    #expect(text.contains("\"film_id\":\"film_new\",\"saved_as\":\"film_ran-1985\""))
    let newest = try #require(lastID(text))
    #expect(newest.split(separator: "-").count == 3)
    after.hangUp()
    let again = await device(token, after: newest, revision: 2)
    await gateway.ask("DELETE", "/v1/me/bookmarks/film_tea", token: token)
    let later = await again.read { $0.contains("event: bookmark.removed\n") && $0.hasSuffix("\n\n") }
    #expect(!later.contains(Self.told))
    again.hangUp()
    gateway.front.end()
  }

  @Test("a listing of just before a restart is looked up after it, and told once")
  func playingFoundOverRestart() async throws {
    let token = try await follower(of: "film_ran-1985")
    let before = await device(token)
    findsNewIsRan()
    // Of a visit that took three minutes.
    var change = gateway.change("lantern")
    (change.listed, change.changed) = ([FilmID("film_new")!], [])
    change.asOf.milliseconds -= 180_000
    gateway.world.scraper.publish(change)
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token)
    let seen = await before.read { $0.contains("id: 101-2\n") && $0.hasSuffix("\n\n") }
    let last = try #require(lastID(seen))
    before.hangUp()
    // Half a minute later, which is before the catalogue is asked; and after that once more, when all was told.
    gateway.time.advance(by: .seconds(30))
    var newest = last
    for isTold in [false, true] {
      gateway.restart()
      let lookups = { [gateway] in gateway.world.films.manners.seen.count { $0 == "CatalogueFilms" } }
      let earlier = lookups()
      gateway.front.begin()
      await gateway.front.live.feed.live()
      // The catalogue may know of it since a moment ago.
      for _ in 0..<50 { await Task.yield() }
      #expect(lookups() == earlier)
      // It asks what was listed, then waits its minute; some minutes are more than enough.
      for _ in 0..<100 where lookups() == earlier {
        gateway.time.advance(by: .seconds(2))
        for _ in 0..<50 { await Task.yield() }
      }
      #expect(lookups() == earlier + 1)
      let after = await device(token, after: newest, revision: 2)
      if isTold {
        await gateway.ask("DELETE", "/v1/me/bookmarks/film_tea", token: token)
        let text = await after.read { $0.contains("event: bookmark.removed\n") && $0.hasSuffix("\n\n") }
        #expect(!text.contains(Self.told))
      } else {
        let text = await after.read { $0.contains(Self.told) && $0.hasSuffix("\n\n") }
        #expect(text.contains("\"film_id\":\"film_new\",\"saved_as\":\"film_ran-1985\""))
        newest = try #require(lastID(text))
      }
      after.hangUp()
    }
    gateway.front.end()
  }

  @Test("a listing that nobody listened to is looked up too, and again where the catalogue does not answer")
  func playingFoundAtLast() async throws {
    let token = try await follower(of: "film_ran-1985")
    let before = await device(token)
    let last = try #require(lastID(before.text))
    before.hangUp()
    for _ in 0..<50 { await Task.yield() }
    findsNewIsRan()
    let manners = gateway.world.films.manners
    func lookups() -> Int { manners.seen.count { $0 == "CatalogueFilms" } }
    let earlier = lookups()
    list("film_new")
    while gateway.front.live.feed.revision != 101 { await Task.yield() }
    manners.failure = RPCError(.unavailable, "it is restarted", executed: .no)
    gateway.time.advance(by: .seconds(66))
    await manners.until { lookups() == earlier + 1 }
    manners.failure = nil
    for _ in 0..<60 where lookups() == earlier + 1 {
      gateway.time.advance(by: .seconds(1))
      for _ in 0..<50 { await Task.yield() }
    }
    #expect(lookups() == earlier + 2)
    let after = await device(token, after: last)
    let text = await after.read { $0.contains(Self.told) && $0.hasSuffix("\n\n") }
    #expect(text.contains("\"film_id\":\"film_new\",\"saved_as\":\"film_ran-1985\""))
    after.hangUp()
    gateway.front.end()
  }

  @Test(
    "near is where the reader is, else the region of their settings; who says neither is told of no cinema but theirs",
    arguments: [
      ("&near=51.51,-0.13", nil, ["paperboat", "owl"]), ("&near=51.51,-0.13", "busan", ["paperboat", "owl"]),
      ("", "busan", ["harbour", "lantern"]), ("", nil, ["lantern"]),
    ] as [(String, String?, [String])])
  func near(place: String, region: String?, told: [String]) async throws {
    let token = try await follower(of: "film_monster")
    if let region {
      let changed = await gateway.ask("PATCH", "/v1/me/settings", body: #"{"region":"\#(region)"}"#, token: token)
      #expect(changed.status == 200)
    }
    let device = await device(token, at: place)
    list("film_monster", at: "harbour")
    list("film_monster", at: "paperboat")
    list("film_monster", at: "owl")
    // Whatever its cinema, a favourite is told; it is the last, so all that is told has come before it.
    if !told.contains("owl") { await gateway.ask("PUT", "/v1/me/favourites/cinema/lantern", token: token) }
    list("film_monster", at: "lantern")
    let last = try #require(told.last)
    let text = await device.read { $0.contains(#""cinema_id":"\#(last)""#) && $0.hasSuffix("\n\n") }
    let cinemas = text.split(separator: "\n").filter { $0.contains(#""film_id":"film_monster","cinema_id""#) }
    #expect(cinemas.count == told.count, "\(text)")
    for cinema in told { #expect(cinemas.contains { $0.contains(#""cinema_id":"\#(cinema)""#) }, "\(text)") }
    device.hangUp()
    gateway.front.end()
  }

  @Test("where a cinema is that begins to show a film is asked once for all who saved it, and again if nobody answers")
  func whereItPlays() async throws {
    let token = try await follower(of: "film_monster")
    let devices = [await device(token), await device(token)]
    let manners = gateway.world.locator.manners
    let before = manners.seen.count { $0 == "CinemasByID" }
    manners.failure = RPCError(.unavailable, "it is restarted", executed: .no)
    list("film_monster")
    await manners.until { manners.seen.count { $0 == "CinemasByID" } > before }
    for _ in 0..<50 { await Task.yield() }
    manners.failure = nil
    gateway.time.advance(by: .seconds(1))
    for device in devices {
      let text = await device.read { $0.contains(Self.told) && $0.hasSuffix("\n\n") }
      #expect(text.ranges(of: Self.told).count == 1)
    }
    #expect(manners.seen.count { $0 == "CinemasByID" } == before + 2)
    for device in devices { device.hangUp() }
    gateway.front.end()
  }

  @Test("what a user saved is asked once for all their devices, and no id goes by an alert that waits for it")
  func askedOnce() async throws {
    let token = try await follower(of: "film_monster")
    let devices = [await device(token), await device(token)]
    let manners = gateway.world.bookmarks.manners
    manners.held = ["ListItems"]
    list("film_monster")
    await manners.until { manners.waiting == 1 }
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token)
    for device in devices {
      let text = await device.read { $0.contains("event: bookmark.put\n") && $0.hasSuffix("\n\n") }
      #expect(lastID(text) == "100-1")
    }
    manners.held = []
    manners.open()
    for device in devices {
      let text = await device.read { $0.contains(Self.told) && $0.hasSuffix("\n\n") }
      #expect(lastID(text) == "101-2" && text.ranges(of: Self.told).count == 1)
    }
    #expect(manners.seen.count { $0 == "ListItems" } == 1)
    for device in devices { device.hangUp() }
    gateway.front.end()
  }
}

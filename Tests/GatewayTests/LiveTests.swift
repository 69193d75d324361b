import Clocks
import Contracts
import Gateway
import GatewayFakes
import HTTP
import RPC
import Testing

/// Events as they happen, over a gateway that may be restarted.
@MainActor
@Suite("Events", .timeLimit(.minutes(5)))
struct LiveTests {
  private let gateway = GatewayFixture()

  private func live() async {
    gateway.front.begin()
    await gateway.front.live.feed.live()
  }

  /// The last id that a reader of this text has seen.
  private func lastID(_ text: String) -> String? {
    text.split(separator: "\n").last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
  }

  @Test("a watcher hears of its cinema and not of others, with an id to come back with")
  func schedule() async {
    await live()
    let watcher = gateway.open("GET", "/v1/events?topics=cinema:lantern,film:film_monster")
    let opening = await watcher.read { $0.contains("event: hello\n") && $0.hasSuffix("\n\n") }
    #expect(opening.contains("content-type: text/event-stream") || opening.contains("Content-Type: text/event-stream"))
    #expect(opening.contains("retry: 3000\n") && opening.contains("id: 100-\n"))
    gateway.world.scraper.publish(gateway.change("moonlight"))
    gateway.world.scraper.publish(gateway.change("lantern"))
    let text = await watcher.read { $0.contains("event: schedule.changed\n") }
    #expect(text.contains("event: showtime.sold_out\ndata: {\"showtime_id\":\"show_lantern_x\""))
    #expect(!text.contains("moonlight") && lastID(text) == "102-")
    watcher.hangUp()
    gateway.front.end()
  }

  @Test("a bookmark that one device removes, another hears of")
  func bookmark() async throws {
    await live()
    let token = try await gateway.session()
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token)
    let device = gateway.open("GET", "/v1/events?topics=me", token: token)
    // Before anything has happened there is a place to come back to, which scripts are told as well.
    _ = await device.read { $0.contains("id: 100-1\nevent: place\ndata: {}\n\n") }
    await gateway.ask("DELETE", "/v1/me/bookmarks/film_tea", token: token)
    let text = await device.read { $0.contains("event: bookmark.removed\n") && $0.hasSuffix("\n\n") }
    #expect(text.contains("id: 100-2\nevent: bookmark.removed\ndata: {\"film_id\":\"film_tea\",\"rev\":2}\n\n"))
    let nobody = await gateway.ask("/v1/events?topics=me")
    #expect(nobody.status == 401)
    device.hangUp()
    gateway.front.end()
  }

  @Test("a device that signed out hears nothing any more of what the others do")
  func signedOut() async throws {
    await live()
    let token = try await gateway.session()
    let device = gateway.open("GET", "/v1/events?topics=me", token: token)
    _ = await device.read { $0.contains("id: 100-0\n") }
    #expect(await gateway.ask("DELETE", "/v1/sessions/current", token: token).status == 204)
    let text = await device.read { $0.contains("event: bye\n") }
    #expect(text.contains("event: bye\n"), "\(text)")
    #expect(await gateway.ask("/v1/events?topics=me", token: token).status == 401)
    gateway.front.end()
  }

  @Test("who comes back hears what happened meanwhile, though the gateway was restarted and remembers nothing")
  func resume() async throws {
    await live()
    let token = try await gateway.session()
    let before = gateway.open("GET", "/v1/events?topics=cinema:lantern,me", token: token)
    let opening = await before.read { $0.contains("id: 100-0\n") }
    let last = try #require(lastID(opening))
    before.hangUp()
    gateway.world.scraper.publish(gateway.change("lantern"))
    gateway.world.scraper.publish(gateway.change("moonlight"))
    await gateway.ask("PUT", "/v1/me/bookmarks/film_tea", token: token)
    gateway.restart()
    await live()
    let after = gateway.open("GET", "/v1/events?topics=cinema:lantern,me", ["Last-Event-ID: \(last)"], token: token)
    let text = await after.read {
      $0.contains("schedule.changed") && $0.contains("bookmark.put") && $0.hasSuffix("\n\n")
    }
    #expect(!text.contains("event: reset") && !text.contains("moonlight"))
    #expect(lastID(text) == "101-1" || lastID(text) == "102-1")
    gateway.world.scraper.publish(gateway.change("lantern", kind: .moved))
    let moved = await after.read { $0.contains("showtime.moved") }
    #expect(moved.contains("event: showtime.moved\n"))
    after.hangUp()
    gateway.front.end()
  }

  @Test(
    "who comes back from a time that nobody remembers, or from none, is told to read everything anew",
    arguments: ["3-", "999-", "nonsense"])
  func reset(last: String) async {
    await live()
    gateway.world.scraper.publish(gateway.change("lantern"))
    while gateway.front.live.feed.revision != 101 { await Task.yield() }
    let reader = gateway.open("GET", "/v1/events?topics=cinema:lantern&last_event_id=\(last)")
    let text = await reader.read { $0.contains("event: reset\n") && $0.hasSuffix("\n\n") }
    #expect(text.contains("id: 101-\nevent: reset\ndata: {\"newest_id\":\"101-\"}\n\n"))
    reader.hangUp()
    gateway.front.end()
  }

  @Test("a silent stream shows every fifteen seconds that it lives")
  func heartbeat() async {
    await live()
    let reader = gateway.open("GET", "/v1/events?topics=sources")
    _ = await reader.read { $0.contains("event: hello\n") && $0.hasSuffix("\n\n") }
    gateway.time.advance(by: .seconds(16))
    let text = await reader.read { $0.contains("\n:\n\n") }
    #expect(text.contains("\n:\n\n"))
    reader.hangUp()
    gateway.front.end()
  }

  @Test("when the scraper comes back, what happened meanwhile is heard")
  func scraperRestarted() async {
    await live()
    let reader = gateway.open("GET", "/v1/events?topics=cinema:lantern")
    _ = await reader.read { $0.contains("event: hello\n") }
    gateway.world.scraper.manners.failure = RPCError(.unavailable, "it is restarted", executed: .no)
    gateway.world.scraper.breakStreams()
    gateway.world.scraper.publish(gateway.change("lantern"))
    gateway.world.scraper.manners.failure = nil
    for _ in 0..<50 { await Task.yield() }
    for _ in 0..<20 where !reader.text.contains("schedule.changed") {
      gateway.time.advance(by: .milliseconds(200))
      for _ in 0..<50 { await Task.yield() }
    }
    let text = await reader.read { $0.contains("schedule.changed") }
    #expect(text.contains("event: schedule.changed\n") && !text.contains("event: reset"))
    reader.hangUp()
    gateway.front.end()
  }

  @Test("a topic that there is not is refused by name")
  func topics() async {
    let reply = await gateway.ask("/v1/events?topics=cinmea:lantern")
    #expect(reply.status == 400 && reply.text.contains("did you mean cinema"))
    #expect(await gateway.ask("/v1/events").status == 400)
  }

  @Test("a server that drains says good-bye, and when to come back")
  func drain() async {
    await live()
    let reader = gateway.open("GET", "/v1/events?topics=sources")
    _ = await reader.read { $0.contains("event: hello\n") && $0.hasSuffix("\n\n") }
    async let drained: Void = gateway.front.server.drain()
    let text = await reader.read { $0.contains("event: bye\n") && $0.hasSuffix("\n\n") }
    #expect(text.contains("{\"retry_ms\":"))
    reader.hangUp()
    await drained
    gateway.front.end()
  }
}

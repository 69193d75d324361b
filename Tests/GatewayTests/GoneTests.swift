import Clocks
import Contracts
import GatewayFakes
import JSON
import RPC
import Testing

/// What once was there.
@Suite("Gone", .timeLimit(.minutes(1)))
@MainActor
struct GoneTests {
  @Test("a cinema that was taken out of the directory is gone, with the one that stands for it; its page leads there")
  func cinema() async throws {
    let gateway = GatewayFixture()
    gateway.world.locator.former = [
      FormerCinema(id: CinemaID("old")!, removedAt: gateway.time.wall, replacedBy: CinemaID("lantern")!),
      FormerCinema(id: CinemaID("lost")!, removedAt: gateway.time.wall),
    ]
    for path in ["", "/days", "/showtimes", "/calendar.ics", "/restaurants"] {
      let reply = await gateway.ask("/v1/cinemas/old\(path)")
      #expect(reply.status == 410 && reply.problem == "gone", "\(path): \(reply.text)")
      #expect(reply.json["replaced_by"]?.string == "lantern")
    }
    let lost = await gateway.ask("/v1/cinemas/lost")
    #expect(lost.status == 410 && lost.json["replaced_by"] == nil)
    #expect(await gateway.ask("/v1/cinemas/nobody").status == 404)
    let page = await gateway.ask("/cinemas/old?date=2026-11-23")
    #expect(page.status == 308 && page["location"] == "/cinemas/lantern?date=2026-11-23")
    // It may come back.
    #expect(page["cache-control"] == "private, no-cache")
    let left = await gateway.ask("/cinemas/lost")
    #expect(left.status == 410 && left.text.contains("<html"))
  }
}

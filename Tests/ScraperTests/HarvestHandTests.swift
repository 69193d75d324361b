import Calendars
import Clocks
import Contracts
import EventLoops
import RPC
import RPCTransport
import Scraper
import ServiceKit
import ServiceTestKit
import Testing

/// A scraper with the queue that visits nothing itself, and others without a store that work for it over RPC.
@Suite("Scrapers that work for another", .serialized, .timeLimit(.minutes(2)))
@MainActor
struct HarvestHandTests {
  private static let page = """
    <!DOCTYPE html><html><body><script type="application/ld+json">
    { "@context": "https://schema.org", "@type": "ScreeningEvent", "name": "Monster",
      "startDate": "2026-11-22T19:30:00+00:00", "location": { "@type": "MovieTheater", "name": "Held" },
      "workPresented": { "@type": "Movie", "name": "Monster" } }
    </script></body></html>
    """

  @MainActor
  private struct Owner {
    let rig: ServiceRig
    let clock: HandClock
    let held: HeldSite
    let client: any RPCClient<ScraperAPI>
    let socket: SocketAddress

    func add(_ site: String) async throws {
      let document = """
        { "site": "\(site)", "cinema": "\(site)", "zone": "Europe/London", "adapter": "structured",
          "start": ["\(held.url)/\(site)"], "schedule": { "hours": "0-24" }, "enabled": true }
        """
      _ = try await client.call(AddSite(document: document))
    }

    /// The flags of a scraper that works for this one.
    var flags: [String: String] { ["queue": "\(socket)", "private-hosts": "\(held.address)"] }

    func published(_ cinema: String) async throws {
      for try await event in try await client.stream(ScheduleEvents(since: 0)) where event.change?.cinema.text == cinema
      {
        return
      }
    }
  }

  private func running(_ body: (Owner) async throws -> Void) async throws {
    let clock = HandClock(Timestamp("2026-11-22T12:00:00+00:00")!.instant)
    let held = try HeldSite()
    let flags = ["private-hosts": "\(held.address)", "visits": "0"]
    try await ServiceRig.run(ScraperService.program, flags: flags, time: clock) { rig in
      let socket = try rig.environment.data.adminSocket(of: "scraper")
      let client = ServiceClient(of: ScraperAPI.self, at: [.address(socket)])
      try await body(Owner(rig: rig, clock: clock, held: held, client: client, socket: socket))
      client.close()
    }
    held.close()
  }

  @Test("what one without a store fetches stands in the schedule and the snapshots of the one with the queue")
  func works() async throws {
    try await running { owner in
      owner.held.page = Self.page
      try await owner.add("one")
      try await ServiceRig.run(ScraperService.program, flags: owner.flags) { _ in
        try await owner.published("one")
        try await owner.add("two")
        try await owner.published("two")
      }
      let page = try await owner.client.call(
        FindShowtimes(cinemas: [CinemaID("one")!, CinemaID("two")!], date: CivilDate("2026-11-22")!, limit: 10))
      #expect(page.showtimes.map(\.title) == ["Monster", "Monster"])
      let visit = try #require(try await owner.client.call(ListVisits(site: "one", limit: 1)).first)
      #expect(visit.outcome == "published" && visit.pages.first?.bytes == Self.page.utf8.count)
      // The stored page can be read again here.
      #expect(try await owner.client.call(TestSite(site: "one")).listings.count == 1)
    }
  }

  @Test("when one of them is killed in a visit, another takes the site over once the lease has run out")
  func killed() async throws {
    try await running { owner in
      try await owner.add("one")
      let folder = try TemporaryFolder()
      let flags = owner.flags.sorted { $0.key < $1.key }.flatMap { ["--\($0.key)", $0.value] }
      let first = try ServiceProcess<ScraperAPI>("odi-scraper", flags: flags, in: folder)
      await owner.held.asked(for: "/one")
      await first.kill()
      await owner.held.left(from: "/one")

      owner.held.page = Self.page
      try await ServiceRig.run(ScraperService.program, flags: owner.flags) { _ in
        // The dead one's lease holds until it runs out.
        let turn = try await owner.client.call(LeaseSite(holder: "a third"), within: .seconds(20))
        #expect(turn.visit == nil)
        owner.clock.wall = owner.clock.wall.adding(.seconds(301))
        try await owner.published("one")
      }
      let visits = try await owner.client.call(ListVisits(site: "one", limit: 10))
      #expect(visits.map(\.outcome) == ["published"])
    }
  }

  @Test("who comes late with an overtaken lease is refused, and so is who calls over a network without the secret")
  func refused() async throws {
    try await running { owner in
      try await owner.add("one")
      let first = try #require(try await owner.client.call(LeaseSite(holder: "first"), within: .seconds(20)).visit)
      owner.clock.wall = owner.clock.wall.adding(.seconds(301))
      let second = try #require(try await owner.client.call(LeaseSite(holder: "second"), within: .seconds(20)).visit)
      #expect(second.lease.fence == first.lease.fence + 1)
      #expect(try await !owner.client.call(RenewLease(lease: first.lease)).isHeld)
      #expect(try await owner.client.call(RenewLease(lease: second.lease)).isHeld)
      let late = try await owner.client.call(PublishReading(visit: first, pages: []))
      #expect(late.problem?.contains("another has taken it over") == true)
      #expect(try await owner.client.call(ListVisits(site: "one", limit: 1)).isEmpty)

      let calls = try #require(owner.rig.parts.compactMap { $0 as? CallServer }.first?.address)
      let stranger = ServiceClient(of: ScraperAPI.self, at: [.address(calls)])
      defer { stranger.close() }
      let error = await #expect(throws: RPCError.self) {
        try await stranger.call(LeaseSite(holder: "a stranger"), within: .seconds(20))
      }
      #expect(error?.code == .permissionDenied)
    }
  }
}

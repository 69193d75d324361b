import Calendars
import Clocks
import Compression
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

  @Test("scrapers that wait for a site leave room to those who read, and too many are told to come back")
  func crowded() async throws {
    try await running { owner in
      let refusals = Refusals()
      let hands = (0..<200).map { number in
        Task { @MainActor in
          do throws(RPCError) {
            _ = try await owner.client.call(
              LeaseSite(holder: "hand \(number)"), CallOptions(timeout: .seconds(60), mayRetry: false))
          } catch {
            refusals.add(error)
          }
        }
      }
      await refusals.reached(200 - 64)
      #expect(refusals.all.allSatisfy { $0.code == .resourceExhausted && $0.retryAfter == .seconds(2) })
      _ = try await owner.client.call(FindFilms(text: "monster", limit: 1), CallOptions(mayRetry: false))
      for hand in hands { hand.cancel() }
    }
  }

  @MainActor
  private final class Refusals {
    private(set) var all: [RPCError] = []
    private let bell = Bell()

    func add(_ error: RPCError) {
      all.append(error)
      bell.ring()
    }

    func reached(_ count: Int) async { while all.count < count, !Task.isCancelled { await bell.wait() } }
  }

  @Test("that a host refused is counted once, however often it is told, and anew for the next request")
  func toldTwice() async throws {
    try await running { owner in
      let end = EndHostTurn(url: "https://emu.example/day", isThrottled: true, retrySeconds: 60)
      var random = SeededRandom(seed: 1)
      let keys = (1...2).map { _ in IdempotencyKey.random(using: &random) }
      for (key, throttles) in [(keys[0], 1), (keys[0], 1), (keys[1], 2)] {
        _ = try await owner.client.call(end, CallOptions(key: key))
        #expect(try await owner.client.call(ListHosts()).map(\.throttles) == [throttles])
      }
    }
  }

  @Test("a site that another visits is told as visited, until its lease runs out")
  func visiting() async throws {
    try await running { owner in
      try await owner.add("one")
      func visited() async throws -> [String] { try await owner.client.call(ScrapingStatus()).visiting }
      #expect(try await visited().isEmpty)
      _ = try #require(try await owner.client.call(LeaseSite(holder: "first"), within: .seconds(20)).visit)
      #expect(try await visited() == ["one"])
      owner.clock.wall = owner.clock.wall.adding(.seconds(301))
      #expect(try await visited().isEmpty)
    }
  }

  @Test("what is handed in is bounded: pages, films and bytes, each page once")
  func bounded() async throws {
    try await running { owner in
      try await owner.add("one")
      var visit = try #require(try await owner.client.call(LeaseSite(holder: "first"), within: .seconds(20)).visit)
      let url = "\(owner.held.url)/one"
      let body = [UInt8](repeating: 32, count: KeepPage.bytesMax)
      let kept = try await owner.client.call(
        KeepPage(
          url: url,
          page: SharedPage(
            url: url, contentType: "text/html", fetchedAt: visit.at,
            packed: CompressionFormat.zlib.compress(body), bytes: body.count)), within: .seconds(20))
      func pages(_ roles: [String]) -> [VisitedPage] {
        roles.map {
          VisitedPage(
            role: $0, url: url, contentType: "text/html", fetchedAt: visit.at, outcome: "new",
            snapshot: kept.snapshot)
        }
      }
      func refusal(_ reading: PublishReading) async -> String? {
        await #expect(throws: RPCError.self) { try await owner.client.call(reading, within: .seconds(20)) }?.message
      }
      #expect(
        await refusal(PublishReading(visit: visit, pages: pages(["listing:0", "listing:0"])))
          == "the page “listing:0” is handed in twice; a visit has one of each")
      #expect(
        await refusal(PublishReading(visit: visit, pages: pages((0..<201).map { "listing:\($0)" })))
          == "a visit has at most 200 pages, and not 201")
      visit.knownFilms = (0...50_000).map { "f:\($0)" }
      #expect(
        await refusal(PublishReading(visit: visit, pages: []))
          == "a visit knows at most 50000 films, and not 50001; leave some out")
      visit.knownFilms = []
      // Nine times 8 MiB. Nothing of it is read, and the visit counts as one that failed.
      let run = try await owner.client.call(
        PublishReading(visit: visit, pages: pages((0..<9).map { "listing:\($0)" })), within: .seconds(20))
      #expect(run.outcome == "failed" && run.problem?.contains("more than 64 MiB") == true, "\(run)")
    }
  }
}

import Calendars
import Clocks
import Contracts
import EventLoops
import JSON
import RPC
import Scraper

/// The owner of a queue as a scraper sees it that works for it: what it is asked is written down, and the leases are
/// those of a real store.
@MainActor
final class QueueBench {
  let harvester: Harvester
  let client: InProcessClient<ScraperAPI>
  /// The owner's.
  let clock: HandClock
  let router = RPCRouter(service: "scraper")
  /// What everybody hears who asks for a site.
  var refusal: RPCError?
  private(set) var leasesAsked = 0
  /// Asked and not answered, at most.
  private(set) var leasesAskedTogether = 0
  private(set) var renewals = 0
  private(set) var handedIn: [PublishReading] = []
  private var open = 0
  private var offered: [LeasedVisit] = []
  private let happened = Bell()

  init(_ store: ScraperStore) async throws {
    let bench = try await HarvesterBench("owner", on: store, pages: HeldPages())
    (harvester, clock) = (bench.harvester, bench.clock)
    client = InProcessClient(router, time: clock)
    router.on(LeaseSite.self) { [self] (_: LeaseSite, _: CallContext) in
      leasesAsked += 1
      open += 1
      leasesAskedTogether = max(leasesAskedTogether, open)
      defer { open -= 1 }
      happened.ring()
      if let refusal { throw refusal }
      while offered.isEmpty {
        try Task.checkCancellation()
        await happened.wait()
      }
      return SiteTurn(visit: offered.removeFirst())
    }
    router.on(PublishReading.self) { [self] (request: PublishReading, _: CallContext) in
      handedIn.append(request)
      happened.ring()
      return SiteRun(total: 0, site: request.visit.lease.site)
    }
  }

  /// Answers renewals out of the store.
  func renew(_ lease: Lease) {
    router.on(RenewLease.self) { [self] (_: RenewLease, _: CallContext) in
      let isHeld = try await harvester.renew(lease)
      renewals += 1
      happened.ring()
      return RenewedLease(isHeld: isHeld)
    }
  }

  func offer(_ visits: LeasedVisit...) {
    offered += visits
    happened.ring()
  }

  func until(_ isSo: (QueueBench) -> Bool) async { while !isSo(self), !Task.isCancelled { await happened.wait() } }
}

/// Pages that are not there before the test says so, and then are none.
@MainActor
final class HeldPages: PageRetriever {
  private(set) var asked = 0
  private var isOpen = false
  private let happened = Bell()

  func open() {
    isOpen = true
    happened.ring()
  }

  func wereAsked(_ count: Int) async { while asked < count, !Task.isCancelled { await happened.wait() } }

  func page(_ request: PageRequest) async throws(RetrievalError) -> RetrievedPage {
    asked += 1
    happened.ring()
    while !isOpen {
      if Task.isCancelled { throw RetrievalError(.cancelled, "cancelled") }
      await happened.wait()
    }
    throw RetrievalError(.status, "the site answers 404")
  }
}

extension LeasedVisit {
  /// Of a site that no store knows.
  static func invented(_ id: String, isDemo: Bool? = nil) -> LeasedVisit {
    let site = SyntheticPlatform.site(id: id, cinema: id).documented
    return LeasedVisit(
      lease: SiteLease(site: id, holder: "hand", fence: 1, milliseconds: 300_000),
      document: String(decoding: site.document.json, as: UTF8.self), isDemo: isDemo,
      at: Timestamp("2026-11-22T12:00:00+09:00")!.instant, scope: "window", knownFilms: [])
  }
}

import Calendars
import Clocks
import Contracts
import Crypto
import EventLoops
import Fetch
import JSON
import Observability
import RPC
import RPCTransport
import ServiceKit

/// A scraper without a queue of its own: it visits sites for another, whose store and schedule get what it finds.
///
/// It may end at any time. What it held is anybody's once the lease has run out, and what it would hand in later is
/// refused.
@MainActor
final class HarvestHand: ServicePart {
  nonisolated let name = "harvest"

  private enum Limits {
    /// Longer than the owner waits for a site to be due.
    static let turn: Duration = LeaseSite.patience + .seconds(10)
    /// While the owner cannot be reached.
    static let pause: Duration = .seconds(2)
    /// Reading and publishing a large programme.
    static let publication: Duration = .seconds(60)
  }

  private let owner: any RPCClient<ScraperAPI>
  private let retriever: any PageRetriever
  private let holder: String
  private let visits: Int
  private let time: any TimeSource
  private let log: Log
  private let zones = ZoneDirectory()
  private var lanes: [Task<Void, Never>] = []
  private let prepare: () async -> Void
  private let whenStopped: () -> Void

  /// - Parameters:
  ///   - holder: another's name for each process.
  ///   - visits: sites visited at once.
  ///   - prepare: done before the first site is leased.
  init(
    for owner: any RPCClient<ScraperAPI>, from retriever: any PageRetriever, as holder: String, visits: Int,
    time: any TimeSource, log: Log, preparing prepare: @escaping () async -> Void,
    whenStopped: @escaping () -> Void
  ) {
    self.owner = owner
    self.retriever = retriever
    self.holder = holder
    self.visits = visits
    self.time = time
    self.log = log
    self.prepare = prepare
    self.whenStopped = whenStopped
  }

  func start() async throws {
    await prepare()
    lanes = (0..<visits).map { _ in Task { await work() } }
  }

  /// Gives back what it holds.
  func drain() async {
    for lane in lanes { lane.cancel() }
    for lane in lanes { await lane.value }
    lanes = []
  }

  func stop() async {
    await drain()
    whenStopped()
  }

  private func work() async {
    var hasFailed = false
    while !Task.isCancelled {
      do {
        let turn = try await owner.call(
          LeaseSite(holder: holder), CallOptions(timeout: Limits.turn, mayRetry: false))
        hasFailed = false
        if let leased = turn.visit { await visit(leased) }
      } catch {
        guard !Task.isCancelled else { return }
        if !hasFailed { log.warning("no site could be leased", ["error": "\(error)"]) }
        hasFailed = true
        try? await time.sleep(for: Limits.pause)
      }
    }
  }

  private func visit(_ leased: LeasedVisit) async {
    var handing = PublishReading(visit: leased, pages: [])
    do {
      let visit = try visit(of: leased)
      let keeper = RemoteLease(leased.lease, owner, time)
      let findings = await SiteVisit(visit, from: retriever, mayGoOn: { await keeper.renew() }).gather()
      handing.pages = findings.records.map(VisitedPage.init)
      handing.problem = findings.problem
      handing.isWithoutReading = findings.lacksReading
      handing.isAborted = findings.isAborted || Task.isCancelled
    } catch {
      handing.problem = "\(leased.lease.site) cannot be visited from here: \(error)"
      handing.isWithoutReading = true
    }
    // Handed in even while this process ends: else the site would wait until the lease runs out.
    let answer = Task { [owner, handing] () -> Result<SiteRun, RPCError> in
      do throws(RPCError) {
        return .success(try await owner.call(handing, within: Limits.publication))
      } catch {
        return .failure(error)
      }
    }
    switch await answer.value {
    case .success(let run):
      log.info(
        "site visited",
        [
          "site": .string(leased.lease.site), "outcome": .string(run.outcome ?? ""),
          "problem": .string(run.problem ?? ""),
        ])
    case .failure(let error):
      log.warning("a visit could not be handed in", ["site": .string(leased.lease.site), "error": "\(error)"])
    }
  }

  private func visit(of leased: LeasedVisit) throws -> Visit {
    var site = try Site(parsing: JSONValue(parsing: leased.document))
    site.isDemo = leased.isDemo == true
    return Visit(
      site: site, zone: try zones.rules(for: site.zone), at: leased.at,
      scope: Visit.Scope(rawValue: leased.scope) ?? .window, knownFilms: Set(leased.knownFilms))
  }
}

/// Renews a lease in time, as long as the visit makes progress.
private final class RemoteLease {
  private let lease: SiteLease
  private let owner: any RPCClient<ScraperAPI>
  private let time: any TimeSource
  private var renewed: Instant

  init(_ lease: SiteLease, _ owner: any RPCClient<ScraperAPI>, _ time: any TimeSource) {
    self.lease = lease
    self.owner = owner
    self.time = time
    renewed = time.now
  }

  /// False if the lease is another's, or the visit is to end.
  func renew() async -> Bool {
    if Task.isCancelled { return false }
    guard time.now - renewed > .milliseconds(lease.milliseconds) / 2 else { return true }
    let now = time.now
    guard (try? await owner.call(RenewLease(lease: lease)))?.isHeld == true else { return false }
    renewed = now
    return true
  }
}

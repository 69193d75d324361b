import Calendars
package import Clocks
package import Contracts
import EventLoops
import JSON
package import Observability
package import RPC
import ServiceKit

/// A scraper without a queue of its own: it visits sites for another, whose store and schedule get what it finds.
///
/// It may end at any time. What it held is anybody's once the lease has run out, and what it would hand in later is
/// refused.
@MainActor
package final class HarvestHand: ServicePart {
  nonisolated package let name = "harvest"

  private enum Limits {
    /// Longer than the owner waits for a site to be due.
    static let turn: Duration = LeaseSite.patience + .seconds(10)
    /// An owner that waited for a site at all waited longer than this.
    static let patient: Duration = .seconds(1)
    /// Before the next site, after one that cannot be visited from here: others may take it meanwhile.
    static let misfit: Duration = .seconds(10)
    /// Reading and publishing a large programme, and waiting behind others who do.
    static let publication: Duration = .seconds(120)
  }

  private let owner: any RPCClient<ScraperAPI>
  private let retriever: any PageRetriever
  private let holder: String
  private let visits: Int
  private let time: any TimeSource
  private let patience: Patience
  private let log: Log
  private let zones = ZoneDirectory()
  private let reachDemoWorld: @MainActor (LeasedVisit) async throws -> Void
  private let whenStopped: () -> Void
  private var asking: Task<Void, Never>?
  private var running: [Int: Task<Void, Never>] = [:]
  /// Visits that were begun.
  private var begun = 0
  private let visitEnded = Bell()

  /// - Parameters:
  ///   - holder: another's name for each process.
  ///   - visits: sites visited at once.
  ///   - reachDemoWorld: done before each visit of the demo world; what it throws says what the operator should do.
  package init(
    for owner: any RPCClient<ScraperAPI>, from retriever: any PageRetriever, as holder: String, visits: Int,
    time: any TimeSource, random: any RandomNumberGenerator, log: Log,
    reachingDemoWorld reachDemoWorld: @escaping @MainActor (LeasedVisit) async throws -> Void,
    whenStopped: @escaping () -> Void
  ) {
    self.owner = owner
    self.retriever = retriever
    self.holder = holder
    self.visits = visits
    self.time = time
    patience = Patience(time: time, random: random)
    self.log = log
    self.reachDemoWorld = reachDemoWorld
    self.whenStopped = whenStopped
  }

  package func start() async throws {
    asking = Task { await keepAsking() }
  }

  /// Gives back what it holds.
  package func drain() async {
    asking?.cancel()
    await asking?.value
    asking = nil
    for visit in running.values { visit.cancel() }
    for visit in running.values { await visit.value }
  }

  package func stop() async {
    await drain()
    whenStopped()
  }

  // MARK: Sites

  /// Asks for one site at a time, however many it may visit at once: who waits for a site takes room at the owner.
  private func keepAsking() async {
    var (hasFailed, isMisfit) = (false, false)
    // Times in a row that the owner could not be reached, refused, or answered at once that it has nothing.
    var inVain = 0
    while !Task.isCancelled {
      while running.count >= visits, !Task.isCancelled { await visitEnded.wait() }
      guard !Task.isCancelled else { return }
      let began = time.now
      do throws(RPCError) {
        let turn = try await owner.call(
          LeaseSite(holder: holder), CallOptions(timeout: Limits.turn, mayRetry: false))
        hasFailed = false
        if let leased = turn.visit {
          inVain = 0
          if await canVisit(leased, isKnown: isMisfit) {
            isMisfit = false
            begin(leased)
          } else {
            isMisfit = true
            await handIn(PublishReading(visit: leased, pages: [], isAborted: true))
            try? await time.sleep(for: Limits.misfit)
          }
        } else if time.now - began < Limits.patient {
          inVain += 1
          try? await time.sleep(for: patience.pause(before: inVain))
        } else {
          inVain = 0
        }
      } catch {
        guard !Task.isCancelled else { return }
        if !hasFailed { log.warning("no site could be leased", ["error": "\(error)"]) }
        hasFailed = true
        inVain += 1
        try? await time.sleep(for: patience.pause(before: inVain, after: error.retryAfter))
      }
    }
  }

  /// - Parameter isKnown: the log has said it already.
  private func canVisit(_ leased: LeasedVisit, isKnown: Bool) async -> Bool {
    guard leased.isDemo == true else { return true }
    do {
      try await reachDemoWorld(leased)
      return true
    } catch {
      if !isKnown {
        log.error(
          "a site of the demo world cannot be visited from here",
          ["site": .string(leased.lease.site), "problem": "\(error)"])
      }
      return false
    }
  }

  // MARK: One visit

  private func begin(_ leased: LeasedVisit) {
    let number = begun
    begun += 1
    running[number] = Task {
      await visit(leased)
      running[number] = nil
      visitEnded.ring()
    }
  }

  private func visit(_ leased: LeasedVisit) async {
    var found = PublishReading(visit: leased, pages: [])
    do {
      let visit = try visit(of: leased)
      let keeper = LeaseKeeper(for: .milliseconds(leased.lease.milliseconds), time: time) { [owner] in
        try await owner.call(RenewLease(lease: leased.lease)).isHeld
      }
      let findings = await keeper.during { [retriever] in
        await SiteVisit(visit, from: retriever, mayGoOn: { await keeper.isHeld() }).gather()
      }
      found.pages = findings.records.map(VisitedPage.init)
      found.problem = findings.problem
      found.isWithoutReading = findings.lacksReading
      found.isAborted = findings.isAborted || Task.isCancelled
    } catch {
      found.problem = "\(leased.lease.site) cannot be visited from here: \(error)"
      found.isWithoutReading = true
    }
    await handIn(found)
  }

  /// Even while this process ends: else the site would wait until the lease runs out.
  private func handIn(_ found: PublishReading) async {
    let site = found.visit.lease.site
    let answer = Task { [owner, patience] () -> Result<SiteRun, RPCError> in
      do throws(RPCError) {
        return .success(try await owner.call(found, within: Limits.publication, patience))
      } catch {
        return .failure(error)
      }
    }
    switch await answer.value {
    case .success(let run):
      log.info(
        "site visited",
        ["site": .string(site), "outcome": .string(run.outcome ?? ""), "problem": .string(run.problem ?? "")])
    case .failure(let error):
      log.warning("a visit could not be handed in", ["site": .string(site), "error": "\(error)"])
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

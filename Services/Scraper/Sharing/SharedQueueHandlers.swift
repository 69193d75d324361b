import Clocks
import Compression
import Contracts
import EventLoops
import Fetch
import JSON
import RPC

/// Lets other scrapers work for this one: they fetch, it keeps the queue, the hosts' turns, the pages and the schedule.
struct SharedQueueHandlers {
  let scraping: Scraping
  let time: any TimeSource
  /// Whether who calls over a network has shown that it knows the suite's secret.
  let knowsCallers: Bool

  private enum Limits {
    static let holderBytes = 1...100
    static let pages = 200
    /// Pages of one visit, unpacked: a programme has some megabytes, and several visits are read at once.
    static let readingBytes = 64 << 20
    /// Longer than any site's `Retry-After` is believed.
    static let retrySeconds = 0...(30 * 86_400)
    /// Scrapers that wait for a site, one call each.
    static let hands = 64
    /// Pages that wait for their host: those of twenty visits.
    static let turns = 128
    /// Visits that are read and published at once, 64 MiB each at worst, and those that wait for that.
    static let publications = (atOnce: 4, waiting: 28)
    /// Pages that are packed or unpacked at once, 8 MiB each at worst, and those that wait for that.
    static let packings = (atOnce: 8, waiting: 56)
    /// For whoever is told to come back.
    static let comeBack: Duration = .seconds(2)
  }

  private let hands = Turnstile(places: Limits.hands, "scrapers wait for a site", comeBackAfter: Limits.comeBack)
  private let turns = Turnstile(places: Limits.turns, "pages wait for their host", comeBackAfter: Limits.comeBack)
  private let publications = Turnstile(
    places: Limits.publications.atOnce, waiting: Limits.publications.waiting, "visits are being handed in",
    comeBackAfter: Limits.comeBack)
  private let packings = Turnstile(
    places: Limits.packings.atOnce, waiting: Limits.packings.waiting, "pages are being kept or sent",
    comeBackAfter: Limits.comeBack)
  private let ended = EndedTurns()

  init(scraping: Scraping, time: any TimeSource, knowsCallers: Bool) {
    self.scraping = scraping
    self.time = time
    self.knowsCallers = knowsCallers
  }

  /// Calls that may be here at once. Most of them wait, on purpose and for long.
  var callersMax: Int { [hands, turns, publications, packings].reduce(0) { $0 + $1.callersMax } }

  func register(on router: RPCRouter) {
    router.on(LeaseSite.self) { (request: LeaseSite, context: CallContext) in try await lease(request, context) }
    router.on(RenewLease.self) { (request: RenewLease, context: CallContext) in
      try check(context)
      return RenewedLease(isHeld: try await scraping.started.harvester.renew(Lease(request.lease)))
    }
    router.on(PublishReading.self) { (request: PublishReading, context: CallContext) in
      try check(context)
      return SiteRun(try await publish(request))
    }
    router.on(TakeHostTurn.self) { (request: TakeHostTurn, context: CallContext) in
      try check(context)
      return try await turns.pass { try await turn(request) }
    }
    router.on(EndHostTurn.self) { (request: EndHostTurn, context: CallContext) in
      try check(context)
      return try end(request, context.key)
    }
    router.on(LastAnswer.self) { (request: LastAnswer, context: CallContext) in
      try check(context)
      return try await last(request)
    }
    router.on(PackedSnapshot.self) { (request: PackedSnapshot, context: CallContext) in
      try check(context)
      return try await packings.pass { try await packed(request) }
    }
    router.on(KeepPage.self) { (request: KeepPage, context: CallContext) in
      try check(context)
      return try await packings.pass { try await keep(request) }
    }
  }

  /// What is handed in is published, so it is taken from nobody who just happens to reach the port.
  private func check(_ context: CallContext) throws(RPCError) {
    guard case .remote(_, _, let user) = context.peer, user == nil, !knowsCallers else { return }
    throw RPCError(
      .permissionDenied, "give both scrapers the same shared-secret, or reach this one through its unix socket")
  }

  // MARK: Leases

  private func lease(_ request: LeaseSite, _ context: CallContext) async throws -> SiteTurn {
    try check(context)
    let harvester = try scraping.started.harvester
    guard Limits.holderBytes.contains(request.holder.utf8.count), request.holder != harvester.holder else {
      throw RPCError(.invalidArgument, "holder must have 1 to 100 bytes, and be another than \(harvester.holder)")
    }
    let turn = try await hands.pass {
      try await harvester.handOut(to: request.holder, within: LeaseSite.patience)
    }
    guard let (lease, visit) = turn else { return SiteTurn() }
    return SiteTurn(visit: LeasedVisit(lease, visit, for: harvester.leasePeriod))
  }

  private func publish(_ request: PublishReading) async throws -> Harvester.Report {
    let harvester = try scraping.started.harvester
    let scope = try checkedScope(request)
    let visit = request.visit
    let lease = Lease(visit.lease)
    var findings = SiteVisit.Findings()
    findings.problem = request.problem
    findings.lacksReading = request.isWithoutReading == true
    findings.isAborted = request.isAborted == true
    findings.records = request.pages.map(VisitRecord.PageRecord.init)
    do {
      // First of all: who has lost the lease costs nobody a page, and who has it keeps it while the pages are read.
      guard try await harvester.renew(lease) else { throw LeaseLost(site: lease.site) }
      guard !findings.lacksReading, !findings.isAborted else {
        return try await harvester.takeIn(findings, of: lease, at: visit.at, scope: scope, knownFilms: [])
      }
      return try await publications.pass { [findings] in
        let findings = try await withPages(findings)
        return try await harvester.takeIn(
          findings, of: lease, at: visit.at, scope: scope, knownFilms: Set(visit.knownFilms))
      }
    } catch let error as LeaseLost {
      var record = VisitRecord(site: lease.site, scope: scope, began: visit.at)
      record.problem = error.description
      return Harvester.Report(record: record)
    }
  }

  private func checkedScope(_ request: PublishReading) throws(RPCError) -> Visit.Scope {
    guard request.pages.count <= Limits.pages else {
      throw RPCError(.invalidArgument, "a visit has at most \(Limits.pages) pages, and not \(request.pages.count)")
    }
    let (known, knownMax) = (request.visit.knownFilms.count, LeasedVisit.knownFilmsMax)
    guard known <= knownMax else {
      throw RPCError(
        .invalidArgument, "a visit knows at most \(knownMax) films, and not \(known); leave some out")
    }
    var roles: Set<String> = []
    for page in request.pages where !roles.insert(page.role).inserted {
      throw RPCError(.invalidArgument, "the page “\(page.role)” is handed in twice; a visit has one of each")
    }
    guard let scope = Visit.Scope(rawValue: request.visit.scope) else {
      throw RPCError(.invalidArgument, "scope is “\(request.visit.scope)”; it must be today or window")
    }
    return scope
  }

  /// With the bytes of the pages, as they were kept; without any of them if they are too many for one reading, or some are
  /// gone: a programme of which a page is missing would look like another one.
  private func withPages(_ found: SiteVisit.Findings) async throws -> SiteVisit.Findings {
    let store = try scraping.started.store
    var findings = found
    var bytes = 0
    for record in findings.records {
      guard let id = record.snapshot else { continue }
      guard let body = try await store.snapshot(id) else {
        findings.pages = []
        findings.lacksReading = true
        findings.problem = "\(record.role): the page that was handed in is not stored any more"
        return findings
      }
      bytes += body.count
      guard bytes <= Limits.readingBytes else {
        findings.pages = []
        findings.lacksReading = true
        findings.problem =
          "its pages have more than \(Limits.readingBytes >> 20) MiB together; let the site begin at fewer or smaller ones"
        return findings
      }
      findings.pages.append(
        Page(
          role: record.role, url: record.url, contentType: record.contentType, fetchedAt: record.fetchedAt, body: body))
    }
    return findings
  }

  // MARK: Hosts

  private func parsed(_ url: String) throws(RPCError) -> FetchURL {
    do throws(FetchURLError) { return try FetchURL(parsing: url) } catch {
      throw RPCError(.invalidArgument, "“\(url)” is no address: \(error)")
    }
  }

  private func turn(_ request: TakeHostTurn) async throws -> HostTurn {
    let (url, hosts) = (try parsed(request.url), try scraping.started.hosts)
    do throws(RetrievalError) {
      try await hosts.turn(for: url)
      return HostTurn()
    } catch {
      return HostTurn(refusal: error.kind.rawValue, problem: error.description)
    }
  }

  private func end(_ request: EndHostTurn, _ key: IdempotencyKey?) throws -> HostTurn {
    let (url, hosts) = (try parsed(request.url), try scraping.started.hosts)
    if let key, !ended.isNew(key) { return HostTurn() }
    let outcome: HostBudget.Outcome
    if request.isThrottled == true {
      outcome = .throttled(
        retryAfter: request.retrySeconds.map { seconds in
          .seconds(min(max(seconds, Limits.retrySeconds.lowerBound), Limits.retrySeconds.upperBound))
        })
    } else if let milliseconds = request.milliseconds {
      outcome = .answered(after: .milliseconds(max(milliseconds, 0)))
    } else {
      outcome = .failed
    }
    hosts.finish(url, outcome, address: request.address.flatMap { IPAddress($0) })
    return HostTurn()
  }

  // MARK: Pages

  private func last(_ request: LastAnswer) async throws -> SharedPage {
    guard let known = try await scraping.started.store.page(request.url) else { return SharedPage() }
    return SharedPage(
      url: known.finalURL, contentType: known.contentType, etag: known.validators.etag,
      lastModified: known.validators.lastModified, snapshot: "\(known.snapshot)")
  }

  private func packed(_ request: PackedSnapshot) async throws -> SharedPage {
    guard let id = SnapshotID(request.snapshot), let body = try await scraping.started.store.snapshot(id) else {
      throw RPCError(.notFound, "there is no snapshot \(request.snapshot)")
    }
    let packed = await Background.run { CompressionFormat.zlib.compress(body) }
    guard packed.count <= KeepPage.packedBytesMax else {
      throw RPCError(.outOfRange, "the page is too large to be handed on; ask the site for it without validators")
    }
    return SharedPage(snapshot: request.snapshot, packed: packed, bytes: body.count)
  }

  private func keep(_ request: KeepPage) async throws -> SharedPage {
    let (page, store) = (request.page, try scraping.started.store)
    guard let packed = page.packed, let bytes = page.bytes, 0...KeepPage.bytesMax ~= bytes else {
      throw RPCError(.invalidArgument, "a page to keep has its bytes, \(KeepPage.bytesMax) at most unpacked")
    }
    let body: [UInt8]
    do {
      body = try await Background.run { Result { try CompressionFormat.zlib.decompress(packed, limit: bytes) } }.get()
    } catch {
      throw RPCError(.invalidArgument, "the page's bytes cannot be unpacked: \(error)")
    }
    let kept = try await store.keep(
      Page(
        role: "", url: page.url ?? request.url, contentType: page.contentType, fetchedAt: page.fetchedAt ?? time.wall,
        body: body), at: request.url,
      validators: FetchRequest.Validators(etag: page.etag, lastModified: page.lastModified))
    return SharedPage(snapshot: "\(kept.snapshot)", isSame: kept.isSame)
  }
}

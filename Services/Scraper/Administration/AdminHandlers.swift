import Calendars
import Clocks
import Contracts
import EventLoops
import Fetch
import JSON
import RPC

/// Answers what administrators ask and does what they say.
struct AdminHandlers {
  let scraping: Scraping
  let time: any TimeSource

  /// How it begins, whatever is added, that a site is not known.
  nonisolated static let noSite = "there is no site"

  private enum Limits {
    static let visits = 1...100
    static let list = 1...500
    static let pieceBytes = 256 << 10
    /// Sites run for one request at the same time.
    static let together = 4
    /// A visit that is being made is waited for so long.
    static let patience: Duration = .seconds(60)
    static let pauseSeconds = 1...(30 * 86_400)
    static let due = 10
  }

  func register(on router: RPCRouter) {
    router.on(ListSites.self) { (request: ListSites, _: borrowing CallContext) in try list(request) }
    router.on(ChangeSite.self) { (request: ChangeSite, _: CallContext) in try await change(request) }
    router.on(AddSite.self) { (request: AddSite, _: CallContext) in try await add(request) }
    router.on(RunSites.self) { (request, _, writer) in try await run(request, writer) }
    router.on(ListVisits.self) { (request: ListVisits, _: CallContext) in try await visits(request) }
    router.on(TestSite.self) { (request: TestSite, _: CallContext) in try await test(request) }
    router.on(ExplainSite.self) { (request: ExplainSite, _: CallContext) in try await explain(request) }
    router.on(ReadSnapshot.self) { (request, _, writer) in try await read(request, writer) }
    router.on(PruneSnapshots.self) { (request: PruneSnapshots, _: CallContext) in try await prune(request) }
    router.on(UnmatchedTitles.self) { (request: UnmatchedTitles, _: CallContext) in try await unmatched(request) }
    router.on(MatchTitle.self) { (request: MatchTitle, _: CallContext) in try await match(request) }
    router.on(MergeFilms.self) { (request: MergeFilms, _: CallContext) in try await merge(request) }
    router.on(ListHosts.self) { (_: ListHosts, _: borrowing CallContext) in try hosts() }
    router.on(PauseHost.self) { (request: PauseHost, _: CallContext) in try await pause(request) }
    router.on(RobotsVerdict.self) { (request: RobotsVerdict, _: CallContext) in try await robots(request) }
    router.on(ListReports.self) { (request: ListReports, _: CallContext) in try await reports(request) }
    router.on(CloseReport.self) { (request: CloseReport, _: CallContext) in try await close(request) }
    router.on(ScrapingStatus.self) { (_: ScrapingStatus, _: CallContext) in try await status() }
  }

  private func record(_ site: String) throws -> ScraperStore.SiteRecord {
    let schedule = try scraping.started.schedule
    guard let record = schedule.records[site] else {
      // Who knows the cinema need not know what its site is called.
      let ofCinema = CinemaID(site).flatMap { schedule.source(of: $0, now: time.wall)?.id }
      let meant = ofCinema ?? suggestion(for: site, among: schedule.records.keys.sorted())
      let near = meant.map { "; did you mean \($0)?" } ?? ""
      throw RPCError(.notFound, "\(Self.noSite) \(site)\(near)")
    }
    return record
  }

  // MARK: Sites

  private func list(_ request: ListSites) throws -> [SiteReport] {
    let records = try scraping.started.schedule.records
    guard let site = request.site else {
      return try records.values.sorted { ($0.position, $0.site.id) < ($1.position, $1.site.id) }.map(report)
    }
    return [try report(try record(site))]
  }

  private func report(_ record: ScraperStore.SiteRecord) throws -> SiteReport {
    let source = try scraping.started.schedule.source(of: record.site.id, now: time.wall)
    return SiteReport(
      source: source ?? ScheduleSource(record.site, record.status, showtimes: nil),
      adapter: record.site.adapter.rawValue, origin: record.origin.rawValue, isEnabled: record.site.isEnabled,
      document: String(decoding: record.site.document.json, as: UTF8.self), triedAt: record.status.triedAt,
      failures: record.status.failures, isApproved: record.status.isApproved,
      isQuarantined: record.status.isQuarantined)
  }

  private func change(_ request: ChangeSite) async throws -> SiteReport {
    let started = try scraping.started
    let known = try record(request.site)
    switch request.deed {
    case .enable, .disable:
      if known.origin == .file, known.site.saysWhetherEnabled {
        throw RPCError(
          .failedPrecondition, "the file of \(known.site.id) says whether it is enabled; change it there, and reload")
      }
      if request.deed == .enable, let rival = started.schedule.rival(of: known.site) {
        throw RPCError(
          .failedPrecondition, "\(known.site.cinema) is read from the site \(rival) already; disable that first")
      }
      _ = try await started.store.setEnabled(request.site, request.deed == .enable, dueAt: time.wall)
      try await scraping.takeUpSites()
    case .approve, .quarantine:
      let status = try await started.store.judge(
        request.site, isApproved: request.deed == .approve, isQuarantined: request.deed == .quarantine,
        dueAt: time.wall)
      let before = started.schedule.served
      if let status {
        started.schedule.note(status, of: request.site)
        // Unlike a visit's, an operator's word says when the next visit is due.
        started.schedule.setDue(status.dueAt, of: request.site)
      }
      try await scraping.tell(since: before)
      started.harvester.look()
    case .remove:
      guard known.origin == .operator else {
        let way =
          switch known.origin {
          case .file: "it is configured by a file; remove the file and reload"
          case .shipped: "it comes with the program; disable it"
          case .demo, .operator: "it is the demo's"
          }
        throw RPCError(.failedPrecondition, "\(known.site.id) cannot be removed: \(way)")
      }
      let last = try report(known)
      try await started.store.remove(request.site)
      // One that came with the program, and was changed, is there again as it came.
      try await scraping.restoreShipped(started.store)
      try await scraping.takeUpSites()
      return last
    case .unknown(let deed):
      throw RPCError(.invalidArgument, "“\(deed)” is nothing that can be done to a site; update the older side")
    }
    return try report(try record(request.site))
  }

  private func add(_ request: AddSite) async throws -> SiteReport {
    let site: Site
    do {
      site = try Site(parsing: JSONValue(parsing: request.document))
      // Without its zone's rules nothing of it can be told, not even that it is there.
      _ = try scraping.started.schedule.rules(of: site.zone)
    } catch {
      throw RPCError(.invalidArgument, "the site file is wrong: \(error)")
    }
    guard !scraping.isDemo else {
      throw RPCError(
        .failedPrecondition, "this scraper reads the demo world alone; sites of one's own are added to odi up --live")
    }
    if site.isEnabled, let rival = try scraping.started.schedule.rival(of: site) {
      throw RPCError(.failedPrecondition, "\(site.cinema) is read from the site \(rival) already; disable that first")
    }
    guard try await scraping.started.store.put(site, dueAt: time.wall) else {
      throw RPCError(.failedPrecondition, "\(site.id) is configured by a file; change the file and reload")
    }
    try await scraping.takeUpSites()
    return try report(try record(site.id))
  }

  // MARK: Visits

  private func run(_ request: RunSites, _ writer: StreamWriter<SiteRun>) async throws {
    let started = try scraping.started
    if let span = try span(request) {
      try RPCError.check(span.count, "the number of days", in: VisitRhythm.windowRange)
    }
    let enabled = started.schedule.records.values.filter { $0.site.isEnabled && !$0.status.isQuarantined }
    let sites = request.sites ?? enabled.sorted { $0.position < $1.position }.map(\.site.id)
    for site in sites {
      let known = try record(site)
      guard known.site.isEnabled || request.isForced || request.isTrial || request.isOffline else {
        throw RPCError(.failedPrecondition, "\(site) is disabled; read the site's terms and enable it, or use --force")
      }
    }
    try await writer.send(SiteRun(total: sites.count))
    let row = SiteRow(sites)
    let lanes = (0..<min(Limits.together, sites.count)).map { _ in
      Task {
        while !Task.isCancelled, let site = row.take() {
          row.done.append(await run(site, request, started))
          row.bell.ring()
        }
      }
    }
    defer { for lane in lanes { lane.cancel() } }
    for index in sites.indices {
      while row.done.count <= index, !Task.isCancelled { await row.bell.wait() }
      guard index < row.done.count else { return }
      var run = row.done[index]
      run.total = sites.count
      try await writer.send(run)
    }
  }

  private func span(_ request: RunSites) throws(RPCError) -> ClosedRange<CivilDate>? {
    guard let first = request.from ?? request.to, let last = request.to ?? request.from else { return nil }
    guard first <= last else { throw RPCError(.invalidArgument, "the days run from \(first) back to \(last)") }
    guard !request.isOffline else {
      throw RPCError(.invalidArgument, "stored pages are read as they are; give no days with --offline")
    }
    return first...last
  }

  /// What went wrong with one site is told with the others' results, and ends nothing.
  private func run(_ site: String, _ request: RunSites, _ started: Scraping.Started) async -> SiteRun {
    do {
      let report =
        request.isOffline
        ? try await started.harvester.replay(site, isTrial: request.isTrial, patience: Limits.patience)
        : try await started.harvester.visitNow(
          site, scope: .window, span: try span(request), isTrial: request.isTrial, patience: Limits.patience)
      guard let report else {
        return SiteRun(
          total: 0, site: site, outcome: "refused", problem: "it is still being visited; ask again in a minute")
      }
      return SiteRun(report)
    } catch {
      return SiteRun(total: 0, site: site, outcome: VisitRecord.failed, problem: "\(error)")
    }
  }

  private func visits(_ request: ListVisits) async throws -> [VisitReport] {
    try RPCError.check(request.limit, in: Limits.visits)
    _ = try record(request.site)
    return try await scraping.started.store.visits(of: request.site, limit: request.limit)
  }

  private func test(_ request: TestSite) async throws -> SiteTest {
    let started = try scraping.started
    let known = try record(request.site)
    let visits = try await started.store.visits(of: request.site, limit: Limits.visits.upperBound)
    var wanted: String?
    if let prefix = request.snapshot { wanted = try await snapshot(prefix).description }
    let visit = visits.first { visit in
      if let number = request.visit, visit.number != number { return false }
      return visit.pages.contains { page in
        wanted == nil ? page.snapshot != nil : page.snapshot == wanted
      }
    }
    guard let visit else { throw RPCError(.notFound, "no stored visit of \(request.site) has such pages") }
    var pages = try await started.store.pages(of: visit)
    if let wanted { pages = pages.filter { page in "\(SnapshotID(of: page.body))" == wanted || page.isA("calendar") } }
    let zone = try started.schedule.rules(of: known.site.zone)
    let look = Visit(
      site: known.site, zone: zone, at: visit.began, scope: Visit.Scope(rawValue: visit.scope) ?? .window)
    return await Background.run { [pages] in SiteTest(visit.number, pages, look) }
  }

  private func explain(_ request: ExplainSite) async throws -> SiteExplanation {
    let started = try scraping.started
    let known = try record(request.site)
    let last = try await started.store.visits(of: request.site, limit: 1).first
    let good = try await started.store.visits(of: request.site, limit: 1, believedOnly: true).first
    var explanation = SiteExplanation(
      report: try report(known), last: last, lastGood: good, differences: [], remedies: [])
    if let last, let good, last.number != good.number {
      let (now, then) = (try await started.store.pages(of: last), try await started.store.pages(of: good))
      let zone = try started.schedule.rules(of: known.site.zone)
      let look = Visit(site: known.site, zone: zone, at: last.began, scope: .window)
      explanation.differences = await Background.run { Explanation.differences(now, from: then, in: look) }
    }
    explanation.remedies = remedies(known, last)
    return explanation
  }

  private func remedies(_ known: ScraperStore.SiteRecord, _ last: VisitReport?) -> [String] {
    let id = known.site.id
    guard known.site.isEnabled else { return ["odi-scraper site enable \(id)"] }
    switch known.status.state {
    case .broken: return ["odi-scraper test \(id)", "odi-scraper approve \(id)   if the programme really is like that"]
    case .quarantined: return ["odi-scraper approve \(id)"]
    case .stale, .pending:
      let url = last?.pages.first { $0.problem != nil }?.url ?? known.site.pageURL
      return ["odi-scraper run \(id)"] + (url.map { ["odi-scraper robots '\($0)'"] } ?? [])
    case .ok, .disabled, .unknown: return []
    }
  }

  // MARK: Snapshots

  private func snapshot(_ prefix: String) async throws -> SnapshotID {
    guard prefix.utf8.count >= 6, prefix.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      throw RPCError(
        .invalidArgument, "“\(prefix)” names no snapshot; give the first 6 or more of its hexadecimal digits")
    }
    guard let id = try await scraping.started.store.snapshot(named: prefix) else {
      throw RPCError(.notFound, "there is no snapshot \(prefix), or more than one")
    }
    return id
  }

  private func read(_ request: ReadSnapshot, _ writer: StreamWriter<SnapshotPiece>) async throws {
    let id = try await snapshot(request.snapshot)
    guard let body = try await scraping.started.store.snapshot(id) else {
      throw RPCError(.notFound, "the snapshot \(id) is gone")
    }
    var start = 0
    while start < body.count {
      let end = min(start + Limits.pieceBytes, body.count)
      try await writer.send(SnapshotPiece(bytes: Array(body[start..<end])))
      start = end
    }
  }

  private func prune(_ request: PruneSnapshots) async throws -> PrunedSnapshots {
    let days = request.keepDays ?? 30
    try RPCError.check(days, "keep", in: 0...3_650)
    return try await scraping.started.store.pruneSnapshots(
      before: time.wall - .seconds(days * 86_400), isTrial: request.isTrial)
  }

  // MARK: Films

  private func unmatched(_ request: UnmatchedTitles) async throws -> [UnmatchedTitle] {
    try RPCError.check(request.limit, in: Limits.list)
    return try await scraping.started.store.unmatched(at: time.wall, limit: request.limit)
  }

  private func match(_ request: MatchTitle) async throws -> MatchedTitle {
    let started = try scraping.started
    guard let lesson = try await started.store.teach(request.title, means: request.film, at: time.wall) else {
      throw RPCError(.notFound, "there is no film \(request.film)")
    }
    started.schedule.apply(lesson, now: time.wall)
    return MatchedTitle(film: lesson.film, showtimes: lesson.showtimes.count)
  }

  private func merge(_ request: MergeFilms) async throws -> MatchedTitle {
    let started = try scraping.started
    guard let lesson = try await started.store.merge(request.first, request.second, at: time.wall) else {
      throw RPCError(.notFound, "\(request.first) or \(request.second) is no film")
    }
    started.schedule.apply(lesson, now: time.wall)
    return MatchedTitle(film: lesson.film, showtimes: lesson.showtimes.count)
  }

  // MARK: Hosts

  private func hosts() throws -> [HostReport] {
    try scraping.started.hosts.pauses.map {
      HostReport(host: $0.host, until: $0.until, throttles: $0.throttles, isByOperator: $0.isByOperator)
    }
  }

  private func pause(_ request: PauseHost) async throws -> [HostReport] {
    let (book, site) = (try scraping.started.hosts, try Self.site(of: request.host))
    if let seconds = request.seconds {
      try RPCError.check(seconds, "seconds", in: Limits.pauseSeconds)
      try await book.pause(site, until: time.wall.adding(.seconds(seconds)))
    } else {
      try await book.resume(site)
    }
    return try hosts()
  }

  /// `cinema.co.kr` of `www.cinema.co.kr` or of an address there: what pauses are of.
  private static func site(of host: String) throws(RPCError) -> String {
    do throws(FetchURLError) {
      return try FetchURL(parsing: host.contains("://") ? host : "https://\(host)/").site
    } catch {
      throw RPCError(.invalidArgument, "“\(host)” is no host: \(error)")
    }
  }

  private func robots(_ request: RobotsVerdict) async throws -> RobotsReport {
    let url: FetchURL
    do throws(FetchURLError) { url = try FetchURL(parsing: request.url) } catch {
      throw RPCError(.invalidArgument, "\(error)")
    }
    let book = try scraping.started.hosts
    do throws(RetrievalError) {
      let verdict = try await book.verdict(on: url)
      return RobotsReport(
        isAllowed: verdict.decision.isAllowed, rule: verdict.decision.rule, line: verdict.decision.line,
        crawlDelaySeconds: verdict.crawlDelay?.inSeconds, readAt: verdict.readAt, keptUntil: verdict.dueAt)
    } catch {
      // Of the site, and not of us: who asks is told which one it is.
      guard error.kind != .cancelled else { throw RPCError(.cancelled, error.description) }
      return RobotsReport(isAllowed: false, problem: error.description)
    }
  }

  // MARK: The rest

  private func reports(_ request: ListReports) async throws -> [FiledReport] {
    try RPCError.check(request.limit, in: Limits.list)
    return try await scraping.started.store.reports(includingDone: request.includesDone, limit: request.limit)
  }

  private func close(_ request: CloseReport) async throws -> FiledReport {
    guard let report = try await scraping.started.store.close(report: request.id, at: time.wall) else {
      throw RPCError(.notFound, "there is no report \(request.id)")
    }
    return report
  }

  private func status() async throws -> ScrapingReport {
    let (started, now) = (try scraping.started, time.wall)
    let visiting = try await started.store.visited(at: now)
    let sources = started.schedule.sources(of: nil, now: now)
    let index = started.schedule.index
    let load = scraping.load
    return ScrapingReport(
      now: now, visiting: visiting, transfers: load.running, waiting: load.waiting,
      hosts: try hosts(), states: Dictionary(sources.map { ($0.state.rawValue, 1) }, uniquingKeysWith: +),
      due: Array(sources.filter { $0.next != nil }.sorted { $0.next! < $1.next! }.prefix(Limits.due)),
      showtimes: index.cinemas.values.reduce(0) { $0 + $1.upcoming(at: now) }, films: index.films.films.count,
      revision: index.revision)
  }
}

/// The sites of one request, and what came of those that are done.
private final class SiteRow {
  private var left: ArraySlice<String>
  var done: [SiteRun] = []
  let bell = Bell()

  init(_ sites: [String]) { left = sites[...] }

  func take() -> String? { left.popFirst() }
}

extension SiteRun {
  init(_ report: Harvester.Report) {
    let record = report.record
    self.init(
      total: 0, site: record.site, outcome: record.outcome, problem: record.problem, showtimes: record.showtimes,
      added: record.added, removed: record.removed, changed: record.changed,
      pages: Dictionary(record.pages.map { ($0.outcome.rawValue, 1) }, uniquingKeysWith: +),
      milliseconds: Int(record.ended.since(record.began).wholeMilliseconds))
  }
}

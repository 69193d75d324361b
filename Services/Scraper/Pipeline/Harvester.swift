package import Calendars
package import Clocks
import Contracts
import EventLoops
package import Observability
import ServiceKit

/// Visits the sites when they are due, a few at a time, and publishes what they show.
///
/// Several harvesters may share one store: who visits a site holds its lease, and who has lost it cannot publish.
package final class Harvester {
  package struct Limits: Sendable {
    /// Sites visited at once. Their hosts set the pace; this bounds memory.
    package var visits = 4
    /// A visit that does not renew its lease for so long is given up for dead.
    package var lease: Duration = .seconds(300)
    /// Film pages are read again after this.
    package var filmsFresh: Duration = .seconds(30 * 86_400)
    /// Before a site that failed is tried again; doubled each time, up to its rhythm.
    package var retry: Duration = .seconds(300)
    /// Visits back from the last one, among which one is looked for whose pages can be read again.
    static let replayed = 100
    /// How long nobody is visited before memory is given back: by then the database has let go of its pages too.
    static let rests: Duration = .seconds(10)
    /// After the queue could not be read.
    static let afterFailure: Duration = .seconds(5)

    package init() {}
  }

  let schedule: Schedule
  let store: ScraperStore
  let holder: String
  private let limits: Limits
  private let retriever: any PageRetriever
  private let time: any TimeSource
  private let log: Log
  private let metrics: ScrapeMetrics
  private var random: any RandomNumberGenerator
  private var running: [String: Task<Void, Never>] = [:]
  private var loop: Task<Void, Never>?
  private let bell = Bell()
  /// How often it rang: what happens while the database is asked is not slept through.
  private var rung = 0
  private var alarm: (any Scheduled)?
  private var resting: (any Scheduled)?
  private var isEnding = false

  package init(
    _ schedule: Schedule, store: ScraperStore, from retriever: any PageRetriever, as holder: String,
    limits: Limits = Limits(), time: any TimeSource, log: Log, metrics: ScrapeMetrics,
    random: any RandomNumberGenerator
  ) {
    self.schedule = schedule
    self.store = store
    self.retriever = retriever
    self.holder = holder
    self.limits = limits
    self.time = time
    self.log = log
    self.metrics = metrics
    self.random = random
  }

  /// How long a lease lasts that is not renewed.
  package var leasePeriod: Duration { limits.lease }

  package func begin() {
    loop = Task { await keepVisiting() }
  }

  /// Takes up no new site, ends the visits that run, and returns when they have.
  package func end() async {
    isEnding = true
    alarm?.cancel()
    resting?.cancel()
    loop?.cancel()
    look()
    for task in running.values { task.cancel() }
    await loop?.value
    for task in running.values { await task.value }
  }

  /// The sites or what is due has changed.
  package func look() {
    rung += 1
    bell.ring()
  }

  // MARK: The queue

  private func keepVisiting() async {
    while !isEnding, !Task.isCancelled {
      do {
        let heard = rung
        try await takeUpWork()
        try await sleepUntilDue(unlessRungSince: heard)
      } catch {
        // A queue that is cancelled at the end gets an error of the database too: that is no failure.
        guard !isEnding, !Task.isCancelled else { return }
        log.error("the queue of visits cannot be read", ["error": "\(error)"])
        try? await time.sleep(for: Limits.afterFailure)
      }
    }
  }

  private func takeUpWork() async throws {
    while running.count < limits.visits, !isEnding {
      let candidates = enabledSites.subtracting(running.keys)
      guard !candidates.isEmpty,
        let lease = try await store.lease(among: candidates, to: holder, at: time.wall, for: limits.lease)
      else { return }
      if try await !putOff(lease) { start(lease) }
    }
  }

  /// True if people sleep where the cinema is: the site, due for hours perhaps before anybody could visit it, then is due
  /// in the morning.
  private func putOff(_ lease: Lease) async throws -> Bool {
    guard let site = schedule.records[lease.site]?.site, let zone = try? schedule.rules(of: site.zone) else {
      return false
    }
    let now = time.wall
    let morning = site.rhythm.awake(now, zone, &random)
    guard morning > now else { return false }
    try await giveBack(lease, dueAt: morning)
    schedule.setDue(morning, of: lease.site)
    return true
  }

  private var enabledSites: Set<String> { Set(schedule.records.values.filter(\.site.isEnabled).map(\.site.id)) }

  private func start(_ lease: Lease) {
    resting?.cancel()
    running[lease.site] = Task {
      _ = await visit(lease, scope: nil, isTrial: false)
      running[lease.site] = nil
      look()
      if running.isEmpty { rest() }
    }
  }

  /// Pages and their trees were megabytes, and the next visit may be an hour away.
  private func rest() {
    resting?.cancel()
    guard !isEnding else { return }
    resting = time.after(Limits.rests) { Task { await Background.giveMemoryBack() } }
  }

  private func sleepUntilDue(unlessRungSince heard: Int) async throws {
    let due = try await store.nextDue(among: enabledSites.subtracting(running.keys))
    alarm?.cancel()
    if running.count < limits.visits, let due {
      alarm = time.after(max(due.since(time.wall), .milliseconds(1))) { [bell] in bell.ring() }
    }
    if !isEnding, rung == heard { await bell.wait() }
  }

  // MARK: One visit

  /// What a visit came to, for whoever asked for it.
  package struct Report: Sendable {
    package var record: VisitRecord
    package var outcome: Publication.Outcome?
    package var isAborted = false
  }

  /// Visits a site now, whether it is due or not; nil if another visits it.
  ///
  /// - Parameters:
  ///   - span: only these service dates. Throws ``ReadingError`` if all of them are past.
  ///   - patience: how long a visit that is being made is waited for.
  package func visitNow(
    _ site: String, scope: Visit.Scope?, span: ClosedRange<CivilDate>? = nil, isTrial: Bool,
    patience: Duration = .zero
  ) async throws -> Report? {
    if let span, let zone = schedule.records[site]?.site.zone {
      let today = ServiceDay.standard.date(of: time.wall, in: try schedule.rules(of: zone))
      guard span.upperBound >= today else {
        throw ReadingError("\(span.upperBound) is past: it is \(today) at the cinema; ask for days from then on")
      }
    }
    guard let lease = try await seize(site, within: patience) else { return nil }
    return await visit(lease, scope: scope, span: span, isTrial: isTrial)
  }

  /// The lease of a site, due or not, as soon as nobody has it; nil if that is not so within `patience`.
  private func seize(_ site: String, within patience: Duration) async throws -> Lease? {
    let end = time.now + patience
    while true {
      let heard = rung
      let lease = try await store.lease(
        among: [site], to: holder, at: time.wall, for: limits.lease, ignoringDue: true)
      guard lease == nil, time.now < end, !isEnding else { return lease }
      try Task.checkCancellation()
      guard rung == heard else { continue }
      let alarm = time.after(end - time.now) { [bell] in bell.ring() }
      await bell.wait()
      alarm.cancel()
    }
  }

  /// Reads the pages of the last visit that got what it needs again, by the rules of now. What then is gone never was,
  /// if it can be believed: it is judged as a visit is. Throws ``ReadingError`` if there is no such visit.
  package func replay(_ site: String, isTrial: Bool, patience: Duration = .zero) async throws -> Report? {
    // Before anything is looked at: what a visit that is being made publishes is newer than the pages before it.
    guard let lease = try await seize(site, within: patience) else { return nil }
    guard let record = schedule.records[site] else {
      // It was removed while this waited.
      try? await giveBack(lease, dueAt: time.wall.adding(limits.retry))
      return nil
    }
    let report: Report
    do {
      report = try await replay(record, lease, isTrial: isTrial)
    } catch {
      try? await giveBack(lease, dueAt: record.status.dueAt)
      throw error
    }
    try await giveBack(lease, dueAt: record.status.dueAt)
    return report
  }

  private func replay(_ record: ScraperStore.SiteRecord, _ lease: Lease, isTrial: Bool) async throws -> Report {
    let site = record.site
    let zone = try schedule.rules(of: site.zone)
    let visits = try await store.visits(of: site.id, limit: Limits.replayed)
    guard let place = visits.firstIndex(where: site.canRead) else {
      throw ReadingError("of none of the last visits to \(site.id) all needed pages are stored; visit it once")
    }
    guard !visits[..<place].contains(where: \.isBelieved) else {
      throw ReadingError(
        "of the visit to \(site.id) that was published last pages are missing; older ones would undo it; visit it once")
    }
    let last = visits[place]
    let pages = try await store.pages(of: last)
    // Read as on the day it was fetched, published as of now.
    var look = Visit(site: site, zone: zone, at: last.began, scope: Visit.Scope(rawValue: last.scope) ?? .window)
    let result = await Background.run { [look] () -> Result<SourceReading, ReadingError> in
      do throws(ReadingError) { return .success(try look.site.reader.read(pages, in: look)) } catch {
        return .failure(error)
      }
    }
    var report = Report(record: VisitRecord(site: site.id, scope: look.scope, began: time.wall))
    report.record.pages = []
    look.at = max(last.began, record.status.asOf ?? last.began)
    var publication = Publication(look, try result.get(), lease: lease)
    publication.reason = .corrected
    publication.shortfall = last.shortfall
    publication.isTrial = isTrial
    let outcome = try await store.publish(publication, at: time.wall)
    report.take(outcome)
    if !isTrial { schedule.apply(outcome, of: site.id, now: time.wall) }
    report.record.ended = time.wall
    return report
  }

  private func visit(
    _ lease: Lease, scope: Visit.Scope?, span: ClosedRange<CivilDate>? = nil, isTrial: Bool
  ) async -> Report? {
    guard let (visit, record) = await prepared(lease, scope: scope, span: span) else { return nil }
    let keeper = LeaseKeeper(for: limits.lease, time: time) { [self] in try await renew(lease) }
    let findings = await keeper.during { [retriever] in
      await SiteVisit(visit, from: retriever, mayGoOn: { await keeper.isHeld() }).run()
    }
    return await conclude(visit, findings, lease, record, isTrial: isTrial)
  }

  /// What a visit needs to know; nil, and the lease given back, if the site is gone.
  private func prepared(
    _ lease: Lease, scope: Visit.Scope?, span: ClosedRange<CivilDate>?
  ) async -> (Visit, ScraperStore.SiteRecord)? {
    guard let record = schedule.records[lease.site], let zone = try? schedule.rules(of: record.site.zone) else {
      try? await giveBack(lease, dueAt: time.wall.adding(limits.retry))
      return nil
    }
    let now = time.wall
    let known = (try? await store.knownFilms(since: now - limits.filmsFresh)) ?? []
    var visit = Visit(
      site: record.site, zone: zone, at: now,
      scope: record.site.adapter.tellsAllAtOnce
        ? .window : scope ?? record.site.rhythm.scope(at: now, record.status, zone: zone),
      knownFilms: known)
    if let span {
      // Not the whole window: that stays due.
      visit.scope = .today
      visit.span = span
    }
    return (visit, record)
  }

  private func conclude(
    _ visit: Visit, _ findings: SiteVisit.Findings, _ lease: Lease, _ record: ScraperStore.SiteRecord, isTrial: Bool
  ) async -> Report {
    var report = Report(record: VisitRecord(site: lease.site, scope: visit.scope, began: visit.at))
    report.record.pages = findings.records
    report.record.problem = findings.problem
    report.isAborted = findings.isAborted
    do {
      if findings.isAborted || Task.isCancelled {
        // A visit that was not made moves nothing: one from the queue is due as it was.
        try await giveBack(lease, dueAt: record.status.dueAt)
        return report
      }
      try await settle(visit, findings, lease, record, isTrial, &report)
    } catch let error as LeaseLost {
      log.warning("a visit was overtaken", ["site": .string(lease.site)])
      report.record.problem = error.description
      return report
    } catch {
      log.error("a visit could not be stored", ["site": .string(lease.site), "error": "\(error)"])
      report.record.problem = "\(error)"
      try? await giveBack(lease, dueAt: isTrial ? record.status.dueAt : visit.at.adding(limits.retry))
      return report
    }
    return report
  }

  // MARK: Visits by others

  /// Hands the site that has been due for longest to another scraper; nil if none is due within `patience`.
  package func handOut(to holder: String, within patience: Duration) async throws -> (Lease, Visit)? {
    let end = time.now + patience
    while !isEnding {
      let candidates = enabledSites.subtracting(running.keys)
      let lease = try await store.lease(among: candidates, to: holder, at: time.wall, for: limits.lease)
      if let lease {
        if try await putOff(lease) { continue }
        guard let (visit, _) = await prepared(lease, scope: nil, span: nil) else { continue }
        return (lease, visit)
      }
      guard time.now < end else { return nil }
      let due = try await store.nextDue(among: candidates).map { max($0.since(time.wall), .milliseconds(1)) }
      try await time.sleep(for: min(due ?? patience, end - time.now))
    }
    return nil
  }

  package func renew(_ lease: Lease) async throws -> Bool {
    try await store.renew(lease, at: time.wall, for: limits.lease)
  }

  /// Reads and publishes what another scraper fetched, unless the lease is somebody else's by now.
  package func takeIn(
    _ handed: SiteVisit.Findings, of lease: Lease, at: WallTime, scope: Visit.Scope, knownFilms: Set<String>
  ) async throws -> Report {
    guard let record = schedule.records[lease.site] else { throw LeaseLost(site: lease.site) }
    let visit = Visit(
      site: record.site, zone: try schedule.rules(of: record.site.zone), at: at, scope: scope, knownFilms: knownFilms)
    var findings = handed
    if !findings.lacksReading, !findings.isAborted { await SiteVisit(visit, from: retriever).read(&findings) }
    return await conclude(visit, findings, lease, record, isTrial: false)
  }

  // MARK: What came of it

  private func settle(
    _ visit: Visit, _ findings: SiteVisit.Findings, _ lease: Lease, _ record: ScraperStore.SiteRecord, _ isTrial: Bool,
    _ report: inout Report
  ) async throws {
    report.record.ended = time.wall
    if let reading = findings.reading {
      var publication = Publication(visit, reading, lease: lease)
      publication.shortfall = findings.problem
      publication.isTrial = isTrial
      let outcome = try await store.publish(publication, of: report.record, at: time.wall)
      report.take(outcome)
      if !isTrial {
        schedule.apply(outcome, of: visit.site.id, now: time.wall)
        metrics.isNow(outcome.status, of: visit.site.id)
      }
    } else if !isTrial {
      report.record.outcome = findings.isBroken ? Publication.Verdict.broken.rawValue : VisitRecord.failed
      let (status, event) = try await store.settle(
        visit, as: report.record, isBroken: findings.isBroken, lease: lease, at: time.wall)
      schedule.note(status, of: visit.site.id)
      schedule.tell(event.map { [$0] } ?? [])
      metrics.isNow(status, of: visit.site.id)
    }
    let due = next(visit, schedule.records[visit.site.id]?.status ?? record.status)
    if !isTrial {
      metrics.visited(report.record)
      tell(report.record)
    }
    try await giveBack(lease, dueAt: isTrial ? record.status.dueAt : due)
    if !isTrial { schedule.setDue(due, of: visit.site.id) }
  }

  /// In a task of its own: what a cancelled one writes is not written, and nobody could visit the site for minutes.
  ///
  /// The queue is told even if another held the lease: it would sleep until that ran out.
  private func giveBack(_ lease: Lease, dueAt: WallTime) async throws {
    try await Task { try await store.release(lease, dueAt: dueAt) }.value
    look()
  }

  private func next(_ visit: Visit, _ status: SiteStatus) -> WallTime {
    visit.site.rhythm.next(after: time.wall, status, zone: visit.zone, retry: limits.retry, using: &random)
  }

  private func tell(_ record: VisitRecord) {
    log.info(
      "site visited",
      [
        "site": .string(record.site), "outcome": .string(record.outcome), "pages": .int(record.pages.count),
        "showtimes": .int(record.showtimes), "added": .int(record.added), "removed": .int(record.removed),
        "changed": .int(record.changed), "problem": .string(record.problem ?? ""),
        "took": .duration(record.ended.since(record.began)),
      ])
  }
}

extension Site {
  /// Whether a visit's pages are stored and make a reading: all of what it asked for came, but for single days.
  fileprivate func canRead(_ visit: VisitReport) -> Bool {
    visit.outcome != VisitRecord.failed && visit.pages.contains { $0.bytes != nil }
      && visit.pages.allSatisfy { $0.snapshot == nil || $0.bytes != nil }
  }
}

extension VisitReport {
  /// The problem that it had with pages that did not come, which reading the others again does not mend.
  fileprivate var shortfall: String? {
    pages.contains { page in
      page.outcome == VisitRecord.PageOutcome.error.rawValue && problem?.hasPrefix("\(page.role): ") == true
    }
      ? problem : nil
  }

  fileprivate var isBelieved: Bool {
    Publication.Verdict(rawValue: outcome).map { [.published, .same, .partial].contains($0) } ?? false
  }
}

extension Harvester.Report {
  fileprivate mutating func take(_ outcome: Publication.Outcome) {
    self.outcome = outcome
    record.take(outcome)
  }
}

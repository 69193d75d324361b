package import Clocks
package import EventLoops
package import Fetch
import Observability
import RPC

/// What every site asked of us: its robots.txt, its pauses, and an operator's word. Shared by all visits.
package final class HostBook {
  package struct Limits: Sendable {
    /// A visit waits out so long a pause that a host asks for; one that must wait longer ends, and comes back.
    package var patience: Duration = .seconds(120)
    /// For its turn among our own requests a page waits so long: six of a visit go together, at hosts that want ten
    /// minutes between two. A host that wants more is as good as closed.
    static let turn: Duration = .seconds(3_600)
    /// Hosts whose robots.txt and address are remembered.
    static let origins = ScraperStore.Limits.robotsKept

    package init() {}
  }

  /// What robots.txt says to us about an address.
  package struct Verdict: Sendable {
    package var decision: RobotsTxt.Decision
    package var crawlDelay: Duration?
    package var readAt: WallTime?
    package var dueAt: WallTime?
  }

  /// How we are called in robots.txt.
  package static let agent = "OdiBot"

  private let fetcher: () -> Fetcher
  private let store: ScraperStore
  private let time: any TimeSource
  private let limits: Limits
  private let metrics: ScrapeMetrics
  private var budget: HostBudget
  private var robots = RecencyMap<String, Robots>(atMost: Limits.origins)
  private var asking: Set<String> = []
  private let answered = Bell()
  /// Where a host was found last: requests count against the machine too.
  private var addresses = RecencyMap<FetchURL.Host, IPAddress>(atMost: Limits.origins)
  private var operatorPauses: [String: WallTime] = [:]

  private struct Robots {
    var record = RobotsRecord()
    /// What came of asking last, if it was no file.
    var problem = "it was not asked"
  }

  package init(
    _ fetcher: @escaping () -> Fetcher, store: ScraperStore, budget: HostBudget, limits: Limits = Limits(),
    time: any TimeSource, metrics: ScrapeMetrics
  ) {
    self.fetcher = fetcher
    self.store = store
    self.budget = budget
    self.limits = limits
    self.time = time
    self.metrics = metrics
  }

  /// Takes up what was known before the process began again.
  package func restore() async throws {
    let now = time.wall
    for answer in try await store.robots(newest: Limits.origins) {
      var known = Robots()
      known.record.learn(
        .response(status: answer.status, body: answer.body, freshFor: answer.freshFor), at: answer.readAt)
      robots.set(answer.origin, to: known)
    }
    for pause in try await store.hostPauses() where pause.until > now {
      if pause.isByOperator {
        operatorPauses[pause.host] = pause.until
      } else {
        let key = IPAddress(pause.host).map(HostBudget.Key.address) ?? .site(pause.host)
        budget.restore(key, left: pause.until.since(now), throttles: pause.throttles, now: time.now)
      }
    }
  }

  // MARK: Asking

  /// Returns when `url` may be fetched now, and counts the request.
  package func turn(for url: FetchURL) async throws(RetrievalError) {
    try checkPause(of: url)
    guard try await verdict(on: url).decision.isAllowed else {
      metrics.robotsDenied(url.site)
      throw RetrievalError(.denied, "robots.txt of \(url.origin) does not allow \(path(url))")
    }
    try await wait(url)
  }

  private func checkPause(of url: FetchURL) throws(RetrievalError) {
    guard let until = operatorPauses[url.site], until > time.wall else { return }
    throw RetrievalError(.paused, "an operator has paused \(url.site)")
  }

  private func wait(_ url: FetchURL) async throws(RetrievalError) {
    let keys = keys(url)
    let began = time.now
    while true {
      let start = budget.earliestStart(keys, now: time.now)
      guard start > time.now else { break }
      // Only what the host asks for is its wish; the rest is our own queue, which moves on.
      if let end = budget.pauseEnd(keys, now: time.now), end - time.now > limits.patience {
        throw RetrievalError(.paused, "\(url.site) asked to be left alone for another \(Self.spoken(end - time.now))")
      }
      guard start - began <= Limits.turn else {
        throw RetrievalError(.paused, "too many pages of \(url.site) wait for their turn")
      }
      do { try await time.sleep(for: start - time.now) } catch { throw RetrievalError(.cancelled, "cancelled") }
      // A pause holds for those too that stood in the row when it began.
      try checkPause(of: url)
    }
    budget.begin(keys, now: time.now)
    metrics.hostWaited(url.site, time.now - began)
  }

  /// Learns from how a request ended, and keeps a pause that was asked for.
  package func finish(_ url: FetchURL, _ outcome: HostBudget.Outcome, address: IPAddress?) {
    if let address { addresses.set(url.host, to: address) }
    budget.finish(keys(url), outcome, now: time.now)
    guard case .throttled = outcome else { return }
    let (now, wall) = (time.now, time.wall)
    let pauses = budget.pauses(now: now).map { pause in
      ScraperStore.HostPause(
        host: pause.key.description, until: wall.adding(pause.left), throttles: pause.throttles, isByOperator: false)
    }
    // Written behind: a pause that is lost with the process is asked for again by the next 429.
    Task { [store] in try? await store.keep(pauses) }
  }

  private func keys(_ url: FetchURL) -> [HostBudget.Key] { HostBudget.keys(url, address: addresses[url.host]) }

  private static func spoken(_ duration: Duration) -> String {
    let seconds = Int(duration.inSeconds.rounded(.up))
    return seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
  }

  private func path(_ url: FetchURL) -> String { String(url.target.prefix { $0 != "?" }) }

  // MARK: Robots

  package func verdict(on url: FetchURL) async throws(RetrievalError) -> Verdict {
    while asking.contains(url.origin) {
      // Waiting returns at once to whoever is cancelled: going round again would never end.
      if Task.isCancelled { throw RetrievalError(.cancelled, "cancelled") }
      await answered.wait()
    }
    if Task.isCancelled { throw RetrievalError(.cancelled, "cancelled") }
    if robots[url.origin]?.record.isDue(at: time.wall) ?? true {
      do throws(RetrievalError) { try await askForRobots(url) } catch {
        // A host that wants to be left alone is asked later; until then holds what it said last.
        let isKnown = robots[url.origin]?.record.isKnown(at: time.wall) ?? false
        guard isKnown, error.kind != .cancelled else { throw error }
      }
      if Task.isCancelled { throw RetrievalError(.cancelled, "cancelled") }
    }
    let known = robots[url.origin] ?? Robots()
    let (record, now) = (known.record, time.wall)
    guard record.isKnown(at: now) else {
      throw RetrievalError(
        .failed,
        "robots.txt of \(url.origin) cannot be had (\(known.problem)); tried again at \(record.retryAt(now).spoken)")
    }
    let rules = record.rules(at: now)
    let delay = rules.crawlDelay(agent: Self.agent)
    if let key = keys(url).first { budget.setCrawlDelay(delay, of: key, now: time.now) }
    return Verdict(
      decision: rules.decision(on: url.target, agent: Self.agent), crawlDelay: delay, readAt: record.readAt,
      dueAt: record.dueAt)
  }

  private func askForRobots(_ url: FetchURL) async throws(RetrievalError) {
    asking.insert(url.origin)
    defer {
      asking.remove(url.origin)
      answered.ring()
    }
    // Who is cancelled has learnt nothing of the site; the next to ask looks again.
    guard let (answer, problem) = try await robotsAnswer(url) else { return }
    let now = time.wall
    var known = robots[url.origin] ?? Robots()
    let isLearnt = known.record.learn(answer, at: now)
    if let problem { known.problem = "\(problem)" }
    if case .response(let status, _, _) = answer { known.problem = "it answers \(status)" }
    robots.set(url.origin, to: known)
    // What says nothing must not take the place of what the site said before.
    if isLearnt, case .response(let status, let body, let freshFor) = answer {
      try? await store.keep(
        ScraperStore.RobotsAnswer(origin: url.origin, status: status, body: body, freshFor: freshFor, readAt: now))
    }
  }

  /// Nil if the visit was cancelled meanwhile.
  private func robotsAnswer(
    _ url: FetchURL
  ) async throws(RetrievalError) -> (answer: RobotsRecord.Answer, problem: FetchError?)? {
    try await wait(url)
    let began = time.now
    guard let (answer, address, problem) = try? await fetcher().robots(of: url) else { return nil }
    let isAnswered = if case .response = answer { true } else { false }
    finish(url, isAnswered ? .answered(after: time.now - began) : .failed, address: address)
    return (answer, problem)
  }

  // MARK: Operators

  /// Leaves a site alone until it is resumed.
  package func pause(_ site: String, until: WallTime) async throws {
    operatorPauses = operatorPauses.filter { $0.value > time.wall }
    operatorPauses[site] = until
    try await store.keep([ScraperStore.HostPause(host: site, until: until, throttles: 0, isByOperator: true)])
  }

  package func resume(_ site: String) async throws {
    operatorPauses[site] = nil
    try await store.forgetOperatorPause(of: site)
  }

  /// Sites that are left alone, and since what.
  package var pauses: [ScraperStore.HostPause] {
    let wall = time.wall
    let own = operatorPauses.filter { $0.value > wall }.map {
      ScraperStore.HostPause(host: $0.key, until: $0.value, throttles: 0, isByOperator: true)
    }
    let asked = budget.pauses(now: time.now).map {
      ScraperStore.HostPause(
        host: $0.key.description, until: wall.adding($0.left), throttles: $0.throttles, isByOperator: false)
    }
    return own.sorted { $0.host < $1.host } + asked
  }
}

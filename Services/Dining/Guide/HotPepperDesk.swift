import Calendars
import Clocks
import Contracts
import Crypto
import Drafts
import EventLoops
import Fetch
import Observability
import RPC
import ServiceKit

/// Where Recruit's gourmet guide is asked: each question once a day at most, so many a day in all, and never twice at
/// the same time. What it answers is kept among the restaurants; who asked is told how that went.
@MainActor
package final class HotPepperDesk: ServicePart {
  nonisolated package let name = "hotpepper"

  struct Options {
    var key: Secret?
    var url: String
    var perDay: Int
    /// How long an answer is as good as a new one.
    var freshFor: Duration = .seconds(24 * 3_600)
    /// How long who asks waits for the guide. It goes on meanwhile, and whoever asks again finds the answer.
    var patience: Duration = .milliseconds(2_500)
  }

  private enum Limits {
    /// Questions under way at once.
    static let flights = 8
    static let total: Duration = .seconds(8)
    static let bodyBytes = 4 << 20
    /// After a fault it is left alone for so long, then twice as long.
    static let pause: Duration = .seconds(10)
    static let pauseMax: Duration = .seconds(600)
    /// Somebody has to look after the key first.
    static let pauseForKey: Duration = .seconds(600)
    /// Questions that it refused are not put again for an hour; so many are remembered.
    static let refusedFor: Duration = .seconds(3_600)
    static let refused = 500
  }

  private var options: Options
  private let store: DiningStore
  private let restaurants: LiveRestaurants
  private let fetcher: Fetcher
  private let time: any TimeSource
  private let log: Log
  private let asked: Counter
  private let failed: Counter
  /// The guide's calendar, by which its questions are counted.
  private var zone = TimeZoneRules.utc
  private var flights: [String: Flight] = [:]
  private var refused: [String: Instant] = [:]
  private var shares: GuideShares
  private var empty = EmptyAreas()
  private var failures = 0
  private var block: Block?
  private var isEnding = false

  /// Why the guide is not asked for a while.
  private struct Block {
    let kind: GuideState.Kind
    let reason: String
    let until: Instant
    var isOfKey = false
  }

  init(_ options: Options, store: DiningStore, restaurants: LiveRestaurants, in environment: ServiceEnvironment) {
    self.options = options
    shares = GuideShares(perDay: options.perDay)
    self.store = store
    self.restaurants = restaurants
    time = environment.time
    log = environment.log
    fetcher = Fetcher(
      addressGuard: .ofOperators(options.url), time: environment.time, log: environment.log,
      metrics: environment.metrics)
    asked = environment.metrics.counter("odi_dining_guide_questions_total", "Questions put to the guide.")
    failed = environment.metrics.counter("odi_dining_guide_failures_total", "Of them, those without an answer.")
  }

  /// Another key of the operator's. What was wrong with the one before says nothing of it.
  func take(key: Secret?) {
    options.key = key
    if block?.isOfKey == true { block = nil }
  }

  package func start() async throws {
    if let tokyo = ZoneName("Asia/Tokyo"), let rules = try? restaurants.zones.rules(for: tokyo) { zone = rules }
  }

  package func drain() async {
    isEnding = true
    for flight in flights.values { flight.task?.cancel() }
  }

  package func stop() async { fetcher.close() }

  // MARK: Asking

  /// Sees to it that what the guide knows of a question is kept here, and tells how that went.
  func consult(_ question: HotPepperQuestion?, for asker: GuideAsker?) async -> GuideState {
    guard let key = options.key, let question, !isEnding else { return GuideState(.none) }
    let text = question.text
    let running = flights[text]
    let known = try? await store.answered(text, at: time.wall)
    // An answer that is stored may not be among the restaurants yet: it is, when its flight has landed.
    if let flight = running ?? flights[text] {
      return await flight.result(patience: options.patience, time) ?? GuideState(.loading, asOf: known?.at)
    }
    if let known, time.wall < known.at.adding(options.freshFor) {
      return GuideState(.fresh, asOf: known.at, available: known.available)
    }
    if let circle = question.circle, let at = empty.covering(circle, since: time.wall - options.freshFor) {
      return GuideState(.fresh, asOf: at, available: 0)
    }
    if let until = refused[text], until > time.now { return GuideState(.refused, asOf: known?.at) }
    if let block, block.until > time.now { return state(of: block, known) }
    guard flights.count < Limits.flights else { return GuideState(.loading, asOf: known?.at) }
    guard shares.take(asker, on: zone.local(at: time.wall).date) else {
      var state = GuideState(
        .quota, asOf: known?.at, available: known?.available, retryAt: time.wall.adding(untilMidnight))
      state.isShareUsed = true
      return state
    }
    return await begin(question, key).result(patience: options.patience, time)
      ?? GuideState(.loading, asOf: known?.at)
  }

  /// The restaurants that the guide named for a question whose conditions its records do not tell of: wine, a telephone.
  func named(for question: HotPepperQuestion?, asking filter: RestaurantFilter) async -> Set<RestaurantID> {
    guard options.key != nil, let question, filter.asksBeyondRecords else { return [] }
    return (try? await store.named(for: question.text, at: time.wall)) ?? []
  }

  private func state(of block: Block, _ known: GuideAnswer?) -> GuideState {
    let kind = block.kind == .failed && known != nil ? .stale : block.kind
    return GuideState(
      kind, asOf: known?.at, available: known?.available, retryAt: time.wall.adding(block.until - time.now))
  }

  /// One question on its way. It goes on when who asked has stopped waiting: the day's count has been charged for it.
  private func begin(_ question: HotPepperQuestion, _ key: Secret) -> Flight {
    let flight = Flight()
    let text = question.text
    flights[text] = flight
    flight.task = Task { [weak self] in
      guard let self else { return }
      let state = await fly(question, key)
      flights[text] = nil
      flight.land(state)
    }
    return flight
  }

  private func fly(_ question: HotPepperQuestion, _ key: Secret) async -> GuideState {
    let text = question.text
    let known = try? await store.answered(text, at: time.wall)
    do {
      let answer = try await ask(text, key)
      let (drafts, now) = (answer.drafts, time.wall)
      var places: [Restaurant] = []
      for draft in drafts {
        do throws(DraftProblems) {
          var place = try draft.restaurant(zones: restaurants.zones)
          place.asOf = now
          places.append(place)
        } catch {
          log.debug("a shop of the guide is left out", ["problem": .string(error.line)])
        }
      }
      try await store.keep(places, for: text, available: answer.available, at: now)
      if !places.isEmpty { await restaurants.rebuilt() }
      if question.isOfAll, answer.available == 0, let circle = question.circle { empty.add(circle, at: now) }
      (failures, block) = (0, nil)
      return GuideState(.fresh, asOf: now, available: answer.available)
    } catch let error as GuideError {
      failed.add()
      return note(error, text, known, of: key)
    } catch {
      if !Task.isCancelled { log.error("the guide's answer could not be kept", ["error": "\(error)"]) }
      return GuideState(known == nil ? .failed : .stale, asOf: known?.at)
    }
  }

  private func ask(_ text: String, _ key: Secret) async throws -> HotPepperAnswer {
    let page = try await fetch("gourmet", text, key)
    return try HotPepperAnswer(status: page.status, body: page.body)
  }

  /// Asks, of the day's questions, for one of the guide's lists of codes, and keeps it. For operators.
  func sync(_ list: GuideList) async throws -> CodesSynced {
    guard let key = options.key else {
      throw RPCError(.failedPrecondition, "there is no key to the guide; set --hotpepper-key-file", executed: .no)
    }
    if let block, block.until > time.now {
      throw RPCError(.unavailable, block.reason, executed: .no, retryAfter: block.until - time.now)
    }
    do {
      let page = try await fetch(list.rawValue, nil, key)
      let codes = try HotPepperAnswer.codes(of: list, status: page.status, body: page.body)
      let new = try await store.keep(codes, of: list, at: time.wall)
      await restaurants.rebuilt()
      return CodesSynced(list: list, codes: codes, new: new)
    } catch let error as GuideError {
      failed.add()
      let state = note(error, list.rawValue, nil, of: key)
      throw RPCError(state.kind == .quota ? .resourceExhausted : .unavailable, "the guide: \(error)", executed: .maybe)
    }
  }

  /// - Parameter what: which of the guide's services, as its address names it.
  private func fetch(_ what: String, _ question: String?, _ key: Secret) async throws -> FetchResponse {
    let today = zone.local(at: time.wall).date
    guard try await store.takeQuota(on: today, limit: options.perDay) else { throw GuideError.quota }
    asked.add()
    let page: FetchResponse
    do throws(FetchError) {
      let more = question.map { "&\($0)" } ?? ""
      var request = try FetchRequest("\(options.url)/\(what)/v1/?key=\(key.revealed)&format=json\(more)")
      // The key stands in the address: nobody else may be led to it.
      request.followsRedirects = false
      request.limits.total = Limits.total
      request.limits.bodyBytes = Limits.bodyBytes
      page = try await fetcher.fetch(request)
    } catch {
      switch error {
      // Its words may hold the address, and with it the key.
      case .invalidURL, .redirect, .downgrade: throw GuideError.unreachable("its address cannot be used")
      default: throw GuideError.unreachable(error.description)
      }
    }
    guard page.status != 429 else {
      throw GuideError.pause(page.headers["retry-after"].flatMap { RetryAfter.wait($0, now: time.wall) })
    }
    return page
  }

  // MARK: When it does not answer

  private func note(
    _ error: GuideError, _ text: String, _ known: GuideAnswer?, of key: Secret
  ) -> GuideState {
    switch error {
    case .question:
      log.warning("the guide refuses a question", ["reason": .string(error.description)])
      if refused.count >= Limits.refused { refused = refused.filter { $0.value > time.now } }
      if refused.count < Limits.refused { refused[text] = time.now + Limits.refusedFor }
      return GuideState(.refused, asOf: known?.at)
    case .key:
      log.error("the guide refuses our key", ["reason": .string(error.description)])
      // Another was set while it was on its way, of which that says nothing.
      guard key == options.key else { return GuideState(known == nil ? .failed : .stale, asOf: known?.at) }
      // Whoever asks for a restaurant cannot help it: for them the guide does not answer.
      let until = time.now + Limits.pauseForKey
      return hold(Block(kind: .failed, reason: error.description, until: until, isOfKey: true), known)
    case .quota:
      log.warning("today's questions to the guide are used up", ["limit": .int(options.perDay)])
      return hold(Block(kind: .quota, reason: error.description, until: time.now + untilMidnight), known)
    case .server, .unreachable, .unreadable, .pause:
      log.warning("the guide does not answer", ["reason": .string(error.description)])
      var pause = min(Limits.pause * (1 << min(failures, 6)), Limits.pauseMax)
      if case .pause(let told?) = error { pause = max(pause, min(told, untilMidnight)) }
      failures += 1
      return hold(Block(kind: .failed, reason: error.description, until: time.now + pause), known)
    }
  }

  private func hold(_ block: Block, _ known: GuideAnswer?) -> GuideState {
    self.block = block
    return state(of: block, known)
  }

  private var untilMidnight: Duration {
    let tomorrow = zone.local(at: time.wall).date + 1
    return .milliseconds(
      zone.instant(of: CivilDateTime(tomorrow, .midnight)).milliseconds - time.wall.milliseconds)
  }

  // MARK: Looking

  func status() async throws -> GuideStatus {
    let today = zone.local(at: time.wall).date
    let held = block.flatMap { $0.until > time.now ? $0 : nil }
    return GuideStatus(
      isOn: options.key != nil, used: try await store.quotaUsed(on: today), limit: options.perDay,
      problem: held?.reason, until: held.map { time.wall.adding($0.until - time.now) }, restaurants: 0, revision: 0)
  }
}

/// A question on its way, and who waits for it.
@MainActor
private final class Flight {
  var task: Task<Void, Never>?
  private var landed: GuideState?
  private let bell = Bell()

  func land(_ state: GuideState) {
    landed = state
    bell.ring()
  }

  /// Nil if it takes longer than the patience, or the task is cancelled.
  func result(patience: Duration, _ time: any TimeSource) async -> GuideState? {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.landing() }
      group.addTask { try? await time.sleep(for: patience) }
      await group.next()
      group.cancelAll()
    }
    return landed
  }

  private func landing() async {
    while landed == nil, !Task.isCancelled { await bell.wait() }
  }
}

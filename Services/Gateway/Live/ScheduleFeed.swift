import Clocks
import Contracts
import EventLoops
import RPC

/// The schedule's changes as this process hears them: one stream for all readers, and the last events in memory.
package final class ScheduleFeed {
  /// The newest revision that was heard of; nil before the scraper has answered once.
  package private(set) var revision: Int64?
  /// The revision with which this process began to listen: what is newer, all who hear events have heard.
  private(set) var first: Int64?
  /// Hears every event, once and in order.
  var onEvent: [(ScheduleEvent) -> Void] = []
  /// Events were missed: whoever follows must read everything anew.
  var onReset: [() -> Void] = []

  private let scraper: any RPCClient<ScraperAPI>
  private let time: any TimeSource
  private let following: Following
  /// All events after `begin`, oldest first.
  private var log: [ScheduleEvent] = []
  private var begin: Int64 = 0
  private var filling: Task<Older, Never>?
  private let answered = Bell()

  /// As many as a day's changes of a hundred cinemas, at some 300 bytes each.
  static let eventsMax = 10_000
  /// What the scraper remembers it sends at once.
  static let fillTime: Duration = .seconds(2)
  /// How often one that does not answer is asked for what was before, at the beginning: a restart takes less.
  static let fillsMax = 30

  private nonisolated enum Older: Sendable {
    case events([ScheduleEvent])
    /// Nobody knows them any more.
    case forgotten
    case unanswered
  }

  init(scraper: any RPCClient<ScraperAPI>, time: any TimeSource) {
    self.scraper = scraper
    self.time = time
    following = Following(time: time)
  }

  var isLive: Bool { following.isOpen }

  func start() {
    following.begin { [weak self] opened in
      guard let self else { return }
      let stream = try await scraper.stream(ScheduleEvents(since: revision))
      for try await event in stream {
        opened()
        receive(event)
      }
    }
  }

  func stop() { following.end() }

  private func receive(_ event: ScheduleEvent) {
    if first == nil { first = event.revision }
    if event.isReset == true {
      let isFirst = revision == nil
      revision = event.revision
      begin = event.revision
      log = []
      if !isFirst { for hear in onReset { hear() } }
    } else if revision == nil {
      revision = event.revision
      begin = event.revision
    }
    if event.change != nil || event.source != nil, event.revision > revision ?? .min {
      revision = event.revision
      log.append(event)
      if log.count > Self.eventsMax {
        begin = log[log.count - Self.eventsMax - 1].revision
        log.removeFirst(log.count - Self.eventsMax)
      }
      for hear in onEvent { hear(event) }
    }
    answered.ring()
  }

  /// Waits until the scraper has answered once, or whoever asks is gone.
  package func live() async {
    while revision == nil, !Task.isCancelled { await answered.wait() }
  }

  /// The events after a revision that are in memory; nil if it does not reach back so far.
  func remembered(after since: Int64) -> [ScheduleEvent]? {
    guard let revision, since >= begin, since <= revision else { return nil }
    return log.filter { $0.revision > since }
  }

  /// The events after a revision, asked of the scraper if need be; nil if nobody knows them any more.
  func events(after since: Int64) async -> [ScheduleEvent]? {
    guard case .events(let events) = await known(after: since) else { return nil }
    return events
  }

  private func known(after since: Int64) async -> Older {
    guard let newest = revision, since <= newest else { return .forgotten }
    if let events = remembered(after: since) { return .events(events) }
    // One after another, so that after a restart the first reader's question answers all the others'.
    while let filling { _ = await filling.value }
    if let events = remembered(after: since) { return .events(events) }
    let end = begin
    let task = Task { [weak self] in await self?.older(after: since, upTo: end) ?? .unanswered }
    filling = task
    let found = await task.value
    filling = nil
    guard case .events(let older) = found else { return found }
    if log.count + older.count <= Self.eventsMax, since < begin {
      log = older + log
      begin = since
      return .events(log)
    }
    return .events(older + log)
  }

  /// The newest events from before this process listened, as many as are still known of so many.
  func earlier(atMost count: Int) async -> [ScheduleEvent] {
    await live()
    guard let first else { return [] }
    var count = Int64(count)
    var fills = 0
    while !Task.isCancelled, fills < Self.fillsMax {
      switch await known(after: max(0, first - count)) {
      case .events(let events): return events.filter { $0.revision <= first }
      case .forgotten:
        // Who was asked for more than it remembers says nothing, so fewer are asked for.
        guard count > 1 else { return [] }
        count = max(1, count / 4)
      case .unanswered:
        fills += 1
        try? await time.sleep(for: Self.fillTime)
      }
    }
    return []
  }

  private func older(after since: Int64, upTo end: Int64) async -> Older {
    var events: [ScheduleEvent] = []
    do {
      let stream = try await scraper.stream(ScheduleEvents(since: since), CallOptions(timeout: Self.fillTime))
      for try await event in stream {
        if event.isReset == true { return .forgotten }
        guard event.change != nil || event.source != nil else { continue }
        events.append(event)
        guard event.revision < end, events.count <= Self.eventsMax else { break }
      }
    } catch {
      // Half of it would be worse than to be told to read everything anew.
      return .unanswered
    }
    guard events.count <= Self.eventsMax else { return .forgotten }
    return events.last?.revision == end ? .events(events) : .unanswered
  }
}

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
  /// Of this revision and those before it nobody knows any more what came after.
  private var forgotten: Int64 = .min
  private var filling: Task<Recall, Never>?
  private let answered = Bell()

  /// As many as a day's changes of a hundred cinemas, at some 300 bytes each.
  static let eventsMax = 10_000
  /// What the scraper remembers it sends at once.
  static let fillTime: Duration = .seconds(2)
  /// How often one that does not answer is asked for what was before, at the beginning: a restart takes less.
  static let fillsMax = 30

  nonisolated enum Recall: Sendable {
    /// They are in memory.
    case known
    /// Nobody knows them any more, or they are more than are kept.
    case forgotten
    case unanswered
  }

  private nonisolated enum Older: Sendable {
    case events([ScheduleEvent])
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
      forgotten = .min
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
  func remembered(after since: Int64) -> ArraySlice<ScheduleEvent>? {
    guard let revision, since >= begin, since <= revision else { return nil }
    return log[(log.lastIndex { $0.revision <= since }.map { $0 + 1 } ?? 0)...]
  }

  /// Takes the events after a revision into memory, asking the scraper if need be.
  @discardableResult
  func recall(after since: Int64) async -> Recall {
    guard let newest = revision, since <= newest else { return .forgotten }
    if remembered(after: since) != nil { return .known }
    // One after another, so that after a restart the first reader's question answers all the others'.
    while let filling {
      _ = await filling.value
      if remembered(after: since) != nil { return .known }
    }
    guard since > forgotten else { return .forgotten }
    let task = Task { [weak self] in await self?.fill(after: since) ?? .unanswered }
    filling = task
    return await task.value
  }

  private func fill(after since: Int64) async -> Recall {
    let end = begin
    let found = await older(after: since, upTo: end)
    filling = nil
    switch found {
    case .events(let older) where begin == end && log.count + older.count <= Self.eventsMax:
      log = older + log
      begin = since
      return .known
    case .events, .forgotten:
      if begin == end { forgotten = since }
      return .forgotten
    case .unanswered: return .unanswered
    }
  }

  /// The newest events from before this process listened, as many as are still known of so many.
  func earlier(atMost count: Int) async -> [ScheduleEvent] {
    await live()
    guard let first else { return [] }
    var count = Int64(count)
    var fills = 0
    while !Task.isCancelled, fills < Self.fillsMax {
      let since = max(0, first - count)
      switch await recall(after: since) {
      case .known: return (remembered(after: since) ?? []).filter { $0.revision <= first }
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

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
  private var filling: Task<[ScheduleEvent]?, Never>?
  private let answered = Bell()

  /// As many as a day's changes of a hundred cinemas, at some 300 bytes each.
  static let eventsMax = 10_000
  /// What the scraper remembers it sends at once.
  static let fillTime: Duration = .seconds(2)

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
    guard let newest = revision, since <= newest else { return nil }
    if let events = remembered(after: since) { return events }
    // One after another, so that after a restart the first reader's question answers all the others'.
    while let filling { _ = await filling.value }
    if let events = remembered(after: since) { return events }
    let end = begin
    let task = Task { [weak self] in await self?.older(after: since, upTo: end) }
    filling = task
    let found = await task.value
    filling = nil
    guard let older = found else { return nil }
    if log.count + older.count <= Self.eventsMax, since < begin {
      log = older + log
      begin = since
      return log
    }
    return older + log
  }

  /// The newest events from before this process listened, as many as are still known of so many.
  func earlier(atMost count: Int) async -> [ScheduleEvent] {
    await live()
    guard let first else { return [] }
    // Who was asked for more than it remembers says nothing, so fewer are asked for.
    var count = Int64(count)
    while !Task.isCancelled {
      if let events = await events(after: max(0, first - count)) { return events.filter { $0.revision <= first } }
      guard count > 1 else { break }
      count = max(1, count / 4)
    }
    return []
  }

  private func older(after since: Int64, upTo end: Int64) async -> [ScheduleEvent]? {
    var events: [ScheduleEvent] = []
    do {
      let stream = try await scraper.stream(ScheduleEvents(since: since), CallOptions(timeout: Self.fillTime))
      for try await event in stream {
        if event.isReset == true { return nil }
        guard event.change != nil || event.source != nil else { continue }
        events.append(event)
        guard event.revision < end, events.count <= Self.eventsMax else { break }
      }
    } catch {
      // Half of it would be worse than to be told to read everything anew.
      return nil
    }
    return events.last?.revision == end && events.count <= Self.eventsMax ? events : nil
  }
}

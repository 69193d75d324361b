import Clocks
import Contracts
import HTTP
import RPC

/// All open streams of events: hands on what the schedule's feed says, keeps them alive, and counts.
package final class LiveHub {
  nonisolated struct Limits: Sendable {
    /// Streams in all; each costs about 2 KiB of ours, and with `me` a stream of Bookmarks.
    var streams = 8_192
    /// Of one user: a browser's tabs share one, a phone adds another.
    var streamsPerUser = 8
    /// Of one address without a session: an office or a school is behind one.
    var streamsPerAddress = 64
    /// A screen's cinemas and films.
    var topics = 32
    /// Streams written to in one turn of the loop. At about 10 us each, other requests wait less than 3 ms.
    var streamsPerTurn = 256
    /// What may wait for one reader. Above it, it gets no more until it has read, and then a `reset`.
    var queueBytes = 256 << 10
    /// A silent stream gets a comment this often, so that proxies and both ends see that it lives.
    var heartbeat: Duration = .seconds(15)
    /// What readers are told to wait before they come back.
    var retry: Duration = .seconds(3)
    /// Over how long readers that are sent away come back.
    var returnSpread: Duration = .seconds(5)
    /// Until the catalogue has taken up what begins to play: then its other ids are known, by which somebody may have
    /// saved it.
    var adoption: Duration = .seconds(65)
    /// Before Bookmarks is asked again for a user's changes.
    var userPause: Duration = .milliseconds(500)
  }

  nonisolated package struct Counters: Hashable, Sendable {
    package var published = 0
    package var delivered = 0
    package var resets = 0
    var slow = 0
  }

  package let feed: ScheduleFeed
  let bookmarks: any RPCClient<BookmarksAPI>
  private let films: any RPCClient<FilmsAPI>
  let time: any TimeSource
  let limits: Limits
  let version: String
  package private(set) var counters = Counters()
  private(set) var streams: [ObjectIdentifier: LiveStream] = [:]
  private var perOwner: [String: Int] = [:]
  private var queue: [(ScheduleEvent, [LiveNotice], [LiveStream])] = []
  private var isSliceDue = false
  private var isTicking = false
  private var departures: UInt64 = 0

  init(
    feed: ScheduleFeed, bookmarks: any RPCClient<BookmarksAPI>, films: any RPCClient<FilmsAPI>, version: String,
    limits: Limits = Limits(), time: any TimeSource
  ) {
    self.films = films
    self.feed = feed
    self.bookmarks = bookmarks
    self.version = version
    self.limits = limits
    self.time = time
    feed.onEvent.append { [weak self] in self?.publish($0) }
    feed.onReset.append { [weak self] in
      for stream in self.map({ Array($0.streams.values) }) ?? [] { stream.reset() }
    }
  }

  func count(_ change: (inout Counters) -> Void) { change(&counters) }

  // MARK: Streams

  /// Room for one more, or a problem that says when to come back.
  func admit(_ owner: String, isUser: Bool) throws {
    let most = isUser ? limits.streamsPerUser : limits.streamsPerAddress
    guard streams.count < limits.streams else {
      throw Problem(.overloaded, "too many event streams are open", fields: Problem.retry(.seconds(30)))
    }
    guard perOwner[owner, default: 0] < most else {
      throw Problem(
        .rateLimited, "at most \(most) event streams at once; share one between tabs",
        fields: Problem.retry(.seconds(30)))
    }
  }

  func opened(_ stream: LiveStream) {
    streams[ObjectIdentifier(stream)] = stream
    perOwner[stream.owner, default: 0] += 1
    tickLater()
  }

  func closed(_ stream: LiveStream) {
    guard streams.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
    let left = perOwner[stream.owner, default: 1] - 1
    perOwner[stream.owner] = left > 0 ? left : nil
  }

  // MARK: Events

  private func publish(_ event: ScheduleEvent) {
    counters.published += 1
    if let change = event.change { alert(change) }
    let notices = LiveNotice.all(of: event)
    let topics = notices.reduce(into: Set<LiveTopic>()) { $0.formUnion($1.topics) }
    let interested = streams.values.filter { !$0.topics.isDisjoint(with: topics) }
    guard !interested.isEmpty else { return }
    queue.append((event, notices, interested))
    slice()
  }

  /// Hands on what is of no schedule.
  func announce(_ notices: [LiveNotice]) {
    for stream in streams.values { stream.hear(notices) }
  }

  /// Films that begin to play somewhere, to whoever saved one of them.
  private func alert(_ change: ScheduleChange) {
    guard !change.listed.isEmpty, streams.values.contains(where: { $0.hearsOfUser }) else { return }
    tell(change, change.listed.map { ($0, $0) })
    time.after(limits.adoption) { [weak self] in
      Task { await self?.alertByOtherIDs(change) }
    }
  }

  /// The same films by the ids that they had before they played.
  private func alertByOtherIDs(_ change: ScheduleChange) async {
    guard streams.values.contains(where: { $0.hearsOfUser }) else { return }
    let found = await outcome { () throws(RPCError) in
      try await films.call(CatalogueFilms(ids: Array(change.listed.prefix(500))))
    }
    let others = ((try? found.get()) ?? []).flatMap { entry in
      entry.film.ids.filter { $0 != entry.asked }.map { (listed: entry.asked, saved: $0) }
    }
    if !others.isEmpty { tell(change, others) }
  }

  private func tell(_ change: ScheduleChange, _ films: [(listed: FilmID, saved: FilmID)]) {
    for stream in streams.values where stream.hearsOfUser {
      stream.alerts.hear(change, films) { [weak stream] notice in stream?.write([notice], id: nil) }
    }
  }

  /// Writes to as many streams as one turn may; the rest have their turn in the next.
  private func slice() {
    guard !isSliceDue else { return }
    var left = limits.streamsPerTurn
    while !queue.isEmpty, left > 0 {
      let (event, notices, interested) = queue[0]
      for stream in interested.prefix(left) { stream.hear(event, notices) }
      if interested.count > left {
        queue[0].2.removeFirst(left)
      } else {
        queue.removeFirst()
      }
      left -= min(left, interested.count)
    }
    guard !queue.isEmpty else { return }
    isSliceDue = true
    time.after(.zero) { [weak self] in
      self?.isSliceDue = false
      self?.slice()
    }
  }

  // MARK: Time

  /// Once a second: heartbeats, and readers that had been too slow.
  private func tickLater() {
    guard !isTicking else { return }
    isTicking = true
    time.after(.seconds(1)) { [weak self] in
      guard let self else { return }
      isTicking = false
      for stream in streams.values {
        if stream.isBehind {
          stream.caughtBreath()
        } else if time.now - stream.lastWrite >= limits.heartbeat {
          stream.beat()
        }
      }
      if !streams.isEmpty { tickLater() }
    }
  }

  /// When one that is sent away is to come back: spread evenly by the golden ratio's fraction, without chance.
  func nextReturn() -> Int64 {
    departures += 1
    let share = Double(departures &* 0x9E37_79B9_7F4A_7C15 >> 11) / Double(1 << 53 as UInt64)
    return limits.retry.wholeMilliseconds + Int64(share * Double(limits.returnSpread.wholeMilliseconds))
  }
}

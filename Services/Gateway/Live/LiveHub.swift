import Clocks
import Contracts
package import HTTP
import RPC

/// What the readers of events hear: what the schedule's feed says, alerts that are found later, and what their users
/// saved. The ``EventHub`` holds their streams and says which of them is written to when.
package final class LiveHub {
  nonisolated package struct Limits: Sendable {
    package var events = EventLimits()
    /// Of one user: a browser's tabs share one, a phone adds another.
    var streamsPerUser = 8
    /// Of one address without a session: an office or a school is behind one.
    var streamsPerAddress = 64
    /// Until the catalogue has taken up what begins to play: then its other ids are known, by which somebody may have
    /// saved it.
    var adoption: Duration = .seconds(65)
    /// Listings whose other ids are still to be looked up: of more the alerts would not be kept either.
    var lookups = 1_000
    /// Listings of before this process began are looked up too, as an earlier one may have ended before it could: from
    /// so long ago. A restart takes seconds, an update some minutes.
    var lookBack: Duration = .seconds(15 * 60)
    /// Steps of the schedule that are asked for to find them: all cinemas' visits within that time.
    var lookBackSteps = 1_000
    /// How often the catalogue is asked again where it did not answer, and after what pause: five minutes in all, in
    /// which it was started again or somebody was called.
    var lookupRetries = 10
    var lookupPause: Duration = .seconds(30)
    /// Late alerts for readers that come back: some weeks' films, far more than somebody is away.
    var lateAlerts = 1_000
    /// Before Bookmarks is asked again for a user's changes.
    var userPause: Duration = .milliseconds(500)
  }

  package let feed: ScheduleFeed
  let bookmarks: any RPCClient<BookmarksAPI>
  private let films: any RPCClient<FilmsAPI>
  private let shelf: CinemaShelf
  let listed: ListedCinemas
  let time: any TimeSource
  let limits: Limits
  let version: String
  let hub: EventHub<LiveStream>
  /// Of users with open streams, and how many each has.
  private var saved: [UserID: (things: SavedThings, streams: Int)] = [:]
  /// The newest alerts that were found later than their event, oldest first.
  private var late: [LateAlert] = []
  /// The number of the last one that is no longer in `late`.
  private var lateBegin: Int64 = 0
  /// Listings whose other ids are still to be looked up, oldest first; one after another, so that who has heard of one has
  /// heard of all before it.
  private var lookups: [Lookup] = []
  private var isLookingUp = false
  /// Those of before this process are in the row.
  private var hasLookedBack = false
  private var lookingBack: Task<Void, Never>?

  init(
    feed: ScheduleFeed, bookmarks: any RPCClient<BookmarksAPI>, films: any RPCClient<FilmsAPI>, shelf: CinemaShelf,
    version: String, limits: Limits = Limits(), time: any TimeSource
  ) {
    self.films = films
    self.shelf = shelf
    listed = ListedCinemas(shelf)
    self.feed = feed
    self.bookmarks = bookmarks
    self.version = version
    self.limits = limits
    self.time = time
    hub = EventHub(limits: limits.events, time: time)
    feed.onEvent.append { [weak self] in self?.publish($0) }
    feed.onReset.append { [weak self] in self?.startOver() }
    hub.eachSecond = { [weak self] in
      guard let self else { return }
      for entry in saved.values { entry.things.retry() }
      listed.retry()
    }
  }

  /// Begins where an earlier process may have left off.
  func start() {
    lookingBack = Task { [weak self] in await self?.lookBack() }
  }

  func stop() {
    lookingBack?.cancel()
    lookingBack = nil
    lookups = []
  }

  package var counters: EventCounters { hub.counters }
  package var streams: Int { hub.readers.count }
  /// Streams that wait for their turn to be written to.
  package var waiting: Int { hub.waiting }

  // MARK: Streams

  /// Room for one more, or a problem that says when to come back.
  func admit(_ owner: String, isUser: Bool) throws {
    try hub.admit(owner, atMost: isUser ? limits.streamsPerUser : limits.streamsPerAddress)
  }

  /// What a stream's user saved; ``letGo(of:)`` ends that.
  func savedThings(of user: UserID) -> SavedThings {
    var entry = saved[user] ?? (SavedThings(of: user, bookmarks: bookmarks, shelf: shelf), 0)
    entry.streams += 1
    saved[user] = entry
    return entry.things
  }

  /// The directory changed: whoever has this cinema among their favourites may have another in its place now.
  func cinemaChanged(_ id: CinemaID) {
    listed.forget(id)
    for (things, _) in saved.values where !things.isKnown || things.cinemasNow.contains(id) { things.forget() }
  }

  /// One of the user's streams has ended.
  func letGo(of user: UserID) {
    guard var entry = saved[user] else { return }
    entry.streams -= 1
    saved[user] = entry.streams > 0 ? entry : nil
    if entry.streams <= 0 { entry.things.end() }
  }

  // MARK: Events

  private func publish(_ event: ScheduleEvent) {
    let notices = LiveNotice.all(of: event)
    let topics = notices.reduce(into: Set<LiveTopic>()) { $0.formUnion($1.topics) }
    // Films that begin to play concern whoever saved one of them.
    let isAlert = event.change?.listed.isEmpty == false
    hub.publish(to: { isAlert && $0.hearsOfUser || !topics.isDisjoint(with: $0.topics) }) { $0.hear(event, notices) }
    // Also while nobody listens: who comes back is told.
    guard isAlert, let change = event.change else { return }
    plan(Lookup(number: event.revision, change: change, due: time.now + limits.adoption, retries: limits.lookupRetries))
    lookUpNext()
  }

  /// Events were missed, or are counted anew: then what lies beyond the newest is of another count.
  private func startOver() {
    if let newest = feed.revision {
      late.removeAll { $0.number > newest }
      lookups.removeAll { $0.number > newest }
      lateBegin = min(lateBegin, newest)
    }
    hub.resetAll()
  }

  // MARK: Late alerts

  private struct Lookup {
    var number: Int64
    var change: ScheduleChange
    var due: Instant
    var retries: Int
  }

  private func plan(_ lookup: Lookup) {
    guard lookups.count < limits.lookups else { return }
    let place = lookups.firstIndex { $0.number >= lookup.number } ?? lookups.endIndex
    guard place == lookups.endIndex || lookups[place].number != lookup.number else { return }
    lookups.insert(lookup, at: place)
  }

  /// Puts the listings of just before this process into the row. Who was told of them has an id that says so.
  private func lookBack() async {
    let earlier = await feed.earlier(atMost: limits.lookBackSteps)
    guard !Task.isCancelled else { return }
    let (now, wall) = (time.now, time.wall.milliseconds)
    for event in earlier {
      guard let change = event.change, !change.listed.isEmpty else { continue }
      let age = Duration.milliseconds(wall - change.asOf.milliseconds)
      guard age < limits.lookBack else { continue }
      // `age` is the visit's. Since when the catalogue has known of it, nobody says: wait the whole time.
      let due = now + limits.adoption
      plan(Lookup(number: event.revision, change: change, due: due, retries: limits.lookupRetries))
    }
    hasLookedBack = true
    lookUpNext()
  }

  private func lookUpNext() {
    guard hasLookedBack, !isLookingUp, let next = lookups.first else { return }
    isLookingUp = true
    let begin: @MainActor @Sendable () -> Void = { [weak self] in _ = Task { await self?.lookUp(next) } }
    let wait = next.due - time.now
    if wait > .zero { time.after(wait, begin) } else { begin() }
  }

  /// Tells of films that began to play, by the ids that they had before, to whoever saved them by one of these.
  private func lookUp(_ lookup: Lookup) async {
    guard lookups.first?.number == lookup.number else {
      isLookingUp = false
      return lookUpNext()
    }
    let found = await outcome { () throws(RPCError) in
      try await films.call(CatalogueFilms(ids: Array(lookup.change.listed.prefix(CatalogueFilms.idsMax))))
    }
    isLookingUp = false
    defer { lookUpNext() }
    guard let place = lookups.firstIndex(where: { $0.number == lookup.number }) else { return }
    guard let entries = try? found.get() else {
      lookups[place].retries -= 1
      lookups[place].due = time.now + limits.lookupPause
      if lookups[place].retries < 0 { lookups.remove(at: place) }
      return
    }
    lookups.remove(at: place)
    let others = entries.flatMap { entry in
      entry.film.ids.filter { $0 != entry.asked }.map { ListedFilm(listed: entry.asked, saved: $0) }
    }
    guard !others.isEmpty else { return }
    let alert = LateAlert(number: lookup.number, change: lookup.change, films: others)
    late.append(alert)
    if late.count > limits.lateAlerts { lateBegin = late.removeFirst().number }
    hub.publish(to: { $0.hearsOfUser }) { $0.hear(alert) }
  }

  /// The number of the newest late alert; nil if there was none in this process.
  var lastAlert: Int64? { late.last?.number }

  /// Late alerts after one; nil if some of them are forgotten.
  func lateAlerts(after number: Int64?) -> [LateAlert]? {
    // What is beyond all revisions is of another count than this one.
    guard let number, number <= feed.revision ?? .max else { return late }
    guard number >= lateBegin else { return nil }
    return late.filter { $0.number > number }
  }

  // MARK: What is of no schedule

  /// Hands on what is of no schedule.
  func announce(_ notices: [LiveNotice]) {
    let topics = notices.reduce(into: Set<LiveTopic>()) { $0.formUnion($1.topics) }
    hub.publish(to: { !topics.isDisjoint(with: $0.topics) }) { $0.hear(notices) }
  }

  /// Hands on what is of a station, to its favourites' readers too.
  func announce(_ notice: LiveNotice, of station: StationID) {
    hub.publish(to: { !notice.topics.isDisjoint(with: $0.topics) || $0.likes(station) }) { $0.hearOfStation(notice) }
  }

  /// Stations that somebody listens to, and those that are among the favourites of who is here.
  var stations: (heard: Set<StationID>, liked: Set<StationID>) {
    var heard: Set<StationID> = []
    for stream in hub.readers { heard.formUnion(stream.topics.lazy.compactMap(\.station)) }
    return (heard, saved.values.reduce(into: []) { $0.formUnion($1.things.stations) })
  }

  /// Of users whose favourites are not known yet.
  func askForFavourites(atMost count: Int) {
    for entry in saved.values.lazy.filter({ !$0.things.isKnown }).prefix(count) { entry.things.whenKnown(self) {} }
  }
}

/// A film that begins to play, and an id by which it may have been saved.
nonisolated struct ListedFilm: Hashable, Sendable {
  var listed: FilmID
  var saved: FilmID
}

/// Films that began to play and were found to go by other ids, once the catalogue had taken them up. Its number is the
/// revision of the schedule that listed them: the same in every process, and greater than that of any alert before.
nonisolated struct LateAlert: Sendable {
  var number: Int64
  var change: ScheduleChange
  var films: [ListedFilm]
}

import Clocks
import Contracts
import HTTP
import RPC

/// One reader's open stream of events.
final class LiveStream: HTTPStreamBody {
  let topics: Set<LiveTopic>
  let owner: String
  let user: UserID?
  /// When the token was issued that says so: the stream ends when that is made void.
  private let token: WallTime?
  let openedAt: Instant
  private(set) var seen: LiveID
  private(set) var delivered = 0
  /// Events are put off while those from before are fetched.
  private(set) var isCatchingUp = false
  /// It did not read, and missed something.
  private(set) var isBehind = false
  var lastWrite: Instant

  private let hub: LiveHub
  /// What the user saved; nil if it is not told of them.
  private var saved: SavedThings?
  /// Films that began to play while it was not known what was saved.
  private var pending: [(films: [ListedFilm], change: ScheduleChange)] = []
  /// The last that was written.
  private var toldID = LiveID()
  /// What it gave back; empty, if that was no id of ours.
  private let resumes: LiveID?
  private var output: (any HTTPOutput)?
  private var tasks: [Task<Void, Never>] = []

  init(
    hub: LiveHub, topics: Set<LiveTopic>, owner: String, user: UserID?, token: WallTime?, resumes: LiveID?, now: Instant
  ) {
    self.hub = hub
    self.topics = topics
    self.owner = owner
    self.user = user
    self.token = token
    self.resumes = resumes
    openedAt = now
    lastWrite = now
    seen = resumes ?? LiveID()
  }

  var queuedBytes: Int { output?.queuedBytes ?? 0 }
  /// What it has seen of the schedule is counted: for films that begin to play also where only the user is listened to.
  private var hearsSchedule: Bool { topics != [.me] || hearsOfUser }
  /// Whether it is told what concerns its user.
  var hearsOfUser: Bool { user != nil && topics.contains(.me) }

  // MARK: Its life

  func began(_ output: any HTTPOutput) {
    self.output = output
    hub.opened(self)
    write(Array("retry: \(hub.limits.retry.wholeMilliseconds)\n:ok\n\n".utf8))
    let hello = LiveNotice.hello(version: hub.version, topics: topics.sorted { $0.description < $1.description })
    let isNew = resumes?.isEmpty ?? true
    if isNew, hearsSchedule { seen.schedule = hub.feed.revision }
    if hearsOfUser, let user {
      saved = hub.savedThings(of: user)
      if isNew { seen.alert = hub.lastAlert }
    }
    // To one that resumes, an id would say that it has what is still to come.
    write(hello.frame(id: isNew ? seen : nil))
    if resumes?.isEmpty == true { reset() }
    if hearsSchedule {
      isCatchingUp = true
      tasks.append(Task { [weak self] in await self?.catchUp() })
    }
    if topics.contains(.me), let user {
      tasks.append(Task { [weak self] in await self?.follow(user) })
    }
  }

  func draining() {
    write(LiveNotice.bye(after: hub.nextReturn()).frame(id: nil))
    output?.finish()
  }

  func ended() {
    guard output != nil else { return }
    output = nil
    (saved, pending) = (nil, [])
    for task in tasks { task.cancel() }
    tasks = []
    hub.closed(self)
  }

  // MARK: The schedule

  private func catchUp() async {
    await hub.feed.live()
    guard output != nil else { return }
    if let since = resumes?.schedule {
      if let events = await hub.feed.events(after: since) {
        guard output != nil else { return }
        for event in events { deliver(event) }
      } else {
        reset()
      }
    }
    if seen.schedule == nil { seen.schedule = hub.feed.revision }
    // What came meanwhile was put off.
    for event in hub.feed.remembered(after: seen.schedule ?? 0) ?? [] { deliver(event) }
    isCatchingUp = false
    guard hearsOfUser else { return }
    forgetAlertOfAnotherCount()
    if let alerts = hub.lateAlerts(after: seen.alert) {
      for alert in alerts { hear(alert) }
    } else {
      reset()
    }
  }

  /// An event that just happened.
  func hear(_ event: ScheduleEvent, _ notices: [LiveNotice]) {
    guard !isCatchingUp, hearsSchedule else { return }
    send(notices, event)
  }

  /// Something that no id is given for: who comes back reads anew what it shows.
  func hear(_ notices: [LiveNotice]) {
    guard output != nil else { return }
    write(notices.filter { !$0.topics.isDisjoint(with: topics) })
  }

  /// Whether the user has a station among their favourites.
  func likes(_ station: StationID) -> Bool { saved?.stations.contains(station) ?? false }

  func hearOfStation(_ notice: LiveNotice) { write([notice]) }

  private func deliver(_ event: ScheduleEvent) { send(LiveNotice.all(of: event), event) }

  private func send(_ notices: [LiveNotice], _ event: ScheduleEvent) {
    guard output != nil, event.revision > seen.schedule ?? .min else { return }
    seen.schedule = event.revision
    var told = notices.filter { !$0.topics.isDisjoint(with: topics) }
    if let change = event.change, !change.listed.isEmpty {
      told += alerts(change.listed.map { ListedFilm(listed: $0, saved: $0) }, change)
    }
    write(told)
  }

  // MARK: Alerts

  /// More listings than this do not wait for Bookmarks; a programme of a day has some ten.
  private static let pendingMax = 1_000

  /// Films that were found to be others, of a listing that was heard before.
  func hear(_ alert: LateAlert) {
    guard !isCatchingUp, output != nil, alert.number > seen.alert ?? .min else { return }
    seen.alert = alert.number
    write(alerts(alert.films, alert.change))
  }

  /// Alerts are numbered by the schedule's revisions: one beyond the newest is of a schedule that was begun anew.
  private func forgetAlertOfAnotherCount() {
    if let alert = seen.alert, let newest = hub.feed.revision, alert > newest { seen.alert = nil }
  }

  /// Which of these the user saved, near them: near is what they listen to and their favourite cinemas, and for who has
  /// neither every cinema. If that is not known yet it is told later, and no id before that.
  private func alerts(_ films: [ListedFilm], _ change: ScheduleChange) -> [LiveNotice] {
    guard let saved else { return [] }
    guard saved.isKnown, pending.isEmpty else {
      guard pending.count < Self.pendingMax else {
        pending = []
        fallBehind()
        return []
      }
      pending.append((films, change))
      saved.whenKnown(self) { [weak self] in self?.tellPending() }
      return []
    }
    return notices(films, change, saved)
  }

  private func notices(_ films: [ListedFilm], _ change: ScheduleChange, _ saved: SavedThings) -> [LiveNotice] {
    let near = saved.cinemasNow.union(topics.compactMap(\.cinema))
    guard near.isEmpty || near.contains(change.cinema) else { return [] }
    return films.filter { saved.films.contains($0.saved) }.map { film in
      .playing(film.listed, savedAs: film.saved, change)
    }
  }

  private func tellPending() {
    guard let saved else { return }
    let told = pending.flatMap { notices($0.films, $0.change, saved) }
    pending = []
    write(told)
  }

  // MARK: The user

  private func follow(_ user: UserID) async {
    while !Task.isCancelled, output != nil {
      do throws(RPCError) {
        let stream = try await hub.bookmarks.stream(WatchItems(user: user, since: seen.user, token: token))
        var isFirst = true
        for try await event in stream {
          if event.isReset == true {
            seen.user = event.revision
            saved?.forget()
            reset()
          } else if isFirst, seen.user == nil {
            seen.user = event.revision
          }
          // From here on it can come back and miss nothing: a place says so.
          if isFirst, pending.isEmpty { tellID() }
          isFirst = false
          guard event.change != nil || event.settingsChanged == true, event.revision >= seen.user ?? 0 else { continue }
          seen.user = event.revision
          if let change = event.change { saved?.follow(change) }
          write(LiveNotice.all(of: event))
        }
      } catch {
        // The user is gone, or has signed this device out: coming back, the reader hears it from the front desk.
        if error.code == .unauthenticated, error.origin != nil { return draining() }
      }
      guard (try? await hub.time.sleep(for: hub.limits.userPause)) != nil else { return }
    }
  }

  // MARK: Writing

  /// With the last of them goes how far the reader has come; while an alert waits, what is before it is not done yet.
  private func write(_ notices: [LiveNotice]) {
    guard output != nil else { return }
    for (place, notice) in notices.enumerated() {
      guard !isBehind else { return }
      guard queuedBytes < hub.limits.queueBytes else { return fallBehind() }
      delivered += 1
      hub.count { $0.delivered += 1 }
      let isLast = place == notices.count - 1 && pending.isEmpty
      if isLast { toldID = seen }
      write(notice.frame(id: isLast ? seen : nil))
    }
  }

  private func fallBehind() {
    isBehind = true
    hub.count { $0.slow += 1 }
  }

  /// Once it has read what waits for it, one that missed something is told so.
  func caughtBreath() {
    guard isBehind, queuedBytes < hub.limits.queueBytes / 2 else { return }
    isBehind = false
    reset()
  }

  func reset() {
    if hearsSchedule { seen.schedule = hub.feed.revision }
    forgetAlertOfAnotherCount()
    hub.count { $0.resets += 1 }
    if pending.isEmpty { toldID = seen }
    write(LiveNotice.reset(at: seen).frame(id: pending.isEmpty ? seen : nil))
  }

  /// - Parameter isQuiet: nothing is on its way to any reader, so this one has heard all there is: who is silent for days
  ///   is not told when it comes back that nobody remembers so much.
  func beat(isQuiet: Bool) {
    if isQuiet, hearsSchedule, !isCatchingUp, pending.isEmpty {
      seen.schedule = hub.feed.revision ?? seen.schedule
    }
    let isNews = pending.isEmpty && seen != toldID
    if isNews { toldID = seen }
    write((isNews ? LiveNotice.place.frame(id: seen) : []) + Array(":\n\n".utf8))
  }

  /// One that is behind has missed something: it comes back with an id from before that, or gets its
  /// `reset` first.
  private func tellID() {
    guard !isBehind else { return }
    toldID = seen
    write(LiveNotice.place.frame(id: seen))
  }

  private func write(_ bytes: [UInt8]) {
    output?.write(bytes)
    lastWrite = hub.time.now
  }
}

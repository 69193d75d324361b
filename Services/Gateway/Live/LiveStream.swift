import Clocks
import Contracts
import HTTP
import RPC

/// One reader's open stream of events.
final class LiveStream: EventReader {
  /// Each once. An array, which takes half of what a set does.
  let topics: [LiveTopic]
  let owner: String
  /// Nil for who has no session, as most have: then a stream is as small as that.
  private let session: Session?
  var place = EventPlace()
  private var seen: LiveID {
    didSet { if seen != oldValue { isPlaceTold = false } }
  }
  /// Whether the last id that was written says how far it has come.
  private var isPlaceTold = false
  private let arrival: Arrival
  /// Events are put off while those from before are fetched.
  private var isCatchingUp = false

  private let live: LiveHub
  private var catchingUp: Task<Void, Never>?

  /// What concerns the user alone.
  private final class Session {
    let user: UserID
    /// When the token was issued that says so: the stream ends when that is made void.
    let token: WallTime?
    /// Where the reader is, as far as it says so.
    let position: Coordinate?
    /// What the user saved; nil if the stream is not told of them.
    var saved: SavedThings?
    /// Films that began to play while it was not known what was saved, or where they play.
    var pending: [(films: [ListedFilm], change: ScheduleChange)] = []
    var following: Task<Void, Never>?

    init(_ user: UserID, _ token: WallTime?, _ position: Coordinate?) {
      self.user = user
      self.token = token
      self.position = position
    }
  }

  private enum Arrival {
    case new, resuming
    /// What it gave back was no id of ours.
    case lost
  }

  /// - Parameter resumes: what it gave back; empty, if that was no id of ours.
  init(
    _ live: LiveHub, topics: Set<LiveTopic>, owner: String, user: UserID?, token: WallTime?, position: Coordinate?,
    resumes: LiveID?
  ) {
    self.live = live
    self.topics = topics.sorted { $0.description < $1.description }
    self.owner = owner
    session = user.map { Session($0, token, position) }
    arrival = resumes.map { $0.isEmpty ? .lost : .resuming } ?? .new
    seen = resumes ?? LiveID()
  }

  var user: UserID? { session?.user }
  private var saved: SavedThings? { session?.saved }
  /// Whether an alert waits until it is known what was saved.
  private var isAlertPending: Bool { session?.pending.isEmpty == false }

  private var hub: EventHub<LiveStream> { live.hub }
  /// What it has seen of the schedule is counted: for films that begin to play also where only the user is listened to.
  private var hearsSchedule: Bool { topics != [.me] || hearsOfUser }
  /// Whether it is told what concerns its user.
  var hearsOfUser: Bool { user != nil && topics.contains(.me) }

  // MARK: Its life

  func began(_ output: any HTTPOutput) {
    hub.opened(self, output)
    let hello = LiveNotice.hello(version: live.version, topics: topics)
    let isNew = arrival != .resuming
    if isNew, hearsSchedule { seen.schedule = live.feed.revision }
    if hearsOfUser, let session {
      session.saved = live.savedThings(of: session.user)
      if isNew { seen.alert = live.lastAlert }
    }
    // To one that resumes, an id would say that it has what is still to come.
    write(hello.frame(id: isNew ? seen : nil))
    if arrival == .lost { hub.reset(self) }
    // Who is new while the schedule is followed has nothing to catch up with.
    if hearsSchedule, seen.schedule == nil || !isNew {
      isCatchingUp = true
      catchingUp = Task { [weak self] in await self?.catchUp() }
    }
    if hearsOfUser, let session {
      session.following = Task { [weak self, user = session.user, token = session.token] in
        await self?.follow(user, token)
      }
    }
  }

  func draining() { hub.dismiss(self) }

  func sayGoodbye(comeBackAfter milliseconds: Int64) { write(LiveNotice.bye(after: milliseconds).frame(id: nil)) }

  func ended() {
    hub.closed(self)
    catchingUp?.cancel()
    catchingUp = nil
    guard let session else { return }
    if session.saved != nil { live.letGo(of: session.user) }
    (session.saved, session.pending) = (nil, [])
    session.following?.cancel()
    session.following = nil
  }

  // MARK: The schedule

  private func catchUp() async {
    await live.feed.live()
    guard isOpen else { return }
    if arrival == .resuming, let since = seen.schedule { await live.feed.recall(after: since) }
    // After a restart all come back at once.
    hub.inTurn(of: self) { [weak self] in self?.hearMissed() }
    catchingUp = nil
  }

  /// What happened before and meanwhile is looked up in its turn: those who wait for theirs hold none of it.
  private func hearMissed() {
    if seen.schedule == nil { seen.schedule = live.feed.revision }
    if let since = seen.schedule, live.feed.remembered(after: since) == nil { hub.reset(self) }
    for event in seen.schedule.flatMap(live.feed.remembered(after:)) ?? [] { deliver(event) }
    isCatchingUp = false
    guard hearsOfUser else { return }
    forgetAlertOfAnotherCount()
    if let alerts = live.lateAlerts(after: seen.alert) {
      for alert in alerts { hear(alert) }
    } else {
      hub.reset(self)
    }
  }

  /// An event that just happened.
  func hear(_ event: ScheduleEvent, _ notices: [LiveNotice]) {
    guard !isCatchingUp, hearsSchedule else { return }
    send(notices, event)
  }

  /// Something that no id is given for: who comes back reads anew what it shows.
  func hear(_ notices: [LiveNotice]) {
    guard isOpen else { return }
    write(notices.filter { !$0.topics.isDisjoint(with: topics) })
  }

  /// Whether the user has a station among their favourites.
  func likes(_ station: StationID) -> Bool { saved?.stations.contains(station) ?? false }

  func hearOfStation(_ notice: LiveNotice) { write([notice]) }

  private func deliver(_ event: ScheduleEvent) { send(LiveNotice.all(of: event), event) }

  private func send(_ notices: [LiveNotice], _ event: ScheduleEvent) {
    guard isOpen, event.revision > seen.schedule ?? .min else { return }
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
    guard !isCatchingUp, isOpen, alert.number > seen.alert ?? .min else { return }
    seen.alert = alert.number
    write(alerts(alert.films, alert.change))
  }

  /// Alerts are numbered by the schedule's revisions: one beyond the newest is of a schedule that was begun anew.
  private func forgetAlertOfAnotherCount() {
    if let alert = seen.alert, let newest = live.feed.revision, alert > newest { seen.alert = nil }
  }

  /// Which of these the user saved, near them. If that is not known yet it is told later, and no id before that.
  private func alerts(_ films: [ListedFilm], _ change: ScheduleChange) -> [LiveNotice] {
    guard let session, session.saved != nil else { return [] }
    guard session.pending.count < Self.pendingMax else {
      session.pending = []
      hub.missed(self)
      return []
    }
    session.pending.append((films, change))
    return settled(session)
  }

  /// What can be told of that which waits, in its order.
  private func settled(_ session: Session) -> [LiveNotice] {
    guard let saved = session.saved else { return [] }
    var told: [LiveNotice] = []
    var count = 0
    for (films, change) in session.pending {
      guard saved.isKnown else {
        saved.whenKnown(self) { [weak self] in self?.tellPendingInTurn() }
        break
      }
      let mine = films.filter { saved.films.contains($0.saved) }
      if !mine.isEmpty {
        guard let isNear = isNear(change.cinema, session, saved) else {
          live.listed.whenKnown(change.cinema, self) { [weak self] in self?.tellPendingInTurn() }
          break
        }
        if isNear { told += mine.map { .playing($0.listed, savedAs: $0.saved, change) } }
      }
      count += 1
    }
    session.pending.removeFirst(count)
    return told
  }

  /// Near is what they listen to, their favourite cinemas, and what is around where they are; without a position, what is
  /// in the region that they chose. Nil while nobody knows where the cinema is.
  private func isNear(_ id: CinemaID, _ session: Session, _ saved: SavedThings) -> Bool? {
    if topics.contains(.cinema(id)) || saved.cinemasNow.contains(id) { return true }
    guard session.position != nil || saved.region != nil else { return false }
    return live.listed[id].map { cinema in
      guard let cinema else { return false }
      guard let position = session.position else { return cinema.region == saved.region }
      return position.metres(to: cinema.position) <= HomeCoordinator.nearMetres
    }
  }

  private func tellPendingInTurn() {
    hub.inTurn(of: self) { [weak self] in
      guard let self, let session else { return }
      write(settled(session))
    }
  }

  // MARK: The user

  private func follow(_ user: UserID, _ token: WallTime?) async {
    while !Task.isCancelled, isOpen {
      do throws(RPCError) {
        let stream = try await live.bookmarks.stream(WatchItems(user: user, since: seen.user, token: token))
        var isFirst = true
        for try await event in stream {
          // After a restart of Bookmarks all streams hear from it at once.
          hub.inTurn(of: self) { [weak self, isFirst] in self?.hear(event, isFirst: isFirst) }
          isFirst = false
        }
      } catch {
        // The user is gone, or has signed this device out: coming back, the reader hears it from the front desk.
        if error.code == .unauthenticated, error.origin != nil { return draining() }
      }
      guard (try? await live.time.sleep(for: live.limits.userPause)) != nil else { return }
    }
  }

  private func hear(_ event: ItemEvent, isFirst: Bool) {
    if event.isReset == true {
      seen.user = event.revision
      saved?.forget()
      hub.reset(self)
    } else if isFirst, seen.user == nil {
      seen.user = event.revision
    }
    // From here on it can come back and miss nothing: a place says so.
    if isFirst, !isAlertPending { tellID() }
    guard event.change != nil || event.settingsChanged == true, event.revision >= seen.user ?? 0 else { return }
    seen.user = event.revision
    if let change = event.change { saved?.follow(change) }
    // The region may be another one.
    if event.settingsChanged == true { saved?.forget() }
    write(LiveNotice.all(of: event))
  }

  // MARK: Writing

  /// With the last of them goes how far the reader has come; while an alert waits, what is before it is not done yet.
  private func write(_ notices: [LiveNotice]) {
    for (place, notice) in notices.enumerated() {
      guard hub.hasRoom(self) else { return }
      let isLast = place == notices.count - 1 && !isAlertPending
      if isLast { isPlaceTold = true }
      hub.deliver(notice.frame(id: isLast ? seen : nil), to: self)
    }
  }

  func reset() {
    if hearsSchedule { seen.schedule = live.feed.revision }
    forgetAlertOfAnotherCount()
    if !isAlertPending { isPlaceTold = true }
    write(LiveNotice.reset(at: seen).frame(id: isAlertPending ? nil : seen))
  }

  /// It has heard all there is: who is silent for days is not told when it comes back that nobody remembers so much.
  func beat() {
    if hearsSchedule, !isCatchingUp, !isAlertPending {
      seen.schedule = live.feed.revision ?? seen.schedule
    }
    let isNews = !isAlertPending && !isPlaceTold && !seen.isEmpty
    if isNews { isPlaceTold = true }
    write((isNews ? LiveNotice.place.frame(id: seen) : []) + Array(":\n\n".utf8))
  }

  /// One that is behind has missed something: it comes back with an id from before that, or gets its
  /// `reset` first.
  private func tellID() {
    guard !isBehind else { return }
    isPlaceTold = true
    write(LiveNotice.place.frame(id: seen))
  }

  private func write(_ bytes: [UInt8]) { hub.write(bytes, to: self) }
}

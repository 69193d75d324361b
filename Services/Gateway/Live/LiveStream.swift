import Clocks
import Contracts
import HTTP
import RPC

/// One reader's open stream of events.
final class LiveStream: HTTPStreamBody {
  let topics: Set<LiveTopic>
  let owner: String
  let user: UserID?
  let openedAt: Instant
  private(set) var seen: LiveID
  private(set) var delivered = 0
  /// Events are put off while those from before are fetched.
  private(set) var isCatchingUp = false
  /// It did not read, and missed something.
  private(set) var isBehind = false
  var lastWrite: Instant

  private let hub: LiveHub
  /// What the user waits for.
  let alerts: BookmarkAlerts
  /// What it gave back; empty, if that was no id of ours.
  private let resumes: LiveID?
  private var output: (any HTTPOutput)?
  private var tasks: [Task<Void, Never>] = []

  init(hub: LiveHub, topics: Set<LiveTopic>, owner: String, user: UserID?, resumes: LiveID?, now: Instant) {
    self.hub = hub
    self.topics = topics
    self.owner = owner
    self.user = user
    self.resumes = resumes
    openedAt = now
    alerts = BookmarkAlerts(
      user: user, cinemas: topics.compactMap(\.cinema),
      bookmarks: hub.bookmarks)
    lastWrite = now
    seen = resumes ?? LiveID()
  }

  var queuedBytes: Int { output?.queuedBytes ?? 0 }
  private var hearsSchedule: Bool { topics != [.me] }
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
    alerts.end()
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
  }

  /// An event that just happened.
  func hear(_ event: ScheduleEvent, _ notices: [LiveNotice]) {
    guard !isCatchingUp, hearsSchedule else { return }
    send(notices, event.revision)
  }

  /// Something that no id is given for: who comes back reads anew what it shows.
  func hear(_ notices: [LiveNotice]) {
    guard output != nil else { return }
    write(notices.filter { !$0.topics.isDisjoint(with: topics) })
  }

  private func deliver(_ event: ScheduleEvent) { send(LiveNotice.all(of: event), event.revision) }

  private func send(_ notices: [LiveNotice], _ revision: Int64) {
    guard revision > seen.schedule ?? .min else { return }
    seen.schedule = revision
    write(notices.filter { !$0.topics.isDisjoint(with: topics) })
  }

  // MARK: The user

  private func follow(_ user: UserID) async {
    while !Task.isCancelled, output != nil {
      do throws(RPCError) {
        let stream = try await hub.bookmarks.stream(WatchItems(user: user, since: seen.user))
        var isFirst = true
        for try await event in stream {
          if event.isReset == true {
            seen.user = event.revision
            alerts.forget()
            reset()
          } else if isFirst, seen.user == nil {
            seen.user = event.revision
          }
          // From here on it can come back and miss nothing: an id without an event says so.
          if isFirst { write(Array("id: \(seen)\n\n".utf8)) }
          isFirst = false
          guard event.change != nil || event.settingsChanged == true, event.revision >= seen.user ?? 0 else { continue }
          seen.user = event.revision
          if let change = event.change { alerts.follow(change) }
          write(LiveNotice.all(of: event))
        }
      } catch {
        // The user is gone: coming back, the reader hears it from the front desk.
        if error.code == .unauthenticated { return draining() }
      }
      guard (try? await hub.time.sleep(for: hub.limits.userPause)) != nil else { return }
    }
  }

  // MARK: Writing

  private func write(_ notices: [LiveNotice]) { write(notices, id: seen) }

  /// - Parameter id: how far the reader has come with the last of them; nil if they are no step of any log.
  func write(_ notices: [LiveNotice], id: LiveID?) {
    guard output != nil else { return }
    for (place, notice) in notices.enumerated() {
      guard !isBehind else { return }
      guard queuedBytes < hub.limits.queueBytes else {
        isBehind = true
        hub.count { $0.slow += 1 }
        return
      }
      delivered += 1
      hub.count { $0.delivered += 1 }
      write(notice.frame(id: place == notices.count - 1 ? id : nil))
    }
  }

  /// Once it has read what waits for it, one that missed something is told so.
  func caughtBreath() {
    guard isBehind, queuedBytes < hub.limits.queueBytes / 2 else { return }
    isBehind = false
    seen.schedule = hearsSchedule ? hub.feed.revision : nil
    reset()
  }

  func reset() {
    if hearsSchedule { seen.schedule = hub.feed.revision }
    hub.count { $0.resets += 1 }
    write(LiveNotice.reset(at: seen).frame(id: seen))
  }

  func beat() { write(Array(":\n\n".utf8)) }

  private func write(_ bytes: [UInt8]) {
    output?.write(bytes)
    lastWrite = hub.time.now
  }
}

package import Clocks
package import Contracts

/// Who waits for changes of whom.
///
/// It is told of a change when the change is durable, and hands it on at once. It is only a shortcut: a watcher knows by
/// the revisions when it has missed something, and then reads the store.
package final class WatchHub {
  private let limits: BookmarkLimits
  private var watchers: [UserID: [Watcher]] = [:]
  private var isClosed = false
  package private(set) var count = 0 {
    didSet { onCount?(count) }
  }
  /// Told how many there are, for the metrics.
  var onCount: ((Int) -> Void)?

  package init(limits: BookmarkLimits = BookmarkLimits()) { self.limits = limits }

  /// A watcher that hears of everything from now on. Give it back with `leave`.
  ///
  /// - Parameter token: when the token was issued with which it is asked for, if the asker says so.
  package func watch(_ user: UserID, token: WallTime? = nil) throws(BookmarkError) -> Watcher {
    guard !isClosed else { throw .goingDown }
    guard count < limits.watchers else { throw .tooManyWatchersInAll(limit: limits.watchers) }
    guard watchers[user, default: []].count < limits.watchersPerUser else {
      throw .tooManyWatchers(limit: limits.watchersPerUser)
    }
    let watcher = Watcher(user, token)
    watchers[user, default: []].append(watcher)
    count += 1
    return watcher
  }

  package func leave(_ watcher: Watcher) {
    guard var others = watchers[watcher.user], let place = others.firstIndex(where: { $0 === watcher }) else { return }
    others.remove(at: place)
    watchers[watcher.user] = others.isEmpty ? nil : others
    count -= 1
  }

  /// One item changed.
  package func publish(_ change: ItemChange, of user: UserID) {
    for watcher in watchers[user] ?? [] { watcher.hear(change) }
  }

  /// So many items changed at once, several if nobody counted; this is the revision of the last.
  package func publish(revision: Int64, count: Int = 2, of user: UserID) {
    for watcher in watchers[user] ?? [] { watcher.hear(revision: revision, count: count) }
  }

  package func publishSettings(of user: UserID) {
    for watcher in watchers[user] ?? [] { watcher.hearOfSettings() }
  }

  /// The user is gone.
  package func end(_ user: UserID) {
    for watcher in watchers[user] ?? [] { watcher.end(.unknownUser) }
  }

  /// The user signed a device out, or all: ends what is watched with tokens that no longer hold.
  ///
  /// - Parameter ofAll: those too of which nobody knows the token.
  package func end(_ user: UserID, but tokens: UserTokens, ofAll: Bool) {
    for watcher in watchers[user] ?? [] where !(watcher.token.map(tokens.hold) ?? !ofAll) {
      watcher.end(.sessionEnded)
    }
  }

  /// Nobody is told anything any more: each goes on elsewhere.
  package func close() {
    isClosed = true
    for watcher in watchers.values.joined() { watcher.end(.goingDown) }
  }
}

/// What one stream has not told its reader yet.
package final class Watcher {
  package enum News: Hashable, Sendable {
    /// The change that follows the position.
    case change(ItemChange)
    /// There is more than what is known here: ask the store.
    case behind
    /// So much changed at once, up to this revision, that reading everything anew is less than hearing of each.
    case anew(Int64)
    case settings
  }

  /// Changes kept for a reader that is slow; of more, only the newest revision is remembered.
  private static let changesMax = 64

  let user: UserID
  fileprivate let token: WallTime?
  private var changes: [ItemChange] = []
  private var latest: Int64 = 0
  /// Of the last change of more items than anybody is told one by one.
  private var many: Int64 = 0
  private var hasNewSettings = false
  private var ending: BookmarkError?
  private var reader: UnsafeContinuation<Void, Never>?

  fileprivate init(_ user: UserID, _ token: WallTime?) {
    self.user = user
    self.token = token
  }

  fileprivate func hear(_ change: ItemChange) {
    latest = max(latest, change.revision)
    // Without one that did not fit the rest is of no use: the reader will ask the store.
    if changes.count < Self.changesMax { changes.append(change) }
    wake()
  }

  fileprivate func hear(revision: Int64, count: Int) {
    latest = max(latest, revision)
    if count > Self.changesMax { many = max(many, revision) }
    wake()
  }

  fileprivate func hearOfSettings() {
    hasNewSettings = true
    wake()
  }

  fileprivate func end(_ error: BookmarkError) {
    ending = ending ?? error
    wake()
  }

  /// What comes after a revision, as soon as there is something.
  package func next(after position: Int64) async throws -> News {
    while true {
      if let ending { throw ending }
      if let place = changes.firstIndex(where: { $0.revision > position }) {
        changes.removeFirst(place)
      } else {
        changes.removeAll(keepingCapacity: true)
      }
      if hasNewSettings {
        hasNewSettings = false
        return .settings
      }
      if many > position { return .anew(many) }
      if let first = changes.first, first.revision == position + 1 {
        changes.removeFirst()
        return .change(first)
      }
      if latest > position { return .behind }
      await wait()
      try Task.checkCancellation()
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { reader = continuation }
      }
    } onCancel: {
      Task { @MainActor in self.wake() }
    }
  }

  private func wake() {
    reader?.resume()
    reader = nil
  }
}

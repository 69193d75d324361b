import Contracts
import RPC

/// One stream of a user's changes: those after a revision, then those to come, each once and in order.
struct ItemWatch {
  let request: WatchItems
  let store: any BookmarkStore
  let hub: WatchHub
  let pageChanges: Int
  /// A call to the store, made now.
  let call: () -> StoreCall

  func run(_ writer: StreamWriter<ItemEvent>) async throws {
    // First listening, then reading: what is changed between the two is heard of and is behind the position that was
    // read, or is in it.
    let watcher = try hub.watch(request.user, token: request.token)
    defer { hub.leave(watcher) }
    if let token = request.token {
      let profile = try await store.profile(of: request.user, withCounts: false, call())
      guard UserTokens(profile).hold(token) else { throw BookmarkError.sessionEnded }
    }
    var position = try await begin(writer)
    while true {
      switch try await watcher.next(after: position) {
      case .change(let change):
        try await writer.send(ItemEvent(revision: change.revision, change: change))
        position = change.revision
      case .settings: try await writer.send(ItemEvent(revision: position, settingsChanged: true))
      case .anew(let revision):
        try await writer.send(ItemEvent(revision: revision, isReset: true))
        position = revision
      case .behind: position = try await catchUp(from: position, writer)
      }
    }
  }

  /// Tells where the stream begins, and what of it has been already.
  private func begin(_ writer: StreamWriter<ItemEvent>) async throws -> Int64 {
    let log = try await store.position(of: request.user, call())
    let since = request.since ?? log.revision
    guard since >= 0 else { throw BookmarkError.invalid("since is \(since); give a revision, or leave it out") }
    guard !log.isReset(since: since) else {
      try await writer.send(ItemEvent(revision: log.revision, isReset: true))
      return log.revision
    }
    try await writer.send(ItemEvent(revision: since))
    return since < log.revision ? try await catchUp(from: since, writer) : since
  }

  private func catchUp(from since: Int64, _ writer: StreamWriter<ItemEvent>) async throws -> Int64 {
    var position = since
    while true {
      // Negative while a listing from the beginning goes on.
      let page = try await store.changes(of: request.user, since: position, kind: nil, limit: pageChanges, call())
      guard !page.isReset else {
        // The reader was so slow that what it missed is forgotten.
        let log = try await store.position(of: request.user, call())
        try await writer.send(ItemEvent(revision: log.revision, isReset: true))
        return log.revision
      }
      for change in page.changes {
        try await writer.send(ItemEvent(revision: change.revision, change: change))
      }
      position = page.revision
      guard page.hasMore else { return Int64(clamping: position.magnitude) }
    }
  }
}

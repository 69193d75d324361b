import Bookmarks
import Clocks
import Contracts
import RPC
import TestKit
import Testing

@Suite("Watching", .timeLimit(.minutes(5)))
@MainActor
struct WatchTests {
  /// Reads a stream until a revision, as a screen does.
  private func events(_ stream: RPCStream<ItemEvent>, until revision: Int64) async throws -> [ItemEvent] {
    var events: [ItemEvent] = []
    for try await event in stream {
      events.append(event)
      if event.change != nil, event.revision >= revision { break }
    }
    return events
  }

  @Test("a change reaches every watcher of its user at once, and nobody else", arguments: StoreKind.allCases)
  func fanOut(kind: StoreKind) async throws {
    let rig = try await Rig(kind)
    let (user, other) = (try await rig.open(), try await rig.open())
    var streams: [RPCStream<ItemEvent>.Iterator] = []
    for _ in 0..<3 {
      var stream = try await rig.client.stream(WatchItems(user: user)).makeAsyncIterator()
      #expect(try await stream.next() == ItemEvent(revision: 0))
      streams.append(stream)
    }
    _ = try await rig.save("elsewhere", other)
    let saved = try await rig.save("film_1", user)
    _ = try await rig.remove("film_1", user)
    for index in streams.indices {
      let first = try await streams[index].next()
      #expect(first?.change == ItemChange(revision: 1, kind: .film, id: "film_1", isRemoved: false, item: saved.item))
      #expect(try await streams[index].next()?.change?.isRemoved == true)
    }
    _ = try await rig.client.call(ChangeSettings(user: user, settings: UserSettings(theme: "dark")))
    for index in streams.indices {
      #expect(try await streams[index].next() == ItemEvent(revision: 2, settingsChanged: true))
    }
    await rig.close()
  }

  @Test("a stream that goes on since a revision has every change once, in order")
  func resume() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    for number in 0..<700 { _ = try await rig.save("film_\(number)", user) }
    let all = try await events(try await rig.client.stream(WatchItems(user: user, since: 0)), until: 700)
    #expect(all.map(\.revision) == Array(0...700))
    let some = try await events(try await rig.client.stream(WatchItems(user: user, since: 690)), until: 700)
    #expect(some.map(\.revision) == Array(690...700) && some[0].change == nil)
    var wrong = try await rig.client.stream(WatchItems(user: user, since: 999)).makeAsyncIterator()
    #expect(try await wrong.next() == ItemEvent(revision: 700, isReset: true))
    _ = try await rig.save("film_1", user, note: "x")
    #expect(try await wrong.next()?.revision == 701)
    await rig.close()
  }

  @Test("what is written between the reading of the log and the watching is told, though nothing follows it")
  func window() async throws {
    let memory = MemoryBookmarks()
    let rig = Rig(OpenStore(memory))
    let user = try await rig.open()
    for since in [nil, 1] as [Int64?] {
      let before = try await rig.save("before", user, note: "\(since ?? -1)").revision
      memory.afterPosition = { _ = try await rig.save("meanwhile", user, note: "\(since ?? -1)") }
      var stream = try await rig.client.stream(WatchItems(user: user, since: since)).makeAsyncIterator()
      var revisions: [Int64] = []
      while revisions.last ?? 0 <= before { revisions.append(try #require(try await stream.next()).revision) }
      #expect(revisions.last == before + 1 && revisions == revisions.sorted())
    }
  }

  @Test("whoever begins to watch while others write misses nothing and hears nothing twice")
  func races() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    let writes = 600
    let writing = Task { @MainActor in
      for number in 1...writes {
        // Each its own thing, so that every revision is the last state of something.
        _ = try await rig.save("film_\(number)", user)
        if number % 50 == 0 {
          let items = (0..<3).map { NewItem(kind: .cinema, id: "cinema_\(number)_\($0)") }
          _ = try await rig.client.call(ImportItems(user: user, items: items), CallOptions(key: rig.newKey()))
        }
      }
    }
    let last = Int64(writes + writes / 50 * 3)
    var watchers: [Task<[Int64], any Error>] = []
    var random = SeededRandom(seed: 3)
    for _ in 0..<12 {
      // At whatever point the writer is by then.
      for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
      let since = Bool.random(using: &random) ? Int64(0) : nil
      let stream = try await rig.client.stream(WatchItems(user: user, since: since))
      watchers.append(Task { @MainActor in try await events(stream, until: last).map(\.revision) })
    }
    try await writing.value
    for watcher in watchers {
      let revisions = try await watcher.value
      let first = try #require(revisions.first)
      #expect(revisions == Array(first...last), "from \(first): \(revisions.count) events")
    }
    await rig.close()
  }

  @Test("an import of many things is one event, one of few is told thing by thing", arguments: [64, 65, 1_000])
  func imports(count: Int) async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    var stream = try await rig.client.stream(WatchItems(user: user)).makeAsyncIterator()
    _ = try await stream.next()
    let items = (0..<count).map { NewItem(kind: .film, id: "film_\($0)") }
    _ = try await rig.client.call(ImportItems(user: user, items: items), CallOptions(key: rig.newKey()))
    _ = try await rig.save("film_last", user)
    var told: [ItemEvent] = []
    while told.last?.revision != Int64(count + 1) { told.append(try #require(try await stream.next())) }
    if count <= 64 {
      #expect(told.map(\.revision) == Array(1...Int64(count + 1)) && told.allSatisfy { $0.isReset != true })
    } else {
      #expect(told.first == ItemEvent(revision: Int64(count), isReset: true))
      #expect(told.count == 2 && told.last?.change?.id == "film_last")
    }
    await rig.close()
  }

  @Test("a reader that is slow is told everything in the end, from the store")
  func slow() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    let stream = try await rig.client.stream(WatchItems(user: user, since: 0))
    // More than its stream and its watcher hold.
    for number in 1...400 { _ = try await rig.save("film_\(number)", user) }
    #expect(try await events(stream, until: 400).map(\.revision) == Array(0...400))
    await rig.close()
  }

  @Test("a reader so slow that what it missed is forgotten is told to begin anew")
  func tooSlow() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    var stream = try await rig.client.stream(WatchItems(user: user)).makeAsyncIterator()
    _ = try await stream.next()
    for number in 1...300 { _ = try await rig.save("film_\(number)", user) }
    for number in 1...300 { _ = try await rig.remove("film_\(number)", user) }
    rig.time.advance(by: .days(31))
    try await rig.housekeeping.purge()
    var resets = 0
    var position: Int64 = 0
    while position < 600 {
      let event = try #require(try await stream.next())
      if event.isReset == true { resets += 1 }
      #expect(event.revision > position)
      position = event.revision
    }
    #expect(resets == 1)
    await rig.close()
  }

  @Test("streams end with their user, and when the service goes down")
  func ends() async throws {
    let rig = try await Rig()
    let (user, other) = (try await rig.open(), try await rig.open())
    var stream = try await rig.client.stream(WatchItems(user: user)).makeAsyncIterator()
    var others = try await rig.client.stream(WatchItems(user: other)).makeAsyncIterator()
    _ = try await stream.next()
    _ = try await others.next()
    _ = try await rig.client.call(EraseUser(user: user))
    #expect(await code { try await stream.next() } == .unauthenticated)
    rig.handlers.hub.close()
    #expect(await code { try await others.next() } == .unavailable)
    #expect(rig.handlers.hub.count == 0)
    await rig.close()
  }

  @Test("a user's streams have a bound, and those that were left make room")
  func bound() async throws {
    var limits = BookmarkLimits()
    limits.watchersPerUser = 2
    let rig = try await Rig(limits: limits)
    let user = try await rig.open()
    var first = try await rig.client.stream(WatchItems(user: user)).makeAsyncIterator()
    var second: RPCStream<ItemEvent>.Iterator? = try await rig.client.stream(WatchItems(user: user)).makeAsyncIterator()
    _ = try await first.next()
    _ = try await second?.next()
    var third = try await rig.client.stream(WatchItems(user: user)).makeAsyncIterator()
    #expect(await code { try await third.next() } == .resourceExhausted)
    second = nil
    while rig.handlers.hub.count > 1 { await Task.yield() }
    var fourth = try await rig.client.stream(WatchItems(user: user)).makeAsyncIterator()
    #expect(try await fourth.next() == ItemEvent(revision: 0))
    await rig.close()
  }

  @Test("whoever finds no room is told which bound was reached")
  func total() async throws {
    var limits = BookmarkLimits()
    limits.watchers = 1
    let rig = try await Rig(limits: limits)
    let (user, other) = (try await rig.open(), try await rig.open())
    var stream = try await rig.client.stream(WatchItems(user: user)).makeAsyncIterator()
    _ = try await stream.next()
    var refused = try await rig.client.stream(WatchItems(user: other)).makeAsyncIterator()
    do {
      _ = try await refused.next()
      Issue.record("it was let in")
    } catch {
      #expect(error.code == .resourceExhausted && error.message.contains("of all users"), "\(error.message)")
      #expect(error.retryAfter != nil)
    }
    await rig.close()
  }

  @Test("a device that signs out ends its own stream and no other's, and begins none with its token")
  func signedOut() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    let (left, right) = (rig.time.wall, rig.time.wall.after(.seconds(1)))
    rig.time.advance(by: .seconds(2))
    var stream = try await rig.client.stream(WatchItems(user: user, token: left)).makeAsyncIterator()
    var other = try await rig.client.stream(WatchItems(user: user, token: right)).makeAsyncIterator()
    var nameless = try await rig.client.stream(WatchItems(user: user)).makeAsyncIterator()
    _ = try await stream.next()
    _ = try await other.next()
    _ = try await nameless.next()
    _ = try await rig.client.call(RevokeTokens(user: user, issuedAt: left))
    _ = try await rig.save("film_1", user)
    #expect(await code { try await stream.next() } == .unauthenticated)
    #expect(try await other.next()?.revision == 1)
    #expect(try await nameless.next()?.revision == 1)
    var again = try await rig.client.stream(WatchItems(user: user, token: left)).makeAsyncIterator()
    #expect(await code { try await again.next() } == .unauthenticated)
    _ = try await rig.client.call(RevokeTokens(user: user))
    #expect(await code { try await other.next() } == .unauthenticated)
    #expect(await code { try await nameless.next() } == .unauthenticated)
    await rig.close()
  }

  @Test("a user who signs every device out ends all of their streams")
  func signedOutEverywhere() async throws {
    let rig = try await Rig()
    let (user, other) = (try await rig.open(), try await rig.open())
    var stream = try await rig.client.stream(WatchItems(user: user)).makeAsyncIterator()
    var others = try await rig.client.stream(WatchItems(user: other)).makeAsyncIterator()
    _ = try await stream.next()
    _ = try await others.next()
    _ = try await rig.client.call(RevokeTokens(user: user))
    _ = try await rig.save("film_1", user)
    #expect(await code { try await stream.next() } == .unauthenticated)
    _ = try await rig.save("film_1", other)
    #expect(try await others.next()?.revision == 1)
    await rig.close()
  }
}

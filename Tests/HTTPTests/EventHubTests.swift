import Clocks
import EventLoops
import HTTP
import Testing

@MainActor
@Suite("Event streams")
struct EventHubTests {
  /// A server with one route of events, and its hub.
  @MainActor
  final class Events {
    let time = TurnTime()
    let hub: EventHub
    let server: HTTPServer

    init(_ change: (inout EventLimits) -> Void = { _ in }) {
      var limits = EventLimits()
      limits.streamsPerOwner = 10_000
      change(&limits)
      let hub = EventHub(epoch: "e1", limits: limits, time: time)
      var router = HTTPRouter()
      router.get("/events", query: ["topics", "last", "owner"]) { request in
        var query = request.query
        let (topics, last, owner) = (query.list("topics"), query.string("last"), query.string("owner"))
        try query.finish()
        return try hub.answer(topics: topics, after: request["last-event-id"] ?? last, owner: owner ?? "one")
      }
      router.get("/hello") { _ in .text("hello") }
      var options = HTTPServer.Options()
      options.limits.connectionsPerAddress = 100_000
      self.hub = hub
      server = HTTPServer(router: router, options: options, time: time)
    }

    func open(_ topics: String = "a", last: String? = nil, owner: String = "one", window: Int = .max) -> MemoryStream {
      let stream = MemoryStream()
      stream.window = window
      server.accept(stream)
      let resume = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
      stream.arrive(HTTPFixture.get("/events?topics=\(topics)&owner=\(owner)", resume))
      return stream
    }

    func publish(_ data: String, topic: String = "a", key: String? = nil) {
      hub.publish(ServerEvent(topic: topic, name: "changed", data: Array(data.utf8), key: key))
    }

    /// Goes through turns of the loop until there is nothing left to do.
    func run(_ streams: [MemoryStream]) {
      repeat {
        time.turn()
        for stream in streams { stream.turn() }
      } while time.isDue
    }

    /// Lets seconds pass, and what they bring happen.
    func pass(seconds: Int, _ streams: [MemoryStream], each: () -> Void = {}) {
      for _ in 0..<seconds {
        each()
        time.now = time.now + .seconds(1)
        run(streams)
      }
    }
  }

  /// The events' data of what a client has read.
  static func data(_ stream: MemoryStream) -> [String] {
    String(decoding: stream.sent, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("data: ") }
      .map { String($0.dropFirst(6)) }
  }

  @Test("a stream begins with its head and what to do when it breaks, and brings events as they happen")
  func stream() {
    let events = Events()
    let stream = events.open("a,b")
    events.run([stream])
    let reply = Reply.all(in: stream.takeSent()).first
    #expect(reply?.status == 200 && reply?["Content-Type"] == "text/event-stream")
    #expect(reply?["Cache-Control"] == "no-store" && reply?["Content-Length"] == nil && reply?["Connection"] == "close")
    #expect(reply?.body == "retry: 3000\n:ok\n\n")
    events.publish("one")
    events.publish("no", topic: "c")
    events.publish("two\nlines", topic: "b")
    events.run([stream])
    #expect(
      String(decoding: stream.takeSent(), as: UTF8.self)
        == "id: e1-0\nevent: changed\ndata: one\n\nid: e1-2\nevent: changed\ndata: two\ndata: lines\n\n")
  }

  @Test("one event to 5,000 streams reaches all, at most 256 in a turn")
  func slices() {
    let events = Events()
    let streams = (0..<5_000).map { _ in events.open() }
    events.run(streams)
    #expect(events.hub.streams == 5_000)
    #expect(events.hub.counters.largestSlice == 256)
    for stream in streams { _ = stream.takeSent() }
    let before = events.hub.counters.slices
    for round in 0..<3 { events.publish("\(round)") }
    var turns = 0
    while streams.contains(where: { $0.sent.isEmpty && $0.queuedBytes == 0 }), turns < 1_000 {
      let written = streams.count { $0.queuedBytes > 0 }
      events.time.turn()
      #expect(streams.count { $0.queuedBytes > 0 } - written <= 256)
      turns += 1
    }
    for stream in streams { stream.turn() }
    #expect(turns == 20 && events.hub.counters.slices - before == 20)
    #expect(streams.allSatisfy { Self.data($0) == ["0", "1", "2"] })
    #expect(events.hub.counters.delivered == 15_000 && events.hub.counters.resets == 0)
    #expect(streams.allSatisfy { $0.writes == 1 + 1 + 3 })
  }

  @Test("who comes back gets what was missed, once, and then what comes")
  func resume() {
    let events = Events()
    for index in 0..<10 { events.publish("\(index)", topic: index % 2 == 0 ? "a" : "b") }
    let stream = events.open("a", last: "e1-3")
    events.publish("10")
    events.run([stream])
    #expect(Self.data(stream) == ["4", "6", "8", "10"])
    #expect(events.hub.counters.resumed == 1)
    let current = events.open("a", last: "e1-10")
    events.run([current])
    #expect(Self.data(current) == [])
  }

  @Test("who comes back too late, or from another process, is told to read everything again")
  func reset() {
    let events = Events { $0.ringEvents = 4 }
    for index in 0..<10 { events.publish("\(index)") }
    for last in ["e1-2", "e0-7", "nonsense", "e1-99"] {
      let stream = events.open("a", last: last)
      events.publish("new")
      events.run([stream])
      #expect(Self.data(stream) == ["{}", "new"], "\(last)")
      #expect(String(decoding: stream.sent, as: UTF8.self).contains("event: reset\n"))
    }
    #expect(events.hub.counters.resets == 4)
  }

  @Test("the ring is bounded by count, bytes and age")
  func ring() {
    let events = Events {
      $0.ringEvents = 100
      $0.ringBytes = 1_000
      $0.ringAge = .seconds(60)
    }
    for index in 0..<50 { events.publish("\(index)") }
    let kept = events.hub.oldestID
    #expect(kept != "e1-0" && events.hub.newestID == "e1-49")
    events.publish(String(repeating: "x", count: 5_000))
    #expect(events.hub.oldestID == "e1-50", "a larger event than the ring is kept alone")
    let stream = events.open()
    events.pass(seconds: 61, [stream])
    #expect(events.hub.oldestID == nil)
    events.publish("after")
    events.run([stream])
    #expect(Self.data(stream) == ["after"], "a client that had everything is not reset when the ring ages")
  }

  @Test("a client that does not read holds a bounded queue, and misses nothing if it reads in time")
  func slowClient() {
    let events = Events { $0.queueBytes = 10_000 }
    let stream = events.open()
    let other = events.open()
    events.run([stream, other])
    stream.window = 0
    let text = String(repeating: "x", count: 900)
    for index in 0..<100 { events.publish("\(index)-\(text)") }
    events.run([stream, other])
    #expect(stream.queuedBytes < 11_000 && stream.end == nil)
    #expect(Self.data(other).count == 100, "the others do not wait for it")
    stream.window = .max
    events.pass(seconds: 1, [stream])
    #expect(Self.data(stream).map { $0.prefix { $0 != "-" } } == (0..<100).map { "\($0)" })
  }

  @Test("a client that falls out of the ring is reset and goes on")
  func fallsBehind() {
    let events = Events {
      $0.queueBytes = 1_000
      $0.ringEvents = 10
    }
    let stream = events.open()
    events.run([stream])
    stream.window = 0
    for index in 0..<100 {
      events.publish("\(index)-" + String(repeating: "x", count: 300))
      events.run([stream])
    }
    #expect(events.hub.counters.resets == 0, "there is no room to tell it")
    stream.window = .max
    events.pass(seconds: 1, [stream])
    events.publish("last")
    events.run([stream])
    #expect(events.hub.counters.resets == 1)
    #expect(Self.data(stream).suffix(2) == ["{}", "last"])
  }

  @Test("a client that takes nothing for 10 s is cut off")
  func stalled() {
    let events = Events()
    let stream = events.open()
    events.run([stream])
    stream.window = 0
    events.publish("x")
    events.pass(seconds: 12, [stream])
    #expect(stream.end == .tooSlow && events.hub.streams == 0)
  }

  @Test("of events with one key, a client that waits gets the last")
  func keys() {
    let events = Events { $0.queueBytes = 100 }
    let stream = events.open()
    events.run([stream])
    for index in 0..<5 { events.publish("song \(index)", key: "radio") }
    events.publish("other", key: "b")
    events.run([stream])
    #expect(Self.data(stream) == ["song 4", "other"])
  }

  @Test("a silent stream gets a comment each 15 s, a busy one does not")
  func heartbeat() {
    let events = Events()
    let silent = events.open("a")
    let busy = events.open("b")
    events.run([silent, busy])
    _ = (silent.takeSent(), busy.takeSent())
    events.pass(seconds: 46, [silent, busy]) { events.publish("x", topic: "b") }
    #expect(String(decoding: silent.sent, as: UTF8.self) == ":\n\n:\n\n:\n\n")
    #expect(!String(decoding: busy.sent, as: UTF8.self).contains("\n:"))
    #expect(events.hub.counters.heartbeats == 3)
  }

  @Test("streams are limited in all and for each owner, and a closed one makes room")
  func limits() {
    let events = Events {
      $0.streams = 3
      $0.streamsPerOwner = 2
      $0.topicsPerStream = 2
    }
    func status(_ stream: MemoryStream) -> Int { Reply.all(in: stream.sent).first?.status ?? 0 }
    let first = events.open(owner: "x")
    #expect(status(events.open(owner: "x")) == 200)
    #expect(status(events.open(owner: "x")) == 429)
    #expect(status(events.open(owner: "y")) == 200)
    #expect(status(events.open(owner: "z")) == 503)
    first.reset()
    #expect(status(events.open(owner: "x")) == 200)
    #expect(status(events.open("a,b,c", owner: "w")) == 400)
    #expect(events.hub.streams == 3)
  }

  @Test("a client that leaves, in whatever way, is forgotten at once")
  func leaving() {
    let events = Events()
    let streams = (0..<50).map { events.open("a,b,t\($0 % 7)") }
    events.run(streams)
    var generator = SplitMix(state: 1)
    for (index, stream) in streams.shuffled(using: &generator).enumerated() {
      if index % 2 == 0 { stream.hangUp() } else { stream.reset() }
      events.publish("\(index)")
      events.publish("\(index)", topic: "t\(index % 7)")
      events.run(streams)
      #expect(events.hub.streams == 49 - index)
    }
    #expect(events.server.connections == 0)
  }

  @Test("when the server drains, each stream says goodbye with its own time to come back")
  func drain() async {
    let events = Events()
    let streams = (0..<300).map { _ in events.open() }
    events.run(streams)
    events.publish("before")
    let draining = Task { @MainActor in await events.server.drain() }
    await Task.yield()
    events.run(streams)
    #expect(streams.allSatisfy { $0.isFinished && Self.data($0).first == "before" })
    let waits = Set(streams.compactMap { Self.data($0).last })
    #expect(waits.count > 250 && waits.allSatisfy { $0.hasPrefix("{\"retry_ms\":") })
    for stream in streams { stream.hangUp() }
    await draining.value
    #expect(events.hub.streams == 0 && events.server.connections == 0)
  }

  @Test("an answer is not held up by a broadcast")
  func between() {
    let events = Events()
    let streams = (0..<600).map { _ in events.open() }
    events.run(streams)
    events.publish("x")
    events.time.turn()
    let stream = MemoryStream()
    events.server.accept(stream)
    stream.arrive(HTTPFixture.get("/hello"))
    #expect(stream.takeReplies().map(\.body) == ["hello"])
    #expect(streams.count { $0.queuedBytes > 0 } == 256)
  }

  @Test("HEAD of a stream opens none")
  func head() {
    let events = Events()
    let stream = MemoryStream()
    events.server.accept(stream)
    stream.arrive("HEAD /events?topics=a HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(stream.takeReplies(heads: [0]).first?.status == 200 && stream.isFinished)
    #expect(events.hub.streams == 0)
  }
}

/// A clock that goes through the loop's turns one by one: what is set in one turn happens in the next at the earliest.
@MainActor
final class TurnTime: TimeSource {
  var now = Instant(nanoseconds: 1_000_000_000)
  let wall = WallTime(milliseconds: 1_790_000_000_000)
  private var timers: [Timer] = []

  var isDue: Bool { timers.contains { $0.due <= now } }

  func turn() {
    let due = timers.filter { $0.due <= now }
    timers.removeAll { $0.due <= now }
    for timer in due where !timer.isCancelled { timer.body() }
  }

  func after(_ delay: Duration, _ body: @escaping @MainActor () -> Void) -> any Scheduled {
    let timer = Timer(due: now + delay, body: body)
    timers.append(timer)
    return timer
  }

  private final class Timer: Scheduled {
    let due: Instant
    let body: @MainActor () -> Void
    var isCancelled = false

    init(due: Instant, body: @escaping @MainActor () -> Void) {
      self.due = due
      self.body = body
    }

    func cancel() { isCancelled = true }
  }
}

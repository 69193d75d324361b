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
    let hub: EventHub<TopicReader>
    let server: HTTPServer
    private var published = 0

    init(perOwner: Int = 10_000, _ change: (inout EventLimits) -> Void = { _ in }) {
      var limits = EventLimits()
      change(&limits)
      let hub = EventHub<TopicReader>(limits: limits, time: time)
      var router = HTTPRouter()
      router.get("/events", query: ["topics", "owner"]) { request in
        var query = request.query
        let (topics, owner) = (query.list("topics"), query.string("owner") ?? "one")
        try query.finish()
        try hub.admit(owner, atMost: perOwner)
        return hub.answer(to: TopicReader(hub, owner: owner, topics: topics))
      }
      router.get("/hello") { _ in .text("hello") }
      var options = HTTPServer.Options()
      options.limits.connectionsPerAddress = 100_000
      self.hub = hub
      server = HTTPServer(router: router, options: options, time: time)
    }

    func open(_ topics: String = "a", owner: String = "one") -> MemoryStream {
      let stream = MemoryStream()
      server.accept(stream)
      stream.arrive(HTTPFixture.get("/events?topics=\(topics)&owner=\(owner)"))
      return stream
    }

    func open(_ count: Int, _ topics: String = "a") -> [MemoryStream] {
      let streams = (0..<count).map { _ in open(topics) }
      run(streams)
      for stream in streams { _ = stream.takeSent() }
      return streams
    }

    func publish(_ data: String, topic: String = "a") { hub.publish(data, to: topic) }

    /// Goes through turns of the loop until there is nothing left to do.
    func run(_ streams: [MemoryStream]) {
      repeat {
        time.turn()
        for stream in streams { stream.turn() }
      } while time.isDue
    }

    /// Goes through turns of the loop, the one that has begun first, and returns how many streams were written to in each.
    func turns(_ streams: [MemoryStream]) -> [Int] {
      var counts: [Int] = []
      while true {
        counts.append(streams.count { $0.queuedBytes > 0 })
        for stream in streams { stream.turn() }
        guard time.isDue else { return counts }
        time.turn()
      }
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
    events.publish("two", topic: "b")
    events.run([stream])
    #expect(String(decoding: stream.takeSent(), as: UTF8.self) == "data: one\n\ndata: two\n\n")
  }

  @Test("events to 5,000 streams reach all in order, at most 256 in a turn, however many happen in one")
  func slices() {
    let events = Events()
    let streams = events.open(5_000)
    for round in 0..<3 { events.publish("\(round)") }
    let counts = events.turns(streams)
    #expect(counts.allSatisfy { $0 <= 256 } && counts.count <= 22, "\(counts)")
    #expect(streams.allSatisfy { Self.data($0) == ["0", "1", "2"] })
    #expect(events.hub.counters.delivered == 15_000 && events.hub.counters.resets == 0)
    #expect(events.hub.counters.inTurnMax == 256)
  }

  @Test("events that happen in one turn, each for others, share that turn's streams")
  func topics() {
    let events = Events()
    let streams = (0..<5).flatMap { events.open(200, "t\($0)") }
    for topic in 0..<5 { events.publish("x", topic: "t\(topic)") }
    let counts = events.turns(streams)
    #expect(counts.max() == 256 && counts.reduce(0, +) == 1_000, "\(counts)")
    #expect(streams.allSatisfy { Self.data($0) == ["x"] })
  }

  @Test("heartbeats, and events beside them, share a turn's streams")
  func heartbeats() {
    let events = Events()
    let streams = events.open(1_000)
    events.time.now = events.time.now + .seconds(15)
    events.publish("x")
    let counts = events.turns(streams)
    #expect(counts.max() == 256 && counts.reduce(0, +) == 1_000, "\(counts)")
    events.time.now = events.time.now + .seconds(15)
    #expect(events.turns(streams).max() == 256)
    #expect(streams.allSatisfy { String(decoding: $0.sent, as: UTF8.self) == "data: x\n\n:\n\n" })
  }

  @Test("what one turn left over is not added to the next")
  func leftOver() {
    let events = Events()
    let few = events.open(100, "b")
    let streams = events.open(1_000)
    events.publish("x", topic: "b")
    for stream in few { stream.turn() }
    events.time.now = events.time.now + .seconds(15)
    let counts = events.turns(few + streams)
    #expect(counts.max() == 256, "\(counts)")
  }

  @Test("telling all to read anew takes as many turns as it needs, and comes in order")
  func resets() {
    let events = Events()
    let streams = events.open(1_000)
    events.publish("before")
    events.hub.resetAll()
    events.publish("after")
    let counts = events.turns(streams)
    #expect(counts.allSatisfy { $0 <= 256 }, "\(counts)")
    #expect(streams.allSatisfy { Self.data($0) == ["before", "reset", "after"] })
    #expect(events.hub.counters.resets == 1_000)
  }

  @Test("what readers ask their turn for has it in order, before later events, in no more streams a turn")
  func errands() {
    let events = Events()
    let streams = events.open(1_000)
    for reader in events.hub.readers {
      events.hub.inTurn(of: reader) { reader.hear("first") }
      events.hub.inTurn(of: reader) { reader.hear("second") }
    }
    events.publish("third")
    let counts = events.turns(streams)
    #expect(counts.allSatisfy { $0 <= 256 }, "\(counts)")
    #expect(streams.allSatisfy { Self.data($0) == ["first", "second", "third"] })
  }

  @Test("what an errand or an event brings about is told once")
  func nested() {
    let events = Events()
    let streams = events.open(2)
    let first = events.hub.readers[0]
    events.hub.inTurn(of: first) {
      events.publish("one")
      events.hub.inTurn(of: first) { first.hear("two") }
    }
    events.run(streams)
    #expect(Self.data(streams[0]).sorted() == ["one", "two"] && Self.data(streams[1]) == ["one"])
  }

  @Test("who comes during a broadcast hears what happens after that")
  func during() {
    let events = Events { $0.streamsPerTurn = 2 }
    let streams = events.open(6)
    events.publish("before")
    let late = events.open()
    _ = late.takeSent()
    events.publish("after")
    events.run(streams + [late])
    #expect(Self.data(late) == ["after"])
    #expect(streams.allSatisfy { Self.data($0) == ["before", "after"] })
  }

  @Test("of more events than may be on their way the oldest are dropped, and who has not had them is told so")
  func tooMany() {
    let events = Events {
      $0.streamsPerTurn = 2
      $0.events = 5
    }
    let streams = events.open(4)
    for index in 0..<20 { events.publish("\(index)") }
    events.run(streams)
    #expect(streams.prefix(2).allSatisfy { Self.data($0).last == "reset" || Self.data($0).last == "19" })
    #expect(streams.suffix(2).allSatisfy { Self.data($0) == ["reset"] })
    events.publish("next")
    events.run(streams)
    #expect(streams.allSatisfy { Self.data($0).last == "next" })
  }

  @Test("the line lets go of whom it has passed, though it never empties")
  func passed() {
    let events = Events { $0.streamsPerTurn = 2 }
    let streams = events.open(10)
    weak let gone = events.hub.readers[3]
    // Each turn there is news for all, of whom two have their turn.
    func pass(turns: Int) {
      for _ in 0..<turns {
        events.publish("x")
        events.time.turn()
        for stream in streams { stream.turn() }
      }
    }
    pass(turns: 100)
    streams[3].reset()
    pass(turns: 20)
    #expect(events.hub.readers.count == 9 && gone == nil)
    #expect(streams.filter { $0.end == nil }.allSatisfy { Self.data($0).count > 100 })
  }

  @Test("a client that does not read holds a bounded queue, is told that it missed something, and goes on")
  func slowClient() {
    let events = Events { $0.queueBytes = 10_000 }
    let streams = events.open(2)
    let (stream, other) = (streams[0], streams[1])
    stream.window = 0
    let text = String(repeating: "x", count: 900)
    for index in 0..<100 {
      events.publish("\(index)-\(text)")
      events.run(streams)
    }
    #expect(stream.queuedBytes < 11_000 && stream.end == nil)
    #expect(Self.data(other).count == 100, "the others do not wait for it")
    #expect(events.hub.counters.slow == 1 && events.hub.counters.resets == 0, "there is no room to tell it")
    stream.window = .max
    events.pass(seconds: 2, streams)
    events.publish("last")
    events.run(streams)
    let heard = Self.data(stream).map { text in String(text.prefix { $0 != "-" }) }
    #expect(heard.dropLast(2) == (0..<(heard.count - 2)).map { "\($0)" }[...])
    #expect(heard.suffix(2) == ["reset", "last"] && events.hub.counters.resets == 1)
  }

  @Test("a client that takes nothing for 10 s is cut off")
  func stalled() {
    let events = Events()
    let stream = events.open()
    events.run([stream])
    stream.window = 0
    events.publish("x")
    events.pass(seconds: 12, [stream])
    #expect(stream.end == .tooSlow && events.hub.readers.count == 0)
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
    let events = Events(perOwner: 2) { $0.streams = 3 }
    func status(_ stream: MemoryStream) -> Int { Reply.all(in: stream.sent).first?.status ?? 0 }
    let first = events.open(owner: "x")
    #expect(status(events.open(owner: "x")) == 200)
    #expect(status(events.open(owner: "x")) == 429)
    #expect(status(events.open(owner: "y")) == 200)
    #expect(status(events.open(owner: "z")) == 503)
    first.reset()
    #expect(status(events.open(owner: "x")) == 200)
    #expect(events.hub.readers.count == 3)
  }

  @Test("a client that leaves, in whatever way, is forgotten at once")
  func leaving() {
    let events = Events()
    let streams = (0..<50).map { events.open("a,b,t\($0 % 7)") }
    events.run(streams)
    var generator = SeededRandom(seed: 1)
    for (index, stream) in streams.shuffled(using: &generator).enumerated() {
      if index % 2 == 0 { stream.hangUp() } else { stream.reset() }
      events.publish("\(index)")
      events.publish("\(index)", topic: "t\(index % 7)")
      events.run(streams)
      #expect(events.hub.readers.count == 49 - index)
    }
    #expect(events.server.connections == 0)
  }

  @Test("when the server drains, each stream says goodbye with its own time to come back")
  func drain() async {
    let events = Events()
    let streams = events.open(300)
    events.publish("before")
    let draining = Task { @MainActor in await events.server.drain() }
    await Task.yield()
    let counts = events.turns(streams)
    #expect(counts.allSatisfy { $0 <= 256 }, "\(counts)")
    #expect(streams.allSatisfy { $0.isFinished && Self.data($0).first == "before" })
    let waits = Set(streams.compactMap { Self.data($0).last })
    #expect(waits.count > 250 && waits.allSatisfy { Int($0) != nil })
    for stream in streams { stream.hangUp() }
    await draining.value
    #expect(events.hub.readers.count == 0 && events.server.connections == 0)
  }

  @Test("an answer is not held up by a broadcast")
  func between() {
    let events = Events()
    let streams = events.open(600)
    events.publish("x")
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
    #expect(events.hub.readers.count == 0)
  }
}

/// Listens to topics, and is told what is published to them.
@MainActor
final class TopicReader: EventReader {
  let owner: String
  let topics: [String]
  var place = EventPlace()
  private let hub: EventHub<TopicReader>

  init(_ hub: EventHub<TopicReader>, owner: String, topics: [String]) {
    self.hub = hub
    self.owner = owner
    self.topics = topics
  }

  func began(_ output: any HTTPOutput) { hub.opened(self, output) }
  func draining() { hub.dismiss(self) }
  func ended() { hub.closed(self) }

  func hear(_ data: String) {
    if hub.hasRoom(self) { hub.deliver(Array("data: \(data)\n\n".utf8), to: self) }
  }

  func reset() { hub.write(Array("data: reset\n\n".utf8), to: self) }
  func beat() { hub.write(Array(":\n\n".utf8), to: self) }
  func sayGoodbye(comeBackAfter milliseconds: Int64) {
    hub.write(Array("event: bye\ndata: \(milliseconds)\n\n".utf8), to: self)
  }
}

@MainActor
extension EventHub<TopicReader> {
  func publish(_ data: String, to topic: String) {
    publish(to: { $0.topics.contains(topic) }) { $0.hear(data) }
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

import Clocks
import EventLoops
import HTTP
import Testing

@MainActor
@Suite("HTTP deadlines")
struct HTTPDeadlineTests {
  private let fixture = HTTPFixture()

  /// Moves on second by second until the stream is closed or finished, and tells how many it took.
  private func seconds(_ stream: MemoryStream, max: Int = 200, each: (Int) -> Void = { _ in }) -> Int? {
    for second in 1...max {
      fixture.time.advance(by: .seconds(1))
      stream.turn()
      if stream.end != nil || stream.isFinished { return second }
      each(second)
    }
    return nil
  }

  @Test("who connects and says nothing is let go after 10 s")
  func silent() {
    let stream = fixture.connect()
    #expect(seconds(stream) == 10)
    #expect(stream.sent.isEmpty && stream.end == .done)
  }

  @Test("a header that drips has 10 s in all, however often a byte comes")
  func headDrip() {
    let stream = fixture.connect()
    stream.arrive("GET / HTTP/1.1\r\n")
    let took = seconds(stream) { _ in stream.arrive("X") }
    #expect(took == 10)
    #expect(stream.takeReplies().map(\.status) == [408])
  }

  @Test("the second request's header has its own 10 s")
  func secondHead() {
    let stream = fixture.connect()
    stream.arrive(HTTPFixture.get("/next") + "GET /")
    fixture.time.advance(by: .seconds(9))
    stream.turn()
    #expect(stream.takeReplies().count == 1)
    stream.arrive("next HTTP/1.1\r\nHost: a\r\n\r\nGET")
    #expect(stream.takeReplies().map(\.body) == ["next"])
    #expect(seconds(stream) == 10)
  }

  @Test("a body slower than 1 KiB/s after 10 s is refused, a steady one is not")
  func bodyRate() {
    let stream = fixture.connect()
    stream.arrive("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
    #expect(seconds(stream) { _ in stream.arrive("x") } == 11)
    #expect(stream.takeReplies().map(\.status) == [408])

    let steady = fixture.connect()
    steady.arrive("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
    for _ in 0..<50 {
      fixture.time.advance(by: .seconds(1))
      steady.arrive(String(repeating: "x", count: 2_000))
    }
    #expect(steady.takeReplies().map(\.status) == [200])
  }

  @Test("a body has 60 s in all")
  func bodyTime() {
    let stream = fixture.connect()
    stream.arrive("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
    #expect(seconds(stream) { _ in stream.arrive(String(repeating: "x", count: 2_000)) } == 60)
    #expect(stream.takeReplies().map(\.status) == [408])
  }

  @Test("a connection may be idle for 75 s after an answer")
  func idle() {
    let stream = fixture.connect()
    stream.arrive(HTTPFixture.get("/next"))
    #expect(seconds(stream) == 75)
    #expect(stream.end == .done && stream.takeReplies().count == 1)
  }

  @Test("each answer begins the idle time anew")
  func idleAnew() {
    let stream = fixture.connect()
    for _ in 0..<5 {
      stream.arrive(HTTPFixture.get("/next"))
      fixture.time.advance(by: .seconds(70))
      stream.turn()
      #expect(stream.end == nil)
    }
  }

  @Test("a handler has 30 s: then the client gets 504, the handler is cancelled, its late answer goes nowhere")
  func reply() async {
    let stream = fixture.connect()
    stream.arrive(HTTPFixture.get("/wait/a") + HTTPFixture.get("/next"))
    #expect(seconds(stream) == 30)
    #expect(stream.takeReplies().map(\.status) == [504])
    await fixture.settle([stream])
    #expect(fixture.cancelled == 1)
    #expect(stream.takeReplies().isEmpty)
  }

  /// A body that says nothing unless the test does.
  private final class QuietBody: HTTPStreamBody {
    private(set) var output: (any HTTPOutput)?

    func began(_ output: any HTTPOutput) { self.output = output }
    func draining() {}
    func ended() { output = nil }
  }

  @Test("the time for an answer ends where a streamed one begins, also when its handler had to wait")
  func streamAfterWaiting() async {
    let body = QuietBody()
    let gate = HTTPFixture.Gate(name: "stream")
    let fixture = HTTPFixture(routes: { router in
      router.get("/stream") { _ async in
        await gate.pass()
        var response = HTTPResponse(.ok, .plain)
        response.body = .stream(body)
        return response
      }
    })
    let stream = fixture.connect()
    stream.arrive(HTTPFixture.get("/stream"))
    fixture.time.advance(by: .seconds(20))
    gate.open()
    await fixture.settle([stream])
    #expect(stream.takeReplies().map(\.status) == [200])
    for _ in 0..<120 { fixture.time.advance(by: .seconds(1)) }
    stream.turn()
    #expect(stream.takeSent().isEmpty && stream.end == nil && !stream.isFinished)
    body.output?.write(Array("still here".utf8))
    stream.turn()
    #expect(stream.takeSent() == Array("still here".utf8))
  }

  @Test("an answer that did not come in time is told with its method, route and time, and is made like any other")
  func lateAnswerIsTold() async {
    var seen: [String] = []
    let fixture = HTTPFixture { options in
      options.decorate = { request, response in response = response.with("X-Path", request.path) }
      options.observe = { exchange in
        seen.append("\(exchange.method?.rawValue ?? "-") \(exchange.route?.pattern ?? "-") \(exchange.took)")
      }
    }
    for method in ["GET", "HEAD"] {
      let stream = fixture.connect()
      stream.arrive("\(method) /wait/a HTTP/1.1\r\nHost: a\r\n\r\n")
      for _ in 0..<30 { fixture.time.advance(by: .seconds(1)) }
      stream.turn()
      let replies = stream.takeReplies(heads: method == "HEAD" ? [0] : [])
      #expect(replies.map(\.status) == [504] && replies.first?["X-Path"] == "/wait/a", "\(method)")
      #expect(replies.first?.body.isEmpty == (method == "HEAD"))
      stream.reset()
    }
    await fixture.settle()
    #expect(fixture.cancelled == 2)
    #expect(seen == ["GET /wait/{name} 30.0 seconds", "HEAD /wait/{name} 30.0 seconds"])
  }

  @Test("a client that reads nothing of its answer for 10 s is cut off, one that reads a little is not")
  func writeStall() {
    let stream = fixture.connect()
    stream.window = 1_000
    stream.arrive(HTTPFixture.get("/big"))
    let took = seconds(stream) { second in
      if second < 20 { stream.window = 1 }
    }
    #expect(took.map { (29...31).contains($0) } == true)
    #expect(stream.end == .tooSlow)
  }

  @Test("a connection that said goodbye is closed 2 s later if the client does not do it")
  func farewell() {
    let stream = fixture.connect()
    stream.arrive(HTTPFixture.get("/next", "Connection: close\r\n"))
    #expect(stream.isFinished && stream.end == nil)
    fixture.time.advance(by: .seconds(3))
    stream.turn()
    #expect(stream.end == .done)
  }

  @Test("however many connections there are, one timer is set, and none when there is none")
  func oneTimer() {
    let streams = (0..<100).map { _ in fixture.connect() }
    for stream in streams { stream.arrive(HTTPFixture.get("/next")) }
    #expect(fixture.time.pending == 1)
    for stream in streams { stream.reset() }
    fixture.time.advance(by: .seconds(2))
    #expect(fixture.time.pending == 0 && fixture.server.connections == 0)
  }

  @Test("the date is that of the second")
  func date() {
    #expect(fixture.ask("GET", "/next")?["Date"] == "Thu, 20 Nov 2025 12:00:00 GMT")
    fixture.time.advance(by: .milliseconds(999))
    #expect(fixture.ask("GET", "/next")?["Date"] == "Thu, 20 Nov 2025 12:00:00 GMT")
    fixture.time.advance(by: .milliseconds(1))
    #expect(fixture.ask("GET", "/next")?["Date"] == "Thu, 20 Nov 2025 12:00:01 GMT")
    fixture.time.advance(by: .seconds(100 * 86_400 + 43_200))
    #expect(fixture.ask("GET", "/next")?["Date"] == "Sun, 01 Mar 2026 00:00:01 GMT")
  }

  @Test("a draining server lets go who waits, lets finish who works, and ends in time")
  func drain() async {
    let idle = fixture.connect()
    idle.arrive(HTTPFixture.get("/next"))
    let fresh = fixture.connect()
    let working = fixture.connect()
    working.arrive(HTTPFixture.get("/wait/a") + HTTPFixture.get("/next"))
    let stuck = fixture.connect()
    stuck.arrive(HTTPFixture.get("/wait/b"))
    var isDrained = false
    let draining = Task { @MainActor in
      await fixture.server.drain()
      isDrained = true
    }
    await fixture.settle([idle, fresh, working, stuck])
    #expect(idle.end == .shutdown && fresh.end == .shutdown)
    #expect(fixture.connect().end == .shutdown)
    await fixture.open("a", working)
    #expect(working.takeReplies().map { [$0.body, $0["Connection"]] } == [["a", "close"]])
    working.hangUp()
    #expect(!isDrained && stuck.end == nil)
    fixture.time.advance(by: .seconds(10))
    await fixture.settle([stuck])
    await draining.value
    #expect(isDrained && stuck.end == .shutdown && fixture.server.connections == 0)
  }
}

import Clocks
import EventLoops
import HTTP
import Observability
import Testing

@MainActor
@Suite("HTTP connection")
struct HTTPConnectionTests {
  private let get = HTTPFixture.get(_:_:)

  @Test("a request is answered with what every answer has, in one write")
  func one() {
    let fixture = HTTPFixture()
    let stream = fixture.connect()
    stream.arrive(get("/hello", ""))
    #expect(stream.writes == 1)
    let reply = stream.takeReplies().first
    #expect(reply?.status == 200)
    #expect(reply?.body.utf8.count == 600)
    #expect(
      reply?.fields == [
        "Date: Thu, 20 Nov 2025 12:00:00 GMT", "X-Content-Type-Options: nosniff",
        "Referrer-Policy: strict-origin-when-cross-origin", "Content-Type: application/json; charset=utf-8",
        "Content-Length: 600",
      ])
    #expect(stream.end == nil && !stream.isFinished)
  }

  @Test("every probe meets the status it should, whole and byte by byte, and nothing is smuggled past")
  func probes() {
    let fixture = HTTPFixture()
    let follower = get("/next", "")
    for probe in Probe.all {
      let isLong = probe.bytes.count > 2_000
      let all = probe.bytes + Array(follower.utf8)
      for pieces in [[all[...]], isLong ? [] : HTTPParserTests.bytewise(all)] where !pieces.isEmpty {
        let stream = fixture.connect()
        for piece in pieces { stream.arrive(piece) }
        let isHead = probe.bytes.starts(with: "HEAD".utf8)
        let replies = stream.takeReplies(heads: isHead ? [0] : []).filter { $0.status != 100 }
        switch probe.want {
        case .accept:
          #expect(
            replies.allSatisfy { $0.status < 500 && $0.status != 400 || $0.body.contains("parameter") }, "\(probe.name)"
          )
          // HTTP/1.0 ends after one answer unless it asked not to.
          if stream.end == nil, !stream.isFinished { #expect(replies.last?.body == "next", "\(probe.name)") }
        case .refuse(let status):
          #expect(replies.map(\.status) == [Int(status)], "\(probe.name)")
          #expect(replies.first?["Connection"] == "close" && stream.isFinished, "\(probe.name)")
          #expect(replies.first?["Content-Type"] == "application/problem+json", "\(probe.name)")
        }
        stream.reset()
      }
    }
    #expect(fixture.server.connections == 0)
  }

  @Test("sixteen requests in one read leave as sixteen answers in one write, in order")
  func pipelined() {
    let fixture = HTTPFixture()
    let stream = fixture.connect()
    stream.arrive((0..<16).map { get("/quick/\($0)", "") }.joined())
    #expect(stream.writes == 1 && stream.flushes == 1)
    #expect(stream.takeReplies().map(\.body) == (0..<16).map { "\($0)" })
  }

  @Test("a handler that waits holds back those behind it, and their order stays")
  func order() async {
    let fixture = HTTPFixture()
    let stream = fixture.connect()
    stream.arrive(get("/wait/a", "") + get("/quick/b", "") + get("/wait/c", "") + get("/quick/d", ""))
    #expect(stream.takeSent().isEmpty)
    #expect(fixture.waiting.map(\.name) == ["a"])
    #expect(!stream.isReading)
    await fixture.open("a", stream)
    #expect(stream.takeReplies().map(\.body) == ["a", "b"])
    #expect(fixture.waiting.map(\.name) == ["c"] && !stream.isReading)
    await fixture.open("c", stream)
    #expect(stream.takeReplies().map(\.body) == ["c", "d"])
    #expect(stream.isReading)
  }

  @Test("an async handler that does not wait is answered before the read ends")
  func immediate() {
    let fixture = HTTPFixture()
    let stream = fixture.connect()
    stream.arrive(get("/quick/x", ""))
    #expect(stream.takeReplies().map(\.body) == ["x"])
  }

  @Test("while a handler waits, one read is kept and no more is taken")
  func backpressure() async {
    let fixture = HTTPFixture()
    let stream = fixture.connect()
    stream.arrive(get("/wait/a", ""))
    #expect(stream.isReading, "a client that only waits is listened to, so that its going away is heard")
    stream.arrive(get("/quick/b", ""))
    #expect(!stream.isReading)
    stream.arrive(String(repeating: get("/quick/c", ""), count: 100))
    await fixture.open("a", stream)
    let replies = stream.takeReplies()
    #expect(replies.count == 102 && replies.first?.body == "a" && replies.last?.body == "c")
  }

  @Test("answers in pieces of any size, asked for in pieces of any size, are the same")
  func randomSplits() async {
    let text =
      (0..<20).map { index in
        get("/quick/\(index)", "")
          + "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
      }.joined() + get("/hello", "Connection: close\r\n")
    let whole = HTTPFixture().connect()
    whole.arrive(text)
    let wanted = whole.takeReplies()
    #expect(wanted.count == 41)
    for seed in 0..<20 as Range<UInt64> {
      var generator = SeededRandom(seed: seed)
      let stream = HTTPFixture().connect()
      for piece in HTTPParserTests.randomPieces(Array(text.utf8), &generator) { stream.arrive(piece) }
      #expect(stream.takeReplies() == wanted, "seed \(seed)")
    }
  }

  @Test("random bytes never crash, and every one is answered or waited for")
  func garbage() {
    let fixture = HTTPFixture()
    for seed in 0..<2_000 as Range<UInt64> {
      var generator = SeededRandom(seed: seed)
      let stream = fixture.connect()
      for _ in 0..<3 {
        stream.arrive(
          (0..<Int.random(in: 1...60, using: &generator)).map { _ in .random(in: 0...255, using: &generator) })
      }
      let replies = stream.takeReplies()
      #expect(replies.count <= 1 && replies.allSatisfy { $0.status >= 400 }, "seed \(seed)")
      stream.reset()
    }
    #expect(fixture.server.connections == 0)
  }

  @Test("two hundred connections reset during their answers cancel their handlers and nothing else")
  func resetWhileWaiting() async {
    let fixture = HTTPFixture()
    let streams = (0..<200).map { _ in fixture.connect() }
    for stream in streams { stream.arrive(get("/wait/x", "")) }
    #expect(fixture.waiting.count == 200)
    for stream in streams { stream.reset() }
    await fixture.settle(streams)
    #expect(fixture.cancelled == 200)
    #expect(fixture.server.connections == 0)
    #expect(streams.allSatisfy { $0.sent.isEmpty })
    #expect(fixture.ask("GET", "/hello")?.status == 200)
  }

  @Test("a client that asks and does not read is not listened to until it reads")
  func slowReader() {
    let fixture = HTTPFixture()
    let stream = fixture.connect()
    stream.window = 0
    stream.arrive(String(repeating: get("/big", ""), count: 50))
    #expect(!stream.isReading && stream.end == nil)
    #expect(stream.queuedBytes < 2 << 20)
    stream.window = .max
    stream.turn()
    #expect(stream.takeReplies().count == 50)
    #expect(stream.isReading)
  }

  @Test("a client that half-closes gets the answers to all that it asked")
  func halfClose() async {
    let fixture = HTTPFixture()
    let quick = fixture.connect()
    quick.arrive(get("/hello", ""))
    quick.hangUp()
    #expect(quick.takeReplies().map(\.status) == [200])
    #expect(quick.end == .endedByPeer)

    let stream = fixture.connect()
    stream.arrive(get("/wait/a", "") + get("/wait/b", ""))
    stream.hangUp()
    await fixture.open("a", stream)
    #expect(stream.end == nil)
    await fixture.open("b", stream)
    #expect(stream.takeReplies().map(\.body) == ["a", "b"])
    fixture.time.advance(by: .seconds(1))
    stream.turn()
    #expect(stream.end != nil && fixture.server.connections == 0)
  }

  @Test("half a request and then the end is no request")
  func halfRequest() {
    let fixture = HTTPFixture()
    for text in ["", "GET / HT", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe"] {
      let stream = fixture.connect()
      stream.arrive(text)
      stream.hangUp()
      #expect(stream.sent.isEmpty && stream.end == .endedByPeer)
    }
  }

  @Test("HEAD has the length and not the body, and the next request is intact")
  func head() {
    let stream = HTTPFixture().connect()
    stream.arrive("HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\n" + get("/next", ""))
    let replies = stream.takeReplies(heads: [0])
    #expect(replies.map(\.status) == [200, 200])
    #expect(replies[0]["Content-Length"] == "600" && replies[1].body == "next")
  }

  @Test("204 has neither body nor length")
  func noContent() {
    let reply = HTTPFixture().ask("GET", "/empty")
    #expect(reply?.status == 204 && reply?["Content-Length"] == nil && reply?.body == "")
  }

  @Test("HTTP/1.0 ends after its answer, unless it asks to stay and is told so")
  func oldVersion() {
    let fixture = HTTPFixture()
    let stream = fixture.connect()
    stream.arrive("GET /next HTTP/1.0\r\n\r\n")
    #expect(stream.takeReplies().first?["Connection"] == "close" && stream.isFinished)
    let other = fixture.connect()
    other.arrive("GET /next HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    #expect(other.takeReplies().first?["Connection"] == "keep-alive" && !other.isFinished)
  }

  @Test("Connection: close is answered and kept, and what follows is not read")
  func close() {
    let fixture = HTTPFixture()
    let stream = fixture.connect()
    stream.arrive(get("/next", "Connection: close\r\n") + get("/next", ""))
    #expect(stream.takeReplies().map { $0["Connection"] } == ["close"])
    #expect(stream.isFinished && stream.end == nil)
    stream.hangUp()
    #expect(stream.end != nil)
  }

  @Test("100 Continue comes when the body is wanted, and not when it is not")
  func expectContinue() {
    let fixture = HTTPFixture()
    let stream = fixture.connect()
    stream.arrive("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(stream.takeReplies().map(\.status) == [100])
    stream.arrive("ab")
    #expect(stream.takeReplies().map(\.body) == ["ab"])

    for (target, status) in [("/nowhere", 404), ("/hello", 405), ("/small", 413), ("/echo?x=1", 400)] {
      let stream = fixture.connect()
      stream.arrive("POST \(target) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
      #expect(stream.takeReplies().map(\.status) == [status], "\(target)")
      #expect(stream.isFinished, "\(target)")
    }
  }

  @Test("a body that nobody wants is read over, and the connection lives")
  func unwantedBody() {
    let stream = HTTPFixture().connect()
    stream.arrive("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello" + get("/next", ""))
    #expect(stream.takeReplies().map(\.status) == [404, 200])
  }

  @Test("who is answered by the head alone is not waited for when more of a body comes than is read over")
  func unwantedLargeBody() {
    for framing in ["Content-Length: 1000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nF4240\r\n"] {
      for (target, status) in [("/nowhere", 404), ("/hello", 405), ("/hello/", 308), ("/echo?x=1", 400)] {
        let stream = HTTPFixture().connect()
        stream.arrive("POST \(target) HTTP/1.1\r\nHost: a\r\n\(framing)")
        for _ in 0..<3 { stream.arrive([UInt8](repeating: 0, count: 32 << 10)) }
        #expect(stream.takeReplies().map(\.status) == [status], "\(target)")
        #expect(stream.isFinished && stream.end == nil, "\(target)")
      }
    }
  }

  @Test("who is not let in is told so by the head alone, and nothing of the body is kept")
  func notAdmitted() {
    var asked = 0
    let fixture = HTTPFixture { options in
      options.admit = { _ in
        asked += 1
        return Problem(.rateLimited).response()
      }
    }
    let stream = fixture.connect()
    stream.arrive("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
    #expect(stream.takeReplies().map(\.status) == [429] && stream.isFinished)
    // What is nowhere counts too: else a client that asks only for that would never be told to wait.
    #expect(fixture.ask("GET", "/nowhere")?.status == 429 && fixture.ask("POST", "/hello")?.status == 429)
    #expect(asked == 3)
  }

  @Test("bodies of all connections together have a bound, and what is answered or gone gives its part back")
  func heldBodies() async {
    let gate = HTTPFixture.Gate(name: "upload")
    let fixture = HTTPFixture({ $0.limits.heldBodyBytes = 100 }) { router in
      router.on(.post, "/upload") { request async in
        await gate.pass()
        return .text("\(request.body.count)")
      }
    }
    func begin(_ count: Int, of length: Int) -> MemoryStream {
      let stream = fixture.connect()
      stream.arrive("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
      stream.arrive([UInt8](repeating: 0x78, count: count))
      return stream
    }
    let whole = begin(50, of: 50)
    let half = begin(40, of: 80)
    #expect(fixture.server.heldBodyBytes == 90)
    let refused = begin(20, of: 80)
    let reply = refused.takeReplies().first
    #expect(reply?.status == 503 && reply?["Retry-After"] == "1" && refused.isFinished)
    #expect(fixture.server.heldBodyBytes == 90)
    half.reset()
    #expect(fixture.server.heldBodyBytes == 50)
    gate.open()
    await fixture.settle([whole])
    #expect(whole.takeReplies().map(\.body) == ["50"] && fixture.server.heldBodyBytes == 0)
  }

  @Test("who sends on after a refusal gets to read it, and is cut off when it is too much")
  func linger() {
    let fixture = HTTPFixture()
    let stream = fixture.connect()
    stream.arrive("POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n")
    #expect(stream.takeReplies().map(\.status) == [413])
    for _ in 0..<16 { stream.arrive([UInt8](repeating: 0, count: 64 << 10)) }
    #expect(stream.end == nil)
    stream.arrive([0])
    #expect(stream.end == .violation("sent on after it was refused"))
  }

  @Test("a header value from outside cannot make a header of its own")
  func injection() {
    let fixture = HTTPFixture()
    #expect(fixture.ask("GET", "/inject?value=ok")?["X-Value"] == "ok")
    for value in ["a%0d%0aSet-Cookie:%20x", "a%0ab", "a%0db", "%7f", "a%01"] {
      let reply = fixture.ask("GET", "/inject?value=\(value)")
      #expect(reply?.status == 500 && reply?["Set-Cookie"] == nil && reply?["X-Value"] == nil, "\(value)")
    }
  }

  @Test("an error of ours is a problem, and its cause stays here")
  func failures() {
    let fixture = HTTPFixture()
    let failure = fixture.ask("GET", "/fail")
    #expect(failure?.status == 500)
    #expect(failure?.body.contains("Broken") == false && failure?.body.contains("We made a mistake") == true)
    let problem = fixture.ask("GET", "/problem")
    #expect(problem?.status == 409 && problem?["Content-Type"] == "application/problem+json")
    #expect(
      problem?.body == "{\"type\":\"/problems/conflict\",\"title\":\"Something else happened at the same time\","
        + "\"status\":409,\"detail\":\"it is taken\",\"instance\":\"/problem\",\"rev\":7}")
  }

  @Test("pages get the page's safety fields, other answers do not")
  func safety() {
    let fixture = HTTPFixture { $0.safety = SafetyFields(contentSecurityPolicy: "default-src 'self'") }
    #expect(fixture.ask("GET", "/page")?["Content-Security-Policy"] == "default-src 'self'")
    #expect(fixture.ask("GET", "/hello")?["Content-Security-Policy"] == nil)
    #expect(fixture.ask("GET", "/hello")?["X-Content-Type-Options"] == "nosniff")
    #expect(fixture.ask("GET", "/nowhere")?["X-Content-Type-Options"] == "nosniff")
  }

  @Test("hooks may answer first, add fields, translate errors, and hear of everything")
  func hooks() {
    var seen: [String] = []
    let fixture = HTTPFixture { options in
      options.admit = { $0.path == "/next" ? Problem(.rateLimited).response() : nil }
      options.decorate = { request, response in response = response.with("X-Path", request.path) }
      options.explain = { $0 is HTTPFixture.Broken ? Problem(.overloaded) : nil }
      options.observe = {
        seen.append("\($0.method?.rawValue ?? "-") \($0.route?.pattern ?? "-") \($0.status.rawValue)")
      }
    }
    #expect(fixture.ask("GET", "/next")?.status == 429)
    #expect(fixture.ask("GET", "/quick/a")?["X-Path"] == "/quick/a")
    #expect(fixture.ask("GET", "/nowhere")?["X-Path"] == "/nowhere")
    #expect(fixture.ask("GET", "/fail")?.status == 503)
    #expect(fixture.ask("GET", "a")?.status == 400)
    #expect(
      seen == ["GET /next 429", "GET /quick/{name} 200", "GET - 404", "GET /fail 503", "- - 400"])
  }

  @Test("connections over the limits are closed at once, in all and from one network")
  func caps() throws {
    let fixture = HTTPFixture {
      $0.limits.connections = 5
      $0.limits.connectionsPerAddress = 2
    }
    func connect(_ text: String) throws -> MemoryStream { fixture.connect(from: try SocketAddress(parsing: text)) }
    let first = try connect("10.0.0.1:1")
    #expect(try connect("10.0.0.1:2").end == nil)
    #expect(try connect("10.0.0.1:3").end == .overLimit)
    #expect(try connect("[2001:db8::1]:1").end == nil)
    #expect(try connect("[2001:db8::2]:1").end == nil)
    #expect(try connect("[2001:db8::3]:1").end == .overLimit)
    #expect(try connect("unix:/a").end == nil)
    #expect(try connect("unix:/a").end == .overLimit)
    #expect(fixture.server.connections == 5 && fixture.server.turnedAway == 3)
    first.reset()
    #expect(try connect("10.0.0.1:4").end == nil)
  }

  @Test("a trusted proxy has as many connections as all together, and who is turned away is told in the log")
  func proxies() throws {
    let sink = RecordingSink()
    var trusted = "10.0.0.1"
    let fixture = HTTPFixture(
      {
        $0.limits.connections = 5
        $0.limits.connectionsPerAddress = 2
        $0.trusts = { "\($0)" == trusted }
      }, log: Log(to: sink, as: .json, clock: { 0 }))
    func connect(_ text: String) throws -> MemoryStream { fixture.connect(from: try SocketAddress(parsing: text)) }
    let proxied = try (1...3).map { try connect("10.0.0.1:\($0)") }
    #expect(proxied.allSatisfy { $0.end == nil } && fixture.server.turnedAway == 0)
    // What was not counted is not counted off, also when the settings have changed since.
    trusted = "10.0.0.9"
    proxied[0].reset()
    #expect(try connect("10.0.0.1:4").end == nil)
    #expect(try connect("10.0.0.1:5").end == nil)
    proxied[1].reset()
    #expect(try connect("10.0.0.1:6").end == .overLimit)
    #expect(fixture.server.turnedAway == 1)
    #expect(sink.lines.count == 1 && sink.lines[0].contains("a connection was turned away"))
    #expect(sink.lines[0].contains("is it a proxy that is not trusted?"))
  }

  @Test("a handler may answer from an event without a task, once, and hears when nobody waits any more")
  func replying() {
    final class Seen {
      var replies: [HTTPReply] = []
      var abandoned = 0
    }
    let seen = Seen()
    let fixture = HTTPFixture(routes: { router in
      router.on(.get, "/later", query: [], checksQuery: true, summary: "", bodyLimit: 0) { reply in
        reply.abandoned = { seen.abandoned += 1 }
        seen.replies.append(reply)
      }
    })
    let stream = fixture.connect()
    stream.arrive(get("/later", "") + get("/next", "") + get("/later", ""))
    #expect(stream.takeSent().isEmpty && seen.replies.count == 1)
    seen.replies[0].answer(.text("now"))
    seen.replies[0].answer(.text("again"))
    stream.turn()
    #expect(stream.takeReplies().map(\.body) == ["now", "next"])
    seen.replies[1].fail(Problem(.conflict, "it is taken"))
    stream.turn()
    #expect(stream.takeReplies().map(\.status) == [409] && seen.abandoned == 0)
    stream.arrive(get("/later", ""))
    stream.reset()
    #expect(seen.abandoned == 1)
    seen.replies[2].answer(.text("too late"))
    #expect(stream.takeSent().isEmpty && fixture.server.connections == 0)
  }
}

import Clocks
import HTTP
import Testing

@Suite("HTTP parser")
struct HTTPParserTests {
  /// What came out of a parser.
  struct Outcome: Equatable, CustomStringConvertible {
    var requests: [Request] = []
    var failure: HTTPFailure?
    /// Whether more input was wanted in the middle of a request.
    var isUnfinished = false

    struct Request: Equatable {
      var method: HTTPMethod
      var path: String
      var query: String?
      var fields: [String]
      var keepsAlive: Bool
      var proceeds = 0
      var body: [UInt8] = []

      /// Whether somebody waits for 100 Continue does depend on the cut, so it is left out.
      static func == (left: Request, right: Request) -> Bool {
        left.method == right.method && left.path == right.path && left.query == right.query
          && left.fields == right.fields && left.keepsAlive == right.keepsAlive && left.body == right.body
      }
    }

    var description: String { "\(requests), \(failure.map { "\($0)" } ?? "no failure")" }
  }

  /// Feeds the pieces, one after another, as a connection would.
  static func parse(_ pieces: some Sequence<ArraySlice<UInt8>>, limits: HTTPLimits = HTTPLimits()) -> Outcome {
    var parser = HTTPParser(limits: limits)
    var outcome = Outcome()
    var request: Outcome.Request?
    pieces: for piece in pieces {
      let isOver = piece.withUnsafeBytes { bytes in
        var input = bytes
        while true {
          switch parser.next(&input) {
          case .needMore:
            #expect(input.isEmpty)
            return false
          case .head:
            let head = parser.head
            request = Outcome.Request(
              method: head.method, path: head.rawPath, query: head.rawQuery,
              fields: head.allFields.map { "\($0.name): \($0.value)" }, keepsAlive: head.keepsAlive)
          case .proceed:
            request?.proceeds += 1
          case .body(let bytes):
            request?.body.append(contentsOf: bytes)
          case .end:
            outcome.requests.append(request!)
            request = nil
          case .failure(let failure):
            outcome.failure = failure
            return true
          }
        }
      }
      if isOver { break pieces }
    }
    outcome.isUnfinished = outcome.failure == nil && !parser.isBetweenRequests
    return outcome
  }

  static func parse(_ text: String) -> Outcome { parse(CollectionOfOne(Array(text.utf8)[...])) }

  static func bytewise(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] { bytes.indices.map { bytes[$0...$0] } }

  static func randomPieces(_ bytes: [UInt8], _ generator: inout SeededRandom) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 1...40, using: &generator))
      pieces.append(bytes[start..<end])
      start = end
    }
    return pieces
  }

  private static let follower = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

  private func check(_ outcome: Outcome, _ probe: Probe, _ how: String) {
    switch probe.want {
    case .accept(let body):
      #expect(outcome.failure == nil, "\(probe.name), \(how)")
      #expect(
        outcome.requests.count == 2 && outcome.requests.last?.path == "/next", "\(probe.name), \(how): \(outcome)")
      #expect(outcome.requests.first.map { String(decoding: $0.body, as: UTF8.self) } == body, "\(probe.name), \(how)")
    case .refuse(let status):
      #expect(outcome.requests.isEmpty, "\(probe.name), \(how): \(outcome)")
      #expect(outcome.failure?.status.rawValue == status, "\(probe.name), \(how): \(outcome)")
    }
  }

  @Test("every probe is answered as it should be, whole", arguments: Probe.all)
  func probesWhole(probe: Probe) {
    check(Self.parse(CollectionOfOne((probe.bytes + Self.follower.utf8)[...])), probe, "whole")
  }

  @Test("every probe is answered as it should be, byte by byte", arguments: Probe.all)
  func probesBytewise(probe: Probe) {
    check(Self.parse(Self.bytewise(probe.bytes + Self.follower.utf8)), probe, "byte by byte")
  }

  @Test("every probe means the same however it is cut")
  func probesCut() {
    for (index, probe) in Probe.all.enumerated() where probe.bytes.count < 2_000 {
      let bytes = probe.bytes + Array(Self.follower.utf8)
      let whole = Self.parse(CollectionOfOne(bytes[...]))
      var generator = SeededRandom(seed: UInt64(index))
      for _ in 0..<5 {
        let outcome = Self.parse(Self.randomPieces(bytes, &generator))
        #expect(outcome == whole, "\(probe.name), seed \(index)")
      }
    }
  }

  @Test("there are two hundred probes and more, each with a name of its own")
  func probesAreMany() {
    #expect(Probe.compared.count == 47)
    #expect(Probe.all.count >= 300)
    #expect(Set(Probe.all.map(\.name)).count == Probe.all.count)
  }

  @Test("letters beyond ASCII that come as they were typed mean what their encoding means")
  func typedLetters() {
    let request = Self.parse("GET /films/괴물?q=é&r=%41 HTTP/1.1\r\nHost: a\r\nX: b\r\n\r\n").requests.first
    #expect(request?.path == "/films/%EA%B4%B4%EB%AC%BC")
    #expect(request?.query == "q=%C3%A9&r=%41")
    #expect(request?.fields == ["Host: a", "X: b"])
  }

  @Test("a request's parts are where they were")
  func parts() {
    let outcome = Self.parse(
      "PUT /v1/%ea%b4%b4?a=1&b HTTP/1.1\r\nHost: Example.org:8080\r\nX-Empty:\r\nx-two:  a \tb\t\r\nContent-Length: 3\r\n\r\nabc"
    )
    let request = outcome.requests.first
    #expect(request?.method == .put)
    #expect(request?.path == "/v1/%ea%b4%b4")
    #expect(request?.query == "a=1&b")
    #expect(
      request?.fields == ["Host: Example.org:8080", "X-Empty: ", "x-two: a \tb", "Content-Length: 3"])
    #expect(request?.body == Array("abc".utf8))
    #expect(!outcome.isUnfinished)
  }

  @Test("a field is found in any case, and several of a name are joined")
  func lookUp() {
    var parser = HTTPParser()
    Array("GET http://a?q HTTP/1.1\r\nhOST: a\r\nAccept: x\r\nACCEPT: y\r\n\r\n".utf8).withUnsafeBytes { bytes in
      var input = bytes
      guard case .head = parser.next(&input) else {
        Issue.record("no head")
        return
      }
    }
    #expect(parser.head["host"] == "a")
    #expect(parser.head["accept"] == "x, y")
    #expect(parser.head["accept-language"] == nil)
    #expect(parser.head.has("accept") && !parser.head.has("accep"))
    #expect(parser.head.rawPath == "/" && parser.head.rawQuery == "q")
  }

  @Test(
    "the connection goes on as version and Connection say",
    arguments: [
      ("1.1", "", true), ("1.1", "Connection: close\r\n", false), ("1.1", "Connection: keep-alive\r\n", true),
      ("1.1", "Connection: x, CLOSE\r\n", false), ("1.1", "Connection: x\r\nConnection: close\r\n", false),
      ("1.1", "Connection: keep-alive, close\r\n", false), ("1.1", "Connection: closed\r\n", true),
      ("1.1", "Proxy-Connection: close\r\n", true), ("1.1", "Connection: ,, ,close\r\n", false),
      ("1.0", "", false), ("1.0", "Connection: Keep-Alive\r\n", true), ("1.0", "Connection: close\r\n", false),
      ("1.0", "Connection: keep-alive, close\r\n", false), ("1.2", "", true),
    ])
  func keepAlive(version: String, fields: String, wanted: Bool) {
    let outcome = Self.parse("GET / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n")
    #expect(outcome.requests.first?.keepsAlive == wanted)
  }

  @Test("who waits for 100 Continue is told once, who does not wait is not")
  func expectContinue() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    func proceeds(_ pieces: String...) -> Int? {
      Self.parse(pieces.map { Array($0.utf8)[...] }).requests.first?.proceeds
    }
    #expect(proceeds(head, "ab") == 1)
    #expect(proceeds(head, "a", "b") == 1)
    #expect(proceeds(head + "ab") == 0)
    #expect(proceeds(head + "a", "b") == 0)
    #expect(proceeds("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n") == 0)
    #expect(proceeds("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n", "ab") == 0)
    let chunked = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(proceeds(chunked, "0\r\n\r\n") == 1)
  }

  @Test("a route's own body limit counts from the head on, for its request only")
  func bodyLimit() {
    var parser = HTTPParser()
    func feed(_ text: String, limit: Int?) -> [String] {
      var seen: [String] = []
      Array(text.utf8).withUnsafeBytes { bytes in
        var input = bytes
        while true {
          switch parser.next(&input) {
          case .needMore: return
          case .head: if let limit { parser.bodyLimit = limit }
          case .proceed: seen.append("proceed")
          case .body(let piece): seen.append("\(piece.count)")
          case .end: seen.append("end")
          case .failure(let failure):
            seen.append("\(failure.status.rawValue)")
            return
          }
        }
      }
      return seen
    }
    #expect(feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", limit: 3) == ["3", "end"])
    #expect(feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd", limit: nil) == ["4", "end"])
    #expect(
      feed("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n", limit: 3) == ["413"])
    #expect(feed("GET / HTTP/1.1\r\n", limit: nil) == ["413"])
  }

  @Test("requests that follow one another come out one by one, cut anywhere")
  func pipelined() {
    var text = ""
    for index in 0..<50 {
      text += "POST /\(index)?q=\(index) HTTP/1.1\r\nHost: a\r\nContent-Length: \(index)\r\n\r\n"
      text += String(repeating: "x", count: index)
      text += "POST /c\(index) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: 1\r\n\r\n"
    }
    let bytes = Array(text.utf8)
    let whole = Self.parse(CollectionOfOne(bytes[...]))
    #expect(whole.requests.count == 100 && whole.failure == nil && !whole.isUnfinished)
    #expect(whole.requests.map(\.body.count).enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? $0 / 2 : 3) })
    #expect(Self.parse(Self.bytewise(bytes)) == whole)
    for seed in 0..<30 as Range<UInt64> {
      var generator = SeededRandom(seed: seed)
      #expect(Self.parse(Self.randomPieces(bytes, &generator)) == whole, "seed \(seed)")
    }
  }

  @Test("a request cut short is unfinished wherever the cut is, and nothing else")
  func truncated() {
    let bytes = Array(
      "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nX: 1\r\n\r\n".utf8)
    for count in 1..<bytes.count {
      let outcome = Self.parse(CollectionOfOne(bytes.prefix(count)))
      #expect(outcome.requests.isEmpty && outcome.failure == nil && outcome.isUnfinished, "cut at \(count)")
    }
  }

  @Test("after a failure every later call fails the same way and takes no input")
  func failureIsFinal() {
    var parser = HTTPParser()
    for text in ["GET /\0", Self.follower, ""] {
      let (action, left) = Array(text.utf8).withUnsafeBytes { bytes in
        var input = bytes
        return (parser.next(&input), input.count)
      }
      guard case .failure(.badLineEnd) = action else {
        Issue.record("\(action)")
        continue
      }
      #expect(left == text.utf8.count)
    }
  }

  @Test("random bytes, random pieces of requests and broken requests mean the same however they are cut")
  func random() {
    let vocabulary = [
      "GET ", "POST ", "/", "/a", "?", " HTTP/1.1", " HTTP/1.0", "\r\n", "\r\n", "\r", "\n", "Host: a\r\n",
      "Content-Length: ",
      "Transfer-Encoding: chunked\r\n", "0\r\n\r\n", "5\r\nhello\r\n", "5", ":", " ", "\t", "\0", "x", "%",
      "Expect: 100-continue\r\n",
      "Connection: close\r\n", "\u{e9}", "\r\n\r\n",
    ].map { Array($0.utf8) }
    let request = Array("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8)
    for seed in 0..<3_000 as Range<UInt64> {
      var generator = SeededRandom(seed: seed)
      var bytes: [UInt8] = []
      switch seed % 3 {
      case 0:
        for _ in 0..<Int.random(in: 0...200, using: &generator) {
          bytes.append(.random(in: 0...255, using: &generator))
        }
      case 1:
        for _ in 0..<Int.random(in: 0...30, using: &generator) {
          bytes += vocabulary.randomElement(using: &generator)!
        }
      default:
        bytes = request + request
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
        }
      }
      let whole = Self.parse(CollectionOfOne(bytes[...]))
      #expect(Self.parse(Self.bytewise(bytes)) == whole, "seed \(seed)")
      #expect(Self.parse(Self.randomPieces(bytes, &generator)) == whole, "seed \(seed)")
    }
  }
}

import Clocks
import EventLoops
import Fetch
import Glibc
import Observability
import Testing

@Suite("Fetcher", .serialized)
@MainActor
struct FetcherTests {
  @Test("a page comes with its status, headers, body and where it came from")
  func page() async throws {
    let zoo = try Zoo(
      ok("<p>상영</p>", headers: "Content-Type: text/html; charset=\"EUC-KR\"\r\nETag: \"1\"\r\nX-A: 1\r\nx-a:  2 \r\n"))
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    let page = try await fetcher.fetch(FetchRequest(try zoo.url("/a?b=c", host: "cinema.example")))
    #expect(page.status == 200 && page.isSuccess && page.majorVersion == 1)
    #expect(String(decoding: page.body, as: UTF8.self) == "<p>상영</p>")
    #expect(page.mediaType == "text/html")
    #expect(page.headers.all("X-A") == ["1", "2"] && page.headers["missing"] == nil)
    #expect(page.validators == .init(etag: "\"1\"") && page.address == .loopback && page.hops.isEmpty)
    #expect(page.wireBytes > page.body.count)
    #expect(zoo.requests[0].line == "GET /a?b=c HTTP/1.1")
    #expect(zoo.requests[0].headers["host"] == "cinema.example:\(zoo.port)")
    #expect(zoo.requests[0].headers["user-agent"] == Fetcher.userAgent)
    #expect(zoo.requests[0].headers["cookie"] == nil && zoo.requests[0].headers["expect"] == nil)
  }

  @Test("requests to one host share a connection, and an ended one is replaced")
  func connections() async throws {
    let zoo = try Zoo { request, stream in
      stream.write(ok("x"))
      // The client does not hear of it: it thinks that it may keep the connection.
      if request.path == "/last" { stream.close(.done) }
    }
    let fetcher = zoo.fetcher()
    defer {
      fetcher.close()
      zoo.close()
    }
    for path in ["/1", "/2", "/last"] { _ = try await fetcher.fetch(FetchRequest(try zoo.url(path))) }
    #expect(zoo.accepted == 1)
    await zoo.idle()
    _ = try await fetcher.fetch(FetchRequest(try zoo.url("/again")))
    #expect(zoo.accepted == 2 && zoo.requests.count == 4)
  }

  @Test("what we have is asked for by its validators, and 304 says it still holds")
  func conditional() async throws {
    let zoo = try Zoo("HTTP/1.1 304 Not Modified\r\nETag: \"2\"\r\n\r\n")
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    var request = FetchRequest(try zoo.url())
    request.validators = .init(etag: "\"1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
    let page = try await fetcher.fetch(request)
    #expect(page.isNotModified && page.body.isEmpty && page.validators?.etag == "\"2\"")
    #expect(zoo.requests[0].headers["if-none-match"] == "\"1\"")
    #expect(zoo.requests[0].headers["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  @Test("a post carries its body, and the next request on the same handle does not")
  func post() async throws {
    let zoo = try Zoo(ok("x"))
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    var request = FetchRequest(try zoo.url("/q"))
    request.method = .post(Array("a=1".utf8), contentType: "application/x-www-form-urlencoded")
    _ = try await fetcher.fetch(request)
    request.method = .head
    let head = try await fetcher.fetch(request)
    request.method = .get
    _ = try await fetcher.fetch(request)
    #expect(zoo.requests.map(\.method) == ["POST", "HEAD", "GET"])
    #expect(zoo.requests[0].body == Array("a=1".utf8))
    #expect(zoo.requests[0].headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(zoo.requests[2].headers["content-length"] == nil && head.body.isEmpty)
  }

  @Test("a header that would be two is not sent")
  func headerInjection() async throws {
    let zoo = try Zoo(ok("x"))
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    var request = FetchRequest(try zoo.url())
    request.headers = [("X-Good", "1"), ("X-Bad", "1\r\nX-Evil: 1"), ("X-Bad: 1\r\nX-Evil", "1"), ("", "1")]
    request.validators = .init(etag: "x\r\nX-Evil: 1")
    _ = try await fetcher.fetch(request)
    #expect(zoo.requests[0].headers["x-good"] == "1")
    #expect(zoo.requests[0].headers.keys.allSatisfy { !$0.contains("evil") && !$0.contains("bad") })
  }

  @Test("cookies are kept and sent only with a jar")
  func cookies() async throws {
    let zoo = try Zoo(ok("x", headers: "Set-Cookie: a=1; Path=/\r\n"))
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    var request = FetchRequest(try zoo.url())
    request.cookies = CookieJar()
    _ = try await fetcher.fetch(request)
    _ = try await fetcher.fetch(request)
    request.cookies = nil
    _ = try await fetcher.fetch(request)
    #expect(zoo.requests.map { $0.headers["cookie"] } == [nil, "a=1", nil])
  }

  @Test("a proxy in the environment is not used")
  func proxy() async throws {
    let zoo = try Zoo(ok("x"))
    for name in ["http_proxy", "all_proxy", "ALL_PROXY"] { setenv(name, "http://127.0.0.1:1", 1) }
    defer { for name in ["http_proxy", "all_proxy", "ALL_PROXY"] { unsetenv(name) } }
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    #expect(try await fetcher.fetch(FetchRequest(try zoo.url())).isSuccess)
  }

  // MARK: Redirects

  @Test("redirects are followed, each hop is told, and 303 after a post is a get")
  func redirects() async throws {
    let zoo = try Zoo { request, stream in
      switch request.path {
      case "/1": stream.write("HTTP/1.1 301 x\r\nLocation: /2?a=b c\r\nContent-Length: 3\r\n\r\nabc")
      case "/2?a=b%20c": stream.write("HTTP/1.1 303 x\r\nLocation: ../3#f\r\nContent-Length: 0\r\n\r\n")
      default: stream.write(ok("end"))
      }
    }
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    var request = FetchRequest(try zoo.url("/1"))
    request.method = .post([1, 2], contentType: "a/b")
    let page = try await fetcher.fetch(request)
    #expect(page.url.target == "/3" && page.hops.map(\.status) == [301, 303])
    #expect(zoo.requests.map(\.method) == ["POST", "GET", "GET"] && zoo.accepted == 1)
    request.followsRedirects = false
    #expect(try await fetcher.fetch(request).status == 301)
  }

  @Test("307 keeps the method and the body")
  func temporaryRedirect() async throws {
    let zoo = try Zoo { request, stream in
      stream.write(request.path == "/1" ? "HTTP/1.1 307 x\r\nLocation: /2\r\nContent-Length: 0\r\n\r\n" : ok("end"))
    }
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    var request = FetchRequest(try zoo.url("/1"))
    request.method = .post([7, 8], contentType: "a/b")
    _ = try await fetcher.fetch(request)
    #expect(zoo.requests.map(\.method) == ["POST", "POST"] && zoo.requests[1].body == [7, 8])
  }

  @Test("secrets stay with the host they were given for")
  func secrets() async throws {
    let other = try Zoo(ok("end"))
    let otherPort = other.port
    let zoo = try Zoo { _, stream in
      stream.write("HTTP/1.1 302 x\r\nLocation: http://other.example:\(otherPort)/\r\nContent-Length: 0\r\n\r\n")
    }
    let fetcher = zoo.fetcher(others: [other.address])
    defer { fetcher.close(); zoo.close(); other.close() }
    var request = FetchRequest(try zoo.url("/", host: "one.example"))
    request.headers = [("Authorization", "secret"), ("X-Plain", "1")]
    let page = try await fetcher.fetch(request)
    #expect(page.url.origin == "http://other.example:\(otherPort)")
    #expect(zoo.requests[0].headers["authorization"] == "secret")
    #expect(other.requests[0].headers["authorization"] == nil && other.requests[0].headers["x-plain"] == "1")
  }

  // MARK: Waiting and ending

  @Test("a page that does not come is given up at the deadline, and the connection with it")
  func deadline() async throws {
    let zoo = try Zoo { _, stream in stream.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc") }
    let time = ManualTime()
    let fetcher = zoo.fetcher(time: time)
    defer { fetcher.close(); zoo.close() }
    let request = FetchRequest(try zoo.url())
    let page = Task { try await fetcher.fetch(request) }
    await zoo.asked(1)
    time.advance(by: .seconds(14))
    #expect(fetcher.load.running == 1)
    time.advance(by: .seconds(1))
    await #expect(throws: FetchError.timedOut(after: .seconds(15))) { try await page.value }
    await zoo.idle()
    #expect(fetcher.load.running == 0)
  }

  @Test("redirects share one deadline")
  func sharedDeadline() async throws {
    let time = ManualTime()
    let zoo = try Zoo { request, stream in
      time.advance(by: .seconds(6))
      if request.path != "/end" {
        stream.write("HTTP/1.1 302 x\r\nLocation: \(request.path)1\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let fetcher = zoo.fetcher(time: time)
    defer { fetcher.close(); zoo.close() }
    await #expect(throws: FetchError.timedOut(after: .seconds(15))) {
      try await fetcher.fetch(FetchRequest(try zoo.url("/a")))
    }
    #expect(zoo.requests.count == 3)
  }

  @Test("cancelling the task ends the transfer, wherever it is")
  func cancellation() async throws {
    let zoo = try Zoo { _, _ in }
    var limits = Fetcher.Limits()
    limits.transfersPerHost = 1
    let fetcher = zoo.fetcher(limits: limits)
    defer { fetcher.close(); zoo.close() }
    let url = try zoo.url()
    let running = Task { try await fetcher.fetch(FetchRequest(url)) }
    await zoo.asked(1)
    let waiting = Task { try await fetcher.fetch(FetchRequest(url)) }
    while fetcher.load.waiting == 0 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: FetchError.cancelled) { try await waiting.value }
    running.cancel()
    await #expect(throws: FetchError.cancelled) { try await running.value }
    await zoo.idle()
    let late = Task { try await fetcher.fetch(FetchRequest(url)) }
    late.cancel()
    await #expect(throws: FetchError.cancelled) { try await late.value }
    #expect(zoo.requests.count == 1)
  }

  @Test("whoever waits for a turn at a busy host waits no longer than they said")
  func turn() async throws {
    let zoo = try Zoo { _, _ in }
    let time = ManualTime()
    var limits = Fetcher.Limits()
    limits.transfersPerHost = 1
    let fetcher = Fetcher(
      limits: limits, addressGuard: AddressGuard(exceptions: [zoo.address]), time: time
    ) { _, port in [.ip(.loopback, port: port)] }
    defer { fetcher.close(); zoo.close() }
    let url = try zoo.url()
    let running = Task { try await fetcher.fetch(FetchRequest(url)) }
    await zoo.asked(1)
    var request = FetchRequest(url)
    request.limits.turn = .seconds(2)
    let waiting = Task { [request] in try await fetcher.fetch(request) }
    while fetcher.load.waiting == 0 { await Task.yield() }
    time.advance(by: .seconds(2))
    await #expect(throws: FetchError.timedOut(after: .seconds(2))) { try await waiting.value }
    #expect(fetcher.load.running == 1)
    running.cancel()
    await #expect(throws: FetchError.cancelled) { try await running.value }
    #expect(fetcher.load.running == 0 && fetcher.load.waiting == 0 && zoo.requests.count == 1)
  }

  @Test("closing ends what runs and what waits")
  func closing() async throws {
    let zoo = try Zoo { _, _ in }
    var limits = Fetcher.Limits()
    (limits.transfersPerHost, limits.waiting) = (1, 1)
    let fetcher = zoo.fetcher(limits: limits)
    let url = try zoo.url()
    let first = Task { try await fetcher.fetch(FetchRequest(url)) }
    await zoo.asked(1)
    let second = Task { try await fetcher.fetch(FetchRequest(url)) }
    while fetcher.load.waiting == 0 { await Task.yield() }
    await #expect(throws: FetchError.overloaded(limit: 1)) { try await fetcher.fetch(FetchRequest(url)) }
    fetcher.close()
    await #expect(throws: FetchError.closed) { try await first.value }
    await #expect(throws: FetchError.closed) { try await second.value }
    await #expect(throws: FetchError.closed) { try await fetcher.fetch(FetchRequest(url)) }
    await zoo.idle()
    zoo.close()
  }

  @Test("two thousand fetches run at once on the one thread, and not one more", .timeLimit(.minutes(2)))
  func thousands() async throws {
    var limits = Fetcher.Limits()
    (limits.transfers, limits.transfersPerHost) = (2_000, 60)
    try await crowd(of: 2_100, at: 40, limits) { running, byHost in
      #expect(running == 2_000 && byHost.values.allSatisfy { $0 <= 60 })
    }
  }

  @Test("no more fetches run at one host than may", .timeLimit(.minutes(2)))
  func crowdedHosts() async throws {
    var limits = Fetcher.Limits()
    (limits.transfers, limits.transfersPerHost) = (200, 8)
    try await crowd(of: 400, at: 20, limits) { running, byHost in
      #expect(running == 160 && byHost.values.allSatisfy { $0 == 8 })
    }
  }

  /// Sends fetches to hosts that answer none before all have come that may, and looks at those.
  private func crowd(
    of fetches: Int, at hosts: Int, _ limits: Fetcher.Limits, _ look: (_ running: Int, _ byHost: [String: Int]) -> Void
  ) async throws {
    // Both ends of each connection are this process's.
    try raiseDescriptors(to: 2 * limits.transfers + 256)
    var held: [any ByteStream] = []
    var isHolding = true
    let zoo = try Zoo { _, stream in
      if isHolding { held.append(stream) } else { stream.write(ok("x")) }
    }
    let fetcher = zoo.fetcher(limits: limits)
    defer { fetcher.close(); zoo.close() }
    let urls = try (0..<fetches).map { try zoo.url("/\($0)", host: "site\($0 % hosts).example") }
    let pages = urls.map { url in
      Task {
        var request = FetchRequest(url)
        // They are held on purpose.
        (request.limits.turn, request.limits.total) = (.seconds(100), .seconds(100))
        (request.limits.connect, request.limits.slowness) = (.seconds(100), .seconds(100))
        return try await fetcher.fetch(request).body.count
      }
    }
    while fetcher.load.running + fetcher.load.waiting < fetches { await Task.yield() }
    let running = fetcher.load.running
    await zoo.asked(running)
    // Were one more under way, it would be here by now.
    for _ in 0..<20 { try await EventLoop.time.sleep(for: .zero) }
    #expect(zoo.requests.count == running && held.count == running)
    look(running, Dictionary(zoo.requests.map { ($0.headers["host"] ?? "", 1) }, uniquingKeysWith: +))
    isHolding = false
    for stream in held { stream.write(ok("x")) }
    var bodies = 0
    for page in pages { bodies += try await page.value }
    #expect(bodies == fetches && zoo.requests.count == fetches)
    #expect(fetcher.load.running == 0 && fetcher.load.waiting == 0)
  }

  /// A shell gives a process about a thousand; the kernel allows more to who asks.
  private func raiseDescriptors(to count: Int) throws {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    getrlimit(kind, &limit)
    guard limit.rlim_cur < count else { return }
    try #require(limit.rlim_max >= count, "this test needs \(count) file descriptors: raise ulimit -Hn")
    limit.rlim_cur = rlim_t(count)
    setrlimit(kind, &limit)
  }

  @Test("names are looked up once a minute however many ask")
  func lookups() async throws {
    let zoo = try Zoo(ok("x"))
    let time = ManualTime()
    var lookups = 0
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [zoo.address]), time: time) { _, port in
      lookups += 1
      return [.ip(.loopback, port: port)]
    }
    defer { fetcher.close(); zoo.close() }
    let request = FetchRequest(try zoo.url("/", host: "cinema.example"))
    async let first = fetcher.fetch(request)
    async let second = fetcher.fetch(request)
    _ = try await (first, second)
    _ = try await fetcher.fetch(request)
    #expect(lookups == 1)
    time.advance(by: .seconds(61))
    _ = try await fetcher.fetch(request)
    #expect(lookups == 2)
  }

  @Test("what happened is counted")
  func metrics() async throws {
    let zoo = try Zoo(ok("x"))
    let metrics = Metrics()
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [zoo.address]), metrics: metrics)
    defer { fetcher.close(); zoo.close() }
    _ = try await fetcher.fetch(FetchRequest(try zoo.url()))
    _ = try? await fetcher.fetch(FetchRequest("http://10.0.0.1/"))
    let text = String(decoding: metrics.exposition(), as: UTF8.self)
    #expect(text.contains("odi_fetches_total{outcome=\"2xx\"} 1"))
    #expect(text.contains("odi_fetches_total{outcome=\"refused\"} 1"))
  }
}

import Clocks
import EventLoops
import Gateway
import HTTP
import Testing

@Suite("The edge")
struct EdgeTests {
  @Test(
    "the language is the best of those that we have",
    arguments: [
      ("ko", Language.ko), ("ko-KR, en;q=0.5", .ko), ("fr, ja;q=0.3, en;q=0.8", .en), ("en;q=0.2, ja;q=0.9", .ja),
      ("EN-gb", .en), ("fr", nil), ("", nil), ("*", nil), ("ko;q=0", nil), ("ko;q=abc, en;q=0.1", .en),
    ] as [(String, Language?)])
  func language(header: String, expected: Language?) {
    #expect(Language(accepting: header) == expected)
  }

  @Test("a bucket gives its burst at once, then its rate, and says how long to wait")
  func buckets() {
    var buckets = TokenBuckets<String>(.init(perSecond: 2, burst: 3))
    var now = Instant(nanoseconds: 0)
    for left in [2, 1, 0] {
      let standing = buckets.take("a", now: now)
      #expect(standing.isAllowed && standing.left == left)
    }
    let refused = buckets.take("a", now: now)
    #expect(!refused.isAllowed && refused.wait == .milliseconds(500))
    #expect(buckets.take("b", now: now).isAllowed, "another has a bucket of its own")
    now = now + .milliseconds(500)
    #expect(buckets.take("a", now: now).isAllowed)
    #expect(!buckets.take("a", now: now).isAllowed)
  }

  @Test("a cursor goes on in its own list and in no other")
  func cursors() throws {
    let text = Cursor.text(after: "lantern", of: "/v1/cinemas region=seoul")
    #expect(try Cursor.key(text, of: "/v1/cinemas region=seoul") == "lantern")
    for (wrong, question) in [(text, "/v1/cinemas region=busan"), ("AAAA", "x"), ("not a cursor", "x"), ("", "x")] {
      let problem = #expect(throws: Problem.self) { try Cursor.key(wrong, of: question) }
      #expect(problem?.kind == .invalidCursor && problem?.status == .badRequest)
    }
  }

  @Test("the same question in another order is the same; a point is of others only with three decimals")
  func answerKeys() {
    func key(_ query: [(String, String)]) -> AnswerKey {
      AnswerKey(path: "/p", language: .ko, query: query.map { (name: $0.0, value: $0.1) })
    }
    #expect(key([("a", "1"), ("b", "2")]) == key([("b", "2"), ("a", "1")]))
    #expect(key([("lat", "37.571"), ("lon", "126.976")]).isShared)
    let exact = key([("lat", "37.57123"), ("lon", "126.976")])
    #expect(!exact.isShared && exact.rounded == key([("lat", "37.571"), ("lon", "126.976")]).rounded)
    #expect(key([("q", "3.14159")]).isShared, "only coordinates are rounded")
    let far = key([("lat", "37.5712e-9"), ("lon", "126.976")])
    #expect(far.rounded == far.exact, "a point at the equator stands for none in Seoul")
  }

  @Test("a forwarded address is believed of our own proxies only")
  func addresses() throws {
    let proxy = try #require(IPAddress("10.0.0.1"))
    let peer = SocketAddress.ip(proxy, port: 1)
    func client(_ peer: SocketAddress, _ forwarded: String?, _ proxies: Set<IPAddress>) -> ClientAddress {
      ClientAddress(peer: peer, forwarded: forwarded, scheme: "https", proxies: proxies)
    }
    #expect(client(peer, "1.2.3.4", []).address == proxy)
    #expect(!client(peer, "1.2.3.4", []).isSecure)
    #expect(client(peer, "9.9.9.9, 1.2.3.4", [proxy]).address == IPAddress("1.2.3.4"))
    #expect(client(peer, "1.2.3.4, 10.0.0.1", [proxy]).address == IPAddress("1.2.3.4"))
    #expect(client(peer, "nonsense", [proxy]).address == proxy)
    #expect(client(peer, "1.2.3.4", [proxy]).isSecure)
  }

  @Test("a forwarded address is the same in every form that proxies write, and two clients are never one")
  func formsOfAddresses() throws {
    let proxy = try #require(IPAddress("10.0.0.1"))
    func client(_ forwarded: String, _ direct: IPAddress? = nil) -> ClientAddress {
      ClientAddress(peer: .ip(direct ?? proxy, port: 1), forwarded: forwarded, scheme: nil, proxies: [proxy])
    }
    let one = try #require(IPAddress("203.0.113.1"))
    for text in ["203.0.113.1", "203.0.113.1:5555", "::ffff:203.0.113.1", "[::ffff:203.0.113.1]:443"] {
      #expect(client(text).network == one, "\(text)")
    }
    #expect(client("[2001:db8::1]:443").address == IPAddress("2001:db8::1"))
    #expect(client("2001:db8::1").address == IPAddress("2001:db8::1"))
    #expect(client("[2001:db8::1").address == proxy)
    // A socket of both kinds tells the proxy itself so.
    #expect(client("203.0.113.1", IPAddress("::ffff:10.0.0.1")).address == one)
  }

  @Test("two questions never have one key, whatever characters are in them")
  func keysOfQuestions() {
    func key(_ query: [(name: String, value: String)]) -> AnswerKey {
      AnswerKey(path: "/v1/search", language: nil, query: query)
    }
    let two = key([("q", "Parasite"), ("types", "film")])
    #expect(two != key([("q", "Parasite&types=film")]) && two != key([("q", "Parasite&5types=4 film")]))
    #expect(key([("q", "a"), ("r", "")]) != key([("q", "a&1r=0 ")]))
    #expect(two == key([("types", "film"), ("q", "Parasite")]))
  }

  @Test("an event's id is two revisions, either of which may be missing, and perhaps an alert's number")
  func liveIDs() {
    #expect(LiveID("118-41") == LiveID(schedule: 118, user: 41))
    #expect(LiveID("118-") == LiveID(schedule: 118) && LiveID("-41") == LiveID(user: 41))
    #expect(LiveID("1-2-3") == LiveID(schedule: 1, user: 2, alert: 3) && LiveID("1--3")?.description == "1--3")
    for text in ["", "-", "118", "a-b", "1-2-", "1-2-3-4", "--3", "118-x", "99999999999999999999-1"] {
      #expect(LiveID(text) == nil, "\(text)")
    }
    #expect(LiveID(schedule: 118, user: 41).description == "118-41")
  }
}

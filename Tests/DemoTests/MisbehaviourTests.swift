import Calendars
import Clocks
import Demo
import EventLoops
import Fetch
import HTML
import JSON
import TestKit
import Testing

extension OneAfterAnother {
  @Suite("Demo misbehaviour", .serialized, .timeLimit(.minutes(5)))
  @MainActor
  struct MisbehaviourTests {
    /// Turns one knob at the Rio, looks, and sees that Cinecube is well all the while.
    private func turning(
      _ misbehaviour: Misbehaviour, at cinema: String = "rio", _ look: (Visitor, String) async throws -> Void
    ) async throws {
      try await Visitor.visit { visitor in
        visitor.world.knobs.turn(misbehaviour, at: cinema)
        try await look(visitor, visitor.start(of: cinema))
        #expect(try await visitor.page(visitor.start(of: "cinecube")).select("a.btnDay").count == 14)
        visitor.world.behave(cinema)
        #expect(try await visitor.get(visitor.start(of: cinema)).isSuccess)
      }
    }

    @Test("after a redesign the shows are there and the selectors find none, in every format")
    func redesign() async throws {
      let found: [(String, String)] = [
        ("cinecube", "div.main-schedule div.swiper-slide a"), ("rio", "table.programme > tbody > tr.day"),
        ("barbican", "[itemtype]"), ("prince-charles", "script[type='application/ld+json']"),
      ]
      try await Visitor.visit { visitor in
        for (id, selector) in found {
          let selector = try Selector(parsing: selector)
          #expect(try await visitor.page(visitor.start(of: id)).first(selector) != nil)
          visitor.world.knobs.turn(.redesign, at: id)
          let page = try await visitor.page(visitor.start(of: id))
          #expect(page.first(selector) == nil, "\(id)")
          let cinema = try #require(visitor.world.cinema(id))
          let show = try #require(visitor.world.days(of: cinema).first { !$0.shows.isEmpty }?.shows.first)
          if id != "cinecube" { #expect(page.root.text.contains(show.title(at: cinema)), "\(id)") }
        }
        let date = visitor.world.today(at: try #require(visitor.world.cinema("cinecube"))).description
        let answer = try await visitor.json(visitor.shows(of: "cinecube", on: date))
        #expect(answer["Showseqlist"] == nil && answer["ShowList"]?.array?.isEmpty == false)
        visitor.world.knobs.turn(.redesign, at: "cine-lumiere")
        let feed = try await visitor.get(visitor.start(of: "cine-lumiere"))
        #expect(feed.isSuccess && feed.mediaType == "text/html")
      }
    }

    @Test(
      "an empty site is well and shows nothing",
      arguments: ["emu", "rio", "barbican", "prince-charles", "cine-lumiere"])
    func empty(id: String) async throws {
      try await Visitor.visit { visitor in
        let cinema = try #require(visitor.world.cinema(id))
        #expect(try await !visitor.shows(at: cinema).isEmpty)
        visitor.world.knobs.turn(.empty, at: id)
        #expect(try await visitor.shows(at: cinema).isEmpty)
      }
    }

    @Test(
      "a hostile site has the same shows at the same times, and no title, screen or link of its own",
      arguments: ["emu", "barbican", "prince-charles", "cine-lumiere"])
    func hostile(id: String) async throws {
      try await Visitor.visit { visitor in
        let cinema = try #require(visitor.world.cinema(id))
        let honest = try await visitor.shows(at: cinema)
        visitor.world.knobs.turn(.hostile, at: id)
        let hostile = try await visitor.shows(at: cinema)
        #expect(!honest.isEmpty && hostile.map(\.start).sorted() == honest.map(\.start).sorted())
        let titles = Set(hostile.map(\.title))
        #expect(titles.isDisjoint(with: honest.map(\.title)) && titles.count > 3)
        #expect(titles.contains { $0.contains("hit=1") || $0.contains("<") || $0.contains(">") }, "\(titles)")
        visitor.world.behave(id)
        #expect(try await visitor.shows(at: cinema) == honest, "nothing of it stays")
      }
    }

    @Test("a hostile table leads nowhere that is its own")
    func hostileTable() async throws {
      let link = try Selector(parsing: "ol.times a")
      try await turning(.hostile) { visitor, path in
        let links = try await visitor.page(path).select(link).compactMap { $0["href"] }
        #expect(links.count > 20 && links.allSatisfy { !$0.hasPrefix(visitor.base) })
        #expect(links.contains { $0.hasPrefix("javascript:") })
      }
    }

    @Test(
      "a failing site fails with its status, and says when to come back",
      arguments: [
        (Misbehaviour.notFound, 404, String?.none), (.tooMany, 429, "30"), (.failing, 500, nil),
        (.unavailable, 503, "Wed, 18 Nov 2026 11:08:40 GMT"),
      ])
    func statuses(misbehaviour: Misbehaviour, status: Int, retryAfter: String?) async throws {
      try await turning(misbehaviour) { visitor, path in
        let response = try await visitor.get(path)
        #expect(response.status == status && response.headers["Retry-After"] == retryAfter)
        #expect(response.headers["X-Odi-Demo"] == "1")
      }
    }

    @Test("a flaky site fails every second time")
    func flaky() async throws {
      try await turning(.flaky) { visitor, path in
        var statuses: [Int] = []
        for _ in 0..<4 { statuses.append(try await visitor.get(path).status) }
        #expect(statuses == [503, 200, 503, 200])
      }
    }

    @Test("a page in another encoding is the same page, and names its encoding itself")
    func encodings() async throws {
      let encodings: [(Misbehaviour, TextEncoding)] = [
        (.eucKR, .eucKR), (.shiftJIS, .shiftJIS), (.eucJP, .eucJP), (.latin1, .windows1252),
      ]
      for (misbehaviour, encoding) in encodings {
        for id in ["cinecube", "laika", "ica", "close-up"] {
          try await turning(misbehaviour, at: id) { visitor, path in
            let response = try await visitor.get(path)
            #expect(response.charset == nil)
            let page = try HTMLDocument.parse(response.body, contentCharset: response.charset)
            #expect(page.charset.encoding == encoding)
            visitor.world.behave(id)
            let usual = try await visitor.get(path)
            #expect(usual.body != response.body)
            #expect(page.root.text == (try HTMLDocument.parse(usual.body, contentCharset: usual.charset)).root.text)
          }
        }
      }
    }

    @Test("a header that names the wrong encoding is believed, unless a byte order mark tells better")
    func wrongCharset() async throws {
      for (misbehaviour, isReadable) in [(Misbehaviour.wrongCharset, false), (.byteOrderMark, true)] {
        try await turning(misbehaviour, at: "laika") { visitor, path in
          let response = try await visitor.get(path)
          #expect(response.charset?.lowercased() == "euc-kr")
          let page = try HTMLDocument.parse(response.body, contentCharset: response.charset)
          #expect(page.charset.encoding == (isReadable ? .utf8 : .eucKR))
        }
      }
    }

    @Test("a page that drips comes a byte a second")
    func drip() async throws {
      try await turning(.drip) { visitor, path in
        let page = Task { @MainActor in await visitor.failure(path) }
        for _ in 0..<119 {
          await visitor.time.waiting()
          visitor.time.advance(by: .milliseconds(999))
          #expect(visitor.time.pending == 1)
          visitor.time.advance(by: .milliseconds(1))
        }
        #expect(await page.value == .truncated)
      }
    }

    @Test("a slow page comes in pieces over ten seconds")
    func slow() async throws {
      try await turning(.slow) { visitor, path in
        let page = Task { @MainActor in try await visitor.get(path) }
        for _ in 0..<19 {
          await visitor.time.waiting()
          visitor.time.advance(by: .milliseconds(499))
          #expect(visitor.time.pending == 1)
          visitor.time.advance(by: .milliseconds(1))
        }
        let read = try await page.value.body
        visitor.world.behave()
        #expect(try await visitor.get(path).body == read)
      }
    }

    @Test("a site that hangs says nothing for a minute, one that stalls stops in the middle")
    func silence() async throws {
      try await turning(.hang) { visitor, path in
        let page = Task { @MainActor in try await visitor.get(path) }
        await visitor.time.waiting()
        visitor.time.advance(by: .seconds(59))
        #expect(visitor.time.pending == 1)
        visitor.time.advance(by: .seconds(1))
        let response = try await page.value
        #expect(response.status == 504)
      }
      try await turning(.stall) { visitor, path in
        let page = Task { @MainActor in await visitor.failure(path) }
        await visitor.time.waiting()
        visitor.time.advance(by: .seconds(60))
        #expect(await page.value == .truncated)
      }
    }

    @Test("a client that gives up in the middle of a page leaves no timer behind")
    func givingUp() async throws {
      for misbehaviour in [Misbehaviour.stall, .slow] {
        try await turning(misbehaviour) { visitor, path in
          let page = Task { @MainActor in await visitor.failure(path) }
          await visitor.time.waiting()
          page.cancel()
          #expect(await page.value == .cancelled)
          await visitor.time.idle()
        }
      }
    }

    @Test("a connection that is reset is told from one that ends")
    func reset() async throws {
      try await turning(.reset) { visitor, path in
        guard case .connectionLost = await visitor.failure(path) else {
          Issue.record("it was not reset")
          return
        }
      }
    }

    @Test("half a page is noticed, and so is a length that is too small")
    func lengths() async throws {
      try await turning(.truncate) { visitor, path in #expect(await visitor.failure(path) == .truncated) }
      try await turning(.wrongLength) { visitor, path in
        let short = try await visitor.get(path).body
        visitor.world.behave()
        let whole = try await visitor.get(path).body
        #expect(short.count == whole.count - whole.count / 4 && whole.starts(with: short))
      }
    }

    @Test("noise, nothing, a bomb and a page without an end stay within their bounds")
    func bodies() async throws {
      try await turning(.garbage) { visitor, path in
        let body = try await visitor.get(path).body
        #expect(body.count == 64 << 10 && !body.starts(with: Array("<!DOCTYPE".utf8)))
      }
      try await turning(.blank) { visitor, path in
        let response = try await visitor.get(path)
        #expect(response.status == 200 && response.body.isEmpty)
      }
      try await turning(.gzipBomb) { visitor, path in
        #expect(await visitor.failure(path) == .bodyTooLarge(limit: 8 << 20))
      }
      try await turning(.huge) { visitor, path in
        let failure = await visitor.failure(path)
        #expect(failure == .bodyTooLarge(limit: 8 << 20) || failure == .wireTooLarge(limit: 8 << 20))
      }
      try await turning(.endless) { visitor, path in
        let failure = await visitor.failure(path)
        #expect(failure == .bodyTooLarge(limit: 8 << 20) || failure == .wireTooLarge(limit: 8 << 20))
      }
      try await turning(.headerFlood) { visitor, path in
        #expect(await visitor.failure(path) == .headersTooLarge(limit: 64 << 10))
      }
    }

    @Test("a redirect in a circle and one into a private network are not followed to the end")
    func redirects() async throws {
      try await turning(.redirectLoop) { visitor, path in
        #expect(await visitor.failure(path) == .tooManyRedirects(limit: 5))
      }
      try await turning(.redirectPrivate) { visitor, path in
        guard case .refused = await visitor.failure(path) else {
          Issue.record("it was followed")
          return
        }
      }
      try await turning(.redirectFile) { visitor, path in
        guard case .redirect(to: "file:///etc/passwd", _) = await visitor.failure(path) else {
          Issue.record("it was followed")
          return
        }
      }
    }

    @Test("robots.txt forbids the cinema that denies robots, and no other")
    func robots() async throws {
      try await Visitor.visit { visitor in
        visitor.world.knobs.turn(.robotsDeny, at: "rio")
        try await expect([false, true, true, true], visitor)
        visitor.world.knobs.turn(.robotsDeny, at: "cinecube")
        try await expect([false, false, true, true], visitor)
        visitor.world.knobs.turn(.robotsDeny)
        try await expect([false, false, false, false], visitor)
        visitor.world.behave()
        try await expect([true, true, true, true], visitor)
        visitor.world.knobs.turn(.robotsError)
        let answer = try await visitor.get("/robots.txt")
        #expect(answer.status == 500)
        visitor.world.behave()
        visitor.world.knobs.turn(.robotsMissing)
        #expect(try await visitor.get("/robots.txt").status == 404)
        visitor.world.behave()
        visitor.world.knobs.turn(.robotsHuge, at: "rio")
        #expect(try await visitor.get("/robots.txt").body.count > 500 << 10)
        try await expect([true, true, true, true], visitor)
        visitor.world.behave()
        visitor.world.knobs.turn(.robotsRedirect, at: "rio")
        try await expect([false, true, true, true], visitor)
      }
    }

    private func expect(_ allowed: [Bool], _ visitor: Visitor) async throws {
      let robots = RobotsTxt(parsing: try await visitor.get("/robots.txt").body)
      for (id, isAllowed) in zip(["rio", "cinecube", "emu", "cine-lumiere"], allowed) {
        #expect(robots.allows(visitor.start(of: id), agent: "OdiBot") == isAllowed, "\(id)")
      }
    }

    @Test("every misbehaviour changes something, also of films and posters when it is everybody's")
    func all() async throws {
      try await Visitor.visit { visitor in
        let paths = [visitor.start(of: "emu"), "/movie/view.do?MovieCd=900101", "/robots.txt"]
        var usual: [String: FetchResponse] = [:]
        for path in paths { usual[path] = try await visitor.get(path) }
        let patient: Set<Misbehaviour> = [.hang, .stall, .slow, .drip]
        for misbehaviour in Misbehaviour.allCases where !patient.contains(misbehaviour) {
          visitor.world.knobs.turn(misbehaviour)
          var differs = false
          for path in paths {
            do {
              let response = try await visitor.get(path)
              differs = differs || response.status != usual[path]?.status || response.body != usual[path]?.body
              differs = differs || response.charset != usual[path]?.charset
            } catch {
              differs = true
            }
          }
          // The platform's calendar tells days; an empty one is told by its shows.
          #expect(differs || misbehaviour == .empty, "\(misbehaviour)")
          #expect(try await visitor.get("/directory.json").isSuccess)
          visitor.world.behave()
        }
      }
    }

    @Test("a knob ends by itself, and after a day whatever was asked")
    func ending() async throws {
      try await Visitor.visit { visitor in
        visitor.world.knobs.turn(.failing, at: "rio", for: .seconds(60))
        visitor.world.knobs.turn(.failing, at: "emu", for: .seconds(90 * 86_400))
        #expect(visitor.world.knobs.active.map(\.cinema) == ["rio", "emu"])
        visitor.time.advance(by: .seconds(60))
        #expect(visitor.world.knobs.active.map(\.cinema) == ["emu"])
        let rio = try await visitor.get(visitor.start(of: "rio"))
        #expect(rio.isSuccess)
        visitor.time.advance(by: .seconds(86_400))
        #expect(visitor.world.knobs.active.isEmpty)
      }
    }
  }
}

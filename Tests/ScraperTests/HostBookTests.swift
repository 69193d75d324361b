import Clocks
import EventLoops
import Fetch
import Observability
import Scraper
import Testing

/// What sites ask of us, over real sockets where that matters.
@Suite("Hosts", .timeLimit(.minutes(5)))
@MainActor
struct HostBookTests {
  private let test: TestStore
  private let time = ManualTime()

  init() async throws { test = try await TestStore() }

  private func book(_ fetcher: Fetcher, exempt url: FetchURL? = nil) -> HostBook {
    HostBook(
      { fetcher }, store: test.store,
      budget: HostBudget(exempt: Set(url.map { HostBudget.keys($0, address: nil) } ?? [])), time: time,
      metrics: ScrapeMetrics(Metrics()))
  }

  private func refusal(_ book: HostBook, _ url: FetchURL) async -> RetrievalError? {
    do throws(RetrievalError) {
      try await book.turn(for: url)
      return nil
    } catch {
      return error
    }
  }

  @Test("a robots.txt that cannot be had leaves the good copy, over a restart too", arguments: [429, 500, 503])
  func goodCopy(status: Int) async throws {
    var answer = ScriptedSite.Answer(body: "User-agent: *\nDisallow: /no\n")
    let site = try ScriptedSite { _, _ in answer }
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [site.address]))
    let (yes, no) = (try site.url("/yes"), try site.url("/no"))
    let first = book(fetcher, exempt: yes)
    #expect(await refusal(first, yes) == nil)
    answer = ScriptedSite.Answer(status: status)
    time.advance(by: .seconds(25 * 3_600))
    #expect(await refusal(first, yes) == nil)
    #expect(site.asked == ["/robots.txt", "/robots.txt"])

    let second = book(fetcher, exempt: yes)
    try await second.restore()
    #expect(await refusal(second, yes) == nil, "what it said last holds for thirty days")
    #expect(await refusal(second, no)?.kind == .denied)
    fetcher.close()
    site.close()
  }

  @Test("how long a robots.txt is good for is remembered over a restart")
  func freshness() async throws {
    let site = try ScriptedSite { _, _ in ScriptedSite.Answer(headers: ["Cache-Control: max-age=600"], body: "") }
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [site.address]))
    let url = try site.url("/page")
    #expect(await refusal(book(fetcher, exempt: url), url) == nil)
    let later = book(fetcher, exempt: url)
    try await later.restore()
    time.advance(by: .seconds(599))
    #expect(await refusal(later, url) == nil)
    #expect(site.asked.count == 1)
    time.advance(by: .seconds(1))
    #expect(await refusal(later, url) == nil)
    #expect(site.asked.count == 2)
    fetcher.close()
    site.close()
  }

  @Test("a robots.txt that cannot be had is told as such and asked for again within minutes")
  func unknown() async throws {
    var answer = ScriptedSite.Answer(status: 503)
    let site = try ScriptedSite { _, _ in answer }
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [site.address]))
    let url = try site.url("/page")
    let book = book(fetcher, exempt: url)
    let error = await refusal(book, url)
    #expect(error?.kind == .failed)
    let sentence = "robots.txt of http://\(site.address) cannot be had (it answers 503); tried again at "
    #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "")")
    await #expect(throws: RetrievalError.self, "operators are told the same") { try await book.verdict(on: url) }
    #expect(site.asked.count == 1)
    answer = ScriptedSite.Answer(status: 404)
    time.advance(by: .seconds(240))
    #expect(await refusal(book, url) == nil)
    fetcher.close()
    site.close()
  }

  @Test("a site that asks for a minute between two pages is read whole: our own queue is no wish of the site's")
  func crawlDelay() async throws {
    let site = try ScriptedSite { _, _ in ScriptedSite.Answer(body: "User-agent: *\nCrawl-delay: 60\n") }
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [site.address]))
    let book = book(fetcher)
    let url = try site.url("/page")
    var (left, done) = (14, 0)
    var failed: RetrievalError?
    let lanes = (0..<6).map { _ in
      Task { @MainActor in
        while left > 0 {
          left -= 1
          if let error = await refusal(book, url) { failed = error } else { done += 1 }
          book.finish(url, .answered(after: .milliseconds(80)), address: nil)
        }
      }
    }
    let began = time.now
    while done < 14, failed == nil {
      await Task.yield()
      // While robots.txt is read nobody waits by the clock.
      if let due = time.nextDue { time.advance(by: due - time.now) }
    }
    for lane in lanes { lane.cancel() }
    #expect(failed == nil, "\(failed?.description ?? "")")
    #expect(time.now - began >= .seconds(13 * 60))
    fetcher.close()
    site.close()
  }

  @Test("an operator's pause holds for a page that already waits for its turn")
  func pauseWhileWaiting() async throws {
    let site = try ScriptedSite { _, _ in ScriptedSite.Answer(body: "User-agent: *\nCrawl-delay: 600\n") }
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [site.address]))
    let book = book(fetcher)
    let url = try site.url("/page")
    let waiting = Task { @MainActor in await refusal(book, url) }
    // While robots.txt is read nobody waits by the clock.
    while site.asked.isEmpty || time.nextDue == nil { await Task.yield() }
    try await book.pause(url.site, until: time.wall.adding(.seconds(86_400)))
    time.advance(by: .seconds(600))
    #expect(await waiting.value?.kind == .paused)
    fetcher.close()
    site.close()
  }

  @Test("a pause that the site asks for is not waited out if it is long")
  func longPause() async throws {
    let site = try ScriptedSite { _, _ in ScriptedSite.Answer(status: 404) }
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [site.address]))
    let book = book(fetcher)
    let url = try site.url("/page")
    book.finish(url, .throttled(retryAfter: .seconds(600)), address: nil)
    let error = await refusal(book, url)
    #expect(error?.kind == .paused, "\(error?.description ?? "")")
    #expect(site.asked.isEmpty)
    fetcher.close()
    site.close()
  }

  @Test("an operator's pause outlives a pause that another host, or the same one, asks for")
  func operatorPause() async throws {
    let fetcher = Fetcher()
    let first = book(fetcher)
    let (one, two) = (try FetchURL(parsing: "https://one.example/"), try FetchURL(parsing: "https://two.example/"))
    try await first.pause("one.example", until: time.wall.adding(.seconds(86_400)))
    for url in [two, one] { first.finish(url, .throttled(retryAfter: .seconds(600)), address: nil) }
    while try await test.store.hostPauses().count(where: { !$0.isByOperator }) < 2 { await Task.yield() }
    let second = book(fetcher)
    try await second.restore()
    #expect(second.pauses.filter(\.isByOperator).map(\.host) == ["one.example"])
    #expect(Set(second.pauses.filter { !$0.isByOperator }.map(\.host)) == ["one.example", "two.example"])
    try await second.resume("one.example")
    let third = book(fetcher)
    try await third.restore()
    #expect(third.pauses.allSatisfy { !$0.isByOperator } && third.pauses.count == 2)
    fetcher.close()
  }

  @Test("“not modified” of another page is no answer: only the page that it was said of is asked with its marks")
  func notModified() async throws {
    var leadsOn = false
    let site = try ScriptedSite { path, request in
      switch path {
      case "/robots.txt": return ScriptedSite.Answer(status: 404)
      case "/old" where leadsOn: return ScriptedSite.Answer(status: 302, headers: ["Location: /new"])
      default:
        if request.lowercased().contains("if-none-match: \"1\"") { return ScriptedSite.Answer(status: 304) }
        return ScriptedSite.Answer(headers: ["ETag: \"1\""], body: path)
      }
    }
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [site.address]))
    let url = try site.url("/old")
    let retriever = Retriever(
      { fetcher }, hosts: book(fetcher, exempt: url), store: test.store, time: time, random: SeededRandom(seed: 1))
    let request = PageRequest("calendar", "\(url)")
    func text() async throws -> String { String(decoding: try await retriever.page(request).page.body, as: UTF8.self) }
    #expect(try await text() == "/old")
    #expect(try await retriever.page(request).outcome == .unchanged)
    leadsOn = true
    #expect(try await text() == "/new")
    #expect(try await retriever.page(request).outcome == .unchanged, "the page behind the redirect is known by now")
    leadsOn = false
    #expect(try await text() == "/old")
    fetcher.close()
    site.close()
  }
}

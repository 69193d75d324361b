import Calendars
import Clocks
import Contracts
import JSON
import Scraper
import Testing

/// A site with a page for each day: `https://held.example/{date}`.
@Suite("Pages of single days")
struct DatedPagesTests {
  private let adapter = ListingAdapter()
  private let today = CivilDate("2026-11-22")!

  private func visit(
    scope: Visit.Scope = .window, starts: [String] = ["https://held.example/{date}"]
  ) -> Visit {
    var site = Site(
      id: "held", cinema: CinemaID("held")!, zone: ZoneName("Asia/Seoul")!, adapter: .structured, credit: "held")
    site.start = starts
    site.rhythm.windowDays = 3
    return SyntheticPlatform.visit("2026-11-22T12:00:00+09:00", site: site, scope: scope)
  }

  private func page(_ request: PageRequest, showing: Bool = true) -> Page {
    let date = request.url.suffix(10)
    let show = """
      <script type="application/ld+json">{ "@context": "https://schema.org", "@type": "ScreeningEvent",
      "name": "Monster", "startDate": "\(date)T19:30:00+09:00", "workPresented": { "@type": "Movie", "name": "Monster" },
      "location": { "@type": "MovieTheater", "name": "Held" } }</script>
      """
    return Page(
      role: request.role, url: request.url, contentType: "text/html", fetchedAt: visit().at,
      body: Array("<!DOCTYPE html><html><body>\(showing ? show : "")</body></html>".utf8))
  }

  @Test("a day whose page did not come is not spoken of, and nothing else is taken for gone")
  func missing() throws {
    let requests = adapter.wanted(having: [], in: visit())
    #expect(requests.map(\.role) == (0..<3).map { "listing:0:\(today + $0)" })
    let all = try adapter.read([page(requests[0]), page(requests[1], showing: false), page(requests[2])], in: visit())
    #expect(!all.isWhole, "days beyond the window were not asked for")
    #expect(all.days.mapValues(\.status) == [today: .open, today + 1: .notPublished, today + 2: .open])
    let some = try adapter.read([page(requests[0]), page(requests[2])], in: visit())
    #expect(!some.isWhole && some.days.keys.sorted() == [today, today + 2])
  }

  @Test("a day of which one page did not come is not spoken of, whatever other pages list for it")
  func half() throws {
    let visit = visit(starts: ["https://held.example/one/{date}", "https://held.example/two/{date}"])
    let requests = adapter.wanted(having: [], in: visit)
    #expect(
      requests.map(\.role) == (0..<3).flatMap { ["listing:0:\(today + $0)", "listing:1:\(today + $0)"] },
      "day by day: where the rest is cut off, those before are whole")
    let reading = try adapter.read(requests.filter { $0.role != "listing:1:\(today + 1)" }.map { page($0) }, in: visit)
    #expect(reading.days.keys.sorted() == [today, today + 2])
  }

  /// What each page says, and which of them were asked for.
  @MainActor
  private final class Pages: PageRetriever {
    private(set) var asked: [String] = []
    let answer: (PageRequest) -> Page

    init(_ answer: @escaping (PageRequest) -> Page) { self.answer = answer }

    func page(_ request: PageRequest) async throws(RetrievalError) -> RetrievedPage {
      asked.append(request.role)
      let page = answer(request)
      return RetrievedPage(page: page, outcome: .new, snapshot: SnapshotID(of: page.body))
    }
  }

  @Test("of more pages than a visit may ask for the rest is not read, and told")
  @MainActor
  func cut() async throws {
    var visit = visit(starts: ["https://held.example/one/{date}", "https://held.example/two/{date}"])
    visit.site.rhythm.windowDays = 60
    let pages = Pages { page($0) }
    let found = await SiteVisit(visit, from: pages).run()
    #expect(pages.asked.count == 100)
    #expect(found.problem == "20 pages were not asked for: a visit has at most 100", "\(found.problem ?? "")")
    #expect(found.reading?.days.keys.sorted() == (0..<50).map { today + $0 })
  }

  /// Nothing comes.
  @MainActor
  private final class NoPages: PageRetriever {
    func page(_ request: PageRequest) async throws(RetrievalError) -> RetrievedPage {
      throw RetrievalError(.failed, "no network")
    }
  }

  @Test("where no day's page came there is nothing to read, though they are few")
  @MainActor
  func noneCame() async throws {
    let found = await SiteVisit(visit(scope: .today), from: NoPages()).run()
    #expect(found.lacksReading && found.reading == nil && !found.isBroken)
    #expect(found.problem == "listing:0:\(today): no network", "\(found.problem ?? "")")
  }

  @Test("pages that list all days by themselves speak of all, however far ahead")
  func whole() throws {
    let visit = visit(starts: ["https://held.example/2026-12-24"])
    let reading = try adapter.read(adapter.wanted(having: [], in: visit).map { page($0) }, in: visit)
    #expect(reading.isWhole && reading.days[CivilDate("2026-12-24")!]?.status == .open)
  }

  @Test("of a range only the days from today on are asked for, and nothing is said of others")
  func range() throws {
    var visit = visit(scope: .today)
    visit.span = (today - 1)...(today + 1)
    let requests = adapter.wanted(having: [], in: visit)
    #expect(requests.map(\.url) == [today, today + 1].map { "https://held.example/\($0)" })
    let reading = try adapter.read(requests.map { page($0, showing: false) }, in: visit)
    #expect(!reading.isWhole && reading.days.keys.sorted() == [today, today + 1])
    visit.span = (today - 2)...(today - 1)
    #expect(adapter.wanted(having: [], in: visit).isEmpty && visit.dates.isEmpty)
  }

  @Test("what a programme lists of a day whose own page was not asked for takes nothing of that day away")
  func programmeBesideDays() throws {
    let starts = ["https://held.example/programme/2026-11-23", "https://held.example/day/{date}"]
    let requests = adapter.wanted(having: [], in: visit(scope: .today, starts: starts))
    #expect(requests.map(\.role) == ["listing:0", "listing:1:\(today)"])
    // The programme's one showing is of tomorrow.
    let reading = try adapter.read(requests.map { page($0) }, in: visit(scope: .today, starts: starts))
    #expect(reading.days.mapValues(\.status) == [today: .open] && !reading.isWhole)
    let wide = visit(starts: starts)
    let all = try adapter.read(adapter.wanted(having: [], in: wide).map { page($0) }, in: wide)
    #expect(all.days[today + 1]?.listings.count == 2)
  }

  @Test("stored pages of a range are read again as what they were: not as the whole programme")
  func again() throws {
    var ranged = visit(scope: .today)
    ranged.span = (today + 1)...(today + 1)
    let pages = adapter.wanted(having: [], in: ranged).map { page($0) }
    // A replay knows the scope, and not the range.
    let again = try adapter.read(pages, in: visit(scope: .today))
    #expect(!again.isWhole && again.days.mapValues(\.status) == [today + 1: .open])
    ranged.span = today...today
    let first = try adapter.read(adapter.wanted(having: [], in: ranged).map { page($0) }, in: visit(scope: .today))
    #expect(!first.isWhole && first.days.keys.sorted() == [today])
  }
}

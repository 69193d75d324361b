import Calendars
import Clocks
import Contracts
import Scraper
import Testing

@Suite("Ticketing platform")
struct DtryxAdapterTests {
  private typealias Platform = SyntheticPlatform
  private let adapter = DtryxAdapter()

  @Test("the calendar is asked for first, then each open day of the window, then the films that nobody knows")
  func order() throws {
    var visit = Platform.visit("2026-11-22T12:00:00+09:00")
    let first = adapter.wanted(having: [], in: visit)
    #expect(first.map(\.role) == ["calendar"])
    #expect(
      first[0].url.contains(
        "/cinema/main.do?cgid=FE8EF4D2-F22D-4802-A39A-D58F23A29C1E&BrandCd=indieart&CinemaCd=000069"))
    let calendar = Platform.calendar([
      ("2026-11-22", "btnDay"), ("2026-11-23", "btnDay disabled"), ("2026-11-24", "btnDay"), ("2026-11-25", "btnDay"),
    ])
    let days = adapter.wanted(having: [calendar], in: visit)
    #expect(days.map(\.role) == ["day:2026-11-22", "day:2026-11-24"])
    #expect(days[0].url.hasSuffix("&ssid=&tokn=&BrandCd=indieart&CinemaCd=000069&PlaySDT=2026-11-22"))
    let pages = [
      calendar, Platform.day("2026-11-22", [.init(title: "괴물", start: "19:30", code: "000123")]),
      Platform.day("2026-11-24", [.init(title: "밤", start: "19:30", code: "000124")]),
    ]
    visit.knownFilms = ["dtryx:000124"]
    #expect(adapter.wanted(having: pages, in: visit).map(\.role) == ["film:000123"])
    visit.knownFilms.insert("dtryx:000123")
    #expect(adapter.wanted(having: pages, in: visit).isEmpty)
  }

  @Test("open, closed and not spoken of are three things, and a closed day may have more classes than one")
  func days() throws {
    let visit = Platform.visit("2026-11-22T12:00:00+09:00")
    let reading = try adapter.read(
      [
        Platform.calendar([("2026-11-22", "btnDay on"), ("2026-11-23", "btnDay disabled on")]),
        Platform.day("2026-11-22", []),
      ], in: visit)
    #expect(reading.days[CivilDate("2026-11-22")!]?.status == .notPublished)
    #expect(reading.days[CivilDate("2026-11-23")!]?.status == .closed)
    #expect(reading.days[CivilDate("2026-11-24")!] == nil)
  }

  @Test("24:30 and a bare 00:30 are the night of their day, and the latter is noted as inferred")
  func night() throws {
    let visit = Platform.visit("2026-12-31T12:00:00+09:00")
    let reading = try adapter.read(
      [
        Platform.calendar([("2026-12-31", "btnDay")]),
        Platform.day(
          "2026-12-31",
          [
            .init(title: "A", start: "24:30", end: "26:10", sequence: "1"),
            .init(title: "B", start: "00:30", sequence: "2"),
            .init(title: "C", start: "9:05", sequence: "3"),
            .init(title: "D", start: "2330", end: "01:10", sequence: "4"),
          ]),
      ], in: visit)
    let listings = try #require(reading.days[CivilDate("2026-12-31")!]).listings
    let newYear = Timestamp("2027-01-01T00:30:00+09:00")!.instant
    #expect(listings.map(\.startsAt.milliseconds).prefix(2) == [newYear.milliseconds, newYear.milliseconds])
    #expect(
      listings.map(\.serviceTime.description) == [
        "2026-12-31 24:30", "2026-12-31 24:30", "2026-12-31 09:05", "2026-12-31 23:30",
      ])
    #expect(listings.map(\.isInferred) == [false, true, false, false])
    #expect(listings[0].endsAt == Timestamp("2027-01-01T02:10:00+09:00")!.instant)
    #expect(listings[3].endsAt == Timestamp("2027-01-01T01:10:00+09:00")!.instant)
  }

  @Test("a row that cannot be read is told and does not hide the others")
  func unread() throws {
    let visit = Platform.visit("2026-11-22T12:00:00+09:00")
    let reading = try adapter.read(
      [
        Platform.calendar([("2026-11-22", "btnDay")]),
        Platform.day("2026-11-22", [.init(title: "A", start: "soon"), .init(title: "B", start: "19:30", left: 0)]),
      ], in: visit)
    #expect(reading.unread.map(\.what) == ["A soon"])
    let listings = try #require(reading.days[CivilDate("2026-11-22")!]).listings
    #expect(listings.map(\.title) == ["B"])
    #expect(listings[0].seats?.state == .soldOut)
    #expect(listings[0].bookingURL?.contains("/reserve/movie.do?") == true)
  }

  @Test("a calendar without its days is a redesign, one whose list is empty a venue without a programme")
  func emptyCalendar() throws {
    let visit = Platform.visit("2026-11-22T12:00:00+09:00")
    #expect(throws: ReadingError.self) {
      try adapter.read([Platform.page("calendar", "text/html", "<html><body>hello</body></html>")], in: visit)
    }
    #expect(try adapter.read([Platform.calendar([])], in: visit).days.isEmpty)
  }

  @Test("an answer that is no JSON is an error that names its page")
  func noJSON() {
    let visit = Platform.visit("2026-11-22T12:00:00+09:00")
    let pages = [
      Platform.calendar([("2026-11-22", "btnDay")]), Platform.page("day:2026-11-22", "text/html", "<html>sorry</html>"),
    ]
    let error = #expect(throws: ReadingError.self) { try adapter.read(pages, in: visit) }
    #expect(error?.role == "day:2026-11-22")
  }

  @Test("a film's page is read by position")
  func film() throws {
    let visit = Platform.visit("2026-11-22T12:00:00+09:00")
    let page = Platform.film(
      "000123", title: "괴물 (GV)", facts: ["12세이상관람가", "2023.11.29 개봉", "드라마, 스릴러", "126분"],
      people: ["고레에다 히로카즈", "안도 사쿠라, 나가야마 에이타"], story: String(repeating: "글", count: 3_000))
    let reading = try adapter.read([Platform.calendar([]), page], in: visit)
    let film = try #require(reading.films.first)
    #expect(film.code == "dtryx:000123")
    #expect(film.title == "괴물")
    #expect(film.rating == AgeRating(system: "KMRB", code: "12"))
    #expect(film.year == 2023)
    #expect(film.runtimeMinutes == 126)
    #expect(film.genres == ["드라마", "스릴러"])
    #expect(film.directors == ["고레에다 히로카즈"])
    #expect(film.cast == ["안도 사쿠라", "나가야마 에이타"])
    #expect(film.posterURL == "https://platform.example/p/000123.jpg")
    // As many whole characters as fit.
    #expect(film.synopsis == String(repeating: "글", count: FilmDetails.synopsisBytes / 3))
  }
}

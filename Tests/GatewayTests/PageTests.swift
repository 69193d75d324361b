import Calendars
import Clocks
import Contracts
import Gateway
import HTTP
import JSON
import Testing

@Suite("Pages")
struct PageTests {
  private let seoul: TimeZoneRules
  private let view: Viewpoint
  private let cinema: Cinema
  private let source: ScheduleSource

  init() throws {
    let zones = ZoneDirectory()
    let zone = try #require(ZoneName("Asia/Seoul"))
    seoul = try zones.rules(for: zone)
    let now = seoul.instant(of: CivilDateTime(try #require(CivilDate("2026-11-20")), try #require(ClockTime("19:00"))))
    view = Viewpoint(language: .en, zones: zones, now: now)
    cinema = Cinema(
      id: try #require(CinemaID("emu")), name: "에무시네마", nameEnglish: "Emu", country: "KR", region: "seoul",
      position: try Coordinate(latitude: 37.5, longitude: 127), zone: zone)
    source = ScheduleSource(
      id: "emu", cinema: cinema.id, name: "dtryx", url: nil, state: .stale, asOf: now, isDemo: true)
  }

  private func showtime(_ shown: String, film: FilmID?) throws -> Showtime {
    let date = try #require(CivilDate("2026-11-20"))
    let time = try #require(DisplayTime(shown))
    return Showtime(
      id: try #require(ShowtimeID("show_\(time.minutes)")), cinema: cinema.id, film: film, title: "괴물 (GV)",
      startsAt: seoul.instant(of: ServiceTime(date, time)), serviceDate: date, displayTime: time, screen: "2관",
      seats: Seats(state: .few, left: 3), attributes: ["gv"], state: .scheduled, firstSeen: view.now,
      lastSeen: view.now,
      revision: 1)
  }

  @Test("what is near is shown with distance, minutes on foot and what plays, a late show as printed")
  func nearby() throws {
    let film = Film(
      id: try #require(FilmID("film_1")), title: "괴물", titles: [FilmTitle(language: "en", text: "Monster")], year: 2023)
    let date = try #require(CivilDate("2026-11-20"))
    let calendar = CinemaCalendar(
      cinema: cinema.id, today: date,
      days: [
        CalendarDay(date: date, status: .open, films: 1, showtimes: 1),
        CalendarDay(date: date + 1, status: .notPublished, films: 0, showtimes: 0),
      ], source: source)
    let programme = DayProgramme(
      cinema: cinema.id, date: date, status: .open,
      films: [FilmProgramme(film: film, showtimes: [try showtime("24:30", film: film.id)])], revision: 1, source: source
    )
    let page = NearbyPage(
      [NearbyCinema(cinema: cinema, metres: 612.4)], coverage: nil, calendars: [calendar], programmes: [programme],
      wanted: [.days, .showtimes], view: view)
    let json = try JSONValue(parsing: page.json)
    let first = try #require(json["data"]?[0])
    #expect(first["distance_m"]?.int == 612 && first["walk_min"]?.int == 8)
    #expect(first["stale"]?.bool == true && first["as_of"]?.string == "2026-11-20T19:00:00+09:00")
    #expect(first["days"]?[0]?["status"]?.string == "open" && first["days"]?[1]?["status"]?.string == "unknown")
    let group = try #require(first["films"]?[0])
    #expect(group["film"]?["title"]?.string == "Monster" && group["film"]?["id"]?.string == "film_1")
    let show = try #require(group["showtimes"]?[0])
    #expect(show["starts_at"]?.string == "2026-11-21T00:30:00+09:00")
    #expect(show["service_date"]?.string == "2026-11-20" && show["display_time"]?.string == "24:30")
    #expect(show["seats"]?["state"]?.string == "few" && show["title"]?.string == "괴물 (GV)")
    #expect(json["demo"]?.bool == true, "an answer built on invented data says so")
    #expect(json["has_more"]?.bool == false && json["next_cursor"] == .null)
  }

  @Test("what a service could not tell is named as missing, and nothing near is explained")
  func partial() throws {
    let page = NearbyPage(
      [NearbyCinema(cinema: cinema, metres: 1)], coverage: nil, wanted: [.days, .showtimes], view: view)
    let json = try JSONValue(parsing: page.json)
    #expect(json["missing"] == ["days", "showtimes"])
    let nothing = try JSONValue(parsing: NearbyPage([], coverage: 500).json)
    #expect(nothing["data"] == [] && nothing["hint"]?.string?.contains("500 m") == true)
  }

  @Test("highlights are counted in code points, and what is outside the text is left out")
  func highlights() {
    let text = "달빛시네마"
    #expect(HighlightRange.all(of: [3, 6], in: text).map { [$0.from, $0.to] } == [[1, 2]])
    #expect(HighlightRange.all(of: [0, 15, 6, 9], in: text).map { [$0.from, $0.to] } == [[0, 5], [2, 3]])
    #expect(HighlightRange.all(of: [1, 3, 0, 99, -1, 3, 6], in: text).isEmpty)
  }

  @Test("a change of settings changes what it names, and null takes a choice back")
  func settings() throws {
    let before = UserSettings(revision: 3, language: "ko", theme: "dark", keepsHistory: false)
    let patch = try SettingsPatch(["theme": nil, "walk_m_per_min": 90])
    let after = patch.applied(to: before)
    #expect(after.theme == nil && after.walkMetresPerMinute == 90)
    #expect(after.language == "ko" && after.keepsHistory == false)
    let issues = #expect(throws: JSONIssues.self) {
      try SettingsPatch(["theem": "dark", "theme": "red", "walk_m_per_min": 9_000])
    }
    #expect(issues?.issues.map(\.pointer).sorted() == ["/theem", "/theme", "/walk_m_per_min"])
    #expect(issues?.issues.first { $0.pointer == "/theem" }?.didYouMean == "theme")
  }

  @Test("a publication becomes one event for its cinema and one for each showing that matters")
  func notices() throws {
    let film = try #require(FilmID("film_1"))
    let show = try #require(ShowtimeID("show_1"))
    let change = ScheduleChange(
      cinema: cinema.id, date: try #require(CivilDate("2026-11-20")), added: [show], removed: [],
      changed: [
        ShowtimeChange(id: show, kind: .soldOut, film: film), ShowtimeChange(id: show, kind: .details, film: film),
      ], listed: [film], asOf: view.now)
    let notices = LiveNotice.all(of: ScheduleEvent(revision: 9, change: change))
    #expect(notices.map(\.name) == ["showtime.sold_out", "film.listed", "schedule.changed"])
    let data = try JSONValue(parsing: try #require(notices.last).data)
    #expect(data["changed"] == ["show_1"], "once, however much of it changed")
    #expect(data["cinema_id"]?.string == "emu" && data["added"] == ["show_1"] && data["date"]?.string == "2026-11-20")
  }

  @Test("a calendar has the cinema's zone, the printed title, and marks what is cancelled or invented")
  func feed() throws {
    var cancelled = try showtime("24:30", film: nil)
    cancelled.state = .cancelled
    cancelled.changes = 2
    let page = ShowtimePage(showtimes: [cancelled], films: [], sources: [source], revision: 1)
    let feed = ShowtimeFeed(page, cinemas: [cinema.id: cinema], name: "에무시네마", view: view)
    let text = String(decoding: feed.feed.written(now: feed.now), as: UTF8.self)
    for line in [
      "DTSTART;TZID=Asia/Seoul:20261121T003000", "SUMMARY:[demo] 괴물 (GV)", "STATUS:CANCELLED", "SEQUENCE:2",
      "UID:show_1470@odi", "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "BEGIN:VTIMEZONE",
    ] { #expect(text.contains(line + "\r\n"), "\(line)") }
  }
}

import Calendars
import Clocks
import Demo
import Fetch
import HTML
import JSON
import Testing

/// A show as it was read from a site.
struct ReadShow: Hashable {
  var title: String
  var start: WallTime
  /// Cancelled; for some tests, sold out.
  var isOff = false
}

/// Reads each format with the readers of ours that a scraper uses, and nothing that knows the demo.
extension Visitor {
  func shows(at cinema: DemoCinema) async throws -> [ReadShow] {
    switch cinema.format {
    case .dtryx: try await platformShows(cinema)
    case .jsonLD: try await jsonLDShows(cinema)
    case .microdata: try await microdataShows(cinema)
    case .table: try await tableShows(cinema)
    case .ics: try await calendarShows(cinema)
    }
  }

  private func platformShows(_ cinema: DemoCinema) async throws -> [ReadShow] {
    var shows: [ReadShow] = []
    for day in try await page(start(of: cinema.id)).select("div.main-schedule div.swiper-slide a") {
      let date = try #require(day["data-dt"].flatMap { CivilDate($0) })
      if day["class"] == "btnDay disabled" { continue }
      #expect(day["class"] == "btnDay")
      let answer = try await json(self.shows(of: cinema.id, on: date.description))
      #expect(answer["Demo"] == true)
      for show in try #require(answer["Showseqlist"]?.array) {
        let title = try #require(show["MovieNm"]?.string)
        let time = try #require(show["StartTime"]?.string.flatMap { DisplayTime($0) })
        #expect(show["PlaySDT"]?.string == date.description && show["MovieCd"]?.string?.utf8.count == 6)
        #expect(show["Url"]?.string?.hasPrefix("\(base)/poster/") == true)
        shows.append(ReadShow(title: title, start: cinema.zone.instant(of: ServiceTime(date, time))))
      }
    }
    return shows
  }

  private func jsonLDShows(_ cinema: DemoCinema) async throws -> [ReadShow] {
    let script = try #require(try await page(start(of: cinema.id)).first("script[type='application/ld+json']"))
    let graph = try #require(JSONValue(parsing: script.rawText)["@graph"]?.array)
    let theatre = try #require(graph.first { $0["@type"] == "MovieTheater" })
    #expect(theatre["name"]?.string == cinema.name && theatre["description"]?.string?.contains("DEMO") == true)
    return try graph.filter { $0["@type"] == "ScreeningEvent" }.map { event in
      let start = try #require(event["startDate"]?.string.flatMap { Timestamp($0) })
      #expect(event["endDate"]?.string.flatMap { Timestamp($0) }.map { $0.instant > start.instant } == true)
      #expect(event["workPresented"]?["@type"] == "Movie")
      return ReadShow(
        title: try #require(event["name"]?.string), start: start.instant,
        isOff: event["eventStatus"] == "https://schema.org/EventCancelled")
    }
  }

  private func microdataShows(_ cinema: DemoCinema) async throws -> [ReadShow] {
    try await page(start(of: cinema.id)).select("[itemtype='https://schema.org/ScreeningEvent']").map { event in
      let start = event.first("[itemprop=startDate]")?["datetime"].flatMap { Timestamp($0) }
      let status = event.first("[itemprop=eventStatus]")?["href"]
      return ReadShow(
        title: try #require(event.first("[itemprop=name]")?.text), start: try #require(start).instant,
        isOff: status == "https://schema.org/EventCancelled")
    }
  }

  /// By the rule of the directory, read as a rule is read: days, films in them, shows in those.
  private func tableShows(_ cinema: DemoCinema) async throws -> [ReadShow] {
    let sites = try #require(try await json("/directory.json")["cinemas"]?.array)
    let rule = try #require(sites.first { $0["id"]?.string == cinema.id }?["rule"])
    func selector(_ path: String...) throws -> Selector {
      let value = path.reduce(rule) { $0[$1] ?? .null }
      return try Selector(parsing: try #require(value.string))
    }
    let reader = PrintedReader(capturedAt: time.wall, zone: cinema.zone)
    var shows: [ReadShow] = []
    for day in try await page(start(of: cinema.id)).select(selector("days", "each")) {
      let text = try #require(day.first(selector("days", "date", "text"))?.text)
      let date = try #require(reader.date(text)?.day, "\(text)")
      #expect(day.first("th")?["data-date"] == date.description)
      if day.hasClass(try #require(rule["days"]?["closed"]?["has_class"]?.string)) { continue }
      for film in day.select(try selector("films", "each")) {
        let title = try #require(film.first(selector("films", "title", "text"))?.text)
        for show in film.select(try selector("films", "shows", "each")) {
          let clock = try #require(show.first(selector("films", "shows", "time", "text"))?.text)
          let time = try #require(DisplayTime(clock))
          let placed = ServiceDay.standard.placing(time) ?? time
          #expect(show.first("a")?["href"]?.hasPrefix("\(base)/sites/\(cinema.id)/tickets/\(date)/") == true)
          shows.append(ReadShow(title: title, start: cinema.zone.instant(of: ServiceTime(date, placed))))
        }
      }
    }
    return shows
  }

  private func calendarShows(_ cinema: DemoCinema) async throws -> [ReadShow] {
    let response = try await get(start(of: cinema.id))
    let feed = try CalendarReader(zones: ZoneDirectory(), venueZone: .utc).read(response.body)
    #expect(feed.problems.isEmpty && feed.productID.contains("Demo"))
    return feed.events.map { event in
      #expect(event.details?.hasPrefix("DEMO") == true)
      return ReadShow(
        title: event.summary.replacing(" (SOLD OUT)", with: ""), start: event.start.instant(in: cinema.zone),
        isOff: event.status == .cancelled)
    }
  }
}

import Calendars
import Clocks
import Demo
import Fetch
import HTML
import JSON
import TestKit
import Testing

extension OneAfterAnother {
  @Suite("Demo sites", .serialized)
  @MainActor
  struct SiteTests {
    /// What a site should tell: cancelled shows are gone from the platform and from tables.
    private func expected(_ world: DemoWorld, _ cinema: DemoCinema) -> [ReadShow] {
      world.days(of: cinema).flatMap { day in
        day.shows.compactMap { show in
          let isCancelled = show.state == .cancelled
          if isCancelled, [.dtryx, .table].contains(cinema.format) { return nil }
          return ReadShow(
            title: show.title(at: cinema), start: cinema.zone.instant(of: ServiceTime(day.date, show.start)),
            isOff: isCancelled)
        }
      }
    }

    @Test(
      "what our readers read from each of the 53 sites is what the world publishes, on any date",
      arguments: ["2026-12-28T12:00:00Z", "2027-03-20T12:00:00Z", "2027-10-20T22:00:00Z"])
    func everySite(now: String) async throws {
      try await Visitor.visit(at: try #require(Timestamp(now)).instant) { visitor in
        for id in ["emu", "barbican", "rio", "cine-lumiere", "ica"] {
          try visitor.world.change(.cancel, at: id)
          try visitor.world.change(.move, at: id)
          try visitor.world.change(.add, at: id)
        }
        for cinema in visitor.world.cinemas {
          let read = try await visitor.shows(at: cinema)
          #expect(Set(read) == Set(expected(visitor.world, cinema)), "\(cinema.id), \(cinema.format)")
          #expect(read.count == expected(visitor.world, cinema).count, "\(cinema.id)")
        }
      }
    }

    @Test("the directory leads to every site, with the platform's codes and a rule for each table")
    func directory() async throws {
      try await Visitor.visit { visitor in
        let directory = try await visitor.json("/directory.json")
        #expect(directory["Demo"] == true && directory["base"]?.string == visitor.base && directory["days_ahead"] == 14)
        let sites = try #require(directory["cinemas"]?.array)
        #expect(sites.compactMap { $0["id"]?.string } == visitor.world.cinemas.map(\.id))
        for (site, cinema) in zip(sites, visitor.world.cinemas) {
          #expect(site["format"]?.string == cinema.format.rawValue && site["zone"]?.string == cinema.zone.name)
          #expect(site["active"]?.bool == cinema.isActive)
          #expect((site["rule"]?.object != nil) == (cinema.format == .table))
          #expect(site["params"]?["cinema"]?.string == cinema.platform?.cinema)
          let start = try #require(site["start"]?[0]?.string)
          #expect(try await visitor.get(start).status == 200, "\(start)")
        }
        #expect(Set(visitor.world.cinemas.map(\.format)) == Set(SiteFormat.allCases))
      }
    }

    @Test("everything says that it is a demo")
    func marks() async throws {
      try await Visitor.visit { visitor in
        let date = visitor.world.today(at: try #require(visitor.world.cinema("emu"))).description
        let pages = [
          "/", visitor.start(of: "emu"), visitor.start(of: "barbican"), visitor.start(of: "rio"),
          visitor.start(of: "prince-charles"), "/movie/view.do?cgid=x&MovieCd=900101", "/reserve/movie.do?cgid=x",
          "/sites/rio/tickets/2026-11-18/1", visitor.start(of: "cine-real").replacing("calendar.ics", with: "none"),
        ]
        for path in pages {
          let response = try await visitor.get(path)
          #expect(response.headers["X-Odi-Demo"] == "1", "\(path)")
          guard response.isSuccess else { continue }
          let page = try HTMLDocument.parse(response.body, contentCharset: response.charset)
          #expect(page.first("meta[name=odi-demo]")?["content"] == "1" && page.title?.hasSuffix("(demo)") == true)
          #expect(page.first("p.odi-demo")?.text.hasPrefix("DEMO") == true, "\(path)")
        }
        for path in ["/directory.json", visitor.shows(of: "emu", on: date), mainList("&PlaySDT=all")] {
          #expect(try await visitor.json(path)["Demo"] == true, "\(path)")
        }
        let poster = String(decoding: try await visitor.get("/poster/900101_small.svg").body, as: UTF8.self)
        #expect(poster.hasPrefix("<svg") && poster.contains("DEMO") && poster.contains("東京物語"))
        #expect(String(decoding: try await visitor.get("/robots.txt").body, as: UTF8.self).hasPrefix("# Demo"))
      }
    }

    private func mainList(_ more: String) -> String {
      "/reserve/main_list.do?cgid=x&BrandCd=indieart&CinemaCd=000067&MovieCd=all" + more
    }

    // MARK: The platform

    @Test("a closed day has exactly the platform's class, and its shows are an empty list")
    func closedDays() async throws {
      try await Visitor.visit { visitor in
        let momo = try #require(visitor.world.cinema("momo"))
        let days = visitor.world.days(of: momo)
        let read = try await visitor.page(visitor.start(of: "momo")).select("div.main-schedule div.swiper-slide a")
        #expect(read.compactMap { $0["data-dt"] } == days.map(\.date.description))
        #expect(read.map { $0["class"] == "btnDay disabled" } == days.map(\.isClosed))
        #expect(read.map { $0["class"] == "btnDay" } == days.map { !$0.isClosed })
        let monday = try #require(days.first { $0.isClosed }).date
        let shows = try await visitor.json(visitor.shows(of: "momo", on: monday.description))
        #expect(shows["Showseqlist"]?.array == [])
        let open = try #require(try await visitor.json(mainList("&PlaySDT=all"))["PlaySdtList"]?.array)
        #expect(open.map { $0["HiddenYn"] == "Y" } == days.map(\.isClosed))
        let heyri = try await visitor.page(visitor.start(of: "heyri")).select("a.btnDay")
        #expect(heyri.count == 14 && heyri.allSatisfy { $0["class"] == "btnDay disabled" })
        #expect(try await visitor.page(visitor.start(of: "indieplus-cheonan")).first("a.btnDay") == nil)
      }
    }

    @Test("a film's page has everything at the places that are looked at")
    func filmPage() async throws {
      try await Visitor.visit { visitor in
        let page = try await visitor.page("/movie/view.do?cgid=x&MovieCd=900207")
        #expect(page.first("div.info-box h3.h3")?.text == "사과 & 안테나")
        #expect(page.first("div.info-box h4.h4")?.text == "Apples & Antennas")
        #expect(page.first("div.info-box div.poster img")?["src"] == "\(visitor.base)/poster/900207_small.svg")
        let etc = page.select("div.info-box div.etc span").map(\.text)
        #expect(etc == ["전체관람가", "2026-08-26", "코미디", "91분"])
        #expect(page.first("div.info2 div.txt span")?.text.contains("<온 동네>") == true)
        #expect(page.select("div.info2 div.txt dd").map(\.text) == ["우가온", "맹달, 소리현"])
        for film in FilmCatalogue.films {
          let page = try await visitor.page("/movie/view.do?MovieCd=\(film.code)")
          #expect(page.select("div.info-box .etc span").count == 4)
          #expect(try await visitor.get("/poster/\(film.code)_large.svg").mediaType == "image/svg+xml")
        }
      }
    }

    @Test("codes that belong to nobody find nobody, not somebody else")
    func unknown() async throws {
      try await Visitor.visit { visitor in
        for path in [
          "/cinema/main.do?cgid=x&BrandCd=indieart&CinemaCd=999999", "/cinema/main.do?BrandCd=etc&CinemaCd=000067",
          "/cinema/main.do", "/movie/view.do?MovieCd=1", "/sites/emu/whats-on", "/sites/rio/calendar.ics",
          "/poster/900101_huge.svg", "/poster/900101.svg", "/sites/rio/tickets/2026-02-30/1",
        ] {
          #expect(try await visitor.get(path).status == 404, "\(path)")
        }
        // A day that is no day has no shows; so says the platform.
        for date in ["2019-01-01", "tomorrow", ""] {
          #expect(try await visitor.json(visitor.shows(of: "emu", on: date))["Showseqlist"]?.array == [])
        }
        let brand = try await visitor.json("/reserve/main_list.do?BrandCd=etc&CinemaCd=all&MovieCd=all&PlaySDT=all")
        #expect(brand["CinemaList"]?.array?.count == 8)
      }
    }

    // MARK: Validators

    @Test("a page that has not changed is 304 by its tag and by its date, until it changes")
    func validators() async throws {
      try await Visitor.visit { visitor in
        for id in ["cinecube", "rio", "barbican", "ica", "cine-lumiere"] {
          let path = visitor.start(of: id)
          let first = try await visitor.get(path)
          let known = try #require(first.validators)
          #expect(known.etag != nil && known.lastModified != nil, "\(id)")
          let byTag = FetchRequest.Validators(etag: known.etag)
          let byDate = FetchRequest.Validators(lastModified: known.lastModified)
          for validators in [known, byTag, byDate] {
            #expect(try await visitor.get(path, validators: validators).status == 304, "\(id)")
          }
          visitor.time.advance(by: .seconds(60))
          try visitor.world.change(.add, at: id)
          #expect(try await visitor.get(path, validators: byDate).status == 200, "\(id)")
          // The platform's calendar tells days, not shows.
          let isSame = id == "cinecube"
          #expect(try await visitor.get(path, validators: byTag).status == (isSame ? 304 : 200), "\(id)")
          visitor.time.advance(by: .seconds(24 * 3_600))
          #expect(try await visitor.get(path, validators: known).status == 200)
        }
      }
    }

    @Test("robots.txt allows everything and asks for no delay")
    func robots() async throws {
      try await Visitor.visit { visitor in
        let robots = RobotsTxt(parsing: try await visitor.get("/robots.txt").body)
        for id in ["emu", "rio", "cine-lumiere"] { #expect(robots.allows(visitor.start(of: id), agent: "OdiBot")) }
        #expect(robots.crawlDelay(agent: "OdiBot") == nil)
      }
    }
  }
}

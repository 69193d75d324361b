import Calendars
import Contracts
import Gateway
import GatewayFakes
import JSON
import Testing

/// How showings are asked for by what is printed beside them.
@MainActor
@Suite("Filters on showings", .timeLimit(.minutes(5)))
struct ShowingFilterTests {
  /// The first cinema's showings of today carry these in turn, and no other has any.
  private static let marks = [
    ["subtitled"], ["subtitled:en", "35mm"], ["dubbed"], ["original-version", "imax"], ["audio-description"],
    ["captioned", "relaxed"], [],
  ]

  private func gateway() -> GatewayFixture {
    let gateway = GatewayFixture()
    let scraper = gateway.world.scraper
    for (cinema, days) in scraper.days {
      for (date, shows) in days {
        scraper.days[cinema]?[date] = shows.map { show in
          var show = show
          show.attributes = []
          return show
        }
      }
    }
    let lantern = CinemaID("lantern")!
    let model = scraper.days[lantern]![scraper.today]![0]
    scraper.days[lantern]![scraper.today] = Self.marks.enumerated().map { index, attributes in
      var show = model
      show.id = ShowtimeID("show_mark\(index)")!
      show.attributes = attributes
      return show
    }
    return gateway
  }

  @Test(
    "one of each parameter's values holds",
    arguments: [
      ("subtitles=any", [0, 1]), ("subtitles=en", [1]), ("subtitles=fr", []), ("subtitles=en,fr", [1]),
      ("audio_language=dubbed", [2]), ("audio_language=original", [0, 1, 3]), ("format=imax,35mm", [1, 3]),
      ("format=35mm&subtitles=any", [1]), ("format=imax&subtitles=any", []), ("accessibility=ad", [4]),
      ("accessibility=cc&accessibility=ad", [4, 5]), ("accessibility=relaxed", [5]), ("", [0, 1, 2, 3, 4, 5, 6]),
    ])
  func filters(query: String, wanted: [Int]) async {
    let gateway = gateway()
    let today = gateway.world.scraper.today
    let reply = await gateway.ask("/v1/showtimes?cinema=lantern&date=\(today)&limit=100&\(query)")
    let found = (reply.json["data"]?.array ?? []).compactMap { $0["id"]?.string }
    #expect(reply.status == 200 && found.sorted() == wanted.map { "show_mark\($0)" }, "\(query)")
  }

  @Test("a word that none of them knows is refused, with the one that was meant")
  func refused() async {
    let gateway = gateway()
    for (query, hint) in [("format=35m", "35mm"), ("accessibility=relax", "relaxed"), ("subtitles=KO", "^[a-z]")] {
      let reply = await gateway.ask("/v1/showtimes?\(query)")
      #expect(reply.status == 400 && reply.text.contains(hint), "\(query)")
    }
  }

  @Test("the map tells of a date that is asked about, and of today otherwise")
  func map() async {
    let gateway = gateway()
    let date = gateway.world.scraper.today + 2
    let reply = await gateway.ask("/v1/cinemas.geojson?date=\(date)")
    let properties = (reply.json["features"]?.array ?? []).compactMap { $0["properties"] }
    #expect(reply.status == 200 && !properties.isEmpty)
    for point in properties {
      #expect(point["date"]?.string == "\(date)" && point["open_today"] == nil)
      #expect(point["open"]?.bool == (point["next_showtime"] != nil))
    }
    let now = await gateway.ask("/v1/cinemas.geojson")
    #expect(now.json["features"]?[0]?["properties"]?["open_today"] != nil)
  }
}

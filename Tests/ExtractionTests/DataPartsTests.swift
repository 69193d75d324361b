import Extraction
import Testing

/// What is in other lists of the same data, by its number, and what the parts of a record are of.
@Suite("Parts of data")
struct DataPartsTests {
  private func read(
    _ text: String, zone: String = "Europe/Copenhagen", type: String = "application/json"
  ) throws
    -> Extraction
  {
    try reading(text, zone: zone, at: "2026-11-20T12:00:00Z", type: type)
  }

  private func places(_ found: Extraction) -> [String] {
    found.screenings.map { "\($0.title) at \($0.venue ?? "no house")" }
  }

  @Test("of names in several languages that of the place is the film's, and never the house's")
  func spokenNames() throws {
    func data(_ names: String) -> String {
      #"{"Head":{"Items":[{"HouseCinemaNameKR":"이끼","MovieCode":"21",\#(names)}]},"Plays":{"Items":[{"CinemaNameKR":"이끼","#
        + #""CinemaNameUS":"Moss",\#(names),"MovieCode":"21","PlayDt":"2026-11-27","StartTime":"18:15","#
        + #""ScreenDivisionNameKR":"일반","ScreenNameKR":"4관"}]}}"#
    }
    let found = try read(data(#""MovieNameKR":"모래","MovieNameUS":"Silt""#), zone: "Asia/Seoul")
    #expect(found.lines == ["2026-11-27T18:15:00+09:00 모래"])
    #expect(found.screenings.first?.venue == "이끼" && found.screenings.first?.screen == "4관")
    #expect(try read(data(#""MovieNameUS":"Silt""#), zone: "Asia/Seoul").lines == ["2026-11-27T18:15:00+09:00 Silt"])
  }

  @Test("films and houses may be counted by their numbers, and houses be called organisers")
  func numbered() throws {
    func data(_ organizer: String, _ more: String = "") -> String {
      #"{"organizers":[{"_no":"7",\#(organizer)}],"movies":[{"_no":"7","name":"Silt"},{"_no":"12","name":"Marram"}],"events":["#
        + #"{"_no":"501","_organizerNo":"7","_movieNo":"7","dateTime":"2026-11-27T19:00:00"\#(more)},"#
        + #"{"_no":"502","_organizerNo":"7","_movieNo":"12","dateTime":"2026-11-28T16:30:00"\#(more)}]}"#
    }
    #expect(
      places(try read(data(#""name":"Fen Lights","city":"Fenby""#))) == ["Silt at Fen Lights", "Marram at Fen Lights"])
    #expect(
      places(try read(data(#""name":"Fen Film Club""#))) == ["Silt at no house", "Marram at no house"],
      "a club may show films anywhere")
    #expect(
      places(try read(data(#""name":"Fen Lights","city":"Fenby""#, #","venue":"Town Hall""#)))
        == ["Silt at Town Hall", "Marram at Town Hall"])
  }

  @Test("a showing names its event by a number that is not its own")
  func events() throws {
    func data(_ number: String) -> String {
      #"{"shows":[{"_id":41,"eventid":\#(number),"start_date":1795800600,"hall":"Moss"}],"#
        + #""events":[{"_id":7,"title":"Silt","length":99},{"_id":8,"title":"Marram"}]}"#
    }
    #expect(try read(data("7")).lines == ["2026-11-27T18:30:00+01:00 Silt"])
    #expect(try read(data("9")).lines == [])
    #expect(try read(data("41")).lines == [])
    #expect(
      try read(
        #"{"shows":[{"_id":41,"eventid":9,"start_date":1795800600}],"sponsors":[{"_id":9,"title":"Fen Bank"}]}"#
      ).lines == [])
  }

  @Test(
    "the parts of an end are no start",
    arguments: [#"{"full":"2026-11-27 19:55:00","time":"19:55"}"#, #"{"date":"2026-11-27","time":"19:55"}"#])
  func ends(_ end: String) throws {
    let found = try read(
      #"{"data":[{"name":"Silt","events":[{"starts_at":{"full":"2026-11-27 18:00:00","date":"2026-11-27","time":"18:00"},"#
        + #""ends_at":\#(end)}]}]}"#)
    #expect(found.lines == ["2026-11-27T18:00:00+01:00 Silt"])
  }

  @Test("a clock of four digits stands in an element of its own, alone or in a list; a year does not")
  func digits() throws {
    func feed(_ name: String, _ texts: [String]) -> String {
      let times = texts.map { "<\(name) url=\"/t?id=\($0)\">\($0)</\(name)>" }.joined()
      return #"<?xml version="1.0"?><feed><movies><movie movieId="7"><title>Silt</title></movie></movies><showTimes>"#
        + #"<showTime date="20261127" movieId="7"><times>\#(times)</times></showTime></showTimes></feed>"#
    }
    #expect(try read(feed("time", ["2015"]), type: "text/xml").lines == ["2026-11-27T20:15:00+01:00 Silt"])
    #expect(
      try read(feed("time", ["1630", "2015"]), type: "text/xml").lines
        == ["2026-11-27T16:30:00+01:00 Silt", "2026-11-27T20:15:00+01:00 Silt"])
    let years = try read(feed("date", ["2015", "2016"]), type: "text/xml").lines
    #expect(years.allSatisfy { !$0.contains("T20:1") })
  }

  @Test("an address may say what the place is called beside its street")
  func addresses() throws {
    func data(_ name: String, _ address: String) -> String {
      #"{"events":[{"name":"Silt","startDate":"2026-11-27T19:00:00+01:00","endDate":"2026-11-27T20:35:00+01:00","#
        + #""\#(name)":{"id":4,\#(address)}}]}"#
    }
    #expect(
      places(try read(data("addressObject", #""description":"Town Hall","street":"High Street 1""#)))
        == ["Silt at Town Hall"])
    #expect(
      places(
        try read(
          #"{"events":[{"name":"Silt","address":{"name":"Moss Yard","street":"High Street 1"},"venue":"Town Hall","#
            + #""startDate":"2026-11-27T19:00:00+01:00","endDate":"2026-11-27T20:35:00+01:00"}]}"#)) == [
          "Silt at Town Hall"
        ])
    for (name, address) in [
      ("address", #""description":"Ring at the door behind it","street":"High Street 1""#),
      ("address", #""description":"Ring twice at the blue door.","street":"High Street 1""#),
      ("address", #""label":"Home","street":"High Street 1""#),
      ("address", #""name":"Fenby","city":"Fenby","street":"High Street 1""#),
      ("address", #""name":"Town Hall""#), ("billingAddress", #""name":"Moss Limited","street":"High Street 1""#),
    ] {
      #expect(places(try read(data(name, address))) == ["Silt at no house"], "\(address)")
    }
  }

  @Test("a card that is called as its house is a house's, and its showings are of the page's film")
  func houseCards() throws {
    func card(_ house: String, _ clocks: [String]) -> String {
      let shows = clocks.map { #"{"title":"\#($0)","additionalData":{"id":"1","showDateTime":"20261127\#($0)"}}"# }
      return
        #"{"title":"\#(house)","additionalData":{"venueName":"\#(house)"},"showtimes":[\#(shows.joined(separator: ","))]}"#
    }
    let found = try read(
      "<html><head><title>Silt Showtimes - Tickets</title></head><body><h1>Silt</h1><script>window.__INITIAL_STATE__ = "
        + #"{"cards":[\#(card("Moss Lights", ["1805", "2040"])),\#(card("Fen Lights", ["1910"]))]}"#
        + "</script></body></html>", type: "text/html")
    #expect(places(found) == ["Silt at Moss Lights", "Silt at Fen Lights", "Silt at Moss Lights"])
    // A film may be called as its house is.
    let film = #"{"title":"Metropolis","venue":"Metropolis","showtimes":["2026-11-27T18:00:00","2026-11-28T18:00:00"]}"#
    #expect(try read(#"{"films":[\#(film)]}"#).lines.count == 2)
  }

  @Test("a list of films that is called after their showings has them by the number of their name")
  func namedIDs() throws {
    let films = #""SessionFilm":[{"FilmNameID":"F311","FilmName":"Silt"},{"FilmNameID":"F327","FilmName":"Marram"}]"#
    let shows = [("F311", "2026-11-27", "10:30"), ("F327", "2026-11-28", "00:20")].map {
      #"{"SessionID":"8\#($2.prefix(2))","FilmNameID":"\#($0)","ShowDate":"\#($1)","ShowTime":"\#($2)","ScreenName":"3"}"#
    }
    let found = try read(#"{"data":{\#(films),"Session":[\#(shows.joined(separator: ","))]}}"#)
    #expect(found.lines == ["2026-11-27T10:30:00+01:00 Silt", "2026-11-28T00:20:00+01:00 Marram"])
  }

  @Test("from when to when something goes on is no showing; the days between are those that a list tells")
  func ends() throws {
    func event(_ title: String, _ days: [String], list: Bool) -> String {
      let timings = days.map { #"{"begin":"\#($0)T20:00:00+01:00","end":"\#($0)T22:00:00+01:00"}"# }
      let listed = list ? #""timings":[\#(timings.joined(separator: ","))],"# : ""
      return
        #"{"title":{"fr":"\#(title)"},\#(listed)"firstTiming":\#(timings[0]),"lastTiming":\#(timings.last!),"location":{"name":"Moss Hall"}}"#
    }
    let events = [
      event("Old Photographs", ["2026-11-21", "2026-12-30"], list: false),
      event("Silt", ["2026-11-22", "2026-11-29"], list: true), event("Marram", ["2026-11-24"], list: true),
    ]
    let found = try read(#"{"total":3,"events":[\#(events.joined(separator: ","))]}"#, zone: "Europe/Paris")
    #expect(
      found.lines == [
        "2026-11-22T20:00:00+01:00 Silt", "2026-11-24T20:00:00+01:00 Marram", "2026-11-29T20:00:00+01:00 Silt",
      ])
    #expect(found.unread.map(\.what) == ["Old Photographs"])
  }
}

import Extraction
import Testing

/// Shapes in which programs hand each other what is shown, each on the smallest document that shows it.
@Suite("Shapes of data")
struct DataShapeTests {
  private func check(_ shape: DataShape, zone: String = "Europe/London") throws {
    let found = try reading(shape.text, zone: zone)
    #expect(found.lines == shape.lines, "\(shape.name): \(found.lines), \(found.unread)")
  }

  // MARK: References

  @Test("a film's name stands in a table of names, or in the list that has the same number under the same name")
  func joined() throws {
    let lines = ["2026-11-27T19:30:00Z Silt", "2026-11-28T21:00:00Z Bolt", "2026-11-29T14:00:00Z Silt"]
    let starts = ["2026-11-27T19:30:00", "2026-11-28T21:00:00", "2026-11-29T14:00:00"]
    let shows = zip(["12", "15", "12"], starts)
    try check(
      DataShape(
        "lists with nid",
        #"{"films":[{"nid":"12","title":"Silt"},{"nid":"15","title":"Bolt"}],"screenings":["#
          + shows.map { #"{"nid":"\#($0)","start":"\#($1)","screen":"1"}"# }.joined(separator: ",") + "]}", lines
      ))
    try check(
      DataShape(
        "names by id",
        #"{"films":{"f12":"Silt","f15":"Bolt"},"screenings":["#
          + shows.map { #"{"film":"f\#($0)","start":"\#($1)","screen":"1"}"# }.joined(separator: ",") + "]}",
        lines))
    let twice = try reading(
      #"{"films":[{"nid":"12","title":"Silt"},{"nid":"12","title":"Bolt"}],"screenings":[{"nid":"12","start":"2026-11-27T19:30:00"}]}"#,
      zone: "Europe/London")
    #expect(twice.lines == [], "which of the two, nobody says")
  }

  // MARK: Starts

  @Test("a feed whose entries begin with their day and time tells showings; one entry alone announces anything")
  func entries() throws {
    func feed(_ entries: [(title: String, text: String)]) -> String {
      let items = entries.map { entry in
        "<item><title>\(entry.title)</title><link>https://regal.example/1</link>"
          + "<pubDate>Mon, 16 Nov 2026 10:00:00 GMT</pubDate><description>\(entry.text)</description></item>"
      }
      return "<rss version='2.0'><channel><title>The Regal</title>\(items.joined())</channel></rss>"
    }
    let programme = try reading(
      feed([
        ("Silt", "Tuesday 24 November 2026, 7.30pm. A quiet film."),
        ("Bolt", "&lt;p&gt;Thu 26 Nov 2026, 9pm&lt;/p&gt;"),
      ]), zone: "Europe/London")
    #expect(programme.lines == ["2026-11-24T19:30:00Z Silt", "2026-11-26T21:00:00Z Bolt"])
    let news = try reading(
      feed([
        ("Our café is closed", "Tuesday 24 November 2026, 7.30pm: we close early."), ("A new roof", "Work has begun."),
        ("Thank you", "For all that you gave."),
      ]), zone: "Europe/London")
    #expect(news.lines == [])
  }

  @Test("a programme kept as a table is read by the names of its columns, however they are parted")
  func table() throws {
    for separator in [",", ";", "\t"] {
      let lines = [
        ["Date", "Time", "Film", "Screen"], ["24/11/2026", "19:30", "\"Silt, or Clay\"", "1"],
        ["25/11/2026", "20:45", "Bolt", ""],
      ]
      let text = lines.map { $0.joined(separator: separator) }.joined(separator: "\r\n")
      let found = try reading(text, zone: "Europe/London")
      #expect(found.lines == ["2026-11-24T19:30:00Z Silt, or Clay", "2026-11-25T20:45:00Z Bolt"], "\(found.unread)")
    }
    let other = try reading("Name,Price,Title\nSmall,4,Popcorn 19:30\nLarge,6,Popcorn 20:45\n", zone: "Europe/London")
    #expect(other.lines == [])
  }

  @Test("an element's text beside its attributes is what the list is called after")
  func elementText() throws {
    let found = try reading(
      #"{"movieShowtimes": [{"onShow": {"movie": {"title": "Silt", "runtime": 5880}}, "scr": [{"d": "2026-11-21", "t": [{"code": 1,"#
        + #" "$": "20:30"}]}, {"d": "2026-11-22", "t": [{"code": 2, "$": "14:15"}, {"code": 3, "$": "21:00"}]}]}]}"#,
      zone: "Europe/Paris")
    #expect(
      found.lines == [
        "2026-11-21T20:30:00+01:00 Silt", "2026-11-22T14:15:00+01:00 Silt", "2026-11-22T21:00:00+01:00 Silt",
      ])
  }

  @Test("what has a length is shown, also where its zone stands beside it; a house with a zone is none")
  func zoned() throws {
    let show =
      #""formatSessions": [{"format": "IMAX", "sessions": [{"sessionId": 40, "time": "2026-11-21T22:45:00-05:00"}]}]"#
    let found = try reading(
      #"{"showtimes": [{"id": 4, "runtimeMinutes": 126, "timezone": "America/New_York", "title": "Silt", \#(show)}]}"#,
      zone: "America/New_York")
    #expect(found.lines == ["2026-11-21T22:45:00-05:00 Silt"])
    let house = try reading(
      #"{"showtimes": [{"id": 4, "timezone": "America/New_York", "title": "Mill Lane", \#(show)}]}"#,
      zone: "America/New_York")
    #expect(house.lines == [])
  }

  @Test("fields written together in other languages are read as days and clocks")
  func fused() throws {
    let found = try reading(
      "<h3>Silt</h3><button data-seancedate=21/11/2026 data-seancehour=13:50>13:50</button>"
        + "<button data-seancedate=22/11/2026 data-seancehour=18:10>18:10</button>", zone: "Europe/Paris")
    #expect(found.lines == ["2026-11-21T13:50:00+01:00 Silt", "2026-11-22T18:10:00+01:00 Silt"])
    let data = try reading(
      #"{"funciones": [{"titulo": "Limo", "fechahora": "2026-11-21 19:30", "sala": "2"}]}"#, zone: "Europe/Madrid")
    #expect(data.lines == ["2026-11-21T19:30:00+01:00 Limo"])
  }

  @Test("a start may be what a program makes of a date", arguments: dateShapes)
  func programDates(_ shape: DataShape) throws { try check(shape) }

  @Test("a day that is written as midnight in UTC takes the clock beside it, unless it is that clock")
  func midnightInUTC() throws {
    let shape = DataShape(
      "dates",
      #"{"events":[{"name":"Silt","event_date":"2026-11-27T00:00:00.000Z","start_time":"19:30"},"#
        + #"{"name":"Marram","event_date":"2026-11-28T00:00:00.000Z","start_time":"14:00"}]}"#,
      ["2026-11-27T19:30:00-08:00 Silt", "2026-11-28T14:00:00-08:00 Marram"])
    try check(shape, zone: "America/Los_Angeles")
    let instants = DataShape(
      "instants",
      #"{"events":[{"name":"Silt","start_date":"2026-11-28T00:00:00.000Z","start_time":"16:00"},"#
        + #"{"name":"Marram","start_date":"2026-11-28T20:30:00.000Z","start_time":"12:30"}]}"#,
      ["2026-11-27T16:00:00-08:00 Silt", "2026-11-28T12:30:00-08:00 Marram"])
    try check(instants, zone: "America/Los_Angeles")
  }

  @Test("a day and a clock that share a prefix are a start, unless another pair does so too")
  func prefixedPair() throws {
    func shows(_ more: String) -> String {
      #"{"movies":[{"name":"Silt","durationMinutes":94,"variants":[{"showtimes":["#
        + #"{"id":"a","sellerDate":"2026-11-27","sellerTime":"19:30:00"\#(more)},"#
        + #"{"id":"b","sellerDate":"2026-11-28","sellerTime":"14:00:00"\#(more)}]}]}]}"#
    }
    try check(DataShape("one", shows(""), ["2026-11-27T19:30:00Z Silt", "2026-11-28T14:00:00Z Silt"]))
    try check(DataShape("two", shows(#","agentDate":"2026-11-20","agentTime":"09:00:00""#), []))
    let order =
      #"{"movies":[{"name":"Silt","durationMinutes":94,"items":[{"id":"a","orderDate":"2026-11-27","#
      + #""orderTime":"19:30"}]}]}"#
    try check(DataShape("order", order, []))
  }

  @Test("where all begins at midnight, days are told, and none is shown at midnight")
  func midnights() throws {
    func events(_ first: String, _ second: String) -> String {
      #"{"events":[{"title":"Silt","start":"2026-11-27\#(first)","venue":"Moss","url":"/1"},"#
        + #"{"title":"Marram","start":"2026-11-28\#(second)","venue":"Moss","url":"/2"}]}"#
    }
    let days = ["2026-11-27 Silt", "2026-11-28 Marram"]
    try check(DataShape("all", events("T00:00:00", "T00:00:00"), days))
    try check(DataShape("in UTC", events("T00:00:00Z", "T00:00:00Z"), days), zone: "Asia/Seoul")
    try check(
      DataShape("one", events("T19:30:00", "T00:00:00"), ["2026-11-27T19:30:00Z Silt", "2026-11-28T00:00:00Z Marram"]))
    try check(
      DataShape(
        "the day beside it",
        #"{"list":[{"title":"Silt","venue":{"title":"Moss"},"occurrence":{"date":"27 November 2026","#
          + #""iso_date":"2026-11-27T00:00:00+00:00"}},{"title":"Marram","start":"2026-11-28T14:00:00Z","screen":"1"}]}"#,
        ["2026-11-28T14:00:00Z Marram"]))
    let linked = ["Silt": "27", "Marram": "28"].sorted { $0.value < $1.value }.map {
      #"{"@type":"Event","name":"\#($0.key)","startDate":"2026-11-\#($0.value)T00:00:00+00:00"}"#
    }
    try check(
      DataShape("JSON-LD", "<script type=\"application/ld+json\">[\(linked.joined(separator: ","))]</script>", days))
  }

  @Test("midnight in UTC alone is the clock that it is here")
  func clocksAtMidnightInUTC() throws {
    func show(_ title: String, _ start: String, _ more: String = "") -> String {
      #"{"title":"\#(title)","date":"2026-11-28","start":"2026-11-28T\#(start):00Z"\#(more),"screen":"1"}"#
    }
    let seoul = #"{"shows":[\#(show("Silt", "00:00")),\#(show("Marram", "03:00"))]}"#
    try check(
      DataShape("a morning", seoul, ["2026-11-28T09:00:00+09:00 Silt", "2026-11-28T12:00:00+09:00 Marram"]),
      zone: "Asia/Seoul")
    let alone = #"{"shows":[{"title":"Silt","start":"2026-11-28T00:00:00Z","screen":"1"}]}"#
    try check(DataShape("alone", alone, ["2026-11-28T09:00:00+09:00 Silt"]), zone: "Asia/Seoul")
    let evening = ["2026-11-27T19:00:00-05:00 Silt"]
    try check(
      DataShape("an evening", #"{"shows":[\#(show("Silt", "00:00"))]}"#, evening), zone: "America/New_York")
    let end = #","end":"2026-11-28T05:00:00Z""#
    let long = show("Silt", "00:00", end).replacing(#""date":"2026-11-28","#, with: "")
    try check(DataShape("until midnight", #"{"shows":[\#(long)]}"#, evening), zone: "America/New_York")
  }

  @Test("eight digits begin with the month where that is written first")
  func digits() throws {
    func shows(_ first: String, _ second: String) -> String {
      #"{"shows":[{"title":"Silt","date":"\#(first)","time":"19:30"},"#
        + #"{"title":"Marram","date":"\#(second)","time":"14:00"}]}"#
    }
    let months = ["2026-12-01T19:30:00-05:00 Silt", "2026-12-28T14:00:00-05:00 Marram"]
    try check(DataShape("month first", shows("12012026", "12282026"), months), zone: "America/New_York")
    try check(
      DataShape(
        "day first", shows("01122026", "28122026"), ["2026-12-01T19:30:00Z Silt", "2026-12-28T14:00:00Z Marram"]))
  }

  @Test("what is told of an event is told on each of its dates", arguments: [true, false])
  func dates(hasFirst: Bool) throws {
    let first = hasFirst ? #""date":{"startDate":"2026-11-27T19:30:00Z"},"# : ""
    try check(
      DataShape(
        "dates",
        #"[{"name":"Silt",\#(first)"timezone":"Europe/London","dates":[{"startDate":"2026-11-27T19:30:00Z","#
          + #""endDate":"2026-11-27T21:30:00Z"},{"startDate":"2026-11-29T14:00:00Z","endDate":"2026-11-29T16:00:00Z"}]}]"#,
        ["2026-11-27T19:30:00Z Silt", "2026-11-29T14:00:00Z Silt"]))
  }

  // MARK: Titles

  @Test("a name is the title, not the sentence that is called a summary; that alone is")
  func summaries() throws {
    let text = #"[{"name":"Silt","summary":"An evening by the sea.","start_date":"2026-11-27","start_time":"19:30"}]"#
    try check(DataShape("both", text, ["2026-11-27T19:30:00Z Silt"]))
    let alone =
      #"{"summary":"Moss Hall","items":[{"summary":"Silt","location":"Moss","start":{"dateTime":"2026-11-27T19:30:00Z"}}]}"#
    try check(DataShape("alone", alone, ["2026-11-27T19:30:00Z Silt"]))
  }

  @Test("kinds of tickets are no titles, one showing is told once, and one that is cancelled around them is not told")
  func tickets() throws {
    let kinds =
      #"[{"id":1,"name":"Adult Admission","start_time":"19:30"},{"id":2,"name":"Child","start_time":"19:30"}]"#
    let found = try reading(
      #"{"event":{"title":"Silt"},"occurrences":[{"date":"2026-11-27","cancelled":false,"ticket_types":\#(kinds)},"#
        + #"{"date":"2026-11-28","cancelled":true,"ticket_types":\#(kinds)}]}"#, zone: "Europe/London")
    #expect(found.lines == ["2026-11-27T19:30:00Z Silt"], "\(found.lines)")
    #expect(found.unread.map(\.why) == ["the source says that it is cancelled"])
  }

  @Test("a film that is called as a kind of ticket is found where nothing else has a title")
  func filmsLikeTickets() throws {
    try check(
      DataShape(
        "films",
        #"{"shows":[{"title":"Admission","start":"2026-11-27T19:30:00Z","screen":"1"},"#
          + #"{"title":"Tickets","start":"2026-11-28T14:00:00Z","screen":"1"}]}"#,
        ["2026-11-27T19:30:00Z Admission", "2026-11-28T14:00:00Z Tickets"]))
    try check(
      DataShape(
        "rates",
        #"{"rates":[{"title":"Silt","start":"2026-11-27T19:30:00Z","screen":"1"},"#
          + #"{"title":"Marram","start":"2026-11-28T14:00:00Z","screen":"1"}]}"#))
    try check(
      DataShape(
        "of a film",
        #"{"film":{"title":"Silt","shows":[{"date":"2026-11-27","rates":[{"name":"Adult","start_time":"19:30"},"#
          + #"{"name":"Student","start_time":"19:30"}]}]}}"#, ["2026-11-27T19:30:00Z Silt"]))
  }

  @Test("starts far from any title are of what the page is about, which is no list")
  func subject() throws {
    let state =
      #"<script type="application/json">{"cache":{"load:412":{"items":[{"value":{"name":"General Admission","#
      + #""starts_at":"2026-11-27T19:30:00Z","ends_at":"2026-11-27T21:30:00Z"}}]}}}</script>"#
    let page = "<title>Silt by Candle - London</title><meta property=og:title content=\"Silt by Candle\">"
    try check(DataShape("a film", page + "<h1>Silt by Candle</h1>" + state, ["2026-11-27T19:30:00Z Silt by Candle"]))
    let list = try reading("<title>What's on</title><h1>What's on</h1>" + state, zone: "Europe/London")
    #expect(list.screenings.isEmpty, "\(list.lines)")
    #expect(list.unread.first?.what.contains("2026-11-27T19:30:00Z") == true, "\(list.unread)")
  }

  @Test("a name with the window's title is without the house behind it")
  func windowTitles() throws {
    try check(
      DataShape(
        "JSON-LD",
        #"<title>Silt — Moss Cinema</title><script type="application/ld+json">{"@type":"Event","name":"Silt — Moss "#
          + #"Cinema","startDate":"2026-11-27T19:30:00Z","location":{"@type":"Place","name":"Moss Cinema"}}</script>"#,
        ["2026-11-27T19:30:00Z Silt"]))
  }

  @Test("what the layout tells under another title than the page's data is not told again")
  func otherTitles() throws {
    func item(_ day: String, _ date: String, _ time: String, _ title: String, _ shown: String) -> String {
      "<li><h3>\(day)</h3><div itemscope itemtype=\"https://schema.org/Event\"><meta itemprop=name content=\"\(title)\">"
        + "<meta itemprop=startDate content=\"\(date)T\(time):00+00:00\"><h4>\(shown)</h4><span>\(time)</span></div></li>"
    }
    let found = try reading(
      "<title>Calendar</title><ul>" + item("Fri 27 Nov", "2026-11-27", "19:30", "Silt", "Silt")
        + item("Sat 28 Nov", "2026-11-28", "14:00", "Marram", "A matinee by the sea") + "</ul>", zone: "Europe/London")
    #expect(found.lines == DataShape.lines, "\(found.lines)")
  }

  @Test("a film at the very hours of the only one that the page's data tells is no heading over it")
  func sameHours() throws {
    let hours = ["15:00", "17:30", "20:00"]
    let events = hours.map { #"{"@type":"ScreeningEvent","name":"Silt","startDate":"2026-11-27T\#($0):00+00:00"}"# }
    let shown = ["Silt", "Marram"].map { film in
      "<div class=film><h3>\(film)</h3><ul>" + hours.map { "<li><a href=/b>\($0)</a></li>" }.joined() + "</ul></div>"
    }
    let found = try reading(
      "<script type=\"application/ld+json\">[\(events.joined(separator: ","))]</script><h2>Fri 27 Nov</h2>"
        + shown.joined(), zone: "Europe/London")
    let lines = hours.flatMap { hour in ["Marram", "Silt"].map { "2026-11-27T\(hour):00Z \($0)" } }
    #expect(found.lines.sorted() == lines, "\(found.lines)")
  }

  // MARK: Frames

  @Test("data is read in the forms that frameworks and stores give it", arguments: formShapes)
  func forms(_ shape: DataShape) throws { try check(shape) }

  @Test("of lists of numbers, pairs and records none is taken for the form of a framework")
  func plainLists() throws {
    try check(
      DataShape(
        "numbers",
        #"[{"id":1,"film":3,"start":1795807800},{"id":2,"film":4,"start":1795874400},{"id":3,"title":"Silt"},"#
          + #"{"id":4,"title":"Marram"}]"#, []))
    try check(
      DataShape(
        "posts",
        #"[{"title":"Silt","date":"2026-11-19","time":"14:03","link":"/1"},{"title":"Marram","date":"2026-11-18","#
          + #""time":"09:17","link":"/2"}]"#, []))
  }

  @Test("a page whose data has starts that come to nothing says so")
  func untold() throws {
    let unread = try reading(
      #"[{"name":"Silt","start":"the 27th at 7ish (2026)","venue":"Moss"}]"#, zone: "Europe/London")
    #expect(unread.screenings.isEmpty)
    #expect(unread.unread.map(\.why) == ["its start cannot be read"], "\(unread.unread)")
    let untitled = try reading(
      #"{"slots":[{"starts_at":"2026-11-27T19:30:00Z","seats_left":4},{"starts_at":"2026-11-28T19:30:00Z","seats_left":4}]}"#,
      zone: "Europe/London")
    #expect(untitled.screenings.isEmpty)
    #expect(
      untitled.unread.map { "\($0.what): \($0.why)" }
        == ["2026-11-27T19:30:00Z and 1 more: nothing beside it says what is shown"])
  }
}

/// One document, and the lines that it must give.
struct DataShape: CustomTestStringConvertible {
  var name: String
  var text: String
  var lines: [String]
  var testDescription: String { name }

  init(_ name: String, _ text: String, _ lines: [String] = DataShape.lines) {
    self.name = name
    self.text = text
    self.lines = lines
  }

  /// What most of them tell.
  static let lines = ["2026-11-27T19:30:00Z Silt", "2026-11-28T14:00:00Z Marram"]
}

private func record(_ start: (String, String)) -> String {
  #"[{"name":"Silt","start":\#(start.0),"venue":"Moss"},{"name":"Marram","start":\#(start.1),"venue":"Moss"}]"#
}

private let dateShapes = [
  DataShape(
    "JavaScript",
    record(
      (
        #""Fri Nov 27 2026 19:30:00 GMT+0000 (Greenwich Mean Time)""#,
        #""Sat Nov 28 2026 15:00:00 GMT+0100 (Central European Standard Time)""#
      ))),
  DataShape("without a name", record((#""Fri Nov 27 2026 19:30:00 GMT+0000""#, #""Sat Nov 28 2026 14:00:00 GMT""#))),
  DataShape("Java", record((#""Fri Nov 27 19:30:00 UTC 2026""#, #""Sat Nov 28 14:00:00 GMT 2026""#))),
  DataShape(
    "of another weekday", record((#""Fri Nov 27 2026 19:30:00 GMT+0000""#, #""Fri Nov 28 2026 14:00:00 GMT""#)),
    [
      "2026-11-27T19:30:00Z Silt"
    ]),
  DataShape(
    "parts of no year",
    record((#"{"year":9999,"month":12,"day":31,"hour":25,"minute":0}"#, #""2026-11-28T14:00:00""#)),
    ["2026-11-28T14:00:00Z Marram"]),
  DataShape("seconds with a point", record(("1795807800.0", "1795874400.0"))),
  DataShape(
    "MongoDB",
    record((#"{"$date":{"$numberLong":"1795807800000"}}"#, #"{"$date":"2026-11-28T14:00:00.000Z"}"#))),
  DataShape(
    "parts",
    record(
      (
        #"{"year":2026,"month":11,"day":27,"hour":19,"minute":30}"#,
        #"{"year":"2026","month":"11","day":"28","hour":"2","minutes":"00","ampm":"pm"}"#
      ))),
  DataShape(
    "short parts",
    #"[{"title":"Silt","date":{"y":2026,"m":11,"d":27},"time":{"h":19,"m":30},"screen":"1"},"#
      + #"{"title":"Marram","date":{"y":2026,"m":11,"d":28},"time":{"h":14,"m":0},"screen":"1"}]"#),
  DataShape(
    "a clock in fields",
    #"{"events":[{"title":"Silt","start_date":"2026-11-27","start_hour":"7","start_minutes":"30","start_meridian":"pm","#
      + #""venue":"Moss"},{"title":"Marram","date":"2026-11-28","hour":2,"ampm":"PM","venue":"Moss"}]}"#),
  DataShape(
    "a constructor",
    "<script>var shown = [{title: 'Silt', start: new Date(2026, 10, 27, 19, 30), url: '/1'}, "
      + "{title: 'Marram', start: new Date(2026, 10, 28, 14), url: '/2'}];</script>"),
  DataShape(
    "an attribute",
    "<title>Moss</title><ul><li data-start=\"Fri Nov 27 2026 19:30:00 GMT+0000 (Coordinated Universal Time)\">"
      + "<h3>Silt</h3><a href=/b/1>Book</a></li><li data-start=\"Sat Nov 28 2026 14:00:00 GMT+0000 (Coordinated "
      + "Universal Time)\"><h3>Marram</h3><a href=/b/2>Book</a></li></ul>"),
]

private let island =
  #"{"films":[1,[[0,{"title":[0,"Silt"],"start":[3,"2026-11-27T19:30:00.000Z"],"screen":[0,"1"]}],"#
  + #"[0,{"title":[0,"Marram"],"start":[3,"2026-11-28T14:00:00.000Z"],"screen":[0,"1"]}]]]}"#

private let formShapes = [
  DataShape(
    "of atob",
    #"<script>window.__DATA__=JSON.parse(atob('eyJmaWxtcyI6W3sidGl0bGUiOiJTaWx0Iiwic2hvd3MiOlt7InN0YXJ0Ijo"#
      + #"iMjAyNi0xMS0yN1QxOTozMDowMFoifV19LHsidGl0bGUiOiJNYXJyYW0iLCJzaG93cyI6W3sic3RhcnQiOiIyMDI2LTExLTI4VDE"#
      + #"0OjAwOjAwWiJ9XX1dfQ=='))</script>"#),
  DataShape(
    "of decodeURIComponent",
    #"<script>window.__DATA__ = JSON.parse(decodeURIComponent("%7B%22films%22%3A%5B%7B%22title%22%3A%22Sil"#
      + #"t%22%2C%22shows%22%3A%5B%7B%22start%22%3A%222026-11-27T19%3A30%3A00Z%22%7D%5D%7D%2C%7B%22title%22%3A"#
      + #"%22Marram%22%2C%22shows%22%3A%5B%7B%22start%22%3A%222026-11-28T14%3A00%3A00Z%22%7D%5D%7D%5D%7D"));</"#
      + #"script>"#),
  DataShape(
    "Angular's marks",
    #"<script id="app-state" type="application/json">{&q;films&q;:[{&q;title&q;:&q;Silt&q;,&q;shows&q;:[{&"#
      + #"q;start&q;:&q;2026-11-27T19:30:00Z&q;}]},{&q;title&q;:&q;Marram&q;,&q;shows&q;:[{&q;start&q;:&q;2026"#
      + #"-11-28T14:00:00Z&q;}]}]}</script>"#),
  DataShape(
    "Alpine",
    #"<div x-data="programme({&quot;films&quot;:[{&quot;title&quot;:&quot;Silt&quot;,&quot;shows&quot;:[{&"#
      + #"quot;start&quot;:&quot;2026-11-27T19:30:00Z&quot;}]},{&quot;title&quot;:&quot;Marram&quot;,&quot;sho"#
      + #"ws&quot;:[{&quot;start&quot;:&quot;2026-11-28T14:00:00Z&quot;}]}]}, 7)"></div>"#),
  DataShape(
    "Drupal",
    #"<script type="application/json" data-drupal-selector="drupal-settings-json">{"programme":{"items":[{"nid""#
      + #":"1","title":"Silt","field_dates":[{"value":"2026-11-27T19:30:00","end_value":"2026-11-27T21:00:00"}"#
      + #"]},{"nid":"2","title":"Marram","field_dates":[{"value":"2026-11-28T14:00:00","end_value":"2026-11-28"#
      + #"T16:00:00"}]}]}}</script>"#),
  DataShape(
    "SvelteKit",
    #"{"type":"data","nodes":[null,{"type":"data","data":[{"films":1},[2,6],{"title":3,"shows":4},"Silt",[5],"#
      + #"{"start":10,"sold":11},{"title":7,"shows":8},"Marram",[9],{"start":12,"sold":11},"#
      + #"["Date","2026-11-27T19:30:00.000Z"],false,["Date","2026-11-28T14:00:00.000Z"]],"uses":{}}]}"#),
  DataShape(
    "Nuxt 3",
    #"<script type="application/json" id="__NUXT_DATA__">[["ShallowReactive",1],{"data":2},["Reactive",3],"#
      + #"{"films":4},[5,9],{"title":6,"shows":7},"Silt",[8],{"start":13},{"title":10,"shows":11},"Marram",[12],"#
      + #"{"start":14},"2026-11-27T19:30:00Z","2026-11-28T14:00:00Z"]</script>"#),
  DataShape("Astro", "<astro-island props=\"\(island.replacing("\"", with: "&quot;"))\"></astro-island>"),
  DataShape(
    "JSON:API",
    #"{"data":[{"type":"showings","id":"91","attributes":{"starts-at":"2026-11-27T19:30:00Z"},"relationships":"#
      + #"{"film":{"data":{"type":"films","id":"1"}}}},{"type":"showings","id":"1","attributes":{"starts-at":"#
      + #""2026-11-28T14:00:00Z"},"relationships":{"film":{"data":{"type":"films","id":"2"}}}}],"included":["#
      + #"{"type":"films","id":"1","attributes":{"title":"Silt"}},"#
      + #"{"type":"films","id":"2","attributes":{"title":"Marram"}}]}"#),
  DataShape(
    "Strapi",
    #"{"data":[{"id":1,"attributes":{"publishedAt":"2026-10-01T10:00:00Z","startsAt":"2026-11-27T19:30:00Z","film":"#
      + #"{"data":{"id":8,"attributes":{"title":"Silt"}}}}},{"id":2,"attributes":{"startsAt":"2026-11-28T14:00:00Z","#
      + #""film":{"data":{"id":9,"attributes":{"title":"Marram"}}}}}],"meta":{"pagination":{"page":1}}}"#),
  DataShape(
    "Contentful",
    #"{"items":[{"sys":{"id":"a","createdAt":"2026-10-01T10:00:00Z"},"fields":{"start":{"en-GB":"#
      + #""2026-11-27T19:30+00:00"},"film":{"en-GB":{"sys":{"type":"Link","linkType":"Entry","id":"c"}}}}},"#
      + #"{"sys":{"id":"b"},"fields":{"start":"2026-11-28T14:00+00:00","film":{"sys":{"type":"Link","id":"d"}}}}],"#
      + #""includes":{"Entry":[{"sys":{"id":"c"},"fields":{"title":{"en-GB":"Silt"}}},"#
      + #"{"sys":{"id":"d"},"fields":{"title":"Marram"}}]}}"#),
  DataShape(
    "Apollo, from films to showings",
    #"<script>window.__STATE__={"Film:1":{"__typename":"Film","id":"1","title":"Silt","showings":[{"__ref":"#
      + #""Showing:8"}]},"Film:2":{"__typename":"Film","id":"2","title":"Marram","showings":[{"__ref":"Showing:9"}]},"#
      + #""Showing:8":{"__typename":"Showing","id":"8","time":"2026-11-27T19:30:00Z"},"#
      + #""Showing:9":{"__typename":"Showing","id":"9","time":"2026-11-28T14:00:00Z"}};</script>"#),
  DataShape(
    "numbers of sessions",
    #"{"films":[{"id":1,"title":"Silt","sessionIds":[11]},{"id":2,"title":"Marram","sessionIds":[12]}],"#
      + #""sessions":{"11":{"startsAt":"2026-11-27T19:30:00"},"12":{"startsAt":"2026-11-28T14:00:00"}}}"#),
  DataShape(
    "a stream of rows that name each other",
    #"<script>self.__next_f.push([1,"0:[\"$\",\"div\",null,{\"films\":[\"$8\",{\"title\":\"Marram\",\"shows\":\"$a\"}]}]\n"#
      + #"6:T1c,A film of the sea.\n7:nothing8:{\"title\":\"Silt\",\"shows\":\"$9\",\"text\":\"$6\"}\n"])</script>"#
      + #"<script>self.__next_f.push([1,"9:[{\"start\":\"$D2026-11-27T19:30:00.000Z\"}]\n"#
      + #"a:[{\"start\":\"$D2026-11-28T14:00:00.000Z\"}]\n"])</script>"#),
  DataShape(
    "rows that name each other in a circle",
    #"<script>self.__next_f.push([1,"0:{\"films\":[{\"title\":\"Silt\",\"shows\":[{\"start\":\"2026-11-27T19:30:00Z\"}]},"#
      + #"{\"title\":\"Marram\",\"shows\":[{\"start\":\"2026-11-28T14:00:00Z\"}]}],\"children\":\"$L1\"}\n"#
      + #"1:[\"$\",\"div\",null,{\"film\":\"$0:films:0\"}]\n"])</script>"#),
  DataShape(
    "rows that name each other and nothing else does",
    #"<script>self.__next_f.push([1,"1:{\"title\":\"Silt\",\"shows\":[{\"start\":\"2026-11-27T19:30:00Z\"}],\"next\":\"$2\"}\n"#
      + #"2:{\"title\":\"Marram\",\"shows\":[{\"start\":\"2026-11-28T14:00:00Z\"}],\"last\":\"$1\"}\n"])</script>"#),
  DataShape(
    "a row that names a part of another",
    #"<script>self.__next_f.push([1,"5:{\"films\":[{\"title\":\"Silt\",\"shows\":[{\"start\":\"2026-11-27T19:30:00Z\"}]},"#
      + #"{\"title\":\"Marram\",\"shows\":[{\"start\":\"2026-11-28T14:00:00Z\"}]}]}\n"#
      + #"7:[\"$\",\"div\",null,{\"film\":\"$5:films:0\"}]\n"])</script>"#),
  DataShape(
    "a sheet",
    #"{"range":"A1:D3","values":[["Film","Date","Time","Remarks"],["Silt","27/11/2026","19:30"],"#
      + #"["Marram","28/11/2026","14:00","subtitled"]]}"#),
  DataShape(
    "a chart",
    #"/*O_o*/ google.visualization.Query.setResponse({"status":"ok","table":{"cols":[{"label":"Film"},{"label":"Date"},"#
      + #"{"label":"Time"}],"rows":[{"c":[{"v":"Silt"},{"v":"Date(2026,10,27)","f":"27/11"},{"v":"19:30"}]},"#
      + #"{"c":[{"v":"Marram"},{"v":"Date(2026,10,28)","f":"28/11"},{"v":"14:00"}]}]}});"#),
  DataShape(
    "dates with strokes as names",
    #"{"films":[{"title":"Silt","showtimes":{"27/11/2026":["19:30"]}},"#
      + #"{"title":"Marram","showtimes":{"28/11/2026":["14:00"]}}]}"#),
  DataShape(
    "films by days",
    #"{"schedule":{"2026-11-27":{"Silt":["19:30"]},"2026-11-28":{"Marram":["14:00"]}}}"#),
  DataShape(
    "data in a text",
    #"{"shown":"[{\"title\":\"Silt\",\"start\":\"2026-11-27T19:30:00\",\"screen\":\"1\"},{\"title\":\"Marram\","#
      + #"\"start\":\"2026-11-28T14:00:00\",\"screen\":\"1\"}]"}"#),
  DataShape(
    "a line for each",
    #"{"title":"Silt","start":"2026-11-27T19:30:00","venue":"Moss"}"# + "\n"
      + #"{"title":"Marram","start":"2026-11-28T14:00:00","venue":"Moss"}"# + "\n"),
  DataShape(
    "one after the other",
    #"<script>var s = []; s.push({film: "Silt", date: "2026-11-27", time: "19:30", link: "/1"}); "#
      + #"s.push({film: "Marram", date: "2026-11-28", time: "14:00", link: "/2"});</script>"#),
  DataShape(
    "HTML in JSON",
    #"{"success":true,"html":"<div class=film><h3>Silt</h3><p>Fri 27 Nov</p><a href=/b/1>19:30</a></div>"#
      + #"<div class=film><h3>Marram</h3><p>Sat 28 Nov</p><a href=/b/2>14:00</a></div>"#
      + #"<p class=more>All films are shown with subtitles, and the bar is open from an hour before.</p>"}"#),
  DataShape(
    "JSON-LD in CDATA",
    #"<script type="application/ld+json">//<![CDATA["# + "\n"
      + #"[{"@type":"Event","name":"Silt","startDate":"2026-11-27T19:30:00Z"},"#
      + #"{"@type":"Event","name":"Marram","startDate":"2026-11-28T14:00:00Z"}]"# + "\n//]]></script>"),
]

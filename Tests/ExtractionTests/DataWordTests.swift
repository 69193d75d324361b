import Testing

/// What data says in words, tables and markup of its own.
@Suite struct DataWordTests {
  private static let noon = "2026-11-20T12:00:00Z"

  private func lines(
    _ text: String, zone: String = "Europe/London", type: String = "application/json", url: String? = nil
  ) throws -> [String] {
    try reading(text, zone: zone, at: Self.noon, url: url, type: type).lines
  }

  @Test(
    "fields are known in more languages",
    arguments: [
      #"{"repertuar":[{"nazwa":"Silt","seanse":[{"data":"2026-11-27","godzina":"20:15"}]}]}"#,
      #"{"elokuvat":[{"elokuva":"Silt","näytökset":[{"pvm":"27.11.2026","klo":"20.15"}]}]}"#,
      #"{"elokuvat":[{"nimi":"Silt","naytokset":[{"pvm":"27.11.2026","klo":"20:15"}]}]}"#,
      #"{"spored":[{"naslov":"Silt","datum":"27. 11. 2026","ura":"20:15","dvorana":"Mala"}]}"#,
      #"[{"作品名":"Silt","上映日":"2026/11/27","開始時間":"20:15","スクリーン":"2"}]"#,
    ])
  func words(_ text: String) throws {
    #expect(try lines(text) == ["2026-11-27T20:15:00Z Silt"])
  }

  @Test(
    "clocks of a film in XML are showings on the day around it",
    arguments: [
      #"<dan datum="2026-11-27"><spored kino="Moss"><film><naslov_si>Silt</naslov_si><predstava><ura cena="5">16:00"#
        + "</ura><ura cena=\"5\">18:30</ura></predstava></film></spored></dan>",
      #"<day date="2026-11-27"><film><title>Silt</title><time price="5">16:00</time><time price="5">18:30</time>"#
        + "</film></day>",
      #"<day date="2026-11-27"><film><title>Silt</title><time>16:00</time><time>18:30</time></film></day>"#,
    ])
  func clocksInXML(_ day: String) throws {
    #expect(
      try lines(#"<?xml version="1.0"?><list>\#(day)</list>"#, type: "text/xml")
        == ["2026-11-27T16:00:00Z Silt", "2026-11-27T18:30:00Z Silt"])
  }

  @Test("a film's length is no clock of a day")
  func lengths() throws {
    #expect(try lines(#"{"date":"2026-11-27","films":[{"title":"Silt","time":"1:45"}]}"#) == [])
  }

  @Test("what a sheet answers is a table, with a call around it or without")
  func sheets() throws {
    let table =
      #"{"table":{"cols":[{"id":"A","label":"Titel"},{"id":"B","label":"Datum"},{"id":"C","label":"Zeit"},"#
      + #"{"id":"D","label":"Ort"},{"id":"E","label":""}],"rows":[{"c":[{"v":"Silt"},{"v":"Date(2026,10,27)","#
      + #""f":"27.11.2026"},{"v":[20,5,0,0],"f":"20:05"},{"v":"Moss"},null]},{"c":[{"v":"Marram"},"#
      + #"{"v":"Date(2026,11,1)"},{"v":[18,0,0,0]},{"v":"Moss"},null]}]}}"#
    let shown = ["2026-11-27T20:05:00Z Silt", "2026-12-01T18:00:00Z Marram"]
    #expect(try lines(table) == shown)
    let unnamed =
      #"{"table":{"cols":[{"id":"A","label":""},{"id":"B","label":""},{"id":"C","label":""},{"id":"D","label":""}],"#
      + #""rows":[{"c":[{"v":"Film"},{"v":"Datum"},{"v":"Zeit"},{"v":"Ort"}]},"#
      + #"{"c":[{"v":"Silt"},{"v":"27.11.2026"},{"v":"20:05"},{"v":"Moss"}]},"#
      + #"{"c":[{"v":"Marram"},{"v":"01.12.2026"},{"v":"18:00"},{"v":"Moss"}]}]}}"#
    #expect(try lines(unnamed) == shown)
    #expect(
      try lines("/*O_o*/\ngoogle.visualization.Query.setResponse(\(table));", type: "text/javascript") == shown)
  }

  @Test("data in an attribute is of what the data around it is called, or of its item's heading")
  func attributes() throws {
    func item(_ film: String, _ day: String, _ attribute: String) -> String {
      #"<article\#(attribute)><h3>\#(film)</h3><div data-showtimes='[{"date":"202611\#(day)","time":"1930","#
        + #""screen":"Screen 1"}]'></div></article>"#
    }
    let shown = ["2026-11-27T19:30:00Z Silt", "2026-11-28T19:30:00Z Marram"]
    let named =
      item("Now", "27", #" data-film='{"title":"Silt","id":7}'"#)
      + item("Now", "28", #" data-film='{"title":"Marram","id":8}'"#)
    #expect(try lines("<html><body>\(named)</body></html>", type: "text/html") == shown)
    let headed = item("Silt", "27", "") + item("Marram", "28", "")
    #expect(try lines("<html><body>\(headed)</body></html>", type: "text/html") == shown)
    let both =
      #"<section><h2>Winter</h2><div data-showtimes='[{"date":"20261127","time":"1930","screen":"Screen 1"}]'></div>"#
      + #"<div data-showtimes='[{"date":"20261128","time":"1930","screen":"Screen 1"}]'></div></section>"#
    #expect(try lines("<html><body>\(both)\(both)</body></html>", type: "text/html") == [])
  }

  @Test("a list may begin with a day and go on with its times, under a title or the page's one heading")
  func daysOfTimes() throws {
    let shown = ["2026-11-27T14:10:00Z Silt", "2026-11-27T19:30:00Z Silt", "2026-11-28T16:20:00Z Silt"]
    #expect(
      try lines(
        #"{"films":[{"title":"Silt","schedule":[["2026-11-27","14:10","19:30"],["2026-11-28","16:20"]]}]}"#) == shown)
    func page(_ room: String) -> String {
      "<html><head><title>Moss Cinema - Now</title></head><body><h2>Silt</h2><h3>A film</h3><script>var days = "
        + "[['2026/11/27','14:10\(room)','19:30\(room)'],['2026/11/28','16:20\(room)']];</script></body></html>"
    }
    #expect(try lines(page(" Screen 1"), type: "text/html") == shown)
    #expect(try lines(page(""), type: "text/html") == [])
  }

  @Test(
    "a small word between a day and a time goes with them",
    arguments: [("ob", "Europe/Ljubljana"), ("u", "Europe/Zagreb"), ("o", "Europe/Warsaw"), ("v", "Europe/Prague")])
  func between(_ word: String, _ zone: String) throws {
    let items = ["27", "28"].map { "<item><title>\($0). 11. 2026 \(word) 19:00 – Silt</title></item>" }.joined()
    #expect(
      try lines(
        #"<?xml version="1.0"?><rss version="2.0"><channel><title>Moss</title>\#(items)</channel></rss>"#, zone: zone,
        type: "text/xml") == ["2026-11-27T19:00:00+01:00 Silt", "2026-11-28T19:00:00+01:00 Silt"])
  }

  @Test("markup in data is of the day beside it, whatever two days the address has")
  func markupOfDays() throws {
    func day(_ date: String, _ film: String) -> String {
      let rows = ["14:15", "21:00"].map {
        "<div class='item'><p class='at'>\($0)</p><p class='title'><a href='/films/a'>\(film)</a></p>"
          + "<p class='place'>The large hall of the house</p></div>"
      }
      return #"{"date":"\#(date)","program":"<div class='list'>\#(rows.joined())</div>"}"#
    }
    #expect(
      try lines(
        "[\(day("2026-11-27", "Silt")),\(day("2026-11-28", "Marram"))]",
        url: "https://moss.example/calendar/2026-11-27/2026-11-28")
        == [
          "2026-11-27T14:15:00Z Silt", "2026-11-27T21:00:00Z Silt", "2026-11-28T14:15:00Z Marram",
          "2026-11-28T21:00:00Z Marram",
        ])
  }

  @Test("a day and a clock in an attribute may be joined by a hyphen, and one that cannot be read is no weekday's")
  func joinedMoments() throws {
    func page(_ moments: [String]) -> String {
      let links = moments.map { "<a href='/t' data-date='\($0)'><span>fr</span> 19:00</a>" }.joined()
      return "<html lang=nl><head><title>Silt - Moss</title></head><body><h1>Silt</h1><div>\(links)</div></body></html>"
    }
    #expect(
      try lines(page(["27-11-26-19:00", "04-12-26-19:00"]), zone: "Europe/Amsterdam", type: "text/html")
        == ["2026-11-27T19:00:00+01:00 Silt", "2026-12-04T19:00:00+01:00 Silt"])
    #expect(
      try lines(page(["27x11x26x19:00", "04x12x26x19:00"]), zone: "Europe/Amsterdam", type: "text/html") == [])
  }

  @Test(
    "a number in brackets behind a day is its weekday in Chinese", arguments: ["11.27 (五)", "11/27(五)", "11月27日（五）"])
  func chineseWeekdays(_ day: String) throws {
    #expect(
      try lines(#"[{"name":"Silt","times":[{"time":"\#(day) 14:20","place":"Moss"}]}]"#, zone: "Asia/Taipei")
        == ["2026-11-27T14:20:00+08:00 Silt"])
    #expect(
      try lines(#"[{"name":"Silt","times":[{"time":"11.27 (二) 14:20","place":"Moss"}]}]"#, zone: "Asia/Taipei") == [])
  }
}

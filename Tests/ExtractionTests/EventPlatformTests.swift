import Calendars
import Extraction
import Testing

/// Pages of councils, clubs and sellers of tickets: a film is one of many things that they list.
@Suite("Event platforms")
struct EventPlatformTests {
  private static let london = "Europe/London"
  private static let at = "2026-10-03T12:00:00Z"

  private func read(_ html: String) throws -> Extraction {
    try reading(html, zone: Self.london, at: Self.at, url: "https://moss.example/on")
  }

  @Test(
    "the clock that is printed stands before the one that an attribute has",
    arguments: [
      "<time datetime=\"2026-10-05T12:00:00\">5 October 2026, 13:00</time>",
      "<p><time datetime=\"2026-10-05T12:00:00\">5 October 2026</time></p>"
        + "<p><time datetime=\"2026-10-05T12:00:00\">13:00</time> - <time datetime=\"2026-10-05T14:00:00\">15:00</time></p>",
      "<div><time datetime=\"2026-10-05T13:00:00Z\">Mon 05 October 2026</time></div>"
        + "<p><time datetime=\"2026-10-05T12:00:00\">13:00</time></p>",
    ])
  func printedClock(time: String) throws {
    let found = try read("<main><div><h3>Silt</h3>\(time)</div></main>")
    #expect(found.lines == ["2026-10-05T13:00:00+01:00 Silt"])
  }

  @Test("a day alone keeps the clock of its attribute where none is printed, and so does another day's clock")
  func attributeClock() throws {
    let found = try read(
      "<main><div><h3>Silt</h3><time datetime=\"2026-10-05T12:00:00\">5 October 2026</time></div>"
        + "<div><h3>Bolt</h3><time datetime=\"2026-10-06T18:30:00\">6 October 2026</time></div></main>")
    #expect(found.lines == ["2026-10-05T12:00:00+01:00 Silt", "2026-10-06T18:30:00+01:00 Bolt"])
  }

  @Test(
    "when doors open and when an evening closes is no showing",
    arguments: [
      "Door time: 6:30pm, start time: 7:45pm", "Doors:&nbsp;Open 19:00, Film 19:45",
      "Doors 19:00, Film 19:45, Close 22:45",
      "Doors: 19:00, Film: 19:45, Finish 22:45",
    ])
  func doors(line: String) throws {
    let found = try read(
      "<main><div><h2><a href=/1>Silt</a></h2><p>Thursday 8th October 2026</p><p>\(line)</p></div></main>")
    #expect(found.lines == ["2026-10-08T19:45:00+01:00 Silt"])
  }

  @Test("behind \u{201C}presents:\u{201D} stands the title")
  func presents() throws {
    let found = try read(
      "<main><div><h2><a href=/1>Moss Film Club presents:</a></h2><div><span class=subtitle>The Long Silt</span></div>"
        + "<table><tr><th>0</th><td>LONDON: Moss House</td></tr><tr><th>P</th><td>Thursday 8th October, 2026</td></tr>"
        + "<tr><th>N</th><td>7:00pm</td></tr></table></div></main>")
    #expect(found.lines == ["2026-10-08T19:00:00+01:00 The Long Silt"])
  }

  @Test("also where the page's data has no more than its heading", arguments: ["The Long Silt", "1917"])
  func presentsInData(title: String) throws {
    let found = try read(
      #"<script type="application/ld+json">{"@type":"ScreeningEvent","name":"Moss Film Club presents:","#
        + #""startDate":"2026-10-08T19:00:00+01:00","location":{"@type":"Place","name":"Moss House"}}</script>"#
        + "<h1>Moss Film Club presents:</h1><p class=subtitle>\(title)</p>")
    #expect(found.lines == ["2026-10-08T19:00:00+01:00 \(title)"])
  }

  @Test("a club at a place is no film where a caption names one")
  func club() throws {
    let found = try read(
      "<title>What is on — Moss Film</title><main><div><figure><img src=a.jpg><figcaption>SILT (Ana Berg, 2024, Cert 15, 133mins)"
        + "</figcaption></figure></div><div><h3>MOSS FILM LOUNGE @ HARBOUR TOWN HALL</h3><h4>THURSDAY 8th OCTOBER</h4><p>Film 19:45</p></div></main>"
    )
    #expect(found.lines == ["2026-10-08T19:45:00+01:00 SILT"])
  }

  @Test(
    "where a venue stands beside the time, below its label or behind a link to a map",
    arguments: [
      "<div class=event-venue>Moss Hall, Hill | 8:00PM</div>", "<p>8:00PM</p><p>Venue: Moss Hall, Hill</p>",
      "<p>The screening is at 8:00PM at the <a href=\"https://maps.app.goo.gl/abc\">Moss Hall, Hill</a>.</p>",
    ])
  func venues(time: String) throws {
    let found = try read(
      "<title>Harbour Film Club</title><main><div><div>8th October 2026</div></div><div><h3><a href=/silt>Silt</a></h3>\(time)</div></main>"
    )
    #expect(
      found.screenings.map { "\($0.start.description) \($0.title) \($0.venue ?? "")" } == [
        "2026-10-08T20:00:00+01:00 Silt Moss Hall, Hill"
      ])
    #expect(found.screenings.first?.url?.contains("maps") != true)
  }

  @Test("an event with a timestamp is read where its category is film")
  func category() throws {
    func data(_ category: String) throws -> [String] {
      try read(
        "<script type=\"application/json\">{\"hits\": [{\"event\": \"Silt\", \"category\": \"\(category)\", \"venue\": \"Moss Hall\", \"timestamp\": 1791399600}]}</script>"
      ).lines
    }
    #expect(try data("film") == ["2026-10-07T20:00:00+01:00 Silt"])
    #expect(try data("workshop") == [])
  }

  @Test("a pass is no showing, and a cover no page")
  func passes() throws {
    let found = try read(
      """
      <script type="application/json">{"events": [
      {"name": "Day Pass - Thursday £36", "start_time": "2026-10-08T14:00:00Z", "end_time": "2026-10-08T22:59:00Z", "films": [], "venue": {"name": "Moss Hall"}},
      {"cover_url": "https://moss.example/30.jpg", "url": "https://moss.example/silt", "name": "SILT", "start_time": "2026-10-08T16:30:00Z",
       "end_time": "2026-10-08T18:40:00Z", "films": [{"name": "SILT"}], "venue": {"name": "Moss Hall"}}]}</script>
      """)
    #expect(found.lines == ["2026-10-08T17:30:00+01:00 SILT"])
    #expect(found.screenings.first?.url == "https://moss.example/silt")
    #expect(found.unread.map(\.why) == ["it is a pass, which admits to what is shown"])
  }

  @Test("the name that an address begins with is the venue")
  func address() throws {
    let found = try read(
      """
      <script type="application/json">{"entries": [{"event": {"name": "Silt", "start_at": "2026-10-08T17:15:00.000Z", "url": "https://moss.example/silt",
      "geo_address_info": {"city": "London", "address": "The Moss", "full_address": "The Moss, 224 Hill Road, London"}}}]}</script>
      """)
    #expect(found.screenings.map(\.venue) == ["The Moss"], "\(found.lines)")
  }

  @Test("a list of days without times says that it is one")
  func daysAlone() throws {
    let found = try read(
      "<main><div><h5>Silt</h5><span>Thursday 8th October 2026</span></div><div><h5>Bolt</h5><span>Friday 9th October 2026</span></div></main>"
    )
    #expect(found.screenings.isEmpty)
    #expect(
      found.unread.map { "\($0.what): \($0.why)" } == [
        "Thursday 8th October 2026 and 1 more: they are days without a time"
      ])
  }
}

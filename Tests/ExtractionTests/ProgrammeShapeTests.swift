import Extraction
import Testing

/// Shapes in which cinemas print their programmes, each on the smallest page that shows it.
@Suite("Shapes of programmes")
struct ProgrammeShapeTests {
  // MARK: Titles

  @Test("what says of a size that it is shown there names no film, and a sentence is no title beside a link")
  func sentences() throws {
    func row(_ time: String, _ title: String, _ sentence: String) -> String {
      "<div class=\"line\"><div class=\"col\"><a href=\"/\(title)\"><time datetime=\"21.11.2026 \(time):00\">\(time)</time>"
        + "</a></div><div class=\"col\"><a href=\"/\(title)\" class=\"block\">\(title)</a> "
        + "<span class=\"md-show block h6\">\(sentence)</span></div></div>"
    }
    let found = try reading(
      "<title>Moss Kino</title>" + row("13:30", "Silt", "Eine Familie kehrt nach vielen Jahren zurück.")
        + row("15:45", "Marram", "Der neue Film.") + row("18:00", "Silt", "Eine Familie kehrt zurück.")
        + row("20:30", "Marram", "Ein Dorf."),
      zone: "Europe/Berlin")
    #expect(found.screenings.map(\.title) == ["Silt", "Marram", "Silt", "Marram"], "\(found.lines)")
  }

  @Test("a heading over a date is the title, not what is told of the film below")
  func headingOverDate() throws {
    func post(_ title: String, _ when: String, _ text: String) -> String {
      "<div class=\"post\"><div class=\"entry_header\"><h2><a href=\"/x\">\(title)</a></h2><h4>\(when) &middot; "
        + "<a href=\"/events\">Events</a></h4></div><div class=\"entry\"><p>\(text)</p></div></div>"
    }
    let found = try reading(
      "<title>Events | Moss Museum</title>"
        + post("The Dune presents <em>Silt</em> (1977)", "Sat 21 Nov 2026 @ 19:30", "A breakthrough work on 16mm film.")
        + post("Moss Noir presents <em>Marram</em>", "Wed 2 Dec 2026 @ 19:30", "A sergeant takes on the mob.")
        + post("Silent Saturday", "Sat 5 Dec 2026 @ 10:30", "A day of comedy with live piano."),
      zone: "Europe/London")
    #expect(
      found.screenings.map(\.title) == [
        "The Dune presents Silt (1977)", "Moss Noir presents Marram", "Silent Saturday",
      ], "\(found.lines)")
  }

  @Test("the sign for a night is a word in a title, unless a clock follows it")
  func nights() throws {
    let found = try reading(
      "<title>Moss 影城</title><h2>11月21日(六)</h2><h3>長夜4</h3><p>12:30</p><h3>沙丘</h3><p>夜8時30分</p>", zone: "Asia/Taipei")
    #expect(found.lines == ["2026-11-21T12:30:00+08:00 長夜4", "2026-11-21T20:30:00+08:00 沙丘"])
  }

  // MARK: Dates

  @Test("where a page writes the month first of days that nothing else can be, it does so of the others")
  func orderOfThePage() throws {
    let found = try reading(
      "<title>Silt | Moss Bioscoop</title><h1>Silt</h1><ul><li>11/24/2026 7:30 PM</li><li>11/28/2026 2:00 PM</li>"
        + "<li>12/3/2026 9:15 PM</li></ul>",
      zone: "Europe/Amsterdam")
    #expect(
      found.screenings.map { "\($0.start)" } == [
        "2026-11-24T19:30:00+01:00", "2026-11-28T14:00:00+01:00", "2026-12-03T21:15:00+01:00",
      ])
    let usual = try reading(
      "<title>Silt | Moss Bioscoop</title><h1>Silt</h1><ul><li>24/11/2026 19:30</li><li>3/12/2026 21:15</li></ul>"
        + "<p>Member since 12/31/2026</p>",
      zone: "Europe/Amsterdam")
    #expect(usual.screenings.map { "\($0.start)" } == ["2026-11-24T19:30:00+01:00", "2026-12-03T21:15:00+01:00"])
  }

  @Test("a date may have room around its slash where a weekday follows it")
  func roomAroundSlash() throws {
    let found = try reading(
      "<title>Moss 影城</title><h2>沙丘</h2><ul><li>11 / 24 (二)</li><li>11:00</li><li>14:20</li></ul>"
        + "<ul><li>11 / 25 (三)</li><li>13:10</li></ul>",
      zone: "Asia/Taipei")
    #expect(
      found.lines == [
        "2026-11-24T11:00:00+08:00 沙丘", "2026-11-24T14:20:00+08:00 沙丘", "2026-11-25T13:10:00+08:00 沙丘",
      ])
  }

  @Test("a weekday may stand behind a day's full stop")
  func weekdayBehindStop() throws {
    let found = try reading(
      "<title>Moss 座</title><table><thead><tr><th colspan=2>11/28.Sat ～ 11/30.Mon</th></tr></thead><tbody>"
        + "<tr><th>遠い町</th><td>10:30～12:15</td></tr><tr><th>波の音</th><td>12:40～14:25</td></tr></tbody></table>",
      zone: "Asia/Tokyo")
    #expect(found.screenings.count == 6, "\(found.lines)")
    #expect(found.lines.first == "2026-11-28T10:30:00+09:00 遠い町")
  }

  @Test("a tooltip that names one day is of the time below it")
  func tooltip() throws {
    func box(_ day: String, _ time: String) -> String {
      "<div class=\"box\" title=\"** Tickets for this time | \(day) | *hall\"><span class=\"hour\">\(time)</span></div>"
    }
    let found = try reading(
      "<title>Moss Cinema</title><div class=\"card\"><a class=\"big\" href=\"/s\">Silt</a>" + box("24/11/2026", "19:00")
        + box("25/11/2026", "21:15") + "</div><div class=\"card\"><a class=\"big\" href=\"/m\">Marram</a>"
        + box("24/11/2026", "17:30") + "</div>",
      zone: "Europe/London")
    #expect(
      found.lines == [
        "2026-11-24T17:30:00Z Marram", "2026-11-24T19:00:00Z Silt", "2026-11-25T21:15:00Z Silt",
      ])
  }

  @Test("a part that is called updated may hold a programme; beside a date alone the word is of that date")
  func updated() throws {
    let day =
      "<div class=\"sub-header\">Tuesday 24 November 2026</div><table><tr><td>Silt</td><td>17:30</td></tr>"
      + "<tr><td>Marram</td><td>20:15</td></tr></table>"
    let found = try reading(
      "<title>Moss Cinema</title><section class=\"updated-box\">\(day)</section>", zone: "Europe/London")
    #expect(found.screenings.count == 2, "\(found.unread)")
    let stamp = try reading(
      "<title>Moss Cinema</title><section><div class=\"updated\">Tuesday 24 November 2026</div><table><tr><td>Silt</td>"
        + "<td>17:30</td></tr><tr><td>Marram</td><td>20:15</td></tr></table></section>", zone: "Europe/London")
    #expect(stamp.screenings.isEmpty, "\(stamp.lines)")
  }

  @Test("a cell over several days of a calendar is of each of them, below its own month")
  func cellOverDays() throws {
    let found = try reading(
      "<title>Moss 座</title><table><tr><th colspan=\"2\">11月</th><th colspan=\"2\">12月</th></tr>"
        + "<tr><th>29</th><th>30</th><th>1</th><th>2</th></tr><tr><th>日</th><th>月</th><th>火</th><th>水</th></tr>"
        + "<tr><td colspan=\"3\"><span>遠い町</span><br>10:00<br>14:20</td><td><span>波の音</span><br>12:00</td></tr>"
        + "<tr><td></td><td colspan=\"2\"><span>砂の道</span><br>16:40</td><td></td></tr></table>",
      zone: "Asia/Tokyo")
    #expect(
      found.lines == [
        "2026-11-29T10:00:00+09:00 遠い町", "2026-11-29T14:20:00+09:00 遠い町", "2026-11-30T10:00:00+09:00 遠い町",
        "2026-11-30T14:20:00+09:00 遠い町", "2026-11-30T16:40:00+09:00 砂の道", "2026-12-01T10:00:00+09:00 遠い町",
        "2026-12-01T14:20:00+09:00 遠い町", "2026-12-01T16:40:00+09:00 砂の道", "2026-12-02T12:00:00+09:00 波の音",
      ])
  }

  @Test("an empty place for a date says what the one above it says")
  func emptyPlaceForDate() throws {
    func item(_ date: String, _ time: String, _ title: String) -> String {
      "<div class=\"item\"><div class=\"row\"><div class=\"date-wrapper\">\(date)</div><div><p class=\"time\">\(time) Uhr"
        + "</p></div></div><div class=\"row\"><h2><a href=\"/x\">\(title)</a></h2></div></div>"
    }
    let found = try reading(
      "<title>Moss Kino</title><div class=\"list\">" + item("<p>29.11.</p><p>Sonntag</p>", "14:15", "Silt")
        + item("&nbsp;", "16:30", "Marram") + item("<p>30.11.</p><p>Montag</p>", "19:15", "Kelp") + "</div>",
      zone: "Europe/Berlin")
    #expect(
      found.lines == [
        "2026-11-29T14:15:00+01:00 Silt", "2026-11-29T16:30:00+01:00 Marram", "2026-11-30T19:15:00+01:00 Kelp",
      ])
  }

  // MARK: Data

  @Test("names of fields may have no seam: filmfakten, displayDateTime")
  func seamless() throws {
    let german = try reading(
      "{\"filme\": {\"film_12\": {\"filmfakten\": {\"idf\": \"12\", \"titel\": \"Silt\", \"laufzeit\": \"129\"}, "
        + "\"vorstellungen\": {\"vorstellungen_fakten\": {\"idf\": \"12\"}, \"termine\": {\"datum_2026-11-24\": "
        + "[{\"datum\": \"2026-11-24\", \"zeit\": \"17:30\", \"saal\": \"1\"}], \"datum_2026-11-25\": "
        + "{\"datum\": \"2026-11-25\", \"zeit\": \"20:15\", \"saal\": \"4\"}}}}}}",
      zone: "Europe/Berlin", type: "application/json")
    #expect(german.lines == ["2026-11-24T17:30:00+01:00 Silt", "2026-11-25T20:15:00+01:00 Silt"])
    let shown = try reading(
      "[{\"id\": 1, \"title\": \"Silt\", \"shows\": [{\"id\": 11, \"auditoriumName\": \"Blue\", \"displayDateTime\": "
        + "\"2026-11-24T12:30:00\", \"showName\": \"Silt\"}]}, {\"id\": 2, \"title\": \"Marram\", \"shows\": [{\"id\": 12, "
        + "\"displayDateTime\": \"2026-11-25T14:00:00\", \"showName\": \"Marram\"}]}]",
      zone: "Europe/Berlin", type: "application/json")
    #expect(shown.lines == ["2026-11-24T12:30:00+01:00 Silt", "2026-11-25T14:00:00+01:00 Marram"])
  }

  @Test("a showing that is called by its own date and time and its film is that film")
  func calledByItsTime() throws {
    let found = try reading(
      "<?xml version=\"1.0\"?><shows><show id=\"11\"><name>SILT</name><events><event id=\"38\"><name>26 Nov 2026 - 14:30 @ "
        + "Moss - (opening time 13:45) SILT</name><date_time_iso>2026-11-26T14:30:00+00:00</date_time_iso></event>"
        + "<event id=\"39\"><name>26 Nov 2026 - 19:30 @ Moss - (opening time 18:45) SILT</name><date_time_iso>"
        + "2026-11-26T19:30:00+00:00</date_time_iso></event></events></show></shows>",
      zone: "Europe/London", type: "text/xml")
    #expect(found.screenings.map(\.title) == ["SILT", "SILT"], "\(found.lines)")
  }

  @Test("the one showing of a film is not called by its time either")
  func theOneCalledByItsTime() throws {
    func event(_ day: Int, _ name: String) -> String {
      "<event><name>\(day) Nov 2026 - 14:30 @ Moss - (opening time 13:45) \(name)</name><date_time_iso>2026-11-\(day)"
        + "T14:30:00+00:00</date_time_iso></event>"
    }
    let found = try reading(
      "<?xml version=\"1.0\"?><shows><show><name>SILT</name><events>" + event(26, "SILT") + "</events></show><show>"
        + "<name>PEAT</name><events>" + event(27, "PEAT") + event(28, "PEAT") + "</events></show></shows>",
      zone: "Europe/London", type: "text/xml")
    #expect(found.screenings.map(\.title) == ["SILT", "PEAT", "PEAT"], "\(found.lines)")
  }

  @Test("a date with an offset is that day, and the time stands beside it")
  func dateWithOffset() throws {
    let found = try reading(
      "{\"movies\": [{\"title\": \"Silt\", \"showtimes\": [{\"id\": 1, \"date\": \"11:50a\", \"ticketingDate\": "
        + "\"2026-11-21+11:50\"}, {\"id\": 2, \"date\": \"7:00p\", \"ticketingDate\": \"2026-11-21+19:00\"}]}]}",
      zone: "America/Denver", type: "application/json")
    #expect(found.lines == ["2026-11-21T11:50:00-07:00 Silt", "2026-11-21T19:00:00-07:00 Silt"])
  }

  @Test("a month over one column is of its days, and that of the whole table of what follows it")
  func monthsAboveEachOther() throws {
    let found = try reading(
      "<title>Moss 座</title><table><tr><th colspan=2>11月</th></tr><tr><th>28</th><th>29</th></tr><tr><td>遠い町<br>10:00"
        + "</td><td>波の音<br>12:00</td></tr><tr><th colspan=2>12月</th></tr><tr><th>1</th><th>2</th></tr><tr><td>"
        + "遠い町<br>14:00</td><td>波の音<br>16:00</td></tr></table>",
      zone: "Asia/Tokyo")
    #expect(
      found.lines == [
        "2026-11-28T10:00:00+09:00 遠い町", "2026-11-29T12:00:00+09:00 波の音", "2026-12-01T14:00:00+09:00 遠い町",
        "2026-12-02T16:00:00+09:00 波の音",
      ])
  }

  @Test("days that are listed beside a start have it each")
  func listedDays() throws {
    let found = try reading(
      #"[{"title":"Silt","link":"/1","start_date":"2026-11-27 12:00:00","end_date":"2026-12-11 13:00:00","cancelled":false,"#
        + #""dates":["2026-11-27","2026-12-04","2026-12-11"]}]"#, zone: "Europe/London", type: "application/json")
    #expect(
      found.lines == ["2026-11-27T12:00:00Z Silt", "2026-12-04T12:00:00Z Silt", "2026-12-11T12:00:00Z Silt"],
      "\(found.lines)")
  }

  @Test("rows of a script whose columns are named once are records, and a name of addresses is no title")
  func namedColumns() throws {
    let found = try reading(
      """
      <title>Harbour Song | Moss</title><script>
      var context = {
       searchNames: ["id", "type", "short_description", "name", "start_date", "start_date_time", "availability_status"],
       searchResults: [["A0", "film", "Harbour Song", "harbour-song-0", "Saturday 21 November 2026 20:35", "20:35", "G"],
        ["A1", "film", "Harbour Song", "harbour-song-1", "Tuesday 24 November 2026 18:10", "18:10", "G"]],
       articleId: "3FE27F41"
      };
      </script><h1>Harbour Song</h1><p>A classic.</p>
      """, zone: "Europe/London")
    #expect(
      found.lines == ["2026-11-21T20:35:00Z Harbour Song", "2026-11-24T18:10:00Z Harbour Song"], "\(found.lines)")
  }

  @Test("a part whose id is a day is of that day")
  func daysInIDs() throws {
    let found = try reading(
      "<title>Moss Cinema</title><div><button id=tab_20261121><span>Sat</span><span>21</span><span>Nov</span></button>"
        + "<button id=tab_20261122><span>Sun</span><span>22</span><span>Nov</span></button></div>"
        + "<div id=panel_20261121><div class=film><h3>Silt</h3><a href=/1>18:00</a></div><div class=film><h3>Marram</h3>"
        + "<a href=/2>20:30</a></div></div><div id=panel_20261122 class=hidden><div class=film><h3>Silt</h3>"
        + "<a href=/3>19:00</a></div></div>", zone: "Europe/London")
    #expect(
      found.lines == [
        "2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Marram", "2026-11-22T19:00:00Z Silt",
      ], "\(found.lines)")
  }

  @Test("panels made alike are of the day of the last one before them that says it")
  func panelsOfDays() throws {
    func panel(_ day: String, _ time: String) -> String {
      "<div class=panel>\(day.isEmpty ? "" : "<div class=panel__date>\(day)</div>")<span><a href=/b>\(time)</a></span></div>"
    }
    let found = try reading(
      "<title>Silt - Moss Cinema</title><h1>Silt</h1><div class=list><h2>Screenings</h2>"
        + panel("Sat 21 Nov", "17:45") + panel("", "20:30") + panel("Sun 22 Nov", "14:00") + panel("", "18:10")
        + "</div>", zone: "Europe/London")
    #expect(
      found.lines == [
        "2026-11-21T17:45:00Z Silt", "2026-11-21T20:30:00Z Silt", "2026-11-22T14:00:00Z Silt",
        "2026-11-22T18:10:00Z Silt",
      ], "\(found.lines) \(found.unread)")
  }

  @Test("a month in a cell of its own is its row's")
  func monthsInRows() throws {
    let found = try reading(
      "<title>Moss Screens</title><h1>Summer</h1><table><tr><td><b>Silt</b></td><td>Tue</td><td>7</td><td>July</td><td>6pm"
        + "</td></tr><tr><td><b>Marram</b></td><td>Sat</td><td>11</td><td>July</td><td>2.30pm</td></tr><tr><td><b>Peat</b>"
        + "</td><td>Tue</td><td>4</td><td>August</td><td>6pm</td></tr></table>",
      zone: "Europe/London", at: "2026-06-20T10:00:00Z")
    #expect(
      found.lines == [
        "2026-07-07T18:00:00+01:00 Silt", "2026-07-11T14:30:00+01:00 Marram", "2026-08-04T18:00:00+01:00 Peat",
      ], "\(found.lines)")
  }

  @Test("headings of a text are underlined")
  func underlined() throws {
    let rule = String(repeating: "=", count: 24)
    let line = String(repeating: "-", count: 24)
    let found = try reading(
      "At 6pm today we watch some archive footage.\n\nSchedule for December – Moss & Fern Cinema\n\(rule)\n\n"
        + "Silt\n\(rule)\n\nKay Loch – 2023 – 1H53M – Cert. 15 – England\n\(line)\n\nThursday 10th December – 6:00pm\n"
        + "\(line)\n\nA landlord struggles.\n\n\nMarram\n\(rule)\n\nA. Bee – 2006 – 1H49M – Cert. 12 – France\n\(line)\n\n"
        + "Thursday 17th December – 6:00pm\n\(line)\n\nA sea.\n", zone: "Europe/London", type: "text/plain")
    #expect(found.lines == ["2026-12-10T18:00:00Z Silt", "2026-12-17T18:00:00Z Marram"], "\(found.lines)")
  }

  @Test("what is to come was not posted, whatever its part is called")
  func articleDate() throws {
    let found = try reading(
      "<title>Silt on the Quay</title><div class=\"bg article\"><span class=meta>Events</span> <span class=article-date>"
        + "02 December 2026 7:00 pm</span><h1>Silt on the Quay</h1><p>Free.</p></div>", zone: "Europe/London")
    #expect(found.lines == ["2026-12-02T19:00:00Z Silt on the Quay"], "\(found.unread)")
    let posted = try reading(
      "<title>Our new seats</title><div class=\"bg article\"><span class=meta>News</span> <span class=article-date>"
        + "02 November 2026 7:00 pm</span><h1>Our new seats</h1><p>They came.</p></div>", zone: "Europe/London")
    #expect(posted.screenings.isEmpty, "\(posted.lines)")
  }

  @Test("the mark of UTC over a printed clock is false where they are the same digits")
  func printedUTC() throws {
    let found = try reading(
      "<title>Moss Hall</title><h1>Silt</h1><section><h2>Sat 11 Jul</h2><time datetime=2026-07-11T18:00:00Z>6pm</time>"
        + "<a href=/1>Book</a></section><section><h2>Sun 12 Jul</h2><time datetime=2026-07-12T20:30:00Z>8.30pm</time>"
        + "<a href=/2>Book</a></section><section><h2>Mon 13 Jul</h2><time datetime=2026-07-13T17:00:00Z>6pm</time>"
        + "<a href=/3>Book</a></section>", zone: "Europe/London", at: "2026-07-01T10:00:00Z")
    #expect(
      found.lines == [
        "2026-07-11T18:00:00+01:00 Silt", "2026-07-12T20:30:00+01:00 Silt", "2026-07-13T18:00:00+01:00 Silt",
      ], "\(found.lines)")
  }

  @Test("seconds in data-start are a start, also beside those of an end")
  func startsWithEnds() throws {
    let seconds = try reading(
      "<ul><li data-start=1795462200 data-end=1795469400><h3>Silt</h3></li>"
        + "<li data-start=1795548600 data-end=1795555800><h3>Marram</h3></li></ul>", zone: "Europe/London")
    #expect(seconds.lines == ["2026-11-23T19:30:00Z Silt", "2026-11-24T19:30:00Z Marram"])
  }
}

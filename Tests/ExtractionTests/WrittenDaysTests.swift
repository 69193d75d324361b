import Calendars
import Extraction
import Testing

/// Days and titles as pages, feeds and newsletters write them, each a shape that real ones have.
@Suite("Days as they are written")
struct WrittenDaysTests {
  private static let rome = "Europe/Rome"
  private static let at = "2026-11-20T09:00:00+01:00"

  @Test("two other days to choose from, each a link to its own page, head nothing")
  func linkedDays() throws {
    let found = try reading(
      "<h4>2026/11/23(一)</h4><div class='bar'><a href='/t02/20261124/'>11/24(二)</a> "
        + "<a href='/t02/20261125/'>11/25(三)</a></div><ul><li><a href='/m/1'>Moss</a></li><li>11:20</li><li>15:40</li></ul>"
        + "<ul><li><a href='/m/2'>Silt</a></li><li>13:25</li><li>17:35</li></ul>",
      zone: "Asia/Taipei", at: "2026-11-23T01:00:00Z")
    #expect(Set(found.lines.map { String($0.prefix(10)) }) == ["2026-11-23"])
    #expect(found.lines.count == 4)
  }

  @Test("what is over by now and runs from the newest to the oldest are posts")
  func posts() throws {
    let posts = ["10.11.2026, 09:14 Uhr", "03.11.2026, 17:40 Uhr", "19.10.2026, 12:05 Uhr"].enumerated().map {
      number, day in
      "<article><span class='datum'>\(day)</span><h2><a href='/a/\(number)'>Neue Sitze \(number)</a></h2><p>Text.</p></article>"
    }
    let found = try reading(
      "<h1>Aktuelles</h1>" + posts.joined(), zone: "Europe/Berlin", at: "2026-11-10T10:00:00Z")
    #expect(found.lines.isEmpty)
  }

  @Test("a weekday behind a stroke or a point is the date's, and not another day")
  func apart() throws {
    let found = try reading(
      "<h3>Silt</h3><p>21/11 • sábado — 17h</p><h3>Bolt</h3><p>24 de novembro | terça-feira | 19h</p>",
      zone: "America/Sao_Paulo", at: "2026-11-20T09:00:00-03:00")
    #expect(found.lines == ["2026-11-21T17:00:00-03:00 Silt", "2026-11-24T19:00:00-03:00 Bolt"])
    // The first weeks of a month are over: the weekday says which year they were.
    let past = try reading(
      "<h3>Silt</h3><p><em>04 de novembro | quarta-feira | 16h</em><br><em>25 de novembro | quarta-feira | 19h</em></p>",
      zone: "America/Sao_Paulo", at: "2026-11-20T09:00:00-03:00")
    #expect(past.screenings.map(\.start.date.description) == ["2026-11-04", "2026-11-25"])
    let two = try reading("<h3>Silt</h3><p>21 Nov | Sunday 22 Nov: 19:00</p>", zone: "Europe/London")
    #expect(!two.lines.isEmpty && two.unread.isEmpty)
  }

  @Test("a dash may stand between a weekday and its day, and a table's heads be such days")
  func dashed() throws {
    let found = try reading(
      "<table><tr><th>SAT - 21<th>SUN - 22</tr><tr><td>7:30 PM<br>Silt<td>5:00 PM<br>Bolt</tr>"
        + "<tr><td>MIDNIGHT<br>Hex<td></tr></table>", zone: "America/New_York", at: "2026-11-20T09:00:00-05:00")
    #expect(
      found.lines == [
        "2026-11-21T19:30:00-05:00 Silt", "2026-11-22T00:00:00-05:00 Hex", "2026-11-22T17:00:00-05:00 Bolt",
      ])
    let german = try reading("<h3>Samstag – 21. November</h3><p>19:30 Schlick</p>", zone: "Europe/Berlin")
    #expect(german.lines == ["2026-11-21T19:30:00+01:00 Schlick"])
    let other = try reading("<h3>Silt</h3><p>Sat 21 Nov: 7pm</p><p>Fri - 7pm</p>", zone: "Europe/London")
    #expect(!other.lines.contains { $0.contains("-07T") || $0.contains("12-0") }, "seven in the evening is no day")
  }

  @Test("a day may stand in brackets before its weekday, and rooms that are named after somebody are no titles")
  func bracketed() throws {
    let found = try reading(
      "<h1>Novembro 2026</h1><h3>[24] TERÇA-FEIRA</h3><p>15h30 | Sala M. Félix Ribeiro<br><b>LODO</b><br>de Ana Ber</p>"
        + "<p>21h30 | Sala Luís de Pina<br><b>PARAFUSO</b></p><h3>[25] QUARTA-FEIRA</h3>"
        + "<p>19h00 | Sala M. Félix Ribeiro<br><b>PARAFUSO</b></p>", zone: "Europe/Lisbon")
    #expect(
      found.lines == [
        "2026-11-24T15:30:00Z LODO", "2026-11-24T21:30:00Z PARAFUSO", "2026-11-25T19:00:00Z PARAFUSO",
      ])
  }

  @Test("weekdays in a row before a time with a point are of the week above them")
  func rows() throws {
    let found = try reading(
      "<title>The Regal</title><h2>Fri 27 Nov - Thu 3 Dec</h2><p><b>SILT</b> (12A)<br>Fri, Sat &amp; Tue 7.30; Sun 3.00 &amp; 7.30</p>"
        + "<p><b>BOLT</b> (PG)<br>Wed 2.00 &amp; 8.00</p>", zone: "Europe/London")
    #expect(
      found.screenings.map { "\($0.start)".prefix(16) } == [
        "2026-11-27T19:30", "2026-11-28T19:30", "2026-11-29T15:00", "2026-11-29T19:30", "2026-12-01T19:30",
        "2026-12-02T14:00", "2026-12-02T20:00",
      ])
  }

  @Test(
    "what is said of a language in brackets is no title in any", arguments: ["(feliratos)", "(titulky)", "(altyazılı)"])
  func marks(mark: String) throws {
    let found = try reading(
      "<h2>2026-11-24</h2><p>18:00 Silt <span>\(mark)</span></p><p>20:30 Bolt</p>", zone: "Europe/Budapest")
    #expect(found.screenings.allSatisfy { $0.title.hasPrefix("Silt") || $0.title == "Bolt" }, "\(found.lines)")
  }

  @Test("houses that head their days are venues, and what each line says behind its time is the title")
  func houses() throws {
    func house(_ name: String) -> String {
      "<h2>\(name)</h2>"
        + ["Tuesday 24 November", "Wednesday 25 November"].map { day in
          "<h3>\(day)</h3><ul><li>18:00 Silt<li>20:30 Bolt<li>21:15 Heron Road</ul>"
        }.joined()
    }
    let found = try reading(
      "<title>Two houses</title>" + house("Rio Cinema") + house("Regal Kino"), zone: "Europe/London")
    #expect(found.screenings.count == 12)
    #expect(Set(found.screenings.map(\.title)) == ["Silt", "Bolt", "Heron Road"])
    #expect(Set(found.screenings.map { $0.venue ?? "" }) == ["Rio Cinema", "Regal Kino"])
    let films = try reading(
      "<title>The Regal</title>"
        + ["Silt", "Bolt"].map { "<h2>\($0)</h2><h3>Tuesday 24 November</h3><ul><li>18:00 Sala 1<li>20:30 OmU</ul>" }
        .joined(),
      zone: "Europe/London")
    #expect(Set(films.screenings.map(\.title)) == ["Silt", "Bolt"], "\(films.lines)")
  }

  @Test("in a sentence the film is what is set apart, not what stands before the day or who made it")
  func sentence() throws {
    let found = try reading(
      "<title>Film Society</title><h1>News</h1><p>Join us on Tuesday, November 24 at 7pm for <em>Silt</em> by Ana Berg."
        + " On Thursday, November 26 at 8:30pm we show <em>Bolt</em>.</p>", zone: "America/New_York",
      at: "2026-11-20T09:00:00-05:00")
    #expect(found.lines == ["2026-11-24T19:00:00-05:00 Silt", "2026-11-26T20:30:00-05:00 Bolt"])
  }

  @Test("the chosen one of a list of days is the day of a page that says no other")
  func chosen() throws {
    func page(_ chosen: String) -> String {
      "<title>Show Schedule</title><select><option\(chosen)>Sat Nov 21, 2026<option>Sun Nov 22, 2026</select>"
        + "<b><a class=displaytitle href=/1>21+ SILT</a></b><div><a class=showtime href=T.ASP?1>5:45p</a></div>"
        + "<b><a class=displaytitle href=/2>BOLT</a></b><div><a class=showtime href=T.ASP?2>7:15p</a></div>"
    }
    let found = try reading(page(" selected"), zone: "America/Los_Angeles")
    #expect(found.lines == ["2026-11-21T17:45:00-08:00 21+ SILT", "2026-11-21T19:15:00-08:00 BOLT"])
    #expect(try reading(page(""), zone: "America/Los_Angeles").lines == [])
    let titled = try reading(
      page("").replacing("Show Schedule", with: "Programme for 23 November 2026"), zone: "America/Los_Angeles")
    #expect(titled.screenings.map(\.start.date.description) == ["2026-11-23", "2026-11-23"])
  }

  @Test("a day may stand in an attribute of somebody's own")
  func attribute() throws {
    let days = [20, 21, 22].map {
      "<button date-data='2026.11.\($0)' class='\($0 == 21 ? "on" : "")'><em>\($0)</em><span>토</span></button>"
    }
    let found = try reading(
      "<div class=dates><div>2026.11</div><div>2026.12</div>\(days.joined())</div>"
        + "<div class=theater-list><p class=tit>진흙</p><p class=theater-name>컴포트1관</p><p class=chair>총 284석</p>"
        + "<a href=/b><p class=time>14:20</p></a></div>")
    #expect(found.lines == ["2026-11-21T14:20:00+09:00 진흙"])
    #expect(found.screenings.first?.venue == nil)
  }

  @Test("times joined by dashes are a list where one line of them has three")
  func dashes() throws {
    func lines(_ first: String) -> String {
      "<h2>Fango</h2><p>Sabato 21 novembre<br>\(first)<br>interi € 9.00</p><p>Domenica 22 novembre<br>18:45-21:00</p>"
    }
    let list = try reading(lines("16:30-18.45-21:00"), zone: Self.rome, at: Self.at)
    #expect(list.screenings.count == 5 && list.screenings.allSatisfy { $0.end == nil })
    let spans = try reading(lines("16:30-18:10"), zone: Self.rome, at: Self.at)
    #expect(spans.screenings.count == 2 && spans.screenings.allSatisfy { $0.end != nil })
  }

  @Test("a day that opens a paragraph of times dates them, whatever else it says")
  func opening() throws {
    let found = try reading(
      "<p>● sabato 21 novembre<br>ore 18:30 FANGO di M. T.<br>ore 21:00 <a href=/b>BULLONE</a></p>"
        + "<p>● domenica 22 novembre<br>riposo</p>"
        + "<p>● lunedì 23 novembre | Cinema d’essai a 5 euro<br>ore 18:30 <a href=/f>FANGO</a> di M. T.</p>",
      zone: Self.rome, at: Self.at)
    #expect(found.screenings.map(\.start.date.description) == ["2026-11-21", "2026-11-21", "2026-11-23"])
    #expect(!found.screenings.contains { $0.title.lowercased().contains("riposo") })
  }

  @Test("an end in words, money, brackets that nobody closes and other houses are neither a title nor a venue")
  func remarks() throws {
    let ends = try reading(
      "<h4>2026-11-21</h4><div><strong>진흙</strong><ul><li><a><dl><dd class=time><strong>12:50</strong>"
        + "<div class=tooltip>종료 15:21</div></dd></dl></a></li><li><a><dl><dd class=time><strong>16:00</strong>"
        + "<div class=tooltip>종료 18:31</div></dd></dl></a></li></ul></div>")
    #expect(ends.lines == ["2026-11-21T12:50:00+09:00 진흙", "2026-11-21T16:00:00+09:00 진흙"])
    let prices = try reading(
      "<h1>Lera</h1><div class=event><div>lördag 21 november 17:30</div><div class=price>Kr 60,00</div></div>"
        + "<div class=event><div>söndag 22 november 17:45</div><div class=price>Kr 120,00</div></div>",
      zone: "Europe/Stockholm", at: "2026-11-20T09:00:00+01:00")
    #expect(Set(prices.screenings.map(\.title)) == ["Lera"])
    let polish = try reading(
      "<p>piątek (od 17:00) do niedzieli: 19 zl - normalny, 16 zl - ulgowy</p>", zone: "Europe/Warsaw",
      at: "2026-11-20T09:00:00+01:00")
    #expect(polish.lines == [])
    let houses = try reading(
      "<h2>月光戲院</h2><h3>11/21 (六)</h3>"
        + ["淤泥", "螺栓"].map {
          "<ul><li><a href=/m>\($0)</a></li><li><ul><li>11：00</li><li class=theaterElse><a href=/o>其他戲院(5)</a></li></ul></li></ul>"
        }.joined(), zone: "Asia/Taipei", at: "2026-11-20T09:00:00+08:00")
    #expect(houses.screenings.count == 2 && !houses.screenings.contains { $0.venue?.contains("其他") ?? false })
  }

  @Test(
    "rooms in letters of full width, houses above them and clocks that name what starts at them are understood in data")
  func data() throws {
    let nested = try reading(
      """
      {"data": [{"list": [{"code": "9", "name": "月光シネマズ六本木", "list": [{"code": "27", "name": "泥の歌", "hours": 122,
      "list": [{"code": "22", "name": "スクリーン２", "list": [{"showingStart": "11:40", "showingEnd": "14:00"}]}]}]}]}]}
      """, zone: "Asia/Tokyo", at: "2026-11-21T09:00:00+09:00", url: "https://moon.example/schedule?show_day=20261121")
    let show = try #require(nested.screenings.first)
    #expect(show.title == "泥の歌" && show.screen == "スクリーン２" && show.venue == "月光シネマズ六本木")
    let named = try reading(
      """
      {"schedule": {"20261121": {"51": {"17:00": {"9101": {"room": "Amarcord", "link": "https://a.example/9101"}}}},
      "20261122": {"52": {"20:45": {"9102": {"room": "Amarcord", "link": "https://a.example/9102"}}}}},
      "movies": {"51": {"id": 51, "title": "Iszap"}, "52": {"id": 52, "title": "Csavar"}}}
      """, zone: "Europe/Budapest", at: "2026-11-20T09:00:00+01:00")
    #expect(named.lines == ["2026-11-21T17:00:00+01:00 Iszap", "2026-11-22T20:45:00+01:00 Csavar"])
  }

  @Test("when a field was written last is no start, and hours in a row of sessions are those of showings")
  func hours() throws {
    let found = try reading(
      """
      [{"title": "Silt", "update_times": {"title": 1795000000, "performances": 1795000000}, "venue": {"name": "Filmhouse"},
      "performances": [{"title": null, "start": "2026-11-24 18:30:00", "end": "2026-11-24 20:00:00"}]}]
      """, zone: "Europe/London")
    #expect(found.lines == ["2026-11-24T18:30:00Z Silt"])
    let row = try reading(
      "<h2>Tuul</h2><table><tr class=coming-date><td colspan=3>24. november<span class=date>teisipäev</span></td></tr>"
        + "<tbody class=session-item><tr class=item><td><div><span class=hours>18:00</span></div></td><td>Saal 6</td><td><a href=/b/1>Osta pilet</a></td></tr></tbody></table>",
      zone: "Europe/Tallinn", at: "2026-11-20T09:00:00+02:00")
    #expect(row.lines == ["2026-11-24T18:00:00+02:00 Tuul"])
    let opera = try reading(
      "<h2>MET: Tosca</h2><p>24.11.26 klo 20:00, 1. sali</p><h2>Silta</h2><p>25.11.26 klo 18:00, 2. sali</p>",
      zone: "Europe/Helsinki", at: "2026-11-20T09:00:00+02:00")
    #expect(opera.screenings.map(\.title) == ["MET: Tosca", "Silta"])
  }

  @Test("weekdays below a heading of this week are of it, and 3 o'clock is in the afternoon")
  func week() throws {
    func page(_ heading: String) -> String {
      "<h2>\(heading)</h2><ul><li><span>Sat 4:00 PM</span><div><h3>Silt</h3></div></li>"
        + "<li><span>Sun 7:00 PM</span><div><h3>Bolt</h3></div></li></ul>"
    }
    let found = try reading(page("This Week"), zone: "America/New_York", at: "2026-11-20T09:00:00-05:00")
    #expect(found.lines == ["2026-11-21T16:00:00-05:00 Silt", "2026-11-22T19:00:00-05:00 Bolt"])
    #expect(try reading(page("Our hall"), zone: "America/New_York", at: "2026-11-20T09:00:00-05:00").lines == [])
    let clock = try reading(
      "<h3>Silt</h3><p><b>Saturday 21st November at 3 o’clock</b></p><h3>Bolt</h3><p><b>Tuesday 24th November at 8.15pm</b></p>",
      zone: "Europe/Dublin")
    #expect(clock.lines == ["2026-11-21T15:00:00Z Silt", "2026-11-24T20:15:00Z Bolt"])
  }

  @Test("times may stand before their days, and a line of its own is told where it leads somewhere")
  func timesFirst() throws {
    let found = try reading(
      "<h1>6:00PM Saturday, November 21st; 4:00PM Tuesday, November 24th</h1><h2>Silt (2000)</h2>",
      zone: "America/Chicago", at: "2026-11-20T09:00:00-06:00")
    #expect(found.lines == ["2026-11-21T18:00:00-06:00 Silt (2000)", "2026-11-24T16:00:00-06:00 Silt (2000)"])
    func page(_ line: String) -> String {
      line
        + (22...25).map { "<div class=show><p>Nov \($0), 2026</p><h2>Film \($0) of it</h2><p>7:00 PM</p></div>" }
        .joined()
    }
    let linked = try reading(
      page("<a href=/v><p>Vertigo (Fri. 11/27 @ 7:00PM || Sun. 11/29 @ 4:00PM)</p></a>"), zone: "America/Chicago",
      at: "2026-11-20T09:00:00-06:00")
    #expect(linked.screenings.count(where: { $0.title == "Vertigo" }) == 2, "\(linked.lines)")
    let said = try reading(
      page("<p>Vertigo (Fri. 11/27 @ 7:00PM || Sun. 11/29 @ 4:00PM)</p>"), zone: "America/Chicago",
      at: "2026-11-20T09:00:00-06:00")
    #expect(!said.screenings.contains { $0.title == "Vertigo" })
  }

  @Test("a weekday with its date in brackets is that date alone, and minutes stand behind a comma too")
  func brackets() throws {
    let days = try reading(
      "<h3>Thursday (26 November)</h3><p>14:30 – <a href='/b/1'>Silt</a></p>"
        + "<h3>Friday (27 November)</h3><p>19:35 – <a href='/b/2'>Bolt</a></p>", zone: "Europe/London",
      at: "2026-11-16T09:00:00Z")
    #expect(days.lines == ["2026-11-26T14:30:00Z Silt", "2026-11-27T19:35:00Z Bolt"])
    let commas = try reading(
      "<h2>Silt</h2><p>Sabato 21 novembre ore 21,30</p><p>Domenica 22 novembre ore 20,30</p>", zone: Self.rome,
      at: Self.at)
    #expect(
      commas.screenings.map { $0.start.description.prefix(16) } == [
        "2026-11-21T21:30", "2026-11-22T20:30",
      ])
  }

  @Test("what is to be pressed, and how many seats there are, is no title")
  func buttons() throws {
    func film(_ title: String, _ time: String, _ seats: Int) -> String {
      "<div class='film'><h3><a href='/f'>\(title)</a></h3><h3>Available screening types</h3><a href='/f'>Find out more</a></div>"
        + "<div><h3>Saturday 21st Nov</h3><a href='/b/\(seats)'>\(time)</a></div>"
    }
    let found = try reading(film("Silt", "18:00", 1) + film("Bolt", "20:15", 2), zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T18:00:00Z Silt", "2026-11-21T20:15:00Z Bolt"])
    let work = try reading(
      #"<script type="application/ld+json">{"@type":"ScreeningEvent","workPresented":"Silt","#
        + #""startDate":"2026-11-21T18:30:00.000Z-03:00"}</script>"#, zone: "America/Argentina/Buenos_Aires")
    #expect(work.lines == ["2026-11-21T18:30:00-03:00 Silt"])
  }

  @Test("the first days behind a month in its table are the next month's, and the last ones before it the last one's")
  func month() throws {
    let cells =
      (29...30).map { ($0, "") } + (1...30).map { ($0, $0 == 5 ? "Bolt<br>19:30" : "") } + [(1, "Silt<br>20:00")]
    let first = [(29, "Fog<br>18:00")] + cells.dropFirst()
    let table = first.map { "<td><b>\($0)</b><p>\($1)</p></td>" }.enumerated()
      .map { ($0 % 7 == 0 ? "<tr>" : "") + $1 }.joined()
    let found = try reading(
      "<h2>November 2026</h2><table>\(table)</table>", zone: "Europe/London", at: "2026-10-28T09:00:00Z")
    #expect(found.screenings.map(\.start.date.description) == ["2026-10-29", "2026-11-05", "2026-12-01"])
    // A month printed for the days themselves needs no step.
    let rows = (1...30).map { "<tr><td>\($0)<td>\($0 == 5 ? "Bolt 19:30" : "")</tr>" }.joined()
    let printed = try reading(
      "<h2>November 2026</h2><table>\(rows)<tr><th>December</th></tr><tr><td>1<td>Silt 20:00</tr></table>",
      zone: "Europe/London", at: "2026-10-28T09:00:00Z")
    #expect(printed.screenings.map(\.start.date.description) == ["2026-11-05", "2026-12-01"])
    let behind = (1...30).map { "<tr><td>\($0)<td>November<td>\($0 == 5 ? "Bolt 19:30" : "")</tr>" }.joined()
    let own = try reading(
      "<table>\(behind)<tr><td>1<td>December<td>Silt 20:00</tr></table>", zone: "Europe/London",
      at: "2026-10-28T09:00:00Z")
    #expect(own.screenings.map(\.start.date.description) == ["2026-11-05", "2026-12-01"])
  }

  @Test("films of a cycle that stand at several times each are the titles, and not the cycle")
  func cycle() throws {
    func show(_ times: String, _ film: String) -> String {
      "<p>A las \(times) horas<br><em>\(film)</em><br>(Francia, 1963). Dirección: Bo Lin. (103’; DCP)</p>"
    }
    let found = try reading(
      "<title>Bo Lin, los años de barro | Complejo</title><h2>Bo Lin, los años de barro</h2><h4>Sala Mayor</h4>"
        + "<p><strong>Sábado 21 de noviembre</strong></p>" + show("15 y 21", "El barro") + show("18", "La niebla")
        + "<p><strong>Domingo 22 de noviembre</strong></p>" + show("15 y 21", "El perno") + show("18", "La marea")
        + "<p><strong>Lunes 23 de noviembre</strong></p>" + show("15", "El barro") + show("18", "El faro"),
      zone: "America/Argentina/Buenos_Aires", at: "2026-11-20T09:00:00-03:00")
    #expect(Set(found.screenings.map(\.title)) == ["El barro", "La niebla", "El perno", "La marea", "El faro"])
  }

  @Test("a day of the month that a run of days leaves out lies in it")
  func leftOutOfRun() throws {
    let found = try reading(
      "<div class=timetable><h3>11月26日(木)～30日(月) ＊28日(土)休映</h3><table><tr><th>10:30</th><td>沈泥</td></tr>"
        + "<tr><th>13:00</th><td>種をまく人</td></tr></table></div>",
      zone: "Asia/Tokyo", at: "2026-11-25T09:00:00+09:00")
    #expect(Set(found.screenings.map { $0.start.date.day }) == [26, 27, 29, 30])
    #expect(found.screenings.count == 8)
  }
}

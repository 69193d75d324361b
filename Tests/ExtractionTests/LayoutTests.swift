import Calendars
import Extraction
import Testing

/// How parts of a page speak of a time, each on the smallest page that shows it.
@Suite("Layouts")
struct LayoutTests {
  @Test("a week that heads a list without days speaks of each day, less what a row leaves out")
  func week() throws {
    let found = try reading(
      "<title>Moss Cinema</title><h2>11/21(土)～11/23(月)</h2><table><tr><td>10:00</td><td>波の音<br>※11/22(日)は休映</td></tr>"
        + "<tr><td>12:30</td><td>遠い町</td></tr></table>")
    #expect(found.screenings.count { $0.title == "遠い町" } == 3, "\(found.lines)")
    #expect(
      found.lines.filter { $0.hasSuffix("波の音") } == [
        "2026-11-21T10:00:00+09:00 波の音", "2026-11-23T10:00:00+09:00 波の音",
      ])
  }

  @Test("a heading that says today is of today, whatever else it says")
  func today() throws {
    let found = try reading(
      "<title>Moss Kino</title><h2>Kino heute</h2><ul><li>18:00 Silt</li><li>20:30 Marram</li></ul>")
    #expect(found.screenings.map(\.title).sorted() == ["Marram", "Silt"], "\(found.lines)")
  }

  @Test(
    "a film may be called like a month, a job or a meal",
    arguments: ["May December", "Steve Jobs", "The Hire", "Breakfast at Tiffany's", "Kassandra"])
  func ordinaryWords(title: String) throws {
    let found = try reading(
      "<title>\(title) | Moss Cinema</title><h1>\(title)</h1><p>Sat 21 Nov 2026, 19:30</p>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T19:30:00Z \(title)"])
  }

  @Test("after midnight the evening before is still today, and the week before is over")
  func afterMidnight() throws {
    let page =
      "<title>Moss Cinema</title><h2>Friday 20 November 2026</h2><ul><li>18:00 Silt</li><li>20:30 Marram</li></ul>"
    let late = try reading(page, zone: "Europe/London", at: "2026-11-21T00:30:00Z")
    #expect(late.screenings.count == 2, "\(late.unread)")
    let weekLater = try reading(page, zone: "Europe/London", at: "2026-11-28T12:00:00Z")
    #expect(weekLater.screenings.isEmpty)
  }

  @Test("a film whose title has a relative day in it is not of that day")
  func relativeDayInTitle() throws {
    let found = try reading(
      "<title>Moss Cinema</title><h2>Saturday 21 November 2026</h2><h3>Edge of Tomorrow</h3><p>18:00, 20:30</p>"
        + "<h3>Silt</h3><p>19:00</p>")
    #expect(
      found.lines == [
        "2026-11-21T18:00:00+09:00 Edge of Tomorrow", "2026-11-21T19:00:00+09:00 Silt",
        "2026-11-21T20:30:00+09:00 Edge of Tomorrow",
      ])
  }

  @Test("a time behind a price with its sign behind it is a time")
  func behindPrice() throws {
    let found = try reading(
      "<title>Moss Kino</title><h2>Samstag, 21. November 2026</h2><ul><li>Silt <span>17.00 Uhr 8 € 20.30 Uhr 8 €</span></li>"
        + "<li>Marram <span>18.00 Uhr 8 € 21.15 Uhr 8 €</span></li></ul>")
    #expect(found.screenings.count == 4, "\(found.lines)")
  }

  @Test("weekdays below a week are of that week")
  func weekdays() throws {
    let found = try reading(
      "<title>Moss Cinema</title><h2>November 20 – 26</h2><h3>Silt</h3><p>Sat–Sun: 14:00, 19:30<br>Tue: 19:30</p>")
    #expect(
      found.lines == [
        "2026-11-21T14:00:00+09:00 Silt", "2026-11-21T19:30:00+09:00 Silt", "2026-11-22T14:00:00+09:00 Silt",
        "2026-11-22T19:30:00+09:00 Silt", "2026-11-24T19:30:00+09:00 Silt",
      ])
  }

  @Test("a line below one with a date is of its day, and an empty cell says what the one above it says")
  func carried() throws {
    let lines = try reading(
      "<title>Moss Cinema</title><pre>Fri 20 Nov  18:00 Silt\n            20:30 Marram\nSat 21 Nov  19:00 Peat\n</pre>")
    #expect(
      lines.lines == [
        "2026-11-20T18:00:00+09:00 Silt", "2026-11-20T20:30:00+09:00 Marram", "2026-11-21T19:00:00+09:00 Peat",
      ])
    let cells = try reading(
      "<title>Moss Cinema</title><table><tr><td>Fri 20 Nov</td><td>18:00</td><td>Silt</td></tr><tr><td>&nbsp;</td>"
        + "<td>20:30</td><td>Marram</td></tr><tr><td>Sat 21 Nov</td><td>19:00</td><td>Peat</td></tr></table>")
    #expect(cells.lines == lines.lines)
  }

  @Test("a venue that nothing marks is read from cards that each say one, and a series is none")
  func venues() throws {
    func cards(_ lines: [String]) -> String {
      "<title>Wandering Cinema</title><h1>Wandering Cinema</h1>"
        + lines.enumerated().map { index, line in
          "<div class=card><h3>Silt \(index)</h3><p>Sat 2\(index) Nov, 19:30</p><p>\(line)</p><p>From £8.00</p></div>"
            .replacing("Sat 2\(index)", with: ["Fri 20", "Sat 21", "Sun 22"][index])
        }.joined()
    }
    let placed = try reading(cards(["Canal Yard", "St Mary's Crypt", "Canal Yard"]))
    #expect(placed.screenings.map(\.venue) == ["Canal Yard", "St Mary's Crypt", "Canal Yard"])
    let series = try reading(cards(["Docs on Tap", "New Voices", "Docs on Tap"]))
    #expect(Set(series.screenings.map(\.venue)) == ["Wandering Cinema"])
  }

  @Test(
    "prices, an office's hours and what is told of the past are no screenings",
    arguments: [
      "<p>Intero € 8.50 - ridotto € 6.50. Sabato € 5.00</p>", "<p>Office: monday-friday 8:30-12:00 / 13:30-17:00</p>",
      "<p>The Moss opened on Saturday 21 November 1936 at 2.30pm with <em>Silt</em>. It was full, and it rained.</p>",
      "<p>Fri 20 Nov – Silt, 0h52</p>",
    ])
  func none(text: String) throws {
    let found = try reading("<title>Moss Cinema</title><h1>Moss Cinema</h1><h2>About us</h2>" + text)
    #expect(found.screenings.isEmpty, "\(found.lines)")
  }

  @Test("a grid of parts is a table: by its roles, or by a row of dates over rows as wide")
  func grids() throws {
    func grid(_ cell: String, _ row: String, _ head: String) -> String {
      func line(_ kind: String, _ texts: [String]) -> String {
        "<div \(row)>" + texts.map { "<div \(kind)>\($0)</div>" }.joined() + "</div>"
      }
      return "<title>Moss Cinema</title><h1>20 to 22 November</h1><div>"
        + line(head, ["Film", "Fri 20 Nov", "Sat 21 Nov", "Sun 22 Nov"]) + line(cell, ["Silt", "18:00", "", "20:30"])
        + line(cell, ["Marram", "", "<b>19:00</b> <b>21:15</b>", ""]) + "</div>"
    }
    let expected = [
      "2026-11-20T18:00:00+09:00 Silt", "2026-11-21T19:00:00+09:00 Marram", "2026-11-21T21:15:00+09:00 Marram",
      "2026-11-22T20:30:00+09:00 Silt",
    ]
    #expect(try reading(grid("class=c", "class=r", "class=h")).lines == expected)
    let roles = grid("role=cell", "role=row", "role=columnheader").replacing(
      "<div><div role", with: "<div role=table><div role")
    #expect(try reading(roles).lines == expected)
  }

  @Test("times of the evening without a sign are of the evening beside one that has it")
  func halves() throws {
    let found = try reading(
      "<title>Moss Cinema</title><h3>Silt</h3><p>Fri 11/20: 4:30, 7:00<br>Sat 11/21: 2:00, 7:00</p><h3>Marram</h3>"
        + "<p>Fri 11/20: 11:30 PM</p>", zone: "America/New_York", at: "2026-11-20T09:00:00-05:00")
    #expect(
      found.screenings.map { "\($0.start.description.dropLast(9)) \($0.title)" } == [
        "2026-11-20T16:30 Silt", "2026-11-20T19:00 Silt", "2026-11-20T23:30 Marram", "2026-11-21T14:00 Silt",
        "2026-11-21T19:00 Silt",
      ])
  }

  @Test("Tuesday in a row of Spanish weekdays is no March, and a dash between cells joins no times")
  func rows() throws {
    let month = try reading(
      "<title>Moss Cine</title><h1>Diciembre 2026</h1><table><tr><th>Lun</th><th>Mar</th><th>Mié</th></tr>"
        + "<tr><td>7 <p>20:00 Silt</p></td><td>8</td><td>9 <p>18:00 Marram</p></td></tr></table>",
      zone: "Europe/Madrid", at: "2026-11-28T09:00:00+01:00")
    #expect(month.lines == ["2026-12-07T20:00:00+01:00 Silt", "2026-12-09T18:00:00+01:00 Marram"])
    let cells = try reading(
      "<title>Moss Cinema</title><table><tr><th></th><th>Silt</th><th>Marram</th><th>Peat</th></tr><tr><th>Fri 20 Nov</th>"
        + "<td>10:00</td><td>—</td><td>18:10</td></tr><tr><th>Sat 21 Nov</th><td>13:00</td><td>15:30</td><td>—</td></tr></table>"
    )
    #expect(
      cells.lines == [
        "2026-11-20T10:00:00+09:00 Silt", "2026-11-20T18:10:00+09:00 Peat", "2026-11-21T13:00:00+09:00 Silt",
        "2026-11-21T15:30:00+09:00 Marram",
      ])
  }

  @Test("a column that is headed Film holds the titles, one that is headed Venue does not")
  func columns() throws {
    let found = try reading(
      "<title>Dalby Film Week</title><h2>Sat 21 November</h2><table><tr><th>Time</th><th>Venue</th><th>Film</th></tr>"
        + "<tr><td>6pm</td><td>Dalby Library</td><td>Silt</td></tr><tr><td>8pm</td><td>Ritz, Dalby</td><td>Marram</td></tr>"
        + "</table>")
    #expect(found.screenings.map(\.title) == ["Silt", "Marram"])
    #expect(found.screenings.map(\.venue) == ["Dalby Library", "Ritz, Dalby"])
  }

  @Test("a date right before its time is no age, though the page has dates of another form")
  func datesLikeAges() throws {
    let days = [("Ugetsu", "10/12", "18h00"), ("Silt", "10/12", "20h30"), ("Peat", "12/12", "15h00")]
    let cards = days.map { "<div class=film><h3>\($0)</h3><p><b>\($1)</b> <span>\($2)</span></p></div>" }
    let found = try reading(
      "<html lang=fr><h1>Programme</h1>\(cards.joined())<footer>Mis à jour le 24 novembre 2026</footer>",
      zone: "Europe/Paris")
    #expect(
      found.lines == [
        "2026-12-10T18:00:00+01:00 Ugetsu", "2026-12-10T20:30:00+01:00 Silt", "2026-12-12T15:00:00+01:00 Peat",
      ])
  }

  @Test("an end that only JSON-LD tells takes no screening away that the page tells too")
  func endOfARun() throws {
    let found = try reading(
      """
      <script type="application/ld+json">{"@type":"ScreeningEvent","name":"Silt","startDate":"2026-11-21T18:00",
        "endDate":"2027-01-15T20:00","location":{"@type":"MovieTheater","name":"Dome"}}</script>
      <h2>Silt</h2><h3>Sat 21 Nov</h3><ul><li><a href="/book/1">18:00</a></li></ul>
      """)
    #expect(found.lines == ["2026-11-21T18:00:00+09:00 Silt"])
  }

  @Test("a film's own page tells films beside it by their own names")
  func beside() throws {
    let found = try reading(
      "<title>Silt | Moss Cinema</title><h1>Silt</h1><ul class=screenings><li>Fri 20 Nov <b>18:00</b></li><li>Sat 21 Nov "
        + "<b>19:00</b></li></ul><h2>You may also like</h2><ul class=related><li><a href=/a>Marram</a> <span>Sun 22 Nov, "
        + "17:30</span></li><li><a href=/b>Peat</a> <span>Mon 23 Nov, 12:00</span></li></ul>")
    #expect(found.screenings.map(\.title) == ["Silt", "Silt", "Marram", "Peat"])
  }

  @Test(
    "what builders of sites write around times and titles says nothing of them",
    arguments: [
      // Entries of a blog, a list of posts, a calendar.
      "<h4>Sat 21 Nov</h4><article class=post><h3>Silt</h3><div class=t>18:00</div></article>"
        + "<article class=post><h3>Marram</h3><div class=t>20:30</div></article>",
      // Names of sizes.
      "<h4>Sat 21 Nov</h4><div><p class='md:text-2xl text-gray-700'>Silt</p><b>18:00</b></div>"
        + "<div><p class='md:text-2xl text-gray-700'>Marram</p><b>20:30</b></div>",
      "<h4>Sat 21 Nov</h4><div><p class=MuiTypography-subtitle1>Silt</p><b>18:00</b></div>"
        + "<div><p class=MuiTypography-subtitle1>Marram</p><b>20:30</b></div>",
      // A screen in small letters.
      "<h4>Sat 21 Nov</h4><div><h3>Silt</h3><a href=/b/1>18.00<sub>Screen 1</sub></a></div>"
        + "<div><h3>Marram</h3><a href=/b/2>20.30<sub>Screen 2</sub></a></div>",
      "<h4>Sat 21 Nov</h4><div><p><a href=/f/1>Silt</a><span class=room>Small hall</span></p><i>18:00</i></div>"
        + "<div><p><a href=/f/2>Marram</a><span class=room>Small hall</span></p><i>20:30</i></div>",
      // How long a film is, and when it came out.
      "<h4>Sat 21 Nov</h4><div><h3>Silt</h3><p>By Ana Ruiz. Running time 1:45</p><b>18:00</b></div>"
        + "<div><h3>Marram</h3><p>By Jo Park. Running time 2:05</p><b>20:30</b></div>",
      // All that is shown stands beside the page's words.
      "<main><h1>Welcome</h1><p>An old house.</p></main><aside><h4>Sat 21 Nov</h4><ul>"
        + "<li><a href=/t/1>18:00 Silt</a></li><li><a href=/t/2>20:30 Marram</a></li></ul></aside>",
      // What is called hours are a film's.
      "<h4>Sat 21 Nov</h4><div><h3>Silt</h3><div class=hours-item><span class=showtimes-value>18:00</span></div></div>"
        + "<div><h3>Marram</h3><div class=hours-item><span class=showtimes-value>20:30</span></div></div>",
    ])
  func builders(page: String) throws {
    let found = try reading("<title>Moss Cinema</title>\(page)", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Marram"], "\(found.unread)")
  }

  @Test(
    "one film's page has one title, whatever else it names",
    arguments: [
      "<h1>Silt</h1><dl><dt>Director</dt><dd>Ana Ruiz</dd><dt>Running time</dt><dd>98 min</dd></dl>"
        + "<div><h2>Sat 21 Nov</h2><b>18:00</b></div><div><h2>Sun 22 Nov</h2><b>18:00</b></div>",
      "<h1>Silt</h1><section><h2>Times</h2><div><h4>Sat 21 Nov</h4><b>18:00</b></div><div><h4>Sun 22 Nov</h4><b>18:00</b>"
        + "</div></section><section><h2>Also showing</h2><h3><a href=/film/1>Marram</a></h3></section>",
      "<h1>Silt</h1><p>M | 1:58 | In cinemas 19 November 2026</p><div><h4>Sat 21 Nov</h4><b>18:00</b></div>"
        + "<div><h4>Sun 22 Nov</h4><b>18:00</b></div>",
    ])
  func oneFilm(page: String) throws {
    let found = try reading("<title>Silt - Moss Cinema</title>\(page)", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T18:00:00Z Silt", "2026-11-22T18:00:00Z Silt"], "\(found.unread)")
  }

  @Test("days in a line of their own are of the table right below, be they a list or a run")
  func standsOver() throws {
    for days in ["11월 21일(토)・22일(일)", "11/21(土)～11/22(日)"] {
      let found = try reading(
        "<title>Moss Cinema</title><p>\(days)</p><table><tr><td>Silt</td><td>18:00</td><td>20:30</td></tr>"
          + "<tr><td>Marram</td><td>19:00</td></tr></table>")
      #expect(found.screenings.count == 6, "\(days): \(found.lines)")
    }
  }

  @Test("a row with one time only is of the day above it")
  func rowsOfDays() throws {
    let found = try reading(
      "<title>Moss Kino</title><h3>Silt</h3><table><tr><th>Sa. 21.11.</th><th>So. 22.11.</th><th>Mo. 23.11.</th></tr>"
        + "<tr><td>18:00</td><td></td><td>20:30</td></tr><tr><td>22:30</td><td></td><td></td></tr></table>",
      zone: "Europe/Berlin")
    #expect(
      found.lines == [
        "2026-11-21T18:00:00+01:00 Silt", "2026-11-21T22:30:00+01:00 Silt", "2026-11-23T20:30:00+01:00 Silt",
      ])
  }

  @Test("two times with a dash and halves of the day are a start and an end, beside one that has no end")
  func endsBeside() throws {
    let found = try reading(
      "<title>Moss Cinema</title><div><h5>Silt</h5><h6>November 21, 2026, 7:00 P.M. - 9:30 P.M.</h6></div>"
        + "<div><h5>Marram</h5><h6>November 22, 2026, 7:00 P.M.</h6></div>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T19:00:00Z Silt", "2026-11-22T19:00:00Z Marram"])
  }

  @Test("one time in two writings, each with its end, is one screening")
  func writings() throws {
    let found = try reading(
      "<title>Moss Cinema</title><article><h1>Silt</h1><p><time datetime=2026-11-21>Saturday, November 21, 2026</time></p>"
        + "<p><span class=time-12hr><time datetime=2026-11-21>7:00 PM</time> – <time datetime=2026-11-21>9:00 PM</time>"
        + "</span><span class=time-24hr><time datetime=2026-11-21>19:00</time> – <time datetime=2026-11-21>21:00</time>"
        + "</span></p></article>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T19:00:00Z Silt"])
  }

  @Test("boxes of a weekday and a number are days, and the weekday says of which month")
  func boxes() throws {
    let found = try reading(
      "<title>Moss Cinema</title><div><div><b>SAT</b></div><div>21</div><p>18:00 <a href=/f/1>Silt</a></p></div>"
        + "<div><div><b>SUN</b></div><div>22</div><p>20:30 <a href=/f/2>Marram</a></p></div>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T18:00:00Z Silt", "2026-11-22T20:30:00Z Marram"], "\(found.unread)")
  }

  @Test("showings that are there to be chosen are read")
  func choices() throws {
    let found = try reading(
      "<title>Moss Cinema</title><div><h3>Silt</h3><select><option>Choose</option><option>Sat, Nov 21 6:00 PM</option>"
        + "<option>Sun, Nov 22 8:30 PM</option></select></div><div><h3>Marram</h3><select><option>Choose</option>"
        + "<option>Sat, Nov 21 8:30 PM</option></select></div>", zone: "Europe/London")
    #expect(
      found.lines == ["2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Marram", "2026-11-22T20:30:00Z Silt"],
      "\(found.unread)")
  }

  @Test("a weekday below a week is that week's, whatever is said of the showing")
  func weekdayOfWeek() throws {
    let found = try reading(
      "<title>Moss Kino</title><h2>Programm von Do 26.11. bis Mi 02.12.</h2><div><h3>Silt</h3><p>Do 18:00 Uhr</p>"
        + "<p>Mi 20:15 Uhr (OmU)</p></div><div><h3>Marram</h3><p>Fr, Sa 18:00 Uhr (OV)</p></div>", zone: "Europe/Berlin"
    )
    #expect(
      found.lines == [
        "2026-11-26T18:00:00+01:00 Silt", "2026-11-27T18:00:00+01:00 Marram", "2026-11-28T18:00:00+01:00 Marram",
        "2026-12-02T20:15:00+01:00 Silt",
      ], "\(found.unread)")
  }

  @Test(
    "days are read in the languages of the cinemas around",
    arguments: [
      "Hoje, 21 de novembro", "Ti 24.11.", "21 Kasım Cumartesi", "Σάββατο 21 Νοεμβρίου", "november 21. szombat",
      "sâmbătă, 21 noiembrie", "sobota 21. novembra",
      "lördag 21 november", "Lø 21/11", "lauantaina 21. marraskuuta", "今天 11月21日",
    ])
  func languages(day: String) throws {
    let found = try reading(
      "<title>Moss Cinema</title><h2>\(day)</h2><ul><li>18:00 Silt</li><li>20:30 Marram</li></ul>",
      zone: "Europe/Athens", at: "2026-11-21T09:00:00+02:00")
    #expect(found.screenings.map(\.title) == ["Silt", "Marram"], "\(found.lines)")
    let date = day.contains("24") ? "2026-11-24" : "2026-11-21"
    #expect(found.screenings.allSatisfy { $0.start.description.hasPrefix(date) }, "\(found.lines)")
  }

  @Test("today's name in another language is a day beside others, and a film's name elsewhere")
  func dayNames() throws {
    let days = try reading(
      "<title>Moss Kino</title><h2>I dag</h2><ul><li>18:00 Silt</li></ul><h2>I morgen</h2><ul><li>18:00 Marram</li></ul>"
        + "<h2>søndag 22. november</h2><ul><li>20:30 Silt</li></ul>", zone: "Europe/Oslo",
      at: "2026-11-20T12:00:00+01:00")
    #expect(
      days.lines == [
        "2026-11-20T18:00:00+01:00 Silt", "2026-11-21T18:00:00+01:00 Marram", "2026-11-22T20:30:00+01:00 Silt",
      ])
    let film = try reading(
      "<title>Moss Kino</title><h2>sobota 21 listopada</h2><ul><li>18:00 <b>Jutro</b></li><li>20:30 <b>Silt</b></li></ul>",
      zone: "Europe/Warsaw")
    #expect(film.screenings.map(\.title) == ["Jutro", "Silt"], "\(film.lines)")
  }

  @Test("what stands in brackets behind a time is said of the showing")
  func brackets() throws {
    func film(_ title: String, _ mark: String) -> String {
      "<div><h3>\(title)</h3><p>Sat 21 Nov – 18:00 (\(mark))</p><p>Sun 22 Nov – 20:30 (\(mark))</p></div>"
    }
    let found = try reading(
      "<title>Moss Cinema</title>" + film("Silt", "NAC") + film("Marram", "LEG"), zone: "Europe/London")
    #expect(
      found.lines.sorted() == [
        "2026-11-21T18:00:00Z Marram", "2026-11-21T18:00:00Z Silt", "2026-11-22T20:30:00Z Marram",
        "2026-11-22T20:30:00Z Silt",
      ])
  }

  @Test("of two days to choose from, the active one is that of the times below")
  func activeOfTwo() throws {
    let found = try reading(
      "<title>Moss Cinema</title><div class=days><span class=active>Today 20/11</span><span>Tomorrow 21/11</span></div>"
        + "<div><h3>Silt</h3><p>18:00</p></div><div><h3>Marram</h3><p>20:30</p></div>", zone: "Europe/London",
      at: "2026-11-20T09:00:00Z")
    #expect(found.lines == ["2026-11-20T18:00:00Z Silt", "2026-11-20T20:30:00Z Marram"])
  }

  @Test("a number below a week is the day of that week, whatever its month")
  func numbersBelowWeek() throws {
    let found = try reading(
      "<title>Moss Cinéma</title><table><caption>Semaine du 25 novembre au 1er décembre 2026</caption><tr><th rowspan=2>"
        + "Film</th><th>Mer</th><th>Lun</th><th>Mar</th></tr><tr><th>25</th><th>30</th><th>1</th></tr><tr><td>Silt</td>"
        + "<td>18h00<br>20h30 VO</td><td></td><td>20h30</td></tr><tr><td>Marram</td><td></td><td>14h30</td><td></td></tr>"
        + "</table>", zone: "Europe/Paris")
    #expect(
      found.lines == [
        "2026-11-25T18:00:00+01:00 Silt", "2026-11-25T20:30:00+01:00 Silt", "2026-11-30T14:30:00+01:00 Marram",
        "2026-12-01T20:30:00+01:00 Silt",
      ])
  }

  @Test("seconds since 1970 in an attribute are the day of the time that is printed")
  func epochAttribute() throws {
    let found = try reading(
      "<title>Moss</title><div class=item><a class=movielink href=/f/1>Silt</a><div><a href=/s/1 epoch=\"1795807800.0\">19:30 "
        + "<span>For members.</span></a></div></div><div class=item><a class=movielink href=/f/2>Marram</a><div>"
        + "<a href=/s/2 epoch=\"1795888800\">18:00</a></div></div>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-27T19:30:00Z Silt", "2026-11-28T18:00:00Z Marram"])
  }

  @Test(
    "what one film of a list leaves out is left out of no other",
    arguments: [
      "<dl><dt>波の音</dt><dd>10:00</dd><dt>霧の庭</dt><dd>13:00 ※11/30(月)休映</dd></dl>",
      "<div><h3>波の音</h3><p>10:00</p><h3>霧の庭</h3><p>13:00 ※11/30(月)休映</p></div>",
    ])
  func leftOutOfOne(list: String) throws {
    let found = try reading("<title>Moss</title><h2>11/29(日)〜12/1(火)</h2>\(list)", zone: "Asia/Tokyo")
    let told = found.screenings.map { "\($0.start.date.day) \($0.title)" }
    #expect(told == ["29 波の音", "29 霧の庭", "30 波の音", "1 波の音", "1 霧の庭"])
  }

  @Test("weekdays in a list are of the week that the other lines go around")
  func listedWeekdays() throws {
    let found = try reading(
      "<h1>Λάσπη</h1><p>Πέμ.-Τετ.: 18.00</p><p>Πέμ.-Τετ.: 16.00/ 19.15</p>"
        + "<p>Πέμ., Παρ., Δευτ.-Τετ.: 20.10/ 23.40, Σάβ., Κυρ. 20.20/ 23.50</p>", zone: "Europe/Athens",
      at: "2014-01-09T06:00:00Z")
    let late = found.screenings.map { "\($0.start.description.dropFirst(8).prefix(8))" }.filter { $0.contains("T20") }
    #expect(
      late == ["09T20:10", "10T20:10", "11T20:20", "12T20:20", "13T20:10", "14T20:10", "15T20:10"], "\(found.lines)")
  }

  @Test(
    "a first night that begins a minute after midnight begins with its own day; what is shown at half past is of the night"
  )
  func firstMinute() throws {
    let found = try reading(
      "<h3>Wednesday 30 December 2026</h3><h4>Silt</h4><p>00:01</p><p>15:00</p><h4>Bolt</h4><p>15:30</p><p>00:30</p>",
      zone: "Europe/London")
    #expect(
      found.lines == [
        "2026-12-30T00:01:00Z Silt", "2026-12-30T15:00:00Z Silt", "2026-12-30T15:30:00Z Bolt",
        "2026-12-31T00:30:00Z Bolt",
      ])
  }
}

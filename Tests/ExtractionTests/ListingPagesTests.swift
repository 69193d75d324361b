import Extraction
import Testing

/// Listings of a town and of a chain: whose days, whose titles and whose houses stand around a time.
@Suite struct ListingPagesTests {
  private func shows(
    _ text: String, zone: String = "Europe/London", at: String = "2026-11-20T09:00:00Z"
  ) throws -> [String] {
    try reading(text, zone: zone, at: at).screenings.map { "\($0.start) \($0.title) @ \($0.venue ?? "-")" }.sorted()
  }

  private func lines(
    _ text: String, zone: String = "Europe/London", at: String = "2026-11-20T09:00:00Z"
  ) throws
    -> [String]
  {
    try reading(text, zone: zone, at: at).lines
  }

  @Test(
    "houses of a guide are told by their links, whatever they are called, and the chosen day by what is left of its name"
  )
  func guide() throws {
    func row(_ number: Int, _ house: String, _ times: String) -> String {
      "<tr><td class=item><a href='/msk/cinema/\(number)/'>\(house)</a></td><td class=times><div>\(times)</div></td></tr>"
    }
    let found = try shows(
      "<title>Кино Мха</title><div><span id='ctl00_CenterPlaceHolder_lblTitle'>Выберите дату</span>"
        // The first letter is Latin.
        + "<select><option selected>cегодня, пт 20 ноября<option>сб, 21 ноября</select></div>"
        + "<div class=film><h3><a href='/movie/1/'>Ил</a></h3><table>"
        + row(1, "5 звезд (Мох)", "<span>10:20</span> <span>13:10</span>") + row(2, "Октябрь", "<span>14:00</span>")
        + "</table></div><div class=film><h3><a href='/movie/2/'>Торф</a></h3><table>"
        + row(1, "5 звезд (Мох)", "<span>20:00</span>") + "</table></div>", zone: "Europe/Moscow",
      at: "2026-11-20T09:00:00+03:00")
    #expect(
      found == [
        "2026-11-20T10:20:00+03:00 Ил @ 5 звезд (Мох)", "2026-11-20T13:10:00+03:00 Ил @ 5 звезд (Мох)",
        "2026-11-20T14:00:00+03:00 Ил @ Октябрь", "2026-11-20T20:00:00+03:00 Торф @ 5 звезд (Мох)",
      ])
  }

  @Test("the side of an article says its film, and the headings behind it are houses")
  func asides() throws {
    func film(_ title: String, _ houses: [(String, [String])]) -> String {
      let lists = houses.map { house, times in
        "<h3>\(house)</h3><ol><li><strong>IMAX</strong><ol>"
          + times.map { "<li><a class=action href='/b/\($0)'>\($0)</a></li>" }.joined() + "</ol></li></ol>"
      }
      return
        "<article class=movie-compare><aside class=hero><a href='/movies/x'><img alt='\(title)'></a><h2>\(title)</h2></aside>"
        + "<div class=dates>\(lists.joined())</div></article>"
    }
    let found = try shows(
      "<title>Showtimes | Larch Cinemas</title><h1>Showtimes</h1><p>Saturday 21 November 2026</p>"
        + film("Silt", [("Mall of Moss - North", ["10:45am", "1:50pm"]), ("City Centre Larch", ["7:55pm"])])
        + film("Peat", [("City Centre Larch", ["4:15pm"])]) + film("Knots", [("Mall of Moss - North", ["9:00pm"])]))
    #expect(
      found == [
        "2026-11-21T10:45:00Z Silt @ Mall of Moss - North", "2026-11-21T13:50:00Z Silt @ Mall of Moss - North",
        "2026-11-21T16:15:00Z Peat @ City Centre Larch", "2026-11-21T19:55:00Z Silt @ City Centre Larch",
        "2026-11-21T21:00:00Z Knots @ Mall of Moss - North",
      ])
  }

  @Test("an item's one heading is the title of its further times, without the format beside it; the room is told apart")
  func furtherTimes() throws {
    func item(_ title: String, _ time: String, _ more: [String]) -> String {
      "<div class=show-list-item><div class=right><div class=top><h1 class=eventName><a href=/e><span class=name-part>\(title)</span> "
        + "<span class=method-part>2D</span></a></h1><h4 class=showLocation>Moss Cinemas Vingis, 7 salė</h4></div>"
        + "<div class=middle><h2 class=showTime>\(time)</h2></div></div><div class=bottom><span>More shows:</span> "
        + more.map { "<a href=/w>\($0)</a>" }.joined(separator: " ") + "</div></div>"
    }
    let found = try shows(
      "<title>Moss Cinemas</title><div id=content><h3>Sat 21 Nov</h3><div class=filters><span class=classfilter-title>Age limit</span><button>V</button></div>"
        + "<div class=show-list>" + item("Silt", "11:05", ["13:40", "16:10"]) + item("Peat", "12:30", ["18:45"])
        + "</div></div>",
      zone: "Europe/Vilnius", at: "2026-11-20T09:00:00+02:00")
    #expect(
      found == [
        "2026-11-21T11:05:00+02:00 Silt @ Moss Cinemas Vingis", "2026-11-21T12:30:00+02:00 Peat @ Moss Cinemas Vingis",
        "2026-11-21T13:40:00+02:00 Silt @ Moss Cinemas Vingis", "2026-11-21T16:10:00+02:00 Silt @ Moss Cinemas Vingis",
        "2026-11-21T18:45:00+02:00 Peat @ Moss Cinemas Vingis",
      ])
  }

  @Test("a second title, a week's number and a pair of languages are no film's name")
  func noTitles() throws {
    func card(_ title: String, _ other: String, _ time: String) -> String {
      "<div class=card><time datetime='2026-11-21T\(time)'>\(time)</time><a href=/e><p class=card__title>\(title)</p></a>"
        + "<p class='card__secondary-title'>\(other)</p></div>"
    }
    #expect(
      try lines(
        "<title>Larch Cinema</title>" + card("Dumblis", "Silt", "11:30") + card("Durpe", "Peat", "12:00")
          + card("Smilga", "Marram", "14:20"), zone: "Europe/Riga", at: "2026-11-20T09:00:00+02:00")
        == ["2026-11-21T11:30:00+02:00 Dumblis", "2026-11-21T12:00:00+02:00 Durpe", "2026-11-21T14:20:00+02:00 Smilga"])
    #expect(
      try lines(
        "<title>Moss Cinemateket</title><p><strong>Uke 48</strong></p><p><strong>Torsdag 26.11.</strong><br>18.00 <a href=/s><strong>Silt</strong></a>"
          + " Ana Berg 1972<br>20.15 <a href=/m><strong>Marram</strong></a> Ida Holm 2001</p><p><strong>Uke 49</strong></p>"
          + "<p><strong>Onsdag 02.12.</strong><br>18.00 <a href=/p><strong>Peat</strong></a> Ana Berg 1980</p>",
        zone: "Europe/Oslo", at: "2026-11-20T09:00:00+01:00")
        == ["2026-11-26T18:00:00+01:00 Silt", "2026-11-26T20:15:00+01:00 Marram", "2026-12-02T18:00:00+01:00 Peat"])
    let version = try lines(
      "<title>Larch Cinema</title><h3>Sat 21 Nov</h3>"
        + [("Silt", "TH/EN", "12:30"), ("Peat", "EN/TH", "13:30"), ("Knots", "TH/--", "14:30")].map {
          "<div><p><span>\($0.1)</span> <a href=/f>\($0.0)</a></p><p>\($0.2)</p></div>"
        }.joined())
    #expect(
      version == ["2026-11-21T12:30:00Z Silt", "2026-11-21T13:30:00Z Peat", "2026-11-21T14:30:00Z Knots"])
  }

  @Test("of two days to choose from the active one is of the active panel, and the other of the other")
  func twoDays() throws {
    func film(_ title: String, _ panels: [String]) -> String {
      "<div class=show><h3>\(title)</h3><div class=show-date><span>When:</span><span class='date-item active'>Today Nov 20</span><span class='date-item'>Nov 21</span></div>"
        + panels.enumerated().map {
          "<div class='plist-container\($0.offset == 0 ? " active" : "")'><table><tr><td><span class=begin>\($0.element)</span></td><td>3D</td></tr></table></div>"
        }.joined() + "</div>"
    }
    #expect(
      try lines("<title>Moss Cinema</title>" + film("Silt", ["12:20", "10:20"]) + film("Peat", ["14:00", "15:00"])) == [
        "2026-11-20T12:20:00Z Silt", "2026-11-20T14:00:00Z Peat", "2026-11-21T10:20:00Z Silt",
        "2026-11-21T15:00:00Z Peat",
      ])
  }

  @Test("hidden showings of other days are told by the days that their classes are called after")
  func classDays() throws {
    func film(_ title: String, _ times: [(String, String)]) -> String {
      "<div class='filter-entry all Sat-21-Nov Sun-22-Nov'><div class=filter-film-title>\(title)</div><div class=times>"
        + times.enumerated().map {
          "<a class='purchase \($0.element.0)' href='/p/\(title)\($0.offset)'\($0.offset > 0 ? " style='display:none'" : "")><p>\($0.element.1)</p></a>"
        }.joined() + "</div></div>"
    }
    #expect(
      try lines(
        "<title>Moss Cinema</title>" + film("Silt", [("Sat-21-Nov", "13:30"), ("Sun-22-Nov", "16:00")])
          + film("Peat", [("Sat-21-Nov", "11:00"), ("Sun-22-Nov", "09:30")])) == [
          "2026-11-21T11:00:00Z Peat", "2026-11-21T13:30:00Z Silt", "2026-11-22T09:30:00Z Peat",
          "2026-11-22T16:00:00Z Silt",
        ])
  }

  @Test(
    "a month whose cells say their days twice is there to choose from, and the list of days before it says the chosen one"
  )
  func calendarOfMonth() throws {
    let picker = (20...26).map {
      "<a class=link href='?date=2026-11-\($0)'><div class='datepicker\($0 == 20 ? " datepicker-active" : "")'><span>11/\($0)</span></div></a>"
    }.joined()
    let weeks = (0..<5).map { week in
      "<tr>"
        + (1...7).map { day in
          let number = week * 7 + day
          guard number <= 30 else { return "<td></td>" }
          let link = number >= 20 ? "<a href='/now?date=2026-11-\(number)'>\(number)</a>" : "\(number)"
          return "<td id='cal-2026-11-\(number < 10 ? "0" : "")\(number)'><div class=month>\(link)</div></td>"
        }.joined() + "</tr>"
    }.joined()
    #expect(
      try lines(
        "<title>Now Playing | Moss Theater</title><form><div class=wrap>\(picker)</div></form><div><h3>November 2026</h3><table class=mini>"
          + "<thead><tr><th>Sun<th>Mon<th>Tue<th>Wed<th>Thu<th>Fri<th>Sat</tr></thead>\(weeks)</table></div>"
          + "<div class=film-card><h2><a href=/s>Silt</a></h2><a class=ticket href=/1><span>3:15pm</span></a> <a class=ticket href=/2><span>6:45pm</span></a></div>"
          + "<div class=film-card><h2><a href=/p>Peat</a></h2><a class=ticket href=/3><span>3:45pm</span></a></div>",
        zone: "America/New_York", at: "2026-11-20T09:00:00-05:00") == [
          "2026-11-20T15:15:00-05:00 Silt", "2026-11-20T15:45:00-05:00 Peat", "2026-11-20T18:45:00-05:00 Silt",
        ])
  }

  @Test("a run of days that begins a row is of each film in it")
  func rowsOfRuns() throws {
    let found = try lines(
      """
      <title>苔座</title><table><tr><th>上映日</th><th>1回目</th><th>2回目</th></tr>
      <tr><td>22（日）～24（火）</td><td>10:30-12:06<br><a href=a>泥の性典</a><br>（96分）</td><td>12:50-14:28<br><a href=b>冬の岸</a></td></tr>
      <tr><td>25（水）</td><td>10:30-12:06<br><a href=c>声の庭</a></td></tr></table>
      """, zone: "Asia/Tokyo", at: "2026-11-20T09:00:00+09:00")
    #expect(found.filter { $0.hasSuffix("泥の性典") } == (22...24).map { "2026-11-\($0)T10:30:00+09:00 泥の性典" })
    #expect(found.count == 7)
  }

  @Test("marks out of ten and ages are no days, and a day before a time with a colon may have a full stop")
  func numbers() throws {
    func film(_ title: String, _ mark: String, _ age: String, _ time: String) -> String {
      "<div class=film><div><span class=title>\(title)</span> <span>(2013)</span> <span>\(age)</span></div><div><a href=/i>\(mark)</a></div>"
        + "<div><b>Laugarásbíó</b> <a href=/t>\(time)</a></div></div>"
    }
    #expect(
      try lines(
        "<title>Myndir</title><h1>Föstudagur 20. nóvember</h1>" + film("Hestur", "7.2/10", "12 ára", "17:45")
          + film("Leir", "8.3/10", "14 ára", "20:00"), zone: "Atlantic/Reykjavik")
        == ["2026-11-20T17:45:00Z Hestur", "2026-11-20T20:00:00Z Leir"])
    #expect(
      try lines(
        "<title>Moss Bio</title>"
          + [("04.12", "19:00", "Silt"), ("05.12", "19:30", "Peat")].map {
            "<div class=b><div class=t>\($0.0) Kl. \($0.1)</div><h3>\($0.2)</h3></div>"
          }.joined(), zone: "Europe/Copenhagen")
        == ["2026-12-04T19:00:00+01:00 Silt", "2026-12-05T19:30:00+01:00 Peat"])
  }

  @Test("a part that begins with its times has its title behind them, and a remark on a slide is no showing")
  func timesFirst() throws {
    func showing(_ times: [String], _ title: String) -> String {
      "<div class=film-showing><div class=details>" + times.map { "<a name=s>\($0)</a><br>" }.joined()
        + "<span class=film-title>\(title)</span><br>by Ana Berg<br>1984, 91 min</div></div>"
    }
    let found = try lines(
      "<title>Moss Film Archives</title><div class=slider><div class=slide><a href=/k><h1>Knots</h1><p>Now playing. Q&amp;A Sat at 7:10pm!</p></a></div></div>"
        + "<div class=links><a href=/c.pdf>QUARTERLY PDF</a></div><h3>Tuesday, November 24</h3>"
        + showing([" 6:45 PM, ", " 9:00 PM"], "Silt") + showing(["7:30 PM"], "Peat")
        + "<h3>Wednesday, November 25</h3>" + showing(["6:45 PM, ", "9:00 PM"], "Silt"))
    #expect(
      found == [
        "2026-11-24T18:45:00Z Silt", "2026-11-24T19:30:00Z Peat", "2026-11-24T21:00:00Z Silt",
        "2026-11-25T18:45:00Z Silt", "2026-11-25T21:00:00Z Silt",
      ])
  }

  @Test(
    "of a heading with a long second line the first is the title; gift cards, a logo and a cancelled showing are none")
  func secondLines() throws {
    let talk =
      "<br>Sneak Preview Screening and Q&amp;A with Filmmaker Ana Berg and Star Ida Holm, co-presented by the Society of Moss"
    let found = try lines(
      "<title>Moss Forum</title><h1 class=site-logo>MOSS</h1><p>Nov 19, 12:09</p><p class=hidden><a href=/gift>Buy Gift Cards</a></p><h3>Sat 21 Nov</h3>"
        + "<ul><li><strong>Peat</strong> 18:00</li><li><strong>Knots</strong> 20:00</li><li><strong>Silt</strong> 21:45</li></ul>"
        + "<section><h5 class=title><a href=/e>Silt \(talk)</a></h5><div class=showtimes><p>Saturday, November 21<br>21:45</p></div></section>"
        + "<section><h5 class=title><a href=/f>Marram \(talk)</a></h5><div class=showtimes><p>Sunday, November 22<br>19:45</p></div></section>"
    )
    #expect(
      found == [
        "2026-11-21T18:00:00Z Peat", "2026-11-21T20:00:00Z Knots", "2026-11-21T21:45:00Z Silt",
        "2026-11-22T19:45:00Z Marram",
      ])
    let table = try lines(
      "<title>苔放映院</title><table><tr><th>日期</th><th>時間</th><th>片名</th><th>備註</th></tr>"
        + "<tr><td>11/21(六)</td><td>14:00</td><td><a href=/a>泥</a></td><td>因設備檢修取消放映</td></tr>"
        + "<tr><td>11/21(六)</td><td>19:00</td><td><a href=/b>冬</a></td><td>中場休息</td></tr></table>", zone: "Asia/Taipei",
      at: "2026-11-20T09:00:00+08:00")
    #expect(table == ["2026-11-21T19:00:00+08:00 冬"])
    let data = try reading(
      #"{"shows":[{"name":"Silt","starts_at":"2026-11-21T19:00:00Z","is_deleted":"false"},{"name":"Peat","starts_at":"2026-11-21T21:00:00Z","is_deleted":"true"}]}"#,
      zone: "Europe/London", at: "2026-11-20T09:00:00Z", type: "application/json")
    #expect(data.lines == ["2026-11-21T19:00:00Z Silt"])
  }
}

import Extraction
import Testing

/// Weeks in parts that are no tables, and houses by what stands around their names.
@Suite("Weeks in parts, and houses")
struct WeekPartsTests {
  private func page(
    _ body: String, title: String = "Moss Cinema", zone: String, url: String? = nil
  ) throws
    -> [String]
  {
    try reading(
      "<html><head><title>\(title)</title></head><body>\(body)</body></html>", zone: zone, at: "2026-11-20T09:00:00Z",
      url: url
    ).screenings.map { "\($0.start) \($0.title) | \($0.venue ?? "")" }
  }

  @Test("short weekdays of a week, each in a part over its times, are its days, also where one has none")
  func shortWeekdays() throws {
    let days = ["SEX": ["14:00", "20:30"], "SÁB": ["15:00"], "DOM": ["15:00", "18:00"], "SEG": [], "TER": ["20:30"]]
    let cells = ["SEX", "SÁB", "DOM", "SEG", "TER"].map { day in
      "<div class=cell><div class=day>\(day)</div><div class=times>"
        + days[day]!.map { "<div>\($0)</div>" }.joined() + "</div></div>"
    }.joined()
    let item = { (film: String) in
      "<div class=item><h3><a href=/\(film)>\(film)</a></h3><div class=row>\(cells)</div></div>"
    }
    let lines = try page(
      "<h4>Programação de 20 a 26 de novembro de 2026</h4>\(item("Silt"))", zone: "America/Sao_Paulo")
    #expect(
      lines.map { String($0.prefix(16)) } == [
        "2026-11-20T14:00", "2026-11-20T20:30", "2026-11-21T15:00", "2026-11-22T15:00", "2026-11-22T18:00",
        "2026-11-24T20:30",
      ], "\(lines)")
  }

  @Test("each row is a week of its own, however many days it has")
  func rowsOfWeekdays() throws {
    func item(_ film: String, _ days: [(String, [String])]) -> String {
      "<div class=item><h3><a href=/\(film)>\(film)</a></h3><div class=row>"
        + days.map { day, times in
          "<div class=cell><div class=day>\(day)</div><div class=times>"
            + times.map { "<div>\($0)</div>" }.joined() + "</div></div>"
        }.joined() + "</div></div>"
    }
    let times = ["14:00", "20:30"]
    let days = ["SEX", "SÁB", "DOM", "SEG", "TER"].map { ($0, times) }
    let lines = try page(
      "<h4>Programação de 20 a 26 de novembro de 2026</h4>\(item("Silt", days))\(item("Marram", days))",
      zone: "America/Sao_Paulo")
    #expect(
      lines.count == 20 && !lines.contains { $0.hasPrefix("2026-11-25") || $0.hasPrefix("2026-11-26") }, "\(lines)")
  }

  @Test("short words that only look like weekdays stay what they are where others stand among them")
  func otherWords() throws {
    let cells = ["FR", "EN", "NL", "DE", "IT", "ES"].map {
      "<div class=cell><div class=l>\($0)</div><div>14:00</div></div>"
    }
    let lines = try page(
      "<h2>Saturday 21 November</h2><div class=item><h3><a href=/s>Silt</a></h3><div class=row>\(cells.joined())</div></div>",
      zone: "Europe/London")
    #expect(lines.allSatisfy { $0.hasPrefix("2026-11-21T14:00") } && !lines.isEmpty, "\(lines)")
  }

  @Test("a row of nothing but days is over the last parts of the rows below, whatever these begin with")
  func gridBelowDays() throws {
    let days = (20...26).map { "<div class='col day'><span>\($0)/11</span></div>" }.joined()
    func row(_ version: String, _ times: [Int: [String]]) -> String {
      "<div class='row v'><div class='col-12 version'><span class=badge>\(version)</span></div>"
        + (20...26).map { day in
          "<div class='col times'>" + (times[day] ?? []).map { "<a href=/b/\(day)\($0)>\($0)</a>" }.joined() + "</div>"
        }.joined() + "</div>"
    }
    let lines = try page(
      "<h1>Silt</h1><h2>Horaires du 20 au 26 novembre</h2><div class=grid><div class='row days'>\(days)</div>"
        + row("VF", [20: ["13h45"], 22: ["13h45", "16h30"]]) + row("VOST", [24: ["19h15"]]) + "</div>",
      title: "Silt - Cinéma Moss", zone: "Europe/Paris")
    #expect(
      lines.map { String($0.prefix(16)) } == [
        "2026-11-20T13:45", "2026-11-22T13:45", "2026-11-22T16:30", "2026-11-24T19:15",
      ], "\(lines)")
  }

  @Test("of a guide's page the house is what its address ends with, behind words of a programme")
  func houseByAddress() throws {
    let shows = "<h2>Sat 21 November</h2><p>18:00 Silt</p><p>20:30 Marram</p>"
    let found = try page(
      "<h1>Cartelera Larch Proyecciones Madrid</h1>\(shows)", title: "Cartelera Larch Proyecciones Madrid Horarios",
      zone: "Europe/Madrid", url: "https://guide.example/cartelera/madrid/larch-proyecciones")
    #expect(found.count == 2 && found.allSatisfy { $0.hasSuffix("| Larch Proyecciones") }, "\(found)")
    // A film's page is called as its film, and no house.
    let film = try page(
      "<h1>River of Silt</h1><h2>Sat 21 November</h2><p>18:00</p><p>20:30</p>", title: "River of Silt",
      zone: "Europe/Madrid", url: "https://guide.example/films/river-of-silt")
    #expect(film.allSatisfy { !$0.hasSuffix("| River of Silt") }, "\(film)")
  }

  @Test("an address of dots alone is no name", arguments: ["https://guide.example/...", "https://guide.example/a/..-"])
  func dots(url: String) throws {
    #expect(
      try page("<h1>Cartelera Larch</h1><h2>Sat 21 November</h2><p>18:00 Silt</p>", zone: "Europe/Madrid", url: url)
        .count == 1)
  }

  @Test(
    "films that a house's site links to stay films",
    arguments: [
      "https://kino-moss.example/", "https://cinema.moss.example/", "/cinemas/larch/", "https://moss.example/",
    ])
  func linksOfFilms(site: String) throws {
    let films = ["Silt", "Marram", "Fen"].map {
      "<div><h3><a href=\(site)\($0.lowercased())>\($0)</a></h3><p>18:00</p><p>20:30</p></div>"
    }
    let lines = try page("<h2>Sat 21 November</h2>\(films.joined())", zone: "Europe/London")
    #expect(
      Set(lines.map { $0.dropFirst(21).prefix { $0 != " " } }) == ["Silt", "Marram", "Fen"] && lines.count == 6,
      "\(lines)")
  }

  @Test("how many screens a house has is not its name, and neither are its street and its telephone")
  func besideNames() throws {
    func item(_ name: String, _ about: String, _ times: String...) -> String {
      "<li class=theater-item><div class=cinema-title><a href=/cinemas/\(name.lowercased())>\(name)</a></div><div class=cinema-subtitle>\(about)</div><ul>"
        + times.map { "<li class=time>\($0)</li>" }.joined() + "</ul></li>"
    }
    let listed = try page(
      "<h1>Silt</h1><h2>Sat 21 November</h2><ul>"
        + item("Cineplex Forum", "Cineplex • 22 salles • Moss", "18:00", "20:30")
        + item("Cineplex Larch", "Cineplex • 17 salles • Larch", "19:00") + "</ul>", title: "Silt - Guide",
      zone: "Europe/London")
    #expect(
      Set(listed.map { $0.split(separator: "| ").last ?? "" }) == ["Cineplex Forum", "Cineplex Larch"], "\(listed)")
    func box(_ name: String, _ street: String, _ phone: String, _ time: String) -> String {
      "<div class=theater-box><h3><a href='/home/Showtime?ID=\(time)'>\(name)</a><span class=l>\(street)</span><span class=tel>\(phone)</span></h3><ul><li><h6>\(time)</h6></li></ul></div>"
    }
    let eastern = try page(
      "<h1>河岸</h1><p>11/21 (六)</p><div class=theater-list>"
        + box("苔原大戲院", "台北市苔原區河岸路88號", "(02) 5555-0134", "13:00")
        + box("落葉影城", "台北市落葉區森林路17號3樓", "(02) 5555-0199", "15:30") + "</div>", title: "河岸", zone: "Asia/Taipei")
    #expect(Set(eastern.map { $0.split(separator: "| ").last ?? "" }) == ["苔原大戲院", "落葉影城"], "\(eastern)")
  }

  @Test("where a house is found is not its name, by a class that begins with cinema")
  func addressClass() throws {
    func item(_ name: String, _ place: String, _ times: String...) -> String {
      "<div class=item><div class=cell><div class=showtimesCinema><a class=showtimesCinema_name href='/cinema/\(name.utf8.count)/'>\(name)</a>\n<span class=showtimesCinema_addr>\(place)</span></div></div><div class=cell>"
        + times.map { "<a class=session><span class=session_time>\($0)</span></a>" }.joined(separator: " ")
        + "</div></div>"
    }
    let larch = item("Вики Синема Маррам", "Москваул. Северная, 4А", "10:10", "15:20", "20:45")
    let fir = item("Пионер", "МоскваЮжный просп., 21", "13:00", "21:30")
    let elm = item("Вяз", "Москваул. Мельничная, 24", "12:30", "17:00")
    func houses(_ first: String, _ second: String) throws -> [String] {
      let lines = try page(
        "<h1>Силт: Совершенно новый день</h1><div class=date data-date=20261121><h2>21 ноября, суббота</h2>\(first)</div><div class=date data-date=20261122><h2>22 ноября, воскресенье</h2>\(second)</div>",
        title: "Силт — расписание", zone: "Europe/Moscow")
      return Set(lines.map { String($0.dropFirst(26)) }).sorted()
    }
    let film = "Силт: Совершенно новый день | "
    #expect(try houses(larch + fir, larch + fir) == ["\(film)Вики Синема Маррам", "\(film)Пионер"])
    #expect(
      try houses(larch + elm + fir, larch + fir)
        == ["\(film)Вики Синема Маррам", "\(film)Вяз", "\(film)Пионер"])
  }

  @Test("houses are known by links to their pages, also below the town that they are in")
  func housesInTowns() throws {
    func item(_ name: String, _ town: String, _ times: String...) -> String {
      "<div class=item><a href='/bioskop/di-\(town)/\(name.lowercased()).html'>\(name)</a><ul>"
        + times.map { "<li>\($0)</li>" }.joined() + "</ul></div>"
    }
    let lines = try page(
      "<h1>Silt</h1><p>21 November 2026</p>" + item("Sandbank", "larch", "18:00", "20:30")
        + item("Marram", "fir", "19:00"), title: "Silt - Guide", zone: "Asia/Jakarta")
    #expect(
      lines.map { $0.dropFirst(26) } == ["Silt | Sandbank", "Silt | Marram", "Silt | Sandbank"], "\(lines)")
  }

  @Test("a series behind a film's name is no house, a logo no film, and a \"filmzaal\" a room")
  func seriesBehindFilm() throws {
    let lines = try page(
      "<header class=mainHeader><a class=logo href='/nl'>Moss</a></header><h1>Silt | Expat Cinema</h1><div class=shows><div class=sub><div class=date>za 21 nov</div><ul><li><a href=/1><span class=start>14:30</span><span class=end> - 16:31</span> <span class=room>Filmzaal 2</span></a></li></ul></div><div class=sub><div class=date>di 24 nov</div><ul><li><a href=/2><span class=start>20:45</span><span class=end> - 22:46</span> <span class=room>Filmzaal 1</span></a></li></ul></div></div><h2>Zie ook</h2><ul><li><a href=/m><h2 class=title>Marram | Expat Cinema</h2><span>vanaf do 3 dec</span></a></li></ul>",
      title: "Silt | Expat Cinema - Moss", zone: "Europe/Amsterdam")
    #expect(
      lines == [
        "2026-11-21T14:30:00+01:00 Silt | Expat Cinema | ", "2026-11-24T20:45:00+01:00 Silt | Expat Cinema | ",
      ],
      "\(lines)")
  }

  @Test("where one gives money is no film's title, and a film's heading ends before what is told of it")
  func besideTitles() throws {
    let lines = try page(
      "<div class=social><a href=/support class=give>Donate</a></div><h6><a href=/films>Films</a></h6><h2>SILT<div class=subtitle>Starts Friday, November 20</div></h2><p>A young engineer.</p><div class=buy><h5>Buy Tickets</h5><p><b>Friday, November 20</b><br><a href=/1>1:00 pm</a> <a href=/2>4:30 pm</a></p><p><b>Saturday, November 21</b><br><a href=/3>7:30 pm</a></p></div>",
      title: "SILT – Moss Film Institute", zone: "Europe/London")
    #expect(lines.count == 3 && lines.allSatisfy { $0.contains(" SILT |") }, "\(lines)")
    let named = ["Silt. Duración: 112 min. Dirección: Ana Berg", "Marram. Dirección: Iris Vale"].map {
      "<div class=item><h3>\($0)</h3><p>18:00</p><p>20:30</p></div>"
    }
    let films = try page("<h2>Sat 21 November</h2>\(named.joined())", zone: "Europe/London")
    #expect(Set(films.map { $0.split(separator: " ")[1] }) == ["Silt", "Marram"], "\(films)")
  }
}

/// What further sites write of days, titles and houses.
@Suite("Series, translations, brackets and houses")
struct WrittenPartsTests {
  private func lines(_ body: String, title: String = "Moss Cinema", zone: String = "Europe/London") throws -> [String] {
    try reading(
      "<html><head><title>\(title)</title></head><body>\(body)</body></html>", zone: zone, at: "2026-11-20T09:00:00Z"
    ).screenings.map { "\("\($0.start)".prefix(16)) \($0.title) | \($0.venue ?? "") | \($0.screen ?? "")" }
  }

  @Test("every Thursday of a run is those days of it, and no weekday that disagrees")
  func everyThursday() throws {
    let found = try lines("<h2>Silt</h2><p>Every Thursday, 26 November – 17 December, 20:00</p>")
    #expect(
      found.map { String($0.prefix(16)) } == [
        "2026-11-26T20:00", "2026-12-03T20:00", "2026-12-10T20:00", "2026-12-17T20:00",
      ], "\(found)")
    // A weekday that the run neither begins nor ends with is one that disagrees.
    #expect(try lines("<h2>Silt</h2><p>Every Monday, 26 November – 17 December, 20:00</p>").isEmpty)
  }

  @Test("what a title means in another language stands behind it and is no part of it")
  func translation() throws {
    func film(_ title: String, _ other: String, _ time: String) -> String {
      "<li class=film><div class=txt><a class=title href=/f><strong>\(title)</strong> <em>\(other)</em></a><p>Latvia, 86 min</p><div class=times><a class=time href=/b>Saturday, 21.11. \(time)</a></div></div></li>"
    }
    let found = try lines(
      "<ul>\(film("The Silt Trail", "Dūņu taka", "18:30"))\(film("Marram", "Kāpukvieši", "20:45"))</ul>",
      zone: "Europe/Riga")
    #expect(
      found.map { $0.dropFirst(17) } == ["The Silt Trail | Moss Cinema | ", "Marram | Moss Cinema | "], "\(found)")
  }

  @Test("headings over streets are houses where the page is called after its one film, and titles where it is not")
  func housesOfFilm() throws {
    func box(_ name: String, _ street: String, _ times: String...) -> String {
      "<div class=entity><div class=details><h5>\(name)</h5><p class=x-address>\(street)</p><ul><li>Parking</li></ul></div><ul class=times>"
        + times.map { "<li><a href=/b>\($0)</a></li>" }.joined() + "</ul></div>"
    }
    let boxes =
      box("Moss OMR: Larch", "Old Mill Road, Larch", "10:30", "14:00") + box("Fir: Sandbank", "Hill Road, Fir", "18:00")
    let found = try lines(
      "<h1>Silt</h1><ul class=movie-info><li>Director: Ana Berg</li></ul><h2>Sat 21 November</h2>\(boxes)",
      title: "Silt Movie Tickets Online, Show Timings | Guide")
    #expect(
      found == [
        "2026-11-21T10:30 Silt | Moss OMR: Larch | ", "2026-11-21T14:00 Silt | Moss OMR: Larch | ",
        "2026-11-21T18:00 Silt | Fir: Sandbank | ",
      ], "\(found)")
    let events = try lines("<h1>This week</h1><h2>Sat 21 November</h2>\(boxes)", title: "This week | Guide")
    #expect(events.contains { $0.contains("T18:00 Fir: Sandbank |") }, "\(events)")
  }

  @Test("a film in brackets of its own is called so, whatever series it is of; a name with brackets is whole")
  func brackets() throws {
    let found = try lines(
      "<ul><li><a class=post href=/1><span>숲톡: &lt;서리꽃&gt; 11/28(토) 오후 7시 30분</span></a></li><li><a class=post href=/2><span>씨네모어: &lt;갯벌&gt; 11/29(일) 오후 2시</span></a></li></ul>",
      title: "초록극장", zone: "Asia/Seoul")
    #expect(found.map { $0.dropFirst(17).prefix { $0 != "|" } } == ["서리꽃 ", "갯벌 "], "\(found)")
  }

  @Test("posts of a feed that say when behind a label are showings; menus and timetables among them are none")
  func labelledPosts() throws {
    func item(_ title: String, _ text: String) -> String {
      "<item><title><![CDATA[\(title)]]></title><link>https://blog.example/\(title.count)</link><description><![CDATA[<div><img src=x></div>\(text)]]></description><pubDate>Tue, 17 Nov 2026 14:20:11 +0900</pubDate></item>"
    }
    let feed =
      "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>초록극장</title>"
      + item("[초록극장] <서리꽃> GV", "관객과의 대화가 진행됩니다. 일시: 26/11/21(토) 20:00 상영 후 참석: 박가람 감독")
      + item("[초록극장] 11월 3주차 상영시간표", "11월 19일(목)부터 25일(수)까지의 상영시간표입니다")
      + item("[북카페] 신메뉴 안내", "11월 신메뉴를 소개합니다. 매일 10:00 부터")
      + item("[초록극장] <갯벌> 씨네토크", "씨네토크에 초대합니다. 일시: 26/11/22(일) 14:30 상영 진행: 김누리 평론가")
      + item("[갤러리] 겨울 기획전 <물의 기억>", "12.1 - 1.19 열립니다") + "</channel></rss>"
    let found = try reading(feed, at: "2026-11-18T09:00:00+09:00", type: "application/rss+xml").lines
    #expect(found == ["2026-11-21T20:00:00+09:00 서리꽃", "2026-11-22T14:30:00+09:00 갯벌"], "\(found)")
  }

  @Test(
    "posts that begin with their hour stay showings beside one that has it behind a label, or a label that says nothing"
  )
  func begunPosts() throws {
    func feed(_ texts: [String]) -> String {
      "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Moss Cinema</title>"
        + texts.enumerated().map {
          "<item><title>Film \($0)</title><link>https://moss.example/\($0)</link><description>\($1)</description></item>"
        }.joined() + "</channel></rss>"
    }
    let begun = (21...24).map {
      "Sat \($0) November 2026, 18:00. A film.".replacing("Sat", with: ["Sat", "Sun", "Mon", "Tue"][$0 - 21])
    }
    func count(_ texts: [String]) throws -> Int {
      try reading(
        feed(texts), zone: "Europe/London", at: "2026-11-18T09:00:00Z", type: "application/rss+xml"
      ).screenings.count
    }
    #expect(try count(begun) == 4)
    #expect(try count(begun + ["A film. When: Wed 25 November 2026, 18:00 and 20:30"]) == 6)
    #expect(try count(begun.map { $0 + " When: see above, every week." }) == 4)
  }

  @Test("how Swiss houses say what is spoken is no title, and a programme's heading may say more than its day")
  func versionsAndHeadings() throws {
    func row(_ film: String, _ version: String, _ time: String) -> String {
      "<tr><td><a class=b href=/f>\(film)</a><br>GB 1964</td><td>Regie: Ana Berg</td><td>\(version)<br>12 J</td><td><table><tr><td>Sa,</td><td>21.11.2026</td><td>\(time)</td></tr></table></td></tr>"
    }
    let swiss = try lines(
      "<table>\(row("Silt", "E/d/f", "15:00"))\(row("Marram", "OV/d", "20:45"))\(row("Fen", "F/d", "18:15"))</table>",
      zone: "Europe/Zurich")
    #expect(swiss.map { $0.dropFirst(17).prefix { $0 != " " } } == ["Silt", "Fen", "Marram"], "\(swiss)")
    let day = try lines(
      "<h1>Programmazione di sabato 21 novembre 2026 – provincia di LARCH</h1><h3>Silt</h3><p>20:00</p><h3>Marram</h3><p>21:30</p>",
      zone: "Europe/Rome")
    #expect(day.map { $0.prefix(16) } == ["2026-11-21T20:00", "2026-11-21T21:30"], "\(day)")
  }

  @Test("a day and a clock that are displayed are a showing's; a day alone that is displayed is none")
  func displayed() throws {
    let shows = """
      [{"primaryTitle": "Silt", "releaseDate": "2026-11-12", "showTimes": [
        {"performanceId": 71, "locationVenueName": "Moss IMAX", "displayDate": "2026-11-21", "displayTime": "9:30 AM"},
        {"performanceId": 72, "locationVenueName": "Moss IMAX", "displayDate": "2026-11-21", "displayTime": "8:15 PM"}]}]
      """
    #expect(
      try reading(shows, zone: "Asia/Singapore", at: "2026-11-20T09:00:00+08:00", type: "application/json").lines == [
        "2026-11-21T09:30:00+08:00 Silt", "2026-11-21T20:15:00+08:00 Silt",
      ])
    let posts = #"[{"title": "Silt", "displayDate": "2026-11-21"}, {"title": "Marram", "displayDate": "2026-11-22"}]"#
    #expect(
      try reading(posts, zone: "Asia/Singapore", at: "2026-11-20T09:00:00+08:00", type: "application/json").lines
        .isEmpty)
  }

  @Test("a place and its hall in one text are both told")
  func houseAndHall() throws {
    func item(_ film: String, _ time: String, _ place: String) -> String {
      "<li class=item><div><span class=date>Sat 21.11.2026</span> <span class=time>\(time)</span> <span class=location>\(place)</span></div><div><span class=title>\(film)</span></div></li>"
    }
    let found = try lines(
      "<ul>\(item("Silt", "18:00", "Larch, Screen 1"))\(item("Marram", "20:30", "Sandbank, Screen 2"))</ul>",
      title: "Films")
    #expect(
      found.map { $0.dropFirst(17) } == ["Silt | Larch | Screen 1", "Marram | Sandbank | Screen 2"], "\(found)")
  }
}

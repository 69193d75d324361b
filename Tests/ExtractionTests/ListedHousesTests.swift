import Calendars
import Extraction
import Testing

/// Pages of one film that list where it is shown: the film is the title, and a house the venue.
@Suite("One film in several houses")
struct ListedHousesTests {
  static func house(_ name: String, _ street: String, _ times: String) -> String {
    "<div class=theater><div id=theater_\(street.utf8.count)><div class=name><a href='/t?id=\(name.utf8.count)'>\(name)"
      + "</a></div><div class=address>\(street)</div></div><div class=times>\(times)</div></div>"
  }

  @Test("the page's film is the title of times that stand under houses with their addresses")
  func addresses() throws {
    let page =
      "<title>Movie Showtimes</title><h1>Showtimes for Denby, VA</h1><div class=movie><div class=header>"
      + "<img alt=Silt src=s.jpg><h2>Silt</h2><div class=info>1hr 36min - Rated PG</div></div><h2>Showtimes</h2>"
      + "<p>Saturday 21 November 2026</p><div class=showtimes>"
      + Self.house("Moss Pictures Denby 13", "11940 Market Street, Denby", "11:45am&nbsp; 2:10&nbsp; 7:00&nbsp; 9:30pm")
      + Self.house("Larch Corner 16", "45 Larch Plaza, Oakham", "1:20&nbsp; 9:40pm")
      + Self.house("The Tarn", "7850 Tarn Center, Fell", "6:15pm") + "</div></div>"
    let found = try reading(page, zone: "America/New_York", at: "2026-11-21T09:00:00-05:00")
    #expect(Set(found.screenings.map(\.title)) == ["Silt"])
    #expect(found.screenings.count == 7)
    #expect(found.screenings.first { $0.venue == "The Tarn" }?.start.description == "2026-11-21T18:15:00-05:00")
    #expect(Set(found.screenings.compactMap(\.venue)).count == 3)
  }

  @Test("a house is none whose heading stands over films, however it is called")
  func filmsBelow() throws {
    let found = try reading(
      "<title>Metropol | Denby</title><h1>Metropol</h1>"
        + "<div class='cinema-film'><h3>Silt</h3><p>98 min</p><p>Sat 21 Nov <b>19:30</b></p></div>"
        + "<div class='cinema-film'><h3>The Sower</h3><p>104 min</p><p>Sun 22 Nov <b>14:00</b></p></div>",
      zone: "Europe/London")
    #expect(found.screenings.map(\.title) == ["Silt", "The Sower"])
    let guide = try reading(
      "<title>Films in Denby this week</title><h1>Films in Denby</h1>"
        + "<div class=cinema><h2>Moss Cinema</h2><p>12 High Street</p><ul><li><b>Silt</b> Sat 21 Nov 19:30</li>"
        + "<li><b>Low Tide</b> Sun 22 Nov 14:00</li></ul></div>"
        + "<div class=cinema><h2>Larch Cinema</h2><p>4 Mill Lane</p><ul><li><b>The Sower</b> Sat 21 Nov 20:00</li></ul>"
        + "</div>", zone: "Europe/London")
    #expect(guide.screenings.map(\.title) == ["Silt", "The Sower", "Low Tide"])
  }

  @Test("the name of a part of a film's page is no title", arguments: ["Sinopsis", "Sinopse", "Reparto", "あらすじ"])
  func parts(label: String) throws {
    let found = try reading(
      "<title>Moss Films</title><div><a href=/>Inicio</a> / <a>LODO</a></div><h3>LODO</h3><h4>Acción | Drama</h4>"
        + "<div class=info><h3>\(label)</h3><p>En un futuro cercano, un detective despierta.</p></div>"
        + "<ul><li class=active>sáb 21 nov</li><li>dom 22 nov</li></ul>"
        + "<div class=panel><h4><a id='cinema-2051'>Multicine Alerce</a></h4><h3>2D - DOB</h3>"
        + "<a>16:30</a> <a>19:00</a></div><div class=panel><h4><a id='cinema-2053'>Multicine Roble Plaza</a></h4>"
        + "<h3>2D - DOB</h3><a>17:20</a></div>", zone: "America/Bogota", at: "2026-11-21T08:00:00-05:00")
    #expect(Set(found.screenings.map(\.title)) == ["LODO"])
    #expect(found.screenings.map(\.venue) == ["Multicine Alerce", "Multicine Roble Plaza", "Multicine Alerce"])
  }

  @Test("houses under each film of a guide are venues, and what plays in two of them at once is two showings")
  func underFilms() throws {
    func film(_ title: String, _ houses: [(String, String)]) -> String {
      "<article><h2>\(title)</h2><p>2025, 98 mins</p>"
        + houses.map { "<h3>\($0.0)</h3><p><b>\($0.1.split(separator: " ").joined(separator: "</b> <b>"))</b></p>" }
        .joined()
        + "</article>"
    }
    func guide(_ names: [String]) throws -> [String] {
      try reading(
        "<title>Films in Denby today</title><h1>Films on Saturday 21 November 2026</h1>"
          + film("Silt", [(names[0], "13:10 20:00"), (names[1], "20:00")]) + film("Low Tide", [(names[0], "15:00")])
          + film("The Sower", [(names[1], "17:30"), (names[2], "11:00")]), zone: "Europe/London"
      ).screenings.map { "\($0.title) \($0.start.description.dropFirst(11).prefix(5)) \($0.venue ?? "-")" }
    }
    #expect(
      try guide(["Larchfield", "Moss Cinema", "The Tarn"]) == [
        "The Sower 11:00 The Tarn", "Silt 13:10 Larchfield", "Low Tide 15:00 Larchfield", "The Sower 17:30 Moss Cinema",
        "Silt 20:00 Larchfield", "Silt 20:00 Moss Cinema",
      ])
    // Nothing says that these are houses: they may be rooms, or parts of a day.
    #expect(try guide(["Larchfield", "Matinee", "Blue Room"]).allSatisfy { !$0.hasSuffix("Larchfield") })
  }

  @Test("many houses, and many parts around one, cost what each of them does")
  func many() throws {
    func steps(_ houses: Int, around: Int = 0) throws -> Int {
      let list = (0..<houses).map { Self.house("House \($0)", "\($0) High Street", "19:30") }.joined()
      let parts = String(repeating: "<div class=theater>", count: around)
      return try reading(
        "<title>Silt – Moss</title><h1>Silt</h1><p>Sat 21 Nov</p>" + parts + list, zone: "Europe/London"
      )
      .trace.steps
    }
    #expect(try steps(1_000) < steps(250) * 6)
    #expect(try steps(1, around: 2_000) < steps(1, around: 500) * 6)
  }
}

/// What tells the time of day, and the day, where the print beside it does not.
@Suite("Clocks and days of links and weeks")
struct LinkedClockTests {
  @Test("one time that says its half says that of the links before it")
  func half() throws {
    func links(_ times: [String]) -> String {
      times.map { "<a href='/b/\($0.utf8.count)'>\($0)</a>" }.joined(separator: "&nbsp; ")
    }
    let found = try reading(
      "<h2>Silt</h2><p>Sat 21 November</p><div>" + links(["12:40", "3:05", "5:30", "8:00", "10:25pm"]) + "</div>"
        + "<h2>Low Tide</h2><p>Sat 21 November</p><div>11:45am 2:10 9:30pm</div>"
        + "<h2>The Sower</h2><p>Sat 21 November</p><div>" + links(["10:15", "11:30pm"]) + "</div>",
      zone: "America/New_York", at: "2026-11-20T09:00:00-05:00")
    #expect(
      found.lines.map { String($0.dropFirst(11).prefix(5)) + String($0.dropFirst(25)) } == [
        "11:45 Low Tide", "12:40 Silt", "14:10 Low Tide", "15:05 Silt", "17:30 Silt", "20:00 Silt", "21:30 Low Tide",
        "22:15 The Sower", "22:25 Silt", "23:30 The Sower",
      ])
  }

  @Test("a link's clock of 24 hours tells which half a time of twelve is of")
  func linked() throws {
    let found = try reading(
      "<h2>Silt</h2><p>Sat 21 November</p><a href='/b?t=2026-11-21%2B15:05'>3:05</a> "
        + "<a href='/b?time=20%3A00'>8:00</a><h2>Low Tide</h2><p>Sat 21 November</p><p>13:00</p>",
      zone: "America/New_York",
      at: "2026-11-20T09:00:00-05:00")
    #expect(found.lines.filter { $0.hasSuffix("Silt") }.map { $0.dropFirst(11).prefix(5) }.contains("15:05"))
  }

  @Test("of days to choose from the one that leads nowhere is the page's")
  func unlinked() throws {
    let found = try reading(
      "<ul><li><b>Sat 21 Nov</b></li><li><a href='?d=1'>Sun 22 Nov</a></li><li><a href='?d=2'>Mon 23 Nov</a></li></ul>"
        + "<section><h2>Silt</h2><p>19:30</p></section><section><h2>Low Tide</h2><p>14:00</p></section>",
      zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T14:00:00Z Low Tide", "2026-11-21T19:30:00Z Silt"])
  }

  @Test("two days to press of which none is marked say nothing of what stands below")
  func pressed() throws {
    let found = try reading(
      "<ul><li role=tab>Sat 21 Nov</li><li role=tab>Sun 22 Nov</li></ul>"
        + "<section><h2>Silt</h2><p>19:30</p></section><section><h2>Low Tide</h2><p>14:00</p></section>",
      zone: "Europe/London")
    #expect(found.lines == [])
    #expect(!found.unread.isEmpty)
  }

  @Test("a month to choose from dates what stands below by its marked day alone")
  func calendar() throws {
    func month(_ marked: Int?) -> String {
      "<table>"
        + (0..<4).map { week in
          "<tr>"
            + (1...7).map { day in
              let number = week * 7 + day
              return "<td class='day\(number == marked ? " active" : "")'><a href='?d=\(number)'>\(number)</a></td>"
            }.joined() + "</tr>"
        }.joined() + "</table>"
    }
    let films =
      "<div class=card><h2>Silt</h2><span>19:30</span></div><div class=card><h2>Low Tide</h2><span>14:00</span></div>"
    let marked = try reading("<h3>November 2026</h3>" + month(21) + films, zone: "Europe/London")
    #expect(marked.lines == ["2026-11-21T14:00:00Z Low Tide", "2026-11-21T19:30:00Z Silt"])
    #expect(try reading("<h3>November 2026</h3>" + month(nil) + films, zone: "Europe/London").lines == [])
  }

  @Test("a week of a guide without dates is the one that is going on, with less confidence")
  func guide() throws {
    func cinema(_ name: String, _ hours: String) -> String {
      "<table><tr><td><h2 class=placename><a href='hall.aspx?id=\(name.utf8.count)'>\(name)</a></h2></td></tr>"
        + "<tr><td><p><b>\(name)σίων 6 (Μετρό)</b></p><p>2107773319</p></td></tr><tr><td><p>\(hours)</p></td></tr></table>"
    }
    let page =
      "<title>Λάσπη, που παίζεται η ταινία - Οδηγός</title><h1>Λάσπη</h1><h3>Πού παίζεται</h3><div>"
      + cinema("Γαλαξίας", "Πέμ.-Τετ.: 18.00/ 21.30") + cinema("Αελλώ", "Πέμ.-Τετ.: 20.00") + "</div>"
    let found = try reading(page, zone: "Europe/Athens", at: "2026-11-21T09:00:00+02:00")
    #expect(found.screenings.count == 21)
    #expect(Set(found.screenings.map(\.title)) == ["Λάσπη"])
    #expect(Set(found.screenings.map(\.start.date)).count == 7)
    #expect(found.screenings.first?.start.description == "2026-11-19T18:00:00+02:00")
    #expect(found.screenings.allSatisfy { $0.confidence < 0.6 })
    // Whatever else is dated by that week is as unsure.
    let more = page.replacing("20.00", with: "20.00</p><p>Σάββ.: 15.00")
    let all = try reading(more, zone: "Europe/Athens", at: "2026-11-21T09:00:00+02:00")
    #expect(all.screenings.count >= 21 && all.screenings.allSatisfy { $0.confidence < 0.6 }, "\(all.lines)")
    // From a Monday to a Sunday a house is open, and one line may be anything's.
    let open = page.replacing("Πέμ.-Τετ.", with: "Δευτ.-Κυρ.")
    #expect(try reading(open, zone: "Europe/Athens", at: "2026-11-21T09:00:00+02:00").lines == [])
  }

  @Test("tabs of weekdays, each with a class of its own, are the days of their panels")
  func tabs() throws {
    let days = ["thu", "fri", "sat"]
    let found = try reading(
      "<h4>Playing This Week</h4><ul>"
        + days.enumerated().map { "<li class=\($1)><a href='#tabs-\($0)'>\($1.uppercased())</a></li>" }.joined()
        + "</ul>"
        + days.indices.map {
          "<div id='tabs-\($0)'><p><b><a href='/f/\($0)'>Silt</a></b><br><span>7:45</span></p></div>"
        }
        .joined(), zone: "America/New_York", at: "2026-11-19T09:00:00-05:00")
    #expect(found.screenings.map(\.start.date.description) == ["2026-11-19", "2026-11-20", "2026-11-21"])
  }

  @Test("a panel whose id is a day, as that of the one beside it is another, is of that day")
  func panels() throws {
    let found = try reading(
      "<h2>Silt</h2><h4>Sat, Nov 21</h4><ul><li><a href='#' data-target=20261121>Sat, Nov 21</a></li>"
        + "<li><a href='#' data-target=20261122>Sun, Nov 22</a></li></ul>"
        + "<div id='showtime-20261121'><a>5:45 PM</a></div><div id='showtime-20261122'><a>6:00 PM</a></div>",
      zone: "America/New_York", at: "2026-11-20T09:00:00-05:00")
    #expect(found.lines == ["2026-11-21T17:45:00-05:00 Silt", "2026-11-22T18:00:00-05:00 Silt"])
  }

  @Test("tiles of a month, a weekday and a number are days, each by itself")
  func tiles() throws {
    func tile(_ name: String, _ weekday: String, _ day: Int) -> String {
      "<li\(name)><div class=day><a href='#'><span> 11월</span><em>\(weekday)</em><strong>\(day)</strong></a></div></li>"
    }
    let found = try reading(
      "<ul>" + tile("", "금", 20) + tile(" class=on", "토", 21) + tile("", "일", 22) + "</ul>"
        + "<div class=film><h3>서리꽃</h3><span>19:30</span></div><div class=film><h3>긴 밤</h3><span>14:00</span></div>")
    #expect(found.lines == ["2026-11-21T14:00:00+09:00 긴 밤", "2026-11-21T19:30:00+09:00 서리꽃"])
  }

  /// Under a film each house with a table of its own: its day, then its times.
  private func film(_ title: String, _ houses: (String, String)...) -> String {
    "<div class=film><h2>\(title)</h2>"
      + houses.map {
        "<h3>\($0.0)</h3><table><tr><th>21.11.2026</th></tr><tr>"
          + $0.1.split(separator: " ").map { "<td><a href=/b/\($0)>\($0)</a> <i>Salė 8</i></td>" }.joined()
          + "</tr></table>"
      }.joined() + "</div>"
  }

  private func told(_ body: String, title: String) throws -> [String] {
    try reading("<title>\(title)</title><h1>Repertoire</h1>\(body)", zone: "Europe/Vilnius").screenings.map {
      "\($0.start.description.dropFirst(11).prefix(5)) \($0.title) | \($0.venue ?? "-") | \($0.screen ?? "-")"
    }
  }

  @Test("a house over days of its own is that of their times, and a lone head is that of all columns")
  func overDays() throws {
    let found = try told(
      film("Silt", ("Kino Vingis", "19:00 21:00"), ("Larch Pictures", "20:00"))
        + film("Bolt", ("Kino Vingis", "18:00"), ("Larch Pictures", "20:30")), title: "Repertoire")
    #expect(
      found == [
        "18:00 Bolt | Kino Vingis | Salė 8", "19:00 Silt | Kino Vingis | Salė 8",
        "20:00 Silt | Larch Pictures | Salė 8",
        "20:30 Bolt | Larch Pictures | Salė 8", "21:00 Silt | Kino Vingis | Salė 8",
      ])
  }

  @Test("what begins with the page's house's name is a branch of it, and no film")
  func branches() throws {
    let found = try told(
      film("Silt", ("Larch Cinemas Vingis", "19:00"), ("Larch Cinemas Akropolis", "20:00")), title: "Larch Cinemas")
    #expect(
      found == ["19:00 Silt | Larch Cinemas Vingis | Salė 8", "20:00 Silt | Larch Cinemas Akropolis | Salė 8"])
  }

  @Test(
    "words of doing in a page's title name no house",
    arguments: ["Buy cinema tickets for Silt | Larch IMAX", "Cinema horários | Larch IMAX"])
  func doing(title: String) throws {
    let found = try reading(
      "<title>\(title)</title><h1>Silt</h1><p>Saturday 21 November 2026 19:00 <a href=/b/1>Buy</a></p>"
        + "<p>Sunday 22 November 2026 20:00 <a href=/b/2>Buy</a></p>", zone: "Europe/London")
    #expect(found.screenings.map(\.venue) == ["Larch IMAX", "Larch IMAX"])
  }
}

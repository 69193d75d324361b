import Extraction
import Testing

/// Which of the texts around a time is its title, where something else looks like one.
@Suite("Doubts about titles")
struct TitleDoubtTests {
  private func read(_ html: String) throws -> [String] {
    try reading(html, zone: "Europe/Berlin", at: "2026-01-31T12:00:00Z", url: "https://moss.example/p").lines
  }

  @Test(
    "a class that says whose name it is names no film",
    arguments: [
      "<h3>Silt</h3><p class=director-name>Ana Berg</p>",
      "<h3><a href=/f>Silt</a></h3><p class=original-title>The Silt</p>",
      "<div class=cycle-name><a href=/c>The art of mud</a></div><h3><a href=/f>Silt</a></h3>",
      "<h4>Silt</h4><h4>Drama, Biografie</h4>", "<h4>Silt</h4><h4>komedia</h4>",
    ])
  func classes(card: String) throws {
    let other = card.replacing("Silt", with: "Marram").replacing("Ana Berg", with: "Bo Reed")
    #expect(
      try read("<h2>1. Februar 2026</h2><div>\(card)<span>20:00</span></div><div>\(other)<span>21:00</span></div>")
        == ["2026-02-01T20:00:00+01:00 Silt", "2026-02-01T21:00:00+01:00 Marram"])
  }

  @Test(
    "a class that says what of a house it is names no house",
    arguments: [
      "cinema__director", "cinema__movie-duration", "theater-genre", "room-type", "kino-regie", "location-note",
    ])
  func houses(name: String) throws {
    let page =
      "<h2>1. Februar 2026</h2><div><h3>Silt</h3><div class=\(name)>Ana Berg</div><span>20:00</span></div>"
      + "<div><h3>Marram</h3><div class=\(name)>Bo Reed</div><span>21:00</span></div>"
    let found = try reading(page, zone: "Europe/Berlin", at: "2026-01-31T12:00:00Z")
    #expect(found.screenings.map(\.title) == ["Silt", "Marram"])
    #expect(found.screenings.allSatisfy { $0.venue == nil && $0.screen == nil }, "\(found.screenings)")
    let named = try reading(
      page.replacing("class=\(name)", with: "class=cinema__name").replacing("Bo Reed", with: "Moss Hall"),
      zone: "Europe/Berlin", at: "2026-01-31T12:00:00Z")
    #expect(named.screenings.map(\.venue) == ["Ana Berg", "Moss Hall"])
  }

  @Test(
    "what stands on a button, or at the head of a column, is no title",
    arguments: [
      "Buchen", "Wybierz", "Auswählen", "Choisir", "Köp", "In den Warenkorb", "Prenota ora", "Osta pilet", "選択",
      "Réservez",
    ])
  func buttons(word: String) throws {
    let lines = try read(
      "<div>20.02.2026</div><a href=/f>Silt</a><table><tr><th>Zeit</th><th>Plätze</th><th></th></tr>"
        + "<tr><td>15:00</td><td>27</td><td><a href=/k?1>\(word)</a></td></tr></table>")
    #expect(lines == ["2026-02-20T15:00:00+01:00 Silt"])
    let film = try read("<div>20.02.2026</div><h3>Ticket to Marram</h3><p>15:00</p><a href=/k>\(word)</a>")
    #expect(film == ["2026-02-20T15:00:00+01:00 Ticket to Marram"])
  }

  @Test("what heads a section over days is no title where each time has a link of its own")
  func sections() throws {
    func event(_ day: String, _ name: String, _ rest: String = "") -> String {
      "<div>\(day).02.2026</div><a href='#\(day)'><span>\(name)</span>\(rest)</a><table><tr><td>15:00</td></tr></table>"
    }
    let rest = " - zobacz wolne miejsca"
    #expect(
      try read(
        "<h3>Spektakle</h3>" + event("20", "Wielki Silt", rest) + event("21", "Marram i ja", rest) + "<h3>Koncerty</h3>"
          + event("22", "Lampa nad morzem", rest))
        == [
          "2026-02-20T15:00:00+01:00 Wielki Silt", "2026-02-21T15:00:00+01:00 Marram i ja",
          "2026-02-22T15:00:00+01:00 Lampa nad morzem",
        ])
    #expect(try read("<h2>Spielfilme</h2>" + event("20", "Silt")) == ["2026-02-20T15:00:00+01:00 Silt"])
    #expect(
      try read(
        "<a href=/g/drama>Drama</a><a href=/g/comedy>Comedy nights</a><h3>1 February 2026</h3>"
          + "<a href=/f/1><div>19:30</div><div>Silt</div></a><a href=/f/2><div>20:30</div><div>Marram</div></a>")
        == ["2026-02-01T19:30:00+01:00 Silt", "2026-02-01T20:30:00+01:00 Marram"])
    // A film over its house is one all the same.
    #expect(
      try read(
        "<title>Silt – Moss Guide</title><h1>Silt</h1><p>1 February 2026</p><a href=/h/1>The Harbour</a><p>19:30</p>")
        == ["2026-02-01T19:30:00+01:00 Silt"])
    #expect(
      try read(
        "<h2><a href=/f>Silt</a></h2><p>Tuesday 3 February 2026</p><p>The screening is at 8:30pm at the "
          + "<a href='https://www.google.com/maps/x'>Harbour Hall</a></p>") == ["2026-02-03T20:30:00+01:00 Silt"])
  }

  @Test(
    "behind a line that ends in a colon stands the title, whatever heads it",
    arguments: [
      "<em>Silt</em> (Ana Berg)", "<strong>Silt</strong>, Ana Berg", "<a href=/f>Silt</a>",
    ])
  func lines(title: String) throws {
    let other = title.replacing("Silt", with: "Marram")
    #expect(
      try read(
        "<h3>Filmclub</h3><p>Do, 5. Februar, 20:00 Uhr: \(title)</p><h3>Montagskino</h3><p>Mo, 9. Februar, 20:00 Uhr: \(other)</p>"
      )
        == ["2026-02-05T20:00:00+01:00 Silt", "2026-02-09T20:00:00+01:00 Marram"])
  }

  @Test("a card keeps its own title where one without a time stands before it, and a title may be a label elsewhere")
  func cards() throws {
    func card(_ number: Int, _ when: String, _ title: String) -> String {
      "<a href=/e/\(number)><div class=dates>\(when)</div><div class=title>\(title)</div></a>"
    }
    #expect(
      try read(
        card(1, "03/02/2026 - 12/03/2026", "Posters") + card(2, "07/02/2026 - 14:30", "Silt")
          + card(3, "08/02/2026 - 16:00", "Kinderkino"))
        == ["2026-02-07T14:30:00+01:00 Silt", "2026-02-08T16:00:00+01:00 Kinderkino"])
  }

  @Test("rooms with a stroke, in brackets, with a house's letters; a bracket that the page closes elsewhere")
  func rooms() throws {
    let rooms = try reading(
      "<h1>Silt</h1><a href='/b?1'>Miércoles 4 de Febrero<br>SALA 1 CNA | <b>13:40 H</b></a>"
        + "<a href='/b?2'>Jueves 5 de Febrero<br>SALA 8 CNCH | <b>14:30 H</b></a>",
      zone: "America/Mexico_City", at: "2026-01-31T12:00:00Z")
    #expect(rooms.lines == ["2026-02-04T13:40:00-06:00 Silt", "2026-02-05T14:30:00-06:00 Silt"])
    #expect(rooms.screenings.map(\.screen) == ["SALA 1 CNA", "SALA 8 CNCH"])
    #expect(
      try read("<p>Do, 5. Februar, 20:00 Uhr: <em>SILT (LE LIMON</em>)</p>") == [
        "2026-02-05T20:00:00+01:00 SILT (LE LIMON)"
      ])
  }

  @Test("a list of lines, a calendar that names its films on either side of the times, a club with one hour for all")
  func programmes() throws {
    #expect(
      try read(
        "<h1>Our films</h1><ul><li>Thu 5 Feb 7.30pm | Silt (12A)</li><li>Fri 6 Feb 8pm | Marram + Q&amp;A</li>"
          + "<li>Sat 7 Feb 2pm &amp; 8pm | Lamp</li></ul>")
        == [
          "2026-02-05T19:30:00+01:00 Silt (12A)", "2026-02-06T20:00:00+01:00 Marram + Q&A",
          "2026-02-07T14:00:00+01:00 Lamp", "2026-02-07T20:00:00+01:00 Lamp",
        ])
    #expect(
      try read(
        "<table><caption>February 2026</caption><tr><td>3<div><a href=/f/1>Silt</a> <span>7:30pm</span></div></td>"
          + "<td>5<div><span>2pm</span> <a href=/f/2>Marram</a></div><div><span>8pm</span> <a href=/f/1>Silt</a></div></td></tr></table>"
      )
        == [
          "2026-02-03T19:30:00+01:00 Silt", "2026-02-05T14:00:00+01:00 Marram", "2026-02-05T20:00:00+01:00 Silt",
        ])
    #expect(
      try read(
        "<title>Moss Film Society</title><h1>Spring season 2026</h1><p><b>Thursday 5th February</b> - <i>Silt</i> (Ana Berg, 2025)"
          + "<br>A sergeant.</p><p><b>Thursday 19th February</b> - <i>Marram</i> (Bo Reed, 2025)</p>"
          + "<p>All films start at 7.30pm in Moss Village Hall. Doors open 7pm.</p>")
        == ["2026-02-05T19:30:00+01:00 Silt", "2026-02-19T19:30:00+01:00 Marram"])
  }

  @Test(
    "pauses of a programme are no films, and neither are a version, a sentence or what stands raised beside a title")
  func others() throws {
    #expect(
      try read(
        "<h2>Donnerstag, 12. Februar 2026</h2><table><tr><td>10.00</td><td>Begrüßung</td></tr><tr><td>10.35</td><td>Silt</td></tr>"
          + "<tr><td>12.25</td><td>Mittagspause</td></tr><tr><td>13.45</td><td>Marram</td></tr></table>")
        == ["2026-02-12T10:35:00+01:00 Silt", "2026-02-12T13:45:00+01:00 Marram"])
    #expect(
      try read(
        "<span>Silt</span><span>12 February 2026</span><table><tr><td>10:00</td><td>英语 3D</td><td>1号厅</td></tr></table>"
      )
        == ["2026-02-12T10:00:00+01:00 Silt"])
    #expect(
      try read(
        "<h2>Silt<sup> 2D</sup><sup> dubbing</sup></h2><p>12 February 2026 15:30</p><h2>Marram</h2><p>13 February 2026 15:00</p>"
      )
        == ["2026-02-12T15:30:00+01:00 Silt", "2026-02-13T15:00:00+01:00 Marram"])
    #expect(
      try read("<h1>Silt on Sunday 1 March at 7pm</h1><p>A film of 1995</p><h2>How to find us</h2><p>By bus</p>")
        == ["2026-03-01T19:00:00+01:00 Silt"])
    #expect(
      try read(
        "<header><h1>Silt</h1><h2>Friday 27 February 2026</h2><h2>Film Starts: 8:00pm</h2></header><main></main>")
        == ["2026-02-27T20:00:00+01:00 Silt"])
  }

  @Test(
    "a day's number, its month and its weekday are one date, though each stands alone",
    arguments: [
      ("12.2.", "Donnerstag", "18.2.", "Mittwoch"), ("12 February", "Thursday", "18 February", "Wednesday"),
      ("12</div><div>February", "Thursday", "18</div><div>February 2026", "Wednesday"),
      ("12</div><div>lutego 2026", "czwartek", "18</div><div>lutego 2026", "środa"),
    ])
  func boxes(first: String, firstDay: String, second: String, secondDay: String) throws {
    func card(_ date: String, _ weekday: String, _ title: String) -> String {
      "<div><div>\(date)</div><div>\(weekday)</div><div>16:00</div><h2>\(title)</h2><a href=/t/\(title)>Tickets</a></div>"
    }
    let wanted = ["2026-02-12T16:00:00+01:00 Silt", "2026-02-18T16:00:00+01:00 Marram"]
    #expect(try read(card(first, firstDay, "Silt") + card(second, secondDay, "Marram")) == wanted)
    // The weekday may stand with the time.
    #expect(
      try read(
        (card(first, firstDay, "Silt") + card(second, secondDay, "Marram"))
          .replacing("</div><div>16:00", with: ", 16:00")) == wanted)
  }

  @Test("each time of a line that ends with a day is of the day behind it")
  func timesBeforeDays() throws {
    #expect(
      try read(
        "<h2>Silt</h2><p><a href=/a>20:00</a> Fr 6.2. | <a href=/b>17:00</a> Sa 7.2. | <a href=/c>15:00</a> So 8.2.</p>"
      )
        == ["2026-02-06T20:00:00+01:00 Silt", "2026-02-07T17:00:00+01:00 Silt", "2026-02-08T15:00:00+01:00 Silt"])
    #expect(
      try read("<h2>Silt</h2><p>Fr 6.2. <a href=/a>20:00</a> | Sa 7.2. <a href=/b>17:00</a></p>")
        == ["2026-02-06T20:00:00+01:00 Silt", "2026-02-07T17:00:00+01:00 Silt"])
  }

  @Test("a day in a part's id, and in an attribute of its own kind; what one row leaves out closes no other")
  func parts() throws {
    #expect(
      try read(
        "<div id=den_2026-02-05><table><tr><td class=name><a href=/f>Silt</a></td><td><a href=/b>19:00</a></td></tr></table></div>"
      )
        == ["2026-02-05T19:00:00+01:00 Silt"])
    #expect(
      try read(
        "<div><a href=/m/1>Silt</a><table><tr><td play-de=20260205><a href=/t><p>18:20</p></a></td></tr></table></div>")
        == ["2026-02-05T18:20:00+01:00 Silt"])
    let rows = try reading(
      "<h3>2月10日(火)〜2月12日(木)</h3><table><tr><th>10:00</th><td>霧の庭</td></tr>"
        + "<tr><th>18:30</th><td>砂の城<b>＊10(火)〜11(水)休映</b></td></tr></table>",
      zone: "Asia/Tokyo", at: "2026-02-01T00:00:00Z")
    #expect(rows.screenings.count { $0.title == "霧の庭" } == 3 && rows.screenings.count { $0.title == "砂の城" } == 1)
  }

  @Test(
    "two films that are shown all week have pages of their own, and the heading that the page begins with is theirs alone"
  )
  func fewFilmsAllWeek() throws {
    func page(_ first: String, _ second: String) throws -> Set<String> {
      let days = ["Fri 27 November", "Sat 28 November", "Sun 29 November"].map { day in
        "<h2>\(day)</h2><ul><li>\(first) <span>17:15</span></li><li>\(second) <span>19:30</span></li></ul>"
      }
      let found = try reading(
        "<title>Zorblax</title><h1>Zorblax</h1>" + days.joined(), zone: "Europe/London", at: "2026-11-26T09:00:00Z")
      #expect(found.screenings.count == 6)
      return Set(found.screenings.map(\.title))
    }
    #expect(try page("<a href=/f/1>Silt</a>", "<a href=/f/2>Low Tide</a>") == ["Silt", "Low Tide"])
    // Of a film's page the houses have pages, too.
    #expect(try page("<a href=/cinema/1>Larch</a>", "<a href=/cinema/2>Marram</a>") == ["Zorblax"])
  }
}

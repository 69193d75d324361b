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
}

import Extraction
import Testing

/// What lines of a programme say beside a title and a time, on the smallest page that shows it.
@Suite("Lines of a programme")
struct ProgrammeLineTests {
  @Test("how long a film is, behind its title in one line, is no part of the title")
  func length() throws {
    let found = try reading(
      "<title>Moss Cinema</title><pre>SAT 21 NOV  14.00  The Owl (U) 96m\n            17.15  Silt (PL 2025, 98 min)\n"
        + "            20.00  Marram, Japan 2025, 97 min\n</pre>", zone: "Europe/London")
    #expect(found.screenings.map(\.title) == ["The Owl (U)", "Silt", "Marram"], "\(found.lines)")
  }

  @Test("films of a day in one line are told one by one")
  func severalFilms() throws {
    let found = try reading(
      "<title>シネマ小路</title><h2>特集：女たちの35mm</h2><p>11月21日(土)　10:30『赤い橋』　13:00『朝の船』</p>", zone: "Asia/Tokyo")
    #expect(found.lines == ["2026-11-21T10:30:00+09:00 『赤い橋』", "2026-11-21T13:00:00+09:00 『朝の船』"])
  }

  @Test("what stands behind an arrow is the end")
  func arrow() throws {
    let found = try reading(
      "<title>Cinéma du Rhône</title><h4>Le Pont</h4><p>samedi 21 novembre 2026, 19h00 &rarr; 20h40</p>",
      zone: "Europe/Paris")
    #expect(found.lines == ["2026-11-21T19:00:00+01:00 Le Pont"])
  }

  @Test("midnight in a title is no time")
  func midnight() throws {
    let found = try reading(
      "<title>Moss Cinema</title><p>Saturday 21 November 2026, 9:30pm</p><h3>Midnight at the Motel Pines</h3>",
      zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T21:30:00Z Midnight at the Motel Pines"])
  }

  @Test("who is let in is no day")
  func certificate() throws {
    let found = try reading(
      "<title>Moss Cinema</title><table><tr><th>Film</th><th>Sat 21</th></tr><tr><td><b>Salt (MA15+)</b></td><td>8.30pm</td></tr>"
        + "<tr><td><b>Silt (G)</b></td><td>10.30am</td></tr></table>", zone: "Australia/Hobart")
    #expect(
      found.lines == ["2026-11-21T10:30:00+11:00 Silt (G)", "2026-11-21T20:30:00+11:00 Salt (MA15+)"])
  }

  @Test("a number below the word for a room is no day, and the week of the page stays")
  func rooms() throws {
    let found = try reading(
      "<title>Cines Ribera</title><h1>Cartelera del 20 al 21 de noviembre</h1><table><tr><th>Película</th><th>Sala</th>"
        + "<th>Pases</th></tr><tr><td>Topos</td><td>1</td><td>16:15</td></tr></table><p>Miércoles 5,50 €</p>",
      zone: "Europe/Madrid")
    #expect(found.lines == ["2026-11-20T16:15:00+01:00 Topos", "2026-11-21T16:15:00+01:00 Topos"])
    #expect(found.screenings.first?.screen == "1")
  }

  @Test("a time over several films is the time of each")
  func overSeveral() throws {
    func film(_ name: String, _ venue: String) -> String {
      "<div><span class=event><a class=name href=/e>\(name)<span class=vs>\(venue)</span></a></span></div>"
    }
    let found = try reading(
      "<title>Mesa Docs</title><h2>Saturday, November 21</h2><h3>10:30am</h3>\(film("High Desert", "Egyptian"))"
        + "\(film("Water Rights", "Annex"))<h3>1:15pm</h3>\(film("The Dry Year", "Egyptian"))", zone: "America/Denver")
    #expect(
      found.lines == [
        "2026-11-21T10:30:00-07:00 High Desert", "2026-11-21T10:30:00-07:00 Water Rights",
        "2026-11-21T13:15:00-07:00 The Dry Year",
      ])
  }

  @Test("in a row of weekdays and days, Mar 9 is a Tuesday and not of March")
  func tuesday() throws {
    let found = try reading(
      "<title>Cinéma L'Étoile</title><h2>Semaine du 3 au 9 février 2027</h2><table><tr><th>Films</th><th>Lun 8</th>"
        + "<th>Mar 9</th></tr><tr><td><b>Silt</b> <i>VF dès 3 ans</i></td><td>20h45</td><td>18h00</td></tr></table>",
      zone: "Europe/Paris", at: "2027-02-02T10:00:00+01:00")
    #expect(found.lines == ["2027-02-08T20:45:00+01:00 Silt", "2027-02-09T18:00:00+01:00 Silt"])
  }

  @Test(
    "comments, shifts and what is over are no screenings",
    arguments: [
      "<h3>3 comments</h3><div><b>Rita</b> <span>19 Nov 2026 at 17:20</span></div><div><b>Jo</b> <span>19 Nov 2026 at 20:05</span></div>",
      "<h3>Counter staff</h3><p>Shifts: Fri 17:00–23:00, Sat 14:00–20:00, Sun 14:00–22:00</p>",
      "<h3>Silt</h3><p>Thursday 19 November 2026, 18:30</p>",
    ])
  func remarks(text: String) throws {
    let found = try reading("<title>Moss Cinema</title>" + text, zone: "Europe/London", at: "2026-11-20T12:00:00Z")
    #expect(found.screenings.isEmpty, "\(found.lines)")
  }

  @Test("a heading of months names no film")
  func months() throws {
    let found = try reading(
      "<title>Kalender | Werkstattkino</title><h1>November / Dezember 2026</h1><div><div>Sa 21.11. 19h</div>"
        + "<div><b>Hafenlicht</b> (Per Lund, DK 1966, 81 min)</div></div><div><div>So 22.11. 21h</div>"
        + "<div><b>Silt</b> (Anna Wolff, D 2025, 94 min)</div></div>", zone: "Europe/Berlin")
    #expect(found.screenings.map(\.title) == ["Hafenlicht", "Silt"], "\(found.lines)")
  }

  @Test("the heading of a part that is called a cinema is the venue, not the film")
  func cinemas() throws {
    func kino(_ name: String, _ time: String) -> String {
      "<div class=kino><h4>\(name)</h4><ul><li>Sa 21.11. <a href=/t>\(time)</a></li></ul></div>"
    }
    let found = try reading(
      "<title>Programm</title><div class=film><h2>Gletscher</h2>\(kino("Filmsaal Süd", "18:15"))\(kino("Moviemento", "16:00"))"
        + "</div><div class=film><h2>Mirador</h2>\(kino("Moviemento", "19:00"))</div>", zone: "Europe/Vienna")
    #expect(
      found.screenings.map { "\($0.title) \($0.venue ?? "")" } == [
        "Gletscher Moviemento", "Gletscher Filmsaal Süd", "Mirador Moviemento",
      ])
  }

  @Test("what stands in a bracket behind a day and a time makes no prose of them")
  func hallAndSeries() throws {
    func film(_ title: String, _ when: String) -> String {
      "<div class=card><h2>\(title)</h2><div class=info><strong>When:</strong> \(when)</div></div>"
    }
    let found = try reading(
      "<title>Moss</title>"
        + film("Silt", "Friday 27 November at 19:00 (Hall 1. A season of the sea. Memories and tides).")
        + film("Marram", "Saturday 28 November at 17:30 (Hall 2. A season of the sea. Memories and tides)."),
      zone: "Europe/London")
    #expect(found.lines == ["2026-11-27T19:00:00Z Silt", "2026-11-28T17:30:00Z Marram"])
  }
}

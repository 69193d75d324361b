import Calendars
import Extraction
import Testing

/// Pages with a handful of times: little tells what is a title, and what heads the whole page must not become one.
@Suite("Small programmes")
struct SmallProgrammesTests {
  private static let berlin = "Europe/Berlin"
  private static let at = "2026-11-16T09:00:00+01:00"

  @Test("a film with one line of times is read like its neighbour with two")
  func lines() throws {
    let found = try reading(
      "<h2>Unser Angebot</h2><div class=film><p>Fr 27.11. 15.00 Uhr</p><h3>Schlick</h3></div>"
        + "<div class=film><p>Do 26.11. 17.30 Uhr<br>Mo 30.11. 20.00 Uhr</p><h3>Bolzen</h3></div>", zone: Self.berlin,
      at: Self.at)
    #expect(
      found.lines == [
        "2026-11-26T17:30:00+01:00 Bolzen", "2026-11-27T15:00:00+01:00 Schlick", "2026-11-30T20:00:00+01:00 Bolzen",
      ])
  }

  @Test(
    "what heads a week or a month is no title",
    arguments: ["Programma novembre 2026", "Woche vom 26. November 2026 bis 2. Dezember 2026"])
  func heads(heading: String) throws {
    let found = try reading(
      "<h2>\(heading)</h2><p>Fri 27 Nov 15:00</p><p><b>Silt</b></p><p>Sat 28 Nov 17:30</p><p><b>Bolt</b></p>",
      zone: "Europe/Rome", at: Self.at)
    #expect(!found.screenings.contains { heading.hasPrefix($0.title) }, "\(found.lines)")
  }

  @Test("all times of a row may be in one cell, and its film in the next")
  func rows() throws {
    let found = try reading(
      "<h2>Cineforum d'autunno</h2><table><tr><td>Venerdì 27 ore 21.30<br>Sabato 28 ore 20.30"
        + "<td><strong>FANGO</strong> di Anna Berti<br>Con Ivo Neri.</tr>"
        + "<tr><td>Domenica 29 ore 20.30<br>Lunedì 30 ore 21.30<td><strong>BULLONE</strong> di Ugo Rossi<br>Con Ivo Neri.</tr></table>",
      zone: "Europe/Rome", at: Self.at)
    #expect(
      found.screenings.map { "\($0.start.date.day) \($0.title)" } == [
        "27 FANGO", "28 FANGO", "29 BULLONE", "30 BULLONE",
      ])
  }

  @Test("what is marked before a year in brackets or a director is a title, also below the name of a house")
  func credits() throws {
    let found = try reading(
      "<h1>Cartelera, 26 de noviembre de 2026</h1><h3>Cine Luna</h3><p><strong>Barro:</strong> (Chile, 2019) por Ana Ruiz.</p>"
        + "<p>Proyección: 08:00 pm</p><p><strong>Tuerca</strong> (Argentina, 2018) por Leo Paz.</p><p>Proyección: 10:30 pm</p>"
        + "<h3>Cine Sol</h3><p><strong>Marea:</strong> (México, 2020) por Eva Mar.</p><p>Proyección: 05:30 pm</p>",
      zone: "America/Havana", at: Self.at)
    #expect(
      found.screenings.map { "\($0.start.description.prefix(16)) \($0.title) \($0.venue ?? "")" } == [
        "2026-11-26T17:30 Marea Cine Sol", "2026-11-26T20:00 Barro Cine Luna", "2026-11-26T22:30 Tuerca Cine Luna",
      ])
  }

  @Test("a cell that a script fills is read as it is for who runs none")
  func scripts() throws {
    let cells = ["Bahno": "14.30", "Šroub": "15.10"].sorted { $0.key < $1.key }.map {
      "<tr><td><script>show(1)</script><noscript>\($0)</noscript><td><script>show(2)</script><noscript>\($1)</noscript></tr>"
    }
    let found = try reading(
      "<p>Čtvrtek, 26. 11. 2026</p><table><tr><th>Titul<th>Čas</tr>\(cells.joined())</table>", zone: "Europe/Prague",
      at: Self.at)
    #expect(found.lines == ["2026-11-26T14:30:00+01:00 Bahno", "2026-11-26T15:10:00+01:00 Šroub"])
    let advice = try reading(
      "<h2>26 November 2026</h2><noscript>Please allow scripts before 14:30</noscript>", zone: "Europe/London",
      at: Self.at)
    #expect(advice.lines == [])
  }

  @Test("an entry of a list that tells days to come was not posted then")
  func entries() throws {
    let found = try reading(
      "<article><h2><a href=/1>Silt</a></h2><div class=entry><p>Showing Nov 27 – 28, at 7:00 pm</p></div></article>"
        + "<article><h2><a href=/2>Bolt</a></h2><div class=entry><p>Showing Nov 20-21, 7pm</p></div></article>",
      zone: "America/Chicago", at: Self.at)
    #expect(
      found.screenings.map { "\($0.start.date.day) \($0.title)" } == ["20 Bolt", "21 Bolt", "27 Silt", "28 Silt"])
    let posted = try reading(
      "<article><h2>Silt</h2><div class=entry><p>10 November 2026 at 7:00 pm</p><p>We liked it.</p></div></article>",
      zone: "America/Chicago", at: Self.at)
    #expect(posted.lines == [])
  }

  @Test("two films of many days are a programme, though each stands in one line with a remark")
  func remarks() throws {
    let found = try reading(
      "<p><strong>IL FANGO</strong> da venerdì 27 a lunedì 30 novembre ore 19:00 (lunedì ridotto)</p>"
        + "<p><strong>BULLONI</strong> da venerdì 4 a domenica 6 dicembre ore 18:30 (domenica ridotto)</p>",
      zone: "Europe/Rome", at: Self.at)
    #expect(found.screenings.map(\.start.date.day) == [27, 28, 29, 30, 4, 5, 6])
    #expect(Set(found.screenings.map(\.title)) == ["IL FANGO", "BULLONI"])
  }

  @Test(
    "behind \"ore\" all times of a list part their minutes with a comma",
    arguments: ["20,30 e 22,30", "20,30 / 22,30", "20,30, 22,30"])
  func commas(times: String) throws {
    let found = try reading("<h2>Fango</h2><p>Sabato 28 novembre ore \(times)</p>", zone: "Europe/Rome", at: Self.at)
    #expect(found.screenings.map { $0.start.description.prefix(16) } == ["2026-11-28T20:30", "2026-11-28T22:30"])
  }

  @Test("how long a film runs is not when it is shown in the list of a day")
  func runs() throws {
    let found = try reading(
      "<div class=day>pátek 27. 11.</div><table><tr><td><h4>Bahno</h4><td>16.30<td>94 minut<td>27.11.–2.12.</tr></table>"
        + "<div class=day>sobota 28. 11.</div><table><tr><td><h4>Šroub</h4><td>18.30<td>94 minut<td>28.11.–29.11.</tr></table>",
      zone: "Europe/Prague", at: Self.at)
    #expect(found.lines == ["2026-11-27T16:30:00+01:00 Bahno", "2026-11-28T18:30:00+01:00 Šroub"])
    let daily = try reading(
      "<table><tr><td><h4>Silt</h4><td>16:30<td>27 Nov – 29 Nov</tr><tr><td><h4>Bolt</h4><td>18:30<td>27 Nov – 28 Nov</tr></table>",
      zone: "Europe/London", at: Self.at)
    #expect(daily.screenings.count == 5, "where no day heads the list, the film is shown on each of them")
  }

  @Test("a version of a film is no time of something else")
  func versions() throws {
    let found = try reading(
      "<h2>Limon</h2><p>Jeudi 26 novembre à 20h<br>Dimanche 29 novembre à 20h</p>"
        + "<h2>Écrou VO ou version française</h2><p>Vendredi 27 novembre à 20h<br>Samedi 28 novembre à 20h</p>",
      zone: "Europe/Zurich", at: Self.at)
    #expect(found.screenings.map(\.filmTitle) == ["Limon", "Écrou", "Écrou", "Limon"])
    let halls = try reading(
      "<h3>JEU. 26.11</h3><ul><li>20h30 | Grande salle | <em>Limon</em>, d’Ada Roux</li>"
        + "<li>21h20 | Petite salle | <em>Écrou</em>, de Luc Noir<br>Version restaurée</li></ul>", zone: "Europe/Paris",
      at: Self.at)
    #expect(halls.screenings.map(\.title) == ["Limon", "Écrou"])
    #expect(halls.screenings.map(\.screen) == ["Grande salle", "Petite salle"])
  }

  @Test("a day may stand before a title, and its times before what is written of the film")
  func days() throws {
    let prose =
      "A dog from Moscow was the first to fly around the Earth, on 3 November 1957, and the city has not forgotten her. "
    let found = try reading(
      ["27.11. | Schlick", "26.11. | Bolzen"].map {
        "<article><h2><a href=/x>\($0)</a></h2><div><p>18.00/20.30 \(prose)\(prose)</p></div></article>"
      }.joined(), zone: Self.berlin, at: Self.at)
    #expect(
      found.lines == [
        "2026-11-26T18:00:00+01:00 Bolzen", "2026-11-26T20:30:00+01:00 Bolzen", "2026-11-27T18:00:00+01:00 Schlick",
        "2026-11-27T20:30:00+01:00 Schlick",
      ])
  }

  @Test("two showings before a title are both of it, and from when to when a programme goes is none")
  func starts() throws {
    let found = try reading(
      "<h1>Films in het Filmtheater</h1><p>donderdag 26 november 2026 20:00 tot donderdag 3 december 20:00</p>"
        + "<p><strong>Do 26 nov 20:00, Vr 27 nov 20:00: Slib</strong><br>Het is het jaar 1858, en in een kleine stad dringen soldaten een huis binnen.</p>"
        + "<p><strong>Za 28 nov 20:45: Bout</strong><br>Nooit eerder werd verteld wat een tram in het jaar 1943 deed.</p>",
      zone: "Europe/Amsterdam", at: Self.at)
    #expect(
      found.lines == [
        "2026-11-26T20:00:00+01:00 Slib", "2026-11-27T20:00:00+01:00 Slib", "2026-11-28T20:45:00+01:00 Bout",
      ])
  }

  @Test("a window's title that tells days names no house")
  func titles() throws {
    let found = try reading(
      "<title>Cinéma : les films du 26 au 29 novembre 2026</title><p><b>Limon</b> Un chien. <b>Samedi 28 novembre à 18h</b></p>"
        + "<p><b>Écrou</b> Un pont. <b>dimanche 29 novembre à 20h30</b></p>", zone: "Europe/Paris", at: Self.at)
    #expect(found.screenings.map(\.title) == ["Limon", "Écrou"])
    #expect(found.screenings.allSatisfy { $0.venue == nil })
  }

  @Test("behind a quoted title stands in brackets who made it")
  func quotes() throws {
    let found = try reading(
      "<h2>11月28日(土)</h2><h3>スクリーン①</h3><p>『泥の庭』(青木真監督)<br>　13:50〜15:40<br>『ねじ』(森田葉監督/PG12)<br>　16:00〜18:00</p>",
      zone: "Asia/Tokyo", at: Self.at)
    #expect(found.screenings.map(\.title) == ["『泥の庭』", "『ねじ』"])
    #expect(found.screenings.allSatisfy { $0.screen == "スクリーン①" })
  }

  @Test("a first heading may be a title that ends with a day")
  func dated() throws {
    let found = try reading(
      "<h1><a href=/x>Opera Live: Lohgrin - Wednesday 2 Dec 2026</a></h1><p>Book with <span class=icon-logo>mycard</span></p>"
        + "<h3>Wednesday 2nd Dec</h3><ol><li><a href='/booking?time=16:50'>16:50</a></ol>", zone: "Europe/London",
      at: Self.at)
    #expect(found.lines == ["2026-12-02T16:50:00Z Opera Live: Lohgrin - Wednesday 2 Dec 2026"])
  }

  @Test("an hour that is said once is that of each day of a list, with less confidence, and only where no other is")
  func common() throws {
    let list =
      "<p><strong>Thursday 26th November<br>Silt (12A)</strong></p><p>106 mins</p><p>A year in a village by the sea.</p>"
      + "<p><strong>Thursday 10th December<br>Bolt (15)</strong></p><p>117 mins</p><p>A machine that would not stop.</p>"
    let hour = "<h1>Film Programme, Autumn 2026</h1><p>Films start at 7.30pm and the entrance price is £4.50.</p>"
    let found = try reading(hour + list, zone: "Europe/London", at: Self.at)
    #expect(found.lines == ["2026-11-26T19:30:00Z Silt (12A)", "2026-12-10T19:30:00Z Bolt (15)"])
    #expect(found.screenings.allSatisfy { $0.confidence < 0.7 })
    let german = try reading(
      "<p>Alle Filme beginnen um 20 Uhr.</p><ul><li>27.11. – Schlick, von Ana Berg<li>4.12. – Bolzen, von Leo Dorn</ul>",
      zone: Self.berlin, at: Self.at)
    #expect(german.screenings.map { "\($0.start.description.prefix(16))" } == ["2026-11-27T20:00", "2026-12-04T20:00"])
    let other = try reading(
      hour + list + "<p>Matinee: Saturday 28th November 2pm</p>", zone: "Europe/London", at: Self.at)
    #expect(!other.screenings.contains { $0.start.description.contains("T19:30") })
    let none = try reading(list, zone: "Europe/London", at: Self.at)
    #expect(none.lines == [])
  }

  @Test("a time may be a sentence of its own behind what is written of a film; within a sentence it is none")
  func sentences() throws {
    let found = try reading(
      "<title>Rainy weekend? Go and see a movie.</title><h3>Thursday, November 26</h3>"
        + "<p><strong><em>Silt (1961)</em></strong></p><p><strong>Harbour Hall</strong></p>"
        + "<p>A dog finds its way home along the coast. $12. 9:15 p.m. <a href=/1>More info here.</a></p>"
        + "<p><strong><em>Bolt (1983)</em></strong></p><p><strong>The Heights</strong></p>"
        + "<p>You might know the plot. Free. 1 p.m. <a href=/2>More info here.</a></p>"
        + "<p>Last week the audience stood in the rain until 8:30 p.m. and sang together.</p>", zone: "America/Chicago",
      at: Self.at)
    #expect(found.lines == ["2026-11-26T13:00:00-06:00 Bolt (1983)", "2026-11-26T21:15:00-06:00 Silt (1961)"])
    #expect(!found.screenings.contains { $0.venue?.contains("weekend") ?? false })
  }

  @Test("an event's page: its doors, its music and its map are no titles, and over an address stands a name")
  func event() throws {
    let found = try reading(
      "<p class='event-item event-item-name'>Barge Film Club: Silt</p><div class='event-item event-item-venue'>"
        + "<span><span>The Folly</span><br>186 Mill Road, London <a href='#map'>(view map)</a></span></div>"
        + "<div class='event-item event-item-date'><div><span>Saturday 28th November 2026</span></div></div>"
        + "<div class=event-description><p><strong><u>Silt by the canal</u></strong></p><p>A last night outside.</p>"
        + "<p><strong>Doors at 8pm</strong></p><p><strong>Film From 8:30pm</strong></p>"
        + "<p><strong>Live music and DJs From 10:00-Late</strong></p></div>", zone: "Europe/London", at: Self.at)
    #expect(found.lines == ["2026-11-28T20:30:00Z Barge Film Club: Silt"])
    #expect(found.screenings.map(\.venue) == ["The Folly"])
    let data = try reading(
      #"[{"title": "Silt", "venue": "The Folly", "StartDate": "2026-11-28", "#
        + #""DisplayDate": "Saturday 28th November 2026 @ 8:00 PM"}]"#, zone: "Europe/London", at: Self.at)
    #expect(data.lines == ["2026-11-28T20:00:00Z Silt"])
  }
}

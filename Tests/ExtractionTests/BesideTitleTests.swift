import Extraction
import Testing

/// What stands near a film's name and is another's: houses, series, ratings, facts of a house, and days that are said twice.
@Suite("Beside a title")
struct BesideTitleTests {
  private func found(_ body: String, title: String = "Moss Cinema", zone: String = "Europe/London") throws -> Extraction
  {
    try reading(
      "<html><head><title>\(title)</title></head><body>\(body)</body></html>", zone: zone, at: "2026-11-20T09:00:00Z")
  }

  @Test(
    "each house of a film's list is a venue, however far behind the film it stands and however its street is written")
  func manyHouses() throws {
    let streets = [
      "Market Street 11", "Town Square, Hull", "Quay (by the bridge), Hull", "Hill Road 4", "Main Road, Leeds",
    ]
    let names = ["Rio", "Larches", "Regal", "Ritz", "Orpheum"]
    let houses = zip(names, streets).map { name, street in
      "<div class=area><a href=/g/\(name.count)>North of \(street.count)</a></div><h2 class=placename><a href=hall.aspx?id=7>\(name)"
        + "</a></h2><p><b>\(street)</b></p><p>01273 700\(name.count)01</p><p>Tickets £7.50, members £5</p>"
        + "<p>Sat 21 Nov: 18.00 / 21.30</p>"
    }
    let page = try found(
      "<h1>The Long Tide</h1><p>Length: 98'. Drama.</p>" + houses.joined(), title: "The Long Tide, where it is shown")
    #expect(Set(page.screenings.map(\.title)) == ["The Long Tide"] && page.screenings.count == 10)
    #expect(Set(page.screenings.compactMap(\.venue)) == Set(names))
  }

  @Test("houses under each film of a guide are venues where each is called one, though none shows two films")
  func guide() throws {
    func film(_ title: String, _ houses: (String, String)...) -> String {
      "<div class=show><h2><a href=/films/\(title)>\(title)</a></h2><p>IMDb 7.2</p>"
        + houses.map { "<div class=m><a class=theatre-link href=/t/\($0.count)>\($0)</a><div>\($1)</div></div>" }
        .joined()
        + "</div>"
    }
    let page = try found(
      "<h1>Saturday 21 November</h1>" + film("Silt", ("Rio Cinema", "13:20 16:00"), ("Cinema Regal", "15:00, 20:00"))
        + film("Bolt", ("Orpheum - Studio", "18:30"), ("Cinema Ritz", "17:00, 19:30")))
    #expect(page.screenings.count == 7 && Set(page.screenings.map(\.title)) == ["Silt", "Bolt"], "\(page.lines)")
    #expect(
      Set(page.screenings.compactMap(\.venue)) == ["Rio Cinema", "Cinema Regal", "Orpheum - Studio", "Cinema Ritz"])
  }

  @Test("how many halls a house has, its greeting and what leads to a series are no titles")
  func noTitles() throws {
    let relay = try found(
      "<h1>Relais</h1><h2>Samedi 21 novembre</h2><div><h3><a href=/cinemas/rex>Cinéma Rex</a></h3><p>Indépendant • 5 salles</p>"
        + "<span>13h15</span> <span>18h40</span></div><div><h3><a href=/cinemas/parc>Cinéma du Parc</a></h3>"
        + "<p>Indépendant • 3 salles</p><span>16h30</span></div>", title: "Horaires de Relais | Guide",
      zone: "Europe/Paris")
    #expect(Set(relay.screenings.map(\.title)) == ["Relais"])
    #expect(Set(relay.screenings.compactMap(\.venue)) == ["Cinéma Rex", "Cinéma du Parc"])
    func card(_ time: String, _ title: String, _ series: String) -> String {
      "<div class=card><span class=hour>\(time)</span><div class=titl><a href=/film/\(time)>\(title)</a></div>"
        + "<div class=alt><a href=/cicle/\(series.count)>\(series)</a></div></div>"
    }
    let cards = try found(
      "<h2>Saturday 21 November</h2>" + card("17:00", "Silt", "ANA BERG") + card("20:00", "Bolt", "CINEMES DEL NORD")
        + "<h2>Sunday 22 November</h2>" + card("18:30", "Silt", "ANA BERG"))
    #expect(cards.screenings.map(\.title) == ["Silt", "Bolt", "Silt"])
  }

  @Test("a day that stands beside itself in digits is no time; digits among times of their kind are times")
  func digits() throws {
    let strip =
      "<div><a class=\"date active\" href=#1><p><span>18 грудня</span><span class=mobile>18.12</span></p></a>"
      + "<a class=date href=#2><p><span>19 грудня</span><span class=mobile>19.12</span></p></a></div>"
    let films =
      "<div><h3>Мул</h3><ul><li>10:10</li><li>12:50</li></ul></div><div><h3>Болт</h3><ul><li>19:40</li></ul></div>"
    let ukrainian = try reading(
      "<title>Кіно Мох</title><h1>Кіно Мох</h1><p>Львів</p>\(strip)\(films)", zone: "Europe/Kyiv",
      at: "2026-12-18T09:00:00+02:00")
    #expect(
      ukrainian.lines == [
        "2026-12-18T10:10:00+02:00 Мул", "2026-12-18T12:50:00+02:00 Мул", "2026-12-18T19:40:00+02:00 Болт",
      ])
    let page = try found(
      "<h2>Saturday 21 November</h2><div><h3>Silt</h3><ul><li>1010</li><li>1440</li><li>19:10</li></ul></div><div><h3>Bolt</h3>"
        + "<ul><li>11:50</li><li>2125</li></ul></div>")
    #expect(
      page.screenings.map { "\($0.start)".dropFirst(11).prefix(5) } == ["10:10", "11:50", "14:40", "19:10", "21:25"])
  }

  @Test("rows that are called articles are of a programme where their day is to come, and of news where it is past")
  func articles() throws {
    func film(_ title: String, _ day: String) -> String {
      "<div class=article-wrapper><h1><a href=/f/\(title)>\(title)</a></h1><div class=article-info><span class=date>\(day)</span>"
        + " <span class=time>20:30 Uhr</span></div></div>"
    }
    let zone = "Europe/Vienna"
    #expect(
      try found(film("Silt", "21.11.") + film("Bolt", "22.11."), zone: zone).lines == [
        "2026-11-21T20:30:00+01:00 Silt", "2026-11-22T20:30:00+01:00 Bolt",
      ])
    #expect(try found(film("Silt", "17.11.") + film("Bolt", "18.11."), zone: zone).lines == [])
  }

  @Test("the footer of a card holds its times; a midnight over a printed date is that date")
  func footers() throws {
    func card(_ title: String, _ times: String...) -> String {
      "<li><article><header><time datetime=2026-11-21T00:00:00+00:00><span>21.11.2026</span></time><h3><a href=/f/\(title)>\(title)"
        + "</a></h3></header><footer><ul>" + times.map { "<li><a href=/b>\($0)</a></li>" }.joined()
        + "</ul></footer></article></li>"
    }
    #expect(
      try found("<ul>" + card("Silt", "19:00") + card("Bolt", "16:30", "20:45") + "</ul>", zone: "Europe/Warsaw").lines
        == [
          "2026-11-21T16:30:00+01:00 Bolt", "2026-11-21T19:00:00+01:00 Silt", "2026-11-21T20:45:00+01:00 Bolt",
        ])
  }

  @Test("times side by side before a title have it each, and what is no link any more is of the kind of those that are")
  func kinds() throws {
    func card(_ day: String, _ title: String, _ times: String...) -> String {
      "<div class=card><b>\(day)</b><div>" + times.map { "<span class=hour>\($0)</span> " }.joined()
        + "<h3><a href=/f/\(title)>\(title)</a></h3></div></div>"
    }
    #expect(
      try found(card("Sat 21 Nov", "Silt", "18:30", "21:30") + card("Sun 22 Nov", "Bolt", "16:00")).lines == [
        "2026-11-21T18:30:00Z Silt", "2026-11-21T21:30:00Z Silt", "2026-11-22T16:00:00Z Bolt",
      ])
    func film(_ title: String, _ hours: String) -> String {
      "<div class=movie><h2 class=meta-title><a href=/f/\(title)>\(title)</a></h2><p><span>De</span> <span class=grey>Ana Berg</span>"
        + "</p><div><span class=rating-title>Presse</span> <span class=stars>3,6</span></div><button>Bande-annonce 1:47</button>"
        + "<div class=hours>\(hours)</div></div>"
    }
    let over = "<span class=block><span class=item><b>10:00</b> <i>(fin 11:18)</i></span></span>"
    let open = "<span class=block><a class=item href=/b><b>18:15</b> <i>(fin 20:19)</i></a></span>"
    #expect(
      try found("<h2>Samedi 21 novembre</h2>" + film("Vase", over) + film("Marée", open), zone: "Europe/Paris").lines
        == [
          "2026-11-21T10:00:00+01:00 Vase", "2026-11-21T18:15:00+01:00 Marée",
        ])
  }

  @Test("days that a table's only heading names are of all its columns; halls and houses head a festival's")
  func tables() throws {
    let page = try reading(
      "<table><thead><tr><td colspan=2>11/24(火)･25(水)</td></tr></thead><tbody><tr><th>潮</th><td>11:00～13:10</td><td>18:45～20:55</td>"
        + "</tr></tbody></table>", at: "2026-11-20T09:00:00+09:00")
    #expect(
      page.screenings.map { "\($0.start)".prefix(16) } == [
        "2026-11-24T11:00", "2026-11-24T18:45", "2026-11-25T11:00", "2026-11-25T18:45",
      ])
    let festival = try found(
      "<h2>21 Kasım 2026 Cumartesi</h2><table><tr><th>Saat</th><th>Atlas Salonu</th><th>Moda Sineması</th></tr><tr><th>16.00</th><td>"
        + "<a href=/f/1>Çamur</a></td><td><a href=/f/2>Vapur</a></td></tr><tr><th>21.30</th><td><a href=/f/3>Rüzgâr</a></td><td>"
        + "<a href=/f/4>Gece</a></td></tr></table>", zone: "Europe/Istanbul")
    #expect(festival.screenings.map(\.title).sorted() == ["Gece", "Rüzgâr", "Vapur", "Çamur"])
  }

  @Test("what a day's heading says besides is a label of the week or a remark on the day, and no title")
  func headings() throws {
    let week = try found(
      "<h2>NOW PLAYING — Friday November 20 to Thursday November 26, 2026</h2><p><b>Silt</b><br>Fri-Sun 1:00 pm<br>Daily 7:00 pm</p>"
        + "<p><b>Bolt</b><br>Nightly at 9:00 pm</p>")
    #expect(Set(week.screenings.map(\.title)) == ["Silt", "Bolt"])
    let polish = try found(
      "<h3>25.11 (środa) - zakończenie sezonu</h3><p>godziny: <b>18.00 i 20.30</b></p><h1>Muł</h1><p>czas trwania: 108 min</p>",
      title: "Kino Mech", zone: "Europe/Warsaw")
    #expect(polish.screenings.map(\.title) == ["Muł", "Muł"])
  }
}

import Calendars
import Extraction
import Testing

/// What articles tell in sentences.
@Suite("Prose")
struct ProseTests {
  private func article(
    _ body: String, title: String = "Im Kino", written: String? = "2026-11-19", zone: String = "Europe/Berlin",
    tellsHouse: Bool = false
  ) throws -> [String] {
    let meta = written.map { "<meta property='article:published_time' content='\($0)T08:00:00Z'>" } ?? ""
    return try reading(
      "<html><head><title>\(title)</title>\(meta)</head><body><h1>\(title)</h1>\(body)</body></html>", zone: zone,
      at: "2026-11-20T09:00:00Z"
    ).screenings.map { "\($0.start) \($0.title)\(tellsHouse ? " | \($0.venue ?? "")" : "")" }
  }

  @Test("a sentence that names one film and says when is its screening, however it quotes")
  func oneFilm() throws {
    let told = try article(
      "<p>Am Freitag, 27. November, um 20 Uhr zeigt das Kino „Der lange Weg nach 17“. Der Film von 1983 dauert 98 Minuten.</p><p>»Marram« läuft am 28. November um 18.30 und 21 Uhr. Am 29. November ist das Kino ab 9 Uhr geschlossen.</p><p>Our film <em>Silt</em> is on Saturday 5 December at 7.30.</p>"
    )
    #expect(
      told == [
        "2026-11-27T20:00:00+01:00 Der lange Weg nach 17", "2026-11-28T18:30:00+01:00 Marram",
        "2026-11-28T21:00:00+01:00 Marram", "2026-12-05T19:30:00+01:00 Silt",
      ], "\(told)")
  }

  @Test("a sentence that names none goes on about the film before it, in its paragraph")
  func goingOn() throws {
    let told = try article(
      "<p>La cartelera incluye la película “Los días de la arena”, que obtuvo siete premios. Se proyectará el sábado 28, a las 18:30, y domingo 29, a las 19:00 horas.</p><p>La taquilla abre el sábado 28 a las 17:00 horas.</p>",
      title: "Cartelera del fin de semana", zone: "America/Mexico_City")
    #expect(
      told == ["2026-11-28T18:30:00-06:00 Los días de la arena", "2026-11-29T19:00:00-06:00 Los días de la arena"],
      "\(told)")
  }

  @Test("of several films in a sentence only those are told that each have their times")
  func severalFilms() throws {
    let told = try article(
      "<p>Das Kino zeigt »Silt« am Freitag, 27. November, um 18 Uhr, »Marram« am Samstag, 28. November, um 20 Uhr.</p><p>»Dune« und »Bolt« laufen am 29. November um 18 und 20 Uhr.</p>"
    )
    #expect(told == ["2026-11-27T18:00:00+01:00 Silt", "2026-11-28T20:00:00+01:00 Marram"], "\(told)")
    let unread = try reading(
      "<html><head><title>Im Kino</title><meta property='article:published_time' content='2026-11-19'></head><body><p>»Dune« und »Bolt« laufen am 29. November um 18 und 20 Uhr im Kino.</p></body></html>",
      zone: "Europe/Berlin", at: "2026-11-20T09:00:00Z"
    ).unread
    #expect(unread.contains { $0.why.contains("is not clear") }, "\(unread)")
  }

  @Test("weekdays alone are those of the days that the headline tells")
  func weekdaysOfPeriod() throws {
    let told = try article(
      "<p>Film „Silt“ biće prikazan u petak, subotu i nedelju od 17 časova. Karte se kupuju od 16 do 21 čas.</p>",
      title: "Repertoar bioskopa od 26.11. do 29.11.2026.", zone: "Europe/Belgrade")
    #expect(told == (27...29).map { "2026-11-\($0)T17:00:00+01:00 Silt" }, "\(told)")
  }

  @Test("houses that begin their paragraphs are where it is shown")
  func houses() throws {
    let told = try article(
      "<p><strong>Larice, Sala Dune</strong> (via Roma 1, tel. 011.20010) «Silt» di Ana Berg, venerdì 27 e sabato 28 alle 21, domenica 29 alle 18.</p><p><strong>Abete, Cinema Muschio</strong> (via Po 8, tel. 011.20020) «Marram» domenica 29 alle 17.</p>",
      title: "Cinema nelle sale della comunità", zone: "Europe/Rome", tellsHouse: true)
    #expect(
      told == [
        "2026-11-27T21:00:00+01:00 Silt | Sala Dune", "2026-11-28T21:00:00+01:00 Silt | Sala Dune",
        "2026-11-29T17:00:00+01:00 Marram | Cinema Muschio", "2026-11-29T18:00:00+01:00 Silt | Sala Dune",
      ], "\(told)")
  }

  @Test(
    "nothing is told of books, of speech, of what was written long ago or of an unknown day",
    arguments: [
      ("<p>Ana Berg liest am Freitag, 27. November, um 20 Uhr aus „Der lange Weg“.</p>", "Lesung", "2026-11-19"),
      (
        "<p>„Wir freuen uns auf die Kinder, die zu uns kommen.“ Das Kino öffnet am 27. November um 20 Uhr.</p>", "Kino",
        "2026-11-19"
      ),
      ("<p>Das Kino „Capitol“ öffnet am Freitag, 27. November, um 20 Uhr.</p>", "Kino", "2026-11-19"),
      ("<p>Der Vorverkauf für „Silt“ im Kino beginnt am 27. November um 9 Uhr.</p>", "Kino", "2026-11-19"),
      ("<p>Das Projekt „Garten“ wird am Freitag, 27. November, um 20 Uhr vorgestellt.</p>", "Stadt", "2026-11-19"),
      ("<p>Die Biografie „Ana Berg“ liest er am Freitag, 27. November, um 20 Uhr.</p>", "Stadt", "2026-11-19"),
      ("<p>Das Kino zeigt „Silt“ am Freitag um 20 Uhr.</p>", "Im Kino", "2024-02-01"),
      ("<p>Das Kino zeigt „Silt“ am Freitag um 20 Uhr.</p>", "Im Kino", nil),
      ("<p>Das Kino zeigt „Silt“ am Montag, 27. November, um 20 Uhr.</p>", "Im Kino", "2026-11-19"),
      (
        "<p>„Eine wichtige Sache“, sagt sie.</p><p class=article-meta>Redaktion 19.11.2026 05:00</p>",
        "„Eine wichtige Sache“: Kino feiert", "2026-11-19"
      ),
    ] as [(String, String, String?)])
  func nothing(body: String, title: String, written: String?) throws {
    #expect(try article(body, title: title, written: written) == [])
  }

  @Test("when an article says that it was written begins nothing, however that is printed")
  func written() throws {
    func page(written: String) throws -> [String] {
      try article(
        "<div class=row><p class=meta>20/11/2026 09:00 &middot; <a href=/c>Cultura</a> &middot; Larice Marche</p><div class=article-body><p>Fino a dove? Lo racconta <strong>Silt</strong>, in sala al cinema Muschio. Da domani il nuovo film di Ana Berg.</p><p>Orario: giovedì 21.15, venerdì 20.30 - 22.30, lunedì e martedì 21.15.</p></div></div>",
        title: "Teatri di Larice, arrivano \"Silt\" e \"Marram\"", written: written, zone: "Europe/Rome")
    }
    #expect(try page(written: "2026-11-20") == [])
    let announced = try article(
      "<h2>Silt</h2><p>Saturday 21 November 2026, 8:00 am</p>", title: "Moss Cinema", written: "2026-11-21",
      zone: "Europe/London")
    #expect(announced == ["2026-11-21T08:00:00Z Silt"], "some date a page by what it announces: \(announced)")
    let shown = try page(written: "2026-11-19")
    #expect(shown.count == 1, "at another time it may be a showing: \(shown)")
  }

  @Test("when it is over is no part of a title, and a comma behind the month no part of a day")
  func printed() throws {
    let cards = ["Silt": "21", "Marram": "28"].map { name, day in
      "<div class=show><h2><a href=/\(name)>\(name)</a></h2><ul><li><span class=day>Sat. Nov, \(day)</span> <a href=/b>10:00 pm</a></li></ul></div>"
    }
    let days = try article(cards.joined(), title: "Moss Cinema", written: nil, zone: "America/New_York")
    #expect(days == ["2026-11-21T22:00:00-05:00 Silt", "2026-11-28T22:00:00-05:00 Marram"], "\(days)")
    let chips = [("7:35", "over, Subtitled, ends 9:19 pm"), ("7:20", "Subtitled, ends 9:04 pm")].map { clock, note in
      "<li><a href=/1><span>\(clock) pm</span><span class=vh>Fri 20 Nov, \(clock) pm, \(note)</span></a></li>"
    }
    let told = try article(
      "<h2>Fri 20 Nov</h2><ul><li><h3><a href=/s>Silt</a></h3><p>2026 · 104 min</p><ul>\(chips.joined())</ul></li></ul>",
      title: "Moss Cinema", written: nil, zone: "America/New_York")
    #expect(Set(told.map { $0.dropFirst(26) }) == ["Silt"], "\(told)")
  }

  @Test("a paragraph that begins with a film and tells of it is its title over the times below it")
  func synopses() throws {
    let told = try article(
      "<p>Silt: Frozen Shore (12A): a young engineer comes home to the island that she left as a child, and finds nobody there. With Iris Vale.</p><p>Friday November 27 at 5pm and 8pm</p><p>Marram (15): when the tide goes out for the last time, a village has to decide who stays behind and who rows. With Ana Berg.</p><p>Saturday November 28 at 2pm</p><p>Knots: two brothers who have not spoken for thirty years inherit the same boat, and neither of them can sail. A comedy.</p><p>Sunday November 29 at 6pm</p>",
      title: "What is new on screen this weekend at the Moss Cinema and elsewhere", written: nil, zone: "Europe/London")
    #expect(
      told == [
        "2026-11-27T17:00:00Z Silt: Frozen Shore (12A)", "2026-11-27T20:00:00Z Silt: Frozen Shore (12A)",
        "2026-11-28T14:00:00Z Marram (15)", "2026-11-29T18:00:00Z Knots",
      ], "\(told)")
  }

  @Test("a heading with a time in a post, times behind stars, and names in other letters in the same heading")
  func marks() throws {
    let post = try article(
      "<div class=post_content><h2>ゴールド・マラム 9:50~12:00</h2><p>砂丘の町で暮らす少女の物語。</p><h2>シルト 12:20~13:55</h2><p>静かな海辺。</p></div>",
      title: "11月25日(水)〜11月26日(木) 上映スケジュール", written: nil, zone: "Asia/Tokyo")
    #expect(post.count == 4 && post.allSatisfy { $0.contains("ゴールド・マラム") || $0.contains("シルト") }, "\(post)")
    let stars = try article(
      "<p><strong>Viernes 27 de noviembre</strong><br>*15.30 horas<br><em>Silt</em> (30 min) Realizadora: Ana Berg</p><p><strong>Sábado 28 de noviembre</strong><br>*18.30 horas<br><em>Marram</em> (61 min) Realizadora: Iris Vale</p>",
      title: "Ciclo de Cine", written: nil, zone: "America/Santiago")
    #expect(stars == ["2026-11-27T15:30:00-03:00 Silt", "2026-11-28T18:30:00-03:00 Marram"], "\(stars)")
    let films = ["重生之日": "Rebirth Day", "驀然": "Looking"].map { name, meaning in
      "<div class=item><div class=m_title>\(name)<span class=eng>\(meaning)</span></div><span class=date>2026-11-21</span><ul><li>10:30</li><li>13:20</li></ul></div>"
    }
    let named = try article(films.joined(), title: "時刻", written: nil, zone: "Asia/Taipei")
    #expect(Set(named.map { $0.split(separator: " ")[1] }) == ["重生之日", "驀然"], "\(named)")
  }
}

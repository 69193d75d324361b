import Extraction
import Testing

/// What stands beside a programme on every site: prices, a newsletter, an age, a date of something written. None of it is
/// shown, and none of it changes how the programme is read.
@Suite("Other parts of a page")
struct OtherPartsTests {
  static let dotted =
    "<title>Programm</title><h1>Kulturkino</h1><p><strong>MI 25.11.</strong><br>15.00 Seniorenkino: Die Fähre<br>"
    + "20.00 Schlick<br></p><p><strong>DO 26.11.</strong><br>18.00 Schlick<br>20.15 Die Fähre<br></p>"
    + "<p><strong>FR 27.11.</strong><br>16.00 Moos<br>18.00 Schlick<br>20.30 Die Fähre<br></p>"

  @Test(
    "clocks written with a dot stay clocks where another part of the page writes one with a colon",
    arguments: [
      "", "<section><h3>Preise</h3><ul><li>Vor 17:00 Uhr 7,50 €</li><li>Kinder 6.00 €</li></ul></section>",
      "<section><h3>Preise</h3><p>Erwachsene 9,50 €</p><p>17:00</p></section>",
    ])
  func dottedClocks(part: String) throws {
    let found = try reading(Self.dotted + part, zone: "Europe/Berlin")
    #expect(
      found.lines == [
        "2026-11-25T15:00:00+01:00 Seniorenkino: Die Fähre", "2026-11-25T20:00:00+01:00 Schlick",
        "2026-11-26T18:00:00+01:00 Schlick", "2026-11-26T20:15:00+01:00 Die Fähre",
        "2026-11-27T16:00:00+01:00 Moos", "2026-11-27T18:00:00+01:00 Schlick",
        "2026-11-27T20:30:00+01:00 Die Fähre",
      ])
  }

  static func listed(_ title: String, _ times: String) -> String {
    "<div class=film><h3>\(title)</h3><p class=times>\(times)</p></div>"
  }

  @Test("hours of twelve stay those of the evening where a post or a price is printed with those of a day")
  func twelveHours() throws {
    let programme =
      "<title>Showtimes</title><h2>Saturday, November 21, 2026</h2>" + Self.listed("Silt", "1:30 4:15 7:00 9:30")
      + Self.listed("Low Tide", "2:00 4:45 7:15 9:40")
    let post = "<section><h2>Blog</h2><p>A new projector</p><p>Nov 2, 2026, 14:30</p><p>It is here.</p></section>"
    let expected = [
      "2026-11-21T13:30:00-05:00 Silt", "2026-11-21T14:00:00-05:00 Low Tide", "2026-11-21T16:15:00-05:00 Silt",
      "2026-11-21T16:45:00-05:00 Low Tide", "2026-11-21T19:00:00-05:00 Silt", "2026-11-21T19:15:00-05:00 Low Tide",
      "2026-11-21T21:30:00-05:00 Silt", "2026-11-21T21:40:00-05:00 Low Tide",
    ]
    for page in [programme, programme + post, post + programme] {
      #expect(try reading(page, zone: "America/New_York", at: "2026-11-20T09:00:00-05:00").lines == expected)
    }
    // Of the same kind it says what clock the page has.
    let morning = programme + Self.listed("Moss", "10:00 13:15")
    #expect(
      try reading(morning, zone: "America/New_York", at: "2026-11-20T09:00:00-05:00").lines.contains {
        $0.hasPrefix("2026-11-21T09:30:00")
      })
  }

  static let films =
    "<title>Kino</title><h2>Samstag, 21.11.2026</h2><div class=film><h3>Schlick</h3><p>19:30</p></div>"
    + "<div class=film><h3>Ebbe</h3><p>21:45</p></div>"
  static let told = ["2026-11-21T19:30:00+01:00 Schlick", "2026-11-21T21:45:00+01:00 Ebbe"]

  @Test(
    "a part that is headed as something else shows nothing, and takes no title",
    arguments: [
      "<div><h3>Preise</h3><ul><li>Erwachsene 9,50 €</li><li>Vor 17:00 Uhr 7,50 €</li></ul></div>",
      "<div><h3>Preise</h3><p>Bis 17:00 Uhr ermäßigt</p></div>",
    ])
  func parts(part: String) throws {
    #expect(try reading(Self.films + part, zone: "Europe/Berlin").lines == Self.told)
    #expect(try reading(part + Self.films, zone: "Europe/Berlin").lines == Self.told)
  }

  @Test("a newsletter that comes on a weekday of the programme's week is none of it")
  func newsletter() throws {
    let week =
      "<title>Kino</title><h1>Kino</h1><h2>Programm vom 23. bis 29. November 2026</h2>"
      + "<div class=card><h3>Schlick</h3><p>Sa (28), So (29): 19:00</p></div>"
      + "<div class=card><h3>Ebbe</h3><p>Fr (27): 21:00</p></div><div class=costs><h4>Preise</h4><p>9 €</p></div>"
    let letter = "<div class=nl><h3>Newsletter</h3><p>Jeden Donnerstag um 12:00 Uhr</p></div>"
    #expect(
      try reading(week + letter, zone: "Europe/Berlin").lines == [
        "2026-11-27T21:00:00+01:00 Ebbe", "2026-11-28T19:00:00+01:00 Schlick", "2026-11-29T19:00:00+01:00 Schlick",
      ])
  }

  @Test(
    "what is a weekday in one language is a word among those of another",
    arguments: ["Vietato ai minori di 14 anni", "Ciclo di 12 film", "Nevhodné do 12 let"])
  func shortWords(line: String) throws {
    let days =
      "<title>Vale times</title><ul class=daybar><li><a href='?d=20'>Fri 20 Nov</a><li class=active>"
      + "<a href='?d=21'>Sat 21 Nov</a><li><a href='?d=22'>Sun 22 Nov</a></ul>"
    let films =
      "<div class=showing><a class=showing-title href=/m/1>Silt</a><div><a href=/t/1>12:15</a></div></div>"
      + "<div class=showing><a class=showing-title href=/m/2>Low Tide</a><div><a href=/t/3>19:40</a></div></div>"
    let found = try reading(days + films + "<p>\(line)</p>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T12:15:00Z Silt", "2026-11-21T19:40:00Z Low Tide"])
  }

  @Test("hours below a heading silence nothing below a higher one")
  func flatHours() throws {
    let found = try reading(
      "<title>Schlick | Kino</title><body><h3>Kasse</h3><p>Mo-Fr 17:00-20:00 Uhr geöffnet</p><h1>Schlick</h1>"
        + "<p>98 min</p><div class=show><span>19:30</span><br>Sa, 21.11.2026<br>Saal 2</div>"
        + "<div class=show><span>21:45</span><br>So, 22.11.2026<br>Saal 1</div>",
      zone: "Europe/Berlin")
    #expect(found.lines == ["2026-11-21T19:30:00+01:00 Schlick", "2026-11-22T21:45:00+01:00 Schlick"])
    // What stands below it, and a line between the two, change nothing.
    let posts =
      "<title>Aktuelles</title><h1>Aktuelles</h1><article><h2>Öffnungszeiten über die Feiertage</h2>"
      + "<p class=date>Freitag, 18.12.2026, 09:30 Uhr</p><p>24.12. 10:00–14:00 Uhr, 25.12. ab 14:00 Uhr</p></article>"
    #expect(try reading(posts, zone: "Europe/Berlin", at: "2026-12-19T09:00:00+01:00").lines == [])
  }

  @Test("films without a title take none from a box beside them")
  func untitled() throws {
    let times = "<ul><li>Sa 21.11.2026 <b>19:30</b></li><li>So 22.11.2026 <b>21:30</b></li></ul>"
    for box in ["cookie", "news", "promo"] {
      let found = try reading(
        "<body><div class=\(box)><h2>Wir haben umgebaut</h2><p>Mehr dazu</p></div>" + times, zone: "Europe/Berlin")
      #expect(found.lines == [])
    }
  }

  @Test("a week that a guide does not print is told beside a date of long ago as well")
  func guide() throws {
    let guide =
      "<title>Silt, where it is shown</title><h1>Silt</h1>"
      + ListedHousesTests.house("Moss Cinema", "11 Market Street", "Thu–Wed: 18:00, 21:30")
      + ListedHousesTests.house("The Larches", "45 Regal Plaza", "Thu–Wed: 19:00, 22:30")
    let note = "<div class=cookie><p>As of 1 September 2024, 12:00</p></div>"
    let told = try reading(guide, zone: "Europe/London").lines
    #expect(told.count == 28)
    #expect(try reading(note + guide, zone: "Europe/London").lines == told)
  }

  @Test("a title whose words stand in elements of their own is one text")
  func words() throws {
    let found = try reading(
      "<title>Kino</title><h2>Samstag, 21.11.2026</h2>"
        + "<li><p><span>Wie</span> <span>der</span> Wind sich hebt</p><b>19:30</b></li>"
        + "<li><p><span>Nacht</span> <span>am</span> <span>Fluss</span></p><b>21:45</b></li>",
      zone: "Europe/Berlin")
    #expect(found.screenings.map(\.title) == ["Wie der Wind sich hebt", "Nacht am Fluss"])
  }

  @Test("times and titles in elements of their own stay apart, however little is said of those")
  func cells() throws {
    let found = try reading(
      "<title>Bio</title><h1>Bio Skeppet</h1><div><div>Tis 24/11/2026</div><a href=/b/0><b>18.00</b><span>Schlick</span>"
        + "<i>Salong 1</i></a><a href=/b/1><b>20.30</b><span>Ebbe</span><i>Salong 1</i></a></div>"
        + "<div><div>Ons 25/11/2026</div><a href=/b/0><b>18.00</b><span>Moos</span><i>Salong 2</i></a></div>",
      zone: "Europe/Stockholm")
    #expect(found.screenings.map(\.title) == ["Schlick", "Ebbe", "Moos"])
    let rows = try reading(
      "<title>Kino</title><h2>2026/11/24</h2><div><h3>Schlick</h3><p><span>10:40</span><span>15:05</span>"
        + "<span>19:30</span></p></div>", zone: "Asia/Taipei")
    #expect(rows.screenings.count == 3)
  }

  @Test("an age in brackets stays in a heading as it stays in a text, and what a name ends with is all of the age")
  func ages() throws {
    let found = try reading(
      "<title>Silt | Moss</title><h1><span class=heading__primary><span>Silt</span> <span class=x>(12A)</span></span></h1>"
        + "<h2>Sat 21 Nov 2026</h2><p>18:00</p>", zone: "Europe/London")
    #expect(found.screenings.map(\.title) == ["Silt (12A)"])
    #expect(found.screenings.map(\.filmTitle) == ["Silt"])
    for age in ["ab 6 J.", "freigegeben ab 12 Jahren", "FSK ab 12"] {
      #expect(PrintedTitle("Pippa und der Bär \(age)").film == "Pippa und der Bär")
      #expect(PrintedTitle("Pippa und der Bär \(age)").certificate == age)
    }
  }

  @Test("what goes on from another text is no title")
  func rest() throws {
    func card(_ day: Int, _ title: String, _ facts: String) -> String {
      "<div><div><span>\(title)</span></div><div><i>\(facts)</i></div><p>\(day)/11/2026 19:30</p></div>"
    }
    let found = try reading(
      "<title>Films</title>" + card(21, "Silt", "(1985, Japan, Ann Moss)")
        + card(22, "Low Tide", "(1976, USA, B. Larch)"),
      zone: "Europe/London")
    #expect(found.screenings.map(\.title) == ["Silt", "Low Tide"])
  }
}

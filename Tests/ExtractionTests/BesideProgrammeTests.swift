import Extraction
import Testing

/// What a page says before and beside its programme, and what that must not change.
@Suite("Beside a programme")
struct BesideProgrammeTests {
  @Test(
    "the heading of a box that ends before the times is no title of theirs",
    arguments: [
      "<div class=cookie><h2>Wir verwenden Cookies</h2><p>Mehr dazu</p></div>",
      "<div class=news><h3>Neues aus dem Foyer</h3><p>Wir haben umgebaut.</p></div>",
      "<aside><h2>Das Haus am Fluss</h2><p>Seit 1992</p></aside>",
    ])
  func box(box: String) throws {
    let page =
      "<title>Silt - Kino</title><body>\(box)<div><div class=big>Silt</div><p>98 min</p></div>"
      + "<ul><li>Sa 21.11.2026 <b>19:30</b></li><li>So 22.11.2026 <b>21:30</b></li></ul>"
    #expect(try reading(page, zone: "Europe/Berlin").screenings.map(\.title) == ["Silt", "Silt"])
  }

  @Test("titles behind their times are not told one late for a heading of their kind before the first day")
  func phase() throws {
    let days =
      "<h2>21/11/2026</h2><h3>16h</h3><h4>Calma</h4><p>Dir. A</p><h3>18h30</h3><h4>Superpina</h4><p>Dir. B</p>"
      + "<h2>22/11/2026</h2><h3>18h30</h3><h4>Calypso</h4><p>Dir. C</p>"
    let whole = "<title>Mostra</title><h1>Mostra 2026</h1>"
    let lead = "<h4>Sobre a mostra</h4><p>Filmes.</p>"
    for page in [whole + days, whole + lead + days] {
      let found = try reading(page, zone: "America/Sao_Paulo")
      #expect(found.screenings.map(\.title) == ["Calma", "Superpina", "Calypso"])
    }
    // Titles before their times stay so, with one of their kind behind the last.
    let before =
      "<h2>21/11/2026</h2><h4>Calma</h4><p>16h</p><h4>Superpina</h4><p>18h30</p><h2>22/11/2026</h2><h4>Calypso</h4>"
      + "<p>18h30</p><h4>Sobre a mostra</h4><p>Filmes.</p>"
    #expect(
      try reading(whole + before, zone: "America/Sao_Paulo").screenings.map(\.title) == [
        "Calma", "Superpina", "Calypso",
      ])
  }

  @Test("the order of a record's fields changes nothing")
  func order() throws {
    let fields = [
      #""event_summary": "Doors open half an hour before""#, #""event_title": "Silt""#,
      #""headline": "Somebody returns""#,
      #""startSellingAtUtc": "2026-10-01T09:00:00Z""#, #""start": "2026-11-21T19:30:00""#, #""ViewGradeNameKR": "15""#,
      #""screen": "1""#,
    ]
    for ordered in [fields, fields.reversed(), fields.sorted()] {
      let found = try reading(
        "{\"events\": [{\(ordered.joined(separator: ", "))}]}", zone: "Europe/London", type: "application/json")
      #expect(found.lines == ["2026-11-21T19:30:00Z Silt"])
    }
  }

  @Test("what says from what age on is no title, and neither is how long a film is shown")
  func facts() throws {
    func shown(_ day: Int, _ title: String, _ age: String) -> String {
      "<h2>\(day)/11/2026</h2><h3>18h30</h3><p><a href='/f/\(day)'><strong>\(title)</strong></a></p><h6>\(age)</h6>"
    }
    let found = try reading(
      "<title>Mostra</title><h1>Mostra</h1>" + shown(21, "Calma", "Classificação: 18 anos")
        + shown(22, "Superpina", "Classificação livre") + shown(23, "Calypso", "FSK ab 12 Jahren"),
      zone: "America/Sao_Paulo")
    #expect(found.screenings.map(\.title) == ["Calma", "Superpina", "Calypso"])
  }
}

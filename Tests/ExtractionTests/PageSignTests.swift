import Extraction
import Testing

/// What classes, attributes and the order of a page say of its days, titles and houses.
@Suite("Signs of a page")
struct PageSignTests {
  private func lines(_ body: String, title: String = "Moss Cinema", zone: String = "Europe/London") throws -> [String] {
    try reading(
      "<html><head><title>\(title)</title></head><body>\(body)</body></html>", zone: zone, at: "2026-11-20T09:00:00Z"
    ).lines
  }

  private func venues(_ body: String, title: String) throws -> Set<String> {
    Set(
      try reading(
        "<html><head><title>\(title)</title></head><body>\(body)</body></html>", zone: "Europe/London",
        at: "2026-11-20T09:00:00Z"
      ).screenings.map { $0.venue ?? "" })
  }

  private static let shows = "<h2>Sat 21 November</h2><p>18:00 Silt</p><p>20:30 Marram</p>"

  @Test("an attribute's midnight of a clock elsewhere is the day alone where a time is printed")
  func midnight() throws {
    // 21 and 22 November, 07:00 UTC.
    func card(_ film: String, _ day: String, _ epoch: Int, _ clocks: String...) -> String {
      "<div class=show><h2>\(film)</h2><ul><li data-date=\(epoch)><span>\(day)</span></li></ul><ol>"
        + clocks.map { "<li data-date=\(epoch)><a href=/b/\($0)>\($0)</a></li>" }.joined() + "</ol></div>"
    }
    #expect(
      try lines(
        card("Silt", "Sat, Nov 21", 1_795_244_400, "4:00 pm", "7:30 pm")
          + card("Marram", "Sun, Nov 22", 1_795_330_800, "8:15 pm"), zone: "America/Toronto") == [
          "2026-11-21T16:00:00-05:00 Silt", "2026-11-21T19:30:00-05:00 Silt", "2026-11-22T20:15:00-05:00 Marram",
        ])
  }

  @Test(
    "of days that say whether they are pressed the pressed one is meant, and languages that are linked are no titles")
  func pressed() throws {
    let days = ["20", "21", "22"].map {
      "<div role=button aria-pressed=\($0 == "21")><span>\(["20": "Fri", "21": "Sat", "22": "Sun"][$0]!)</span><span>\($0)</span><span>Nov</span></div>"
    }.joined()
    func row(_ film: String, _ language: String, _ clock: String) -> String {
      "<div role=row><div><a href=/movies/\(film)>\(film)</a><div><a href=/x?l=\(language)>\(language)</a><span>, 2D</span></div></div><div role=button><span>\(clock)</span></div></div>"
    }
    #expect(
      try lines(
        "<main>\(days)<div>" + row("Silt", "Tamil", "18:00") + row("Marram", "Hindi", "20:30") + "</div></main>") == [
          "2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Marram",
        ])
  }

  @Test("who made a film is no title however often the page says so")
  func authors() throws {
    func card(_ kind: String, _ film: String, _ author: String, _ day: String, _ clock: String) -> String {
      "<a class='film \(kind)' href=/\(film)><div class=info><h2 class='filmtitle \(kind)'>\(film) <span class=versio>VOSE</span></h2><div class=autor>\(author)</div><span class=sessions><div class=session>\(day) <span class=hour>(\(clock))</span></div></span></div></a>"
    }
    #expect(
      try lines(
        card("new", "Silt", "Ana Berg", "Sat 21 Nov", "18:00")
          + card("new", "Foxglove", "Jo Reed", "Sun 22 Nov", "18:00")
          + card("kids", "Marram", "<div class=autor>Little Moss</div>Lee Hart", "Sat 21 Nov", "11:30")
          + card("cycle", "Bent Grass", "<div class=autor>Diaries</div>Mo Lind", "Sat 21 Nov", "16:00")) == [
          "2026-11-21T11:30:00Z Marram", "2026-11-21T16:00:00Z Bent Grass", "2026-11-21T18:00:00Z Silt",
          "2026-11-22T18:00:00Z Foxglove",
        ])
  }

  @Test("what comes soon heads a list, and is no film")
  func soon() throws {
    let menu =
      "<h4>LES FILMS PROGRAMMÉS</h4><ul><li><a href=/1>MARRAM</a></li></ul><h4>ET BIENTÔT...</h4><ul><li><a href=/2>FOXGLOVE</a></li></ul>"
    #expect(
      try lines(
        "<div>\(menu)</div><div><div class=soiree><b>Mardi 24 novembre à 20h15</b> - Séance unique</div><h1>SILT</h1></div>",
        title: "Cinémas Mousse", zone: "Europe/Paris") == ["2026-11-24T20:15:00+01:00 SILT"])
  }

  @Test("a house is called by its name, not by what its page lists")
  func houses() throws {
    #expect(try venues(Self.shows, title: "Moss Theatre Movie Guide") == ["Moss Theatre"])
    #expect(try venues("<h1>Program cinema Moss</h1>" + Self.shows, title: "Program cinema Moss") == [""])
    #expect(try venues("<h1>July's Screenings at Moss Cinema</h1>" + Self.shows, title: "Films") == ["Moss Cinema"])
    #expect(
      try venues(
        "<h1>Reed Mall</h1><p class=address>5/F Reed Mall, Mill Road</p>" + Self.shows,
        title: "Reed Mall Movie Schedule | TownGuide Movies") == ["Reed Mall"])
  }

  @Test("two films under one time, each marked in other clothes than elsewhere, are both shown")
  func two() throws {
    func card(_ clock: String, _ films: String...) -> String {
      let kind = films.count > 1 ? "film__title" : "lead film__title"
      return "<a class=row href=/\(clock)><div><h4 class=time>\(clock)</h4></div><div>"
        + films.map { "<div class=film><span class='\(kind)'><strong>\($0)</strong></span><p>DCP</p></div>" }.joined()
        + "</div></a>"
    }
    #expect(
      try lines(
        "<h2>Sat 21 November</h2>" + card("18:00", "Silt", "Marram") + card("19:00", "Foxglove")
          + card("20:30", "Bent Grass") + card("21:00", "The Long Ebb")) == [
          "2026-11-21T18:00:00Z Marram", "2026-11-21T18:00:00Z Silt", "2026-11-21T19:00:00Z Foxglove",
          "2026-11-21T20:30:00Z Bent Grass", "2026-11-21T21:00:00Z The Long Ebb",
        ])
  }

  @Test("a title behind two days with their times is of both")
  func shared() throws {
    func block(_ film: String, _ days: (String, String)...) -> String {
      "<div class=list>"
        + days.map { "<p class=date><b>\($0)</b> <span class=clock>\($1)</span></p>" }.joined()
        + "<h3 class=list-title><a href=/\(film)>\(film)</a></h3></div>"
    }
    #expect(
      try lines(
        block("Silt", ("November 21", "2:00 PM"))
          + block("Marram", ("November 22", "2:00 PM"), ("November 29", "4:00 PM"))
          + block("Foxglove", ("November 30", "7:00 PM"))) == [
          "2026-11-21T14:00:00Z Silt", "2026-11-22T14:00:00Z Marram", "2026-11-29T16:00:00Z Marram",
          "2026-11-30T19:00:00Z Foxglove",
        ])
  }

  @Test("a bare ten behind a bare half past seven is of the night, where each film has one time")
  func night() throws {
    func cell(_ day: String, _ shows: (String, String)...) -> String {
      "<td><h3>\(day)</h3>" + shows.map { "<p>\($0)</p><a href=/\($1)>\($1)</a>" }.joined() + "</td>"
    }
    #expect(
      try lines(
        "<table><tr>" + cell("Nov 21", ("7:30", "Silt"), ("10:00", "Marram")) + cell("Nov 22", ("8:00", "Foxglove"))
          + cell("Nov 23", ("7:15", "Bent Grass"), ("9:30", "Silt")) + "</tr></table>", zone: "America/New_York") == [
          "2026-11-21T19:30:00-05:00 Silt", "2026-11-21T22:00:00-05:00 Marram", "2026-11-22T20:00:00-05:00 Foxglove",
          "2026-11-23T19:15:00-05:00 Bent Grass", "2026-11-23T21:30:00-05:00 Silt",
        ])
  }

  @Test("a heading may name its day in words, and what is on television is not shown")
  func today() throws {
    func film(_ title: String, _ clocks: String...) -> String {
      "<li><a href=/\(title)><h4>\(title)</h4></a><ul>" + clocks.map { "<li>\($0)</li>" }.joined() + "</ul></li>"
    }
    let shows =
      "<section><h3>Sýningar í dag</h3><ul>" + film("Silt", "18:00", "22:15") + film("Marram", "20:00")
      + "</ul></section>"
    let wanted = ["2026-11-20T18:00:00Z Silt", "2026-11-20T20:00:00Z Marram", "2026-11-20T22:15:00Z Silt"]
    #expect(try lines(shows, zone: "Atlantic/Reykjavik") == wanted)
    let television = ["21:10 Five", "21:20 Iris"].map {
      "<div class=small>\($0) - <a href=/f/\($0.suffix(4))>Foxglove</a></div>"
    }
    // A menu's link and a film's title are no such heading.
    #expect(
      try lines(
        "<nav><a href=/tv>Programme TV</a></nav>" + shows.replacing("Silt", with: "Berlin TV"),
        zone: "Atlantic/Reykjavik"
      ).count == 3)
    #expect(
      try lines(shows + "<div><b>Stasera in TV</b>" + television.joined() + "</div>", zone: "Atlantic/Reykjavik")
        == wanted)
  }

  @Test("what stands behind a time's sign is where it is")
  func sign() throws {
    func event(_ title: String, _ line: String) -> String { "<p><strong>\(title)</strong></p><p>\(line)</p>" }
    #expect(
      try venues(
        "<h3>Movies</h3>" + event("Silt", "Saturday, November 21, 9 p.m. @ Reed Park")
          + event("Marram", "Sunday, November 22, 9:15 p.m. at Larch Field")
          + event("Foxglove", "Monday, November 23, 9 p.m. @ 8"), title: "Town") == ["Reed Park", "Larch Field", ""])
  }

  @Test("a labelled place is called without its town")
  func town() throws {
    func event(_ title: String, _ place: String) -> String {
      "<h4>\(title)</h4><ul><li>Uhrzeit: 20.00</li><li>Ort: \(place)</li></ul>"
    }
    #expect(
      try venues(
        "<h2>Samstag, 21. November</h2>" + event("Silt", "Moss Park, 1220 Wien")
          + event("Marram", "Reed Hof, 1050 Wien"),
        title: "Gratis") == ["Moss Park", "Reed Hof"])
  }

  @Test("buttons with a day and a time each are showings, pressed or not")
  func buttons() throws {
    let days = [("Fri 27 Nov", "18:00", true), ("Sat 28 Nov", "20:30", false), ("Sun 29 Nov", "16:00", false)].map {
      "<button aria-pressed=\($2)><span>\($0)</span> <b>\($1)</b></button>"
    }
    #expect(
      try lines("<main><h2>Silt</h2><div>\(days.joined())</div></main>") == [
        "2026-11-27T18:00:00Z Silt", "2026-11-28T20:30:00Z Silt", "2026-11-29T16:00:00Z Silt",
      ])
  }
}

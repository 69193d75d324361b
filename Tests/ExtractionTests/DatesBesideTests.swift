import Extraction
import Testing

/// Days that are told beside a programme: of a film's release, in news, in a part's name, in a list whose first is shown.
@Suite("Days beside a programme")
struct DatesBesideTests {
  private func lines(_ body: String, zone: String = "Europe/Vienna") throws -> [String] {
    try reading(
      "<html><head><title>Moss Kino</title></head><body>\(body)</body></html>", zone: zone,
      at: "2026-11-20T09:00:00+01:00"
    ).lines
  }

  private static let today =
    "<select name=date><option value=1 selected>Heute, FR 20.11.2026</option><option value=2>Morgen, SA 21.11.2026</option></select>"

  @Test(
    "a day behind the name of a release is when the film came out, in an element of its own as well",
    arguments: ["Kinostart", "Filmstart", "Estreno", "Premiéra", "Datum premiery", "Release date", "Ensi-ilta"])
  func releases(_ label: String) throws {
    func film(_ title: String, _ facts: String, _ clock: String) -> String {
      "<div><h2><a href=/\(title)>\(title)</a></h2>\(facts)<p class=t>\(clock)</p><p>Saal 1</p></div>"
    }
    let paragraphs = ["27.08.2026", "01.10.2026"].map { "<p><span>\(label):</span> \($0)</p>" }
    #expect(
      try lines(Self.today + film("Silt", paragraphs[0], "20:45") + film("Marram", paragraphs[1], "18:00")) == [
        "2026-11-20T18:00:00+01:00 Marram", "2026-11-20T20:45:00+01:00 Silt",
      ])
    let rows = ["27/08/2026", "01/10/2026"].map { "<table><tr><th>\(label):</th><td>\($0)</td></tr></table>" }
    #expect(
      try lines(Self.today + film("Silt", rows[0], "20:45") + film("Marram", rows[1], "18:00")) == [
        "2026-11-20T18:00:00+01:00 Marram", "2026-11-20T20:45:00+01:00 Silt",
      ])
  }

  @Test("a list of days that begins with today and marks none is shown for today, also where it says it twice")
  func first() throws {
    let shows = "<ul><li><b>Silt</b> 18:00</li><li><b>Marram</b> 20:30</li></ul>"
    func list(_ days: String...) -> String {
      "<select>" + days.map { "<option value='\($0)'>\($0)</option>" }.joined() + "</select>"
    }
    let today = ["2026-11-20T18:00:00+01:00 Silt", "2026-11-20T20:30:00+01:00 Marram"]
    #expect(
      try lines(list("Hoy (20 noviembre)", "Mañana (21 noviembre)", "22 noviembre") + shows, zone: "Europe/Madrid")
        == today)
    // Where it begins later, what is shown may be anything.
    #expect(try lines(list("21 noviembre", "22 noviembre") + shows, zone: "Europe/Madrid") == [])
  }

  @Test("the day of news below a programme is of the news")
  func news() throws {
    let strip =
      "<ul><li class=active><a href='?d=1'>Vr 20-11</a></li><li><a href='?d=2'>Za 21-11</a></li><li><a href='?d=3'>Zo 22-11</a></li></ul>"
    func show(_ title: String, _ clock: String) -> String {
      "<div class=item><div class=time><a href=/b/\(title)>\(clock)</a></div><h4>\(title)</h4></div>"
    }
    func news(_ title: String, _ day: String) -> String {
      "<div class='widget-news__item'><h6 class='widget-news__item__date'>\(day)</h6><h5>\(title)</h5></div>"
    }
    #expect(
      try lines(
        strip + "<div>" + show("Silt", "18:00") + show("Marram", "20:30") + "</div>"
          + news("A new screen", "9 juli 2026") + news("Open again", "29 juni 2026"), zone: "Europe/Amsterdam") == [
          "2026-11-20T18:00:00+01:00 Silt", "2026-11-20T20:30:00+01:00 Marram",
        ])
  }

  @Test("a part's id may name its film and its day")
  func ids() throws {
    func panel(_ film: String, _ day: String, _ clock: String) -> String {
      "<article id='horario-\(film)-\(day)'><div class=row><a href=/b/\(film)\(day)>\(clock)</a></div></article>"
    }
    let strip =
      "<ul><li class=active><a href='?d=1'>Vr 20-11</a></li><li><a href='?d=2'>Za 21-11</a></li><li><a href='?d=3'>Zo 22-11</a></li></ul>"
    #expect(
      try lines(
        strip + "<article><h2>Silt</h2><div>" + panel("106873", "20261121", "18:00")
          + panel("106873", "20261122", "20:00")
          + "</div></article><article><h2>Marram</h2><div>" + panel("108031", "20261204", "20:30") + "</div></article>")
        == [
          "2026-11-21T18:00:00+01:00 Silt", "2026-11-22T20:00:00+01:00 Silt", "2026-12-04T20:30:00+01:00 Marram",
        ])
  }

  private static let blog =
    "<p>Silt estreia no dia 19 de novembro.</p><p><b><br>HORÁRIOS CINE MOSS<br>19 a 25 de novembro</b></p><p><b>15h: SILT</b></p>"
    + "<p><b>17h:&nbsp;MARRAM</b></p><p>Ingressos a R$ 12 na bilheteria.</p>"

  @Test("a cinema's week in a paragraph heads the lines below it, each with its time and its title")
  func weeks() throws {
    let found = try lines(Self.blog, zone: "Europe/Lisbon")
    #expect(found.count == 14 && found.first?.hasSuffix("SILT") == true, "\(found)")
    #expect(found.filter { $0.hasSuffix("MARRAM") }.count == 7)
  }

  @Test(
    "a day of rest below a week is left out of all that it heads",
    arguments: [
      "*Não há sessões nas segundas-feiras", "SEGUNDA-FEIRA NÃO HÁ SESSÕES", "Pas de séance le lundi",
      "Closed on Mondays",
      "Montags keine Vorstellung",
    ])
  func rest(_ line: String) throws {
    let below = try lines(
      Self.blog.replacing("<p>Ingressos", with: "<p>\(line)</p><p>Ingressos"), zone: "Europe/Lisbon")
    #expect(below.count == 12 && below.allSatisfy { !$0.hasPrefix("2026-11-23") }, "\(below)")
    let under = try lines(
      "<h2>19 a 25 de novembro</h2><p>\(line)</p><ul><li><b>Silt</b> 18h</li><li><b>Marram</b> 20h</li></ul>",
      zone: "Europe/Lisbon")
    #expect(under.count == 12 && under.allSatisfy { !$0.hasPrefix("2026-11-23") }, "\(under)")
  }

  @Test("a table of a year that has begun is a programme by what is to come")
  func tables() throws {
    let rows = (1...40).map { "2026-\($0 < 10 ? "01-0\($0)" : $0 < 28 ? "03-\($0)" : "12-\($0 - 18)"),3PM,Film \($0)" }
    let found = try reading(
      (["date,time,movie"] + rows).joined(separator: "\n") + "\n", zone: "Europe/London", at: "2026-11-20T09:00:00Z",
      type: "text/plain")
    #expect(found.screenings.count == 40)
  }

  @Test("a run of days is of the month that stands before it, though the days of another have the same weekdays")
  func months() throws {
    func row(_ month: String, _ days: String, _ title: String) -> String {
      "<tr>\(month.isEmpty ? "" : "<td rowspan=1>\(month)</td>")<td>\(days)</td><td>10:30-12:06<br><a href=/\(title)>\(title)</a></td>"
        + "<td>12:50-14:28<br><a href=/x>葦の原</a></td></tr>"
    }
    let found = try reading(
      "<html lang=ja><title>葦館</title><table><tr><th colspan=2>上映日</th><th>1回目</th><th>2回目</th></tr>"
        + row("2月", "1（日）～3（火）", "泥の川") + row("3月", "1（日）～3（火）", "冬の岸") + "</table>", zone: "Asia/Tokyo",
      at: "2026-01-25T09:00:00+09:00")
    #expect(
      found.screenings.filter { $0.title == "泥の川" }.map { "\($0.start)".prefix(10) } == [
        "2026-02-01", "2026-02-02", "2026-02-03",
      ])
    #expect(
      found.screenings.filter { $0.title == "冬の岸" }.map { "\($0.start)".prefix(10) } == [
        "2026-03-01", "2026-03-02", "2026-03-03",
      ])
  }

  @Test("a day in a section below its heading is not that of a time before it")
  func sections() throws {
    let days =
      "<ul class=days><li class=active><a href='?d=20261120'>20. November</a></li>"
      + "<li><a href='?d=20261121'>21. November</a></li></ul>"
    let films = ["Silt", "Marram"].map {
      "<div class=film><h3>\($0)</h3><p><a class=t href=/t>18:15</a><a class=t href=/t>20:30</a></p></div>"
    }
    let soon =
      "<section class=soon><h2>Demnächst</h2><ul><li><a href=/f>Dune Song</a> <time>18. Dezember 2026</time></li></ul></section>"
    #expect(
      try lines("<main>\(days)<div>\(films.joined())</div>\(soon)</main>") == [
        "2026-11-20T18:15:00+01:00 Marram", "2026-11-20T18:15:00+01:00 Silt", "2026-11-20T20:30:00+01:00 Marram",
        "2026-11-20T20:30:00+01:00 Silt",
      ])
  }
}

import Extraction
import Testing

/// Programmes that say on which day a film is shown, and not at what time; and pages that say the hour once.
@Suite("Days without a time")
struct DaysAloneTests {
  private func lines(_ body: String, title: String = "Moss Kino") throws -> [String] {
    try reading(
      "<html lang=de><head><title>\(title)</title></head><body>\(body)</body></html>", zone: "Europe/Vienna",
      at: "2026-07-20T09:00:00+02:00"
    ).lines
  }

  private static let films = ["Silt", "Marram", "Bent Grass", "The Long Ebb", "Foxglove"]

  private func list(_ days: [String]) -> String {
    "<ul>" + zip(days, Self.films).map { "<li><a href=/f/\($1)><span>\($0) \($1)</span></a></li>" }.joined() + "</ul>"
  }

  @Test("an open-air's list with its weekdays is a programme of days")
  func openAir() throws {
    let days = ["Sa. 01.08.", "So. 02.08.", "Mo. 03.08.", "Di. 04.08.", "Mi. 05.08."]
    #expect(
      try lines("<h1>Open Air</h1><h3>August 2026</h3>" + list(days)) == [
        "2026-08-01 Silt", "2026-08-02 Marram", "2026-08-03 Bent Grass", "2026-08-04 The Long Ebb",
        "2026-08-05 Foxglove",
      ])
  }

  @Test("what is over, what comes out on Thursdays, and days of which one has no film are none")
  func others() throws {
    let over = ["Mi. 01.07.", "Do. 02.07.", "Fr. 03.07.", "Sa. 04.07.", "So. 05.07."]
    #expect(try lines("<h1>Neues</h1>" + list(over)) == [])
    let released = ["Do. 30.07.", "Do. 06.08.", "Do. 13.08.", "Do. 20.08.", "Do. 27.08."]
    #expect(try lines("<h1>Demnächst</h1>" + list(released)) == [])
    let weekdays = ["Sa. 01.08.", "So. 02.08.", "Mo. 03.08.", "Di. 04.08.", "Mi. 05.08."]
    #expect(try lines("<h1>Open Air</h1>" + list(weekdays) + "<ul><li><span>Do. 06.08.</span></li></ul>") == [])
  }

  @Test("cards of events and rows of films have their days without weekdays, those of releases do not")
  func cards() throws {
    let days = ["1 Aug 2026", "2 Aug 2026", "3 Aug 2026", "5 Aug 2026", "6 Aug 2026"]
    func cards(_ kind: String) -> String {
      zip(days, Self.films).map {
        "<div class=\(kind)><p class=date>\($0)</p><h3><a href=/f/\($1)>\($1)</a></h3><p>In the yard</p></div>"
      }.joined()
    }
    #expect(try lines("<h1>Kino</h1>" + cards("event-card")).count == 5)
    #expect(try lines("<h1>Kino</h1>" + cards("teaser")) == [])
    let rows = zip(["04. 08.", "04. 08.", "05. 08.", "06. 08.", "07. 08.", "08. 08."], Self.films + ["Silt"]).map {
      "<tr class=film><th class=film_date>\($0)</th><td class=film_title>\($1)</td><td>Hof</td></tr>"
    }.joined()
    #expect(try lines("<table>\(rows)</table>").count == 6)
  }

  @Test("the hour of all films may be said beside that of the car park")
  func hour() throws {
    func card(_ day: String, _ film: String) -> String { "<div><p><i>\(day)</i></p><h2>\(film)</h2><p>EUR 9</p></div>" }
    let said = "<p>The lot opens at 8:00PM, movies start around 9:30PM. Bring a blanket.</p>"
    #expect(
      try lines(said + card("Saturday, August 1st", "Silt") + card("Sunday, August 2nd", "Marram")) == [
        "2026-08-01T21:30:00+02:00 Silt", "2026-08-02T21:30:00+02:00 Marram",
      ])
  }

  @Test("weekdays with one time say the hour of the days below that are such days, until what is over")
  func weekdays() throws {
    func film(_ day: String, _ title: String) -> String {
      "<div><p class=film-date>\(day)</p><h3>\(title)</h3><p>(2024, dir. Ana Berg, 1 hour 48 minutes)</p></div>"
    }
    let lead = "<p>Thursday Evenings | 7:00 P.M.<br>Reed Hall</p><p>Office hours: Mon. and Wed., 1:30 - 3:00 p.m.</p>"
    let over = "<h2>Previously screened:</h2>" + film("FEBRUARY 5", "Bent Grass") + film("FEBRUARY 12", "Foxglove")
    #expect(
      try lines(lead + film("JULY 23", "Silt") + film("JULY 30", "Marram") + over) == [
        "2026-07-23T19:00:00+02:00 Silt", "2026-07-30T19:00:00+02:00 Marram",
      ])
  }

  @Test("a bold title before who made it and its facts is one, under a day whose hour is said in a sentence")
  func sentence() throws {
    func film(_ day: String, _ title: String) -> String {
      "<h3>\(day)</h3><p><strong>\(title)</strong>&nbsp;Ana Berg | Chile/Peru | 2015 | M | 2hr5min</p><p>A long way up a river.</p>"
    }
    let lead =
      "<p>This year all is on Fridays. Doors now open at 7pm and movies begin at 7.30pm. Some nights begin with a short.</p>"
    #expect(
      try lines("<div>" + lead + film("24 July", "Silt") + film("7 August", "Marram") + "</div>") == [
        "2026-07-24T19:30:00+02:00 Silt", "2026-08-07T19:30:00+02:00 Marram",
      ])
  }
}

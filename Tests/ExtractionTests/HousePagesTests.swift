import Calendars
import Extraction
import Testing

/// What the pages of art houses have beside their programmes: codes of rooms, directions, lengths with a point, months whose
/// cells say their day to programs, guests that are told of in another column.
@Suite("Pages of houses")
struct HousePagesTests {
  private static let zone = "America/New_York"
  private static let at = "2026-09-03T10:00:00-04:00"

  private func lines(_ body: String, at: String = at) throws -> [String] {
    try reading(body, zone: Self.zone, at: at).lines
  }

  @Test(
    "a length with a point and a half of a number are no days",
    arguments: [
      "Followed by a 7.5-min excerpt", "With 2.5 hours of talk", "One night only: SUPER 8 1/2 and NO LAMP",
    ])
  func measures(note: String) throws {
    let found = try lines(
      "<h3>Friday, September 4</h3><div><a>6:45 PM</a><br><span class=film-title>SILT</span><div class=notes><p>\(note)</p>"
        + "</div></div><div><a>8:45 PM</a><br><span class=film-title>BOLT</span></div>")
    #expect(found == ["2026-09-04T18:45:00-04:00 SILT", "2026-09-04T20:45:00-04:00 BOLT"])
  }

  @Test("of which month a number in a calendar is, its cell says")
  func cells() throws {
    func cell(_ date: String, _ body: String) -> String {
      "<td data-date=\"\(date)\"><div class=inner><div>\(Int(date.suffix(2)) ?? 0)</div>\(body)</div></td>"
    }
    func show(_ title: String, _ time: String) -> String {
      "<div class=event><div class=time>\(time)</div><div class=title><a href=/e/1>\(title)</a></div></div>"
    }
    let found = try lines(
      "<h3>September 2026</h3><table><tr><th>Sunday<th>Monday<th>Tuesday<th>Wednesday</tr><tr>"
        + cell("2026-08-30", show("Silt", "4:30 PM") + show("Bolt", "7 PM")) + cell("2026-08-31", "")
        + cell("2026-09-01", "") + cell("2026-09-02", show("Lamp", "12:15 PM")) + "</tr></table>",
      at: "2026-08-30T10:00:00-04:00")
    #expect(
      found == [
        "2026-08-30T16:30:00-04:00 Silt", "2026-08-30T19:00:00-04:00 Bolt", "2026-09-02T12:15:00-04:00 Lamp",
      ])
  }

  @Test("capitals and a number are a room, whatever their class is called; how to find a house is none")
  func rooms() throws {
    let found = try reading(
      "<title>Moss Corner Theatre</title><p>Moss Corner <span class=location>west of 6th Ave.</span></p>"
        + "<h2>Friday, September 4</h2><div class=card><h3>Silt</h3><a href=/b/1><span class=time>3:45pm</span>"
        + "<span class=ticket-venue>MH3</span></a></div><div class=card><h3>Bolt</h3><a href=/b/2>"
        + "<span class=time>4:00pm</span><span class=ticket-venue>MH5</span></a></div>",
      zone: Self.zone, at: Self.at)
    #expect(
      found.screenings.map { "\($0.title) \($0.venue ?? "") \($0.screen ?? "")" } == [
        "Silt Moss Corner Theatre MH3", "Bolt Moss Corner Theatre MH5",
      ])
  }

  @Test("facts of a film in a part called \"in theater\" are neither its house nor its room")
  func inTheater() throws {
    func card(_ title: String, _ facts: String, _ time: String) -> String {
      "<div class=\"item home-in-theater-movie\"><h4><a href=/f>\(title)</a></h4><div class=film-metadata>\(facts)</div>"
        + "<div class=showtimes><a href=/b/\(time.utf8.count)>\(time)</a></div></div>"
    }
    let found = try reading(
      "<title>Mossograph</title><div id=day-2026-09-04>" + card("Silt", "Ana Berg / 1997 / 96min / DCP", "2:00pm")
        + card("Bolt", "Ida Holm / 1960 / 125min / 35mm", "7:00pm") + "</div>", zone: Self.zone, at: Self.at)
    #expect(found.screenings.map(\.title) == ["Silt", "Bolt"])
    #expect(found.screenings.allSatisfy { $0.venue == nil && $0.screen == nil }, "\(found.screenings)")
  }

  @Test("a showing that another column tells with its guests is told once")
  func guests() throws {
    let found = try reading(
      "<h3>Friday, September 4</h3><p><b>SILT</b><br><span>7:45 PM</span></p><p><b>BOLT</b><br><span>9:15 PM</span></p>"
        + "<h4>Upcoming events</h4><section><h5>SILT <br>Preview and Q&amp;A with director Ana Berg and star Ida Holm</h5>"
        + "<p>Friday, September 4<br>7:45 PM</p></section>", zone: Self.zone, at: Self.at)
    #expect(found.lines == ["2026-09-04T19:45:00-04:00 SILT", "2026-09-04T21:15:00-04:00 BOLT"])
    #expect(found.screenings.first?.attributes.contains(.guestVisit) ?? false, "\(found.screenings)")
  }

  @Test("a part of a house's site that is called Film is no house")
  func kind() throws {
    let found = try reading(
      "<title>Film | Museum of Moss</title><h1>Film</h1><div class=well>Film<h3>Silt</h3><span>Saturday, October 10, 2026<br>"
        + "2:00 pm–3:30 pm</span></div><div class=well>Film<h3>Bolt</h3><span>Friday, October 16, 2026<br>7:00 pm–9:30 pm"
        + "</span></div>", zone: Self.zone, at: Self.at)
    #expect(found.screenings.map(\.venue) == ["Museum of Moss", "Museum of Moss"])
  }

  @Test("panels behind as many days are each of the day that has its place, and none of those that only look so")
  func panels() throws {
    let days =
      "<div id=nav><div class=d><p>Saturday</p><p>Sep 5</p></div><div class=d><p>Sunday</p><p>Sep 6</p></div>"
      + "<div class=d><p>Monday</p><p>Sep 7</p></div></div>"
    func film(_ title: String, _ time: String) -> String {
      "<a href=/f><h3>\(title)</h3><p>Moss Cinema</p><div><span class=showtime>\(time)</span></div></a>"
    }
    func page(
      _ kind: String, _ second: String = "<p>No screenings for September 6, 2026</p>"
    ) throws -> [String] {
      try lines(
        "<h2>Upcoming</h2>\(days)<div id=slider><div class=\"\(kind)\">" + film("Silt", "7:00 pm")
          + film("Bolt", "9:00 pm")
          + "</div><div class=\"\(kind)\">\(second)</div><div class=\"\(kind)\">"
          + film("Silt", "5:00 pm") + "</div></div>")
    }
    let told = ["2026-09-05T19:00:00-04:00 Silt", "2026-09-05T21:00:00-04:00 Bolt", "2026-09-07T17:00:00-04:00 Silt"]
    #expect(try page("by-date-list-day") == told)
    #expect(try page("film-box") == told, "one in which nothing is shown is no film's")
    #expect(try page("film-box", film("Marram", "3:00 pm")) == [])
  }

  @Test("a title ends where its year and its director begin")
  func directed() throws {
    let found = try lines(
      "<h3>Friday, September 4</h3><ul><li><a href=/e/1><p><span><em>Silt: Terms</em>. 2025. Directed by Ana Berg</span></p>"
        + "<p><span>7:00 p.m.</span></p></a></li><li><a href=/e/2><p><span><em>Bolt</em>. <em>Lamp</em>. Directed by Ida Holm"
        + "</span></p><p><span>4:00 p.m.</span></p></a></li></ul>")
    #expect(found == ["2026-09-04T16:00:00-04:00 Bolt. Lamp", "2026-09-04T19:00:00-04:00 Silt: Terms"])
  }

  @Test(
    "a month's name between dashes, and a year of two digits behind it",
    arguments: ["13-SEP-26", "13-Sep-2026", "13 Sep 26", "13-Sep"])
  func dashes(day: String) throws {
    #expect(
      try lines("<h3>\(day)</h3><p>Silt 15:00</p><p>Bolt 20:15</p>") == [
        "2026-09-13T15:00:00-04:00 Silt", "2026-09-13T20:15:00-04:00 Bolt",
      ])
  }

  @Test("what a ticketing platform calls an attribute is read like a field")
  func attributes() throws {
    let found = try reading(
      #"{"name":"Silt (2025)","attribute_Type":"Film","attribute_Venue":"Moss Hall","instances":["#
        + #"{"start":"2026-09-05T19:30:00","startUtc":"2026-09-05T23:30:00","cancelled":false}]}"#,
      zone: Self.zone, at: Self.at)
    #expect(found.screenings.map { "\($0.title) \($0.venue ?? "")" } == ["Silt (2025) Moss Hall"])
  }

  @Test("an aside of a card has the card's own time")
  func asides() throws {
    func card(_ title: String, _ day: String, _ time: String) -> String {
      "<article><h3><a href=/w/a>\(title)</a></h3><aside class=o-event__details><span>\(day)</span><span>\(time)</span>"
        + "</aside><a href=/book/\(title)>Book Now</a></article>"
    }
    let found = try lines(
      card("Silt", "Mon 28 September 2026", "10:30am") + card("Bolt", "Tue 29 September 2026", "7:30pm"))
    #expect(found == ["2026-09-28T10:30:00-04:00 Silt", "2026-09-29T19:30:00-04:00 Bolt"])
  }

  @Test("a first showing that is sold out, and looks so, hides none behind it")
  func sold() throws {
    let found = try lines(
      "<div><div><a class=liveeventtitle href=/film/1>Silt</a></div><div><ul><div class=heading>Saturday 5th September</div>"
        + "<li><a class=sold_button><span>Sold Out</span><span class=time>8:00 pm</span></a></li><div class=heading>Thursday 10th"
        + " September</div><li><a href=/b/1 class=book_button><span>Book</span><span class=time>2:35 pm</span></a></li></ul>"
        + "</div></div>")
    #expect(found == ["2026-09-05T20:00:00-04:00 Silt", "2026-09-10T14:35:00-04:00 Silt"])
  }

  @Test("what is watched at home is no screening")
  func online() throws {
    let found = try reading(
      #"{"events":[{"id":"1","name":"Silt: online","venue":{},"start_time":"2026-09-18T19:00:00.000Z","films":[{"id":"11","#
        + #""type":"livestream","name":"Silt: online","start_time":"2026-09-18T20:00:00.000Z"}],"is_virtual":true},"#
        + #"{"id":"2","name":"Silt","venue":{"id":"6","name":"Moss Cinema"},"start_time":"2026-09-18T20:00:00.000Z","films":"#
        + #"[{"id":"21","type":"film","name":"Silt"}],"is_virtual":false}]}"#, zone: Self.zone, at: Self.at)
    #expect(found.screenings.map { "\($0.title) \($0.venue ?? "")" } == ["Silt Moss Cinema"])
  }

  @Test("neither what heads films nor a film's picture is a house")
  func heads() throws {
    let found = try reading(
      "<title>Listings | Moss Theatre</title><section><h3>Now Showing at Moss Cinema</h3><h5>Silt</h5></section><section>"
        + "<div>Wednesday 9th September</div><ul><li><a href=/b/1><p class=time>11.00AM</p><p class=f-title>Silt</p></a></li>"
        + "<li><a href=/b/2><p class=time>3.40PM</p><p class=f-title>Bolt</p></a></li></ul></section><section><h3>Coming Soon at"
        + " Moss Cinema</h3><h5>Lamp</h5></section>", zone: Self.zone, at: Self.at)
    #expect(found.screenings.map(\.venue) == ["Moss Theatre", "Moss Theatre"])
    let film = try reading(
      "<div id=site-carousel><img src=t.jpg alt=\"Silt\"></div><h1 class=page-title>Silt</h1>"
        + "<a href=/b/1><time datetime=\"2026-09-30T15:20\">15:20</time></a>", zone: Self.zone, at: Self.at)
    #expect(film.screenings.map { "\($0.title) \($0.venue ?? "")" } == ["Silt "])
  }

  @Test(
    "a name may have a number and what could be counted, and who is let in behind it",
    arguments: [
      ("괴물 (12세)", "괴물"), ("20세기 소녀", "20세기 소녀"), ("괴물 15세이상관람가", "괴물"), ("13세의 여름", "13세의 여름"),
      ("127 Hours", "127 Hours"), ("48 Hrs.", "48 Hrs."),
    ])
  func counted(title: String, film: String) throws {
    let found = try reading(
      "<h2>2026.9.5 (토)</h2><h3>\(title)</h3><span>10:30</span><h3>기생충</h3><span>13:00</span><h3>올드보이</h3>"
        + "<span>15:30</span>", zone: "Asia/Seoul", at: "2026-09-03T10:00:00+09:00")
    #expect(found.screenings.map { $0.filmTitle } == [film, "기생충", "올드보이"], "\(found.lines)")
  }
}

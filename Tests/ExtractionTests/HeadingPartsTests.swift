import Extraction
import Testing

/// What stands in a heading or over a programme beside the film's name.
@Suite("Parts of headings")
struct HeadingPartsTests {
  private func shows(_ body: String, title: String = "Moss Kino") throws -> [String] {
    try reading(
      "<html><head><title>\(title)</title></head><body>\(body)</body></html>", zone: "Europe/Madrid",
      at: "2026-11-20T09:00:00+01:00"
    ).screenings.map { "\($0.title) @ \($0.venue ?? "-")" }
  }

  private func film(_ heading: String, _ clock: String) -> String {
    "<div class=film>\(heading)<p>98 min</p><ul><li>\(clock)</li></ul></div>"
  }

  @Test(
    "a version and a translation in elements of their own are no part of the title",
    arguments: [
      "<h2><a href=/silt>Silt <small>VOSE</small></a> <span class=x><small>Pendiente de calificación</small></span></h2>",
      "<h2><a href=/silt>Silt <small>VOSE</small></a> <span class=x><img src=12.svg alt='Not under 12'></span></h2>",
      "<h2>Silt <em>OmU</em></h2>",
      "<h3 class=film-title__text>Silt<br><span class=film-title__translated-text>Lodo</span></h3>",
    ])
  func versions(_ heading: String) throws {
    let other = heading.replacing("Silt", with: "Marram").replacing("Lodo", with: "Barrón")
    #expect(
      try shows("<h1>Sábado 21 de noviembre</h1>" + film(heading, "18:00") + film(other, "20:30"))
        == ["Silt @ Moss Kino", "Marram @ Moss Kino"])
  }

  @Test("what is printed in brackets stays")
  func brackets() throws {
    #expect(
      try shows(
        "<h1>Sábado 21 de noviembre</h1>" + film("<h2>Silt <small>(VOSE)</small></h2>", "18:00")
          + film("<h2>Marram <small>(VOSE)</small></h2>", "20:30")) == [
          "Silt (VOSE) @ Moss Kino", "Marram (VOSE) @ Moss Kino",
        ])
  }

  @Test("what a house has on a network is no house")
  func networks() throws {
    let body =
      "<div class=side><h3>Kino Larch na Facebooku</h3></div><p><strong>SILT 21.11. v 18:30</strong><br>Drama</p>"
      + "<p><strong>MARRAM 22.11. v 20:30</strong><br>Drama</p>"
    #expect(try shows(body, title: "Program").allSatisfy { $0.hasSuffix("@ -") })
    #expect(try shows(body, title: "Program").count == 2)
  }

  @Test("a heading over somebody's form is no film that houses show")
  func forms() throws {
    func item(_ film: String, _ house: String, _ when: String) -> String {
      """
      <div class=event><h2><a href=/\(film)>\(film)</a></h2><div><h6>Ana Berg | Poland | 2017 | 100 mins</h6></div>
      <div class=schedule><h5><a href=/\(film)>\(film)</a> - <a class=cinema_title href=/h/\(house)>\(house)</a></h5>
      <h6>\(when)</h6></div></div>
      """
    }
    let found = try shows(
      "<div class=signup><h6>Sign up for access to discount tickets!</h6><form><input name=mail></form></div>"
        + item("Silt", "Rio Cinema", "Saturday 21/11/2026 17:45")
        + item("Marram", "Phoenix Cinema", "Sunday 22/11/2026 20:15")
        + item("Bolt", "Larch Cinema", "Monday 23/11/2026 20:15"), title: "Moss Film Club")
    #expect(found == ["Silt @ Rio Cinema", "Marram @ Phoenix Cinema", "Bolt @ Larch Cinema"])
  }

  @Test("headings over the times of a film's own page are its houses where half of them are surely some")
  func accordion() throws {
    func part(_ name: String, _ times: String...) -> String {
      "<div class=item><h2><button aria-expanded=true>\(name)</button></h2><div>"
        + times.map { "<div class=card><div>2D - DOB</div><div>\($0)</div><div>$ 21.900</div></div>" }.joined()
        + "</div></div>"
    }
    let strip =
      "<div><div class='day selected'>SÁB 21 nov</div><div class=day>DOM 22 nov</div><div class=day>LUN 23 nov</div></div>"
    #expect(
      try shows(
        "<h1>Silt</h1><p>Duración: 100 Minutos</p>" + strip
          + part("Parque Fabricato - Bello", "4:25 pm", "6:40 pm")
          + part("Puerta del Norte - Bello", "4:55 pm", "7:10 pm"),
        title: "Silt | Larch") == [
          "Silt @ Parque Fabricato - Bello", "Silt @ Puerta del Norte - Bello", "Silt @ Parque Fabricato - Bello",
          "Silt @ Puerta del Norte - Bello",
        ])
  }

  @Test("a chain's house is one by its class and by its name")
  func complexes() throws {
    func house(_ name: String, _ films: String) -> String {
      "<div class='divComplejo'><a href='#' class=btnInfo><h2>\(name)</h2></a>\(films)</div>"
    }
    func film(_ title: String, _ clock: String) -> String {
      "<article><h3><a href=/p/\(title)>\(title)</a></h3><time class=btn><a href=/b>\(clock)</a></time></article>"
    }
    #expect(
      try shows(
        "<h1>Sábado 21 de noviembre</h1>"
          + house("Cinérama Plaza Azahares", film("Silt", "18:00") + film("Marram", "20:00"))
          + house("Cinérama VIP Moss", film("Silt", "19:00")), title: "Cartelera") == [
          "Silt @ Cinérama Plaza Azahares", "Silt @ Cinérama VIP Moss", "Marram @ Cinérama Plaza Azahares",
        ])
  }

  @Test("an exhibition's hours are no screening, and a night of films may last as long")
  func exhibitions() throws {
    func row(_ title: String, _ times: String, _ day: String) -> String {
      "<div class=data>\(day)</div><a href=#x><span>\(title)</span></a><table><tr><td>\(times)</td><td>bez limitu</td></tr></table>"
    }
    let found = try reading(
      "<title>Moss</title>" + row("Silt", "18:00-19:40", "21.11.2026") + row("Bolt", "20:00-21:40", "21.11.2026")
        + row("Reed", "20:00-21:40", "22.11.2026") + row("Fen", "20:00-21:40", "23.11.2026")
        + row("Wystawa | Anna Moss", "11:00-18:00", "22.11.2026")
        + row("Wystawa | Anna Moss", "11:00-18:00", "24.11.2026") + row("Maraton: Marram", "16:00-23:00", "25.11.2026"),
      zone: "Europe/Warsaw", at: "2026-11-20T09:00:00+01:00")
    #expect(found.screenings.map(\.title) == ["Silt", "Bolt", "Reed", "Fen", "Maraton: Marram"])
    #expect(found.unread.contains { $0.why.contains("exhibition") })
  }

  @Test("the layout's title goes on where that of the page's data ends")
  func subtitles() throws {
    func show(_ title: String, _ name: String, _ id: String, _ seconds: Int, _ clock: String) -> String {
      """
      <div class=item><h3><a href=/f/\(id)>\(title)</a></h3><a class=button
      data-screening='{"EventName":"\(name)","Showtime":"/Date(\(seconds)000)/","ShowtimeId":"\(id)","VenueName":"Moss Bay"}'>\(clock)</a></div>
      """
    }
    let found = try reading(
      "<title>Moss Festival</title><h2>Saturday 21 November</h2>"
        + show("Tidé – Fight For Peace", "Tide", "a1", 1_795_284_000, "6:00 PM")
        + show("Marram", "Marram", "a2", 1_795_291_200, "8:00 PM"), zone: "Europe/London", at: "2026-11-20T09:00:00Z")
    #expect(found.lines == ["2026-11-21T18:00:00Z Tidé – Fight For Peace", "2026-11-21T20:00:00Z Marram"])
  }

  @Test("a page that is called as its one first heading is about that")
  func ofOneEvent() throws {
    let page =
      "<div><h1>An evening with Ana Berg<br></h1><h2>Films and talk</h2><div>25.11.2026 19:00</div></div>"
    #expect(
      try shows(page, title: "An evening with Ana Berg").map { String($0.prefix(24)) } == ["An evening with Ana Berg"])
  }

  @Test("what a house tells heads no table whose times each have a film with a page")
  func notices() throws {
    func day(_ day: Int) -> String {
      "<article><h3>2026年11月\(day)日</h3>"
        + ["スクリーン1", "スクリーン2"].map { room in
          "\(room)<div><table><tr class=time><td>11:00</td><td>13:15</td><td>15:25</td></tr><tr>"
            + [("1", "泥の川"), ("2", "葦の原"), ("1", "泥の川")].map { "<td><a href=/w?id=\($0.0)>\($0.1)</a><br>〜13：00</td>" }
            .joined()
            + "</tr></table></div>"
        }.joined() + "</article>"
    }
    let info = "<div class=tickets><p class=tickets-ttl>オンラインでの販売</p><p>3日前から</p></div>"
    let found = try reading(
      "<html lang=ja><title>葦館</title><h4>劇場からのお知らせ</h4><section>" + day(20) + "<article>\(info)</article>"
        + (21...25).map(day).joined() + "</section>", zone: "Asia/Tokyo")
    #expect(found.screenings.count == 36 && Set(found.screenings.map(\.title)) == ["泥の川", "葦の原"])
    #expect(found.screenings.allSatisfy { $0.venue != "劇場からのお知らせ" })
  }

  @Test("a weekday in an element of its own must be the date's")
  func weekdays() throws {
    let page = "<h2>Silt</h2><p><b>Venerdì</b> 12/12 ore 21.15</p><h2>Marram</h2><p><b>Sabato</b> 28/11 ore 21.15</p>"
    let found = try reading(
      "<title>Moss Kino</title>" + page, zone: "Europe/Rome", at: "2026-11-20T09:00:00+01:00")
    #expect(found.lines == ["2026-11-28T21:15:00+01:00 Marram"])
    #expect(found.unread.contains { $0.why.contains("weekday") })
  }

  @Test("an event that is called by its film and its time is called as the film is")
  func ownTimes() throws {
    let event =
      #"{"@type":"ScreeningEvent","name":"Silt - 11/21/26 @ 4:30 pm","startDate":"2026-11-21T16:30:00-05:00","workPresented":{"@type":"Movie","name":"Silt"}}"#
    let other =
      #"{"@type":"ScreeningEvent","name":"Silt - with Ana Berg","startDate":"2026-11-22T16:30:00-05:00","workPresented":{"@type":"Movie","name":"Silt"}}"#
    let found = try reading(
      "<title>Moss</title><script type='application/ld+json'>[\(event),\(other)]</script>", zone: "America/New_York",
      at: "2026-11-20T09:00:00-05:00")
    #expect(found.screenings.map(\.title) == ["Silt", "Silt - with Ana Berg"])
  }

  @Test("a title that is all in italics is one among others that are so in part")
  func italics() throws {
    func item(_ title: String, _ when: String) -> String {
      "<div class=node><div class=item><a href=/e?type=film rel=tag>Film</a></div><div class=item><h3 class=teaser-title>"
        + "<a href=/\(when)>\(title)</a></h3></div><div class=item><div class=date>\(when)</div></div></div>"
    }
    #expect(
      try shows(
        item("Silt with Ana Berg", "Sat, Nov 21, 7 PM") + item("<em>The Long Marram</em>", "Sun, Nov 22, 7 PM")
          + item("A talk on <em>Reed</em>", "Mon, Nov 23, 7 PM") + item("Fen and Larch", "Tue, Nov 24, 7 PM"),
        title: "ICA Moss"
      ).map { String($0.prefix(15)) } == ["Silt with Ana B", "The Long Marram", "A talk on Reed ", "Fen and Larch @"])
  }

  @Test("what one view shows at midnight and another a minute before is told once")
  func midnight() throws {
    let cards =
      "<div class=card><div class=date>Fri, Nov 20 at Midnight</div><div class=title><a href=/silt>SILT</a></div></div>"
      + "<div class=card><div class=date>Sat, Nov 21 at 8:00pm</div><div class=title><a href=/marram>MARRAM</a></div></div>"
      + "<div class=card><div class=date>Sun, Nov 22 at 8:00pm</div><div class=title><a href=/fen>FEN</a></div></div>"
    let list =
      "<h3>Fri, Nov 20</h3><ul><li><h4>SILT</h4><span>11:59pm</span></li><li><h4>BOLT</h4><span>6:00pm</span></li></ul>"
    let found = try reading(
      "<title>Moss Cinema</title>" + cards + list, zone: "America/Chicago", at: "2026-11-20T09:00:00-06:00")
    #expect(found.screenings.count { $0.title == "SILT" } == 1, "\(found.lines)")
  }
}

import Extraction
import Testing

/// What belongs to what: ends to starts, attributes to days, headings to parts of a page.
@Suite("Parts of pages")
struct PartsOfPagesTests {
  private func lines(_ body: String, title: String = "Moss Cinema") throws -> [String] {
    try reading(
      "<html><head><title>\(title)</title></head><body>\(body)</body></html>", zone: "Europe/London",
      at: "2026-11-20T09:00:00Z"
    ).lines
  }

  @Test(
    "an end behind a start is neither a title nor a start",
    arguments: ["7pm - 9pm", "7pm to 9pm", "7 pm - 9 pm", "7pm until 9pm", "19:00 - 21:00"])
  func ends(times: String) throws {
    let rows = ["Silt", "Bolt"].enumerated().map { number, title in
      "<div class=event><p>\(21 + number) November</p><p>\(times) \(title)</p></div>"
    }
    #expect(
      try lines(rows.joined()) == ["2026-11-21T19:00:00Z Silt", "2026-11-22T19:00:00Z Bolt"])
  }

  @Test("a day and a part of the page that one attribute names alike belong together")
  func sharedNames() throws {
    let days = "<ul><li data-day=d21>Sat 21</li><li data-day=d22>Sun 22</li></ul>"
    let page =
      "<h2>November 2026</h2>" + days
      + "<div data-day=d22><h3><a href=/f/bolt>Bolt</a></h3><a href=/b/2>20:30</a></div>"
      + "<div data-day=d21><h3><a href=/f/silt>Silt</a></h3><a href=/b/1>18:20</a></div>"
    #expect(try lines(page) == ["2026-11-21T18:20:00Z Silt", "2026-11-22T20:30:00Z Bolt"])
  }

  @Test("a week's heading heads the films below the house's, which stands in a part without times")
  func headingOfLess() throws {
    let films =
      "<div class=film><h4>Silt</h4><p>18:00</p></div><div class=film><h4>Bolt</h4><p>20:30</p></div>"
    let page = "<div><h3>21 – 22 November 2026</h3><div><h3>Moss Cinema</h3><p>Hull</p></div>\(films)</div>"
    #expect(
      try lines(page) == [
        "2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Bolt", "2026-11-22T18:00:00Z Silt",
        "2026-11-22T20:30:00Z Bolt",
      ])
  }

  @Test("a house heads its part from within a header")
  func header() throws {
    func house(_ name: String, _ number: Int, _ title: String, _ time: String) -> String {
      "<section id=cinema-\(number) class=cinema><header><h2>\(name)</h2></header>"
        + "<div class=film><h3><a href=/f/\(title)>\(title)</a></h3><button>\(time)</button></div></section>"
    }
    let page =
      "<h1>Saturday 21 November 2026</h1>" + house("Moss", 110, "Silt", "18:00") + house("Fern", 111, "Silt", "20:30")
    let found = try reading(
      "<html><head><title>Listings</title></head><body>\(page)</body></html>", zone: "Europe/London",
      at: "2026-11-20T09:00:00Z")
    #expect(found.screenings.map(\.title) == ["Silt", "Silt"])
    #expect(found.screenings.map(\.venue) == ["Moss", "Fern"])
  }

  @Test("one cell with a class more than its like holds a title, too")
  func likeCells() throws {
    let rows = [("Silt", "name", "18:00"), ("Bolt", "name", "20:30"), ("Marram", "name with-icon", "21:15")].map {
      "<tr><td class=\"\($0.1)\"><a href=/f/\($0.0)>\($0.0)</a></td><td class=time>\($0.2)</td></tr>"
    }
    #expect(
      try lines("<h2>Saturday 21 November 2026</h2><table>\(rows.joined())</table>") == [
        "2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Bolt", "2026-11-21T21:15:00Z Marram",
      ])
  }

  @Test(
    "what is shown to those only who have hired the house is no screening",
    arguments: ["Pase privado", "Private screening"])
  func privateEnds(words: String) throws {
    func film(_ title: String, _ time: String) -> String {
      "<li><h3><a href=/f/\(time)>\(title)</a></h3><span>\(time)</span></li>"
    }
    let page =
      "<h2>Saturday 21 November 2026</h2><ul>" + film("Silt", "18:00") + film("Moss \(words)", "19:00")
      + film("Bolt", "20:30") + "</ul>"
    #expect(try lines(page) == ["2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Bolt"])
  }

  @Test(
    "a label over the soonest showing is no title", arguments: ["Next showing", "Próxima sesión", "Prochaine séance"])
  func nextShowing(label: String) throws {
    func film(_ title: String, _ time: String) -> String {
      "<div class=film><div>\(title)</div><h3>\(label)</h3><p>Sat 21 Nov, \(time)</p></div>"
    }
    #expect(
      try lines(film("Silt", "18:00") + film("Bolt", "20:30")) == [
        "2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Bolt",
      ])
  }

  @Test("hours of day to be chosen are no showings")
  func hoursToChoose() throws {
    let choices = ["9am - 12pm", "12pm - 5pm"].map { "<div><label>\($0)</label></div>" }
    let page =
      "<div><div class=row>\(choices.joined())</div></div><main><div><div><h1>Silt</h1></div></div>"
      + "<div><div><div class=slide><a class=is-selected href=#>Today</a></div></div></div></main>"
    #expect(try lines(page) == [])
  }

  @Test("a title cut short at the time of the whole one is the same showing")
  func shortened() throws {
    let page =
      "<div class=next><h3>The Long Ti…</h3><p>Sat 21 Nov 18:00</p></div>"
      + "<div class=film><h3><a href=/f/1>The Long Tide</a></h3><p>Sat 21 Nov 18:00</p><p>Sun 22 Nov 20:30</p></div>"
      + "<div class=film><h3><a href=/f/2>Bolt</a></h3><p>Sat 21 Nov 18:00</p></div>"
    #expect(
      try lines(page) == [
        "2026-11-21T18:00:00Z Bolt", "2026-11-21T18:00:00Z The Long Tide", "2026-11-22T20:30:00Z The Long Tide",
      ])
  }

  @Test("who made a film and when is no part of its title, where each stands in an element of its own")
  func makers() throws {
    func row(_ title: String, _ maker: String, _ time: String) -> String {
      "<tr><th><a class=film-title-link href=/f/\(title)><span class=t>\(title)</span> <span class=r>\(maker)</span>"
        + " <span class=y>2025</span> <span class=l>98 min</span></a></th><td><a href=/b/1>\(time)</a></td></tr>"
    }
    #expect(
      try lines(
        "<table><tr><th></th><th>Sat 21 Nov</th></tr>" + row("Silt", "Ana Berg", "18:00")
          + row("Bolt", "Ida Holm", "20:30")
          + "</table>") == ["2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Bolt"])
  }

  @Test("a day of the next month in a list of its own is to be chosen, too")
  func nextMonth() throws {
    func day(_ day: String, _ date: String) -> String {
      "<li><a href=\"/p?house=7&date=\(date)&room=\"><span>\(day)</span></a></li>"
    }
    func film(_ title: String, _ time: String) -> String {
      "<div class=m><a href=/m/\(title)><strong>\(title)</strong></a><ul><li><a href=/b/1><em>\(time)</em></a></li></ul></div>"
    }
    let page =
      "<ul><li class=on><a href=\"/p?house=7&date=20261121&room=\"><span>Sat 21 Nov</span></a></li>"
      + day("Sun 22 Nov", "20261122") + day("Mon 30 Nov", "20261130") + "</ul>"
      + "<ul style=\"display:none\">" + day("Tue 1 Dec", "20261201") + "</ul>"
    #expect(
      try lines(page + film("Silt", "18:00") + film("Bolt", "20:30")) == [
        "2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Bolt",
      ])
  }

  @Test("a rating in a part that is called after a house is no house")
  func ratings() throws {
    func film(_ title: String, _ day: String) -> String {
      "<div class=venue-film><h3><a href=/f/\(title)>\(title)</a></h3><span class=rating>M</span>"
        + "<p><a href=/b/1>\(day) November | 8.30pm</a></p></div>"
    }
    func house(_ name: String, _ films: String) -> String {
      "<div class=venue-film-list><h2>\(name)</h2><p>10 Kent Road</p>\(films)</div>"
    }
    let found = try reading(
      "<html><head><title>Wells | Silt Film Festival</title></head><body><h1>Wells</h1>"
        + house("Moss Theatre", film("Marram", "Saturday 21") + film("Bolt", "Sunday 22"))
        + house("Larch House", film("Knots", "Saturday 21") + film("Bolt", "Monday 23")) + "</body></html>",
      zone: "Europe/London", at: "2026-11-20T09:00:00Z")
    #expect(found.screenings.compactMap(\.venue).filter { $0 == "M" } == [])
    #expect(found.screenings.count == 4)
  }

  @Test("a house and its room behind a stroke are two things")
  func strokes() throws {
    func film(_ title: String, _ place: String) -> String {
      "<div class=film><h3><a href=/f/\(title)>\(title)</a></h3><p>Sat 21 Nov 18:00</p><span class=venue>\(place)</span></div>"
    }
    let found = try reading(
      "<html><head><title>Week</title></head><body>" + film("Silt", "Moss | Screen 2")
        + film("Bolt", "Larch | Großer Saal")
        + "</body></html>", zone: "Europe/London", at: "2026-11-20T09:00:00Z")
    #expect(found.screenings.map(\.venue) == ["Larch", "Moss"])
    #expect(found.screenings.map(\.screen) == ["Großer Saal", "Screen 2"])
  }

  @Test("times side by side in an item are all of the name behind them")
  func sideBySide() throws {
    func item(_ title: String, _ times: String...) -> String {
      "<li>" + times.map { "<a href=/o/\($0)><span>\($0)</span></a>" }.joined()
        + " <span class=name>\(title)</span></li>"
    }
    let page =
      "<h6>21 November 2026</h6><ul>" + item("Silt", "10:30") + item("Bolt", "14:45", "21:15") + item("Marram", "15:30")
      + "</ul>"
    #expect(
      try lines(page) == [
        "2026-11-21T10:30:00Z Silt", "2026-11-21T14:45:00Z Bolt", "2026-11-21T15:30:00Z Marram",
        "2026-11-21T21:15:00Z Bolt",
      ])
  }

  private func data(_ json: String) throws -> [String] {
    try reading(json, zone: "Europe/London", at: "2026-11-20T09:00:00Z", type: "application/json").lines
  }

  @Test(
    "what a house calls a film stands before what its distributor does",
    arguments: ["titleCalculated", "localizedTitle"])
  func shownTitle(field: String) throws {
    #expect(
      try data(
        #"{"shows":[{"title":"SILT 2D OV","\#(field)":"Silt","beginning":"2026-11-21T18:00:00"}]}"#
      ) == ["2026-11-21T18:00:00Z Silt"])
  }

  @Test("when the data was made says nothing of the films and showings in it")
  func stamped() throws {
    let showings = [("770180", 1, "18:00"), ("770181", 2, "20:30")].map {
      #""\#($0.0)":{"id":\#($0.0),"film":\#($0.1),"d":"2026-11-21","t":"\#($0.2)","cinema":5,"bookable":true}"#
    }
    let json =
      #"{"jsTimestamp":"1795000000","filmData":{"cinemas":{"5":{"id":5,"title":"Moss Cinema"}},"#
      + #""films":{"1":{"id":1,"title":"Silt"},"2":{"id":2,"title":"Bolt"}},"#
      + #""screenings":{\#(showings.joined(separator: ","))}}}"#
    #expect(try data(json) == ["2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Bolt"])
  }
}

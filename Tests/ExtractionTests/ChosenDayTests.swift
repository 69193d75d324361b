import Extraction
import Testing

/// Days to choose from: strips, lists of options, panels, and days that only links name.
@Suite("Chosen days")
struct ChosenDayTests {
  private func lines(_ body: String, zone: String = "Europe/London") throws -> [String] {
    try reading(
      "<html><head><title>Moss Cinema</title></head><body>\(body)</body></html>", zone: zone,
      at: "2026-11-20T09:00:00Z"
    ).lines
  }

  private func film(_ title: String, _ times: String...) -> String {
    "<div class=film><h3><a href=/f/\(title)>\(title)</a></h3>"
      + times.map { "<button>\($0)</button>" }.joined(separator: " ") + "</div>"
  }

  @Test(
    "the chosen day of a strip counts wherever in its part it is marked, and however deep the day stands",
    arguments: [
      "<ul><li class=on><div class=day><a href=/d/1><span>Nov</span><em>Sat</em><strong>21</strong></a></div></li>"
        + "<li><div class=day><a href=/d/2><span>Nov</span><em>Sun</em><strong>22</strong></a></div></li>"
        + "<li><div class=day><a href=/d/3><span>Nov</span><em>Mon</em><strong>23</strong></a></div></li></ul>",
      "<ul class=nav><li><a class=\"tab active\" data-date=2026-11-21>21/11<br><small>Sat</small></a></li>"
        + "<li><a class=tab data-date=2026-11-22>22/11<br><small>Sun</small></a></li></ul>",
      // A week is chosen, too.
      "<div><div class=\"week active\"><p>week</p><p>47</p></div><div class=week><p>week</p><p>48</p></div></div>"
        + "<div><div class=\"box active\"><p>Sat</p><p>21 Nov</p></div><div class=box><p>Sun</p><p>22 Nov</p></div>"
        + "<div class=box><p>Mon</p><p>23 Nov</p></div></div>",
    ])
  func strips(strip: String) throws {
    #expect(
      try lines(strip + film("Silt", "18:00", "20:30") + film("Bolt", "17:15")) == [
        "2026-11-21T17:15:00Z Bolt", "2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Silt",
      ])
  }

  @Test("a weekday in a table of prices chooses no day")
  func prices() throws {
    let prices = "<table><tr><td>Mon-Thu</td><td>£8</td></tr><tr><td>Friday</td><td>£9.50</td></tr></table>"
    let strip =
      "<ul><li class=on><a href=/d/1>Sat 21 Nov</a></li><li><a href=/d/2>Sun 22 Nov</a></li>"
      + "<li><a href=/d/3>Mon 23 Nov</a></li></ul>"
    #expect(
      try lines(strip + prices + film("Silt", "18:00")) == ["2026-11-21T18:00:00Z Silt"])
  }

  @Test("each film's own list of days says of which one its times are")
  func selects() throws {
    func film(_ title: String, _ days: [String], _ times: String) -> String {
      let options = days.map { "<option value=/t/\($0.count)>\($0)</option>" }.joined()
      return "<div class=film><div><select class=date>\(options)</select><h4><a href=/f/\(title)>\(title)</a></h4>"
        + "<div class=showtimes>\(times)</div></div></div>"
    }
    let (first, second) = (
      ["Friday November 20", "Saturday November 21"], ["Saturday November 21", "Sunday November 22"]
    )
    #expect(
      try lines(film("Silt", first, "<a href=/b/1>10:30pm</a>") + film("Bolt", second, "<a href=/b/2>9:00pm</a>")) == [
        "2026-11-20T22:30:00Z Silt", "2026-11-21T21:00:00Z Bolt",
      ])
  }

  @Test("as many parts as days to choose from are theirs where one is marked as the chosen day is, or shows nothing")
  func panels() throws {
    let strip =
      "<div class=days><div><button><b>ven.</b><b>vendredi</b><b>20</b><b>nov.</b></button></div><div><button><b>sam.</b>"
      + "<b>samedi</b><b>21</b><b>nov.</b></button></div><div><button><b>dim.</b><b>dimanche</b><b>22</b><b>nov.</b></button>"
      + "</div></div>"
    let panels =
      "<div class=plan><div class=movies>\(film("Silt", "18h00"))\(film("Bolt", "20h15"))</div><div class=movies>"
      + film("Silt", "18h00") + "</div><div class=movies>Aucune séance</div></div>"
    #expect(
      try lines(strip + panels, zone: "Europe/Paris") == [
        "2026-11-20T18:00:00+01:00 Silt", "2026-11-20T20:15:00+01:00 Bolt", "2026-11-21T18:00:00+01:00 Silt",
      ])
  }

  @Test("a day that only the links of an item name is its day; the day on which something was written is none")
  func links() throws {
    func item(_ title: String, _ time: String, _ link: String) -> String {
      "<article><div><h3>\(title)</h3><p><span class=time>\(time)</span></p><a href=\"\(link)\">More</a></div></article>"
    }
    #expect(
      try lines(
        item("Silt", "12:50", "/films/silt?date=2026-11-20") + item("Bolt", "18:00", "/events/2026/11/24/bolt")) == [
          "2026-11-20T12:50:00Z Silt", "2026-11-24T18:00:00Z Bolt",
        ])
    #expect(try lines(item("Silt", "12:50", "/2026/11/19/silt") + item("Bolt", "18:00", "/2026/11/18/bolt")) == [])
  }

  @Test("days may name the parts that they choose by a class of these")
  func classes() throws {
    let strip =
      "<div><span class='nav active' data-target=date-20>Fri 20</span><span class=nav data-target=date-21>Sat 21</span>"
      + "<span class=nav data-target=date-22>Sun 22</span><span class=nav data-target=date-23>Mon 23</span></div>"
    let parts = [20, 21, 22].map { day in
      "<div class='day date-\(day)\(day == 20 ? " active" : "")'><div>\(film("Silt", "\(day - 10):15", "18:00"))</div></div>"
    }
    #expect(
      try lines(strip + parts.joined()) == [
        "2026-11-20T10:15:00Z Silt", "2026-11-20T18:00:00Z Silt", "2026-11-21T11:15:00Z Silt",
        "2026-11-21T18:00:00Z Silt",
        "2026-11-22T12:15:00Z Silt", "2026-11-22T18:00:00Z Silt",
      ])
  }
}

import Extraction
import Testing

/// Which day a time is of, in the shapes in which cinemas say it, each on the smallest page that shows it.
@Suite("Days of programmes")
struct ProgrammeDayTests {
  @Test(
    "a page that says which day its today is means that one, also when it is read a day later",
    arguments: [
      ("<b>Today</b><i>25</i><em>Wed 25 Nov</em>", "<b>Tomorrow</b><i>26</i><em>Thu 26 Nov</em>"),
      ("Today, Wed 25 Nov", "Thu 26 Nov"), ("<b>Wed 25 Nov</b> <i>today</i>", "<b>Thu 26 Nov</b>"),
      ("Today", "<b>Tomorrow</b> <i>Thu 26 Nov</i>"),
    ])
  func calledToday(today: String, tomorrow: String) throws {
    let page =
      "<title>Moss Cinema</title><ol><li><a href='?d=1'>\(today)</a></li><li><a href='?d=2'>\(tomorrow)</a></li></ol>"
      + "<h2>Today’s films</h2><ul><li><h3>Silt</h3>17:30</li><li><h3>Marram</h3>20:00</li></ul>"
    let found = try reading(page, zone: "Europe/London", at: "2026-11-26T02:05:00Z")
    #expect(found.lines == ["2026-11-25T17:30:00Z Silt", "2026-11-25T20:00:00Z Marram"])
  }

  @Test(
    "beside today stand the next day of a list and counts of films, and are no today",
    arguments: [
      "<button>Today</button><button>Tomorrow</button><button>Thu 26 Nov</button>",
      "<div class='tab on'>Today</div><div class='tab'>Wed 25 Nov</div>", "<button>Today 23</button>",
      "<span>Today</span><span>Sun 15 Nov</span>",
    ])
  func otherDays(list: String) throws {
    let found = try reading(
      "<title>Moss Cinema</title><div>\(list)</div>"
        + "<h2>Today’s films</h2><ul><li><h3>Silt</h3>17:30</li><li><h3>Marram</h3>20:00</li></ul>",
      zone: "Europe/London", at: "2026-11-24T12:05:00Z")
    #expect(found.lines == ["2026-11-24T17:30:00Z Silt", "2026-11-24T20:00:00Z Marram"])
  }

  @Test("from a Thursday to the next, a weekday is of the end that it leads to")
  func eightDays() throws {
    let found = try reading(
      "<div><h2>Silt</h2><p>Thursday, May 28 - Thursday, June 4</p><p>Thursday: 7:30<br>Friday - Sunday: (1:00, 5:15) and 9:40"
        + "<br>Monday - Thursday: 9:40</p></div>",
      zone: "America/Chicago", at: "2015-05-28T12:00:00Z")
    #expect(found.screenings.count == 1 + 3 * 3 + 4)
    let thursdays = found.lines.filter { $0.hasPrefix("2015-05-28") || $0.hasPrefix("2015-06-04") }
    #expect(thursdays == ["2015-05-28T19:30:00-05:00 Silt", "2015-06-04T21:40:00-05:00 Silt"])
  }

  @Test("weekdays in two letters are known right before a day and its month")
  func shortWeekdays() throws {
    func row(_ day: String, _ time: String, _ title: String) -> String {
      "<div class=\"row\"><div class=\"a\">\(day)</div><div class=\"b\">\(time)</div><h4>\(title)</h4></div>"
    }
    let catalan = try reading(
      "<title>Moss Cinema</title>" + row("dl 23 nov.", "19.00h", "Silt") + row("dt 24 nov.", "18.30h", "Marram")
        + row("dj 26 nov.", "20.00h", "Kelp"),
      zone: "Europe/Madrid")
    #expect(
      catalan.lines == [
        "2026-11-23T19:00:00+01:00 Silt", "2026-11-24T18:30:00+01:00 Marram", "2026-11-26T20:00:00+01:00 Kelp",
      ])
    let polish = try reading(
      "<title>Moss Kino</title><h2>Silt</h2><div><span>Jutro, pn. 23 listopada</span><ul><li>15:30</li></ul></div>"
        + "<div><span>wt. 24 listopada</span><ul><li>18:00</li></ul></div>",
      zone: "Europe/Warsaw", at: "2026-11-22T09:00:00+01:00")
    #expect(polish.lines == ["2026-11-23T15:30:00+01:00 Silt", "2026-11-24T18:00:00+01:00 Silt"])
  }

  @Test("a weekday has its day in brackets where times or other days stand beside it")
  func bracketedDay() throws {
    let found = try reading(
      "<title>Cine Moss</title><h3>Silt</h3><p>Qui (26), Sex (27): 19h<br>Sáb (28): 16h e 19h</p><h3>Marram</h3>"
        + "<p>Seg (30), Ter (1º): 20h30</p>",
      zone: "America/Sao_Paulo")
    #expect(
      found.lines == [
        "2026-11-26T19:00:00-03:00 Silt", "2026-11-27T19:00:00-03:00 Silt", "2026-11-28T16:00:00-03:00 Silt",
        "2026-11-28T19:00:00-03:00 Silt", "2026-11-30T20:30:00-03:00 Marram", "2026-12-01T20:30:00-03:00 Marram",
      ])
  }

  @Test("in Prague st is a Wednesday, po a Monday and ne a Sunday")
  func czechWeekdays() throws {
    let found = try reading(
      "<title>Kino Moss</title><table><tr><th>film</th><th>po<br>23.</th><th>st<br>25.</th><th>ne<br>29.</th></tr>"
        + "<tr><td>Silt</td><td>17:30</td><td>20:00</td><td></td></tr>"
        + "<tr><td>Marram</td><td>20:00</td><td></td><td>15:00</td></tr></table>",
      zone: "Europe/Prague")
    #expect(
      found.lines == [
        "2026-11-23T17:30:00+01:00 Silt", "2026-11-23T20:00:00+01:00 Marram", "2026-11-25T20:00:00+01:00 Silt",
        "2026-11-29T15:00:00+01:00 Marram",
      ])
  }

  @Test("a weekday behind a date and a comma is that date's")
  func weekdayBehindComma() throws {
    let found = try reading(
      "<title>Moss Mozi</title><h2>2026. november 24., kedd</h2><ul><li>17:00 <b>Silt</b></li></ul>",
      zone: "Europe/Budapest")
    #expect(found.lines == ["2026-11-24T17:00:00+01:00 Silt"])
  }

  @Test("times without a blank between them are several, and no start and end")
  func gluedTimes() throws {
    let found = try reading(
      "<title>Moss Ciné</title><h3>Silt</h3><ul><li><span>Mar. 24/11</span><a>14h</a><a>16h15</a></li>"
        + "<li><span>Mer. 25/11</span><a>18h</a><a>20h</a></li></ul>",
      zone: "Europe/Paris")
    #expect(
      found.lines == [
        "2026-11-24T14:00:00+01:00 Silt", "2026-11-24T16:15:00+01:00 Silt", "2026-11-25T18:00:00+01:00 Silt",
        "2026-11-25T20:00:00+01:00 Silt",
      ])
  }

  @Test(
    "today's times stand under a label that says so",
    arguments: ["Todays showtimes:", "Heute im Kino", "Aujourd’hui au cinéma", "Spettacoli di oggi", "오늘의 상영"])
  func todays(label: String) throws {
    func card(_ title: String, _ times: String...) -> String {
      "<div class=\"card\"><h2>\(title)</h2><p class=\"x\">\(label)</p><ul>"
        + times.map { "<li><a href=\"/b/\($0)\">\($0)</a></li>" }.joined() + "</ul></div>"
    }
    let found = try reading(
      "<title>Moss Cinema</title>" + card("Silt", "15:55", "18:15") + card("Marram", "13:00"), zone: "Asia/Seoul")
    #expect(
      found.lines == [
        "2026-11-20T13:00:00+09:00 Marram", "2026-11-20T15:55:00+09:00 Silt", "2026-11-20T18:15:00+09:00 Silt",
      ])
  }

  @Test("the week of a day has seven, which tabs choose by their weekdays")
  func weekOfTabs() throws {
    let found = try reading(
      "<title>Moss Theater</title><h3>Showtimes: Week of November 23</h3><ul><li><a href=\"#t0\">MON</a></li><li>"
        + "<a href=\"#t1\">TUE</a></li><li><a href=\"#t2\">WED</a></li></ul><div id=\"t0\"><p><b>SILT</b><br><span>12:30</span>"
        + " <span>9:10</span></p></div><div id=\"t1\"><p><b>SILT</b><br><span>2:40</span></p><p><b>MARRAM</b><br>"
        + "<span>7:00</span></p></div><div id=\"t2\"><p><b>MARRAM</b><br><span>7:45</span></p></div>",
      zone: "America/New_York", at: "2026-11-23T09:00:00-05:00")
    #expect(
      found.lines == [
        "2026-11-23T12:30:00-05:00 SILT", "2026-11-23T21:10:00-05:00 SILT", "2026-11-24T14:40:00-05:00 SILT",
        "2026-11-24T19:00:00-05:00 MARRAM", "2026-11-25T19:45:00-05:00 MARRAM",
      ])
  }

  @Test("a week that a heading opens without weekdays below it gives no day")
  func weekWithoutDays() throws {
    let found = try reading(
      "<title>Moss Cinema</title><h3>Week of November 23</h3><h4>Silt</h4><p>19:00</p><h4>Marram</h4><p>21:00</p>",
      zone: "Europe/London")
    #expect(found.screenings.isEmpty, "\(found.lines)")
  }

  @Test("a weekday before its times is that of the week further up")
  func weekdayOfWeek() throws {
    let found = try reading(
      "<title>Moss Theatre</title><p><b>Showing November 27 - December 3</b></p><table><tr><td><img src=\"a.jpg\"></td><td>"
        + "<b>SILT</b> (PG-13)<br>Fri & Sat: 7:00<br>Sun: 2:00 & 7:00</td></tr><tr><td><img src=\"b.jpg\"></td><td><b>MARRAM</b>"
        + " (G)<br>Fri: 6:45<br>Sat & Sun: 1:30</td></tr></table>",
      zone: "America/Chicago")
    #expect(
      found.lines == [
        "2026-11-27T18:45:00-06:00 MARRAM", "2026-11-27T19:00:00-06:00 SILT", "2026-11-28T13:30:00-06:00 MARRAM",
        "2026-11-28T19:00:00-06:00 SILT", "2026-11-29T13:30:00-06:00 MARRAM", "2026-11-29T14:00:00-06:00 SILT",
        "2026-11-29T19:00:00-06:00 SILT",
      ])
  }

  @Test("times under a day that cannot be read do not take the next one's")
  func unreadDay() throws {
    let found = try reading(
      "<title>Moss Kino</title><h3>Donnerstag abend</h3><ul><li>15:30 <b>Silt</b></li></ul><h3>27.11.2026</h3><ul>"
        + "<li>18:00 <b>Marram</b></li></ul>",
      zone: "Europe/Berlin")
    #expect(!found.lines.contains { $0.hasPrefix("2026-11-27T15:30") }, "\(found.lines)")
    #expect(found.lines.contains("2026-11-27T18:00:00+01:00 Marram"))
  }

  @Test("a table of times over its columns and runs of days beside its rows shows each film on each day")
  func hoursOverColumns() throws {
    let found = try reading(
      "<title>Moss 座</title><table><tr><th>日程</th><th>10:30</th><th>12:50</th></tr><tr><th>11/22(日)～23(月)</th>"
        + "<td>潮の声</td><td></td></tr><tr><th>11/24(火)</th><td>霧笛の町</td><td>潮の声</td></tr></table>",
      zone: "Asia/Tokyo")
    #expect(
      found.lines == [
        "2026-11-22T10:30:00+09:00 潮の声", "2026-11-23T10:30:00+09:00 潮の声", "2026-11-24T10:30:00+09:00 霧笛の町",
        "2026-11-24T12:50:00+09:00 潮の声",
      ])
  }

  @Test("a heading that is a time, which each film below it says again, heads them and shows nothing")
  func timeSaidAgain() throws {
    func box(_ title: String, _ time: String) -> String {
      "<div class=\"box\"><h3><a href=\"/f\">\(title)</a></h3><p>98 min</p><a href=\"/b\"><span>\(time)</span></a></div>"
    }
    let found = try reading(
      "<title>Board - Moss</title><h1>Board</h1><h2>Mon 23 Nov 2026</h2><div><h4>10:00</h4>" + box("Silt", "10:00")
        + "</div><div><h4>11:45</h4>" + box("Marram", "11:45") + box("Kelp", "11:45") + "</div>",
      zone: "Europe/London")
    #expect(found.lines == ["2026-11-23T10:00:00Z Silt", "2026-11-23T11:45:00Z Kelp", "2026-11-23T11:45:00Z Marram"])
  }

  @Test("behind a film's title its heading may say that it is sold out, and on which day it is shown again")
  func soldOutHeading() throws {
    let found = try reading(
      "<title>Events | Moss Museum</title><div class=\"post\"><h2><a href=\"/x\">The Dune presents <em>Silt</em> (1977) on 16mm Film "
        + "<span style=\"color:red\">&#8211; SOLD OUT &#8211; SEE NOV 26th</span></a></h2><h4>Wed 25 Nov 2026 @ 19:30</h4></div>"
        + "<div class=\"post\"><h2><a href=\"/y\">Moss Noir presents <em>Marram</em></a></h2><h4>Wed 2 Dec 2026 @ 19:30</h4></div>",
      zone: "Europe/London")
    #expect(
      found.screenings.map(\.title) == ["The Dune presents Silt (1977) on 16mm Film", "Moss Noir presents Marram"])
  }

  @Test(
    "of days to choose from the one is meant that alone is called otherwise",
    arguments: [
      ["tabOn", "tabOff", "tabOff"], ["tabOff", "tabOn", "tabOff"], ["tab is-shown", "tab", "tab"],
    ])
  func oddDay(classes: [String]) throws {
    let days = zip(classes, 21...23).map { name, day in
      "<td><table><tr><td class=\"\(name)\"><a href=/p/\(day)><span>\(day)/11/2026</span></a></td></tr></table></td>"
    }
    let found = try reading(
      "<title>Moss</title><table><tr><td><table><tr>\(days.joined())</tr></table></td></tr></table>"
        + "<div class=card><h2>Silt</h2><p><a href=/b/1>19:30</a></p></div>"
        + "<div class=card><h2>Marram</h2><p><a href=/b/2>17:00</a></p></div>", zone: "Europe/London")
    let day = 21 + (classes.firstIndex { $0.contains("On") || $0.contains("shown") } ?? 0)
    #expect(found.lines == ["2026-11-\(day)T17:00:00Z Marram", "2026-11-\(day)T19:30:00Z Silt"])
  }

  @Test("of two days the active one is meant, though both are visible")
  func activeOfVisible() throws {
    let found = try reading(
      "<title>Moss</title><ul><li class=\"day active slide-active\"><a>Sat 21 Nov</a></li>"
        + "<li class=\"day slide-active\"><a>Sun 22 Nov</a></li></ul><div class=card><h2>Silt</h2><p>"
        + "<a href=/b/1>19:30</a></p></div><div class=card><h2>Marram</h2><p><a href=/b/2>17:00</a></p></div>",
      zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T17:00:00Z Marram", "2026-11-21T19:30:00Z Silt"])
  }
}

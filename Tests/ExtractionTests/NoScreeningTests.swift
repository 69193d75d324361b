import Extraction
import Testing

/// What stands beside screenings, and is none of them nor a title of theirs.
@Suite("What is no screening")
struct NoScreeningTests {
  @Test("headings behind the last time of a page are no films")
  func headingsBehind() throws {
    let found = try reading(
      "<title>Moss Cinema</title><main><h2>Sat 21 Nov 2026</h2><p>19:30</p><h3>Silt</h3><p>A film.</p><p>21:30</p>"
        + "<h3>Marram</h3><p>Another.</p><h3>Membership</h3><h3>Support our cinema</h3><h3>Private parties</h3></main>",
      zone: "Europe/London")
    #expect(found.screenings.map(\.title) == ["Silt", "Marram"], "\(found.lines)")
  }

  @Test("when a page was looked at is no start")
  func stamps() throws {
    let found = try reading(
      "<title>Moss Cinema</title><h2>Saturday 21 November 2026</h2><ul><li>Silt <time>18:00</time></li></ul>"
        + "<div><p><time datetime=\"2026-11-21T17:17:21Z\">checked just now</time> · from <a href=/>Moss</a></p></div>")
    #expect(found.lines == ["2026-11-21T18:00:00+09:00 Silt"])
  }

  @Test("prices with their sign in front are no times, however many stand in a row")
  func pricesInARow() throws {
    let found = try reading(
      "<title>Moss Kino</title><h2>Samstag, 21. November 2026</h2><ul><li>Silt 17.00 Uhr <span>€ 8.50 € 10.50</span></li>"
        + "<li>Marram 18.00 Uhr <span>€ 8.50 € 10.50</span></li></ul>")
    #expect(found.screenings.count == 2, "\(found.lines)")
  }

  @Test("what a page shows and its own data does not have is told as unread, in one word")
  func untoldByData() throws {
    func event(_ name: String, _ start: String) -> String {
      #"{"@type":"ScreeningEvent","name":"\#(name)","startDate":"\#(start)"}"#
    }
    let data = [
      event("Silt", "2026-11-21T18:00:00+00:00"), event("Marram", "2026-11-21T20:00:00+00:00"),
      event("Peat", "2026-11-22T18:00:00+00:00"), event("Heath", "2026-11-22T20:00:00+00:00"),
      event("Moor", "2026-11-24T20:00:00+00:00"),
    ]
    let shown =
      "<h3>Sat 21 Nov 2026</h3><ul><li>18:00 <b>Silt</b></li><li>20:00 <b>Marram (subtitled)</b></li></ul>"
      + "<h3>Mon 23 Nov 2026</h3><ul><li>18:00 <b>Fen</b></li><li>20:00 <b>Bog</b></li><li>21:00 <b>Tarn</b></li></ul>"
    let page =
      "<title>Moss Cinema</title><script type=application/ld+json>[\(data.joined(separator: ","))]</script>" + shown
    let found = try reading(page, zone: "Europe/London")
    #expect(found.screenings.map(\.title) == ["Silt", "Marram", "Peat", "Heath", "Moor"], "\(found.lines)")
    #expect(found.unread.map(\.what) == ["Fen, 2026-11-23T18:00:00Z and 2 more"], "\(found.unread)")
  }

  @Test("a screening beside which stands that it is cancelled is told as unread")
  func cancelled() throws {
    let found = try reading(
      "<title>Moss Cinema</title><h3>Sat 21 Nov</h3><div><span>18:00</span> <a href=/s>Silt</a></div><div><span>20:00</span> "
        + "<a href=/m>Marram</a> <em>Cancelled</em></div><div><span>21:00</span> <a href=/p>Peat</a></div>")
    #expect(found.screenings.map(\.title) == ["Silt", "Peat"])
    #expect(found.unread.contains { $0.what.hasPrefix("Marram") })
  }

  @Test("an id in which a day and a time are written tells no second showing")
  func idsOfSessions() throws {
    let found = try reading(
      #"{"films":[{"filmTitle":"Silt","showingGroups":[{"date":"2026-11-24T00:00:00","#
        + #""sessions":[{"sessionId":"x2026-11-24 1720","startTime":"2026-11-24T17:20:00"}]}]}]}"#)
    #expect(found.lines == ["2026-11-24T17:20:00+09:00 Silt"])
  }

  @Test("a mark out of ten is no date")
  func marks() throws {
    let found = try reading(
      "<title>Moss Cinema</title><h2>Sat 21 Nov 2026</h2><div><h3>Silt</h3><span>8.6</span><p>18:00</p></div>"
        + "<div><h3>Marram</h3><span>7.4</span><p>20:30</p></div>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T18:00:00Z Silt", "2026-11-21T20:30:00Z Marram"])
  }

  @Test("a deadline is no screening")
  func deadlines() throws {
    let found = try reading(
      "<title>Call for entries</title><h1>Call for entries</h1><ul><li>Early deadline: Friday, December 4, 2026, 5:00 PM"
        + "</li></ul>", zone: "America/New_York")
    #expect(found.screenings.isEmpty, "\(found.lines)")
  }

  @Test("the house's name with a word of its programme heads films and is none")
  func houseProgramme() throws {
    let found = try reading(
      "<title>초록극장 상영시간표 : 검색</title><h2 class=title>초록극장 상영시간표</h2><p>11월 23일 월요일</p><table><tr><th>"
        + "<div class=mv_info><a href=/movie/1>고요한 항구</a></div></th><td>10:20</td><td>12:35</td></tr><tr><th>"
        + "<div class=mv_info><a href=/movie/2>밤의 택시</a></div></th><td>21:05</td></tr></table>")
    #expect(Set(found.screenings.map(\.title)) == ["고요한 항구", "밤의 택시"], "\(found.lines)")
  }

  @Test("a short weekday of one language is a word of a title in another", arguments: ["Iron Man", "Father & Son"])
  func weekdayInTitle(title: String) throws {
    let found = try reading(
      "<title>Moss Cinema</title><ul><li>\(title.replacing("&", with: "&amp;")) 24/11 19:30</li><li>Silt 25/11 19:30</li></ul>",
      zone: "Europe/London")
    #expect(found.screenings.map(\.title) == [title, "Silt"], "\(found.lines)")
  }

  @Test("days in which a calendar says that the house is closed are no screenings")
  func closedCalendar() throws {
    let found = try reading(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:20261224\r\n"
        + "DTEND;VALUE=DATE:20261227\r\nSUMMARY:Stängt under julen\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
      zone: "Europe/Stockholm")
    #expect(found.screenings.isEmpty && found.closedDays.count == 3)
  }

  @Test("a day under which stands one word, which says so, is closed", arguments: ["Closed", "休館日", "Ruhetag"])
  func closedDay(word: String) throws {
    let found = try reading(
      "<section><h2>Mon 23 Nov 2026</h2><p class=closed>\(word)</p></section><section><h2>Tue 24 Nov 2026</h2>"
        + "<article><h3>Silt</h3><p>19:30</p></article></section>", zone: "Europe/London")
    #expect(found.lines.map { String($0.suffix(4)) } == ["Silt"])
    #expect(found.closedDays.map { "\($0)" } == ["2026-11-23"])
  }

  @Test("what leads to the first page is the house's name, and no film's")
  func houseLink() throws {
    let found = try reading(
      "<title>The Moss</title><div><a href=\"/\">The Moss</a></div><h2>21 November</h2><div><span>5:00p</span>"
        + "<a href=\"/f/1\">Silt</a></div><div><span>7:30p</span><a href=\"/f/2\">Marram</a></div>",
      zone: "America/New_York")
    #expect(found.screenings.map(\.title) == ["Silt", "Marram"], "\(found.lines)")
  }

  @Test("what members pay is no day of January")
  func membersPay() throws {
    let found = try reading(
      "<title>Moss Bioscoop</title><h2>zaterdag 21 november</h2><p>Leden 8, anderen 11</p><ul><li>18:00 Silt</li>"
        + "<li>20:30 Marram</li></ul>", zone: "Europe/Amsterdam")
    #expect(found.lines == ["2026-11-21T18:00:00+01:00 Silt", "2026-11-21T20:30:00+01:00 Marram"])
  }

  @Test("when one is let in is no start, in data of its own either")
  func admission() throws {
    let found = try reading(
      "{\"shows\": [{\"name\": \"Silt\", \"beginning\": {\"isoFull\": \"2026-11-21T20:00:00+01:00\"}, "
        + "\"admission\": {\"isoFull\": \"2026-11-21T19:30:00+01:00\"}, \"movie\": {\"title\": \"Silt\"}}]}",
      zone: "Europe/Berlin", type: "application/json")
    #expect(found.lines == ["2026-11-21T20:00:00+01:00 Silt"])
  }

  @Test("a number of the programme's own is no title beside one")
  func codes() throws {
    let found = try reading(
      "<title>Moss Festival</title><table><tr><th>Code</th><th>When</th><th>Session</th></tr><tr><td>S01</td>"
        + "<td>Sat 21 Nov 6:30PM</td><td>Silt</td></tr><tr><td>S02</td><td>Sun 22 Nov 4:15PM</td><td>Marram</td></tr>"
        + "</table>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T18:30:00Z Silt", "2026-11-22T16:15:00Z Marram"])
  }

  @Test("numbers that count the letters of a text are no clocks")
  func positionsInText() throws {
    let found = try reading(
      "<title>Moss Cinema</title><h2>Silt</h2><p data-start=946 data-end=1236>Saturday 21 November 2026 "
        + "<br data-start=1013 data-end=1016><b data-start=1016 data-end=1038>Film: </b>7.30pm</p><h2>Marram</h2>"
        + "<p data-start=946 data-end=1236>Sunday 22 November 2026 <br data-start=1013 data-end=1016>"
        + "<b data-start=1016 data-end=1038>Film: </b>7.30pm</p>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T19:30:00Z Silt", "2026-11-22T19:30:00Z Marram"], "\(found.lines)")
  }

  @Test("when a button is to be seen is no screening")
  func shownOn() throws {
    let found = try reading(
      "<title>Moss Hall</title><div class=card><h3>Silt</h3><p>Sat 21 Nov 2026</p><div "
        + "data-hide-on-date=2026-11-24T10:00:00Z><a href=/1>On sale soon</a></div><div "
        + "data-show-on-date=2026-11-24T10:00:00Z><a href=/1>Buy</a></div></div>", zone: "Europe/London")
    #expect(found.screenings.isEmpty, "\(found.lines)")
  }

  @Test("what stands behind a date with its time and a \"to\" is the end")
  func endsOfSpans() throws {
    let found = try reading(
      "<title>Moss Hall</title><div class=card><h3>Silt</h3><p><time datetime=2026-11-28T12:00>28 November, 12:00</time> to "
        + "<time datetime=2026-11-29T18:00>29 November, 18:00</time></p></div><div class=card><h3>Marram</h3><p>"
        + "<time datetime=2026-11-30T12:00>30 November, 12:00</time> to <time datetime=2026-11-30T14:00>30 November, "
        + "14:00</time></p></div>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-28T12:00:00Z Silt", "2026-11-30T12:00:00Z Marram"], "\(found.lines)")
  }

  @Test("what lasts from one midnight to another's is no screening at midnight")
  func wholeDays() throws {
    let found = try reading(
      #"[{"title":"Everyday things","link":"/1","start_date":"2026-11-21 00:00:00","end_date":"2026-11-29 00:00:00","#
        + #""cancelled":false},{"title":"The garden","link":"/3","start_date":"2026-01-01 00:00:00","end_date":"#
        + #""2126-01-01 00:00:00","cancelled":false},{"title":"Silt","link":"/2","start_date":"2026-11-21 19:30:00","#
        + #""end_date":"2026-11-21 21:30:00","cancelled":false}]"#, zone: "Europe/London", type: "application/json")
    #expect(found.lines == ["2026-11-21T19:30:00Z Silt"], "\(found.lines)")
  }

  @Test("the start of an evening is no film's beside films that are told with it, nor is when one is to arrive")
  func eveningOverFilms() throws {
    let found = try reading(
      "<title>Popcorn Night</title><h1>Popcorn Night</h1><p>21 November 2026 - 22 November 2026</p><article><p><b>Screenings "
        + "start 7.30pm.<br>Dress warmly.</b></p><p>Arrive from 6:30pm so you have the pick of the places!</p><h3>Silt (1986)</h3>"
        + "<p>Saturday 21 November 2026<br><b>Film start: </b>7.30pm</p><h3>Marram (2022)</h3><p>Sunday 22 November 2026"
        + "<br><b>Film start: </b>7.30pm</p></article>", zone: "Europe/London")
    #expect(
      found.lines == ["2026-11-21T19:30:00Z Silt (1986)", "2026-11-22T19:30:00Z Marram (2022)"], "\(found.lines)")
    // What is shown beside it at the same time takes nothing from a film's own page.
    let film = try reading(
      "<title>Silt – Moss Arts</title><h1>Silt</h1><ul><li>Sat 21 Nov <b>19:30</b></li></ul><h2>More like this</h2>"
        + "<div><h3>The Sower</h3><p>Sat 21 November, 7.30pm</p></div>", zone: "Europe/London")
    #expect(film.lines == ["2026-11-21T19:30:00Z Silt", "2026-11-21T19:30:00Z The Sower"], "\(film.lines)")
  }
}

import Extraction
import Testing

/// Where titles and days stand on pages of cinemas, each on a page of its own.
@Suite("Titles and days by layout")
struct TitleLayoutTests {
  @Test("a heading of two links, a film and a house, is called after the film")
  func twoLinks() throws {
    let found = try reading(
      #"""
      <title>Reel Friends - Screenings</title>\#
      <h2>Now Showing</h2>\#
      <div class="row info"><h2><a href="/f/0">Salt Path</a></h2>\#
      <h6>Ana Rui | 2024 | 93 mins</h6>\#
      </div>\#
      <div class="row schedule"><div class="item"><h5>\#
      <a href="/f/0">Salt Path</a> - <a class="cinema_title" href="/c/mill">Mill House, Denby</a></h5>\#
      <h6>Saturday 21/11/2026 17:45</h6>\#
      <a href="/book/0">Buy Tickets</a></div>\#
      <div class="item"><h5>\#
      <a href="/f/0">Salt Path</a> - <a class="cinema_title" href="/c/tarn">Tarn Palace, Oakham</a></h5>\#
      <h6>Sunday 22/11/2026 20:15</h6>\#
      <a href="/book/0">Buy Tickets</a></div>\#
      </div>\#
      <div class="row info"><h2><a href="/f/1">Low Tide - 4K Restoration</a></h2>\#
      <h6>Ana Rui | 2024 | 93 mins</h6>\#
      </div>\#
      <div class="row schedule"><div class="item"><h5>\#
      <a href="/f/1">Low Tide - 4K Restoration</a> - <a class="cinema_title" href="/c/tarn">Tarn Palace, Oakham</a></h5>\#
      <h6>Friday 27/11/2026 17:00</h6>\#
      <a href="/book/1">Buy Tickets</a></div>\#
      </div>
      """#, zone: "Europe/London", at: "2026-11-20T09:00:00Z")
    #expect(
      found.lines == [
        "2026-11-21T17:45:00Z Salt Path",
        "2026-11-22T20:15:00Z Salt Path",
        "2026-11-27T17:00:00Z Low Tide - 4K Restoration",
      ])
    #expect(Set(found.screenings.compactMap(\.venue)) == ["Mill House, Denby", "Tarn Palace, Oakham"])
  }

  @Test("the heading of a section of events names none of them")
  func sectionHeading() throws {
    let found = try reading(
      #"""
      <title>Fell Archives - Fell Film Festival</title>\#
      <div class=panel><h2>Next Event</h2>\#
      <div class=frame><img src=f.png alt="picture frame"></div>\#
      <div class=stuff><a href="/e/quiz"><img src=d.png alt="frame details"></a><div class=copy><h3>\#
      <a href="/e/quiz">Film Pub Quiz</a></h3><div class="film-date">November 21 @ 8:00 pm</div>\#
      <div class="film-venue">The Holly House</div>\#
      </div>\#
      </div>\#
      </div>\#
      <div class=list><article><h3 class="event-title"><a href="/e/0">Film Pub Quiz</a></h3>\#
      <div class=when><span class=start>November 21 @ 8:00 pm</span></div>\#
      <div class=where>The Holly House</div>\#
      </article>\#
      <article><h3 class="event-title"><a href="/e/1">Low Tide</a></h3><div class=when>\#
      <span class=start>November 27 @ 7:00 pm</span></div>\#
      <div class=where>Fell Hall</div>\#
      </article>\#
      <article><h3 class="event-title"><a href="/e/2">Hollow Hill</a></h3><div class=when>\#
      <span class=start>November 28 @ 6:30 pm</span></div>\#
      <div class=where>Fell Hall</div>\#
      </article>\#
      </div>\#
      <aside><h4>Latest News</h4></aside>
      """#, zone: "Europe/London", at: "2026-11-20T09:00:00Z")
    #expect(
      found.lines == [
        "2026-11-21T20:00:00Z Film Pub Quiz",
        "2026-11-27T19:00:00Z Low Tide",
        "2026-11-28T18:30:00Z Hollow Hill",
      ])
  }

  @Test("the end of a range in an element of its own is no start behind a date, either")
  func rangeInParts() throws {
    let found = try reading(
      #"""
      <title>Low Tide - Fell Film Club</title>\#
      <main><h1>Low Tide</h1><div class=schedule><h2><span>Friday 4th September 2026</span></h2>\#
      <div class="event-time">8:00PM</div>\#
      </div>\#
      <div class=related><h3>Related Events</h3><ul class=related-events><li>\#
      <h3 class="related-events-title"><a href="/e/1">Larch Hill</a></h3>\#
      <span class="event-date-start">September 5 @ 8:30 pm</span></li>\#
      <li><h3 class="related-events-title"><a href="/e/2">The Clerk</a></h3>\#
      <span class="event-date-start">September 6 @ 7:30 pm</span> - <span class="event-time">9:30 pm</span></li>\#
      </ul></div>\#
      </main>
      """#, zone: "Europe/London", at: "2026-08-20T09:00:00Z")
    #expect(
      found.lines == [
        "2026-09-04T20:00:00+01:00 Low Tide",
        "2026-09-05T20:30:00+01:00 Larch Hill",
        "2026-09-06T19:30:00+01:00 The Clerk",
      ])
  }

  @Test("a title and its translation are two texts, and the name of a house is no title")
  func translation() throws {
    let found = try reading(
      #"""
      <title>影展</title>\#
      <div class="day"><h3>2026/10/10 (六)</h3><div class="theater"><h2 class="theaterName">星光影城</h2>\#
      <div class=slot><span>12:30</span><div class="top"><b>長夜</b><i>Long Night</i></div>\#
      </div>\#
      <div class=slot><span>15:00</span><div class="top"><b>石橋</b><i>Stone Bridge</i></div>\#
      </div>\#
      </div>\#
      <div class="theater"><h2 class="theaterName">河岸戲院</h2>\#
      <div class=slot><span>14:00</span><div class="top"><b>候鳥</b><i>Birds</i></div>\#
      </div>\#
      </div>\#
      </div>
      """#, zone: "Asia/Taipei", at: "2026-10-09T09:00:00+08:00")
    #expect(
      found.lines == [
        "2026-10-10T12:30:00+08:00 長夜",
        "2026-10-10T14:00:00+08:00 候鳥",
        "2026-10-10T15:00:00+08:00 石橋",
      ])
    #expect(Set(found.screenings.compactMap(\.venue)) == ["星光影城", "河岸戲院"])
  }

  @Test("what leads to another week is no title")
  func pager() throws {
    let found = try reading(
      #"""
      <title>Calendar – The Plume</title>\#
      <h1>Calendar</h1><div class="calendar__nav"><a href="?w=-1">Previous week</a>\#
      <span>September 28 – October 4, 2026</span><a href="?w=1">Next week</a></div>\#
      <ul class=grid><li class=day><h3><span>Mon</span> 28</h3></li>\#
      <li class=day><h3><span>Wed</span> 30</h3>\#
      <div class=item itemscope itemtype="https://schema.org/Event">\#
      <meta itemprop=name content="Low Tide">\#
      <meta itemprop=startDate content="2026-09-30T19:00:00-07:00">\#
      <span class="item__time">7:00pm</span> <a class="item__link" href="/m/L">Low Tide</a></div>\#
      <div class=item itemscope itemtype="https://schema.org/Event">\#
      <meta itemprop=name content="Reading Night">\#
      <meta itemprop=startDate content="2026-09-30T18:00:00-07:00">\#
      <span class="item__time">6:00pm</span> <a class="item__link" href="/m/R">Reading Night</a></div>\#
      </li>\#
      <li class=day><h3><span>Thu</span> 1</h3>\#
      <div class=item itemscope itemtype="https://schema.org/Event">\#
      <meta itemprop=name content="Hollow Hill">\#
      <meta itemprop=startDate content="2026-10-01T16:30:00-07:00">\#
      <span class="item__time">4:30pm</span> <a class="item__link" href="/m/H">Hollow Hill</a></div>\#
      <div class=item itemscope itemtype="https://schema.org/Event">\#
      <meta itemprop=name content="Low Tide">\#
      <meta itemprop=startDate content="2026-10-01T19:30:00-07:00">\#
      <span class="item__time">7:30pm</span> <a class="item__link" href="/m/L">Low Tide</a></div>\#
      </li>\#
      <li class=day><h3><span>Sat</span> 3</h3>\#
      <div class=item itemscope itemtype="https://schema.org/Event">\#
      <meta itemprop=name content="Salt Path">\#
      <meta itemprop=startDate content="2026-10-03T20:00:00-07:00">\#
      <span class="item__time">8:00pm</span> <a class="item__link" href="/m/S">Salt Path</a></div>\#
      </li>\#
      </ul>
      """#, zone: "America/Los_Angeles", at: "2026-09-29T09:00:00-07:00")
    #expect(
      found.lines == [
        "2026-09-30T18:00:00-07:00 Reading Night",
        "2026-09-30T19:00:00-07:00 Low Tide",
        "2026-10-01T16:30:00-07:00 Hollow Hill",
        "2026-10-01T19:30:00-07:00 Low Tide",
        "2026-10-03T20:00:00-07:00 Salt Path",
      ])
  }

  @Test("a time with one class more than its neighbours is one of theirs")
  func oneClassMore() throws {
    let found = try reading(
      #"""
      <title>Find your seat | Tarn Cinema</title>\#
      <div class=main><h2>Find your seat</h2>\#
      <div class=day><p class="heading">Friday, 20 November</p><div class=film><div class=info>\#
      <a class=title href="/m/L">Low Tide</a><p class=age>12+</p><div class=sessions>\#
      <div class="ns locked"><p class=time><span>15:20</span></p><p class=tag></p></div>\#
      <div class="ns buy_closest"><p class=time><span>17:20</span></p><p class=tag></p></div>\#
      <div class="ns "><p class=time><span>21:20</span></p><p class=tag></p></div>\#
      </div>\#
      </div>\#
      </div>\#
      <div class=film><div class=info><a class=title href="/m/H">Hollow Hill</a><p class=age>12+</p>\#
      <div class=sessions><div class="ns locked"><p class=time><span>10:00</span></p><p class=tag></p>\#
      </div>\#
      <div class="ns "><p class=time><span>18:40</span></p><p class=tag></p></div>\#
      <div class="ns "><p class=time><span>20:50</span></p><p class=tag></p></div>\#
      </div>\#
      </div>\#
      </div>\#
      </div>\#
      </div>
      """#, zone: "Europe/London", at: "2026-11-20T09:00:00Z")
    #expect(
      found.lines == [
        "2026-11-20T10:00:00Z Hollow Hill",
        "2026-11-20T15:20:00Z Low Tide",
        "2026-11-20T17:20:00Z Low Tide",
        "2026-11-20T18:40:00Z Hollow Hill",
        "2026-11-20T20:50:00Z Hollow Hill",
        "2026-11-20T21:20:00Z Low Tide",
      ])
  }

  @Test("a card with one class more than its neighbours has its own title")
  func activeSlide() throws {
    let found = try reading(
      #"""
      <title>Tarn Cinema</title>\#
      <div class=swiper><div class="slide swiper-slide-active"><a href="/f/0"><img src=x alt="Low Tide">\#
      </a><h4>Low Tide</h4><p>Sat 21 Nov · 19:30</p></div>\#
      <div class="slide"><a href="/f/1"><img src=x alt="Hollow Hill"></a><h4>Hollow Hill</h4>\#
      <p>Sun 22 Nov · 16:00</p></div>\#
      <div class="slide"><a href="/f/2"><img src=x alt="Salt Path"></a><h4>Salt Path</h4>\#
      <p>Tue 24 Nov · 20:15</p></div>\#
      </div>
      """#, zone: "Europe/London", at: "2026-11-20T09:00:00Z")
    #expect(
      found.lines == [
        "2026-11-21T19:30:00Z Low Tide",
        "2026-11-22T16:00:00Z Hollow Hill",
        "2026-11-24T20:15:00Z Salt Path",
      ])
  }

  @Test("digits of a day, its month and its year are a date")
  func dayFirstDigits() throws {
    let found = try reading(
      #"""
      <title>Кінотеатр Зоря</title>\#
      <div class=day data-date="21112026"><div class=film><h4>Тиха вода</h4><a>10:00</a><a>17:20</a></div>\#
      </div>\#
      <div class=day data-date="22112026"><div class=film><h4>Міст</h4><a>16:20</a></div>\#
      </div>
      """#, zone: "Europe/Kyiv", at: "2026-11-20T09:00:00+02:00")
    #expect(
      found.lines == [
        "2026-11-21T10:00:00+02:00 Тиха вода",
        "2026-11-21T17:20:00+02:00 Тиха вода",
        "2026-11-22T16:20:00+02:00 Міст",
      ])
  }

  @Test("today and a short weekday in Ukrainian")
  func ukrainian() throws {
    let found = try reading(
      #"""
      <title>Кінотеатр Зоря</title>\#
      <h2>Розклад сеансів</h2>\#
      <h3>Сьогодні, 20 листопада</h3><div class=film><h4>Тиха вода</h4><a>10:00</a><a>19:10</a></div>\#
      <h3>сб 21.11</h3><div class=film><h4>Міст</h4><a>16:20</a></div>
      """#, zone: "Europe/Kyiv", at: "2026-11-20T09:00:00+02:00")
    #expect(
      found.lines == [
        "2026-11-20T10:00:00+02:00 Тиха вода",
        "2026-11-20T19:10:00+02:00 Тиха вода",
        "2026-11-21T16:20:00+02:00 Міст",
      ])
  }

  @Test("two times five hours apart are two, with a dash between them too")
  func twoWithDash() throws {
    let found = try reading(
      "<title>Tarn Hall</title><ul><li><h3>Low Tide</h3><span>Sat 21 Nov, 14:30</span> - <span>19:30</span></li>"
        + "<li><h3>Hollow Hill</h3><span>Sun 22 Nov, 15:00</span> - <span>20:15</span></li></ul>",
      zone: "Europe/London", at: "2026-11-20T09:00:00Z")
    #expect(
      found.lines == [
        "2026-11-21T14:30:00Z Low Tide", "2026-11-21T19:30:00Z Low Tide", "2026-11-22T15:00:00Z Hollow Hill",
        "2026-11-22T20:15:00Z Hollow Hill",
      ])
  }

  @Test(
    "a card beside a film's own page has a name of its own",
    arguments: [
      "<div class=cards><div class=card><img alt='Hollow Hill'><div class=card-body><p class=card-name>Hollow Hill</p>"
        + "<div class=date>Fri 27 November 18:00</div></div></div></div>",
      "<section class=more><h2>More from this season</h2><ul class=times><li><a href=/hh><b>Hollow Hill</b></a> "
        + "Fri 27 Nov, 18:00</li></ul></section>",
    ])
  func related(card: String) throws {
    let found = try reading(
      "<title>Low Tide – Tarn Cinema</title><main><h1>Low Tide</h1><div class=dates><div class=date>Sat 21 November 19:30"
        + "</div><div class=date>Sun 22 November 15:00</div></div></main>" + card,
      zone: "Europe/London", at: "2026-11-20T09:00:00Z")
    #expect(
      found.lines == [
        "2026-11-21T19:30:00Z Low Tide", "2026-11-22T15:00:00Z Low Tide", "2026-11-27T18:00:00Z Hollow Hill",
      ])
  }

  @Test("a page of tens of thousands of weekdays to choose from is read as fast as its text is long")
  func manyTabs() throws {
    let names = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]
    let tabs = (0..<Self.tabs).map { "<li><a href='#t\($0)'>\(names[$0 % 7])</a></li>" }.joined()
    let found = try reading("<title>Tarn</title><ul>\(tabs)</ul><div id=t0><h3>Low Tide</h3><p>19:30</p></div>")
    #expect(found.screenings.isEmpty, "\(found.lines)")
  }

  private static let tabs = 40_000

  @Test(
    "of what kind a hall or a copy is, and a label, name no film",
    arguments: [
      "<h5>General</h5>", "<a class=toggle href=/how>in 2D</a>", "<h3>2D - DOB</h3>", "<h3>Projected by:</h3>",
      "<p><b>Produktion:</b> 2026</p>",
    ])
  func kinds(over times: String) throws {
    let found = try reading(
      "<title>Moss</title><div class=top><div class=head><div class=big>Silt</div></div></div><div class=block>\(times)"
        + "<div><div class=day>Sat 21 November</div><ul><li><a href=/b>19:30</a></li><li><a href=/c>21:45</a></li></ul>"
        + "</div></div>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T19:30:00Z Silt", "2026-11-21T21:45:00Z Silt"])
  }

  @Test("houses below the one film of a page are none of its titles")
  func housesOfFilm() throws {
    func house(_ name: String, _ id: Int, _ time: String) -> String {
      "<div class=panel><div class=head><h4><a id=cinema-\(id) href=#c\(id)>\(name)</a></h4></div><div id=c\(id)>"
        + "<h3>2D - DOB</h3><ul><li><a href=/b>\(time)</a></li></ul></div></div>"
    }
    let found = try reading(
      "<title>Moss</title><div class=top><h3>Silt</h3><p>English</p></div><ul><li class=\"day active\">Sat 21 Nov</li>"
        + "<li class=day>Sun 22 Nov</li></ul>" + house("Multicine Harbour", 1, "19:30")
        + house("Multicine Tarn Square", 2, "17:00"), zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T17:00:00Z Silt", "2026-11-21T19:30:00Z Silt"])
  }

  @Test("a film may be called as a hall is")
  func calledAsHall() throws {
    let found = try reading(
      "<title>Moss</title><div class=card><h2>Premium</h2><p>Sat 21 November 19:30</p></div><div class=card><h2>Silt</h2>"
        + "<p>Sun 22 November 18:00</p></div>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T19:30:00Z Premium", "2026-11-22T18:00:00Z Silt"])
  }

  @Test(
    "a title is told without what stands beside it: who made it, its class, its small print, its own site",
    arguments: [
      "<div class=titulo><a href=/silt>Silt</a> Ana Berg</div>",
      "<div class=presentation-info><h4><a href=/silt>Silt</a></h4></div><p><strong>The second chapter in a saga</strong></p>",
      "<h2><a href=/silt>Silt</a> <span><small>Pendiente de calificación</small></span></h2>",
      "<p><a href=/silt>Silt</a></p><p><a href=/silt><strong>+ información</strong></a></p>"
        + "<p><a href=https://silt.example/><strong>Web Oficial</strong></a></p>",
    ])
  func beside(title: String) throws {
    let found = try reading(
      "<title>Cine Moss</title><article><h3>Viernes 27/11/2026</h3>\(title)<a href=\"/buy?1\">18:30</a></article>",
      zone: "Europe/Madrid")
    #expect(found.lines == ["2026-11-27T18:30:00+01:00 Silt"])
  }

  @Test(
    "a link before words that are no name is a part of the title",
    arguments: ["the Bolt", "Director's Cut", "(15)", "Episode IV"])
  func linkInTitle(rest: String) throws {
    let found = try reading(
      "<title>Moss Cinema</title><article><h3>Friday 27 November 2026</h3><h2><a href=/silt>Silt</a> \(rest)</h2><p>18:30</p></article>",
      zone: "Europe/London")
    #expect(found.screenings.first?.title.contains(rest) == true, "\(found.lines)")
  }

  @Test("the class of a category is no room and no venue")
  func category() throws {
    let found = try reading(
      "<div><div class=categoria-sala-moss><p>Cine</p></div><h5><a href=/silt>Silt</a></h5><p>4 de Diciembre - 16:30h</p></div>",
      zone: "Europe/Madrid")
    #expect(found.lines == ["2026-12-04T16:30:00+01:00 Silt"])
    #expect(found.screenings.first?.venue == nil && found.screenings.first?.screen == nil)
  }

  @Test(
    "a heading that counts something is a title among titles, and the time below one that is none takes no neighbour's")
  func counted() throws {
    func titles(_ headings: String...) throws -> [String] {
      let items = headings.enumerated().map { "<h3>\($1)</h3><span>1\($0):30</span>" }.joined()
      return try reading("<h2>Sat 28 Nov 2026</h2>\(items)").screenings.map {
        "\($0.start.description.dropFirst(11).prefix(2)) \($0.title)"
      }
    }
    #expect(
      try titles("90 Minutes", "Parasite", "Oldboy", "Silt") == [
        "10 90 Minutes", "11 Parasite", "12 Oldboy", "13 Silt",
      ])
    #expect(try titles("괴물 / 15세 / 104분", "올드보이 / 청소년관람불가") == ["10 괴물", "11 올드보이"])
    #expect(try titles("90 min", "Parasite") == ["11 Parasite"])
  }
}

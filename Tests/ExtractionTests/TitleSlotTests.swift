import Extraction
import Testing

/// Titles that look like something else, told by where they stand.
@Suite("Where titles stand")
struct TitleSlotTests {
  private func read(_ html: String) throws -> [String] {
    try reading(html, zone: "Europe/Berlin", at: "2026-01-31T12:00:00Z", url: "https://moss.example/p").lines
  }

  /// Three records side by side, in some layout; the second has this title.
  private func records(_ title: String, _ record: (_ number: Int, _ title: String) -> String) -> String {
    ["Silt", title, "Marram"].enumerated().map { record($0 + 1, $1) }.joined()
  }

  private func told(_ title: String) -> [String] {
    ["Silt", title, "Marram"].enumerated().map { "2026-02-0\($0 + 1)T20:00:00+01:00 \($1)" }
  }

  @Test(
    "what stands where the records beside it have their titles is one, whatever it looks like",
    arguments: [
      "M", "8½", "42", "9", "1917", "11:14", "3:10 to Yuma", "Friday the 13th", "Sunday", "Gallery", "Close", "Home",
      "9/11", "Room 237", "Contact", "月", "90 Minutes",
    ])
  func headings(title: String) throws {
    let page = records(title) { number, title in
      "<li class=film><h2><a href=/film/\(number)>\(title)</a></h2><time datetime=2026-02-0\(number)T20:00>20:00</time></li>"
    }
    #expect(try read("<ul>\(page)</ul>") == told(title))
  }

  @Test(
    "so it is beside the time, where a link to a page of its own is called a title",
    arguments: ["11:14", "3:10 to Yuma", "Friday", "8½", "5시부터 7시까지의 클레오"])
  func links(title: String) throws {
    let page = records(title) { number, title in
      "<h2>\(number). Februar 2026</h2><div class=showing><span>20:00</span> <a class=film-title href=/f/\(number)>\(title)</a></div>"
    }
    #expect(try read(page) == told(title))
  }

  @Test("in a column of films everything is one", arguments: ["M", "Z", "13 Minutes", "Gallery"])
  func column(title: String) throws {
    let rows = records(title) { number, title in
      "<tr><td>\(title)</td><td>\(number). Februar 2026</td><td>20:00</td></tr>"
    }
    #expect(try read("<table><tr><th>Film</th><th>Datum</th><th>Zeit</th></tr>\(rows)</table>") == told(title))
  }

  @Test("one good title vouches for links that look like labels")
  func labels() throws {
    let page = ["M", "8½", "Close", "Silt"].enumerated().map { number, title in
      "<div><h3><a href=/e/\(number)>\(title)</a></h3><span>0\(number + 1).02. 20:00</span></div>"
    }.joined()
    #expect(
      try read(page) == ["M", "8½", "Close", "Silt"].enumerated().map { "2026-02-0\($0 + 1)T20:00:00+01:00 \($1)" })
  }

  @Test("days over lists, rooms and buttons beside titles stay what they are")
  func others() throws {
    let days = ["1. Februar 2026", "2. Februar 2026"].map {
      "<h3>\($0)</h3><div><span>20:00</span><h3><a href=/f>Silt</a></h3><a href=/s>Saal 1</a><a href=/b>Tickets</a></div>"
    }.joined()
    #expect(try read(days) == ["2026-02-01T20:00:00+01:00 Silt", "2026-02-02T20:00:00+01:00 Silt"])
  }

  @Test("lines with a link behind the time and lines without one are read alike")
  func lines() throws {
    let page =
      "<p>1. Februar 2026<br>20:00 <b>Premiere</b> <a href=/s>Silt</a> OmU</p>"
      + "<p>2. Februar 2026<br>18:30 Marram<br>21:00 Driftwood</p><p>ab 5. Februar<br>The Warden</p>"
    #expect(
      try read(page) == [
        "2026-02-01T20:00:00+01:00 Silt", "2026-02-02T18:30:00+01:00 Marram", "2026-02-02T21:00:00+01:00 Driftwood",
      ])
  }

  @Test(
    "a heading of words for times and days names nothing: the document does",
    arguments: [
      "Orari e giorni programmazione", "Tage und Zeiten", "Horaires et jours", "Horarios y días", "Days & times",
      "Visningstider", "Godziny seansów",
    ])
  func document(heading: String) throws {
    let page =
      "<title>Silt - Moss Cinema</title><h5>\(heading)</h5><p>1. Februar 2026<br>20:00</p><p>2. Februar 2026<br>18:45</p>"
    #expect(try read(page) == ["2026-02-01T20:00:00+01:00 Silt", "2026-02-02T18:45:00+01:00 Silt"])
    let named = page.replacing("<h5>", with: "<h1>Marram</h1><h5>")
    #expect(try read(named) == ["2026-02-01T20:00:00+01:00 Marram", "2026-02-02T18:45:00+01:00 Marram"])
    // What the house calls its first page is no film.
    #expect(try read(page.replacing("Silt - ", with: "Programme - ")) == [])
  }

  @Test("a class that ends with a day says it of what is inside, where others beside it say other days")
  func classes() throws {
    func day(_ number: Int) -> String {
      "<div class=\"day day-2026-02-0\(number)\"><span>15:00</span><h3>Silt</h3><a href=/b/\(number)>Tickets</a></div>"
    }
    let strip = "<label>So 1. Feb</label><label>Mo 2. Feb</label>"
    #expect(
      try read(strip + day(1) + day(2)) == ["2026-02-01T15:00:00+01:00 Silt", "2026-02-02T15:00:00+01:00 Silt"])
    // Of one alone it may be the day on which it was written.
    #expect(try read("<h2>3. Februar 2026</h2>" + day(1)) == ["2026-02-03T15:00:00+01:00 Silt"])
  }

  @Test("a room is no house, a price no age, and a short film's length no hour after midnight")
  func beside() throws {
    for room in ["Saal 1", "Sal 2", "Salong 1", "Malý sál", "Salle 3"] {
      let found = try reading(
        "<h2>1. Februar 2026</h2><div><span>20:00</span><a href=/f/1>Silt</a><i>\(room)</i></div>"
          + "<div><span>21:00</span><a href=/f/2>Marram</a><i>\(room)</i></div>", zone: "Europe/Berlin",
        at: "2026-01-31T12:00:00Z")
      #expect(found.screenings.map(\.screen) == [room, room])
      #expect(found.screenings.allSatisfy { $0.venue == nil }, "\(room)")
    }
    for price in ["Kr 60,00", "60 kr", "€ 60"] {
      let found = try reading(
        "<h2>Silt</h2><div>Sonntag 1. Februar 17:30 <a href=/b>Tickets</a><span>\(price)</span></div>",
        zone: "Europe/Berlin", at: "2026-01-31T12:00:00Z")
      #expect(found.screenings.map(\.attributes) == [[]], "\(price)")
    }
    let short = try reading(
      "<div><time datetime=2026-02-01T14:00>1. Februar 14:00</time><h3>Silt</h3><ul><li>Saal 1</li><li>0h 34m</li></ul></div>",
      zone: "Europe/Berlin", at: "2026-01-31T12:00:00Z")
    #expect(short.lines == ["2026-02-01T14:00:00+01:00 Silt"] && short.unread.isEmpty)
    #expect(PrintedTitle("60+: Silt").attributes == [.seniors])
  }

  @Test(
    "a house that is let is no screening",
    arguments: ["Private hire", "Salongen abonnerad", "Geschlossene Gesellschaft", "Séance privée", "貸切", "대관"])
  func privateHires(title: String) throws {
    let found = try reading(
      #"{"shows":[{"title":"\#(title)","start":"2026-02-01T20:00:00"},{"title":"Silt","start":"2026-02-02T20:00:00"}]}"#,
      zone: "Europe/Berlin", at: "2026-01-31T12:00:00Z", type: "application/json")
    #expect(found.lines == ["2026-02-02T20:00:00+01:00 Silt"])
  }

  @Test("the title of a record that another names may stand one object deeper, and a picture is no address")
  func data() throws {
    let found = try reading(
      #"{"features":[{"id":4,"info":{"title":"Silt"}},{"id":5,"info":{"title":"Marram"}}],"schedule":["#
        + #"{"featureId":4,"dates":[{"startDate":"2026-02-01T20:00:00","arenaName":"Moss Hall","f_url":"https://m.example/p.jpeg"}]},"#
        + #"{"featureId":5,"dates":[{"startDate":"2026-02-02T20:00:00","arenaName":"Fen House","graphic_url":"https://m.example/g"}]}]}"#,
      zone: "Europe/Berlin", at: "2026-01-31T12:00:00Z", type: "application/json")
    #expect(found.lines == ["2026-02-01T20:00:00+01:00 Silt", "2026-02-02T20:00:00+01:00 Marram"])
    #expect(found.screenings.map(\.venue) == ["Moss Hall", "Fen House"])
    #expect(found.screenings.allSatisfy { $0.url == nil })
  }
}

import Extraction
import Testing

/// When one is let in, and when it starts.
@Suite("Doors")
struct DoorsTests {
  private static let head =
    "<title>Silt | Moss Cinema</title><div class=item><h2>Silt</h2><h4>Sat 21 Nov 2026</h4>"

  @Test(
    "a sentence that tells the doors and the start tells the start",
    arguments: [
      "Doors open at 18.30, for a 19.30 start.", "Doors 6.30pm for 7.30pm start", "Doors open 18:30, film 19:30",
      "Doors open from 6.30pm, film starts 7.30pm.",
      "Silent film with live piano. Doors open at 18.30, for a 19.30 start.",
    ])
  func sentences(text: String) throws {
    let found = try reading(
      "\(Self.head)<div class=entry><p>A quiet one.</p><p>\(text)</p></div></div>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T19:30:00Z Silt"], "\(found.lines) \(found.unread)")
  }

  @Test(
    "a time that is called the doors' or the gates' is no start beside one",
    arguments: [
      "<span>Gates: 19:00</span> <span>Showtime: 21:15 - 23:20</span>",
      "<p>Gates open: 19:00</p><p>Film: 21:15</p>",
      "<p><b>Film start: </b>9.15pm <br><b>Doors open (standard tickets): </b>7pm</p>",
    ])
  func gates(text: String) throws {
    let found = try reading("\(Self.head)<div>\(text)</div></div>", zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T21:15:00Z Silt"], "\(found.lines) \(found.unread)")
  }

  @Test("doors in what is told of a film take nothing from the time below")
  func synopsis() throws {
    let found = try reading(
      "<title>Moss Cinema</title><h2>Sat 21 Nov 2026</h2><div class=film><h3>Silt</h3><p>With cake.</p><a href=/1>18:00</a>"
        + "</div><div class=film><h3>Marram</h3><p>Doors at 6.30pm.</p><a href=/2>19:00</a></div>",
      zone: "Europe/London")
    #expect(found.lines == ["2026-11-21T18:00:00Z Silt", "2026-11-21T19:00:00Z Marram"], "\(found.unread)")
  }

  @Test("the doors' time is a row's start where it is its only one, and less sure")
  func alone() throws {
    let found = try reading(
      "<title>Silt in Concert | Moss Hall</title><main><h1>Silt in Concert</h1><section><div class=row><div>February 8th 2027"
        + "</div><div class=showing__doors>14:30</div><a href=/1>Buy tickets</a></div><div class=row>"
        + "<div>February 8th 2027</div><div class=showing__doors>19:30</div><a href=/2>Buy tickets</a></div></section>"
        + "</main>",
      zone: "Europe/London")
    #expect(
      found.lines == ["2027-02-08T14:30:00Z Silt in Concert", "2027-02-08T19:30:00Z Silt in Concert"],
      "\(found.unread)")
    #expect(found.screenings.allSatisfy { $0.confidence < 0.7 })
  }

  @Test("columns of doors, starts and ends are told apart by their heads, whatever the table is called")
  func columns() throws {
    let found = try reading(
      "<title>Silt in Concert | Moss Hall</title><main><h1>Silt in Concert</h1><aside><p>Doors open 18:30</p></aside>"
        + "<table id=doors-opening-times><thead><tr><th>Date</th><th>Doors<br/>open</th><th>Start<br/>time</th>"
        + "<th>End<br/>time</th></tr></thead><tr><th>11 Dec 2026</th><td>18:30</td><td>19:30</td><td>21:30</td></tr>"
        + "<tr><th>12 Dec 2026</th><td>13:30</td><td>14:30</td><td>16:30</td></tr></table></main>",
      zone: "Europe/London")
    #expect(
      found.lines == ["2026-12-11T19:30:00Z Silt in Concert", "2026-12-12T14:30:00Z Silt in Concert"],
      "\(found.lines)")
  }

  @Test("a page that says only when the doors open has that told as unread")
  func unread() throws {
    let found = try reading("\(Self.head)<p>Doors open 6.30pm</p></div>", zone: "Europe/London")
    #expect(found.screenings.isEmpty)
    #expect(found.unread.contains { $0.what.hasPrefix("Doors open") }, "\(found.unread)")
  }
}

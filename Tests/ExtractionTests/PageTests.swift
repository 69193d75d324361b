import Calendars
import Extraction
import Glibc
import Testing

@Suite("Pages")
struct PageTests {
  private let zones = ZoneDirectory()

  private func scores(of folder: String) throws -> [PageScore] {
    try LabelledPage.all(in: folder).map { $0.score(of: try $0.read(zones: zones)) }
  }

  @Test("every page that the reader was made with is read as it is labelled")
  func developed() throws {
    let scores = try scores(of: Folder.pages("Developed"))
    #expect(scores.count >= 35)
    #expect(scores.recall >= 0.97 && scores.precision >= 0.99, Comment(rawValue: scores.report))
  }

  @Test(
    "pages held apart are read nearly as well",
    arguments: [
      "Held", "Held2", "Held3", "Held4", "Held5", "Held6", "Held7", "Held8", "Held9", "Held10", "Held11",
      "Held12", "Held13", "Held14", "Held15", "Held16", "Held17", "Held18", "Held19", "Held20",
      "Held21", "Held22", "Held23", "Held24", "Held25", "Held26", "Held27", "Held28", "Held29", "Held30", "Held31",
      "Held32", "Held33", "Held34", "Held35", "Held36", "Held37", "Held38", "Held39", "Held40", "Held41", "Held42",
      "Held43", "Held44", "Held45", "Held46", "Held47", "Held48",
    ])
  func held(folder: String) throws {
    let scores = try scores(of: Folder.pages(folder))
    #expect(scores.count >= 10)
    #expect(scores.recall >= 0.9 && scores.precision >= 0.98, Comment(rawValue: scores.report))
  }

  @Test("confidence can be believed: of what is told with at least so much, that share is right")
  func calibration() throws {
    var scores: [PageScore] = []
    for number in 1...Self.folders {
      scores += try self.scores(of: Folder.pages("Held\(number == 1 ? "" : "\(number)")"))
    }
    for row in scores.calibration {
      print("confidence \(row.from) or more: \(row.told) told, \(row.right) right")
      #expect(row.right >= row.from, "of \(row.told) told with \(row.from) or more, \(row.right) are right")
    }
  }

  private static let folders = 48

  /// `ODI_EXTRACTION_CORPUS` names a folder of labelled pages of any origin; `ODI_EXTRACTION_TRACE` one of them, of which is
  /// told what the readers saw.
  @Test("a corpus of one's own is read", .enabled(if: getenv("ODI_EXTRACTION_CORPUS") != nil))
  func corpus() throws {
    let folder = String(cString: getenv("ODI_EXTRACTION_CORPUS"))
    if let traced = getenv("ODI_EXTRACTION_TRACE").map({ String(cString: $0) }) {
      for page in try LabelledPage.all(in: folder) where page.name == traced {
        let found = try page.read(zones: zones)
        for line in found.trace.structure { print("structure: \(line)") }
        for entry in found.trace.entries {
          print("\(entry.outcome) by \(entry.reader) at \(entry.place): \(entry.what)")
        }
        for piece in found.unread { print("unread: \(piece.what): \(piece.why)") }
        for one in found.screenings {
          print("found: \(one.start) \(one.title) at \(one.venue ?? "") \(one.screen ?? "")")
        }
      }
    }
    let scores = try scores(of: folder)
    print(scores.report(upTo: .max))
    for row in scores.calibration { print("confidence \(row.from) or more: \(row.told) told, \(row.right) right") }
    #expect(scores.recall >= 0.97 && scores.precision >= 0.99, Comment(rawValue: scores.report))
  }

  @Test("a page that lists nothing gives no screening, and the reason")
  func nothing() throws {
    let found = try reading("<title>Moss Cinema</title><h1>About us</h1><p>Open since 1911.</p>")
    #expect(found.screenings.isEmpty)
    #expect(found.reason == "the page shows no times of screenings")
    #expect(found.confidence == 0)
  }

  @Test("a weekday that disagrees with its date is told as unread, with the page's own words")
  func alarm() throws {
    let found = try reading("<h3>11/23(일)</h3><ul><li>14:00 늦가을 편지</li></ul>")
    #expect(found.screenings.isEmpty)
    #expect(found.unread.first?.why.contains("weekday is not that of the date") == true)
  }

  @Test("what JSON-LD and the layout both tell is one screening, surer than either")
  func joined() throws {
    let found = try reading(
      """
      <script type="application/ld+json">{"@type":"ScreeningEvent","name":"Silt","startDate":"2026-11-21T18:00","url":"/s/1",
        "location":{"@type":"MovieTheater","name":"Dome"}}</script>
      <h2>Silt</h2><h3>Sat 21 Nov</h3><ul><li><a href="/book/1">18:00</a> Screen 2</li></ul>
      """, url: "https://dome.example/films/silt")
    #expect(found.screenings.count == 1)
    let screening = try #require(found.screenings.first)
    #expect(screening.foundBy == [.jsonLD, .html])
    #expect(screening.confidence > 0.97)
    #expect(screening.screen == "Screen 2")
    #expect(screening.url == "https://dome.example/s/1")
  }

  @Test("24:30 keeps what was printed and is half past midnight of the next day")
  func longDay() throws {
    let found = try reading("<h3>11월 21일(토)</h3><p>24:30 미망 (자막)</p>")
    #expect(found.lines == ["2026-11-22T00:30:00+09:00 미망 (자막)"])
    #expect(found.screenings.first?.printedTime?.description == "2026-11-21 24:30")
    #expect(found.screenings.first?.filmTitle == "미망")
    #expect(found.screenings.first?.attributes == [.subtitled])
  }

  @Test("a feed in UTC is shown by the venue's clock, other offsets as they are")
  func offsets() throws {
    let utc = try reading(#"{"showings":[{"film":{"title":"Silt"},"time":"2026-11-21T10:00:00Z"}]}"#)
    #expect(utc.lines == ["2026-11-21T19:00:00+09:00 Silt"])
    let other = try reading(#"{"showings":[{"film":{"title":"Silt"},"time":"2026-11-21T10:00:00-05:00"}]}"#)
    #expect(other.lines == ["2026-11-21T10:00:00-05:00 Silt"])
  }

  @Test("what became of a screening is told of its seats, not of the film")
  func states() throws {
    let found = try reading(
      """
      <h3>Sat 21 Nov</h3><ul><li>14:00 <b>Silt (SOLD OUT)</b></li><li>16:00 <b>CANCELLED: Peat</b></li>
      <li>19:00 <b>Marram – Sold out</b></li></ul>
      """)
    #expect(found.screenings.map(\.filmTitle) == ["Silt", "Marram"])
    #expect(found.screenings.allSatisfy { $0.seats == .soldOut })
    #expect(found.unread.contains { $0.why == "its title says that it is cancelled" })
  }

  @Test("a whole day has a plain date")
  func wholeDay() throws {
    let found = try reading(
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Fair\nDTSTART;VALUE=DATE:20261128\nEND:VEVENT\nEND:VCALENDAR")
    #expect(found.lines == ["2026-11-28 Fair"])
  }

  @Test("reading the same page twice gives the same answer")
  func pure() throws {
    for page in try LabelledPage.all(in: Folder.pages("Held")) {
      let first = try page.read(zones: zones)
      let second = try page.read(zones: zones)
      #expect(first.screenings == second.screenings && first.unread == second.unread, "\(page.name)")
    }
  }
}

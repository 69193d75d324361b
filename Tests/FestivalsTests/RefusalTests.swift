import Contracts
import Festivals
import JSON
import Testing

/// Refusals that say what is there and what to do, and files that need none.
@Suite("Refusals")
struct RefusalTests {
  private func refusal(_ text: String) -> String {
    do {
      _ = try Sample.read(text)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("an answer with results that are no talks is told as JSON that is not known")
  func otherResults() {
    let text = #"{"count": 1, "results": [{"title": "M", "items": [{"id": "1", "title": "A"}]}]}"#
    #expect(refusal(text).contains("--mapping says what its members are"), "\(refusal(text))")
    #expect(refusal(#"{"schedule": {"days": []}}"#).contains("--mapping"))
  }

  @Test("a schedule without a conference is told as one, with how its entries are called")
  func noConference() {
    let entry = "<entry id=\"1\"><start>0930</start><title>A</title></entry>"
    let text = refusal("<schedule><day date=\"2026-07-21\">\(entry)</day></schedule>")
    #expect(text.contains("there is no <conference>") && text.contains("<entry>"), "\(text)")
    #expect(refusal("<a/>").contains("<a> is no schedule"))
  }

  @Test("a calendar inside a comment of a page is a calendar")
  func comment() throws {
    let calendar = Sample.calendar.replacing("\r\n", with: "\n")
    let programme = try Sample.read("<!--\n\(calendar)\n-->\n")
    #expect(Essence.all(of: programme) == Essence.all(of: try Sample.read(Sample.calendar)))
  }

  @Test("rows of two festivals are imported one at a time; an id or name that is said stands for all")
  func severalFestivals() throws {
    let table =
      "title,start,festival,festival_name,time_zone\nA,2026-08-03T08:00:00Z,a-26,A 26,UTC\nB,2026-08-04T08:00:00Z,"
    #expect(refusal(table + "b-26,A 26,UTC\n").contains("festival is a-26, b-26; import them one at a time"))
    let programme = try Sample.read(table + ",,\n")
    #expect(programme.festival.id.text == "a-26" && programme.festival.name == "A 26" && programme.sessions.count == 2)
  }

  @Test("an event without a UID is told so")
  func noUID() throws {
    let programme = try Sample.read(Sample.calendar.replacing("UID:68c5@lake.example\r\n", with: ""))
    #expect(programme.notes.contains { $0.contains("the event has no UID; one was made of it") }, "\(programme.notes)")
  }

  @Test("whole numbers are hours where all starts of a table are such, and none where some are not")
  func hours() throws {
    let programme = try Sample.table("A,2026-08-06,12\nB,2026-08-06,24\nC,2026-08-06,9\n")
    #expect(
      try Sample.lines(programme) == [
        "08-06 08-06T09:00 none : C", "08-06 08-06T12:00 none : A", "08-06 08-07T00:00 none : B",
      ])
    let mixed = try Sample.table("A,2026-08-06,12\nB,2026-08-06,14:00\n")
    #expect(mixed.sessions.map(\.title) == ["B"] && mixed.omitted == 1)
  }
}

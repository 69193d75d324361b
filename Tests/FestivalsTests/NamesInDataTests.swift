import Contracts
import Festivals
import JSON
import Testing

/// What an object that stands where a name belongs is called.
@Suite("Names in data")
struct NamesInDataTests {
  private func read(_ row: String, speakers: String = "who") throws -> FestivalProgramme {
    let mapping = """
      {"festival": {"id": "moss", "name": "Moss", "time_zone": "Europe/Berlin"},
       "columns": {"title": "title", "start": "start", "rooms": "hall", "track": "strand", "speakers": "\(speakers)"}}
      """
    let text = "[{\"title\": \"A\", \"start\": \"2026-05-01T10:00:00\", \(row)}]"
    return try Sample.read(text, mapping: try ColumnMapping(JSONValue(parsing: mapping)))
  }

  @Test("an id beside a name is no name, whatever comes first")
  func ids() throws {
    let programme = try read(
      """
      "hall": {"id": "r1", "name": "Attic"}, "strand": {"id": "t9", "title": {"de": "Nacht", "en": "Night"}},
      "who": [{"id": "0b7c", "fullName": "Ada Quill"}, {"key": "7", "public_name": "Tom"}, {"id": "x", "label": "Rin"}]
      """)
    #expect(try Sample.lines(programme) == ["05-01 05-01T10:00 none Attic: A / Night / Ada Quill / Tom / Rin"])
    #expect(programme.notes.isEmpty, "\(programme.notes)")
  }

  @Test("of a text in several languages one is taken; an object that is neither has no name, which is noted")
  func languages() throws {
    let named = try read(#""hall": {"de": "Dachboden", "zh-Hant": "閣樓"}, "who": [{"ja": "花", "id": "hana"}]"#)
    #expect(try Sample.lines(named) == ["05-01 05-01T10:00 none Dachboden: A / 花"])
    let unnamed = try read(#""hall": {"id": "r1", "code": "A"}, "who": [{"place": "2", "who": "Ada Quill"}]"#)
    #expect(try Sample.lines(unnamed) == ["05-01 05-01T10:00 none : A"])
    #expect(unnamed.notes.contains { $0.contains("rooms") && $0.contains("hall has id, code") }, "\(unnamed.notes)")
    #expect(unnamed.notes.contains { $0.contains("speakers") && $0.contains("who has place, who") })
  }

  @Test("a path goes on through a list, and a number is a place in one")
  func paths() throws {
    let row = #""who": [{"place": "2", "who": "Ada Quill"}, {"place": "3", "who": "Tom"}]"#
    #expect(try Sample.lines(read(row, speakers: "who.who")) == ["05-01 05-01T10:00 none : A / Ada Quill / Tom"])
    #expect(try Sample.lines(read(row, speakers: "who.1.who")) == ["05-01 05-01T10:00 none : A / Tom"])
  }
}

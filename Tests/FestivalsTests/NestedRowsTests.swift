import Contracts
import Festivals
import JSON
import Testing

/// Rows that stand in rows.
@Suite("Rows in rows")
struct NestedRowsTests {
  private func read(_ text: String, rows: String) throws -> FestivalProgramme {
    let mapping = """
      {"festival": {"id": "moss", "name": "Moss", "time_zone": "Europe/Berlin"}, "rows": "\(rows)",
       "columns": {"title": "film", "day": "date", "start": "time", "rooms": "hall"}}
      """
    return try Sample.read(text, mapping: try ColumnMapping(JSONValue(parsing: mapping)))
  }

  private static let lists = """
    {"date": "2026-05-01", "film": "The Festival", "blocks": [
      {"hall": "A", "shows": [{"time": "10:00", "film": "Owl"}, {"time": "12:00", "film": "Elk", "hall": "B"}]},
      {"hall": "C", "date": "2026-05-02", "shows": [{"time": "14:00", "film": "Bee"}, {"time": "16:00"}]}]}
    """

  @Test("rows go on through lists, and a column is looked for in the row, then in what encloses it")
  func lists() throws {
    let programme = try read(Self.lists, rows: "blocks.shows")
    #expect(
      try Sample.lines(programme) == [
        "05-01 05-01T10:00 none A: Owl", "05-01 05-01T12:00 none B: Elk", "05-02 05-02T14:00 none C: Bee",
      ])
    #expect(programme.omitted == 1, "a festival's title is no session's")
  }

  @Test("a star goes through objects that are used as lists")
  func objects() throws {
    let text = """
      {"days": {"fri": {"date": "2026-05-01", "600": {}}, "sat": {"date": "2026-05-02", "600": {"1": {"time": "10:00",
       "film": "Owl", "hall": "A"}, "2": {"time": "10:00", "film": "Elk", "hall": "B"}}}}}
      """
    #expect(
      try Sample.lines(read(text, rows: "days.*.600.*")) == [
        "05-02 05-02T10:00 none B: Elk", "05-02 05-02T10:00 none A: Owl",
      ])
  }

  @Test("a list beside the rows is of all of them, and no row's own", arguments: [#""hall": [], "#, ""])
  func neighbours(own: String) throws {
    let text = """
      {"hall": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}],
       "shows": [{\(own)"date": "2026-05-01", "time": "10:00", "film": "Owl"}]}
      """
    #expect(try Sample.lines(read(text, rows: "shows")) == ["05-01 05-01T10:00 none : Owl"])
  }

  @Test("a refusal names how far the path leads and what is there")
  func refused() throws {
    func refusal(_ rows: String) -> String {
      do {
        _ = try read(Self.lists, rows: rows)
        return ""
      } catch {
        return "\(error)"
      }
    }
    let inside = refusal("blocks.showings")
    #expect(inside.contains("blocks is a list of 2; its items have hall, shows"), "\(inside)")
    #expect(refusal("block").contains("the file is an object with date, film, blocks"), "\(refusal("block"))")
  }
}

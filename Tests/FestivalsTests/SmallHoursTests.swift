import Contracts
import Festivals
import Testing

/// Which date a small hour in a table is of.
@Suite("Small hours in tables")
struct SmallHoursTests {
  private static let clocks = [
    "1:15", "01:15", "1:15 AM", "1:15|AM", "1:15 Uhr", "01.15 Uhr", "1:15 h", "1時15分", "오전 1시 15분", "1:15-3:00",
  ]

  @Test("the mapping says whose a small hour is, however it is printed", arguments: clocks)
  func printed(clock: String) throws {
    let rows = "A,2026-05-01,\(clock)\n"
    let same = try Sample.table(rows, more: #", "after_midnight": "same_day""#)
    #expect(try Sample.lines(same)[0].hasPrefix("05-01 05-01T01:15"))
    let before = try Sample.table(rows)
    #expect(try Sample.lines(before)[0].hasPrefix("05-01 05-02T01:15"))
    #expect(before.notes.contains { $0.contains("after midnight") }, "each is told")
  }

  @Test("what is written beyond midnight stays there", arguments: ["25:15", "25.15 Uhr", "翌1:15"])
  func beyond(clock: String) throws {
    let programme = try Sample.table(
      "A,2026-05-01,\(clock)\n", zone: "Asia/Tokyo", more: #", "after_midnight": "same_day""#)
    #expect(try Sample.lines(programme) == ["05-01 05-02T01:15 none : A"])
  }
}

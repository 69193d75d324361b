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

  @Test("a small hour before the day's first row, where rows are in the order of time, is of the date that is printed")
  func order() throws {
    let first = "Review,2026-12-29,22:00\nReunion,2026-12-30,0:00 a.m.\nTalk,2026-12-30,12:00\nQuiz,2026-12-30,14:00\n"
    let programme = try Sample.table(first)
    #expect(
      try Sample.lines(programme).dropFirst() == [
        "12-30 12-30T00:00 none : Reunion", "12-30 12-30T12:00 none : Talk", "12-30 12-30T14:00 none : Quiz",
      ])
    #expect(programme.notes.contains { $0.contains("evening_before") }, "\(programme.notes)")
    let said = try Sample.table(first, more: #", "after_midnight": "evening_before""#)
    #expect(said.sessions.first { $0.title == "Reunion" }?.startsAt == Sample.instant("2026-12-31T00:00:00+01:00"))
  }

  @Test(
    "behind the evening, or where rows are in no order of time, a small hour is of the night",
    arguments: [
      "Talk,2026-12-30,12:00\nReunion,2026-12-30,00:00\n", "Reunion,2026-12-30,00:00\n",
      "Reunion,2026-12-30,00:00\nTalk,2026-12-30,14:00\nQuiz,2026-12-30,12:00\n",
    ])
  func night(rows: String) throws {
    let programme = try Sample.table(rows)
    #expect(
      programme.sessions.first { $0.title == "Reunion" }?.startsAt == Sample.instant("2026-12-31T00:00:00+01:00"))
  }
}

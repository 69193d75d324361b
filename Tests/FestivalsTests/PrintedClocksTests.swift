import Contracts
import Festivals
import Testing

/// Clocks in a column of starts, with what people write around them.
@Suite("Printed clocks")
struct PrintedClocksTests {
  @Test(
    "before and after noon belong to the clock, whatever mark stands between",
    arguments: [
      "6:00|PM", "6:00-PM", "\"6:00, PM\"", "6:00_PM", "6:00 P", "6:00/p.m.", "6:00 PM", "6:00 PM EST", "6:00 p. m.",
      "18:00 GV", "18:00*", "6:00PM sharp", "18.00 Uhr", "18:00 hrs", "ab 18:00 Uhr", "18:00 (OmU)",
    ])
  func meridiems(text: String) throws {
    #expect(try Sample.lines(Sample.table("A,2026-05-01,\(text)\n")) == ["05-01 05-01T18:00 none : A"])
  }

  @Test("noon and midnight are told apart whatever mark stands between")
  func noon() throws {
    let programme = try Sample.table(
      "A,2026-05-01,12:30|AM\nB,2026-05-01,12:30|PM\n", more: #", "after_midnight": "same_day""#)
    #expect(try Sample.lines(programme) == ["05-01 05-01T00:30 none : A", "05-01 05-01T12:30 none : B"])
  }

  @Test("a cell that says more than a clock is no start, and what was not understood is told")
  func others() throws {
    let programme = try Sample.table("A,2026-05-01,18:00\nB,2026-05-01,6:00 im Anschluss\nC,2026-05-01,6:00 xm\n")
    #expect(programme.sessions.map(\.title) == ["A"] && programme.omitted == 2)
    #expect(programme.notes.contains { $0.contains("line 3") && $0.contains("im Anschluss") }, "\(programme.notes)")
  }
}

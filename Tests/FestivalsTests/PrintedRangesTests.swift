import Calendars
import Contracts
import Festivals
import Testing

/// A column of starts that says ends too.
@Suite("Ranges in the column of starts")
struct PrintedRangesTests {
  @Test(
    "the end of a range and a length in brackets are the end, where no other column says one",
    arguments: [
      ("19:30-21:00", "21:00"), ("7:30PM-9:00PM", "21:00"), ("19:30 – 00:15", "00:15"), ("19:30 (120')", "21:30"),
      ("19:30 (90 min)", "21:00"), ("19:30 - 21:00 hrs", "21:00"), ("19:30 (OmU)", "none"), ("19:30 (2)", "none"),
    ])
  func ends(text: String, end: String) throws {
    #expect(try Sample.lines(Sample.table("A,2026-05-01,\(text)\n")) == ["05-01 05-01T19:30 \(end) : A"])
  }

  @Test("an end or a length that a row says stands before it")
  func said() throws {
    var options = Sample.options
    (options.name, options.zone) = ("Moss", .utc)
    func read(_ rows: String) throws -> [String] {
      try Sample.lines(FestivalProgramme.read([Array(rows.utf8)], options: options))
    }
    #expect(
      try read("title,day,start,end\nA,2026-05-01,19:30-21:00,22:00\n") == ["05-01 05-01T19:30 22:00 : A"])
    #expect(
      try read("title,day,start,duration\nA,2026-05-01,19:30-21:00,60\n") == ["05-01 05-01T19:30 20:30 : A"])
  }
}

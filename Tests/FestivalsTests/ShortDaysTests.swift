import Contracts
import Festivals
import Testing

/// Days whose year has two digits or is told elsewhere.
@Suite("Short days")
struct ShortDaysTests {
  private func refusal(_ rows: String, _ more: String) -> String {
    do {
      _ = try Sample.table(rows, more: more)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("a year of two digits behind day and month is of this century")
  func twoDigits() throws {
    #expect(
      try Sample.lines(Sample.table("A,27/12/14,19:30\nB,2/1/15,19:30\n")) == [
        "12-27 12-27T19:30 none : A", "01-02 01-02T19:30 none : B",
      ])
    let american = try Sample.table("A,4/5/11,19:30\n", more: #", "date": {"order": "month_first"}"#)
    #expect(american.sessions.map { "\($0.day)" } == ["2011-04-05"])
    #expect(try Sample.table("A,14.09.26,19:30\n").sessions.map { "\($0.day)" } == ["2026-09-14"])
    // In East Asia the year comes first: 26.09.14 would be another day.
    #expect(refusal("A,14.09.26,19:30\n", "").isEmpty && throwsInSeoul("A,14.09.12,19:30\n"))
    #expect(refusal("A,14.09.26,19:30\n", #", "date": {"year": 2025}"#).contains("is no day"))
  }

  private func throwsInSeoul(_ rows: String) -> Bool {
    (try? Sample.table(rows, zone: "Asia/Seoul")) == nil
  }

  @Test(
    "day and month are a day of the mapping's year in its order", arguments: ["14/9", "14.09.", "14.9", "14/09/26"])
  func short(day: String) throws {
    let mapping = #", "date": {"year": 2026, "order": "day_first"}"#
    #expect(try Sample.table("A,\(day),19:30\n", more: mapping).sessions.map { "\($0.day)" } == ["2026-09-14"])
  }

  @Test("a refusal asks only for what the mapping does not say yet")
  func messages() {
    let all = refusal("A,x/y,19:30\n", #", "date": {"year": 2026, "month": 9, "order": "day_first"}"#)
    #expect(all.contains("x/y is no day") && !all.contains("order") && !all.contains("year"), "\(all)")
    let year = refusal("A,4/5,19:30\n", #", "date": {"order": "day_first"}"#)
    #expect(year.contains("a year") && !year.contains("day_first"), "\(year)")
    let order = refusal("A,4/5,19:30\n", #", "date": {"year": 2026}"#)
    #expect(order.contains("day_first or month_first") && !order.contains("a year"), "\(order)")
  }
}

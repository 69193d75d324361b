import Calendars
import Clocks
import Extraction
import JSON
import Testing

/// A rule outlives the week that it was proposed in: the same site a week later, other films, other times, another day
/// that is today's.
@Suite("Rules over weeks")
struct RuleOverWeeksTests {
  /// One of a site's weeks: a film's name, the days after the first and the times.
  typealias Week = [(title: String, shows: [(day: Int, times: [String])])]

  private static let first: Week = [
    ("Silt", [(0, ["14:00", "18:30"]), (2, ["20:15"])]), ("The Salt Road", [(1, ["16:45"]), (2, ["11:30", "21:00"])]),
    ("Marram", [(0, ["21:10"])]),
  ]
  private static let second: Week = [
    ("Peat", [(0, ["13:15"]), (1, ["19:00", "21:20"])]), ("Silt", [(3, ["17:30"])]),
    ("Hundred Lanterns", [(1, ["10:45"]), (3, ["20:00"])]), ("Glass Ferry", [(2, ["15:00", "18:10", "20:50"])]),
  ]

  private static func printed(_ date: CivilDate) -> String {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    return "\(weekdays[date.weekday.rawValue - 1]) \(date.day) \(months[date.month - 1])"
  }

  /// Days over rows of films.
  private static func days(_ week: Week, _ start: CivilDate) -> String {
    (0..<4).map { offset in
      let rows = week.flatMap { film in
        film.shows.filter { $0.day == offset }.flatMap(\.times).map {
          "<li class=\"row\"><time>\($0)</time> <a class=\"film\" href=\"/f\">\(film.title)</a></li>"
        }
      }
      return "<section class=\"day\(offset == 0 ? " today" : "")\"><h2>\(printed(start + offset))</h2><ul>"
        + rows.joined() + "</ul></section>"
    }.joined()
  }

  /// Films over days over times.
  private static func films(_ week: Week, _ start: CivilDate) -> String {
    week.map { film in
      "<article class=\"film\"><h3>\(film.title)</h3><p>104 mins</p>"
        + film.shows.map { show in
          "<div class=\"group\"><span class=\"date\">\(printed(start + show.day))</span> "
            + show.times.map { "<a class=\"btn\" href=\"/book/\($0.prefix(2))\">\($0)</a>" }.joined(separator: " ")
            + "</div>"
        }.joined() + "</article>"
    }.joined()
  }

  /// A table of films and days.
  private static func table(_ week: Week, _ start: CivilDate) -> String {
    "<table class=\"plan\"><tr><th>Film</th>" + (0..<4).map { "<th>\(printed(start + $0))</th>" }.joined() + "</tr>"
      + week.map { film in
        "<tr><td class=\"title\">\(film.title)</td>"
          + (0..<4).map { offset in
            "<td>"
              + film.shows.filter { $0.day == offset }.flatMap(\.times).map { "<span class=\"t\">\($0)</span>" }
              .joined(separator: " ") + "</td>"
          }.joined() + "</tr>"
      }.joined() + "</table>"
  }

  private static func wanted(_ week: Week, _ start: CivilDate) -> Set<String> {
    Set(
      week.flatMap { film in
        film.shows.flatMap { show in show.times.map { "\(start + show.day)T\($0):00Z \(film.title)" } }
      })
  }

  @Test("a rule that was proposed for one week finds all of the next, and nothing else", arguments: [0, 1, 2])
  func nextWeek(layout: Int) throws {
    let body = [Self.days, Self.films, Self.table][layout]
    let zones = ZoneDirectory()
    let zone = try zones.rules(for: #require(ZoneName("Europe/London")))
    func reader(at instant: String) throws -> PageReader {
      PageReader(zone: zone, capturedAt: try #require(Timestamp(instant)).instant, zones: zones)
    }
    func page(_ week: Week, _ start: CivilDate) -> [UInt8] {
      Array(
        "<html><head><title>Moss Cinema</title></head><body><h1>Moss Cinema</h1>\(body(week, start))</body></html>".utf8
      )
    }
    let friday = try #require(CivilDate(year: 2026, month: 11, day: 20))
    let proposal = try #require(
      try reader(at: "2026-11-20T08:00:00Z").propose(
        for: page(Self.first, friday), as: PageSource(), site: "a", cinema: "a"))
    #expect(proposal.isExact)
    let report = try reader(at: "2026-11-27T08:00:00Z").run(proposal.rule, on: page(Self.second, friday + 7))
    let found = Set(report.extraction.screenings.map { "\($0.start) \($0.title)" })
    #expect(found == Self.wanted(Self.second, friday + 7), "\(String(decoding: proposal.rule.json, as: UTF8.self))")
  }
}

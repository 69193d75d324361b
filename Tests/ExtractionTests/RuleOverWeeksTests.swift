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

  /// As a builder of styles writes it: names beside which stand others that change with each build.
  private static func built(_ week: Week, _ start: CivilDate) -> String {
    let salt = start.day == 20 ? "1x2y3z" : "9k8j7h"
    return week.map { film in
      "<div class=\"css-\(salt) film-card\"><a class=\"css-a\(salt) FilmCard_title__\(salt)\" href=\"/f\">"
        + "<h3 class=\"css-b\(salt)\">\(film.title)</h3></a>"
        + film.shows.map { show in
          "<div class=\"css-c\(salt) film-card__day\"><span class=\"css-d\(salt) date\">\(printed(start + show.day))</span>"
            + show.times.map { "<button class=\"css-e\(salt) showtime\">\($0)</button>" }.joined() + "</div>"
        }.joined() + "</div>"
    }.joined()
  }

  /// The same where all names are made up.
  private static func nameless(_ week: Week, _ start: CivilDate) -> String {
    let salt = start.day == 20 ? "bdVaJa" : "kXqPzW"
    return "<main class=\"sc-\(salt)\">"
      + week.map { film in
        "<article class=\"sc-a\(salt)\"><h3 class=\"sc-b\(salt)\">\(film.title)</h3>"
          + film.shows.map { show in
            "<section class=\"sc-c\(salt)\"><h4 class=\"sc-d\(salt)\">\(printed(start + show.day))</h4><ul>"
              + show.times.map { "<li class=\"sc-e\(salt)\">\($0)</li>" }.joined() + "</ul></section>"
          }.joined() + "</article>"
      }.joined() + "</main>"
  }

  /// A list of terms: days, and lines of films below them.
  private static func terms(_ week: Week, _ start: CivilDate) -> String {
    "<dl class=\"programme\">"
      + (0..<4).map { offset in
        "<dt>\(printed(start + offset))</dt>"
          + week.flatMap { film in
            film.shows.filter { $0.day == offset }.flatMap(\.times).map {
              "<dd><b class=\"time\">\($0)</b> <em class=\"name\">\(film.title)</em></dd>"
            }
          }.joined()
      }.joined() + "</dl>"
  }

  /// Performances with their whole start in an attribute.
  private static func machine(_ week: Week, _ start: CivilDate) -> String {
    "<ul class=\"perfs\">"
      + week.flatMap { film in
        film.shows.flatMap { show in
          show.times.map {
            "<li class=\"perf\"><time datetime=\"\(start + show.day)T\($0)\">\(printed(start + show.day)), \($0)</time>"
              + "<span class=\"name\">\(film.title)</span></li>"
          }
        }
      }.joined() + "</ul>"
  }

  /// Headings one after the other, without a part around anything.
  private static func flat(_ week: Week, _ start: CivilDate) -> String {
    (0..<4).map { offset in
      "<h2 class=\"day\">\(printed(start + offset))</h2>"
        + week.filter { $0.shows.contains { $0.day == offset } }.map { film in
          "<h3 class=\"film\">\(film.title)</h3><p class=\"times\">"
            + film.shows.filter { $0.day == offset }.flatMap(\.times).map { "<a class=\"t\" href=\"/b\">\($0)</a>" }
            .joined(separator: " ") + "</p>"
        }.joined()
    }.joined()
  }

  /// A row for each showing.
  private static func rows(_ week: Week, _ start: CivilDate) -> String {
    "<table class=\"list\"><tr><th>Date</th><th>Time</th><th>Film</th></tr>"
      + week.flatMap { film in
        film.shows.flatMap { show in
          show.times.map {
            "<tr><td class=\"d\">\(printed(start + show.day))</td><td class=\"t\">\($0)</td>"
              + "<td class=\"f\"><a href=\"/f\">\(film.title)</a></td></tr>"
          }
        }
      }.joined() + "</table>"
  }

  /// Days that are told by an attribute of the part around them.
  private static func dated(_ week: Week, _ start: CivilDate) -> String {
    (0..<4).map { offset in
      "<div class=\"panel\(offset == 0 ? " active" : "")\" data-date=\"\(start + offset)\">"
        + week.flatMap { film in
          film.shows.filter { $0.day == offset }.flatMap(\.times).map {
            "<div class=\"screening\"><span class=\"time\">\($0)</span><h4 class=\"title\">\(film.title)</h4></div>"
          }
        }.joined() + "</div>"
    }.joined()
  }

  /// Lines with date and time under their film.
  private static func lines(_ week: Week, _ start: CivilDate) -> String {
    week.map { film in
      "<div class=\"event\"><h3 class=\"event-title\">\(film.title)</h3><ul class=\"dates\">"
        + film.shows.flatMap { show in show.times.map { "<li>\(printed(start + show.day)), \($0)</li>" } }.joined()
        + "</ul></div>"
    }.joined()
  }

  /// Lists in lists, as a builder of menus would write them.
  private static func nested(_ week: Week, _ start: CivilDate) -> String {
    "<ul class=\"films\">"
      + week.map { film in
        "<li class=\"films__item\"><strong class=\"films__name\">\(film.title)</strong><ul class=\"films__days\">"
          + film.shows.map { show in
            "<li class=\"films__day\"><i>\(printed(start + show.day))</i>"
              + show.times.map { "<span class=\"films__time\">\($0)</span>" }.joined() + "</li>"
          }.joined() + "</ul></li>"
      }.joined() + "</ul>"
  }

  private static let layouts = [
    days, films, table, built, nameless, terms, machine, flat, rows, dated, lines, nested,
  ]

  private static func wanted(_ week: Week, _ start: CivilDate) -> Set<String> {
    Set(
      week.flatMap { film in
        film.shows.flatMap { show in show.times.map { "\(start + show.day)T\($0):00Z \(film.title)" } }
      })
  }

  @Test("a rule that was proposed for one week finds all of the next, and nothing else", arguments: 0..<12)
  func nextWeek(layout: Int) throws {
    let body = Self.layouts[layout]
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
    let text = String(decoding: proposal.rule.json, as: UTF8.self)
    #expect(!text.contains("1x2y3z") && !text.contains("bdVaJa"), "\(text)")
    let report = try reader(at: "2026-11-27T08:00:00Z").run(proposal.rule, on: page(Self.second, friday + 7))
    let found = Set(report.extraction.screenings.map { "\($0.start) \($0.title)" })
    #expect(found == Self.wanted(Self.second, friday + 7), "\(text)")
  }
}

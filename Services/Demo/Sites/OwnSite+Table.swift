import Calendars
import JSON

/// A page with a table of dates and screens, and the rule by which it can be read.
///
/// Dates are printed without a year. A show after midnight is printed by the clock, 00:30, under the evening's date.
nonisolated extension OwnSite {
  func tablePage() -> DemoDocument {
    if style.isRedesigned { return newTablePage() }
    let heads = cinema.habits.screens.indices.map { "<th scope=\"col\">Screen \($0 + 1)</th>" as Markup }
    let rows = shownDays.map { row($0) }
    return page(
      """
      <table class="programme">
      <thead><tr><th scope="col">Date</th>\(heads)</tr></thead>
      <tbody>
      \(rows)</tbody>
      </table>
      \(days.isEmpty ? nothing : "")
      """)
  }

  private func row(_ day: ProgrammeDay) -> Markup {
    let head: Markup = "<th scope=\"row\" data-date=\"\(day.date.description)\">\(printed(day.date))</th>"
    if day.isClosed {
      return "<tr class=\"day closed\">\(head)<td colspan=\"\(cinema.habits.screens.count)\">Closed</td></tr>\n"
    }
    let cells = cinema.habits.screens.indices.map { screen in
      cell(day.shows.filter { $0.screen == screen && $0.state != .cancelled }, day.date)
    }
    return "<tr class=\"day\">\(head)\(cells)</tr>\n"
  }

  /// A screen's evening: films in the order of their first show, each with its times.
  private func cell(_ shows: [Show], _ date: CivilDate) -> Markup {
    var order: [String] = []
    var titled: [String: [Show]] = [:]
    for show in shows {
      let title = show.title(at: cinema)
      if titled[title] == nil { order.append(title) }
      titled[title, default: []].append(show)
    }
    let films = order.map { title -> Markup in
      let times = (titled[title] ?? []).map { time($0, date) }
      return """
        <section class="film"><h3>\(title)</h3><ol class="times">\(times)</ol></section>

        """
    }
    return "<td>\n\(films)</td>"
  }

  private func time(_ show: Show, _ date: CivilDate) -> Markup {
    let note: Markup = note(show).map { " <span class=\"tag\">\($0)</span>" } ?? ""
    let style: Markup = show.isSoldOut ? " class=\"full\"" : ""
    return """
      <li\(style)><a href="\(ticketURL(show, date))"><time>\(show.start.clock.description)</time></a> \
      <span class="scr">\(screenName(show))</span>\(note)</li>
      """
  }

  /// The same shows without a table.
  private func newTablePage() -> DemoDocument {
    let blocks = shownDays.map { day -> Markup in
      let shows = day.shows.map { show -> Markup in
        "<div class=\"slot\"><span>\(show.start.clock.description)</span> \(show.title(at: cinema))</div>\n"
      }
      return "<div class=\"block\"><h4>\(printed(day.date))</h4>\n\(shows)</div>\n"
    }
    return page(Markup(joining: blocks))
  }

  /// The rule for this table, as a rule file has it.
  static func writeRule(for cinema: DemoCinema, start: String, to json: inout JSONWriter) {
    json.field("site", cinema.id)
    json.field("cinema", cinema.id)
    json.field("zone", cinema.zone.name)
    json.array("start", of: [start])
    json.object("days") { json in
      json.field("each", "table.programme > tbody > tr.day")
      json.object("date") { json in json.field("text", "th") }
      json.object("closed") { json in json.field("has_class", "closed") }
    }
    json.object("films") { json in
      json.field("each", "section.film")
      json.object("title") { json in json.field("text", "h3") }
      json.object("shows") { json in
        json.field("each", "ol.times > li")
        json.object("time") { json in
          json.field("text", "time")
          json.field("parse", "clock30")
        }
        json.object("screen") { json in json.field("text", ".scr") }
        json.object("booking") { json in
          json.field("attr", "a@href")
          json.field("resolve", true)
        }
        json.object("notes") { json in
          json.field("text", ".tag")
          json.field("all", true)
        }
        json.object("sold_out") { json in json.field("has_class", "full") }
      }
    }
  }
}

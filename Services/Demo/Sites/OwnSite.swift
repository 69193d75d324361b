import Calendars

/// What a cinema with a site of its own publishes on one page.
nonisolated struct OwnSite {
  let cinema: DemoCinema
  let days: [ProgrammeDay]
  /// `http://127.0.0.1:7190`
  let base: String
  let style: SiteStyle

  /// Without the shows if the site has to look empty, and with other texts if it is hostile.
  var shownDays: [ProgrammeDay] {
    guard style.isEmpty || style.isHostile else { return days }
    return days.map { day in
      ProgrammeDay(date: day.date, isClosed: day.isClosed, shows: style.isEmpty ? [] : day.shows.map(\.defaced))
    }
  }

  static func path(of cinema: DemoCinema) -> String {
    switch cinema.format {
    case .ics: "/sites/\(cinema.id)/calendar.ics"
    case .dtryx, .jsonLD, .microdata, .table: "/sites/\(cinema.id)/whats-on"
    }
  }

  func ticketURL(_ show: Show, _ date: CivilDate) -> String {
    style.isHostile
      ? HostileText.link(show.number + date.day)
      : "\(base)/sites/\(cinema.id)/tickets/\(date)/\(show.number)"
  }

  func posterURL(_ film: DemoFilm) -> String { "\(base)/poster/\(film.code)_large.svg" }

  func screenName(_ show: Show) -> String {
    style.isHostile ? HostileText.text(show.screen) : "Screen \(show.screen + 1)"
  }

  func instant(_ show: Show, _ date: CivilDate) -> Timestamp { stamp(ServiceTime(date, show.start)) }

  func end(_ show: Show, _ date: CivilDate) -> Timestamp { stamp(ServiceTime(date, show.end)) }

  func stamp(_ time: ServiceTime) -> Timestamp { cinema.zone.timestamp(at: cinema.zone.instant(of: time)) }

  /// `Sun 22 Nov`: no year, as printed.
  func printed(_ date: CivilDate) -> String {
    "\(Self.weekdays[date.weekday.rawValue - 1]) \(date.day) \(Self.months[date.month - 1])"
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// What stands beside a show for people.
  func note(_ show: Show) -> String? {
    switch show.state {
    case .cancelled: "Cancelled"
    case .moved(let from): "Moved from \(from.clock)"
    case .planned where show.isSoldOut: "Sold out"
    case .planned where show.seatsLeft <= 5: "Last few tickets"
    case .planned: nil
    }
  }

  func page(_ body: Markup) -> DemoDocument {
    .page(
      lang: "en", title: "What’s on at \(cinema.name)",
      "<header><h1>\(cinema.name)</h1><address>\(cinema.address)</address></header>\n<main>\n\(body)</main>")
  }

  var nothing: Markup { "<p class=\"nothing\">Our next programme will be here soon.</p>\n" }
}

import Calendars
import Contracts

/// One cinema as the server paints it.
nonisolated struct CinemaView {
  let parts: PageParts
  let page: CinemaPage
  /// From the place that the page looks from.
  let metres: Double
  let programme: ProgrammeItem?
  let date: CivilDate
  let today: CivilDate

  func write(to html: inout HTMLWriter) {
    let words = parts.words
    let cinema = page.cinema
    let address = { (date: CivilDate) in "/cinemas/\(cinema.id)?date=\(date)" }
    html.element("div.cinema", .init("data-key", "cinema-\(cinema.id)")) { html in
      html.element("header.head") { html in
        let name = parts.name(cinema)
        html.element("h1") { $0.text(name) }
        let other = name == cinema.name ? cinema.nameEnglish.flatMap { $0 == cinema.name ? nil : $0 } : cinema.name
        html.element("p.facts") { html in
          parts.dotted([other.map { .theirs($0) }, parts.distance(metres).map { .ours($0) }], to: &html)
        }
        parts.facts(of: cinema, to: &html)
      }
      parts.strip(page.days, chosen: date, today: today, address: address, to: &html)
      html.element("h2.small") { $0.text(parts.times.long(date)) }
      if let programme {
        parts.day(page, programme, today: today, address: address, to: &html)
      } else {
        parts.notice("error", words("error.server"), words("error.server.text"), to: &html)
      }
    }
  }
}

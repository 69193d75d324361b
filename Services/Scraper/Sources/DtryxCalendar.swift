import Calendars
import Contracts
import HTML

/// The days of a venue's calendar page, and whether it is open on them.
nonisolated struct DtryxCalendar {
  private(set) var days: [CivilDate: DayStatus] = [:]

  static let selector: Selector = "div.main-schedule div.swiper-slide a"
  private static let container: Selector = "div.main-schedule div.swiper-wrapper"

  init(_ page: Page) throws(ReadingError) {
    let document = try page.document()
    let links = document.select(Self.selector)
    // An empty list of days is a venue without a programme; no list at all is a page that is built otherwise.
    if links.isEmpty, document.first(Self.container) != nil { return }
    guard !links.isEmpty else { throw ReadingError("selector \(Self.selector) → 0 nodes", role: page.role) }
    for link in links {
      guard let text = link["data-dt"], let date = CivilDate(text) else { continue }
      days[date] = link.hasClass("disabled") ? .closed : .open
    }
    guard !days.isEmpty else {
      throw ReadingError(
        "selector \(Self.selector) → \(links.count) nodes, none with a date in data-dt", role: page.role)
    }
  }
}

import Calendars
package import Contracts
import HTML

/// The ticketing platform of most independent cinemas in South Korea: a calendar as HTML, each open day's showings as
/// JSON, a film as HTML.
///
/// Parameters: `brand` and `cinema`, the platform's two codes for the venue; `base`, where it is not the platform itself.
nonisolated package struct DtryxAdapter: SourceAdapter {
  package static let base = "https://www.dtryx.com"
  /// The platform's own constant for visitors without an account.
  static let visitor = "FE8EF4D2-F22D-4802-A39A-D58F23A29C1E"
  /// Pages of films asked for in one visit: a programme has some twenty, and each is asked for once a month.
  static let filmPagesMax = 24

  package init() {}

  package func wanted(having pages: [Page], in visit: Visit) -> [PageRequest] {
    let platform = DtryxPlatform(visit.site)
    guard let calendar = pages.first(where: { $0.isA("calendar") }) else { return [platform.calendar] }
    var requests: [PageRequest] = []
    let days = (try? DtryxCalendar(calendar))?.days ?? [:]
    for date in visit.dates where days[date] == .open { requests.append(platform.day(date)) }
    let unfetched = requests.filter { request in !pages.contains { $0.role == request.role } }
    guard unfetched.isEmpty else { return unfetched }
    return filmPages(pages, visit, platform)
  }

  private func filmPages(_ pages: [Page], _ visit: Visit, _ platform: DtryxPlatform) -> [PageRequest] {
    guard !pages.contains(where: { $0.isA("film") }) else { return [] }
    var codes: [String] = []
    for page in pages where page.isA("day") {
      let rows = (try? DtryxDay(page, platform, visit.zone))?.listings ?? []
      for code in rows.compactMap(\.filmCode) where !codes.contains(code) && !visit.knownFilms.contains(code) {
        codes.append(code)
      }
    }
    return codes.prefix(Self.filmPagesMax).map(platform.film)
  }

  package func read(_ pages: [Page], in visit: Visit) throws(ReadingError) -> SourceReading {
    guard let page = pages.first(where: { $0.isA("calendar") }) else {
      throw ReadingError("the calendar page is missing", role: "calendar")
    }
    let platform = DtryxPlatform(visit.site)
    let calendar = try DtryxCalendar(page)
    var reading = SourceReading()
    for date in visit.dates {
      guard let status = calendar.days[date] else { continue }
      guard status == .open else {
        reading.days[date] = DayListing(status)
        continue
      }
      // A day whose page did not come is not spoken of.
      guard let page = pages.first(where: { $0.role == "day:\(date)" }) else { continue }
      let day = try DtryxDay(page, platform, visit.zone)
      reading.days[date] = DayListing(day.listings.isEmpty ? .notPublished : .open, day.listings)
      reading.unread += day.unread
    }
    for page in pages where page.isA("film") {
      if let film = DtryxFilm(page)?.details { reading.films.append(film) }
    }
    return reading
  }
}

nonisolated extension DtryxAdapter {
  /// The selector that a reading begins with: how many nodes it finds, and what looks like those that are gone.
  package func lost(on page: Page, since old: Page, in visit: Visit) -> [String] {
    guard page.isA("calendar"), let now = try? page.document(), let then = try? old.document() else { return [] }
    let selector = DtryxCalendar.selector
    let (found, known) = (now.select(selector), then.select(selector))
    guard found.isEmpty, let model = known.first else { return [] }
    var sentence = "selector \(selector) → 0 nodes (was \(known.count))"
    let near = now.select("*").filter { resembles($0, model) }
    if let first = near.first {
      let parents = first.ancestors.prefix(2).map(PageLayout.kind).reversed()
      sentence += "; \(near.count) near matches: \((parents + [PageLayout.kind(of: first)]).joined(separator: " > "))"
    }
    return [sentence]
  }

  /// The same element or the same attributes, wherever it stands.
  private func resembles(_ node: HTMLNode, _ model: HTMLNode) -> Bool {
    let own = Set(node.attributes.map(\.name).filter { $0.hasPrefix("data-") || $0 == "datetime" })
    let wanted = Set(model.attributes.map(\.name).filter { $0.hasPrefix("data-") })
    if !wanted.isEmpty, !own.isDisjoint(with: wanted) { return true }
    return node.name == model.name && !Set(node.classes).isDisjoint(with: model.classes)
  }

  package func trace(_ page: Page, in visit: Visit) -> [TracedFind] {
    func find(_ selector: Selector, _ value: (HTMLNode) -> String) -> TracedFind {
      let nodes = (try? page.document())?.select(selector) ?? []
      let values = nodes.prefix(8).map(value).joined(separator: " | ")
      return TracedFind(
        reader: "dtryx", place: "\(page.role): \(selector)", outcome: nodes.isEmpty ? "refused" : "found",
        what: "\(nodes.count) nodes" + (values.isEmpty ? "" : ": \(values)"))
    }
    if page.isA("calendar") {
      return [
        find(DtryxCalendar.selector) { "\($0["data-dt"] ?? "no data-dt")\($0.hasClass("disabled") ? " closed" : "")" }
      ]
    }
    if page.isA("film") {
      return ["div.info-box h3.h3", "div.info-box h4.h4", "div.info-box div.etc span", "div.info2 div.txt dd"].map {
        find($0) { $0.text }
      }
    }
    let day = try? DtryxDay(page, DtryxPlatform(visit.site), visit.zone)
    return [
      TracedFind(
        reader: "dtryx", place: "\(page.role): Showseqlist[]", outcome: day == nil ? "refused" : "found",
        what: "\(day?.listings.count ?? 0) rows, \(day?.unread.count ?? 0) unread")
    ]
  }
}

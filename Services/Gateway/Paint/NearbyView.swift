import Calendars
import Contracts

/// Nearby as the server paints it: the closest cinemas, the chosen one's days and films.
nonisolated struct NearbyView {
  let parts: PageParts
  let place: PagePlace
  /// Nearest first, each with its days and what it shows today.
  let cinemas: [CinemaPage]
  let chosen: CinemaID?
  /// What the chosen cinema shows on the chosen day, if somebody tells.
  let programme: ProgrammeItem?
  /// The chosen day.
  let date: CivilDate
  let today: CivilDate

  private var words: Words { parts.words }

  private var page: CinemaPage? { cinemas.first { $0.cinema.id == chosen } ?? cinemas.first }

  /// A link to another choice. The order is the script's: what was there stays in its place.
  private func address(_ cinema: CinemaID, _ date: CivilDate? = nil) -> String {
    guard let date else { return place.address("/", ["cinema": cinema.text]) }
    return place.address("/", ["cinema": cinema.text, "date": "\(date)"])
  }

  func write(to html: inout HTMLWriter) {
    html.element("div.near", .init("data-key", "near")) { html in
      html.element("div.near-side") { html in
        html.element("div.place") { html in
          html.element("h1") { $0.text(words("near.title", ["place": place.name(words)])) }
          html.element(
            "button.plain.js", .init("type", "button"), .init("data-do", "place"), .init("aria-expanded", "false")
          ) { $0.text(words("place.change")) }
        }
        html.element("ul.cards", .init("aria-label", words("near.cards"))) { html in
          for item in cinemas {
            parts.card(
              item, today: today, isChosen: item.cinema.id == page?.cinema.id, address: address(item.cinema.id),
              to: &html)
          }
        }
        about("about wide", to: &html)
      }
      html.element("section.near-main", .init("aria-labelledby", page == nil ? nil : "sched")) { main(to: &$0) }
    }
  }

  private func about(_ look: String, to html: inout HTMLWriter) {
    guard let page else { return }
    html.element("div", look, []) { parts.facts(of: page.cinema, to: &$0) }
  }

  private func main(to html: inout HTMLWriter) {
    guard let page else {
      parts.notice("empty", words("near.none"), words("near.none.text"), to: &html)
      return
    }
    html.element("div.sched-h") { html in
      html.element("h2", .init("id", "sched")) { html in
        html.element("a", .init("href", "/cinemas/\(page.cinema.id)")) { $0.text(parts.name(page.cinema)) }
      }
      html.element("p.small") { $0.text(parts.times.long(date)) }
    }
    let link = { (date: CivilDate) in address(page.cinema.id, date) }
    parts.strip(page.days, chosen: date, today: today, address: link, to: &html)
    if let programme {
      parts.day(page, programme, today: today, address: link, to: &html)
    } else {
      parts.notice("error", words("error.server"), words("error.server.text"), to: &html)
    }
    about("about narrow", to: &html)
  }
}

/// From where the page looks, and how its links keep what was chosen.
nonisolated struct PagePlace: Equatable {
  var position: Coordinate
  /// Nobody chose it.
  var isDefault: Bool
  /// What the place is called that nobody chose; nil of the one that the page has a word for.
  var homeName: String?
  /// The query as it came, in its order, without what the page does not know.
  var query: [(name: String, value: String)] = []

  static func == (left: PagePlace, right: PagePlace) -> Bool {
    left.position == right.position && left.isDefault == right.isDefault
      && left.query.elementsEqual(right.query) { $0 == $1 }
  }

  func name(_ words: Words) -> String {
    isDefault ? homeName ?? words("place.default") : words("place.point")
  }

  /// The same page with other choices; nil takes one away.
  func address(_ path: String = "/", _ changes: KeyValuePairs<String, String?>) -> String {
    var query = query
    for (name, value) in changes {
      let index = query.firstIndex { $0.name == name }
      switch (index, value) {
      case (let index?, let value?): query[index].value = value
      case (let index?, nil): query.remove(at: index)
      case (nil, let value?): query.append((name, value))
      case (nil, nil): continue
      }
    }
    return query.isEmpty ? path : path + "?" + query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }
}

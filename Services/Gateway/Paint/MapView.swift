import Contracts
import JSON

/// The map's list as the server paints it: all cinemas, the nearest first. The picture is drawn by the script.
nonisolated struct MapView {
  let parts: PageParts
  let place: PagePlace
  private let cinemas: [Marked]

  private struct Marked {
    let id: String
    let told: JSONValue
    let metres: Double
  }

  /// - Parameter features: of the API's GeoJSON.
  init(parts: PageParts, place: PagePlace, features: [JSONValue]) {
    self.parts = parts
    self.place = place
    cinemas = features.compactMap { feature in
      guard let id = feature["id"]?.string, let told = feature["properties"],
        let longitude = feature["geometry"]?["coordinates"]?[0]?.double,
        let latitude = feature["geometry"]?["coordinates"]?[1]?.double,
        let position = try? Coordinate(latitude: latitude, longitude: longitude)
      else { return nil }
      return Marked(id: id, told: told, metres: place.position.metres(to: position).rounded())
    }.sorted { ($0.metres, $0.id) < ($1.metres, $1.id) }
  }

  private var words: Words { parts.words }

  func write(to html: inout HTMLWriter) {
    html.element("div.map-page", .init("data-key", "map")) { html in
      html.element("h1.vh") { $0.text(words("tab.map")) }
      html.element("a.skip", .init("href", "#map-list")) { $0.text(words("map.toList")) }
      // Where the script draws: what follows does not move when it does.
      html.element("div.map-box", .init("data-key", "box"))
      html.element(
        "section.map-side", .init("id", "map-list"), .init("tabindex", "-1"), .init("aria-label", words("map.list"))
      ) { list(to: &$0) }
    }
  }

  private func list(to html: inout HTMLWriter) {
    guard !cinemas.isEmpty else {
      return parts.notice("empty", words("near.none"), words("near.none.text"), to: &html)
    }
    html.element("p.small.pad") { $0.text(words("map.count", ["n": "\(cinemas.count)"])) }
    html.element("ul.map-list") { html in
      for cinema in cinemas {
        html.element("li", .init("data-key", cinema.id)) { html in
          html.element("a", .init("href", "/cinemas/\(cinema.id)")) { row(cinema, to: &$0) }
        }
      }
    }
  }

  private func row(_ cinema: Marked, to html: inout HTMLWriter) {
    let next = cinema.told["next_showtime"]?.string
    html.element("span", next == nil ? "dot" : "dot open", [.init("aria-hidden", "true")])
    html.element("span.map-n") { $0.text(parts.toldName(cinema.told) ?? "") }
    html.element("span.small") { $0.text(parts.distance(cinema.metres) ?? "") }
    html.element("span.map-s") { html in
      html.text(
        next.map { words("map.next", ["time": parts.times.next($0)]) }
          ?? cinema.told["open_today"]?.bool.map { words($0 ? "card.done" : "card.closed") } ?? words("day.unknown"))
    }
  }
}

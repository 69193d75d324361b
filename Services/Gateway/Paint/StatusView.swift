import Calendars
import JSON

/// Where the times come from as the server paints it: each source, how it is and how old what it told is, the worst first.
nonisolated struct StatusView {
  let parts: PageParts
  let sources: [JSONValue]

  private var words: Words { parts.words }
  /// What an operator would look at first.
  private static let order = [
    "broken": 0, "quarantined": 1, "stale": 2, "pending": 3, "unknown": 3, "ok": 4, "disabled": 5,
  ]

  func write(to html: inout HTMLWriter) {
    html.element("div.status", .init("data-key", "status")) { html in
      html.element("h1") { $0.text(words("status.title")) }
      html.element("p.lead") { $0.text(words("status.text")) }
      guard !sources.isEmpty else { return parts.notice("empty", words("status.none"), nil, to: &html) }
      let told = sources.map { (source: $0, state: Self.state(of: $0)) }
      html.element("p.sum") { html in
        html.element("b") { $0.text("\(told.count { $0.state == "ok" })") }
        html.text(" / \(told.count) \(words("status.good"))")
      }
      html.element("ul.sources") { html in
        for group in Dictionary(grouping: told, by: { Self.order[$0.state] ?? 0 }).sorted(by: { $0.key < $1.key }) {
          for item in group.value { row(item.source, item.state, to: &html) }
        }
      }
    }
  }

  /// A source that is read and says nothing of what is shown when is no good one.
  private static func isMute(_ source: JSONValue) -> Bool {
    source["state"]?.string == "ok" && source["reason"]?.string != nil && (source["showtimes"]?.int ?? 0) == 0
  }

  private static func state(of source: JSONValue) -> String {
    let state = source["state"]?.string ?? ""
    return isMute(source) || order[state] == nil ? "unknown" : state
  }

  /// The states of which the catalogue says why: a source of any other tells nothing.
  private static let explained: Set = ["broken", "ok", "pending", "quarantined", "stale"]

  /// In the reader's language, by the state: the reason itself is for who mends it.
  private func why(_ source: JSONValue, to html: inout HTMLWriter) {
    let state = source["state"]?.string ?? ""
    guard source["reason"]?.string != nil, Self.explained.contains(state) else { return }
    html.element("p.small") { $0.text(words(Self.isMute(source) ? "status.mute" : "status.why.\(state)")) }
  }

  private func row(_ source: JSONValue, _ state: String, to html: inout HTMLWriter) {
    let cinema = source["cinema"] ?? source["cinemas"]?[0]
    let name = source["name"]?.string ?? ""
    html.element("li", .init("data-key", source["id"]?.string)) { html in
      html.element("span", "state \(state)", []) { html in
        html.element("span.dot", .init("aria-hidden", "true"))
        html.text(words("state.\(state)"))
      }
      html.element("div") { html in
        html.element("p") { html in
          html.element("b") { html in
            guard let id = cinema?["id"]?.string else { return html.text(name) }
            html.element("a", .init("href", "/cinemas/\(id)")) { $0.text(parts.toldName(cinema) ?? name) }
          }
          parts.demo(source, to: &html)
        }
        html.element("p.small") { html in
          let at = (source["last_success"] ?? source["as_of"])?.string.flatMap { Timestamp($0) }
          let age = at.map { words("asof", ["ago": parts.times.ago($0)]) } ?? words("status.never")
          html.text([age, name].filter { !$0.isEmpty }.joined(separator: " · "))
          guard let shows = source["showtimes"]?.int else { return }
          html.text(" · ")
          html.element("span.whole") { $0.text(words("status.shows", ["n": "\(shows)"])) }
        }
        why(source, to: &html)
      }
      guard let address = source["url"]?.string else { return }
      html.element(
        "a.tool", .link("href", address), .init("target", "_blank"), .init("rel", "noopener"),
        .init("aria-label", words("status.open", ["name": parts.toldName(cinema) ?? name]))
      ) { parts.icon("out", to: &$0) }
    }
  }
}

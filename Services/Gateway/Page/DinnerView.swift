import Calendars
import JSON

/// Dinner around a showing as the server paints it.
nonisolated struct DinnerView {
  let parts: PageParts
  let place: PagePlace
  let show: String
  let isBefore: Bool
  let walk: Int
  let answer: JSONValue

  private var words: Words { parts.words }
  static let walks = [5, 10, 15, 20]
  static let walkUsual = 10
  static let eating = 60

  func write(to html: inout HTMLWriter) {
    let showing = answer["showtime"]
    html.element("div.dinner", .init("data-key", "dinner")) { html in
      html.element("h1") { $0.text(words("dinner.title")) }
      if let showing { html.element("p.facts") { $0.text(facts(showing)) } }
      html.element("div.choices") { html in
        let path = "/dinner/\(show)"
        parts.pills(
          words("dinner.when"),
          [
            (words("dinner.before"), place.address(path, ["mode": nil]), isBefore),
            (words("dinner.after"), place.address(path, ["mode": "after"]), !isBefore),
          ], to: &html)
        parts.pills(
          words("tonight.walk"),
          Self.walks.map { minutes in
            (
              words("dur.min", ["n": "\(minutes)"]),
              place.address(path, ["walk": minutes == Self.walkUsual ? nil : "\(minutes)"]), minutes == walk
            )
          }, to: &html)
      }
      let places = answer["data"]?.array ?? []
      guard !places.isEmpty else {
        parts.notice("empty", words("dinner.none"), answer["hint"]?.string ?? words("dinner.none.text"), to: &html)
        return
      }
      html.element("ul.places") { html in for item in places { self.item(item, to: &html) } }
      credits(places, to: &html)
    }
  }

  private func facts(_ showing: JSONValue) -> String {
    let film = parts.film(showing["film"]).map(parts.readable)
    let day = showing["service_date"]?.string.flatMap { CivilDate($0) }.map { parts.times.long($0) }
    return [
      film?.title ?? showing["title"]?.string, day,
      parts.times.chip(startsAt: showing["starts_at"]?.string ?? "", printed: showing["display_time"]?.string),
      parts.toldName(showing["cinema"]), showing["screen"]?.string,
    ].compactMap { $0 }.joined(separator: " · ")
  }

  private func item(_ item: JSONValue, to html: inout HTMLWriter) {
    guard let place = item["restaurant"], let name = parts.toldName(place) else { return }
    html.element("li", .init("data-key", place["id"]?.string)) { html in
      html.element("div.place-h") { html in
        html.element("h2", .init("lang", parts.foreign(name))) { parts.link(place["url"]?.string, name, to: &$0) }
        let time = parts.times.clock(item[isBefore ? "leave_by" : "sit_from"]?.string ?? "")
        html.element("p.leave") {
          $0.text(words(isBefore ? "dinner.leave.before" : "dinner.leave.after", ["time": time]))
        }
      }
      let facts: [String?] = [
        place["genre"]?["name"]?.string, place["budget"]?["display"]?.string,
        item["distance_m"]?.int.map { parts.distance(Double($0)) },
        item["walk_min"]?.int.map { words("walk", ["n": "\($0)"]) },
        place["capacity"]?.int.map { words("dinner.seats", ["n": "\($0)"]) },
        place["demo"]?.bool == true ? words("demo") : nil,
      ]
      html.element("p.facts") { $0.text(facts.compactMap { $0 }.joined(separator: " · ")) }
      evening(item, to: &html)
      if let open = place["open"]?.string, !open.isEmpty {
        html.element("p.small") { html in html.element("span", .init("lang", parts.foreign(open))) { $0.text(open) } }
      }
    }
  }

  /// What comes after what; how long each takes the script draws.
  private func evening(_ item: JSONValue, to html: inout HTMLWriter) {
    func at(_ value: JSONValue?) -> String { parts.times.clock(value?.string ?? "") }
    let showing = answer["showtime"]
    let eat = ("li.eat" as StaticString, at(item["sit_from"]), words("dinner.eat"))
    let see = ("li.see" as StaticString, at(showing?["starts_at"]), words("film"))
    let leaving = isBefore ? item["leave_by"] : showing?["ends_at"]
    let go = ("li.go" as StaticString, at(leaving), words("dinner.walk", ["n": "\(item["walk_min"]?.int ?? 0)"]))
    html.element("ol.bar-e") { html in
      for (look, time, text) in isBefore ? [eat, go, see] : [see, go, eat] {
        html.element(look) { html in
          html.element("b") { $0.text(time) }
          html.element("span") { $0.text(text) }
        }
      }
    }
  }

  private func credits(_ places: [JSONValue], to html: inout HTMLWriter) {
    var seen: Set<String> = []
    html.element("p.small") { html in
      html.text(words("walk.rule"))
      let credits = [answer["attribution"]] + places.map { $0["restaurant"]?["attribution"] }
      for credit in credits.compactMap({ $0 }).flatMap({ $0.array ?? [$0] }) {
        guard let text = credit["text"]?.string, seen.insert(text).inserted else { continue }
        html.text(" · ")
        parts.link(credit["url"]?.string, text, to: &html)
      }
    }
  }
}

import Calendars
import HTTP
import JSON

/// Dinner around a showing as the server paints it.
nonisolated struct DinnerView {
  let parts: PageParts
  let place: PagePlace
  let show: String
  let isBefore: Bool
  let walk: Int
  let answer: JSONValue
  /// Why there is no answer, if there is none.
  let trouble: Problem?

  private var words: Words { parts.words }
  static let walks = [5, 10, 15, 20]
  static let walkUsual = 10
  static let eating = 60

  func write(to html: inout HTMLWriter) {
    let showing = answer["showtime"]
    html.element("div.dinner", .init("data-key", "dinner")) { html in
      html.element("h1") { $0.text(words("dinner.title")) }
      if let showing { html.element("p.facts") { parts.dotted(facts(showing), to: &$0) } }
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
        // The script fills it.
        for name in ["dinner.genre", "dinner.budget"] {
          html.element("label.choice.js") { html in
            html.element("span.small") { $0.text(words(name)) }
            html.element("select") { html in
              html.element("option", .init("value", "")) { $0.text(words("tonight.any")) }
            }
          }
        }
      }
      let places = answer["data"]?.array ?? []
      guard !places.isEmpty else { return none(to: &html) }
      html.element("ul.places") { html in for item in places { self.item(item, to: &html) } }
      credits(places, to: &html)
    }
  }

  /// Why there is nothing: not yet, not today, not now, or nothing that fits. The script asks on by itself while the
  /// places are being fetched.
  private func none(to html: inout HTMLWriter) {
    let again = (place.address("/dinner/\(show)", [:]), words("retry"))
    // In words for people: what an answer says of itself names its parameters.
    switch trouble.map(Self.state) ?? answer["state"]?.string {
    case "refused":
      parts.notice("error", words("error.server"), words("error.server.text"), link: again, to: &html)
    case "loading": parts.notice("empty", words("dinner.title"), words("dinner.away.loading"), link: again, to: &html)
    case "quota":
      parts.notice("error", words("error.server"), words("dinner.away.quota"), link: again, to: &html)
    case "failed":
      parts.notice("error", words("error.server"), words("dinner.away.failed"), link: again, to: &html)
    default:
      parts.notice(
        "empty", words("dinner.none"), words(isBefore ? "dinner.none.before" : "dinner.none.after"), to: &html)
    }
  }

  private static func state(of trouble: Problem) -> String {
    trouble.kind == .upstreamQuota ? "quota" : trouble.status.rawValue >= 500 ? "failed" : "refused"
  }

  private func facts(_ showing: JSONValue) -> [PageParts.Fact?] {
    let film = parts.film(showing["film"]).map(parts.readable)
    let day = showing["service_date"]?.string.flatMap { CivilDate($0) }.map { parts.times.long($0) }
    let time = parts.times.chip(
      startsAt: showing["starts_at"]?.string ?? "", printed: showing["display_time"]?.string)
    return [
      (film?.title ?? showing["title"]?.string).map { .theirs($0) }, day.map { .ours($0) }, .ours(time),
      parts.toldName(showing["cinema"]).map { .ours($0) }, showing["screen"]?.string.map { .theirs($0) },
    ]
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
      html.element("p.facts") { html in
        parts.dotted(
          [
            place["genre"]?["name"]?.string.map { .theirs($0) },
            place["budget"]?["display"]?.string.map { .theirs($0) },
            item["distance_m"]?.int.flatMap { parts.distance(Double($0)) }.map { .ours($0) },
            item["walk_min"]?.int.map { .ours(words("walk", ["n": "\($0)"])) },
            place["capacity"]?.int.map { .ours(words("dinner.seats", ["n": "\($0)"])) },
            place["demo"]?.bool == true ? .ours(words("demo")) : nil,
          ], to: &html)
      }
      parts.evening(isBefore: isBefore, item, answer["showtime"], to: &html)
      if let address = place["address"]?.string, !address.isEmpty {
        html.element("p.small.address", .init("lang", parts.foreign(address))) { $0.text(address) }
      }
      html.element("p.small.place-f") { html in
        html.element("span") { html in
          if let open = place["open"]?.string, !open.isEmpty {
            html.element("span", .init("lang", parts.foreign(open))) { $0.text(open) }
          }
          guard let sure = item["open_confidence"]?.string, sure != "parsed" else { return }
          html.text(" ")
          html.element("span.demo") { $0.text(words("dinner.unsure")) }
        }
        html.element(
          "button.plain.js", .init("type", "button"), .init("data-do", "plan"), .init("data-place", place["id"]?.string)
        ) { $0.text(words("plan.send")) }
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

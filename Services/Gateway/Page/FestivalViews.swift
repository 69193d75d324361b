import Calendars
import JSON

/// All festivals as the server paints them.
nonisolated struct FestivalsView {
  let parts: PageParts
  let view: Viewpoint
  let festivals: [JSONValue]

  func write(to html: inout HTMLWriter) {
    let words = parts.words
    html.element("div.festivals", .init("data-key", "festivals")) { html in
      html.element("h1") { $0.text(words("festival.all")) }
      guard !festivals.isEmpty else {
        parts.notice("empty", words("festival.none"), words("festival.none.text"), to: &html)
        return
      }
      html.element("ul.fests") { html in
        for festival in festivals {
          guard let id = festival["id"]?.string, let name = festival["name"]?.string else { continue }
          let today = "\(parts.today(festival["time_zone"]?.string, view))"
          let isOn = festival["starts_on"]?.string ?? "9" <= today && today <= festival["ends_on"]?.string ?? ""
          html.element("li", .init("data-key", id)) { html in
            html.element("a.fest", .init("href", "/festivals/\(id)")) { html in
              html.element("span.fest-n", .init("lang", parts.foreign(name))) { $0.text(name) }
              html.element("span.facts") { $0.text(FestivalView.facts(of: festival, parts)) }
              html.element("span.fest-s") { html in
                if isOn { html.element("span.demo.now") { $0.text(words("festival.now")) } }
                if festival["demo"]?.bool == true { html.element("span.demo") { $0.text(words("demo")) } }
              }
            }
          }
        }
      }
    }
  }
}

/// A festival's day as the server paints it: the list, which says all that the grid says.
nonisolated struct FestivalView {
  let parts: PageParts
  let place: PagePlace
  let id: String
  let festival: JSONValue
  let days: [String]
  let day: String?
  let timetable: JSONValue?

  private var words: Words { parts.words }

  /// "20 Nov – 22 Nov · Seoul".
  static func facts(of festival: JSONValue, _ parts: PageParts) -> String {
    func long(_ name: String) -> String? {
      festival[name]?.string.flatMap { CivilDate($0) }.map { parts.times.long($0) }
    }
    let (from, to) = (long("starts_on"), long("ends_on"))
    let span = from.map { from in
      to.map { $0 == from ? from : parts.words("festival.span", ["from": from, "to": $0]) } ?? from
    }
    return [span, festival["city"]?.string].compactMap { $0 }.joined(separator: " · ")
  }

  func write(to html: inout HTMLWriter) {
    let name = festival["name"]?.string ?? ""
    html.element("div.festival", .init("data-key", "festival-\(id)")) { html in
      html.element("header.head") { html in
        html.element("h1", .init("lang", parts.foreign(name))) { $0.text(name) }
        html.element("p.facts") { html in
          html.text(Self.facts(of: festival, parts))
          parts.demo(festival, to: &html)
        }
      }
      html.element("ul.kinds", .init("aria-label", words("strip"))) { html in
        for date in days {
          html.element("li") { html in
            let text = CivilDate(date).map { parts.times.long($0) } ?? date
            let address = place.address("/festivals/\(id)", ["day": date])
            parts.pill(address, text, date == day ? "date" : nil, to: &html)
          }
        }
      }
      let sessions = (timetable?["sessions"]?.array ?? []).filter { $0["starts_at"]?.string != nil }
      guard !sessions.isEmpty else {
        parts.notice("empty", words("festival.empty"), words("festival.none.text"), to: &html)
        return
      }
      html.element("ol.sessions") { html in
        for session in sessions.sorted(by: Self.isBefore) { row(session, to: &html) }
      }
    }
  }

  private static func isBefore(_ one: JSONValue, _ other: JSONValue) -> Bool {
    (one["starts_at"]?.string ?? "", one["ends_at"]?.string ?? "") < (
      other["starts_at"]?.string ?? "", other["ends_at"]?.string ?? ""
    )
  }

  private func row(_ session: JSONValue, to html: inout HTMLWriter) {
    guard let key = session["id"]?.string, let title = session["title"]?.string else { return }
    let names = timetable?["screens"]?.array ?? []
    let rooms = session["screens"]?.array?.compactMap(\.string) ?? session["screen"]?.string.map { [$0] } ?? []
    let flags = SessionView.flags(of: session, words)
    let track = FilmLook(id: session["track"]?["id"]?.string ?? "", title: "", year: "").seed % 6
    html.element("li.session", .init("data-key", key), .init("data-track", "\(track)")) { html in
      html.element("p.session-w") { html in
        html.element("b") {
          $0.text(
            parts.times.chip(startsAt: session["starts_at"]?.string ?? "", printed: session["display_time"]?.string))
        }
        html.element("span.small") { $0.text(session["ends_at"]?.string.map { parts.times.clock($0) } ?? "") }
      }
      html.element("div") { html in
        html.element("h2") { html in
          html.element("a", .init("href", "/festivals/\(id)/sessions/\(key)"), .init("lang", parts.foreign(title))) {
            $0.text(title)
          }
        }
        let room = rooms.map { room in
          names.first { $0["id"]?.string == room }?["name"]?.string ?? room
        }.joined(separator: ", ")
        html.element("p.small") { $0.text(([room] + flags).joined(separator: " · ")) }
        let speakers = SessionView.speakers(of: session)
        if !speakers.isEmpty { html.element("p.small") { $0.text(speakers) } }
      }
      parts.heart("festivals/\(id)/agenda/\(key)", title, words("festival.take", ["title": title]), to: &html)
    }
  }
}

/// One session as the server paints it.
nonisolated struct SessionView {
  let parts: PageParts
  let festival: String
  let screens: [JSONValue]
  let session: JSONValue

  static func flags(of session: JSONValue, _ words: Words) -> [String] {
    let marks = (session["flags"]?.array?.compactMap(\.string) ?? []).map { $0 == "gv" ? words("attr.gv") : $0 }
    return [session["code"]?.string, session["track"]?["name"]?.string].compactMap { $0 } + marks
      + (session["sold_out"]?.bool == true ? [words("seats.sold")] : [])
      + (session["cancelled"]?.bool == true ? [words("seats.cancelled")] : [])
  }

  static func speakers(of session: JSONValue) -> String {
    (session["speakers"]?.array ?? []).compactMap { $0["name"]?.string ?? $0.string }.joined(separator: ", ")
  }

  func write(to html: inout HTMLWriter) {
    let words = parts.words
    let (id, title) = (session["id"]?.string ?? "", session["title"]?.string ?? "")
    let start = session["starts_at"]?.string ?? ""
    html.element("article.film-page", .init("data-key", id)) { html in
      html.element("h1", .init("lang", parts.foreign(title))) { $0.text(title) }
      let from = parts.times.clock(start)
      let clock = session["ends_at"]?.string.map {
        words("festival.span", ["from": from, "to": parts.times.clock($0)])
      }
      let rooms = session["screens"]?.array?.compactMap(\.string) ?? []
      let room = rooms.map { id in screens.first { $0["id"]?.string == id }?["name"]?.string ?? id }
        .joined(separator: ", ")
      let facts =
        ["\(parts.times.long(PageTimes.Clock(start).date)) \(clock ?? from)", room]
        + Self.flags(of: session, words)
      html.element("p.facts") { $0.text(facts.filter { !$0.isEmpty }.joined(separator: " · ")) }
      html.element("p.doing") { html in
        let mark = FilmLook(id: "festivals/\(festival)/agenda/\(id)", title: title, year: "")
        parts.want(mark, withWords: true, to: &html)
        let calendar = "/v1/festivals/\(festival)/sessions/\(id).ics"
        html.element("a.btn", .init("href", calendar), .flag("download")) { $0.text(words("link.calendar")) }
        if let film = session["film_id"]?.string {
          html.element("a.btn", .init("href", "/films/\(film)")) { $0.text(words("film")) }
        }
      }
      if let text = session["abstract"]?.string ?? session["description"]?.string, !text.isEmpty {
        html.element("p.synopsis", .init("lang", parts.foreign(text))) { $0.text(text) }
      }
      let speakers = Self.speakers(of: session)
      guard !speakers.isEmpty else { return }
      html.element("dl.people") { html in
        html.element("div") { html in
          html.element("dt") { $0.text(words("session.speakers")) }
          html.element("dd") { $0.text(speakers) }
        }
      }
    }
  }
}

import Calendars
import Clocks
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
        for (stage, _, festival) in inOrder {
          guard let id = festival["id"]?.string else { continue }
          let name = parts.readable(festival)
          html.element("li", .init("data-key", id)) { html in
            html.element("a.fest", .init("href", "/festivals/\(id)")) { html in
              html.element("span.fest-n", .init("lang", parts.foreign(name.title))) { $0.text(name.title) }
              parts.other(name.other, "span.orig", to: &html)
              html.element("span.facts") { FestivalView.facts(of: festival, parts, to: &$0) }
              html.element("span.fest-s") { html in
                switch stage {
                case .now: html.element("span.demo.now") { $0.text(words("festival.now")) }
                case .coming: break
                case .past: html.element("span.demo") { $0.text(words("festival.past")) }
                }
                if festival["demo"]?.bool == true { html.element("span.demo") { $0.text(words("demo")) } }
              }
            }
          }
        }
      }
    }
  }
}

nonisolated extension FestivalsView {
  private enum Stage: Int { case now, coming, past }

  /// What is on, what is to come, and what was, the latest of that first.
  private var inOrder: [(stage: Stage, starts: String, festival: JSONValue)] {
    festivals.map { festival in
      let (starts, ends) = (festival["starts_on"]?.string ?? "", festival["ends_on"]?.string ?? "")
      let today = "\(parts.today(festival["time_zone"]?.string, view))"
      return (ends < today ? .past : starts <= today ? .now : .coming, starts, festival)
    }.sorted { one, other in
      if one.stage != other.stage { return one.stage.rawValue < other.stage.rawValue }
      return one.stage == .past ? other.starts < one.starts : one.starts < other.starts
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
  let floors: [JSONValue]

  private var words: Words { parts.words }

  /// "20 Nov – 22 Nov".
  static func span(of festival: JSONValue, _ parts: PageParts) -> String? {
    func long(_ name: String) -> String? {
      festival[name]?.string.flatMap { CivilDate($0) }.map { parts.times.any($0) }
    }
    let (from, to) = (long("starts_on"), long("ends_on"))
    return from.map { from in
      to.map { $0 == from ? from : parts.words("festival.span", ["from": from, "to": $0]) } ?? from
    }
  }

  /// "20 Nov – 22 Nov · Seoul".
  static func facts(of festival: JSONValue, _ parts: PageParts, to html: inout HTMLWriter) {
    let city: PageParts.Fact? = festival["city"]?.string.map { .theirs($0) }
    parts.dotted([span(of: festival, parts).map { .ours($0) }, city], to: &html)
  }

  func write(to html: inout HTMLWriter) {
    let name = parts.readable(festival)
    html.element("div.festival", .init("data-key", "festival-\(id)")) { html in
      html.element("header.head") { html in
        html.element("h1", .init("lang", parts.foreign(name.title))) { $0.text(name.title) }
        parts.other(name.other, "p.orig", to: &html)
        html.element("p.facts") { html in
          Self.facts(of: festival, parts, to: &html)
          parts.demo(festival, to: &html)
        }
      }
      html.element("ul.kinds", .init("aria-label", words("strip"))) { html in
        for date in days {
          html.element("li") { html in
            let text = CivilDate(date).map { parts.times.any($0) } ?? date
            let address = place.address("/festivals/\(id)", ["day": date])
            parts.pill(address, text, date == day ? "date" : nil, to: &html)
          }
        }
      }
      if let room { alone(room, to: &html) }
      tools(to: &html)
      // A session that takes several screens has a cell in each.
      var seen: Set<String> = []
      let sessions = (timetable?["sessions"]?.array ?? []).filter { session in
        session["starts_at"]?.string != nil && isShown(session)
          && session["id"]?.string.map { seen.insert($0).inserted } == true
      }
      if sessions.isEmpty {
        parts.notice("empty", words("festival.empty"), words("festival.none.text"), to: &html)
      } else {
        html.element("ol.sessions") { html in
          for session in sessions.sorted(by: Self.isBefore) { row(session, to: &html) }
        }
      }
      venue(to: &html)
      plans(to: &html)
      sponsors(to: &html)
      html.element("p.small.js") { html in
        html.element("a", .init("href", "/festivals/\(id)/door")) { $0.text(words("door.link")) }
      }
    }
  }

  private func screen(_ id: String?) -> JSONValue? {
    festival["screens"]?.array?.first { $0["id"]?.string == id }
  }

  /// The screen that alone is shown, if the address names one.
  private var room: JSONValue? { place.query.first { $0.name == "screen" }.flatMap { screen($0.value) } }

  private func isShown(_ session: JSONValue) -> Bool {
    room.flatMap { room in session["screens"]?.array?.contains { $0.string == room["id"]?.string } } ?? true
  }

  /// Which screen is shown alone, and the way back to all.
  private func alone(_ room: JSONValue, to html: inout HTMLWriter) {
    html.element("p.facts.alone") { html in
      parts.dotted([.theirs(room["name"]?.string ?? ""), room["floor"]?.string.map { .ours($0) }], to: &html)
      html.text(" ")
      parts.pill(place.address("/festivals/\(id)", ["screen": nil]), words("festival.rooms"), nil, to: &html)
    }
  }

  private func venue(to html: inout HTMLWriter) {
    let (venue, address) = (festival["venue"]?.string ?? "", festival["address"]?.string ?? "")
    let maps = parts.mapLinks(festival["maps"])
    guard !venue.isEmpty || !address.isEmpty || !maps.isEmpty else { return }
    html.element("section", .init("aria-labelledby", "venue")) { html in
      html.element("h2", .init("id", "venue")) { $0.text(words("festival.venue")) }
      if !venue.isEmpty { html.element("p") { parts.tongue(venue, to: &$0) } }
      if !address.isEmpty { html.element("p.address", .init("lang", parts.foreign(address))) { $0.text(address) } }
      guard !maps.isEmpty else { return }
      html.element("ul.links") { html in
        for map in maps { html.element("li") { parts.link(map.address, map.name, to: &$0) } }
      }
    }
  }

  /// Maps are pictures here; on its own, one's rooms can be pressed.
  private func plans(to html: inout HTMLWriter) {
    guard !floors.isEmpty else { return }
    html.element("section", .init("aria-labelledby", "floors")) { html in
      html.element("h2", .init("id", "floors")) { $0.text(words("festival.floors")) }
      for floor in floors {
        guard let name = floor["name"]?.string ?? floor["id"]?.string else { continue }
        html.element("details.floor") { html in
          html.element("summary") { $0.text(name) }
          html.element(
            "a", .link("href", floor["url"]?.string), .init("target", "_blank"), .init("rel", "noopener")
          ) { html in
            html.element(
              "img", .link("src", floor["url"]?.string), .init("alt", words("festival.floor", ["name": name])),
              .init("loading", "lazy"))
          }
          rooms(of: floor, to: &html)
        }
      }
    }
  }

  private func rooms(of floor: JSONValue, to html: inout HTMLWriter) {
    let rooms = (floor["rooms"]?.array ?? []).compactMap { screen($0.string) }
    guard !rooms.isEmpty else { return }
    html.element("ul.links") { html in
      for room in rooms {
        guard let id = room["id"]?.string, let name = room["name"]?.string else { continue }
        let address = place.address("/festivals/\(self.id)", ["screen": id])
        html.element("li") { html in
          html.element("a", .init("href", address), .init("lang", parts.foreign(name))) { $0.text(name) }
        }
      }
    }
  }

  /// Those of one tier together. "tier-1" says which these are, and nothing to people.
  private func sponsors(to html: inout HTMLWriter) {
    guard let sponsors = festival["sponsors"]?.array, !sponsors.isEmpty else { return }
    var tiers: [(name: String, sponsors: [JSONValue])] = []
    for one in sponsors {
      let name = one["tier"]?.string ?? ""
      if let place = tiers.firstIndex(where: { $0.name == name }) {
        tiers[place].sponsors.append(one)
      } else {
        tiers.append((name, [one]))
      }
    }
    html.element("section", .init("aria-labelledby", "sponsors")) { html in
      html.element("h2", .init("id", "sponsors")) { $0.text(words("festival.sponsors")) }
      for (place, tier) in tiers.enumerated() {
        if !tier.name.isEmpty, !tier.name.hasPrefix("tier-") {
          html.element("h3", .init("lang", parts.foreign(tier.name))) { $0.text(tier.name) }
        }
        html.element("ul.links", place == 0 && tiers.count > 1 ? "lead" : "", []) { html in
          for one in tier.sponsors {
            html.element("li") { parts.link(one["url"]?.string, one["name"]?.string ?? "", to: &$0) }
          }
        }
      }
    }
  }

  /// Other ways to look at the day. They need the script, and keep their place until it is there.
  private func tools(to html: inout HTMLWriter) {
    html.element("div.ftools.js", .init("role", "group"), .init("aria-label", words("festival.show"))) { html in
      for (name, value, text) in [
        ("view", "list", "festival.list"), ("view", "grid", "festival.grid"), ("mine", "1", "festival.mine"),
      ] {
        parts.pill(place.address("/festivals/\(id)", [name: value]), words(text), nil, to: &html)
      }
      html.element("button.pill", .init("type", "button"), .init("data-do", "print")) {
        $0.text(words("festival.print"))
      }
      html.element("span.pill") { $0.text(words("qr.scan")) }
    }
  }

  /// The track's place among the festival's, for its colour.
  private func track(_ session: JSONValue) -> String? {
    guard let id = session["track"]?["id"]?.string else { return nil }
    let at = (timetable?["tracks"]?.array ?? []).firstIndex { $0["id"]?.string == id }
    return "\((at ?? Int(FilmLook(id: id, title: "", year: "").seed)) % 6)"
  }

  /// By the instants: in a night in which clocks are set back an hour is there twice.
  private static func isBefore(_ one: JSONValue, _ other: JSONValue) -> Bool {
    func instant(_ session: JSONValue, _ name: String) -> Int64 {
      session[name]?.string.flatMap { Timestamp($0) }?.instant.milliseconds ?? 0
    }
    return (instant(one, "starts_at"), instant(one, "ends_at")) < (
      instant(other, "starts_at"), instant(other, "ends_at")
    )
  }

  private func row(_ session: JSONValue, to html: inout HTMLWriter) {
    guard let key = session["id"]?.string, session["title"]?.string != nil else { return }
    let (title, other) = parts.readable(session)
    let names = timetable?["screens"]?.array ?? []
    let rooms = session["screens"]?.array?.compactMap(\.string) ?? session["screen"]?.string.map { [$0] } ?? []
    let flags = SessionView.flags(of: session, words)
    let over = parts.times.isOver(session["ends_at"]?.string) ? "over" : ""
    html.element("li.session", over, [.init("data-key", key), .init("data-track", track(session))]) { html in
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
          parts.other(other, "span.orig", to: &html)
        }
        let room = rooms.map { room in
          names.first { $0["id"]?.string == room }?["name"]?.string ?? room
        }.joined(separator: ", ")
        html.element("p.small") { parts.dotted([.theirs(room)] + flags, to: &$0) }
        let speakers = SessionView.speakers(of: session)
        if !speakers.isEmpty { html.element("p.small") { parts.tongue(speakers, to: &$0) } }
      }
      parts.heart("festivals/\(id)/agenda/\(key)", title, words("festival.take", ["title": title]), to: &html)
    }
  }
}

/// One session as the server paints it.
nonisolated struct SessionView {
  let parts: PageParts
  let id: String
  let festival: JSONValue
  let session: JSONValue

  static func flags(of session: JSONValue, _ words: Words) -> [PageParts.Fact?] {
    let marks = (session["flags"]?.array?.compactMap(\.string) ?? []).map { $0 == "gv" ? words("attr.gv") : $0 }
    let told = [session["track"]?["name"]?.string, session["level"]?.string]
    return [session["code"]?.string.map { .ours($0) }] + told.map { $0.map { .theirs($0) } }
      + marks.map { .ours($0) }
      + [
        session["sold_out"]?.bool == true ? .ours(words("seats.sold")) : nil,
        session["cancelled"]?.bool == true ? .ours(words("seats.cancelled")) : nil,
      ]
  }

  static func speakers(of session: JSONValue) -> String {
    (session["speakers"]?.array ?? []).compactMap { $0["name"]?.string ?? $0.string }.joined(separator: ", ")
  }

  func write(to html: inout HTMLWriter) {
    let words = parts.words
    let key = session["id"]?.string ?? ""
    let (title, other) = parts.readable(session)
    let start = session["starts_at"]?.string ?? ""
    html.element("article.film-page", .init("data-key", key)) { html in
      html.element("p.hero-k") { html in
        html.element("a", .init("href", "/festivals/\(id)")) { parts.tongue(parts.readable(festival).title, to: &$0) }
      }
      html.element("h1", .init("lang", parts.foreign(title))) { $0.text(title) }
      parts.other(other, "p.orig", to: &html)
      let from = parts.times.clock(start)
      let clock = session["ends_at"]?.string.map {
        words("festival.span", ["from": from, "to": parts.times.clock($0)])
      }
      let rooms = session["screens"]?.array?.compactMap(\.string) ?? []
      let screens = festival["screens"]?.array ?? []
      let room = rooms.map { id in screens.first { $0["id"]?.string == id }?["name"]?.string ?? id }
        .joined(separator: ", ")
      let day = parts.times.long(PageTimes.Clock(start).date)
      html.element("p.facts") { html in
        parts.dotted(
          [.ours("\(day) \(clock ?? from)"), .theirs(room)] + Self.flags(of: session, words) + [
            session["kind"]?.string.map { .theirs($0) },
            session["language"]?.string.flatMap(parts.languageName).map { .theirs($0) },
          ], to: &html)
      }
      html.element("p.doing") { html in
        let mark = FilmLook(id: "festivals/\(id)/agenda/\(key)", title: title, year: "")
        parts.want(mark, withWords: true, to: &html)
        let calendar = "/v1/festivals/\(id)/sessions/\(key).ics"
        html.element("a.btn", .init("href", calendar), .flag("download")) { $0.text(words("link.add")) }
        if let film = session["film_id"]?.string {
          html.element("a.btn", .init("href", "/films/\(film)")) { $0.text(words("film")) }
        }
      }
      if let text = session["abstract"]?.string ?? session["description"]?.string, !text.isEmpty {
        html.element("div.synopsis", .init("lang", parts.foreign(text))) { html in
          for part in session["prose"]?.array ?? [] { Self.prose(part, to: &html) }
        }
      }
      let speakers = Self.speakers(of: session)
      if !speakers.isEmpty {
        html.element("dl.people") { html in
          html.element("div") { html in
            html.element("dt") { $0.text(words("session.speakers")) }
            html.element("dd") { parts.tongue(speakers, to: &$0) }
            for one in session["speakers"]?.array ?? [] {
              guard let name = one["name"]?.string, let about = one["about"]?.string else { continue }
              html.element("dd.small", .init("lang", parts.foreign(about))) { html in
                html.element("b") { $0.text(name) }
                html.text(" \(about)")
              }
            }
          }
        }
      }
      guard let page = session["url"]?.string, !page.isEmpty else { return }
      html.element("ul.links") { html in
        html.element("li") { parts.link(page, words("link.website"), to: &$0) }
      }
    }
  }

  /// A part of what a festival wrote.
  private static func prose(_ part: JSONValue, to html: inout HTMLWriter) {
    let lines = (part["lines"]?.array ?? []).map { $0.array ?? [] }
    switch part["kind"]?.string {
    case "list":
      html.element("ul") { html in for line in lines { html.element("li") { runs(line, to: &$0) } } }
    case "numbered_list":
      html.element("ol") { html in for line in lines { html.element("li") { runs(line, to: &$0) } } }
    case let kind:
      html.element(kind == "heading" ? "h2" : "p") { html in
        for (place, line) in lines.enumerated() {
          if place > 0 { html.element("br") }
          runs(line, to: &html)
        }
      }
    }
  }

  private static func runs(_ line: [JSONValue], to html: inout HTMLWriter) {
    for run in line {
      let text = run["text"]?.string ?? ""
      func stressed(_ html: inout HTMLWriter) {
        if run["emphasis"]?.bool == true { html.element("em") { $0.text(text) } } else { html.text(text) }
      }
      func piece(_ html: inout HTMLWriter) {
        if run["strong"]?.bool == true { html.element("strong", body: stressed) } else { stressed(&html) }
      }
      guard let url = run["url"]?.string else {
        piece(&html)
        continue
      }
      html.element(
        "a", .link("href", url), .init("target", "_blank"), .init("rel", "noopener nofollow"), body: piece)
    }
  }
}

import JSON

/// An evening that somebody planned, for whoever has the link, as the server paints it.
nonisolated struct PlanView {
  let parts: PageParts
  let plan: JSONValue
  /// As they are called where the page is read; a plan is kept in its maker's words.
  let cinema: JSONValue?
  let film: JSONValue?
  /// Where this server is for whoever asks: the code leads there.
  let base: String

  private var words: Words { parts.words }
  private var share: String { plan["share"]?.string ?? "" }
  private var show: JSONValue { plan["showtime"] ?? .null }
  private var item: FilmItem? { parts.film(film).map(parts.readable) }
  private var name: String { item?.title ?? show["title"]?.string ?? "" }
  private var place: String { parts.toldName(cinema) ?? show["cinema"]?.string ?? "" }
  var title: String { plan["title"]?.string ?? (name.isEmpty ? words("plan") : name) }

  func write(to html: inout HTMLWriter) {
    guard plan["showtime"] != nil else { return }
    let times = (start: start, end: end)
    html.element("article.film-page.plan", .init("data-key", "plan-\(share)")) { html in
      head(times.start, to: &html)
      if let note = plan["note"]?.string, !note.isEmpty {
        html.element("p.synopsis", .init("lang", parts.foreign(note))) { $0.text(note) }
      }
      let dinner = plan["dinner"].flatMap { $0.object == nil ? nil : $0 }
      if let dinner {
        if plan["dinner_state"]?.string == "closed" { html.element("p.warn") { $0.text(words("dinner.none")) } }
        let dinner = now(dinner)
        parts.evening(isBefore: Self.isBefore(dinner), dinner, now(times.start, times.end), to: &html)
        if isTight(dinner, times.start, times.end) { html.element("p.warn") { $0.text(words("plan.tight")) } }
      }
      html.element("p.doing") { html in
        if let booking = show["booking_url"]?.string {
          html.element("a.btn", .link("href", booking), .init("target", "_blank"), .init("rel", "noopener")) {
            $0.text(words("plan.book"))
          }
        }
        html.element("a.btn", .init("href", "/v1/plans/\(share).ics"), .flag("download")) { $0.text(words("link.add")) }
        html.element("button.btn.js", .init("type", "button"), .init("data-do", "share")) { html in
          parts.icon("share", to: &html)
          html.text(words("share"))
        }
      }
      html.element("ul.links") { html in
        if let film = show["film_id"]?.string { door("/films/\(film)", words("film"), to: &html) }
        if let id = show["cinema_id"]?.string { door("/cinemas/\(id)", place, to: &html) }
        map(show["location"], to: &html)
      }
      if let dinner { table(dinner, to: &html) }
      code(to: &html)
    }
  }

  // MARK: What the schedule says now, if it is not what was planned

  private var planned: String { show["starts_at"]?.string ?? "" }
  private var isMoved: Bool { plan["showtime_state"]?.string == "moved" && plan["starts_at_now"]?.string != nil }
  private var start: String { isMoved ? plan["starts_at_now"]?.string ?? planned : planned }
  private var end: String? { (isMoved ? plan["ends_at_now"] : show["ends_at"])?.string }

  /// A start in words; with its day, if the move was to another one.
  private func told(_ instant: String) -> String {
    PageTimes.Clock(planned).date == PageTimes.Clock(start).date
      ? parts.times.clock(instant) : parts.times.full(instant)
  }

  private func now(_ start: String, _ end: String?) -> JSONValue {
    var now = show.object ?? JSONObject()
    now["starts_at"] = .string(start)
    if let end { now["ends_at"] = .string(end) }
    return .object(now)
  }

  /// The meal at the times that it has since the showing was moved.
  private func now(_ dinner: JSONValue) -> JSONValue {
    guard var members = dinner.object, let now = plan["dinner_now"]?.object else { return dinner }
    for (name, value) in now { members[name] = value }
    return .object(members)
  }

  private static func isBefore(_ dinner: JSONValue) -> Bool { dinner["mode"]?.string != "after" }

  /// Whether a showing that was moved leaves too little time between the table and the cinema.
  private func isTight(_ dinner: JSONValue, _ start: String, _ end: String?) -> Bool {
    let walk = dinner["walk_min"]?.int ?? 0
    if Self.isBefore(dinner) {
      return parts.times.minutes(from: dinner["leave_by"]?.string ?? "", to: start) < walk
    }
    guard let end else { return false }
    return parts.times.minutes(from: end, to: dinner["sit_from"]?.string ?? "") < walk
  }

  /// What it is about: the film, where and when.
  private func head(_ start: String, to html: inout HTMLWriter) {
    html.element("div.film-head") { html in
      let look = item.map { FilmLook($0) } ?? FilmLook(id: show["film_id"]?.string ?? name, title: name, year: "")
      parts.poster(look, isLink: false, to: &html)
      html.element("div.film-what") { html in
        let kind = plan["dinner"]?.object == nil ? "plan" : "dinner.title"
        html.element("p.hero-k") { $0.text(words(kind)) }
        html.element("h1", .init("lang", parts.foreign(title))) { $0.text(title) }
        let facts: [PageParts.Fact?] = [
          .ours(parts.times.long(PageTimes.Clock(start).date)), .ours(parts.times.clock(start)), .theirs(place),
          show["screen"]?.string.map { .theirs($0) },
        ]
        html.element("p.facts") { parts.dotted(facts, to: &$0) }
        if plan["showtime_state"]?.string == "cancelled" {
          html.element("p.warn") { $0.text(words("seats.cancelled")) }
        } else if start != planned {
          html.element("p.warn") { $0.text(words("plan.moved", ["from": told(planned), "to": told(start)])) }
        }
      }
    }
  }

  /// The page's own address, for a telephone beside this screen or paper.
  private func code(to html: inout HTMLWriter) {
    html.element("section.code", .init("aria-labelledby", "code")) { html in
      html.element(
        "img", .init("src", "/v1/qr.svg?quiet=2&data=\(base)/plans/\(share)"), .init("alt", words("plan.code.alt")),
        .init("width", "144"), .init("height", "144"))
      html.element("div") { html in
        html.element("h2", .init("id", "code")) { $0.text(words("plan.code")) }
        html.element("p.small") { $0.text(words("plan.code.text")) }
      }
    }
  }

  private func table(_ dinner: JSONValue, to html: inout HTMLWriter) {
    let name = dinner["name"]?.string ?? ""
    html.element("section", .init("aria-labelledby", "table")) { html in
      html.element("h2", .init("id", "table"), .init("lang", parts.foreign(name))) { $0.text(name) }
      let walk = words("walk", ["n": "\(dinner["walk_min"]?.int ?? 0)"])
      html.element("p.facts") { parts.dotted([dinner["address"]?.string.map { .theirs($0) }, .ours(walk)], to: &$0) }
      html.element("ul.links") { html in
        if let page = dinner["url"]?.string { out(page, words("link.website"), to: &html) }
        map(dinner["location"], to: &html)
      }
      if let credit = dinner["attribution"]?["text"]?.string ?? dinner["attribution"]?.string {
        html.element("p.small") { $0.text(credit) }
      }
    }
  }

  private func door(_ address: String, _ text: String, to html: inout HTMLWriter) {
    html.element("li") { html in html.element("a", .init("href", address)) { $0.text(text) } }
  }

  private func out(_ address: String, _ text: String, to html: inout HTMLWriter) {
    html.element("li") { parts.link(address, text, to: &$0) }
  }

  private func map(_ place: JSONValue?, to html: inout HTMLWriter) {
    guard let lat = place?["lat"]?.double, let lon = place?["lon"]?.double else { return }
    out("https://www.openstreetmap.org/?mlat=\(lat)&mlon=\(lon)#map=17/\(lat)/\(lon)", "OpenStreetMap", to: &html)
  }
}

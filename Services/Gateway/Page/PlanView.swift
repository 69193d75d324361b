import JSON

/// An evening that somebody planned, for whoever has the link, as the server paints it.
nonisolated struct PlanView {
  let parts: PageParts
  let plan: JSONValue

  private var words: Words { parts.words }
  var title: String { plan["title"]?.string ?? plan["showtime"]?["title"]?.string ?? words("plan") }

  func write(to html: inout HTMLWriter) {
    guard let show = plan["showtime"] else { return }
    let start = show["starts_at"]?.string ?? ""
    let cinema = show["cinema"]?.string ?? ""
    html.element("article.film-page.plan", .init("data-key", "plan-\(plan["share"]?.string ?? "")")) { html in
      head(show, start, cinema, to: &html)
      if let note = plan["note"]?.string, !note.isEmpty {
        html.element("p.synopsis", .init("lang", parts.foreign(note))) { $0.text(note) }
      }
      let dinner = plan["dinner"].flatMap { $0.object == nil ? nil : $0 }
      if let dinner {
        if plan["dinner_state"]?.string == "closed" { html.element("p.warn") { $0.text(words("dinner.none")) } }
        parts.evening(isBefore: dinner["mode"]?.string != "after", now(dinner), nowOf(show), to: &html)
      }
      html.element("p.doing") { html in
        if let booking = show["booking_url"]?.string {
          html.element("a.btn", .link("href", booking), .init("target", "_blank"), .init("rel", "noopener")) {
            $0.text(words("plan.book"))
          }
        }
        let feed = "/v1/plans/\(plan["share"]?.string ?? "").ics"
        html.element("a.btn", .init("href", feed), .flag("download")) { $0.text(words("link.add")) }
      }
      html.element("ul.links") { html in
        if let film = show["film_id"]?.string { door("/films/\(film)", words("film"), to: &html) }
        if let id = show["cinema_id"]?.string { door("/cinemas/\(id)", cinema, to: &html) }
        map(show["location"], to: &html)
      }
      if let dinner { table(dinner, to: &html) }
    }
  }

  /// What it is about: the film, where and when.
  private func head(_ show: JSONValue, _ start: String, _ cinema: String, to html: inout HTMLWriter) {
    html.element("div.film-head") { html in
      let name = show["title"]?.string ?? ""
      parts.poster(
        FilmLook(id: show["film_id"]?.string ?? name, title: name, year: ""), isLink: false, to: &html)
      html.element("div.film-what") { html in
        let kind = plan["dinner"]?.object == nil ? "plan" : "dinner.title"
        html.element("p.hero-k") { $0.text(words(kind)) }
        html.element("h1", .init("lang", parts.foreign(title))) { $0.text(title) }
        let facts = [
          parts.times.long(PageTimes.Clock(start).date), parts.times.clock(start), cinema, show["screen"]?.string,
        ]
        html.element("p.facts") { $0.text(facts.compactMap { $0 }.joined(separator: " · ")) }
        change(start, to: &html)
      }
    }
  }

  /// The meal at the times that it has since the showing was moved.
  private func now(_ dinner: JSONValue) -> JSONValue {
    guard var members = dinner.object, let now = plan["dinner_now"]?.object else { return dinner }
    for (name, value) in now { members[name] = value }
    return .object(members)
  }

  private func nowOf(_ show: JSONValue) -> JSONValue {
    guard var members = show.object, let start = plan["starts_at_now"]?.string else { return show }
    members["starts_at"] = .string(start)
    members["ends_at"] = plan["ends_at_now"]
    return .object(members)
  }

  /// What the schedule says now, if it is not what was planned.
  private func change(_ start: String, to html: inout HTMLWriter) {
    switch plan["showtime_state"]?.string {
    case "moved":
      let time = parts.times.clock(plan["starts_at_now"]?.string ?? start)
      html.element("p.warn") { $0.text(words("plan.moved", ["time": time])) }
    case "cancelled": html.element("p.warn") { $0.text(words("seats.cancelled")) }
    default: return
    }
  }

  private func table(_ dinner: JSONValue, to html: inout HTMLWriter) {
    let name = dinner["name"]?.string ?? ""
    html.element("section", .init("aria-labelledby", "table")) { html in
      html.element("h2", .init("id", "table"), .init("lang", parts.foreign(name))) { $0.text(name) }
      let walk = words("walk", ["n": "\(dinner["walk_min"]?.int ?? 0)"])
      let facts = [dinner["address"]?.string, walk].compactMap { $0 }
      html.element("p.facts") { $0.text(facts.joined(separator: " · ")) }
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

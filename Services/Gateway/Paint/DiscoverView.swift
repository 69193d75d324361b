import JSON

/// Discover as the server paints it: rows of films with a reason each, or all that are of a kind.
nonisolated struct DiscoverView {
  let parts: PageParts
  let view: Viewpoint
  let place: PagePlace
  let genres: [JSONValue]
  /// `classics`, `genre:drama`, `person:ang-lee`; nil for the rows.
  let list: String?
  /// Whose films these are.
  let person: String?
  /// Rows, or the films of the list.
  let items: [JSONValue]
  /// Not all that there may be: a service did not answer.
  let isPartial: Bool
  /// Films of a kind were asked for that there is not.
  let isStrange: Bool

  private var words: Words { parts.words }
  /// A row of fewer looks like a mistake.
  private static let rowLeast = 3
  private static let genresShown = 16
  private static let named: Set<String> = [
    "near_you", "now_playing", "last_chance", "new_this_week", "coming_soon", "classics", "recommended",
  ]

  func write(to html: inout HTMLWriter) {
    html.element("div.discover", .init("data-key", "discover")) { html in
      html.element("h1") { $0.text(words("discover.title")) }
      kinds(to: &html)
      if list == nil { rows(to: &html) } else { wall(to: &html) }
    }
  }

  private func address(_ list: String?, _ genre: String?, _ person: String? = nil) -> String {
    place.address("/discover", ["list": list, "genre": genre, "person": person])
  }

  private func name(_ id: String, _ title: String? = nil) -> String {
    Self.named.contains(id) ? words("row.\(id)") : title ?? id
  }

  private func kinds(to html: inout HTMLWriter) {
    guard !genres.isEmpty || list != nil else { return }
    html.element("ul.kinds", .init("aria-label", words("discover.kinds"))) { html in
      let item = { (html: inout HTMLWriter, address: String, text: String, isCurrent: Bool) in
        html.element("li") { parts.pill(address, text, isCurrent ? "true" : nil, replaces: false, to: &$0) }
      }
      item(&html, address(nil, nil), words("discover.all"), list == nil)
      if let list, !list.contains(":") { item(&html, address(list, nil), name(list), true) }
      if let list, let person { item(&html, address(nil, nil, String(list.dropFirst(7))), person, true) }
      for genre in genres.prefix(Self.genresShown) {
        guard let id = genre["id"]?.string else { continue }
        item(&html, address(nil, id), genre["name"]?.string ?? id, list == "genre:\(id)")
      }
    }
  }

  private func rows(to html: inout HTMLWriter) {
    let rows = items.filter { row in
      (row["items"]?.array?.count ?? 0) >= (row["id"]?.string == "near_you" ? 1 : Self.rowLeast)
    }
    if isPartial { parts.part(address(list, nil), to: &html) }
    guard let first = rows.first else {
      if isPartial { return }
      let door = ("/", words("tab.nearby"))
      parts.notice("empty", words("discover.none"), words("discover.none.text"), link: door, to: &html)
      return
    }
    let best = rows.first { $0["id"]?.string == "last_chance" } ?? first
    let large = best["items"]?.array?.firstIndex { $0["next_showtime"]?.object != nil }
    if let large { hero(best, at: large, to: &html) }
    for row in rows {
      var items = row["items"]?.array ?? []
      // What stands there large need not stand below once more.
      if let large, row["id"]?.string == best["id"]?.string, items.count > Self.rowLeast { items.remove(at: large) }
      self.row(row, items, to: &html)
    }
    credits(of: rows.flatMap { $0["items"]?.array ?? [] }, to: &html)
  }

  private func hero(_ row: JSONValue, at index: Int, to html: inout HTMLWriter) {
    guard let item = row["items"]?[index],
      let film = parts.film(item["film"]).map(parts.readable), let next = item["next_showtime"]
    else { return }
    let look = FilmLook(film)
    html.element("section.hero", .init("data-key", "hero"), .init("aria-labelledby", "hero-t")) { html in
      parts.poster(look, isFirst: true, to: &html)
      html.element("div") { html in
        html.element("p.hero-k") { $0.text(name(row["id"]?.string ?? "", row["title"]?.string)) }
        html.element("h2", .init("id", "hero-t")) { html in
          html.element("a", .init("href", "/films/\(look.id)"), .init("lang", parts.foreign(look.title))) { html in
            html.text(look.title)
          }
        }
        parts.others(film, "p", to: &html)
        parts.facts(film, director: true, to: &html)
        html.element("p.hero-n") { $0.text(parts.nextLine(next, view) ?? "") }
        html.element("p.doing") { parts.want(look, withWords: true, to: &$0) }
      }
    }
  }

  private func row(_ row: JSONValue, _ items: [JSONValue], to html: inout HTMLWriter) {
    guard let kind = row["id"]?.string else { return }
    let id = "row-" + String(kind.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" })
    let title = name(kind, row["title"]?.string)
    html.element("section.row", .init("data-key", id), .init("aria-labelledby", id)) { html in
      html.element("div.row-h") { html in
        html.element("h2", .init("id", id)) { $0.text(title) }
        let genre = kind.hasPrefix("genre:") ? String(kind.dropFirst(6)) : nil
        // A kind that a source brought may be called what no address of the page can say.
        let isTold = genre.map { PageScene.isPlain($0[...]) } ?? true
        if row["more"]?.string != nil, kind != "recommended", kind != "near_you", isTold {
          html.element(
            "a.small", .init("href", genre == nil ? address(kind, nil) : address(nil, genre)),
            .init("aria-label", words("discover.more", ["name": title]))
          ) { $0.text(words("film.all")) }
        }
        parts.stripButton(-1, to: &html)
        parts.stripButton(1, to: &html)
      }
      html.element(
        "ul.rail", .init("data-key", kind), .flag("data-strip"), .init("tabindex", "0"), .init("aria-label", title)
      ) { html in
        for item in items { card(item, to: &html) }
      }
    }
  }

  /// Why a film is here, or when it plays.
  private func card(_ item: JSONValue, to html: inout HTMLWriter) {
    guard let film = parts.film(item["film"] ?? item) else { return }
    let line =
      item["reasons"]?[0]?["text"]?.string ?? item["reason"]?.string
      ?? item["next_showtime"].flatMap { parts.nextLine($0, view) }
    parts.card(film, line: line, to: &html)
  }

  private func wall(to html: inout HTMLWriter) {
    guard !items.isEmpty else {
      let door = ("/discover", words("discover.all"))
      guard !isStrange else { return parts.notice("empty", words("discover.strange"), nil, link: door, to: &html) }
      parts.notice("empty", words("discover.none"), words("discover.none.text"), link: door, to: &html)
      return
    }
    html.element("ul.wall") { html in for item in items { card(item, to: &html) } }
    credits(of: items, to: &html)
  }

  private func credits(of items: [JSONValue], to html: inout HTMLWriter) {
    parts.credits(items.map { ($0["film"] ?? $0)["attribution"]?.string }, to: &html)
  }
}

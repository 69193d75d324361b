import JSON

/// Radio as the server paints it: stations by section. Playing them needs the script.
nonisolated struct RadioView {
  let parts: PageParts
  let sections: [JSONValue]

  private var words: Words { parts.words }

  func write(to html: inout HTMLWriter) {
    html.element("div.radio", .init("data-key", "radio")) { html in
      html.element("h1") { $0.text(words("tab.radio")) }
      let filled = sections.filter { !($0["stations"]?.array ?? []).isEmpty }
      guard !filled.isEmpty else {
        parts.notice("empty", words("radio.none"), words("radio.none.text"), to: &html)
        return
      }
      for section in filled {
        let id = "s-\(section["id"]?.string ?? "")"
        html.element("section", .init("data-key", id), .init("aria-labelledby", id)) { html in
          html.element("h2", .init("id", id)) { html in
            let known = words.known("radio.of.\(section["id"]?.string ?? "")")
            html.text(known ?? parts.toldName(section) ?? "")
          }
          html.element("ul.stations") { html in
            for station in section["stations"]?.array ?? [] {
              self.station(station, section["id"]?.string ?? "", to: &html)
            }
          }
        }
      }
    }
  }

  private func station(_ station: JSONValue, _ section: String, to html: inout HTMLWriter) {
    guard let id = station["id"]?.string, let name = parts.toldName(station) else { return }
    let about =
      station["now_playing"]?["title"]?.string ?? station["description"]?.string
      ?? (station["tags"]?.array?.compactMap(\.string) ?? []).joined(separator: " · ")
    let seed = FilmLook(id: id, title: "", year: "").seed
    html.element("li.station", .init("data-key", id)) { html in
      html.element("span", "poster sign c\(seed % 10) m\((seed >> 8) % 6)", [.init("aria-hidden", "true")]) { html in
        html.element("span.p-t") { $0.text(name.unicodeScalars.first.map { String(Character($0)) } ?? "") }
      }
      html.element("div") { html in
        html.element("h3", .init("lang", parts.foreign(name))) { html in
          parts.link(station["website"]?.string, name, to: &html)
          parts.demo(station, to: &html)
        }
        html.element("p.small", .init("lang", parts.foreign(about))) { $0.text(about) }
        if station["state"]?.string == "down" { html.element("p.small.dead") { $0.text(words("radio.dead") + " ") } }
      }
      parts.heart("favourites/station/\(id)", name, words("radio.like", ["name": name]), to: &html)
      if station["rights"]?["use"]?.string == "link" { return }
      html.element(
        "button.tool.play.js", .init("type", "button"), .init("data-do", "station"), .init("data-id", id),
        .init("data-section", section), .init("aria-label", words("radio.play", ["name": name]))
      ) { parts.icon("play", to: &$0) }
    }
  }
}

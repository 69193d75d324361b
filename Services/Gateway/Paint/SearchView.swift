import Contracts
import HTTP
import JSON

/// A search as the server paints it: the field, which asks without a script too, and what was found.
nonisolated struct SearchView {
  let parts: PageParts
  let cities: CityNames
  /// What is asked for, as it was written.
  let asked: String
  /// The API's answer; nil if nothing was asked.
  let answer: JSONValue?

  private var words: Words { parts.words }

  func write(to html: inout HTMLWriter) {
    html.element("div.search", .init("data-key", "search")) { html in
      html.element("h1.vh") { $0.text(words("tab.search")) }
      html.element("form.find", .init("action", "/search"), .init("role", "search"), .init("data-do", "find")) { html in
        html.element("label.vh", .init("for", "q")) { $0.text(words("search.label")) }
        html.element(
          "input", .init("id", "q"), .init("name", "q"), .init("type", "text"), .init("inputmode", "search"),
          .init("value", asked), .init("placeholder", words("search.hint")), .init("autocomplete", "off"),
          .init("autocapitalize", "off"), .init("spellcheck", "false"), .init("enterkeyhint", "search"),
          .init("data-on-input", "typed"), .flag("autofocus"))
      }
      html.element("div", .init("aria-live", "polite")) { results(to: &$0) }
    }
  }

  private func results(to html: inout HTMLWriter) {
    guard let answer else { return html.element("p.small.pad") { $0.text(words("search.start")) } }
    let hits = answer["data"]?.array ?? []
    let isPartial = answer["missing"]?.array?.isEmpty == false
    guard !hits.isEmpty else {
      // Nobody knows that there is nothing.
      if isPartial { return parts.part(Self.address(asked), to: &html) }
      let meant = answer["did_you_mean"]?.string.map { meant in
        (Self.address(meant), words("search.meant", ["q": meant]))
      }
      let title = words("search.none", ["q": asked])
      return parts.notice("empty", title, words("search.none.text"), link: meant, to: &html)
    }
    html.element("p.vh") { $0.text(words("search.count", ["n": "\(hits.count)"])) }
    html.element("ul.hits") { html in for hit in hits { self.hit(hit, to: &html) } }
    parts.credits(hits.map { $0["film"]?["attribution"]?.string }, to: &html)
    if isPartial { parts.part(Self.address(asked), to: &html) }
  }

  static func address(_ text: String) -> String { "/search?q=\(PercentEncoding.encode(text))" }

  private func hit(_ hit: JSONValue, to html: inout HTMLWriter) {
    guard let id = hit["id"]?.string, let type = hit["type"]?.string else { return }
    // What matched of a cinema may be its city.
    let ranges = Self.ranges(hit["highlight"])
    let name = ranges.isEmpty ? parts.toldName(hit["cinema"]) : nil
    let title = name ?? hit["title"]?.string ?? ""
    if type == "film" { return film(hit, id, title, ranges, to: &html) }
    let path = Self.path(of: type, id)
    html.element("li", .init("data-key", type + id)) { html in
      html.element("span.poster.place-sign", .init("aria-hidden", "true")) { html in
        switch type {
        case "cinema": parts.icon("near", to: &html)
        case "festival": parts.icon("festival", to: &html)
        default: html.text(title.unicodeScalars.first.map { String(Character($0)) } ?? "")
        }
      }
      html.element("div") { html in
        html.element("h2.film-title") { html in
          guard let path else { return marked(title, ranges, to: &html) }
          html.element("a", .init("href", path), .init("lang", parts.foreign(title))) { marked(title, ranges, to: &$0) }
        }
        html.element("p.facts") { facts(hit, path == nil ? "other" : type, to: &$0) }
      }
    }
  }

  private func facts(_ hit: JSONValue, _ kind: String, to html: inout HTMLWriter) {
    let festival = hit["festival"]
    let metres = (hit["cinema"] ?? hit)["distance_m"]?.double
    let films = hit["person"]?["films"]?.int.flatMap { $0 > 0 ? words("day.films", ["n": "\($0)"]) : nil }
    parts.dotted(
      [
        .ours(words("kind.\(kind)")),
        festival.flatMap { FestivalView.span(of: $0, parts) }.map { .ours($0) },
        (festival ?? hit["cinema"])?["city"]?.string.map { city in
          cities.name(of: city, in: words.language).map { .ours($0) } ?? .theirs(city)
        },
        metres.flatMap(parts.distance).map { .ours($0) }, films.map { .ours($0) },
      ], to: &html)
  }

  private func film(_ hit: JSONValue, _ id: String, _ title: String, _ ranges: [Range<Int>], to html: inout HTMLWriter)
  {
    guard let film = parts.film(hit["film"]) else { return }
    let look = FilmLook(film)
    html.element("li", .init("data-key", id)) { html in
      parts.poster(look, to: &html)
      html.element("div") { html in
        html.element("h2.film-title") { html in
          html.element("a", .init("href", "/films/\(id)"), .init("lang", parts.foreign(title))) {
            marked(title, ranges, to: &$0)
          }
          if film.title != title {
            html.element("span.orig", .init("lang", parts.foreign(film.title))) { $0.text(film.title) }
          }
        }
        parts.facts(film, director: true, to: &html)
      }
      parts.want(look, to: &html)
    }
  }

  /// Where a hit leads; nil of a kind that has no page.
  private static func path(of type: String, _ id: String) -> String? {
    switch type {
    case "film": "/films/\(id)"
    case "cinema": "/cinemas/\(id)"
    case "person": "/discover?person=\(id)"
    case "festival": "/festivals/\(id)"
    default: nil
    }
  }

  /// Pairs of offsets in code points.
  private static func ranges(_ told: JSONValue?) -> [Range<Int>] {
    told?.array?.compactMap { pair in
      guard let from = pair[0]?.int, let to = pair[1]?.int, from >= 0, to > from else { return nil }
      return from..<to
    } ?? []
  }

  /// The parts of a title that were asked for, marked.
  private func marked(_ text: String, _ ranges: [Range<Int>], to html: inout HTMLWriter) {
    let letters = Array(text.unicodeScalars)
    func part(_ range: Range<Int>) -> String {
      var text = String.UnicodeScalarView()
      text += letters[range.clamped(to: letters.indices)]
      return String(text)
    }
    var at = 0
    for range in ranges where range.lowerBound >= at {
      html.text(part(at..<range.lowerBound))
      html.element("mark") { $0.text(part(range)) }
      at = range.upperBound
    }
    html.text(part(min(at, letters.count)..<letters.count))
  }
}

/// What the cities of the map are called in each language.
nonisolated struct CityNames: Sendable {
  private let names: [String: [Language: String]]

  /// - Parameter map: `map/base.json`.
  init(map: JSONValue) {
    var names: [String: [Language: String]] = [:]
    for place in map["places"]?.array ?? [] {
      let all = Language.allCases.compactMap { language in place[language.rawValue]?.string.map { (language, $0) } }
      let city = Dictionary(all) { first, _ in first }
      for name in city.values { names[name] = city }
    }
    self.names = names
  }

  /// A city that is known under any of its names.
  func name(of city: String, in language: Language) -> String? { names[city].flatMap { $0[language] ?? $0[.en] } }
}

import Calendars
import Contracts
import JSON

/// The pieces of views that are written from what the API tells.
nonisolated extension PageParts {
  /// Minutes of a film that does not say.
  private static let filmUsual = 110

  /// A film as lists have it; nil if it has no id.
  func film(_ told: JSONValue?) -> FilmItem? {
    guard let told, let id = told["id"]?.string.flatMap({ FilmID($0) }), let title = told["title"]?.string else {
      return nil
    }
    func list(_ name: String) -> [String]? { told[name]?.array?.compactMap(\.string) }
    let rating = told["age_rating"].flatMap { rating in
      rating["code"]?.string.map { AgeRating(system: rating["system"]?.string ?? "", code: $0) }
    }
    let poster = told["poster"]?["url"]?.string.flatMap { url in
      url.lastIndex(of: "=").map { String(url[url.index(after: $0)...]) }
    }
    var item = FilmItem(
      Film(
        id: id, title: title, originalTitle: told["original_title"]?.string, year: told["year"]?.int,
        runtimeMinutes: told["runtime_min"]?.int, countries: list("countries"), genres: list("genres"),
        directors: list("directors"), rating: rating, poster: poster), in: nil)
    item.printedTitle = told["printed_title"]?.string
    return item
  }

  /// The name of a cinema, a station or a place for this reader, as `name(_:)` has it.
  func toldName(_ told: JSONValue?) -> String? {
    guard let name = told?["name"]?.string else { return nil }
    guard let english = told?["name_en"]?.string, foreign(name) != nil else { return name }
    return english
  }

  /// The title or name that this reader can read, and the other behind it: as `readable(_:)` has it for films.
  func readable(_ told: JSONValue) -> (title: String, other: String?) {
    let title = told["title"]?.string ?? told["name"]?.string ?? ""
    guard let other = told["subtitle"]?.string, !other.isEmpty, other != title else { return (title, nil) }
    return isEasier(other, than: title) ? (other, title) : (title, other)
  }

  /// What the sources of these films want said where their facts are shown: each sentence once.
  func credits(_ sentences: [String?], to html: inout HTMLWriter) {
    var told: Set<String> = []
    for case let sentence? in sentences where told.insert(sentence).inserted {
      html.element("p.small") { $0.text(sentence) }
    }
  }

  /// A title's other form, below it.
  func other(_ text: String?, _ name: StaticString, to html: inout HTMLWriter) {
    guard let text else { return }
    html.element(name, .init("lang", foreign(text))) { $0.text(text) }
  }

  /// Of the maps that a place is shown by, in the order of `MapLinks`.
  static let mapNames = ["NAVER", "Kakao", "Google", "Apple", "OpenStreetMap"]

  /// Where maps show a place that the API tells of.
  func mapLinks(_ told: JSONValue?) -> [(address: String, name: String)] {
    zip(["naver", "kakao", "google", "apple", "osm"], Self.mapNames).compactMap { key, name in
      told?[key]?.string.map { ($0, name) }
    }
  }

  /// The evening as a bar: what comes after what, each as long as it takes, in tens of minutes.
  func evening(isBefore: Bool, _ item: JSONValue, _ show: JSONValue?, to html: inout HTMLWriter) {
    let start = show?["starts_at"]?.string ?? ""
    let length = show?["film"]?["runtime_min"]?.int ?? Self.filmUsual
    let over = show?["ends_at"]?.string ?? times.later(start, by: length)
    let (sit, leave) = (item["sit_from"]?.string ?? "", item["leave_by"]?.string)
    let walk = words("dinner.walk", ["n": "\(item["walk_min"]?.int ?? 0)"])
    let end = leave ?? times.later(sit, by: DinnerView.eating)
    html.element("ol.bar-e") { html in
      func part(_ look: StaticString, _ from: String, _ to: String, _ text: String) {
        let tens = min(18, max(2, (max(1, times.minutes(from: from, to: to)) + 5) / 10))
        html.element(look, .init("data-g", "\(tens)")) { html in
          html.element("b") { $0.text(times.clock(from)) }
          html.element("span") { $0.text(text) }
        }
      }
      if !isBefore {
        part("li.see", start, over, words("film"))
        part("li.go", over, sit, walk)
      }
      part("li.eat", sit, end, words("dinner.eat"))
      if isBefore {
        part("li.go", end, start, walk)
        part("li.see", start, over, words("film"))
      }
    }
  }

  /// When and where something plays next, in one line.
  func nextLine(_ show: JSONValue, _ view: Viewpoint) -> String? {
    guard let start = show["starts_at"]?.string else { return nil }
    let cinema = show["cinema"]
    let day = show["service_date"]?.string.flatMap { CivilDate($0) }
    return [
      day.map { times.dayName($0, today: today(cinema?["time_zone"]?.string, view)) },
      times.chip(startsAt: start, printed: show["display_time"]?.string), toldName(cinema),
    ].compactMap { $0 }.joined(separator: " ")
  }

  /// Today in a zone that the API names; in Seoul, where nobody says.
  func today(_ zone: String?, _ view: Viewpoint) -> CivilDate {
    let name = zone.flatMap { ZoneName($0) } ?? ZoneName("Asia/Seoul")
    return times.today(in: name.map { view.rules($0) } ?? .utc)
  }

  /// A choice that is a link.
  func pill(_ address: String, _ text: String, _ current: String?, replaces: Bool = true, to html: inout HTMLWriter) {
    html.element(
      "a.pill", .init("href", address), .flag("data-replace", replaces), .init("aria-current", current)
    ) { $0.text(text) }
  }

  /// Choices that are links, one of them taken; with `many`, any number.
  func pills(
    _ label: String, _ list: [(text: String, address: String, isCurrent: Bool)], many: Bool = false,
    to html: inout HTMLWriter
  ) {
    html.element(many ? "div.choice.many" : "div.choice", .init("role", "group"), .init("aria-label", label)) { html in
      html.element("span.small", .init("aria-hidden", "true")) { $0.text(label) }
      for item in list { pill(item.address, item.text, item.isCurrent ? "true" : nil, to: &html) }
    }
  }

  /// A mark on something that is no film; the script knows what is marked.
  func heart(_ mark: String, _ title: String, _ label: String, to html: inout HTMLWriter) {
    html.element(
      "button.heart.js", .init("type", "button"), .init("data-do", "want"), .init("data-mark", mark),
      .init("data-title", title), .init("aria-pressed", "false"), .init("aria-label", label)
    ) { icon("heart", to: &$0) }
  }

  /// Where else one can go, for screens on which the tabs have no room for it.
  func doors(to html: inout HTMLWriter) {
    html.element("ul.doors", .init("aria-label", words("tab.more"))) { html in
      for (name, picture) in [
        ("festivals", "festival"), ("radio", "radio"), ("search", "search"), ("status", "status"),
      ] {
        html.element("li") { html in
          html.element("a", .init("href", "/\(name)")) { html in
            icon(picture, to: &html)
            html.element("span") { $0.text(words("tab.\(name)")) }
          }
        }
      }
    }
  }

  /// What somebody saved is known to their browser's script alone; without it, where else one can go.
  func saved(to html: inout HTMLWriter) {
    html.element("div.saved", .init("data-key", "saved")) { html in
      html.element("h1") { $0.text(words("saved.title")) }
      html.element("noscript") { html in
        notice(
          "empty", words("saved.script"), words("saved.script.text"), link: ("/", words("tab.nearby")), to: &html)
      }
    }
  }

  func door(of festival: JSONValue, _ id: String, to html: inout HTMLWriter) {
    html.element("div.settings", .init("data-key", "door")) { html in
      html.element("p.hero-k") { html in
        html.element("a", .init("href", "/festivals/\(id)")) { tongue(readable(festival).title, to: &$0) }
      }
      html.element("h1") { $0.text(words("door")) }
      html.element("noscript") { notice("empty", words("door.script"), nil, to: &$0) }
    }
  }

  func demo(_ told: JSONValue, to html: inout HTMLWriter) {
    guard told["demo"]?.bool == true else { return }
    html.text(" ")
    html.element("span.demo") { $0.text(words("demo")) }
  }

  func link(_ address: String?, _ text: String, to html: inout HTMLWriter) {
    guard let address, !address.isEmpty else { return html.text(text) }
    html.element("a", .link("href", address), .init("target", "_blank"), .init("rel", "noopener")) { $0.text(text) }
  }
}

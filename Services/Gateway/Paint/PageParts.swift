import Calendars
import Contracts

/// The pieces that every view is made of, as `Web/js/parts.js` makes them: the tests of the page compare the two.
nonisolated struct PageParts {
  let words: Words
  let times: PageTimes

  /// The film's picture. Without one, its title is set on a colour of its own.
  ///
  /// - Parameter isFirst: it is seen at once, so it is fetched before the others.
  func poster(_ film: FilmLook, isLink: Bool = true, isFirst: Bool = false, to html: inout HTMLWriter) {
    let seed = film.seed
    let look = "poster c\(seed % 10) m\((seed >> 8) % 6) t\(film.size)"
    let inside: (inout HTMLWriter) -> Void = { html in
      if let poster = film.poster {
        return html.element(
          "img", .link("src", poster.url), .init("alt", words("poster.alt", ["title": film.title])),
          .init("width", "\(poster.width)"), .init("height", "\(poster.width * 3 / 2)"),
          .init("loading", isFirst ? nil : "lazy"), .init("fetchpriority", isFirst ? "high" : nil),
          .init("decoding", "async")
        ) { _ in }
      }
      html.element("span.p-t", .init("lang", foreign(film.title))) { $0.text(film.title) }
      html.element("span.p-y") { $0.text(film.year) }
    }
    if isLink {
      html.element(
        "a", look, [.init("href", "/films/\(film.id)"), .init("tabindex", "-1"), .init("aria-hidden", "true")],
        body: inside)
    } else {
      html.element("span", look, [.init("aria-hidden", "true")], body: inside)
    }
  }

  /// A film with the title that this reader can read in front: a printed one in another script steps behind one in the
  /// reader's own, or else in Latin letters.
  func readable(_ item: FilmItem) -> FilmItem {
    guard let other = item.film.originalTitle, !other.isEmpty, isEasier(other, than: item.title) else { return item }
    var item = item
    item.film.originalTitle = item.title
    item.title = other
    return item
  }

  func isEasier(_ other: String, than title: String) -> Bool {
    guard let strange = foreign(title) else { return false }
    guard let stranger = foreign(other) else { return true }
    return stranger == Language.en.rawValue && strange != stranger
  }

  /// The language of a text by its script; nil if it is the page's own.
  func foreign(_ text: String) -> String? {
    let guess = Language(ofText: text)
    return guess == words.language ? nil : guess.rawValue
  }

  /// A part of a line: in the page's words, or in those of who told us.
  enum Fact {
    case ours(String)
    case theirs(String)

    var isEmpty: Bool {
      switch self {
      case .ours(let text), .theirs(let text): text.isEmpty
      }
    }
  }

  /// A text that others wrote, in its own language for who hears it.
  func tongue(_ text: String, to html: inout HTMLWriter) {
    guard let language = foreign(text), text.unicodeScalars.contains(where: \.properties.isAlphabetic) else {
      return html.text(text)
    }
    html.element("span", .init("lang", language)) { $0.text(text) }
  }

  /// What there is of a list, in one line. None begins with a point.
  func dotted(_ facts: [Fact?], by point: String = "\u{A0}· ", to html: inout HTMLWriter) {
    for (place, fact) in facts.compactMap({ $0 }).filter({ !$0.isEmpty }).enumerated() {
      if place > 0 { html.text(point) }
      switch fact {
      case .ours(let text): html.text(text)
      case .theirs(let text): tongue(text, to: &html)
      }
    }
  }

  /// The age rating as a sign, then "2023 · 일본 · 126분".
  func facts(_ item: FilmItem, director: Bool = false, subtitled: Bool = false, to html: inout HTMLWriter) {
    let film = item.film
    var parts: [Fact] = []
    if let year = film.year { parts.append(.ours("\(year)")) }
    parts += (film.countries ?? []).prefix(2).map { .ours(words.known("country.\($0)") ?? $0) }
    if let minutes = film.runtimeMinutes, minutes > 0 { parts.append(.ours(words("dur.min", ["n": "\(minutes)"]))) }
    if director, let name = film.directors?.first { parts.append(.theirs(name)) }
    if subtitled { parts.append(.ours(words("attr.subtitled"))) }
    html.element("p.facts") { html in
      if let rating = film.rating { age(rating, to: &html) }
      dotted(parts, to: &html)
    }
  }

  private func age(_ rating: AgeRating, to html: inout HTMLWriter) {
    let upper = rating.code.uppercased()
    let text = ["ALL", "G", "U"].contains(upper) ? words("age.all") : rating.code
    let isAdult = ["18", "R", "19"].contains { rating.code.utf8.starts(with: $0.utf8) }
    html.element(
      "span.age", .init("title", words("age.title", ["code": text])), .init("data-age", isAdult ? "adult" : nil)
    ) { html in
      html.element("span.vh") { $0.text(words("age.ear")) }
      html.text(text)
    }
  }

  private static let attributeTexts = [
    "gv": "attr.gv", "stage_greeting": "attr.stage", "35mm": "35mm", "70mm": "70mm", "4k": "4K", "3d": "3D",
    "dubbed": "attr.dubbed", "cc": "attr.cc", "ad": "attr.ad", "relaxed": "attr.relaxed", "baby": "attr.baby",
    "last_chance": "attr.last", "16mm": "16mm", "4dx": "4DX", "imax": "IMAX", "dolby": "Dolby", "q-and-a": "attr.gv",
    "stage-greeting": "attr.stage", "captioned": "attr.cc", "audio-description": "attr.ad", "last-day": "attr.last",
    "sign-language": "attr.sign", "black-and-white": "attr.bw",
  ]
  /// What can be chosen by, and is not worth a mark on every time.
  private static let quietTexts = ["original-version": "attr.original", "restored": "attr.restored"]

  /// One attribute in words; one that we have none for as it is written.
  func word(of attribute: String) -> String {
    let parts = attribute.split(separator: ":", maxSplits: 1)
    guard parts.first != "subtitled" else { return subtitle(parts.count == 2 ? parts[1] : "") }
    let name = String(parts.first ?? "")
    guard let text = Self.attributeTexts[name] ?? Self.quietTexts[name] else { return attribute }
    return text.hasPrefix("attr.") ? words(text) : text
  }

  /// What is special about a showing, in words.
  func special(_ show: ShowtimeItem) -> [String] {
    show.showtime.attributes.compactMap { attribute in
      let name = attribute.prefix { $0 != ":" }.lowercased()
      return Self.attributeTexts[name].map { $0.hasPrefix("attr.") ? words($0) : $0 }
    }
  }

  func isSubtitled(_ shows: [ShowtimeItem]) -> Bool {
    shows.contains { $0.showtime.attributes.contains { $0.hasPrefix("subtitled") } }
  }

  /// A time to press: the booking page behind it. Over, sold out and cancelled say so in words and look.
  func chip(_ show: ShowtimeItem, to html: inout HTMLWriter) {
    let isPast = times.isPast(show)
    let isLate = times.isLate(show)
    let state: String
    if show.showtime.state == .cancelled {
      state = "cancelled"
    } else if isPast {
      state = "past"
    } else if show.showtime.seats?.state == .soldOut {
      state = "sold"
    } else {
      state = show.showtime.seats?.state == .few ? "few" : ""
    }
    let extras = special(show)
    var notes: [Fact] = []
    if isLate { notes.append(.ours(times.lateNote(show))) }
    if state == "sold" { notes.append(.ours(words("seats.sold"))) }
    if state == "cancelled" { notes.append(.ours(words("seats.cancelled"))) }
    if state == "few" { notes.append(.ours(words("seats.few"))) }
    notes += extras.map { .ours($0) }
    if let screen = show.showtime.screen, !screen.isEmpty { notes.append(.theirs(screen)) }

    var heard: [Fact] = [.ours(times.full(show))]
    if isPast { heard.append(.ours(words("seats.past"))) }
    heard += notes.dropFirst(2)
    heard += subtitles(show).map { .ours($0) }
    if let end = show.endsAt { heard.append(.ours(words("ends", ["time": times.clock(end)]))) }

    let look = ["chip", state, isLate ? "late" : "", extras.isEmpty ? "" : "special"].filter { !$0.isEmpty }
      .joined(separator: " ")
    let title =
      times.full(show) + (show.endsAt.map { " – " + times.clock($0) } ?? "")
      + (show.showtime.screen.map { $0.isEmpty ? "" : " · " + $0 } ?? "")
    let inside: (inout HTMLWriter) -> Void = { html in
      html.element("span.chip-t") { $0.text(times.chip(show)) }
      html.element("span.chip-m") { dotted(Array(notes.prefix(2)), to: &$0) }
      html.element("span.vh") { dotted(heard, by: ", ", to: &$0) }
    }
    let named: [HTMLWriter.Attribute] = [.init("title", title), .init("data-show", show.showtime.id.text)]
    html.element("li", .init("data-key", show.showtime.id.text)) { html in
      if let address = show.showtime.bookingURL, !address.isEmpty, !["past", "sold", "cancelled"].contains(state) {
        html.element(
          "a", look, [.link("href", address), .init("target", "_blank"), .init("rel", "noopener")] + named, body: inside
        )
      } else {
        html.element("span", look, named, body: inside)
      }
      guard asksForDinner(show) else { return }
      html.element(
        "a.dine", .init("href", "/dinner/\(show.showtime.id.text)"),
        .init("aria-label", words("dinner.around", ["time": times.chip(show)])), .init("title", words("dinner"))
      ) { icon("dining", to: &$0) }
    }
  }

  /// Whether a meal goes with a showing: one of the evening that is still to come.
  private func asksForDinner(_ show: ShowtimeItem) -> Bool {
    let hour = PageTimes.Clock(show.startsAt).hour
    return show.showtime.state != .cancelled && show.showtime.seats?.state != .soldOut && !times.isPast(show)
      && (hour >= 16 || hour < 2)
  }

  /// A film as a card of a row or a wall: its picture, its title and one line.
  func card(_ film: FilmItem, line: String? = nil, to html: inout HTMLWriter) {
    let look = FilmLook(readable(film))
    html.element("li", .init("data-key", look.id)) { html in
      html.element("a.wall-a", .init("href", "/films/\(look.id)")) { html in
        poster(look, isLink: false, to: &html)
        html.element("span.wall-t", .init("lang", foreign(look.title))) { $0.text(look.title) }
        html.element("span.small") { $0.text(line ?? look.year) }
      }
    }
  }

  private func subtitles(_ show: ShowtimeItem) -> [String] {
    show.showtime.attributes.compactMap { attribute in
      attribute.hasPrefix("subtitled") ? subtitle(attribute.dropFirst("subtitled:".count)) : nil
    }
  }

  private func subtitle(_ language: Substring) -> String {
    language.isEmpty
      ? words("attr.subtitled") : words("attr.subtitledIn", ["lang": Self.languageName(language, words.language)])
  }

  /// In words, where it is said in words or by a code of which there are some here; the script knows all codes.
  func languageName(_ said: String) -> String? {
    let isCode = (2...3).contains(said.utf8.count) && said.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    let name = Self.languageName(said[...], words.language)
    return isCode && name == said ? nil : name
  }

  /// The three that are common here, as browsers call them; others by their code.
  private static func languageName(_ code: Substring, _ language: Language) -> String {
    let names: [Substring: [Language: String]] = [
      "ko": [.ko: "한국어", .ja: "韓国語", .en: "Korean"], "ja": [.ko: "일본어", .ja: "日本語", .en: "Japanese"],
      "en": [.ko: "영어", .ja: "英語", .en: "English"],
    ]
    return names[code]?[language] ?? String(code)
  }

  /// The mark "want to see": for the script, which knows what is marked.
  func want(_ film: FilmLook, withWords: Bool = false, to html: inout HTMLWriter) {
    html.element(
      "button", withWords ? "want words" : "want",
      [
        .init("type", "button"), .init("data-do", "want"), .init("data-mark", film.id), .init("data-title", film.title),
        .init("aria-pressed", "false"),
        .init("aria-label", withWords ? nil : words("want.label", ["title": film.title])),
        .init("title", words("want.off")),
      ]
    ) { html in
      icon("saved", to: &html)
      if withWords { html.element("span") { $0.text(words("want.off")) } }
    }
  }

  func icon(_ name: String, to html: inout HTMLWriter) {
    html.element("svg.i", .init("aria-hidden", "true")) { html in html.element("use", .init("href", "#i-\(name)")) }
  }

  /// A film and its times. What is no film has the title that the cinema prints, and no page.
  func film(_ group: FilmGroup, isFirst: Bool = false, to html: inout HTMLWriter) {
    guard let item = group.film.map(readable) else {
      let title = group.showtimes.first?.showtime.title ?? ""
      let look = FilmLook(id: "untold-\(title)", title: title, year: "")
      html.element("li.film", .init("data-key", look.id)) { html in
        poster(look, isLink: false, to: &html)
        html.element("div.film-main") { html in
          html.element("h3.film-title", .init("lang", foreign(title))) { $0.text(title) }
          chips(group.showtimes, to: &html)
        }
      }
      return
    }
    let look = FilmLook(item)
    html.element("li.film", .init("data-key", look.id), .init("id", look.id)) { html in
      poster(look, isFirst: isFirst, to: &html)
      html.element("div.film-main") { html in
        html.element("h3.film-title") { html in
          html.element("a", .init("href", "/films/\(look.id)"), .init("lang", foreign(look.title))) {
            $0.text(look.title)
          }
          others(item, "span", to: &html)
        }
        facts(item, director: true, subtitled: isSubtitled(group.showtimes), to: &html)
        chips(group.showtimes, to: &html)
      }
      want(look, to: &html)
    }
  }

  /// What else a film is called, small: in a list as the cinema prints it, or else originally.
  func others(_ item: FilmItem, _ tag: StaticString, isWhole: Bool = false, to html: inout HTMLWriter) {
    for title in item.otherTitles.prefix(isWhole ? .max : 1) {
      html.element(tag, "orig", [.init("lang", foreign(title))]) { $0.text(title) }
    }
  }

  func chips(_ shows: [ShowtimeItem], to html: inout HTMLWriter) {
    html.element("ul.chips") { html in for show in shows { chip(show, to: &html) } }
  }

  /// Films that can still be seen first, otherwise by start.
  func inOrder(_ films: [FilmGroup]) -> [FilmGroup] {
    let over = { (group: FilmGroup) in group.showtimes.allSatisfy { times.isPast($0) } }
    return films.filter { !over($0) } + films.filter(over)
  }
}

/// What a poster needs of a film.
nonisolated struct FilmLook {
  let id: String
  let title: String
  let year: String
  var poster: PosterItem?

  init(id: String, title: String, year: String) {
    self.id = id
    self.title = title
    self.year = year
  }

  init(_ item: FilmItem) {
    self.init(id: item.film.id.text, title: item.title, year: item.film.year.map { "\($0)" } ?? "")
    poster = PosterItem(of: item)
  }

  var seed: UInt32 { PosterColours.seed(of: id) }

  private static let wide: Set<Unicode.Scalar> = ["M", "W", "m", "w"]

  private static func width(_ letters: some Sequence<Unicode.Scalar>) -> Int {
    letters.reduce(0) { $0 + ($1.value >= 0x1100 || wide.contains($1) ? 2 : 1) }
  }

  /// By the room that the title takes: Hangul, kana, Han and the widest of the Latin letters are two units wide.
  var size: Int {
    let room = Self.width(title.unicodeScalars)
    // A word that is longer than its line would be broken.
    let word = title.unicodeScalars.split(separator: " ").map { Self.width($0) }.max() ?? 0
    return room <= 6 ? 1 : room <= 14 && word <= 8 ? 2 : room <= 30 && word <= 10 ? 3 : word <= 12 ? 4 : 5
  }
}

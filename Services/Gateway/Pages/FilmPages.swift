import Contracts

/// A film that somebody may like, and why.
nonisolated struct SuggestionFilm: Shaped, Equatable {
  var film: FilmItem
  var score: Double
  var reasons: [ReasonItem]

  init(
    _ suggested: SuggestedFilm, in language: Language?, isAboutUser: Bool, saved: [FilmID] = [], explains: Bool = false
  ) {
    film = FilmItem(suggested.film, in: language)
    score = suggested.score
    reasons = suggested.reasons.map { reason in
      var reason = reason
      if [.director, .cast].contains(reason.kind) {
        let name = reason.word.map { [$0] }
        reason.word = NamesInLetters(name, suggested.film.otherNames).told(name, in: language)?.first
      }
      var item = ReasonItem(reason, in: language, isAboutUser: isAboutUser)
      item.isSaved = reason.film.map { saved.contains($0.id) } ?? false
      if !explains { item.share = nil }
      return item
    }
  }

  static let shape = Shape<SuggestionFilm>(
    "SuggestedFilm", "A film that somebody may like, and why.",
    [
      .required("film", "") { $0.film },
      .required("score", "0 to 1; greater is better.") { $0.score },
      .required("reasons", "The strongest first.") { $0.reasons },
    ])
}

/// One thing that speaks for a film.
nonisolated struct ReasonItem: Shaped, Equatable {
  var kind: RecommendationKind
  var text: String
  var film: FilmItem?
  var word: String?
  var share: Double?
  var isSaved = false

  init(_ reason: RecommendationReason, in language: Language?, isAboutUser: Bool) {
    kind = reason.kind
    film = reason.film.map { FilmItem($0, in: language) }
    word = reason.word.map { word in
      reason.kind == .genre ? FilmGenre.named(word)?.name(in: language?.rawValue) ?? word : word
    }
    share = reason.share
    text = Self.sentence(reason.kind, word, film?.title, language)
  }

  /// What people read.
  private static func sentence(
    _ kind: RecommendationKind, _ word: String?, _ title: String?, _ language: Language?
  ) -> String {
    let (word, title) = (word ?? "", title ?? "")
    switch (kind, language) {
    case (.liked, .ko): return "‘\(title)’을(를) 좋아하는 사람들이 함께 봅니다"
    case (.liked, .ja): return "『\(title)』が好きな人が観ています"
    case (.liked, _): return "People who like \(title) like it too"
    case (.director, .ko): return "‘\(title)’의 감독 \(word)"
    case (.director, .ja): return "『\(title)』の監督 \(word)"
    case (.director, _): return "By \(word), who made \(title)"
    case (.cast, .ko): return "‘\(title)’에 나온 \(word)"
    case (.cast, .ja): return "『\(title)』に出演の\(word)"
    case (.cast, _): return "With \(word), as in \(title)"
    case (.genre, .ko): return "‘\(title)’처럼 \(word)"
    case (.genre, .ja): return "『\(title)』と同じ\(word)"
    case (.genre, _): return "\(word), like \(title)"
    case (.popular, .ko): return "많은 사람이 보고 싶어 합니다"
    case (.popular, .ja): return "多くの人が観たい映画です"
    case (.popular, _): return "Many want to see it"
    case (_, .ko): return "‘\(title)’와(과) 비슷합니다"
    case (_, .ja): return "『\(title)』に似ています"
    case (_, _): return "Like \(title)"
    }
  }

  static let kinds = ["liked", "director", "cast", "genre", "country", "years", "popular", "other"]

  static let shape = Shape<ReasonItem>(
    "Reason", "One thing that speaks for a film.",
    [
      .required("kind", "", as: .words(kinds)) { item in
        if case .unknown = item.kind { "other" } else { item.kind.rawValue }
      },
      .required("text", "For people.") { $0.text },
      .optional("film_id", "Which film led to it.") { $0.film?.film.id },
      .optional("title", "Its title.") { $0.film?.title },
      .optional("word", "What both have: a name, a genre, a country.") { $0.word },
      .mark("saved", "You saved that film; otherwise you looked at it.") { $0.isSaved },
      .optional("share", "With `explain`: its part of the score.") { $0.share },
    ])
}

/// A genre, and how many films are of it.
nonisolated struct GenreItem: Shaped, Equatable {
  var genre: GenreCount
  var name: String

  init(_ genre: GenreCount, in language: Language?) {
    self.genre = genre
    name = FilmGenre(rawValue: genre.id)?.name(in: language?.rawValue) ?? genre.id
  }

  static let shape = Shape<GenreItem>(
    "Genre", "A kind of film.",
    [
      .required("id", "For `genre=`.") { $0.genre.id },
      .required("name", "In the language asked for.") { $0.name },
      .required("films", "How many are known.") { $0.genre.films },
    ])
}

/// Who made a film, and who plays in it.
nonisolated struct CreditsPage: Shaped, Equatable {
  var directors: [String]
  var writers: [String]
  var cast: [String]
  var credit: String?

  init(_ known: KnownFilm, in language: Language?) {
    let item = FilmItem(known, in: language)
    directors = item.film.directors ?? []
    writers = item.entry?.writers ?? []
    cast = item.film.cast ?? []
    credit = item.entry?.credit
  }

  static let shape = Shape<CreditsPage>(
    "Credits", "Who made a film, and who plays in it.",
    [
      .required("directors", "") { $0.directors }, .required("writers", "") { $0.writers },
      .required("cast", "The first ones.") { $0.cast },
      .optional("attribution", "What the source wants said beside it.") { $0.credit },
    ])
}

/// Somebody's name and films.
nonisolated struct PersonItem: Shaped, Equatable {
  var person: Person
  var name: String

  init(_ person: Person, in language: Language?) {
    self.person = person
    let others = (person.otherNames ?? []).map { PersonName(person.name, other: $0) }
    name = NamesInLetters([person.name], others).told([person.name], in: language)?.first ?? person.name
  }

  static let shape = Shape<PersonItem>(
    "Person", "Somebody who makes films.",
    [
      .required("id", "A slug of the name.") { $0.person.id },
      .required("name", "In the language asked for.") { $0.name },
      .required("films", "How many of theirs are known.") { $0.person.films },
    ])
}

/// Somebody, and their films.
nonisolated struct PersonView: Shaped, Equatable {
  var person: PersonItem
  var directed: [FilmItem]
  var wrote: [FilmItem]
  var playedIn: [FilmItem]

  init(_ page: PersonPage, in language: Language?) {
    person = PersonItem(page.person, in: language)
    directed = page.directed.map { FilmItem($0, in: language) }
    wrote = page.wrote.map { FilmItem($0, in: language) }
    playedIn = page.playedIn.map { FilmItem($0, in: language) }
  }

  static let shape = Shape<PersonView>(
    "PersonPage", "Somebody, and the films that they made or play in, the newest first.",
    PersonItem.shape.members.map { $0.lifted { $0.person } } + [
      .required("directed", "") { $0.directed }, .required("wrote", "") { $0.wrote },
      .required("played_in", "") { $0.playedIn },
    ])
}

/// A poster made of a title: colour and type by the film, the same each time, so that no film looks forgotten.
nonisolated struct TypographicPoster {
  private let film: Film
  private let title: String
  private let width: Int

  init(_ film: Film, title: String, width: Int) {
    self.film = film
    self.title = title
    self.width = width
  }

  /// Drawn 200 wide, whatever it is shown at.
  var svg: [UInt8] {
    let colours = PosterColours(of: film.id.text)
    var html = HTMLWriter(capacity: 1_024)
    html.element(
      "svg", .init("xmlns", "http://www.w3.org/2000/svg"), .init("viewBox", "0 0 200 300"), .init("role", "img"),
      .init("width", "\(width)"), .init("height", "\(width * 3 / 2)"), .init("aria-label", title)
    ) { svg in
      svg.element("rect", .init("width", "200"), .init("height", "300"), .init("fill", colours.ground))
      svg.element(
        "rect", .init("y", "196"), .init("width", "200"), .init("height", "2"), .init("fill", colours.mark))
      for (index, line) in lines.enumerated() {
        text(line, y: 40 + index * 28, size: 22, fill: colours.ink, &svg)
      }
      text(
        [film.year.map(String.init), film.countries?.first].compactMap(\.self).joined(separator: " · "), y: 222,
        size: 13, fill: colours.ink, &svg)
      text(film.directors?.first ?? "", y: 244, size: 13, fill: colours.ink, &svg)
    }
    return html.bytes
  }

  private func text(_ line: String, y: Int, size: Int, fill: String, _ svg: inout HTMLWriter) {
    guard !line.isEmpty else { return }
    svg.element(
      "text", .init("x", "16"), .init("y", "\(y)"), .init("font-size", "\(size)"), .init("fill", fill),
      .init("font-family", "system-ui, sans-serif"), .init("font-weight", size > 20 ? "700" : "400")
    ) { $0.text(line) }
  }

  /// Letters of Korean and Japanese are twice as wide as Latin ones; no more than five lines fit.
  private var lines: [String] {
    let widthMax = 15
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in title.split(separator: " ") {
      for (index, character) in word.enumerated() {
        let wide = character.unicodeScalars.contains { $0.value >= 0x1100 } ? 2 : 1
        let needed = index == 0 && !line.isEmpty && wide == 1 ? word.count + 1 : wide
        if used + min(needed, widthMax) > widthMax, !line.isEmpty {
          lines.append(line)
          (line, used) = ("", 0)
        }
        if index == 0, !line.isEmpty { (line, used) = (line + " ", used + 1) }
        line.append(character)
        used += wide
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines.count > 5 ? Array(lines.prefix(4)) + [lines[4] + "…"] : lines
  }
}

import Calendars
import Clocks
import Contracts
package import JSON

/// Something that a search found.
nonisolated struct HitItem: Shaped, Equatable {
  var type: String
  var id: String
  /// The name that matched; the cinema's own, if something else of it did.
  var title: String
  var highlight: [HighlightRange]
  var score: Double
  var film: FilmItem?
  var cinema: CinemaName?
  var person: PersonItem?
  var festival: FestivalName?

  var isDemo: Bool { film?.film.isDemo == true || festival?.isDemo == true }

  static let types = ["film", "cinema", "person", "festival"]

  init(_ hit: FilmHit, language: Language?) {
    type = "film"
    id = hit.film.id.text
    title = hit.matched
    highlight = HighlightRange.all(of: hit.highlights, in: hit.matched)
    score = hit.score
    film = FilmItem(printed: hit.film, in: language)
  }

  /// A film or a person of the catalogue.
  init?(_ hit: CatalogueHit, language: Language?) {
    title = hit.matched
    highlight = HighlightRange.all(of: hit.highlights, in: hit.matched)
    score = hit.score
    if let entry = hit.film {
      (type, id, film) = ("film", entry.film.id.text, FilmItem(entry, in: language))
    } else if let somebody = hit.person {
      (type, id, person) = ("person", somebody.id.text, PersonItem(somebody, in: language))
    } else {
      return nil
    }
  }

  init(_ hit: CinemaHit, from origin: Coordinate?) {
    type = "cinema"
    id = hit.cinema.id.text
    // What matched may be its city: a list of cinemas says which they are.
    let isName = hit.matched == hit.cinema.name || hit.matched == hit.cinema.nameEnglish
    title = isName ? hit.matched : hit.cinema.name
    highlight = isName ? HighlightRange.all(of: hit.highlights, in: hit.matched) : []
    score = hit.score
    cinema = CinemaName(hit.cinema, metres: origin?.metres(to: hit.cinema.position))
  }

  init(_ hit: FestivalHit) {
    type = "festival"
    id = hit.festival.id.text
    title = hit.matched
    highlight = HighlightRange.all(of: hit.highlights, in: hit.matched)
    score = hit.score
    festival = hit.festival
  }

  static let shape = Shape<HitItem>(
    "Hit", "Something that was found.",
    [
      .required("type", "", as: .words(types)) { $0.type },
      .required("id", "") { $0.id },
      .required("title", "The name that matched, or that of what did.") { $0.title },
      .required("highlight", "Where in `title`.") { $0.highlight },
      .optional("film", "") { $0.film },
      .optional("cinema", "") { $0.cinema },
      .optional("person", "") { $0.person },
      .optional("festival", "") { $0.festival },
    ])
}

/// A part of a text, in code points.
nonisolated package struct HighlightRange: Presentable, Equatable {
  package var from: Int
  package var to: Int

  static var schema: Schema {
    .array(of: .integer(0...Int(Int32.max)), atMost: 2, atLeast: 2)
      .described("The first, and the last plus one, in code points.")
  }

  package func write(to json: inout JSONWriter) { json.array(of: [from, to]) }

  /// From pairs of UTF-8 offsets; what lies outside the text, or inside a character, is left out.
  package static func all(of offsets: [Int], in text: String) -> [HighlightRange] {
    stride(from: 0, to: offsets.count - 1, by: 2).compactMap { place in
      guard let from = codePoints(before: offsets[place], in: text),
        let to = codePoints(before: offsets[place + 1], in: text), from < to
      else { return nil }
      return HighlightRange(from: from, to: to)
    }
  }

  private static func codePoints(before offset: Int, in text: String) -> Int? {
    guard offset >= 0,
      let index = text.utf8.index(text.utf8.startIndex, offsetBy: offset, limitedBy: text.utf8.endIndex),
      let scalar = index.samePosition(in: text.unicodeScalars)
    else { return nil }
    return text.unicodeScalars.distance(from: text.unicodeScalars.startIndex, to: scalar)
  }
}

/// A word or two that somebody may be about to type.
nonisolated struct SuggestionItem: Shaped, Equatable {
  var hit: HitItem

  static let shape = Shape<SuggestionItem>(
    "Suggestion", "What somebody may mean.",
    [
      .required("text", "") { $0.hit.title },
      .required("type", "", as: .words(HitItem.types)) { $0.hit.type },
      .required("id", "") { $0.hit.id },
    ])
}

/// A row of the home screen.
nonisolated struct HomeRow: Shaped, Equatable {
  enum Kind: String, CaseIterable, Sendable {
    case nearYou = "near_you"
    case nowPlaying = "now_playing"
    case lastChance = "last_chance"
    case new = "new_this_week"
    case comingSoon = "coming_soon"
    case classics
  }

  /// A kind's name, or `genre:drama`.
  var id: String
  var title: String
  var reason: String
  var items: [FilmCard]
  /// Where all of it is.
  var more: String?

  static let shape = Shape<HomeRow>(
    "HomeRow", "A row of films, and why they are there.",
    [
      .required("id", "`now_playing`, `genre:drama`.", as: .string(pattern: "^[a-z_]+(:.+)?$")) { $0.id },
      .required("title", "") { $0.title },
      .required("reason", "Why these.") { $0.reason },
      .required("items", "") { $0.items },
      .optional("more", "Where all of it is.") { $0.more },
    ])
}

/// A film in a row.
nonisolated struct FilmCard: Shaped, Equatable {
  var film: FilmItem
  /// Nil if it does not play.
  var showing: ShowingItem?
  var showtimes: Int?
  var cinemas: Int?

  init(
    _ film: Film, _ showing: FilmShowing?, cinemas: [CinemaID: Cinema], origin: Coordinate?, view: Viewpoint
  ) {
    let item =
      showing.map { FilmItem(printed: film, for: view).printed(at: [$0.next]) } ?? FilmItem(film, in: view.language)
    self.film = item
    showtimes = showing?.showtimes
    self.cinemas = showing?.cinemas.count
    self.showing = showing.map { showing in
      let cinema = cinemas[showing.next.cinema]
      return ShowingItem(
        showtime: ShowtimeItem(showing.next, in: cinema.map { view.rules($0.zone) } ?? .utc),
        cinema: cinema.map { CinemaName($0, metres: origin?.metres(to: $0.position)) }, film: item)
    }
  }

  /// Of the catalogue; of one that plays, its programme tells first.
  init(
    _ entry: CatalogueFilm, _ showing: FilmShowing?, cinemas: [CinemaID: Cinema], origin: Coordinate?, view: Viewpoint
  ) {
    let film = showing?.film.completed(by: entry) ?? entry.film
    self.init(film.named(by: entry, in: view.language), showing, cinemas: cinemas, origin: origin, view: view)
    // Whose facts these are is told with the film, and not once more with its showing.
    self.film.entry = entry
  }

  static let shape = Shape<FilmCard>(
    "FilmCard", "A film, and when it plays next.",
    [
      .required("film", "") { $0.film },
      .optional("next_showtime", "Left out if it does not play.") { $0.showing },
      .optional("showtimes", "How many are to come.") { $0.showtimes },
      .optional("cinemas", "In how many cinemas.") { $0.cinemas },
    ])
}

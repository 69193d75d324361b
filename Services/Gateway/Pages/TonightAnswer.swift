import Calendars
import Contracts
import JSON

/// What can still be reached, and by what it can be narrowed.
nonisolated struct TonightAnswer: Presentable {
  /// By start.
  var items: [ShowingItem] = []
  /// Later ones are left out, or films that nobody looked at.
  var hasMore = false
  /// What the showings have that can be reached, whatever was asked for; the commonest first.
  var attributes: [AttributeItem] = []
  /// Where they are, whatever was asked for; the nearest first.
  var cinemas: [TonightPlace] = []
  /// What kinds of films they are, whatever was asked for; the commonest first.
  var genres: [GenreItem] = []
  /// Of the nearest cinema; nil where none is near.
  var zone: ZoneName?
  var soldOut = 0
  var hint: String?
  /// What a service that does not answer would have told.
  var missing: [String] = []
  var isDemo = false

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.array("data", of: items)
      json.field("has_more", hasMore)
      json.field("next_cursor", String?.none)
      json.field("hint", ifPresent: hint)
      if !missing.isEmpty { json.field("missing", missing) }
      json.array("attributes", of: attributes)
      json.array("cinemas", of: cinemas)
      json.array("genres", of: genres)
      json.field("time_zone", ifPresent: zone?.text)
      json.field("sold_out", soldOut)
      if isDemo { json.field("demo", true) }
    }
  }

  static var schema: Schema {
    .object(
      ListMembers.of(ShowingItem.schema) + ListMembers.extras + [
        (
          "attributes",
          Schema.array(of: AttributeItem.schema).described("Of all that can be reached: values of `attribute`."), true
        ),
        (
          "cinemas",
          Schema.array(of: TonightPlace.schema).described(
            "Of all that can be reached, and those that were asked for: values of `cinema`."), true
        ),
        (
          "genres",
          Schema.array(of: GenreItem.schema).described(
            "Of all that can be reached, and those that were asked for: values of `genre`, and how many of these films "
              + "are of each."), true
        ),
        ("time_zone", ZoneName.schema.described("Of the nearest cinema: what is today there."), false),
        ("sold_out", Schema.integer().described("How many of all that can be reached are sold out."), true),
      ], isOpen: true)
  }

  static func counted(_ items: [ShowingItem]) -> [AttributeItem] {
    var counts: [String: Int] = [:]
    for item in items { for name in Set(item.showtime.showtime.attributes) { counts[name, default: 0] += 1 } }
    return counts.map { AttributeItem(id: $0.key, count: $0.value) }.sorted { ($1.count, $0.id) < ($0.count, $1.id) }
  }

  /// The genres of these showings' films, each film counted once, and these besides.
  static func genres(of items: [ShowingItem], and others: Set<FilmGenre>, in language: Language?) -> [GenreItem] {
    var films = Dictionary(uniqueKeysWithValues: others.map { ($0, Set<FilmID>()) })
    for film in items.compactMap(\.film?.film) {
      for genre in film.kinds { films[genre, default: []].insert(film.id) }
    }
    return films.map { GenreItem(GenreCount(id: $0.key.rawValue, films: $0.value.count), in: language) }
      .sorted { ($1.genre.films, $0.genre.id) < ($0.genre.films, $1.genre.id) }
  }

  /// The cinemas of these showings and these besides; the nearest first, those whose way is not known at the end.
  static func places(of items: [ShowingItem], and others: [CinemaName]) -> [TonightPlace] {
    var places: [CinemaID: TonightPlace] = [:]
    for cinema in others { places[cinema.cinema.id] = TonightPlace(cinema: cinema) }
    for item in items {
      guard let cinema = item.cinema else { continue }
      places[cinema.cinema.id, default: TonightPlace(cinema: cinema)].count += 1
    }
    return places.values.sorted { one, other in
      (one.cinema.metres ?? .infinity, one.cinema.cinema.id.text) < (
        other.cinema.metres ?? .infinity, other.cinema.cinema.id.text
      )
    }
  }
}

/// A cinema, and how much of what was asked for plays there.
nonisolated struct TonightPlace: Shaped {
  var cinema: CinemaName
  var count = 0

  static let shape = Shape<TonightPlace>(
    "TonightPlace", "A cinema, and how much of what was asked for plays there.",
    [
      .required("id", "For `cinema`.") { $0.cinema.cinema.id },
      .required("name", "In the language of the place.") { $0.cinema.cinema.name },
      .optional("name_en", "In English.") { $0.cinema.cinema.nameEnglish },
      .optional("distance_m", "From the point that was asked about.") { $0.cinema.metres.map { Int($0.rounded()) } },
      .required("count", "How many showings.") { $0.count },
    ])
}

/// Something that stood beside titles or times.
nonisolated struct AttributeItem: Shaped, Equatable {
  var id: String
  var count: Int

  static let shape = Shape<AttributeItem>(
    "Attribute", "Something that stood beside titles or times.",
    [.required("id", "As showings have it.") { $0.id }, .required("count", "How many showings have it.") { $0.count }])
}

import Calendars
import Clocks
import Contracts
import JSON

/// What a cinema shows on a day.
nonisolated struct ProgrammeItem: Equatable {
  var cinema: CinemaID
  var date: CivilDate
  var status: String
  var nextOpen: CivilDate?
  var films: [FilmGroup]
  var freshness: FreshnessItem

  init(_ programme: DayProgramme, in name: ZoneName, _ view: Viewpoint) {
    let zone = view.rules(name)
    cinema = programme.cinema
    date = programme.date
    status = programme.status.word
    nextOpen = programme.nextOpen
    films = programme.films.map { FilmGroup($0, in: zone, view) }
    freshness = FreshnessItem(programme.source, in: zone)
  }

  mutating func mark(_ saved: Set<FilmID>) {
    for index in films.indices { films[index].isBookmarked = films[index].film.map { saved.contains($0.film.id) } }
  }
}

/// A film's showings on a day.
nonisolated struct FilmGroup: Shaped, Equatable {
  var film: FilmItem?
  /// Nil without a session.
  var isBookmarked: Bool?
  var showtimes: [ShowtimeItem]

  init(_ programme: FilmProgramme, in zone: TimeZoneRules, _ view: Viewpoint) {
    film = programme.film.map { FilmItem(printed: $0, for: view).printed(at: programme.showtimes) }
    showtimes = programme.showtimes.map { ShowtimeItem($0, in: zone) }
  }

  static let shape = Shape<FilmGroup>(
    "FilmGroup", "A film and its showings, by start.",
    [
      .nullable("film", "Null for what is no film: then `title` of the showing says what it is.") { $0.film },
      .optional("bookmarked", "Whether the session's user wants to see it; only with a session.") { $0.isBookmarked },
      .required("showtimes", "") { $0.showtimes },
    ])
}

/// Showings on one screen.
nonisolated struct ScreenGroup: Shaped, Equatable {
  var screen: String?
  var showtimes: [ShowtimeItem]

  static let shape = Shape<ScreenGroup>(
    "ScreenGroup", "A screen and its showings, by start.",
    [
      .nullable("screen", "Null where the cinema does not tell.") { $0.screen },
      .required("showtimes", "") { $0.showtimes },
    ])
}

/// A film as a list shows it, or a page of its own with `isFull`.
nonisolated struct FilmItem: Shaped, Equatable {
  var film: Film
  var title: String
  /// As cinemas print it, where that is another title.
  var printedTitle: String?
  var isFull = false
  /// What the catalogue knows besides.
  var entry: CatalogueFilm?
  private var language: Language?

  init(_ film: Film, in language: Language?, isFull: Bool = false) {
    self.film = film
    self.isFull = isFull
    self.language = language
    title = Self.title(of: film, in: language)
  }

  /// As a programme names it.
  init(printed film: Film, in language: Language?) {
    self.init(film, in: language)
    printedTitle = film.title == title ? nil : film.title
  }

  /// The same with its picture, of which a programme knows nothing.
  init(printed film: Film, for view: Viewpoint) {
    var film = film
    film.poster = view.posters[film.id] ?? film.poster
    self.init(printed: film, in: view.language)
  }

  /// Beside these showings: what only other cinemas call it is not told.
  func printed(at showings: [Showtime]) -> FilmItem {
    guard let name = printedTitle?.lowercased() else { return self }
    var item = self
    if !showings.contains(where: { $0.title.lowercased().contains(name) }) { item.printedTitle = nil }
    return item
  }

  init(_ entry: CatalogueFilm, in language: Language?) {
    let entry = entry.named(in: language)
    self.init(entry.film, in: language)
    self.entry = entry
  }

  init(_ known: KnownFilm, in language: Language?, isFull: Bool = false) {
    self.init(known.film.named(by: known.entry, in: language), in: language, isFull: isFull)
    entry = known.entry?.named(in: language)
    printedTitle = known.isPrinted && known.film.title != title ? known.film.title : nil
  }

  /// In the language asked for, where they are genres that we have names of.
  var genres: [String]? {
    guard let language else { return film.genres }
    return film.genres?.map { FilmGenre.named($0)?.name(in: language.rawValue) ?? $0 }
  }

  /// In the language asked for, if the film has a title in it; else as the cinema prints it, unless that is in a script
  /// which this reader may not read and there is a title in English.
  static func title(of film: Film, in language: Language?) -> String {
    guard let language else { return film.title }
    func title(in language: Language) -> String? {
      film.titles?.first { $0.language.prefix(2) == language.rawValue }?.text
    }
    if let title = title(in: language) { return title }
    let isReadable = [language, .en].contains(Language(ofText: film.title))
    return isReadable ? film.title : title(in: .en) ?? film.title
  }

  /// What else it is called, each once: as printed, then originally.
  var otherTitles: [String] {
    let others = [printedTitle, film.originalTitle].compactMap { $0 }.filter { !$0.isEmpty && $0 != title }
    return others.count == 2 && others[0] == others[1] ? [others[0]] : others
  }

  static let shape = Shape<FilmItem>(
    "Film", "A film. Credits and synopsis stand on its own page.",
    [
      .required("id", "For ever.") { $0.film.id },
      .required(
        "title", "In the language asked for, if there is one; else as printed, or in English if that is foreign."
      ) { $0.title },
      .optional("printed_title", "As the cinema prints it, if that is not `title`.") { $0.printedTitle },
      .optional("original_title", "In the language it was made in.") { $0.film.originalTitle },
      .optional("poster", "Left out where there is only the one that is made of the title.") { PosterItem(of: $0) },
      .optional("year", "When it came out.") { $0.film.year },
      .optional("runtime_min", "Minutes.") { $0.film.runtimeMinutes },
      .optional("age_rating", "From which age people may see it.") { $0.film.rating.map(AgeRatingItem.init) },
      .optional("countries", "ISO 3166, or as the source has it.") { $0.film.countries },
      .optional("genres", "In the language asked for.") { $0.genres },
      .optional("directors", "As people write them in the language asked for, where that is known.") {
        $0.film.directors
      },
      .optional("cast", "") { $0.isFull ? $0.film.cast : nil },
      .optional("synopsis", "") { $0.isFull ? $0.film.synopsis : nil },
      .optional("writers", "") { $0.isFull ? $0.entry?.writers : nil },
      .optional("released_on", "When it was first shown.") { $0.isFull ? $0.entry?.releasedOn : nil },
      .optional("score", "0 to 10, as people elsewhere rate it.") { $0.entry?.score },
      .optional("votes", "How many rated it.") { $0.isFull ? $0.entry?.votes : nil },
      .optional("budget_usd", "Whole US dollars.") { $0.isFull ? $0.entry?.budget : nil },
      .optional("revenue_usd", "Whole US dollars.") { $0.isFull ? $0.entry?.revenue : nil },
      .optional("attribution", "What the source wants said beside it.") { $0.entry?.credit },
      .optional("titles", "By language.") { page in
        page.isFull ? page.film.titles?.map { FilmTitleItem(title: $0) } : nil
      },
      .optional("videos", "Trailers and the like, the most telling first.") { page in
        page.isFull ? page.entry?.videos?.compactMap(FilmVideoItem.init) : nil
      },
      .optional("page_url", "Where the source tells more.") { $0.isFull ? $0.film.pageURL : nil },
      .optional("external_ids", "Its ids elsewhere: `tmdb:843`.") { $0.isFull ? $0.film.externalIDs : nil },
      .mark("demo", "Invented, to try the software with.") { $0.film.isDemo == true },
    ])
}

/// A film's picture, and how much room it takes.
nonisolated struct PosterItem: Shaped, Equatable {
  var url: String
  /// Pixels; posters are two units wide to three high.
  var width: Int
  var colours: PosterColours

  /// Twice as sharp as cards show it.
  static let widthUsual = 342
  /// The same, for a page of its own.
  static let widthFull = 500

  init?(of item: FilmItem) {
    guard let name = item.film.poster else { return nil }
    width = item.isFull ? Self.widthFull : Self.widthUsual
    url = "/v1/films/\(item.film.id)/poster?w=\(width)&v=\(name)"
    colours = PosterColours(of: item.film.id.text)
  }

  static let shape = Shape<PosterItem>(
    "Poster", "A film's picture.",
    [
      .required("url", "Here; another address when the picture is another.") { $0.url },
      .required("w", "Pixels, about.") { $0.width }, .required("h", "Pixels, about.") { $0.width * 3 / 2 },
      .required("color", "The film's own, for the picture's place while it comes.") { $0.colours.ground },
    ])
}

/// A film's title in one language.
nonisolated struct FilmTitleItem: Shaped, Equatable {
  var title: FilmTitle

  static let shape = Shape<FilmTitleItem>(
    "FilmTitle", "",
    [.required("language", "BCP 47.") { $0.title.language }, .required("text", "") { $0.title.text }])
}

/// A trailer, where others show it.
nonisolated struct FilmVideoItem: Shaped, Equatable {
  var video: FilmVideo
  var url: String

  init?(_ video: FilmVideo) {
    guard let url = video.url else { return nil }
    self.video = video
    self.url = url
  }

  static let shape = Shape<FilmVideoItem>(
    "FilmVideo", "A trailer, where others show it.",
    [
      .required("url", "") { $0.url }, .optional("name", "As it is called there.") { $0.video.name },
    ])
}

/// From which age a country lets people see a film.
nonisolated struct AgeRatingItem: Shaped, Equatable {
  var rating: AgeRating

  init(_ rating: AgeRating) { self.rating = rating }

  static let shape = Shape<AgeRatingItem>(
    "AgeRating", "",
    [
      .required("system", "`KMRB`, `BBFC`, `EIRIN`.") { $0.rating.system },
      .required("code", "`ALL`, `12`, `15`, `18`.") { $0.rating.code },
    ])
}

/// One showing.
nonisolated struct ShowtimeItem: Shaped, Equatable {
  var showtime: Showtime
  var startsAt: Timestamp
  var endsAt: Timestamp?

  init(_ showtime: Showtime, in zone: TimeZoneRules) {
    self.showtime = showtime
    startsAt = zone.timestamp(at: showtime.startsAt)
    endsAt = showtime.endsAt.map { zone.timestamp(at: $0) }
  }

  static let members: [Shape<ShowtimeItem>.Member] = [
    .required("id", "It stays when the showing is moved.") { $0.showtime.id },
    .required("cinema_id", "") { $0.showtime.cinema },
    .optional("film_id", "") { $0.showtime.film },
    .required("title", "As the cinema prints it.") { $0.showtime.title },
    .required("starts_at", "With the cinema's offset.") { $0.startsAt },
    .optional("ends_at", "Told by the cinema, or reckoned from the film's length.") { $0.endsAt },
    .required("service_date", "The cinema's day that it belongs to.") { $0.showtime.serviceDate },
    .required("display_time", "As printed; the evening goes on after 24:00.") { $0.showtime.displayTime },
    .optional("screen", "") { $0.showtime.screen },
    .optional("seats", "How full it is.") { $0.showtime.seats.map(SeatsItem.init) },
    .required("attributes", "`subtitled`, `gv`, `35mm`: what stood beside the title or the time.") {
      $0.showtime.attributes
    },
    .optional("booking_url", "Where to buy a ticket.") { $0.showtime.bookingURL },
    .required("state", "Whether it will happen.", as: .words(["scheduled", "cancelled"])) {
      $0.showtime.state == .cancelled ? "cancelled" : "scheduled"
    },
    .mark("inferred", "The day or the half of the day was inferred, not printed.") { $0.showtime.isInferred == true },
  ]

  static let shape = Shape<ShowtimeItem>("Showtime", "One showing.", members)
}

/// How full a showing is.
nonisolated struct SeatsItem: Shaped, Equatable {
  var seats: Seats

  init(_ seats: Seats) { self.seats = seats }

  static let shape = Shape<SeatsItem>(
    "Seats", "",
    [
      .required("state", "", as: .words(["available", "few", "sold-out", "unknown"])) { item in
        switch item.seats.state {
        case .available, .few, .soldOut: item.seats.state.rawValue
        case .unknown: "unknown"
        }
      },
      .optional("left", "Seats to be had.") { $0.seats.left },
      .optional("total", "") { $0.seats.total },
    ])
}

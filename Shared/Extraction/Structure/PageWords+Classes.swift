/// What a part of a page is, by its classes; a column, by its head.
extension PageWords {
  static let otherTimeClasses: Set<String> = [
    "posted", "published", "updated", "pubdate", "byline", "comment", "comments", "author", "opening", "openinghours",
    "hours", "copyright", "modified", "post", "entry", "news", "blog", "article", "cookie",
    "banner", "runtime", "duration", "length", "price", "review", "reviews", "tweet", "social", "doors",
    "tickets-on-sale",
  ]

  /// Hours that are called so are no cinema's.
  static let showClasses: Set<String> = [
    "showtime", "showtimes", "showing", "showings", "screening", "screenings", "session", "sessions", "seance",
    "seances", "performance", "performances", "horaire", "horaires", "funcion", "funciones", "spielzeit", "spielzeiten",
  ]

  /// Those of them that films are listed as, too.
  static let listedClasses: Set<String> = ["post", "entry", "article"]

  /// Beside a date they say that it is no screening's.
  static let otherDateClasses: Set<String> = [
    "release", "released", "updated", "posted", "published", "year", "copyright", "premiere", "modified", "born",
    "birth", "opening", "review", "comment",
  ]

  /// The words of a class, without those that say whose it is where another says what: `director-name` is no name of a film,
  /// `kino-poster` no house, `cinema__genre` of a cinema's part its genre.
  static func words(ofClass name: Substring) -> [String] {
    let name = String(name)
    let words = RecordKey.words(of: name)
    guard words.count > 1 else { return words }
    let part = name.firstPlace(of: "__").map { RecordKey.words(of: String(name[$0.upperBound...])) }
    let element = part ?? words
    if element.contains(where: otherNames.contains) {
      return words.filter { !title.contains($0) && !film.contains($0) && !venue.contains($0) && !screen.contains($0) }
    }
    // `cinema__movie-duration` is in a part that is called after a house, and `cinema__name` its name.
    let isOfBlock = part.map {
      !$0.isEmpty && $0.allSatisfy { !venue.contains($0) && !screen.contains($0) && !naming.contains($0) }
    }
    if isOfBlock == true || element.contains(where: ofPlaces.contains) {
      return words.filter { !venue.contains($0) && !screen.contains($0) }
    }
    return words
  }

  /// Beside "name" and "title" they say that it is another's than the film's.
  private static let otherNames: Set<String> = [
    "director", "directors", "regie", "regia", "realisateur", "regisseur", "autor", "autora", "auteur", "cast", "actor",
    "actors", "genre", "genres",
    "category", "categories", "categorie", "kategorie", "series", "serie", "strand", "cycle", "zyklus", "reihe",
    "rating", "ratings", "score", "scores", "votes", "stars", "press", "presse",
    "original", "orig", "secondary", "author", "country", "distributor",
    "subheader", "subheading", "subline", "untertitel", "overline", "eyebrow", "kicker", "topline", "tagline",
  ]
  private static let naming: Set<String> = [
    "name", "title", "link", "label", "address", "text", "heading", "headline", "value", "item",
  ]
  /// Beside a word for a house or a room: something of it.
  private static let ofPlaces: Set<String> = [
    "poster", "image", "img", "photo", "thumb", "thumbnail", "picture", "logo", "icon", "note", "notes", "hinweis",
    "format",
    "formats", "price", "prices", "type", "types", "version", "language", "rating", "free", "available", "seats",
  ]

  static let title: Set<String> = [
    "title", "titel", "titre", "titulo", "titolo", "titl", "name", "headline", "heading", "tit", "subject", "summary",
    "tytul",
    "nazev", "titulek", "rubrik", "titolofilm", "ttl",
  ]
  /// Of who is let in, and of other numbers beside a film.
  static let certificateClasses: Set<String> = [
    "cert", "certificate", "rating", "age", "fsk", "grade", "classification", "pegi", "kijkwijzer",
    "screen", "seats",
    "seat", "price", "run", "runtime", "duration", "year",
  ]
  /// Of what is said beside a showing.
  static let remarkClasses: Set<String> = [
    "note", "notes", "remark", "remarks", "hint", "hinweis", "bemerkung", "anmerkung", "opmerking", "nota", "remarque",
  ]
  /// Of who is let in, alone.
  static let ageClasses: Set<String> = ["age", "ages", "fsk", "alter", "altersfreigabe", "freigabe", "rating", "cert"]
  static let film: Set<String> = [
    "film", "movie", "event", "show", "work", "programme", "pelicula", "mov", "feature",
  ]
  static let venue: Set<String> = [
    "venue", "cinema", "theatre", "theater", "location", "kino", "place", "where",
    "locatie", "luogo", "lugar", "loc",
    "lieu", "ort", "sede", "complejo",
  ]
  /// Of a part that has what one venue shows.
  static let venueParts: Set<String> = [
    "venue", "cinema", "theatre", "theater", "kino", "location", "bioscoop", "bioskop", "cine", "lieu", "luogo",
    "spielort",
    "sede", "complejo",
  ]
  /// "theaterName", "cinema_title": the name of a house, by a class.
  static func namesHouse(_ words: [String]) -> Bool {
    zip(words, words.dropFirst()).contains { venueParts.contains($0) && ($1 == "name" || $1 == "title") }
  }

  /// Where a place is: its name, where the text has no number of a house.
  static let address: Set<String> = ["address", "addr", "adresse", "direccion", "indirizzo", "adres"]
  static let screen: Set<String> = [
    "screen", "room", "hall", "auditorium", "salle", "saal", "sala", "zaal", "theater", "scr",
  ]
  /// Of parts beside a title that are none.
  static let beside: Set<String> = otherNames.union([
    "director", "cast", "genre", "synopsis", "desc", "description", "info", "meta", "rating", "duration", "runtime",
    "lang", "language", "country", "year", "price", "screen", "room", "hall", "venue", "cinema",
    "location", "note", "notes", "tag", "tags", "label", "badge", "btn", "button", "date", "day", "time", "format",
    "version", "category", "subtitle", "sub", "original", "intro", "teaser", "text", "copy", "status", "seats",
    "seat", "crew", "credits", "cert", "age", "series", "strand", "attr", "attribute", "breadcrumb", "excerpt", "body",
    "review", "caption", "credit", "weekday", "dow", "month", "remark", "extra", "filter", "filters", "classfilter",
    "logo",
  ])
  /// Those of them that say of what they hold no more than that it is text.
  static let besideText: Set<String> = [
    "info", "meta", "desc", "description", "text", "copy", "body", "intro", "extra",
  ]
  /// Of what sorts things: "categoria-sala-berlanga" is no room.
  static let sorting: Set<String> = ["category", "categoria", "categorie", "kategorie", "taxonomy", "term"]

  /// Heads of columns. Folded.
  private static let venueHeads: Set<String> = Set(
    [
      "venue", "cinema", "theatre", "theater", "location", "where", "lieu", "cinéma", "ort", "spielort", "spielstätte",
      "kino", "lugar", "cine", "sede", "luogo", "locatie", "bioscoop", "biograf", "mozi", "elokuvateatteri", "sinema",
      "кинотеатр", "кінотеатр", "κινηματογράφος", "극장", "장소", "영화관", "劇場", "会場", "場所", "מקום",
      "קולנוע",
    ].map(\.foldedKey))
  private static let screenHeads: Set<String> = Set(
    [
      "screen", "room", "auditorium", "hall", "salle", "saal", "sala", "zaal", "sál", "sála", "terem", "salong", "sal",
      "sali", "salon", "dvorana", "зал", "зала", "αίθουσα", "관", "상영관", "スクリーン", "シアター", "אולם", "影廳", "影厅",
    ].map(\.foldedKey))

  private static let filmHeads: Set<String> = Set(
    [
      "film", "films", "movie", "title", "titel", "titre", "título", "titolo", "película", "filme", "tytuł", "název",
      "titul", "názov", "cím", "tittel", "nimi", "elokuva", "film adı", "titlu", "naslov", "название", "фильм", "назва",
      "фільм", "τίτλος", "ταινία", "영화", "영화명", "제목", "작품", "作品", "作品名", "タイトル", "片名", "影片", "סרט",
    ].map(\.foldedKey))

  private static let doorsHeads: Set<String> = Set(
    ["doors", "doors open", "doors opens", "door time", "einlass", "ouverture des portes", "開場"].map(\.foldedKey))
  private static let startHeads: Set<String> = Set(
    [
      "start", "starts", "start time", "starting time", "film start", "show start", "showtime", "beginn", "début",
      "inicio", "inizio", "aanvang", "開演",
    ].map(\.foldedKey))
  private static let endHeads: Set<String> = Set(
    ["end", "ends", "end time", "finish", "finishes", "finish time", "ende", "fin", "fine", "einde", "終演"]
      .map(\.foldedKey))

  /// What a column holds, by its head.
  static func column(_ head: String) -> TableGrid.Column? {
    let folded = head.foldedKey
    if doorsHeads.contains(folded) { return .doors }
    if startHeads.contains(folded) { return .start }
    if endHeads.contains(folded) { return .end }
    if filmHeads.contains(folded) { return .film }
    return venueHeads.contains(folded) ? .venue : screenHeads.contains(folded) ? .screen : nil
  }

  /// Of a part in which showings stand to be chosen.
  static let booking: Set<String> = [
    "booking", "book", "tickets", "instances", "instance", "performances", "performance", "showtimes", "showtime",
    "showings", "showing", "screenings", "screening", "sessions", "session", "seances", "termine", "vorstellungen",
    "pases", "sesiones", "funciones", "spettacoli", "orari", "horaires", "spielzeiten", "voorstellingen", "schedule",
  ]

  /// Of what orders a list, or leaves out some of it.
  static let choosing: Set<String> = ["filter", "filters", "filtering", "sort", "sorting", "sortby", "orderby"]

  /// Of something to be pressed: it says what happens then.
  static let action: Set<String> = ["link", "btn", "button", "cta", "more", "directions", "map", "maps"]

  /// Of a box that stands beside a programme, and is none of it.
  static let besideProgramme: Set<String> = [
    "cookie", "cookies", "consent", "gdpr", "newsletter", "news", "promo", "promotion", "voucher", "vouchers",
    "gutschein", "gutscheine", "sidebar", "advert", "notice", "announcement", "alert",
  ]

  static let soldOut: Set<String> = [
    "soldout", "full", "ausverkauft", "complet", "agotado", "esaurito", "uitverkocht",
  ]
  static let cancelled: Set<String> = [
    "cancelled", "canceled", "cancelada", "cancelado", "annule", "annulee", "abgesagt", "geannuleerd", "annullato",
    "installd", "aflyst", "avlyst", "peruttu", "odwolane", "zruseno", "odpovedano", "otkazano",
  ]
  static let active: Set<String> = ["active", "selected", "current", "on"]
  /// What a day in a list may be called that is not the chosen one.
  static let unmarked: Set<String> = [
    "first", "last", "disabled", "inactive", "off", "empty", "sunday", "weekend", "holiday", "event", "premiere",
    "special", "hidden", "past", "closed", "new", "saturday", "sat", "sun", "disable", "unavailable", "soldout", "sold",
    "no", "none", "lead", "featured", "top",
  ]
}

/// The names of a document's fields, each understood once.
final class RecordKeys {
  private var known: [String: RecordKey] = [:]
  /// A map of records has as many names as records: those are not kept for ever.
  private static let knownMax = 20_000
  /// Of the document and its place: "MovieNameKR" is a name there.
  private let languages: [String]

  init(languages: [String] = []) { self.languages = languages }

  subscript(_ name: String) -> RecordKey {
    if let key = known[name] { return key }
    let key = RecordKey(name, languages: languages)
    // What has digits may be a record's own name, of which there is no end.
    if known.count < Self.knownMax / (name.utf8.contains(where: isDigitByte) ? 2 : 1) { known[name] = key }
    return key
  }
}

/// What the name of a field says about its value, in the languages that programmers name fields in.
struct RecordKey {
  enum Role: Hashable {
    /// When it starts; the smaller the rank, the surer.
    case start(rank: Int)
    case end
    case title(rank: Int)
    case film, venue, screen
    case url, id
    case soldOut, seatsLeft, seatsAll
    case notes
    case minutes
    case zone
    case cancelled
    /// Open, sold out, cancelled: the value says which.
    case status
  }

  let words: [String]
  /// Of a plain value.
  let role: Role?
  /// Of an object, an array, or the id of one: what it is about.
  let thing: Thing?
  /// `filmId`: names another record.
  let isReference: Bool

  /// A name between a list and its records, or of one record in a map: what is said of the list is said of them.
  var isWrapper: Bool {
    words.isEmpty || words.allSatisfy { Self.wrappers.contains($0) || $0.utf8.contains(where: isDigitByte) }
  }

  private static let wrappers: Set<String> = [
    "data", "items", "item", "list", "results", "result", "nodes", "node", "edges", "entries", "rows", "values",
    "content", "records", "all", "hits", "docs", "collection", "body",
  ]

  enum Thing: Hashable {
    case film, venue, screen, shows, attributes
    /// Who shows it: a house, where a list of such says where each lies.
    case organizer
    /// Something that has times of its own, none of them a screening's.
    case unrelated
  }

  /// `filmId`, `FilmNameID`: it says of one film which it is, and nothing more.
  var isOfOne: Bool { words.count == 2 || words.count == 3 && words[1] == "name" }

  init(_ name: String, languages: [String] = []) {
    var words = RecordKey.words(of: name).flatMap(RecordKey.atSeam)
    // Drupal's "field_date", Spektrix's "attribute_Venue".
    if words.count > 1, words[0] == "field" || name.hasPrefix("attribute_") { words.removeFirst() }
    self.words = words
    let set = Set(words)
    isReference =
      words.count > 1
      && ["id", "ids", "ref", "code", "cd", "key", "uuid", "guid", "no", "slug"].contains(words.last ?? "")
    // "FilmNameID" is of a film.
    thing = RecordKey.thing(isReference && words.count == 3 && words[1] == "name" ? [words[0]] : words, set)
    role = RecordKey.role(words, set, isReference: isReference, languages: languages)
  }

  // MARK: Words

  /// "filmfakten" is facts of a film: the word for it may stand before another without a seam.
  private static func atSeam(_ word: String) -> [String] {
    guard !filmWords.contains(word), let film = ["film", "movie"].first(where: { word.hasPrefix($0) }),
      case let rest = String(word.dropFirst(film.utf8.count)), rest.utf8.count >= 2,
      rest.utf8.allSatisfy({ $0 >= 0x61 })
    else { return [word] }
    return [film, rest]
  }

  static let filmWords: Set<String> = [
    "film", "films", "movie", "movies", "mov", "feature", "features", "work", "pelicula", "peliculas", "filme",
    "elokuva", "elokuvat", "filmy", "filmer", "filmi", "filmovi",
    "production", "productions", "presented", "presentation", "presentations",
  ]
  static let eventWords: Set<String> = [
    "event", "events", "show", "shows", "talk", "talks", "programme", "program", "item", "content", "spectacle",
    "evento",
    "eventos", "veranstaltung", "evenement", "subject", "session",
  ]
  private static let venueWords: Set<String> = [
    "cinema", "cinemas", "venue", "venues", "site", "sites", "theatre", "theatres", "theater", "theaters", "location",
    "locations", "place", "places", "kino", "kinos", "bioscoop", "cine", "cines", "lieu", "ort", "organization",
    "spielstaette", "complex", "complexes", "standort", "where", "espacio", "recinto", "sede", "spielort", "branch",
    "brch", "facility", "facilities", "building", "arena", "arenas", "institution", "lokal",
    "kinodvorana", "劇場", "映画館",
  ]
  private static let screenWords: Set<String> = [
    "screen", "screens", "auditorium", "auditoriums", "auditoria", "room", "rooms", "hall", "halls", "sala", "salas",
    "saal", "salle", "salles", "zaal", "audi", "stage", "scrn", "scns", "sn",
    "dvorana", "dvorane", "スクリーン",
  ]
  private static let showWords: Set<String> = [
    "perform", "showing", "showings", "screening", "screenings", "performance", "performances", "perf", "perfs",
    "session",
    "sessions", "seance", "seances", "showtime", "showtimes", "shows", "showseq", "showseqlist", "vorstellung",
    "vorstellungen", "funcion", "funciones", "proiezione", "proiezioni", "spettacolo", "spettacoli", "projection",
    "projections", "voorstelling", "voorstellingen", "event", "events", "times", "play", "plays", "schedule",
    "schedules",
    "occurrence", "occurrences", "programme", "program", "timetable", "agenda", "horarios", "orari", "horaires",
    "spielplan",
    "spielzeiten", "pases", "pase", "show", "playdate", "instance", "instances", "termin", "termine", "sesion",
    "sesiones", "seans", "seanse", "repertuar", "sessao", "sessoes", "predstaveni", "forestilling", "forestillinger",
    "visning", "visninger", "visningar", "veranstaltung", "veranstaltungen", "sess", "timing", "timings",
    "predstava", "predstave", "spored", "sporedi", "raspored", "projekcija", "projekcije", "naytos", "naytokset",
    "näytös", "näytökset", "esitys", "esitykset", "上映", "上映回",
  ]
  private static let startWords: Set<String> = [
    "start", "starts", "starting", "begin", "begins", "beginning", "dtstart", "inicio", "debut", "beginn", "anfang",
    "inizio", "aanvang", "commence", "from", "scnsrt", "開始時間", "開始時刻", "開始", "alkaa", "alku", "zacetek", "pocetak",
  ]
  private static let timeWords: Set<String> = [
    "time", "times", "hour", "hours", "hora", "horas", "heure", "uhrzeit", "ora", "tijd", "zeit", "horaire", "clock",
    "tm",
    "hhmm", "hm", "orario", "horario", "hr", "godzina", "godz", "cas", "tid", "klokkeslett",
    "ura", "klo", "kellonaika", "vrijeme",
  ]
  private static let dateWords: Set<String> = [
    "date", "day", "dt", "datum", "dato", "fecha", "jour", "tag", "data", "giorno", "dag", "ymd", "sdt", "dates", "dia",
    "datetime",
    "timestamp", "when", "local", "utc", "iso", "unix", "epoch", "gmt", "ts",
    "pvm", "päivä", "paiva", "päivämäärä", "paivamaara", "上映日", "日付",
  ]
  /// Beside a word of time they say that it is another time than the start of a screening.
  private static let otherTimes: Set<String> = [
    "created", "create", "updated", "update", "modified", "changed", "published", "publish", "release", "released",
    "releases", "sale", "sales", "onsale", "selling", "sell", "expiry", "expires", "expire", "valid", "first", "last",
    "premiere",
    "opening",
    "opens", "open", "register", "registration", "deadline", "birth", "birthday", "cutoff", "added", "upload",
    "uploaded",
    "indexed", "index", "duration", "running", "runtime", "length", "count", "zone", "offset", "advance", "trailer",
    "announce", "capture", "sync", "cache", "server", "now", "current", "posted", "post", "publication", "next", "prev",
    "previous", "max", "min", "booking", "bookings", "close", "closes", "closing", "embargo", "archived", "deleted",
    "seen",
    "refresh", "build", "generated", "member", "members", "presale", "reservation", "checkout", "filter", "selected",
    "today", "tz", "timezone", "format", "label", "slot", "interval", "stop", "day_start", "change", "dvd", "vod",
    "available", "availability", "visible", "submission", "submissions", "submit", "cfp", "proposal", "vote", "lottery",
    "display", "hold", "entry", "version", "ago", "order", "revision", "revised", "edit", "edited", "cut", "login",
  ]
  private static let endWords: Set<String> = [
    "end", "ends", "ending", "finish", "finishes", "until", "fin", "ende", "fine", "einde", "dtend", "to", "till",
    "scnend",
  ]
  private static let titleWords: Set<String> = [
    "title", "titles", "titel", "titre", "titulo", "titolo", "headline", "summary", "titulus", "tytul", "tytuł",
    "nazev",
    "naslov", "naziv", "作品名", "映画名", "タイトル",
  ]
  private static let nameWords: Set<String> = [
    "name", "names", "nm", "nombre", "nom", "naam", "nome", "caption", "nazwa", "nimi",
  ]
  /// Beside "title" or "name" they say that it is another's.
  private static let otherNames: Set<String> = [
    "grade", "certificate", "age", "original", "orig", "org", "sub", "super", "short", "alt", "seo", "meta", "og",
    "page", "site", "user", "first",
    "last",
    "given",
    "family", "director", "directors", "person", "persons", "people", "speaker", "artist", "category", "type", "genre",
    "series", "eng", "en", "english", "cast", "file", "image", "alternative", "alternate", "sort", "track", "language",
    "lang",
    "country", "brand", "rating", "class", "classification", "status", "company", "distributor", "section", "price",
    "ticket",
    "attribute", "format", "nat", "foreign", "collection", "festival", "author", "organizer", "organiser", "sponsor",
    "template", "host", "domain", "app", "locale", "display", "field", "tag", "area", "slug", "button", "cta", "link",
    "menu",
    "step", "tab", "group", "poster", "month", "day", "week", "weekday", "zone", "timezone", "city", "region",
    "partner", "experience", "experiences", "division",
  ]

  private static func thing(_ words: [String], _ set: Set<String>) -> Thing? {
    // "presaleSchedule", "saleDates": when tickets can be bought.
    if !set.isDisjoint(with: ["presale", "presales", "onsale", "onsales"])
      || set.contains("sale") && !set.isDisjoint(with: dateWords.union(["schedule", "window", "windows", "periods"]))
    {
      return .unrelated
    }
    // "update_times": when each field of a record was written last.
    if !set.isDisjoint(with: ["update", "updated", "updates", "modified", "created", "changed"]),
      !set.isDisjoint(with: ["time", "times", "date", "dates", "stamps", "timestamps"])
    {
      return .unrelated
    }
    // What the last word says counts: "filmScreenings" are screenings, "showFilm" is a film.
    for word in words.reversed()
    where ![
      "id", "ids", "ref", "code", "cd", "key", "uuid", "guid", "no", "slug", "info", "data", "list", "details",
      "detail", "names", "models", "fakten", "daten",
    ].contains(word) {
      if screenWords.contains(word) { return .screen }
      if venueWords.contains(word) { return .venue }
      if filmWords.contains(word) { return .film }
      if showWords.contains(word) { return .shows }
      if [
        "attribute", "attributes", "tag", "tags", "badge", "badges", "flags", "formats", "notes", "labels",
        "experience", "experiences",
      ].contains(word) {
        return .attributes
      }
      if unrelatedWords.contains(word) { return .unrelated }
      if organizerWords.contains(word) { return .organizer }
      break
    }
    return nil
  }

  private static let organizerWords: Set<String> = [
    "organizer", "organizers", "organiser", "organisers", "arrangør", "arrangor", "veranstalter", "organisateur",
    "organizador", "organizadores", "organizzatore",
  ]
  private static let unrelatedWords: Set<String> = [
    "news", "post", "posts", "article", "articles", "blog", "blogs", "comment", "comments", "review", "reviews", "job",
    "jobs", "vacancy", "vacancies", "log", "logs", "history", "orders", "transactions", "cookie", "cookies", "consent",
    "sales", "sale", "presale", "presales", "onsales", "notification", "notifications", "versions", "deploy",
    "promotions", "promos", "offers", "offer", "hours",
    "openinghours", "trailers", "videos", "media", "images", "products", "tickets", "prices", "users", "members",
    "podcasts", "press", "faq", "faqs", "menus", "banners", "alerts", "analytics", "experiments", "editions",
    "recurrence", "recurrences",
  ]

  private static let shownWords: Set<String> = ["calculated", "localized", "localised"]

  private static func role(
    _ words: [String], _ set: Set<String>, isReference: Bool, languages: [String]
  ) -> Role? {
    if isReference { return words == ["event", "id"] || words == ["session", "id"] ? .id : nil }
    if words.isEmpty { return nil }
    let hasTitle = !set.isDisjoint(with: titleWords)
    let hasName = !set.isDisjoint(with: nameWords)
    if set.contains("timezone") || set.contains("tz") || words.suffix(2) == ["time", "zone"]
      || set.isSuperset(of: ["time", "zone"])
    {
      return .zone
    }
    if hasTitle || hasName {
      if !set.isDisjoint(with: otherNames) { return nil }
      if !set.isDisjoint(with: screenWords) { return .screen }
      if !set.isDisjoint(with: venueWords) { return .venue }
      let isOfShow = !set.isDisjoint(with: filmWords) || !set.isDisjoint(with: eventWords)
      // A word that is none of ours says that it is a title of some special kind.
      // A headline or a summary is written about what has a title.
      if !hasName, set.intersection(titleWords).isSubset(of: ["headline", "summary"]), words != ["summary"] {
        return .title(rank: 2)
      }
      // `titleCalculated` is what the house shows, beside the distributor's `title`.
      if hasTitle, !set.isDisjoint(with: shownWords), set.subtracting(shownWords).isSubset(of: titleWords) {
        return .title(rank: 0)
      }
      let plain = titleWords.union(nameWords).union(filmWords).union(eventWords)
      if set.isSubset(of: plain) { return .title(rank: isOfShow ? 0 : hasTitle ? 1 : 2) }
      // "MovieNameKR" in Korea, behind what says no language.
      let isSpoken = words.last.map(languages.contains) ?? false
      return .title(rank: isSpoken && Set(words.dropLast()).isSubset(of: plain) ? (isOfShow ? 1 : 2) : 4)
    }
    if let when = whenRole(words, set) { return when }
    if words.count == 2,
      screenWords.contains(words[1]) && venueWords.contains(words[0])
        || screenWords.contains(words[0]) && ["number", "num", "nr"].contains(words[1])
    {
      return .screen
    }
    if words.count == 1 || (words.count == 2 && ["value", "text", "full", "label"].contains(words[1])) {
      if filmWords.contains(words[0]) { return .film }
      if words[0] == "event" || words[0] == "show" { return .film }
      if venueWords.contains(words[0]) { return .venue }
      if screenWords.contains(words[0]) { return .screen }
    }
    if set.isSuperset(of: ["sold", "out"]) || set.contains("soldout") { return .soldOut }
    if !set.isDisjoint(with: ["seat", "seats", "tickets", "places", "capacity"]) {
      if !set.isDisjoint(with: ["remain", "remaining", "left", "available", "free", "rest"]) { return .seatsLeft }
      if !set.isDisjoint(with: ["total", "all", "capacity"]) { return .seatsAll }
    }
    if !set.isDisjoint(with: ["cancelled", "canceled"]) { return .cancelled }
    if words.last == "status" || words.last == "state" || words == ["availability"] { return .status }
    if words == ["id"] || words == ["uuid"] || words == ["guid"] || words == ["uid"] || words == ["key"]
      || words == ["show", "seq"]
    {
      return .id
    }
    if !set.isDisjoint(with: ["url", "link", "href", "permalink", "uri"]) {
      return set.isDisjoint(with: [
        "image", "poster", "trailer", "thumbnail", "img", "video", "still", "logo", "icon", "photo", "banner", "map",
        "maps", "cover", "avatar", "graphic", "graphics", "bild", "foto", "imagen", "affiche", "backdrop", "background",
        "picture", "pic", "calendar", "ics",
      ]) ? .url : nil
    }
    if !set.isDisjoint(with: ["duration", "runtime", "minutes"]) || set.isSuperset(of: ["running", "time"]) {
      return .minutes
    }
    if !set.isDisjoint(with: [
      "note", "notes", "format", "attributes", "tags", "version", "flags", "experience", "badge", "badges", "subtitle",
      "subtitles",
    ]) {
      return .notes
    }
    return nil
  }

  /// A start or a day, not only called after what starts: `events`, `show`.
  var isOfStart: Bool { if case .start(let rank) = role { rank < Self.startRankMax } else { false } }

  /// From there on a field is only called after what starts.
  static let startRankMax = 6

  /// Of "providerTime" its "provider"; nil of what is said to be another time than a start.
  var beforeTime: [String]? { before("time") }

  /// Of "providerDate" its "provider".
  var beforeDate: [String]? { before("date") }

  /// When something else happens than a screening: "createdAt", "saleStart".
  var isOfOtherTime: Bool { isOfTickets || !Self.otherWhens.isDisjoint(with: words) }

  /// `"released": {"timestamp": …}`, `"premiere": {"date": …}`: of which moment one tells what it holds.
  var isOfOtherMoment: Bool {
    words.contains(where: Self.otherMoments.contains)
      && words.allSatisfy { Self.otherMoments.contains($0) || Self.besideMoments.contains($0) }
  }

  private static let otherMoments: Set<String> = [
    "created", "create", "creation", "updated", "update", "modified", "changed", "change", "published", "publish",
    "publication", "release", "released", "premiere", "premiered", "sync", "synced", "synchronized", "indexed",
    "available", "availability", "expires", "expiry", "valid", "validity", "sale", "sales", "onsale", "presale",
    "deadline", "uploaded", "posted", "archived", "deleted", "refreshed", "generated", "revised", "edited", "cached",
  ]
  private static let besideMoments: Set<String> = ["last", "is", "at", "on", "date", "time", "from", "info"]

  private func before(_ last: String) -> [String]? {
    guard role == nil, words.count > 1, words.last == last, case let before = Array(words.dropLast()),
      // A day and a clock that are displayed are a showing's.
      before == ["display"] || Self.otherWhens.isDisjoint(with: before)
    else { return nil }
    return before
  }

  private static let otherWhens = otherTimes.union(endWords).union(doorWords).union(unrelatedWords).union([
    "arrival", "delivery", "pickup", "collection", "check", "checkin", "meeting", "transaction", "payment", "print",
    "expiration", "unpublish", "broadcast", "air", "streaming", "stream", "cancellation", "refund", "purchase",
    "shipping", "departure", "reg", "system", "sys", "process", "request", "issue",
  ])

  private static let doorWords: Set<String> = ["door", "doors", "admission", "einlass"]

  /// `firstInstanceDateTime`, `lastInstanceDateTime`: of all that there are, those are told.
  var isFirstInstance: Bool { isInstance(["first", "start"]) }
  var isLastInstance: Bool { isInstance(["last", "end"]) }

  private func isInstance(_ which: Set<String>) -> Bool {
    words.count >= 3 && which.contains(words[0])
      && ["instance", "performance", "showing", "screening"].contains(words[1])
      && !RecordKey.dateWords.union(RecordKey.timeWords).isDisjoint(with: words.dropFirst(2))
  }

  /// A clock of a thousandth of a second, and no clock of four digits.
  var isOfMilliseconds: Bool { !Set(words).isDisjoint(with: ["ms", "millis", "milliseconds"]) }

  /// `isDraft`, `deleted`: it is there, and not to be shown.
  var isWithdrawal: Bool { ["draft", "deleted", "hidden", "unpublished", "trashed"].contains(said) }
  /// `private`, `isPrivateHire`: the house is let, and nobody else is let in.
  var isOfHire: Bool {
    ["private", "private hire", "private event", "private screening", "private show"].contains(said)
  }
  /// `published`, where it says no.
  var isPublication: Bool { said == "published" }
  /// `dateTBD`, `scheduleTbd`: the time that stands there is none.
  var isYetToBeTold: Bool {
    words.last.map { ["tbd", "tba", "tbc"].contains($0) } ?? false
      && words.dropLast().allSatisfy {
        ["is", "date", "time", "schedule", "start", "datetime"].contains($0)
      }
  }
  private var said: String { words.drop { $0 == "is" || $0 == "has" }.joined(separator: " ") }

  /// `"genres": [{"id": "art", "name": "Art house"}]`: what has its name there is no film.
  var isOfKinds: Bool { words.last.map(Self.kinds.contains) ?? false }

  private static let kinds: Set<String> = [
    "category", "categories", "genre", "genres", "kinds", "types", "languages", "versions", "formats", "sections",
    "series",
    "strands", "days", "cities", "regions", "countries", "menu", "pages",
  ]

  /// `movieName`
  var isOfFilm: Bool { !Self.filmWords.isDisjoint(with: words) }

  /// Of how one buys: `onlineSale` is no screening online.
  var isOfSale: Bool {
    isOfTickets
      || !Set(words).isDisjoint(with: [
        "sale", "sales", "booking", "bookings", "bookable", "payment", "purchase", "buy", "reservation", "checkout",
        "order", "ordering", "selling",
      ])
  }

  /// `extendedProps`, `additionalData`: more of the same record.
  var isOfMore: Bool {
    words.count <= 2 && words.contains { ["additional", "extended", "extra", "custom"].contains($0) }
  }

  /// `address`, `addressObject`, `eventAddress`: where it is, and not where somebody pays.
  var isOfPlainAddress: Bool {
    words.contains("address")
      && words.allSatisfy {
        ["address", "object", "info", "data", "full", "event", "physical", "details"].contains($0)
      }
  }

  /// `time`, `hour`: a clock, and no day.
  var isOfClock: Bool { !Self.timeWords.isDisjoint(with: words) && Self.dateWords.isDisjoint(with: words) }

  /// `"admission": {"isoFull": …}`: when one is let in.
  var isOfDoors: Bool { !RecordKey.doorWords.isDisjoint(with: words) }

  private static let ticketWords: Set<String> = [
    "ticket", "tickets", "tckt", "tier", "tiers", "rate", "rates", "price", "prices", "pricing", "fare", "fares",
    "tariff",
    "tariffs",
  ]

  /// `city`, `streetAddress`, `postal_code`: where a place lies.
  var isOfAddress: Bool { !Self.addressWords.isDisjoint(with: words) }
  private static let addressWords: Set<String> = [
    "address", "street", "city", "town", "postcode", "postal", "zip", "zipcode", "latitude",
  ]

  /// `"ticketTypes": [{"name": "Adult", …}]`: what is called there is a ticket.
  var isOfTickets: Bool { !RecordKey.ticketWords.isDisjoint(with: words) }

  private static func whenRole(_ words: [String], _ set: Set<String>) -> Role? {
    // "displayDateTime" is how a start is shown; "displayFrom" is when something is shown on the page.
    let isShown = set.contains("display") && (set.contains("datetime") || set.isSuperset(of: ["date", "time"]))
    let set = isShown ? set.subtracting(["display"]) : set
    // The hours of a day of the programme, not of anything in it.
    guard set.isDisjoint(with: otherTimes), words != ["day", "start"], words != ["day", "end"] else { return nil }
    let hasTime = !set.isDisjoint(with: timeWords)
    let hasShow = !set.isDisjoint(with: showWords) || set.contains("event")
    // "PLAY_DE": Korean data ends the names of its dates so.
    let hasDate = !set.isDisjoint(with: dateWords) || hasShow && words.count > 1 && words.last == "de"
    if !set.isDisjoint(with: endWords) {
      return hasTime || hasDate || words.count == 1 || set.contains("at") || hasShow && words.count == 2 ? .end : nil
    }
    if !set.isDisjoint(with: doorWords) { return nil }
    // "scnStTm": a start where a time's name is made of short words.
    if !set.isDisjoint(with: startWords) || set.contains("st") && (hasTime || hasDate) {
      // When the film itself starts, after what is shown before it.
      if !set.isDisjoint(with: filmWords) { return .start(rank: 4) }
      return .start(rank: 0)
    }
    if hasShow, hasTime || hasDate { return .start(rank: 1) }
    if set.contains("datetime") || set.isSuperset(of: ["date", "time"]) || set.contains("timestamp")
      || set.contains("when")
    {
      return .start(rank: 2)
    }
    // A date and words that are none of the above is somebody else's: "dateOfBirth".
    let rest = set.subtracting(timeWords).subtracting(dateWords).subtracting([
      "at", "on", "of", "string", "str", "text", "value", "formatted", "raw", "s", "scn", "ticketing", "ms", "millis",
      "milliseconds",
    ])
    if hasTime || hasDate {
      return rest.isEmpty ? .start(rank: 3) : rest.isSubset(of: filmWords) ? .start(rank: 4) : nil
    }
    if words == ["d"] || words == ["t"] { return .start(rank: 5) }
    if words.count == 1, hasShow { return .start(rank: 6) }
    return nil
  }
}

import Contracts
import JSON

/// What a page shows in schema.org's words, so that machines, our own reader of pages among them, need no guessing.
nonisolated struct LinkedData {
  /// Where this server is for whoever asks: `https://odi.example`.
  let base: String
  let words: Words
  private(set) var cinemas: [Cinema] = []
  private(set) var showings: [(show: ShowtimeItem, film: FilmItem?, cinema: Cinema)] = []
  private(set) var film: FilmItem?
  /// What the API told, in schema.org's words already.
  var told: [JSONValue] = []

  init(base: String, words: Words) {
    self.base = base
    self.words = words
  }

  mutating func add(_ cinema: Cinema) { cinemas.append(cinema) }

  mutating func add(_ cinema: Cinema, _ programme: ProgrammeItem) {
    for group in programme.films { for show in group.showtimes { showings.append((show, group.film, cinema)) } }
  }

  mutating func add(_ page: FilmPage) {
    film = page.film
    for showing in page.showtimes ?? [] {
      if let cinema = showing.cinema?.cinema { showings.append((showing.showtime, page.film, cinema)) }
    }
  }

  /// The block for the page's head. Inside a `script` element only `<` can do harm: the writer escapes it.
  func write(to html: inout HTMLWriter) {
    var json = JSONWriter(escaping: .html, capacity: 8_192)
    json.object { json in
      json.field("@context", "https://schema.org")
      json.array("@graph") { json in
        for cinema in cinemas { json.object { theatre(cinema, isWhole: true, to: &$0) } }
        if let film { json.object { movie(film, isWhole: true, to: &$0) } }
        for thing in told { json.value(thing) }
        for showing in showings { json.object { event(showing.show, showing.film, showing.cinema, to: &$0) } }
      }
    }
    html.element("script", .init("type", "application/ld+json")) { $0.markup(json.bytes) }
  }

  private func theatre(_ cinema: Cinema, isWhole: Bool, to json: inout JSONWriter) {
    json.field("@type", "MovieTheater")
    json.field("name", cinema.name)
    guard isWhole else { return }
    json.field("@id", "\(base)/cinemas/\(cinema.id)")
    json.field("url", "\(base)/cinemas/\(cinema.id)")
    json.field("alternateName", ifPresent: cinema.nameEnglish)
    json.field("sameAs", ifPresent: cinema.website)
    json.field("screenCount", ifPresent: cinema.screens)
    json.object("address") { json in
      json.field("@type", "PostalAddress")
      json.field("addressCountry", cinema.country)
      json.field("addressLocality", ifPresent: cinema.city)
      json.field("streetAddress", ifPresent: cinema.address)
    }
    json.object("geo") { json in
      json.field("@type", "GeoCoordinates")
      json.field("latitude", cinema.position.latitude)
      json.field("longitude", cinema.position.longitude)
    }
  }

  private func movie(_ item: FilmItem, isWhole: Bool, to json: inout JSONWriter) {
    let film = item.film
    json.field("@type", "Movie")
    json.field("name", item.title)
    json.field("@id", "\(base)/films/\(film.id)")
    guard isWhole else { return }
    json.field("alternateName", ifPresent: film.originalTitle)
    json.field("dateCreated", ifPresent: film.year.map { "\($0)" })
    json.field("duration", ifPresent: film.runtimeMinutes.map { "PT\($0)M" })
    json.field("contentRating", ifPresent: film.rating?.code)
    json.field("description", ifPresent: film.synopsis)
    people("director", film.directors, to: &json)
    people("actor", film.cast, to: &json)
  }

  private func people(_ role: StaticString, _ names: [String]?, to json: inout JSONWriter) {
    guard let names, !names.isEmpty else { return }
    json.array(role) { json in
      for name in names.prefix(8) {
        json.object { json in
          json.field("@type", "Person")
          json.field("name", name)
        }
      }
    }
  }

  private func event(_ item: ShowtimeItem, _ film: FilmItem?, _ cinema: Cinema, to json: inout JSONWriter) {
    let show = item.showtime
    json.field("@type", "ScreeningEvent")
    json.field("name", film?.title ?? show.title)
    json.field("startDate", "\(item.startsAt)")
    json.field("endDate", ifPresent: item.endsAt.map { "\($0)" })
    if show.state == .cancelled { json.field("eventStatus", "https://schema.org/EventCancelled") }
    json.object("location") { json in
      guard let screen = show.screen, !screen.isEmpty else {
        theatre(cinema, isWhole: false, to: &json)
        return
      }
      json.field("@type", "Place")
      json.field("name", screen)
      json.object("containedInPlace") { theatre(cinema, isWhole: false, to: &$0) }
    }
    json.object("workPresented") { json in
      if let film {
        movie(film, isWhole: false, to: &json)
      } else {
        json.field("@type", "Movie")
        json.field("name", show.title)
      }
    }
    guard let booking = show.bookingURL.map(HTMLWriter.safe), booking != "#" else { return }
    json.field("url", booking)
    json.object("offers") { json in
      json.field("@type", "Offer")
      json.field("url", booking)
      switch show.seats?.state {
      case .soldOut: json.field("availability", "https://schema.org/SoldOut")
      case .few: json.field("availability", "https://schema.org/LimitedAvailability")
      case .available: json.field("availability", "https://schema.org/InStock")
      default: break
      }
    }
  }
}

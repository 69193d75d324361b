import Calendars
import Clocks
import Contracts
import RPC

/// What can still be reached from a place, or plays there on another day: one question for the API, and for the page that is painted of its answer.
struct TonightQuestion {
  var origin: Coordinate
  var minutes = TonightQuestion.minutesUsual
  /// No further on foot; nil: also those that are too far to walk.
  var walk: Int?
  /// All of this service day instead, whatever `minutes` says; of today, all that is still to come.
  var date: CivilDate?
  /// The last of several service days, which begin with `date` or today: ``last(_:from:)``.
  var dateTo: CivilDate?
  /// Printed times: no earlier, and earlier.
  var startAfter: DisplayTime?
  var startBefore: DisplayTime?
  /// In these cinemas; none: in all that are near.
  var cinemas: [CinemaID] = []
  /// Films of one of these genres; none: of any.
  var genres: Set<FilmGenre> = []
  /// With all of these.
  var attributes: [String] = []
  var hidesSoldOut = false

  nonisolated static let minutesUsual = 180
  /// A whole day of the cinemas around, which has no pages: what comes later is missing, and the answer says so.
  nonisolated static let limitMax = 300
  /// Service days that are told at once. Each is a question of its own.
  nonisolated static let daysMax = 7
  /// Cinemas around a point that are looked at when nobody says how far they would walk.
  private static let cinemasUsual = 20
  private static let candidatesMax = 500
  /// No time of day makes somebody go as far as this for a film.
  private static let farMetres: Double = 100_000

  /// The answer, and what came of its films' titles.
  ///
  /// - Parameter limit: of showings; what they have in common is told of all.
  func answer(
    limit: Int, locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, shelf: CinemaShelf,
    titles: TitleShelf, view: Viewpoint, _ asking: Asking
  ) async throws -> (answer: TonightAnswer, besides: TitleShelf.Completion) {
    let asked = shelf.changes
    let (around, more) = try await locator.cinemas(
      around: origin, limit: walk == nil ? Self.cinemasUsual : NearestCinemas.limitMax,
      metresMax: walk.map { Double($0) * Walk.metresPerMinute }, asking.options)
    for item in around { shelf.put(item.cinema, asked: asked) }
    guard !around.isEmpty else {
      return (TonightAnswer(hint: "no cinema is that near; give a larger walk_max_min"), TitleShelf.Completion())
    }
    // Its evening is the nearest one's, which may end later than others'.
    let days = days(
      from: around.first.map { ServiceDay(of: $0.cinema).date(of: asking.now, in: view.rules($0.cinema.zone)) })
    let until = days.isEmpty ? WallTime(milliseconds: asking.now.milliseconds + Int64(minutes) * 60_000) : nil
    func ask(
      _ attributes: [String]?, in places: [CinemaID]?, of films: [FilmID]?, hidesSoldOut: Bool?
    ) async throws -> (page: ShowtimePage, besides: TitleShelf.Completion) {
      var request = FindShowtimes(
        cinemas: places ?? around.map(\.cinema.id), films: films, date: days.first, from: asking.now, to: until,
        startAfter: startAfter, startBefore: startBefore, attributes: attributes, hidesSoldOut: hidesSoldOut,
        order: .startsAt, limit: Self.candidatesMax)
      var page = try await scraper.call(request, asking.options)
      // Of what is left out of a day nobody knows how it goes on.
      for day in days.dropFirst() where page.next == nil {
        request.date = day
        page.add(try await scraper.call(request, asking.options))
      }
      let besides = await titles.complete(&page, in: view.language, withGenres: true, asking)
      return (page, besides)
    }
    // Without the filters: what else there would be is told too, so that somebody can choose otherwise.
    var (page, besides) = try await ask(nil, in: nil, of: nil, hidesSoldOut: nil)
    let near = Dictionary(around.map { ($0.cinema.id, $0.cinema) }) { first, _ in first }
    func reachable(_ page: ShowtimePage) -> [ShowingItem] {
      TonightPage.reachable(
        ShowingItem.all(of: page, cinemas: near, from: origin, view: view), now: asking.now, onFoot: walk != nil)
    }
    let all = reachable(page)
    var found = all
    var isCut = page.next != nil
    var unsorted: String?
    let isNarrow = !attributes.isEmpty || hidesSoldOut || !cinemas.isEmpty || !genres.isEmpty
    if isNarrow {
      if page.next == nil {
        let wanted = Set(attributes)
        found = all.filter { item in
          let show = item.showtime.showtime
          return wanted.isSubset(of: show.attributes) && !(hidesSoldOut && show.seats?.state == .soldOut)
            && (cinemas.isEmpty || cinemas.contains(show.cinema))
            && (genres.isEmpty || !genres.isDisjoint(with: item.film?.film.kinds ?? []))
        }
      } else {
        // There are more than were looked at, and what is wanted may be among those.
        let places = cinemas.isEmpty ? nil : cinemas.filter { near[$0] != nil }
        var films: [FilmID]?
        if !genres.isEmpty {
          let playing = try await FilmsOfGenres(scraper: scraper, titles: titles).playing(
            genres, in: places ?? around.map(\.cinema.id), asking)
          (films, unsorted) = (playing.ids, playing.cut)
          besides = besides + playing.besides
        }
        if places?.isEmpty == true || films?.isEmpty == true {
          (found, isCut) = ([], false)
        } else {
          let narrowed = try await ask(attributes, in: places, of: films, hidesSoldOut: hidesSoldOut)
          besides = besides + narrowed.besides
          (found, isCut) = (reachable(narrowed.page), narrowed.page.next != nil)
        }
      }
    }
    // Those that were chosen are there to be taken back, also when nothing plays in them.
    let chosen = Set(cinemas).compactMap { near[$0] }.map {
      CinemaName($0, metres: origin.metres(to: $0.position))
    }
    var answer = TonightAnswer(
      items: Array(found.prefix(limit)), hasMore: isCut || found.count > limit || unsorted != nil,
      attributes: TonightAnswer.counted(all), cinemas: TonightAnswer.places(of: all, and: chosen),
      genres: TonightAnswer.genres(of: all, and: genres, in: view.language), zone: around.first?.cinema.zone,
      soldOut: all.count { $0.showtime.showtime.seats?.state == .soldOut },
      isDemo: page.sources.contains { $0.isDemo == true })
    if more != nil {
      answer.hint = "only the nearest \(around.count) cinemas were looked at; give a smaller walk_max_min"
    }
    // What is sorted by genre lacks those films of which nobody could say it.
    if !genres.isEmpty, besides.isPartial { answer.missing = ["genres"] }
    if isCut || found.count > limit {
      // Of no use to whoever has all of it already, or may not have more.
      let larger = found.count > limit && limit < Self.limitMax ? "a larger limit, " : ""
      let shorter = days.isEmpty ? "a shorter within_min" : days.count > 1 ? "an earlier date_to" : "a start_before"
      answer.hint = "the first \(answer.items.count) are told; give \(larger)a cinema or \(shorter)"
    }
    if found.isEmpty, !isCut {
      answer.hint = emptiness(nearest: origin.metres(to: around[0].cinema.position), near, isNothingAtAll: all.isEmpty)
    }
    if let unsorted { answer.hint = [answer.hint, unsorted].compactMap(\.self).joined(separator: "; ") }
    return (answer, besides)
  }

  /// Why nothing is told, and what to ask instead.
  private func emptiness(nearest metres: Double, _ near: [CinemaID: Cinema], isNothingAtAll: Bool) -> String {
    if let far = cinemas.first(where: { near[$0] == nil }), cinemas.allSatisfy({ near[$0] == nil }) {
      return "\(far) is none of the \(near.count) cinemas nearest to there; ask /v1/showtimes?cinema=\(far)"
    }
    guard isNothingAtAll else {
      return "nothing that starts in time has all of that; leave out an attribute, genre, cinema, or hide_sold_out"
    }
    return metres > Self.farMetres
      ? "the nearest cinema is \(Int(metres / 1_000)) km away; give another place"
      : "nothing more starts in time; ask for a longer within_min, another date or time of day"
  }

  /// The service days that are asked for; none: what starts soon.
  private func days(from today: CivilDate?) -> [CivilDate] {
    guard let first = date ?? today else { return [] }
    if let last = Self.last(dateTo, from: first) { return Array(first...last) }
    return date == nil ? [] : [first]
  }

  /// The last of several days; nil where it does not follow the first within a week, as if nobody had asked for it.
  nonisolated static func last(_ day: CivilDate?, from first: CivilDate) -> CivilDate? {
    day.flatMap { $0 > first && $0 - first < daysMax ? $0 : nil }
  }
}

nonisolated extension ShowtimePage {
  /// What comes after it, each film and source once.
  fileprivate mutating func add(_ other: ShowtimePage) {
    showtimes = (showtimes + other.showtimes).sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
    let known = (films: Set(films.map(\.id)), sources: Set(sources.map(\.id)))
    films += other.films.filter { !known.films.contains($0.id) }
    sources += other.sources.filter { !known.sources.contains($0.id) }
    next = other.next
    revision = max(revision, other.revision)
  }
}

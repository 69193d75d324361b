import Calendars
import Clocks
import Contracts
import HTTP
import RPC

/// Restaurants: those that fit a question, those near a cinema, and those for a dinner around a showing.
final class DiningCoordinator: Coordinator {
  private let dining: any RPCClient<DiningAPI>
  private let scraper: any RPCClient<ScraperAPI>
  private let shelf: CinemaShelf
  private let titles: TitleShelf

  init(dining: any RPCClient<DiningAPI>, scraper: any RPCClient<ScraperAPI>, shelf: CinemaShelf, titles: TitleShelf) {
    self.dining = dining
    self.scraper = scraper
    self.shelf = shelf
    self.titles = titles
  }

  private static let id = PathField("id", "The restaurant's id.", schema: RestaurantID.schema)
  private static let cinema = PathField("id", "The cinema's id.", schema: CinemaID.schema)
  private static let showing = PathField("id", "The showing's id.", schema: ShowtimeID.schema)
  private static let mode = QueryField<DinnerMode>.choice(
    "mode", "Before the film, or after it.", default: DinnerMode.before)
  private static let walk = QueryField<Int>.int(
    "walk_max_min", "No further from the cinema than so many minutes on foot.", in: 1...60, default: 10)
  private static let meal = QueryField<Int>.int(
    "eat_min", "How long one wants to sit.", in: 15...240, default: 60)
  private static let margin = QueryField<Int>.int(
    "margin_min", "Between arriving at the cinema and the start: tickets, stairs, a seat.", in: 0...60, default: 8)
  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 20)
  private static let size = QueryField<AreaSize?>.optionalChoice(
    "size", "Only areas of this size.", of: AreaSize.self)

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/restaurants", "restaurants", "Restaurants that fit every condition.", .dining,
        query: [QueryField<Coordinate?>.near, RestaurantQuery.datum] + RestaurantQuery.fields,
        answers: [.json("In the order that was asked for.", RestaurantsPage.schema)], isShared: true
      ) { [self] asking in
        var query = asking.query
        let near = query.take(QueryField<Coordinate?>.near)
        let origin = query.take(RestaurantQuery.datum) == .tokyo ? near.map(TokyoDatum.world) : near
        let wanted = RestaurantQuery(&query)
        try query.finish()
        return try await list(wanted, around: origin, asking)
      },
      Endpoint(
        .get, "/v1/restaurants/{id}", "restaurant", "One restaurant.", .dining, parameters: [Self.id],
        answers: [.json("The restaurant.", RestaurantItem.schema)], isShared: true
      ) { [self] asking in
        let id = try asking.id(of: RestaurantID.self)
        var request = RestaurantsByID(ids: [id], now: asking.now)
        request.asker = asking.guideAsker
        let page = try await dining.call(request, asking.options)
        guard let place = page.places.first else {
          try Self.refuseIfUnanswered(page.guide, asking)
          throw Problem(.notFound, "no restaurant has the id \(id)")
        }
        return .json(RestaurantItem(place, in: asking.language))
      },
      Endpoint(
        .get, "/v1/cinemas/{id}/restaurants", "cinemaRestaurants", "Restaurants near a cinema.", .dining,
        parameters: [Self.cinema], query: RestaurantQuery.fields,
        answers: [.json("In the order that was asked for.", RestaurantsPage.schema)], isShared: true
      ) { [self] asking in
        var query = asking.query
        let wanted = RestaurantQuery(&query)
        try query.finish()
        let cinema = try await shelf.known(asking.id(of: CinemaID.self), asking.options)
        return try await list(wanted, around: cinema.position, asking)
      },
      Endpoint(
        .get, "/v1/showtimes/{id}/dinner", "dinner", "Where to eat before a film and be on time, or after it.", .dining,
        parameters: [Self.showing],
        query: [Self.mode, Self.walk, Self.meal, Self.margin] + RestaurantQuery.dinnerFields + [Self.limit],
        answers: [.json("Nearest first; those that do not say when they are open last.", DinnerAnswer.schema)],
        isShared: true
      ) { [self] asking in try await dinner(asking) },
      codes("genres", "diningGenres", "The genres that restaurants are found by.", named: DiningGenre.listed) {
        $0.genres
      },
      codes("budgets", "diningBudgets", "The budgets that restaurants are found by.") { $0.budgets },
      codes("features", "diningFeatures", "What restaurants have, and how many have it.", named: DiningFeature.listed) {
        $0.features
      },
      codes("credit_cards", "diningCards", "The cards that restaurants take.") { $0.creditCards ?? [] },
      codes("specials", "diningSpecials", "The themes that a guide lists restaurants under.") { $0.specials ?? [] },
      codes("special_categories", "diningSpecialCategories", "The kinds of those themes.") {
        $0.specialCategories ?? []
      },
      Endpoint(
        .get, "/v1/dining/areas", "diningAreas", "The areas that restaurants are found by, in five sizes.", .dining,
        query: [Self.size],
        answers: [
          .json(
            "The largest size first, of each the commonest first; `category` is the parameter that takes the code.",
            ListPage<CodeItem>.schema)
        ], isShared: true
      ) { [self] asking in try await areas(asking) },
    ]
  }

  private func codes(
    _ kind: String, _ name: String, _ summary: String,
    named told: @escaping @Sendable (CodedName, Language?) -> CodedName = { code, _ in code },
    _ list: @escaping @Sendable (DiningCodes) -> [CodeCount]
  ) -> Endpoint {
    Endpoint(
      .get, "/v1/dining/\(kind)", name, summary, .dining,
      answers: [.json("The commonest first.", ListPage<CodeItem>.schema)], isShared: true
    ) { [self] asking in
      let codes = list(try await dining.call(DiningVocabulary(), asking.options))
      return Self.listed(
        codes.map { count in
          let code = CodedName(code: count.code, name: count.name)
          return CodeItem(told(code, asking.language), note: nil, count: count.count)
        })
    }
  }

  /// For a day in caches: a guide's codes hardly change. A list of nothing may be filled at any minute.
  private static func listed(_ codes: [CodeItem]) -> Answer {
    let answer = Answer.json(ListPage(codes))
    return codes.isEmpty ? answer : answer.with("Cache-Control", CacheControl.day.rawValue).tagged
  }

  private func areas(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let wanted = query.take(Self.size)
    try query.finish()
    let codes = try await dining.call(DiningVocabulary(), asking.options)
    let sizes = AreaSize.allCases.filter { wanted == nil || wanted == $0 }
    return Self.listed(
      sizes.flatMap { size in
        size.codes(of: codes).map {
          CodeItem(CodedName(code: $0.code, name: $0.name), note: size.rawValue, count: $0.count)
        }
      })
  }

  // MARK: Lists

  private func list(_ wanted: RestaurantQuery, around origin: Coordinate?, _ asking: Asking) async throws -> Answer {
    var request = wanted.request
    guard origin != nil || request.filter != RestaurantFilter() else {
      throw Problem(
        .validation, "no condition is given",
        errors: [.init(parameter: "near", detail: "is missing; give a point, or q, name, an area, a genre")])
    }
    if request.order == .distance, origin == nil {
      throw Problem(
        .validation, "1 problem",
        errors: [.init(parameter: "sort", detail: "by distance from where? give near, or another sort")])
    }
    request.origin = origin
    request.now = asking.now
    request.asker = asking.guideAsker
    request.after = try asking.key(of: wanted.cursor)
    let page = try await dining.call(request, asking.options)
    let state = DiningState(page.guide)
    if page.places.isEmpty { try Self.refuseIfUnanswered(page.guide, asking) }
    let next = asking.cursor(after: page.next)
    var answer = Answer.json(
      RestaurantsPage(
        items: page.places.map { RestaurantItem($0, in: asking.language, isLite: wanted.isLite) }, found: page.found,
        next: next,
        state: state, hint: hint(page, state, origin)), isPartial: state != .complete)
    answer.response.fields += asking.link(to: next)
    return state == .loading ? answer.with("Retry-After", "1") : answer
  }

  private func hint(_ page: RestaurantPage, _ state: DiningState, _ origin: Coordinate?) -> String? {
    if state == .loading { return "a guide is being asked; ask again in a second" }
    guard page.places.isEmpty else {
      guard let known = page.guide.available, known > GuideState.reachedMax else { return nil }
      return
        "the guide knows \(known) of these and is asked for \(GuideState.reachedMax); give a smaller radius_m, or more conditions"
    }
    return origin == nil
      ? "nothing fits; take a condition away" : "nothing fits that near; give a larger radius_m, or fewer conditions"
  }

  /// Nothing to show because a guide did not answer is no empty list.
  private static func refuseIfUnanswered(_ guide: GuideState, _ asking: Asking) throws {
    let wait = guide.retryAt.map { Duration.milliseconds(max($0.milliseconds - asking.now.milliseconds, 0)) }
    switch DiningState(guide) {
    case .complete, .loading, .stale: return
    case .quota:
      throw Problem(
        .upstreamQuota,
        guide.isShareUsed == true
          ? "your share of today's questions to the restaurant guide is used up; ask again tomorrow"
          : "today's questions to the restaurant guide are used up; ask again tomorrow",
        fields: Problem.retry(wait))
    case .refused:
      throw Problem(
        .validation, "the restaurant guide does not take this question; take a condition away, or change one")
    case .failed:
      throw Problem(
        .upstreamUnavailable, status: .serviceUnavailable,
        "the restaurant guide does not answer; try again in a moment", fields: Problem.retry(wait))
    }
  }

  // MARK: Dinner

  private func dinner(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (mode, walk, meal) = (query.take(Self.mode), query.take(Self.walk), query.take(Self.meal))
    let (margin, limit) = (query.take(Self.margin), query.take(Self.limit))
    let filter = RestaurantQuery.dinnerFilter(&query)
    try query.finish()
    let id = try asking.id(of: ShowtimeID.self)
    var programme = try await scraper.call(ShowtimesByID(ids: [id]), asking.options)
    guard let showtime = programme.showtimes.first else { throw Problem(.notFound, "no showing has the id \(id)") }
    let besides = await titles.complete(&programme, in: asking.language, asking)
    guard let cinema = try await shelf.cinema(showtime.cinema, asking.options) else {
      throw Problem(.notFound, "nobody knows where the cinema \(showtime.cinema) is")
    }
    let end = DinnerTimes.end(of: showtime, film: programme.films.first)
    var request = DinnerPlaces(
      origin: cinema.position, at: mode == .before ? showtime.startsAt : end, mode: mode, walkMinutesMax: walk,
      eatMinutes: meal, marginMinutes: margin, now: asking.now, filter: filter, limit: limit)
    request.asker = asking.guideAsker
    let page = try await dining.call(request, asking.options)
    if page.places.isEmpty { try Self.refuseIfUnanswered(page.guide, asking) }
    let state = DiningState(page.guide)
    let zone = asking.view.rules(cinema.zone)
    let showings = ShowingItem.all(of: programme, cinemas: [cinema.id: cinema], view: asking.view)
    let answer = Answer.json(
      DinnerAnswer(
        mode: mode, showing: showings[0],
        items: page.places.map { DinnerItem(place: $0, zone: zone, language: asking.language) }, state: state,
        hint: Self.hint(page, mode, walk, isNarrowed: filter != RestaurantFilter(), at: zone.local(at: end).time)),
      madeOf: besides.madeOf.union([.programme(showtime.cinema), .directory]),
      isPartial: besides.isPartial || state != .complete)
    return state == .loading ? answer.with("Retry-After", "1") : answer
  }

  private static func hint(
    _ page: DinnerPage, _ mode: DinnerMode, _ walk: Int, isNarrowed: Bool, at end: ClockTime
  ) -> String? {
    guard page.places.isEmpty else { return nil }
    if page.guide.kind == .loading { return "a guide is being asked; ask again in a second" }
    // What is closed is closed for a shorter meal too; where there is only no time left, that may help.
    if let late = page.tooLate, late > 0 {
      return "there is no time left to eat before; ask for mode=after, or a shorter eat_min"
    }
    guard page.closed > 0 else {
      return isNarrowed
        ? "nothing within \(walk) minutes on foot fits; take a condition away"
        : "nothing is within \(walk) minutes on foot; give a larger walk_max_min"
    }
    return mode == .after
      ? "nothing is open after \(end) within \(walk) minutes on foot but convenience stores"
      : isNarrowed
        ? "nothing that fits is open then within \(walk) minutes on foot; take a condition away, or give a shorter eat_min"
        : "nothing is open then within \(walk) minutes on foot; give a shorter eat_min, or a larger walk_max_min"
  }
}

extension Asking {
  /// For whom a guide may be asked.
  var guideAsker: GuideAsker { GuideAsker(network: client.network.map { "\($0)" }, user: user) }
}

/// The five sizes of areas, named as the parameters that take their codes.
nonisolated enum AreaSize: String, CaseIterable, Sendable {
  case largeService = "large_service_area"
  case service = "service_area"
  case large = "large_area"
  case middle = "middle_area"
  case small = "small_area"

  func codes(of vocabulary: DiningCodes) -> [CodeCount] {
    switch self {
    case .largeService: vocabulary.largeServiceAreas ?? []
    case .service: vocabulary.serviceAreas ?? []
    case .large: vocabulary.largeAreas ?? []
    case .middle: vocabulary.middleAreas ?? []
    case .small: vocabulary.smallAreas ?? []
    }
  }
}

/// When a showing is over.
nonisolated enum DinnerTimes {
  /// A film whose length nobody tells lasts this long.
  private static let usualMinutes = 120

  static func end(of showtime: Showtime, film: Film?) -> WallTime {
    showtime.endsAt
      ?? WallTime(
        milliseconds: showtime.startsAt.milliseconds + Int64(film?.runtimeMinutes ?? usualMinutes) * 60_000)
  }

  static func usualEnd(of start: WallTime) -> WallTime {
    WallTime(milliseconds: start.milliseconds + Int64(usualMinutes) * 60_000)
  }
}

/// The datum of Japanese maps until 2002: points in it lie some 450 m from where they are.
nonisolated enum TokyoDatum {
  /// Good to a few metres in Japan.
  static func world(_ point: Coordinate) -> Coordinate {
    let (latitude, longitude) = (point.latitude, point.longitude)
    let world = try? Coordinate(
      latitude: latitude - 0.00010695 * latitude + 0.000017464 * longitude + 0.0046017,
      longitude: longitude - 0.000046038 * latitude - 0.000083043 * longitude + 0.010040)
    return world ?? point
  }
}

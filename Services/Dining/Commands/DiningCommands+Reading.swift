import Calendars
import Clocks
import Contracts
import Directories
import JSON
import RPC
import ServiceKit

/// `near`, `search`, `get`, `list`, `codes`, `hours`.
extension DiningCommands {
  var near: Command {
    let origin = Parameter<Coordinate?>.optionalArgument("LAT,LON", "where you are")
    let cinema = Parameter<CinemaID?>.optionalOption("cinema", "around this cinema, asked of the locator")
    let metres = Parameter<Int>.option("max", "none further than so many metres", default: 1_000, in: 1...50_000)
    let genre = Parameter<String?>.optionalOption("genre", "only of this genre's code: G001; see `codes`")
    let budget = Parameter<Int?>.optionalOption("budget", "only where a dinner can be had for so much")
    let openAt = Parameter<DisplayTime?>.optionalOption("open-at", "only those that are open today at: 21:30, 24:30")
    let feature = Parameter<RestaurantFeature?>.optionalOption("feature", "only with: wifi, private_room, english …")
    let count = Parameter<Int>.option("count", short: "n", "how many", default: 10, in: 1...100)
    return Command(
      "near", "list the restaurants around a point or a cinema, nearest first",
      discussion: "Walking time is reckoned at 80 m a minute. Prices are in the currency's smallest unit.",
      examples: [
        .init("odi-dining near 37.5721,126.9690 --open-at 22:00", "what is open at ten tonight"),
        .init("odi-dining near --cinema emu --budget 15000", "around a cinema, for 15,000 won"),
      ], takes: [origin, cinema, metres, genre, budget, openAt, feature, count] + dining.parameters
    ) { call, output in
      var place = call[origin]
      if let cinema = call[cinema] { place = try await position(of: cinema, call, output) }
      guard let place else { throw CommandError(.usage, "around where? give LAT,LON or --cinema ID") }
      var filter = RestaurantFilter()
      filter.genres = call[genre].map { [$0] }
      filter.budgetMost = call[budget]
      filter.features = call[feature].map { [$0] }
      if let clock = call[openAt] { filter.openAt = try await today(at: clock, around: place, call, output) }
      let request = FindRestaurants(
        origin: place, metresMax: call[metres], filter: filter, order: .distance, limit: call[count])
      var page = try await dining.ask(request, call, output)
      // What is listed is open then, whatever it is now.
      if call[openAt] != nil { for index in page.places.indices { page.places[index].isOpenNow = true } }
      try show(page, output)
      return .done
    }
  }

  func position(of id: CinemaID, _ call: Invocation, _ output: Output) async throws(CommandError) -> Coordinate {
    guard let cinema = try await dining.ask(neighbour: CinemasByID(ids: [id]), call, output).first else {
      throw CommandError(.notFound, "there is no cinema \(id)", try: "odi-locator search \(id)")
    }
    return cinema.position
  }

  /// Today where the place is: by the zone of the restaurant that is nearest to it.
  private func today(
    at clock: DisplayTime, around place: Coordinate, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> WallTime {
    let request = FindRestaurants(origin: place, metresMax: 50_000, order: .distance, limit: 1)
    let nearest = try await dining.ask(request, call, output).places.first?.restaurant.zone
    guard let name = nearest, let zone = try? zones.rules(for: name) else { return time.wall }
    return zone.instant(of: ServiceTime(ServiceDay.standard.date(of: time.wall, in: zone), clock))
  }

  var search: Command {
    let text = Parameter<[String]>.arguments("TEXT", "words of a name, an address, a station, a genre")
    let count = Parameter<Int>.option("count", short: "n", "how many at most", default: 10, in: 1...100)
    return Command("search", "list the restaurants that hold every word", takes: [text, count] + dining.parameters) {
      call, output in
      var filter = RestaurantFilter()
      filter.keyword = call[text].joined(separator: " ")
      let request = FindRestaurants(filter: filter, limit: call[count])
      try show(try await dining.ask(request, call, output), output)
      return .done
    }
  }

  private func show(_ page: RestaurantPage, _ output: Output) throws(CommandError) {
    try output.write(Report(places: page.places))
    switch page.guide.kind {
    case .none, .fresh: break
    case .refused:
      output.note("guide: it does not take this question; take a condition away. What is kept here is shown")
    case .quota: output.note("guide: today's questions to it are used up; what is kept here is shown")
    case .loading: output.note("guide: it is being asked; ask again in a second. What is kept here is shown")
    case .stale, .failed, .unknown:
      output.note("guide: it does not answer (`guide` says why); what is kept here is shown")
    }
    if page.found > page.places.count { output.note("\(page.places.count) of \(page.found); -n shows more") }
  }

  var get: Command {
    Command("get", "show one restaurant, and what is understood of its hours", takes: [id] + dining.parameters) {
      call, output in
      try output.write(Report(restaurant: try await restaurant(call[id], call, output)))
      return .done
    }
  }

  var list: Command {
    Command("list", "list all restaurants", takes: dining.parameters) { call, output in
      let places = try await everything(call, output).map { NearbyRestaurant(restaurant: $0) }
      try output.write(Report(places: places))
      return .done
    }
  }

  var codes: Command {
    let kind = Parameter<CodeKind>.argument("KIND", "of what: `areas` are the smallest that each restaurant names")
    let sync = Parameter<Bool>.flag("sync", "ask the guide for its whole list first; costs one of today's questions")
    return Command(
      "codes", "list the codes that restaurants are found by",
      examples: [.init("odi-dining codes middle-areas --sync", "every area that `odi-dining sync` can be given")],
      takes: [kind, sync] + dining.parameters
    ) { call, output in
      guard call[sync] else { return try await show(call[kind], call, output) }
      guard let list = call[kind].list else {
        throw CommandError(.usage, "the guide has no list of \(call[kind].rawValue); leave --sync out")
      }
      return try await synced(list, call[kind], call, output)
    }
  }

  func show(_ kind: CodeKind, _ call: Invocation, _ output: Output) async throws(CommandError) -> ExitCode {
    let codes = try await dining.ask(DiningVocabulary(), call, output)
    let chosen =
      switch kind {
      case .genres: codes.genres
      case .budgets: codes.budgets
      case .features: codes.features
      case .areas: codes.areas
      case .largeServiceAreas: codes.largeServiceAreas ?? []
      case .serviceAreas: codes.serviceAreas ?? []
      case .largeAreas: codes.largeAreas ?? []
      case .middleAreas: codes.middleAreas ?? []
      case .smallAreas: codes.smallAreas ?? []
      case .cards: codes.creditCards ?? []
      case .specials: codes.specials ?? []
      case .specialCategories: codes.specialCategories ?? []
      }
    let columns = [Report.Column("code"), Report.Column("name"), Report.Column("count", alignment: .right)]
    try output.write(Report(columns, rows: chosen.map { ["\($0.code)", "\($0.name)", .number($0.count)] }))
    return .done
  }

  var hours: Command {
    let open = Parameter<String>.argument("TEXT", "hours as a place prints them")
    let close = Parameter<String?>.optionalOption("close", "days on which it is closed, as printed")
    let explain: Command.Action = { call, output in
      let (hours, unread) = OpeningHoursReader.read(open: call[open], close: call[close])
      try output.write(Report(hours: hours, unread: unread))
      output.note("confidence: \(hours.confidence.rawValue)")
      if !unread.isEmpty { output.note("left unread: \(unread.joined(separator: ", "))") }
      return hours.confidence == .unknown ? .degraded : .done
    }
    return Command(
      "hours", "tell what is understood of printed opening hours", discussion: "Needs no running service.",
      examples: [.init("odi-dining hours 'Tue-Sun 5:30pm-late' --close Mondays", "English; also Japanese and Korean")],
      takes: [open, close],
      subcommands: [
        Command("parse", "the same, for a text that begins as a command does", takes: [open, close], run: explain)
      ], otherwise: explain)
  }
}

/// A kind of codes.
nonisolated enum CodeKind: String, CaseIterable, ArgumentValue {
  case genres, budgets, features, areas
  case largeServiceAreas = "large-service-areas"
  case serviceAreas = "service-areas"
  case largeAreas = "large-areas"
  case middleAreas = "middle-areas"
  case smallAreas = "small-areas"
  case cards, specials
  case specialCategories = "special-categories"

  /// What the guide keeps of it; nil for what is only counted here.
  var list: GuideList? {
    switch self {
    case .genres: .genre
    case .budgets: .budget
    case .features, .areas: nil
    case .largeServiceAreas: .largeServiceArea
    case .serviceAreas: .serviceArea
    case .largeAreas: .largeArea
    case .middleAreas: .middleArea
    case .smallAreas: .smallArea
    case .cards: .creditCard
    case .specials: .special
    case .specialCategories: .specialCategory
    }
  }
}

nonisolated extension DisplayTime: ArgumentValue {
  package static var wanted: String { form }
  package static var valueName: String { "HH:MM" }
  package init?(argument: String) { self.init(argument) }
  package var argument: String { description }
}

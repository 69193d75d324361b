import Calendars
import Clocks
import Contracts
import JSON
import RPC
import RPCTransport
import ServiceKit

/// `near`, `search`, `get`, `list`, `codes`, `hours`, `hotpepper`.
extension DiningCommands {
  var near: Command {
    let origin = Parameter<Coordinate?>.optionalArgument("LAT,LON", "where you are")
    let cinema = Parameter<CinemaID?>.optionalOption("cinema", "around this cinema, asked of the locator")
    let metres = Parameter<Int>.option("max", "none further than so many metres", default: 1_000, in: 1...50_000)
    let genre = Parameter<String?>.optionalOption("genre", "only of this genre's code: G001; see `codes`")
    let budget = Parameter<Int?>.optionalOption("budget", "only where a dinner can be had for so much")
    let openAt = Parameter<ClockTime?>.optionalOption("open-at", "only those that are open today at: 21:30")
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
      try show(try await dining.ask(request, call, output), output)
      return .done
    }
  }

  private func position(
    of id: CinemaID, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> Coordinate {
    // `--host` is dining's own; the locator is found by the folder.
    let locator = ServiceAccess(to: "locator")
    let address: any RPCClient<LocatorAPI>
    let socket: String
    do {
      let found = try dining.dataFolder(call, output).adminSocket(of: "locator")
      socket = "\(found)"
      address = ServiceClient(of: LocatorAPI.self, at: [.address(found)], as: "odi-dining")
    } catch {
      throw CommandError(.failed, "the locator's socket cannot be found: \(error)")
    }
    let cinemas: [Cinema]
    do throws(RPCError) {
      cinemas = try await address.call(
        CinemasByID(ids: [id]), CallOptions(timeout: ServiceAccess.patience, mayRetry: false))
    } catch {
      throw CommandError(
        .failed, "\(locator.service) does not answer at \(socket): \(error.message)", try: "odi-locator serve")
    }
    guard let cinema = cinemas.first else {
      throw CommandError(.notFound, "there is no cinema \(id)", try: "odi-locator search \(id)")
    }
    return cinema.position
  }

  /// Today where the place is: by the zone of the restaurant that is nearest to it.
  private func today(
    at clock: ClockTime, around place: Coordinate, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> WallTime {
    let request = FindRestaurants(origin: place, metresMax: 50_000, order: .distance, limit: 1)
    let nearest = try await dining.ask(request, call, output).places.first?.restaurant.zone
    guard let name = nearest, let zone = try? zones.rules(for: name) else { return time.wall }
    return zone.instant(of: CivilDateTime(zone.local(at: time.wall).date, clock))
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
    let kind = Parameter<CodeKind>.argument("KIND", "genres, budgets, features or areas")
    return Command("codes", "list the codes that restaurants are found by", takes: [kind] + dining.parameters) {
      call, output in
      let codes = try await dining.ask(DiningVocabulary(), call, output)
      let chosen =
        switch call[kind] {
        case .genres: codes.genres
        case .budgets: codes.budgets
        case .features: codes.features
        case .areas: codes.areas
        }
      let columns = [Report.Column("code"), Report.Column("name"), Report.Column("count", alignment: .right)]
      try output.write(
        Report(columns, rows: chosen.map { ["\($0.code)", "\($0.name)", .number($0.count)] }))
      return .done
    }
  }

  var hours: Command {
    let open = Parameter<String>.argument("TEXT", "hours as a place prints them")
    let close = Parameter<String?>.optionalOption("close", "days on which it is closed, as printed")
    return Command(
      "hours", "tell what is understood of printed opening hours", discussion: "Needs no running service.",
      examples: [.init("odi-dining hours 'Tue-Sun 5:30pm-late' --close Mondays", "English; also Japanese and Korean")],
      takes: [open, close]
    ) { call, output in
      let (hours, unread) = OpeningHoursReader.read(open: call[open], close: call[close])
      try output.write(Report(hours: hours))
      output.note("confidence: \(hours.confidence.rawValue)")
      if !unread.isEmpty { output.note("left unread: \(unread.joined(separator: ", "))") }
      return hours.confidence == .unknown ? .degraded : .done
    }
  }

  var guide: Command {
    Command("guide", "show how the outside guide and its quota are", takes: dining.parameters) { call, output in
      let status = try await dining.ask(DescribeGuide(), call, output)
      try output.write(
        Report(item: [
          (Report.Column("on"), .flag(status.isOn)), (Report.Column("used_today"), .number(status.used)),
          (Report.Column("daily_limit"), .number(status.limit)),
          (Report.Column("problem"), .text(status.problem, .warning)),
          (Report.Column("until"), .text(status.until.map { "\(Timestamp($0))" })),
          (Report.Column("restaurants"), .number(status.restaurants)),
          (Report.Column("revision"), .number(Int(status.revision))),
        ]))
      return status.problem == nil ? .done : .degraded
    }
  }
}

/// A kind of codes.
nonisolated enum CodeKind: String, CaseIterable, ArgumentValue { case genres, budgets, features, areas }

nonisolated extension ClockTime: ArgumentValue {
  package static var wanted: String { form }
  package static var valueName: String { "HH:MM" }
  package init?(argument: String) { self.init(argument) }
  package var argument: String { description }
}

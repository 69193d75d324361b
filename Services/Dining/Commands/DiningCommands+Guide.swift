import Calendars
import Clocks
import Contracts
import Directories
import RPC
import ServiceKit

/// `guide`, `quota`, `sync`, and the guide's lists of codes: `genres`, `budgets`.
extension DiningCommands {
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

  var quota: Command {
    Command(
      "quota", "show how many of today's questions to the guide are left",
      discussion: "A day is one of Tokyo's calendar. Exit code 9 if none is left.", takes: dining.parameters
    ) { call, output in
      let status = try await dining.ask(DescribeGuide(), call, output)
      let left = max(status.limit - status.used, 0)
      try output.write(
        Report(item: [
          (Report.Column("used"), .number(status.used)), (Report.Column("limit"), .number(status.limit)),
          (Report.Column("left"), .number(left)), (Report.Column("on"), .flag(status.isOn)),
        ]))
      output.note(QuotaBar(used: status.used, limit: status.limit).line)
      return left > 0 ? .done : .degraded
    }
  }

  // MARK: Lists of codes

  var genres: Command { codes(.genres, .genre) }
  var budgets: Command { codes(.budgets, .budget) }

  /// What the guide lists, after it was asked for it.
  func synced(
    _ list: GuideList, _ kind: CodeKind, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> ExitCode {
    let synced = try await dining.ask(SyncGuideCodes(list: list), call, output, timeout: Self.patience)
    let columns = [Report.Column("code"), Report.Column("name")]
    try output.write(Report(columns, rows: synced.codes.map { ["\($0.code)", "\($0.name)"] }))
    output.note("\(synced.codes.count) \(kind.rawValue) · \(synced.new) new")
    return .done
  }

  private func codes(_ kind: CodeKind, _ list: GuideList) -> Command {
    let sync = Command(
      "sync", "ask the guide for its list of them; costs one question", takes: dining.parameters
    ) { call, output in try await synced(list, kind, call, output) }
    return Command(
      kind.rawValue, "list the \(kind.rawValue) that restaurants are found by", takes: dining.parameters,
      subcommands: [sync], otherwise: { call, output in try await show(kind, call, output) })
  }

  // MARK: Restaurants

  var sync: Command {
    let area = Parameter<GuideArea?>.optionalArgument("AREA", "a code of the guide's, or LAT,LON")
    let cinema = Parameter<CinemaID?>.optionalOption("cinema", "around this cinema, asked of the locator")
    let leave = Parameter<Int?>.optionalOption(
      "leave", "stop when only so many of today's questions are left; a quarter of them if not said")
    return Command(
      "sync", "ask the guide about an area, or around every cinema that it can know",
      discussion: """
        What it answers is kept for a week, as if somebody had asked. What it told within a day is not asked for again \
        and costs no question. It knows Japan only. Exit code 8 if some were not answered, or the questions ran out.
        """,
      examples: [
        .init("odi-dining sync", "all cinemas in Japan, within the quota"),
        .init("odi-dining sync Y055", "an area by its code; see `codes areas`"),
      ], takes: [area, cinema, leave] + dining.parameters
    ) { call, output in
      let targets = try await targets(area: call[area], cinema: call[cinema], call, output)
      guard !targets.isEmpty else {
        output.note("the locator knows no cinema in Japan, and the guide nothing else; give an AREA")
        return .notFound
      }
      let progress = Progress("areas", total: targets.count, to: output, time: time)
      var asked: [(name: String, page: RestaurantPage)] = []
      for target in targets {
        let status = try await dining.ask(DescribeGuide(), call, output)
        guard status.isOn else {
          throw CommandError(.failed, "there is no key to the guide", try: "odi-dining serve --hotpepper-key-file FILE")
        }
        guard status.limit - status.used > call[leave] ?? status.limit / 4 else { break }
        asked.append((target.name, try await answer(to: target.request, call, output)))
        progress.advance()
      }
      progress.finish()
      try output.write(Report(synced: asked))
      let answered = asked.count { $0.page.guide.kind == .fresh }
      let quota = try await dining.ask(DescribeGuide(), call, output)
      if asked.contains(where: { $0.page.guide.kind == .refused }) {
        output.note("the guide does not take the question; look at the area's code with `odi-dining codes`")
      }
      if let problem = quota.problem {
        output.note("the guide: \(problem)" + (quota.until.map { "; not asked until \(Timestamp($0))" } ?? ""))
      }
      output.note("\(answered) of \(targets.count) are known · " + QuotaBar(used: quota.used, limit: quota.limit).line)
      return answered == targets.count ? .done : .partial
    }
  }

  /// What is asked for, one question each.
  private func targets(
    area: GuideArea?, cinema: CinemaID?, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> [(name: String, request: FindRestaurants)] {
    func around(_ place: Coordinate) -> FindRestaurants {
      FindRestaurants(origin: place, metresMax: Self.syncMetres, order: .distance, limit: 1)
    }
    switch (area, cinema) {
    case (.some, .some): throw CommandError(.usage, "an AREA or --cinema, not both")
    case (.point(let place)?, nil): return [(place.argument, around(place))]
    case (.code(let code, let filter)?, nil): return [(code, FindRestaurants(filter: filter, limit: 1))]
    case (nil, let id?): return [(id.text, around(try await position(of: id, call, output)))]
    case (nil, nil):
      let page = try await dining.ask(neighbour: ListCinemas(country: "JP", limit: 1_000), call, output)
      return page.cinemas.map { ($0.id.text, around($0.position)) }
    }
  }

  /// As far as one walks to a dinner; what the page asks for by itself.
  private static let syncMetres = 1_000
  /// The service waits some seconds for the guide, and the guide is given up after eight.
  private static let asksMax = 5

  private func answer(
    to request: FindRestaurants, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> RestaurantPage {
    var page = try await dining.ask(request, call, output)
    for _ in 1..<Self.asksMax where page.guide.kind == .loading {
      page = try await dining.ask(request, call, output)
    }
    return page
  }
}

/// Where the guide is asked: a point, or an area by the guide's own code.
nonisolated enum GuideArea: ArgumentValue {
  case point(Coordinate)
  case code(String, RestaurantFilter)

  static var wanted: String { "LAT,LON, or a code of an area: SS10, SA11, Z011, Y055, X001" }
  static var valueName: String { "AREA" }

  init?(argument: String) {
    if let place = Coordinate(argument: argument) {
      self = .point(place)
      return
    }
    var filter = RestaurantFilter()
    let digits = argument.drop { $0.isASCII && $0.isUppercase }
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    switch argument.dropLast(digits.count) {
    case "SS": filter.largeServiceAreas = [argument]
    case "SA": filter.serviceAreas = [argument]
    case "Z": filter.largeAreas = [argument]
    case "Y": filter.middleAreas = [argument]
    case "X": filter.smallAreas = [argument]
    default: return nil
    }
    self = .code(argument, filter)
  }

  var argument: String {
    switch self {
    case .point(let place): place.argument
    case .code(let code, _): code
    }
  }
}

/// `[######················] 271 of 1000 questions used`
nonisolated struct QuotaBar {
  var used: Int
  var limit: Int

  private static let width = 22

  var line: String {
    let filled = min(Self.width * used / max(limit, 1), Self.width)
    return "[" + String(repeating: "#", count: filled) + String(repeating: "·", count: Self.width - filled)
      + "] \(used) of \(limit) questions used"
  }
}

nonisolated extension Report {
  fileprivate init(synced: [(name: String, page: RestaurantPage)]) {
    self.init(
      [
        Column("area"), Column("guide"), Column("available", alignment: .right), Column("kept", alignment: .right),
        Column("as_of"),
      ],
      rows: synced.map { name, page in
        [
          "\(name)", Cell(page.guide.kind.rawValue, page.guide.kind == .fresh ? .good : .warning),
          .number(page.guide.available), .number(page.found), .text(page.guide.asOf.map { "\(Timestamp($0))" }),
        ]
      })
  }
}

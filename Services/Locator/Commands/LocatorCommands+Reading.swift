import Clocks
import Contracts
import Directories
import Drafts
import JSON
import RPC
import ServiceKit
import Spatial

/// `near`, `search`, `geocode`, `list`, `get`, `regions`, `index`.
extension LocatorCommands {
  var near: Command {
    let origin = Parameter<Coordinate>.argument("LAT,LON", "where you are")
    let count = Parameter<Int>.option("count", short: "n", "how many", default: 3, in: 1...NearestCinemas.limitMax)
    let metres = Parameter<Double?>.optionalOption("max", "none further than so many metres")
    let walk = Parameter<Int?>.optionalOption("walk", "none further than so many minutes on foot")
    return Command(
      "near", "list the cinemas that are nearest to a point",
      discussion: "Distances are along the great circle; walking time is reckoned at 80 m a minute.",
      examples: [
        .init("odi-locator near 37.5663,126.9779", "around Seoul's city hall"),
        .init(
          "odi-locator near 37.5663,126.9779 --walk 15 -n 100", "all that can be walked to in a quarter of an hour"),
      ],
      takes: [origin, count, metres, walk] + locator.parameters
    ) { call, output in
      let most = [call[metres], call[walk].map { Double($0) * Walk.metresPerMinute }].compactMap(\.self).min()
      let request = NearestCinemas(origin: call[origin], limit: call[count] + 1, metresMax: most)
      let looked = try await locator.ask(request, call, output)
      let found = looked.prefix(call[count])
      let columns = [
        Report.Column("id"), Report.Column("name", shrinks: true),
        Report.Column("name_en", shrinks: true, visible: false),
        Report.Column("distance_m", title: "metres", alignment: .right), Report.Column("bearing"),
        Report.Column("walk_min", title: "walk min", alignment: .right), Report.Column("address", shrinks: true),
      ]
      let rows = found.map { near -> [Report.Cell] in
        let direction = Bearing(degrees: call[origin].bearing(to: near.cinema.position))
        return [
          "\(near.cinema.id.text)", "\(near.cinema.name)", .text(near.cinema.nameEnglish),
          .number(Int(near.metres.rounded())), "\(direction.name)", .number(Walk.minutes(metres: near.metres)),
          .text(near.cinema.address),
        ]
      }
      try output.write(Report(columns, rows: rows))
      // Who names a distance wants all within it.
      if most != nil, looked.count > found.count {
        output.note("there are more within that distance; -n takes up to \(NearestCinemas.limitMax)")
      }
      return .done
    }
  }

  var search: Command {
    let text = Parameter<[String]>.arguments("TEXT", "any part of a name; ㅆㄴㅋ finds 씨네큐브")
    let count = Parameter<Int>.option("count", short: "n", "how many at most", default: 10, in: 1...100)
    let origin = Parameter<Coordinate?>.optionalOption("near", "nearer ones first among equals")
    return Command(
      "search", "list the cinemas that a text names", takes: [text, count, origin] + locator.parameters
    ) { call, output in
      let request = FindCinemas(text: call[text].joined(separator: " "), limit: call[count], origin: call[origin])
      let hits = try await locator.ask(request, call, output)
      let columns = [
        Report.Column("id"), Report.Column("name", shrinks: true), Report.Column("matched", shrinks: true),
        Report.Column("city"), Report.Column("score", alignment: .right),
        Report.Column("highlights", visible: false),
      ]
      let rows = hits.map { hit -> [Report.Cell] in
        [
          "\(hit.cinema.id.text)", "\(hit.cinema.name)", "\(hit.matched)", .text(hit.cinema.city),
          .number(hit.score, digits: 1),
          Report.Cell("", json: .array(hit.highlights.map { .int(Int64($0)) })),
        ]
      }
      try output.write(Report(columns, rows: rows))
      return .done
    }
  }

  var list: Command {
    let region = Parameter<String?>.optionalOption("region", "only of this region")
    let country = Parameter<String?>.optionalOption("country", "only of this country: KR")
    let box = Parameter<MapBox?>.optionalOption("bbox", "only inside: west,south,east,north")
    let closed = Parameter<Bool>.flag("all", "also those that have closed")
    let stale = Parameter<Duration?>.optionalOption(
      "stale", "only those that nobody has edited for so long, the longest left alone first: 365d")
    return Command(
      "list", "list the cinemas", takes: [region, country, box, closed, stale] + locator.parameters
    ) { [time] call, output in
      var cinemas: [Cinema] = []
      func isWanted(_ cinema: Cinema) -> Bool {
        (call[region].map { KnownRegion.slug($0) == cinema.region } ?? true)
          && (call[country].map { $0.uppercased() == cinema.country } ?? true)
      }
      if let age = call[stale] {
        let age = min(age, Self.ageMax)
        let since = WallTime(milliseconds: time.wall.milliseconds - Int64(age / .milliseconds(1)))
        let looked = try await locator.ask(StaleCinemas(since: since, limit: StaleCinemas.askedMax), call, output)
        let found = looked.prefix(StaleCinemas.limitMax)
        if looked.count > found.count { output.note("only the \(found.count) longest left alone were looked at") }
        let box = call[box]
        let wanted = found.filter { stale in
          isWanted(stale.cinema) && (call[closed] || stale.cinema.isActive)
            && (box?.contains(latitude: stale.cinema.position.latitude, longitude: stale.cinema.position.longitude)
              ?? true)
        }
        try output.write(
          Report(
            cinemas: wanted.map(\.cinema),
            editedAt: Dictionary(wanted.map { ($0.cinema.id, $0.editedAt) }) { first, _ in first }))
        return .done
      }
      if let box = call[box] {
        let request = CinemasInBox(
          southWest: try box.southWest, northEast: try box.northEast, limit: CinemasInBox.askedMax)
        let inside = try await locator.ask(request, call, output)
        if inside.count == request.limit {
          output.note("only \(CinemasInBox.limitMax) of the box were looked at; give a smaller one")
        }
        cinemas = inside.prefix(CinemasInBox.limitMax).filter(isWanted)
      } else {
        var hasMore = true
        while hasMore {
          let request = ListCinemas(
            region: call[region], country: call[country]?.uppercased(), after: cinemas.last?.id, limit: 1_000,
            includesInactive: call[closed])
          let page = try await locator.ask(request, call, output)
          cinemas += page.cinemas
          hasMore = page.hasMore
        }
      }
      try output.write(Report(cinemas: cinemas))
      return .done
    }
  }

  /// A thousand years: longer than anything has been left alone, and no date before all calendars.
  private static let ageMax: Duration = .seconds(1_000 * 365 * 86_400)

  var geocode: Command {
    let text = Parameter<[String]>.arguments("TEXT", "a region, a town, a district, a street or a cinema")
    let count = Parameter<Int>.option("count", short: "n", "how many at most", default: 5, in: 1...100)
    return Command(
      "geocode", "tell where a place is, by what the directory knows",
      discussion: """
        No map is asked, and no network: a place is the middle of the cinemas there. Where the service does not run, \
        the built-in list is asked.
        """,
      examples: [.init("odi-locator geocode 종로구", "for near, --bbox or a new cinema")],
      takes: [text, count] + locator.parameters
    ) { call, output in
      var cinemas: [Cinema]
      do throws(CommandError) {
        cinemas = try await everything(call, output)
      } catch {
        guard error.code == .unreachable else { throw error }
        output.note("odi-locator does not run; this is what the built-in list says")
        cinemas = try LiveDirectory.known(zones: zones)
      }
      let words = call[text].joined(separator: " ")
      let found = Gazetteer(cinemas).find(words, limit: call[count])
      guard !found.isEmpty else {
        throw CommandError(.notFound, "nothing in the directory is called \(words)", try: "odi-locator regions")
      }
      let columns = [
        Report.Column("kind"), Report.Column("name", shrinks: true), Report.Column("region"),
        Report.Column("lat", alignment: .right), Report.Column("lon", alignment: .right),
        Report.Column("cinemas", alignment: .right),
      ]
      try output.write(
        Report(
          columns,
          rows: found.map { place in
            [
              "\(place.kind.rawValue)", "\(place.name)", "\(place.region)",
              .number(place.position.latitude, digits: 4), .number(place.position.longitude, digits: 4),
              .number(place.cinemas),
            ]
          }))
      return .done
    }
  }

  var get: Command {
    Command("get", "show one cinema", takes: [id] + locator.parameters) { call, output in
      try output.write(Report(cinema: try await cinema(call[id], call, output)))
      return .done
    }
  }

  var regions: Command {
    Command("regions", "list the regions that have cinemas", takes: locator.parameters) { call, output in
      let columns = [
        Report.Column("id"), Report.Column("name"), Report.Column("name_en"), Report.Column("country"),
        Report.Column("cinemas", alignment: .right), Report.Column("lat", visible: false),
        Report.Column("lon", visible: false),
      ]
      let rows = try await locator.ask(Regions(), call, output).map { region -> [Report.Cell] in
        [
          "\(region.id)", "\(region.name)", .text(region.nameEnglish), "\(region.country)", .number(region.cinemas),
          .number(region.center.latitude, digits: 4), .number(region.center.longitude, digits: 4),
        ]
      }
      try output.write(Report(columns, rows: rows))
      return .done
    }
  }

  var index: Command {
    Command(
      "index", "the directory in memory",
      subcommands: [
        Command("stats", "show how large it is", takes: locator.parameters) { call, output in
          try await describe(isRebuilt: false, call, output)
        },
        Command("rebuild", "make it anew from what is stored", takes: locator.parameters) { call, output in
          try await describe(isRebuilt: true, call, output)
        },
      ])
  }

  private func describe(isRebuilt: Bool, _ call: Invocation, _ output: Output) async throws -> ExitCode {
    let statistics = try await locator.ask(
      DescribeDirectory(isRebuilt: isRebuilt), call, output,
      timeout: isRebuilt ? Self.patience : ServiceAccess.patience)
    try output.write(
      Report(item: [
        (Report.Column("revision"), .number(Int(statistics.revision))),
        (Report.Column("cinemas"), .number(statistics.cinemas)), (Report.Column("active"), .number(statistics.active)),
        (Report.Column("regions"), .number(statistics.regions)),
        (Report.Column("tree_depth"), .number(statistics.treeDepth)),
        (Report.Column("names"), .number(statistics.names)),
      ]))
    return .done
  }
}

/// `126.7,37.4,127.2,37.7`: west, south, east, north, as in GeoJSON.
nonisolated extension MapBox: ArgumentValue {
  package static var wanted: String { "west,south,east,north in degrees" }
  package static var valueName: String { "W,S,E,N" }
  package init?(argument: String) {
    let sides = argument.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0.trimmed) }
    guard sides.count == 4, sides.allSatisfy(\.isFinite) else { return nil }
    self.init(south: sides[1], west: sides[0], north: sides[3], east: sides[2])
  }
  package var argument: String { "\(west),\(south),\(east),\(north)" }

  var southWest: Coordinate {
    get throws(RPCError) { try Coordinate(latitude: south, longitude: west) }
  }
  var northEast: Coordinate {
    get throws(RPCError) { try Coordinate(latitude: north, longitude: east) }
  }
}

/// A direction as people say it.
nonisolated struct Bearing {
  let degrees: Double

  var name: String {
    let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    return names[Int((degrees / 45).rounded()) % 8]
  }
}

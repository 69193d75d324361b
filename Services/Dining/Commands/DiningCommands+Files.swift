import Calendars
import Clocks
import Contracts
import Directories
import Drafts
import RPC
import ServiceKit

/// `import`, `export`, `lint`, `rm`, `history`, `seed`.
extension DiningCommands {
  private var path: Parameter<String> { .argument("FILE", "a file, or - for standard input", completion: .files) }

  private var country: Parameter<String?> { .optionalOption("country", "of rows that do not say it: KR") }

  var importing: Command {
    let (path, country) = (path, country)
    return Command(
      "import", "add the restaurants of a file, and change those that are there",
      discussion: """
        CSV with a line of names, JSON as `export` writes it, or a saved answer of Recruit's gourmet guide. Rows that are \
        wrong are listed and left out; the exit code is then 8. Restaurants that are not in the file stay as they are, \
        and so does what a file says nothing of: columns or members that it lacks. An empty cell clears.
        """,
      examples: [.init("odi-dining import places.csv --dry-run", "what it would change")],
      takes: [path, country, Confirmation.dryRun] + dining.parameters
    ) { call, output in
      var reading = try read(call[path])
      let kept = try await keptRestaurants(reading.ids, call, output)
      reading.complete(from: kept)
      reading.fill(country: call[country])
      let (all, unreadable) = reading.checked(zones: zones)
      let (places, twins) = DraftReading.unique(all)
      let problems = unreadable + twins
      let isDryRun = call[Confirmation.dryRun]
      let edits = try await store(places.map(\.restaurant), isDryRun: isDryRun, call, output)
      try output.write(Report(edits: edits))
      for problem in problems { output.note(problem.line) }
      let added = edits.count { $0.kind == .added }
      let words = [
        "\(added) added", "\(edits.count - added) changed", "\(places.count - edits.count) unchanged",
        "\(problems.count) refused",
      ]
      output.note(words.joined(separator: " · ") + (isDryRun ? " · nothing was stored (--dry-run)" : ""))
      return problems.isEmpty ? .done : .partial
    }
  }

  /// Those that there are of these.
  private func keptRestaurants(
    _ ids: [RestaurantID], _ call: Invocation, _ output: Output
  ) async throws -> [RestaurantID: Restaurant] {
    var kept: [RestaurantID: Restaurant] = [:]
    var rest = ids[...]
    while !rest.isEmpty {
      let request = ListRestaurants(limit: Self.batch, only: Array(rest.prefix(Self.batch)))
      for place in try await dining.ask(request, call, output) { kept[place.id] = place }
      rest = rest.dropFirst(Self.batch)
    }
    return kept
  }

  private func read(_ path: String) throws(CommandError) -> DraftReading {
    do {
      let bytes = try contents(
        ofFile: path == "-" ? "/dev/stdin" : path, bytesMax: RestaurantFormat.bytesMax)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return try RestaurantFormat(of: bytes).read(bytes, named: name)
    } catch {
      throw CommandError(explaining: error)
    }
  }

  /// In batches, so that a message stays small and progress shows.
  private func store(
    _ places: [Restaurant], isDryRun: Bool, _ call: Invocation, _ output: Output
  ) async throws -> [RestaurantEdit] {
    let progress = Progress("restaurants", total: places.count, to: output, time: time)
    var edits: [RestaurantEdit] = []
    var rest = places[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(Self.batch))
      rest = rest.dropFirst(batch.count)
      let request = PutRestaurants(
        restaurants: batch, editor: editor(output), isDryRun: isDryRun, hasMore: !rest.isEmpty)
      edits += try await dining.ask(request, call, output, timeout: Self.patience)
      progress.advance(by: batch.count)
    }
    if places.count > Self.batch { progress.finish() }
    return edits
  }

  private static let batch = 100

  var exporting: Command {
    let format = Parameter<RestaurantFormat>.option("format", "in which form", default: .csv)
    let all = Parameter<Bool>.flag("all", "also what a guide told, which its terms may not let you pass on")
    return Command(
      "export", "write the restaurants to standard output", takes: [format, all] + dining.parameters
    ) { call, output in
      let everything = try await everything(call, output)
      let places = everything.filter { call[all] || $0.source != .hotpepper }
      output.write((output.format == .json ? .json : call[format]).write(places))
      if places.count < everything.count {
        let left = everything.count - places.count
        output.note("\(left) that the guide told are left out, as its terms may not let you pass them on (--all)")
      }
      return .done
    }
  }

  var lint: Command {
    let file = Parameter<String?>.optionalArgument(
      "FILE", "a file instead of what is kept; - for standard input", completion: .files)
    let country = country
    return Command(
      "lint", "tell what is probably wrong with the restaurants, or with a file before it is imported",
      discussion: """
        Ids given twice, one restaurant twice, points in another country, hours that cannot be read. Exit code 9 if there \
        is a problem; warnings are none. A file needs no running service.
        """,
      takes: [file, country] + dining.parameters
    ) { call, output in
      var findings: [Finding] = []
      var entries: [RestaurantLint.Entry] = []
      if let file = call[file] {
        var reading = try read(file)
        reading.fill(country: call[country])
        let (places, problems) = reading.checked(zones: zones)
        entries = places
        findings = problems.flatMap { $0.findings() }
      } else {
        entries = try await everything(call, output).map { RestaurantLint.Entry($0.id.text, $0) }
      }
      findings += RestaurantLint.findings(in: entries)
      try output.write(Report(findings: findings))
      output.note(findings.summary(entries.count, "restaurants"))
      return findings.problemCount == 0 ? .done : .degraded
    }
  }

  var remove: Command {
    Command(
      "rm", "take a restaurant out",
      discussion: "One that has closed is better kept, with active 0 in an import: its id may be in somebody's plan.",
      takes: [id, Confirmation.yes] + dining.parameters
    ) { call, output in
      let place = try await restaurant(call[id], call, output)
      try Confirmation(call, output.terminal).require("remove \(place.name) (\(place.id))")
      let request = RemoveRestaurant(id: place.id, editor: editor(output))
      try output.write(Report(edits: [try await dining.ask(request, call, output)]))
      return .done
    }
  }

  var history: Command {
    let only = Parameter<RestaurantID?>.optionalArgument("ID", "of this restaurant")
    let count = Parameter<Int>.option("count", short: "n", "how many", default: 20, in: 1...1_000)
    return Command("history", "list the changes, newest first", takes: [only, count] + dining.parameters) {
      call, output in
      let request = RestaurantHistory(restaurant: call[only], before: nil, limit: call[count])
      try output.write(Report(edits: try await dining.ask(request, call, output)))
      return .done
    }
  }

  var seed: Command {
    Command(
      "seed", "add the invented restaurants around the known cinemas that are not there yet", takes: dining.parameters
    ) { call, output in
      let edits = try await dining.ask(SeedRestaurants(), call, output, timeout: Self.patience)
      try output.write(Report(item: [(Report.Column("added"), .number(edits.count))]))
      return .done
    }
  }
}

nonisolated extension DraftReading {
  /// The country of drafts that say none.
  fileprivate mutating func fill(country: String?) {
    for index in drafts.indices where drafts[index][.country] == nil { drafts[index][.country] = country }
  }
}

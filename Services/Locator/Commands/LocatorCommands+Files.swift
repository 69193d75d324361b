import Clocks
import Contracts
import Directories
import Drafts
import EventLoops
import RPC
import ServiceKit

/// `import`, `export`, `lint`.
extension LocatorCommands {
  private var path: Parameter<String> { .argument("FILE", "a file, or - for standard input", completion: .files) }

  private var format: Parameter<DirectoryFormat?> {
    .optionalOption("format", "found from the name and the content if not said")
  }

  /// What rows that do not say it have.
  private var defaults: [(field: CinemaField, option: Parameter<String?>)] {
    [
      (.country, .optionalOption("country", "of rows that do not say it: KR")),
      (.region, .optionalOption("region", "of rows that do not say it: seoul")),
      (.zone, .optionalOption("time-zone", "of rows that do not say it: Asia/Seoul")),
    ]
  }

  // MARK: Import

  var importing: Command {
    let (path, format, defaults) = (path, format, defaults)
    let moved = Parameter<Bool>.flag("moved", "take ids that are kept kilometres away: those cinemas have moved")
    return Command(
      "import", "add the cinemas of a file, and change those that are there",
      discussion: """
        CSV with a line of names, GeoJSON, or OpenStreetMap's JSON as Overpass answers. Rows that are wrong are listed \
        and left out; the exit code is then 8. Cinemas that are not in the file stay as they are, and so does what a \
        file says nothing of: columns that it lacks, tags that a place has not. An empty cell clears. OpenStreetMap's \
        places get their ids from their names, with its number where another cinema has that.
        """,
      examples: [
        .init("odi-locator import cinemas.csv --dry-run", "what it would change, field by field"),
        .init("odi-locator import overpass.json --country JP --region tokyo", "rows without a country or region"),
      ], takes: [path, format, moved, Confirmation.dryRun] + defaults.map(\.option) + locator.parameters
    ) { call, output in
      var reading = try await read(call[path], call[format])
      let kept = try await keptCinemas(Background.run { [reading] in reading.possibleIDs }, call, output)
      reading = await Background.run { [reading, mayMove = call[moved]] in
        reading.settled(among: kept, mayMove: mayMove)
      }
      reading.fill(defaults.map { ($0.field, call[$0.option]) })
      let imported = try await store(reading.drafts, isDryRun: call[Confirmation.dryRun], call, output)
      let problems = reading.problems + imported.problems
      try output.write(Report(edits: imported.edits))
      for remark in reading.remarks { output.note("warning: \(remark.line)") }
      for problem in problems { output.note(problem.line) }
      output.note(
        summary(imported.cinemas, imported.edits, problems.count, isDryRun: call[Confirmation.dryRun]))
      return problems.isEmpty ? .done : .partial
    }
  }

  /// Those that there are of these.
  private func keptCinemas(
    _ ids: [CinemaID], _ call: Invocation, _ output: Output
  ) async throws -> [CinemaID: Cinema] {
    var kept: [CinemaID: Cinema] = [:]
    let progress = Progress("ids", total: ids.count, to: output, time: time)
    var rest = ids[...]
    while !rest.isEmpty {
      let request = CinemasByID(ids: Array(rest.prefix(Self.batch)))
      for cinema in try await locator.ask(request, call, output) { kept[cinema.id] = cinema }
      rest = rest.dropFirst(Self.batch)
      progress.advance(by: request.ids.count)
    }
    if ids.count > Self.batch { progress.finish() }
    return kept
  }

  /// A hundred thousand rows take seconds, which are not the loop's: who is asked next would be given up for silent.
  private func read(_ path: String, _ format: DirectoryFormat?) async throws(CommandError) -> DraftReading {
    do {
      let file = path == "-" ? "/dev/stdin" : path
      let bytes = try contents(ofFile: file, bytesMax: DirectoryFormat.bytesMax)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let reading = await Background.run {
        Result { try (format ?? DirectoryFormat(of: bytes, named: name)).read(bytes, named: name) }
      }
      return try reading.get()
    } catch {
      throw CommandError(explaining: error)
    }
  }

  /// What became of rows.
  private struct Imported {
    var cinemas = 0
    var edits: [CinemaEdit] = []
    var problems: [DraftProblems] = []
  }

  /// In batches, so that a message and a turn of the loop stay small and progress shows.
  private func store(
    _ drafts: [CinemaDraft], isDryRun: Bool, _ call: Invocation, _ output: Output
  ) async throws -> Imported {
    let progress = Progress("cinemas", total: drafts.count, to: output, time: time)
    var imported = Imported()
    var rest = drafts[...]
    while !rest.isEmpty {
      var batch = DraftReading()
      batch.drafts = Array(rest.prefix(Self.batch))
      rest = rest.dropFirst(batch.drafts.count)
      let (cinemas, problems) = batch.checked(zones: zones)
      imported.problems += problems
      imported.cinemas += cinemas.count
      imported.edits += try await put(cinemas, isDryRun: isDryRun, hasMore: !rest.isEmpty, call, output)
      progress.advance(by: batch.drafts.count)
    }
    if drafts.count > Self.batch { progress.finish() }
    return imported
  }

  private func put(
    _ cinemas: [Cinema], isDryRun: Bool, hasMore: Bool, _ call: Invocation, _ output: Output
  ) async throws -> [CinemaEdit] {
    let request = PutCinemas(cinemas: cinemas, editor: editor(output), isDryRun: isDryRun, hasMore: hasMore)
    return try await locator.ask(request, call, output, timeout: Self.patience)
  }

  private static let batch = 500

  private func summary(_ read: Int, _ edits: [CinemaEdit], _ refused: Int, isDryRun: Bool) -> String {
    let added = edits.count { $0.kind == .added }
    let words = [
      "\(added) added", "\(edits.count - added) changed", "\(read - edits.count) unchanged", "\(refused) refused",
    ]
    return words.joined(separator: " · ") + (isDryRun ? " · nothing was stored (--dry-run)" : "")
  }

  // MARK: Export

  var exporting: Command {
    let format = Parameter<ExportFormat>.option("format", "in which form", default: .csv)
    return Command(
      "export", "write the whole directory to standard output",
      examples: [.init("odi-locator export --format geojson | jq '.features | length'", "for maps and tools")],
      takes: [format] + locator.parameters
    ) { call, output in
      let all = try await everything(call, output)
      switch call[format] {
      case .csv: output.write(CinemaTable.write(all))
      case .geojson: output.write(CinemaGeoJSON.write(all))
      case .kml: output.write(CinemaKML.write(all))
      }
      return .done
    }
  }

  // MARK: Lint

  var lint: Command {
    let file = Parameter<String?>.optionalArgument(
      "FILE", "a file instead of the directory; - for standard input", completion: .files)
    let fix = Parameter<Bool>.flag("fix", "mend in the directory what is beyond doubt: swapped coordinates")
    let (format, defaults) = (format, defaults)
    return Command(
      "lint", "tell what is probably wrong with the directory, or with a file before it is imported",
      discussion: """
        Cinemas nearer than 50 m to each other, points outside their region, latitude and longitude swapped, a series \
        that slipped by one row, ids given twice, time zones that are missing or do not fit. Exit code 9 if there is a \
        problem; warnings are none. A file needs no running service.
        """,
      takes: [file, format, fix, Confirmation.yes, Confirmation.dryRun] + defaults.map(\.option) + locator.parameters
    ) { call, output in
      if call[fix], call[file] != nil {
        throw CommandError(
          .usage, "--fix is for the directory, not for a file", why: "what is right in your file is yours to say",
          try: "odi-locator import FILE, then odi-locator lint --fix")
      }
      var findings: [Finding] = []
      var entries: [Lint.Entry] = []
      if let file = call[file] {
        var reading = try await read(file, call[format])
        reading.fill(defaults.map { ($0.field, call[$0.option]) })
        (entries, findings) = judged(reading)
      } else {
        entries = try await everything(call, output).map { Lint.Entry($0.id.text, $0) }
      }
      let verdict = Lint.verdict(on: entries, zones: zones, at: time.wall)
      findings += verdict.findings
      try output.write(Report(findings: findings))
      let (problems, mended) = (findings.problemCount, verdict.mended)
      output.note(findings.summary(entries.count, "cinemas"))
      if call[fix] {
        guard !mended.isEmpty else {
          output.note("nothing of it is mended without somebody who knows")
          return problems == 0 ? .done : .degraded
        }
        if !call[Confirmation.dryRun] {
          try Confirmation(call, output.terminal).require("change \(mended.count) cinemas")
        }
        var edits: [CinemaEdit] = []
        var rest = mended[...]
        while !rest.isEmpty {
          let batch = Array(rest.prefix(Self.batch))
          rest = rest.dropFirst(batch.count)
          edits += try await put(batch, isDryRun: call[Confirmation.dryRun], hasMore: !rest.isEmpty, call, output)
        }
        output.note(summary(mended.count, edits, 0, isDryRun: call[Confirmation.dryRun]))
        return mended.count == problems && !call[Confirmation.dryRun] ? .done : .degraded
      }
      return problems == 0 ? .done : .degraded
    }
  }

  /// The rows that are right, and a finding for each that is not.
  private func judged(_ reading: DraftReading) -> ([Lint.Entry], [Finding]) {
    var entries: [Lint.Entry] = []
    var findings = reading.problems.flatMap { $0.findings() }
    findings += reading.remarks.flatMap { $0.findings(.warning, "not-taken") }
    for draft in reading.drafts {
      do throws(DraftProblems) {
        let cinema = try draft.cinema(zones: zones)
        entries.append(Lint.Entry(draft.place, cinema))
        if draft[.zone] == nil {
          let text = "time_zone is missing; \(cinema.zone) is taken for \(cinema.country)"
          findings.append(Finding(.warning, "missing-zone", at: draft.place, text))
        }
      } catch {
        findings += error.findings()
      }
    }
    return (entries, findings)
  }
}

nonisolated extension DraftReading {
  fileprivate func settled(among kept: [CinemaID: Cinema], mayMove: Bool) -> DraftReading {
    var reading = self
    reading.settle(among: kept, mayMove: mayMove)
    return reading
  }

  /// Fields of drafts that say nothing of them.
  fileprivate mutating func fill(_ defaults: [(field: CinemaField, text: String?)]) {
    for index in drafts.indices {
      for (field, text) in defaults where drafts[index][field] == nil { drafts[index][field] = text }
    }
  }
}

/// In which form the directory can be written.
nonisolated enum ExportFormat: String, CaseIterable, ArgumentValue { case csv, geojson, kml }

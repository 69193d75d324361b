import Clocks
import Contracts
import Directories
import Drafts
import ServiceKit

/// `import`, `export`, `lint`.
extension RadioCommands {
  private var path: Parameter<String> { .argument("FILE", "a file, or - for standard input", completion: .files) }

  private var format: Parameter<StationFormat?> {
    .optionalOption("format", "found from the name and the content if not said")
  }

  private var section: Parameter<String?> { .optionalOption("section", "of those that do not say it: music") }

  var importing: Command {
    let (path, format, section) = (path, format, section)
    return Command(
      "import", "add the stations of a file, and change those that are there",
      discussion: """
        CSV with a line of names, JSON, OPML, or a player's list (PLS, M3U, XSPF, ASX). Rows that are wrong are listed and \
        left out; the exit code is then 8. Stations that are not in the file stay as they are, and so does what a file \
        has no place for: rights, programmes, columns that it lacks. An empty cell clears. A file of somebody else's \
        brings no rights with it unless it says so.
        """,
      examples: [.init("odi-radio import stations.csv --dry-run", "what it would change, field by field")],
      takes: [path, format, section, Confirmation.dryRun] + radio.parameters
    ) { call, output in
      var reading = try read(call[path], call[format])
      let kept = try await everything(call, output).map(\.record)
      reading.complete(from: Dictionary(kept.map { ($0.id, $0) }) { first, _ in first })
      reading.fill(section: call[section])
      let (records, problems) = reading.checked()
      let isDryRun = call[Confirmation.dryRun]
      var edits: [StationEdit] = []
      var rest = records[...]
      while !rest.isEmpty {
        let batch = Array(rest.prefix(Self.batch))
        rest = rest.dropFirst(batch.count)
        let request = PutStations(records: batch, editor: editor(output), isDryRun: isDryRun)
        edits += try await radio.ask(request, call, output)
      }
      try output.write(Report(edits: edits))
      for remark in reading.remarks { output.note("warning: \(remark.line)") }
      for problem in problems { output.note(problem.line) }
      let added = edits.count { $0.kind == .added }
      output.note(
        "\(added) added · \(edits.count - added) changed · \(records.count - edits.count) unchanged · "
          + "\(problems.count) refused" + (isDryRun ? " · nothing was stored (--dry-run)" : ""))
      return problems.isEmpty ? .done : .partial
    }
  }

  private static let batch = 200

  private func read(_ path: String, _ format: StationFormat?) throws(CommandError) -> StationReading {
    do {
      let bytes = try contents(ofFile: path == "-" ? "/dev/stdin" : path, bytesMax: StationFormat.bytesMax)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return try (format ?? StationFormat(of: bytes, named: name)).read(bytes, named: name)
    } catch {
      throw CommandError(explaining: error)
    }
  }

  var exporting: Command {
    let format = Parameter<ExportFormat>.option("format", "in which form", default: .csv)
    return Command(
      "export", "write the whole directory to standard output", takes: [format] + radio.parameters
    ) { call, output in
      let records = try await everything(call, output).map(\.record)
      let isTable = call[format] == .csv && output.format != .json
      output.write(isTable ? StationTable.write(records) : StationJSON.write(records))
      return .done
    }
  }

  var lint: Command {
    let file = Parameter<String?>.optionalArgument(
      "FILE", "a file instead of the directory; - for standard input", completion: .files)
    let format = format
    return Command(
      "lint", "tell what is probably wrong with the directory, or with a file before it is imported",
      discussion: """
        Two stations with one stream, addresses made for one listener or with a key in them, pages for people, rights \
        that have ended. Exit code 9 if there is a problem; warnings are none. A file needs no running service.
        """,
      takes: [file, format] + radio.parameters
    ) { call, output in
      var findings: [Finding] = []
      var entries: [Lint.Entry] = []
      if let file = call[file] {
        let reading = try read(file, call[format])
        let (records, problems) = reading.checked()
        entries = records.map { Lint.Entry($0.id.text, $0) }
        findings = problems.flatMap { $0.findings() }
      } else {
        entries = try await everything(call, output).map { Lint.Entry($0.record.id.text, $0.record) }
      }
      findings += Lint.findings(in: entries, at: time.wall)
      try output.write(Report(findings: findings))
      output.note(findings.summary(entries.count, "stations"))
      return findings.problemCount == 0 ? .done : .degraded
    }
  }
}

nonisolated extension StationReading {
  /// The section of drafts that name none.
  fileprivate mutating func fill(section: String?) {
    guard let section else { return }
    for place in drafts.indices where (drafts[place][.section] ?? KnownSection.other) == KnownSection.other {
      drafts[place][.section] = section
    }
  }
}

/// In which form the directory can be written.
nonisolated enum ExportFormat: String, CaseIterable, ArgumentValue { case csv, json }

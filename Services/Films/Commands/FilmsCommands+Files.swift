import Calendars
import Clocks
import Contracts
import Directories
import Drafts
import FilmFiles
import HTML
import JSON
import RPC
import ServiceKit

/// `import`, `export`, `lint`.
extension FilmsCommands {
  private var path: Parameter<String> { .argument("FILE", "a file, or - for standard input", completion: .files) }

  private var format: Parameter<FilmFormat?> {
    .optionalOption("source", "found from the content if not said")
  }

  // MARK: Import

  var importing: Command {
    let (path, format) = (path, format)
    return Command(
      "import", "add the films of a file, and complete those that are there",
      discussion: """
        CSV with a line of names, or JSON as TMDb or KOBIS answer, one text or one a line. A film is found by its ids, \
        or by title, year and director; where that is not enough it becomes a film of its own, which is told. What a \
        row does not say stays. Rows of a table that are wrong are listed and left out; of JSON only the field is \
        left out, if it can be. The exit code is then 8. Columns that are none of ours are told and not taken.
        """,
      examples: [
        .init("odi-films import films.csv --dry-run", "what it would change, field by field"),
        .init("odi-films import answer.json --source kobis", ""),
      ], takes: [path, format, Confirmation.dryRun] + films.parameters
    ) { call, output in
      let reading = try self.read(call[path], call[format])
      let read = reading.checked()
      let isDryRun = call[Confirmation.dryRun]
      let edits = try await store(read, isDryRun: isDryRun, call, output)
      try output.write(Report(edits: edits))
      for problem in read.problems { output.note(problem.line) }
      for remark in read.remarks { output.note("left out: \(remark.line)") }
      if let remark = reading.remark { output.note(remark) }
      tellNamesakes(edits, output)
      let added = edits.count { $0.kind == .added }
      let words = [
        "\(added) added", "\(edits.count - added) changed", "\(read.films.count - edits.count) unchanged",
        "\(read.problems.count) refused",
      ]
      output.note(words.joined(separator: " · ") + (isDryRun ? " · nothing was stored (--dry-run)" : ""))
      if let job = edits.first?.job { output.note("odi-films undo --job \(job) takes it back") }
      return read.problems.isEmpty && read.remarks.isEmpty ? .done : .partial
    }
  }

  private func read(_ path: String, _ format: FilmFormat?) throws(CommandError) -> FilmReading {
    do {
      let file = path == "-" ? "/dev/stdin" : path
      let bytes = try contents(ofFile: file, bytesMax: FilmFormat.bytesMax)
      return try FilmFormat.read(
        Charset.utf8(bytes), named: path.split(separator: "/").last.map(String.init) ?? path, as: format)
    } catch {
      throw CommandError(explaining: error)
    }
  }

  /// In batches, so that a message stays small and progress shows.
  private func store(
    _ read: CheckedFilms, isDryRun: Bool, _ call: Invocation, _ output: Output
  ) async throws -> [FilmEdit] {
    let all = read.films
    let unnamed = Set(read.unnamed)
    let progress = Progress("films", total: all.count, to: output, time: time)
    var edits: [FilmEdit] = []
    var rest = all[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.batch)
      rest = rest.dropFirst(batch.count)
      let request = PutFilms(
        films: Array(batch), unnamed: batch.indices.filter(unnamed.contains).map { $0 - batch.startIndex },
        editor: editor(output), isDryRun: isDryRun, hasMore: !rest.isEmpty, job: edits.first?.job)
      edits += try await films.ask(request, call, output, timeout: Self.patience)
      progress.advance(by: batch.count)
    }
    if all.count > Self.batch { progress.finish() }
    return edits
  }

  private static let batch = 200

  // MARK: Export

  var exporting: Command {
    Command(
      "export", "write the whole catalogue to standard output, as CSV",
      examples: [.init("odi-films export > films.csv", "odi-films import reads it back; list --json is for programs")],
      takes: films.parameters
    ) { call, output in
      guard output.format == .table else {
        throw CommandError(.usage, "export writes CSV and nothing else", try: "odi-films list --json")
      }
      output.write(FilmTable.write(try await everything(call, output)))
      return .done
    }
  }

  // MARK: Lint

  var lint: Command {
    let file = Parameter<String?>.optionalArgument(
      "FILE", "a file instead of the catalogue; - for standard input", completion: .files)
    let format = format
    return Command(
      "lint", "tell what is probably wrong with the catalogue, or with a file before it is imported",
      discussion: """
        What a film must have and lacks, films that are there twice, years that cannot be, titles with a cinema's words \
        around them. Exit code 9 if there is a problem.
        """, takes: [file, format] + films.parameters
    ) { call, output in
      var entries: [FilmLint.Entry]
      var findings: [Finding] = []
      if let file = call[file] {
        (entries, findings) = judged(try read(file, call[format]))
      } else {
        entries = try await everything(call, output).map { FilmLint.Entry($0.film.id.text, $0) }
      }
      findings += FilmLint.findings(in: entries, thisYear: Timestamp(time.wall).local.date.year)
      try output.write(Report(findings: findings))
      output.note(findings.summary(entries.count, "films"))
      return findings.problemCount == 0 ? .done : .degraded
    }
  }

  /// The rows that are right, and a finding for each that is not.
  private func judged(_ reading: FilmReading) -> ([FilmLint.Entry], [Finding]) {
    var entries: [FilmLint.Entry] = []
    var problems = reading.problems
    for draft in reading.drafts {
      do throws(DraftProblems) {
        entries.append(FilmLint.Entry(draft.place, try draft.film()))
      } catch {
        problems.append(error)
      }
    }
    return (entries, problems.flatMap { $0.findings() })
  }
}

nonisolated extension FilmFormat: ArgumentValue {}

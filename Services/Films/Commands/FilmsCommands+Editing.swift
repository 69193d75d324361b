import Contracts
import Directories
import Drafts
import FilmFiles
import RPC
import ServiceKit

/// `add`, `edit`, `rm`, `merge`, `split`, `alias`, `undo`, `history`, `fetch`, `adopt`, `seed`.
extension FilmsCommands {
  /// A change is answered when the catalogue has been made anew, which takes seconds for a very large one.
  static let patience: Duration = .seconds(600)

  /// An option for each field that can be written.
  private var options: [(field: FilmField, option: Parameter<String?>)] {
    FilmField.allCases.filter { $0 != .id && $0 != .otherIDs }.map { field in
      let name = String(field.rawValue.map { $0 == "_" ? "-" : $0 })
      return (field, .optionalOption(name, field.help))
    }
  }

  var add: Command {
    let options = options
    let id = Parameter<FilmID?>.optionalOption("id", "its id; made of title and year if not said")
    return Command(
      "add", "add a film",
      examples: [.init("odi-films add --title-en 'First Love' --title-ko 첫사랑 --year 2026 --directors 'Kim A'", "")],
      takes: [id, Confirmation.dryRun] + options.map(\.option) + films.parameters
    ) { call, output in
      var draft = FilmDraft("the film")
      draft[.id] = call[id]?.text
      for (field, option) in options { draft[field] = call[option] }
      return try await put(draft, mustBeNew: true, call, output)
    }
  }

  var edit: Command {
    let options = options
    return Command(
      "edit", "change fields of a film", discussion: "An empty value takes a field away.",
      examples: [.init("odi-films edit film_ran-1985 --runtime-min 162 --title-ko 란", "two fields")],
      takes: [id, Confirmation.dryRun] + options.map(\.option) + films.parameters
    ) { call, output in
      var draft = FilmDraft(try await film(call[id], call, output))
      for (field, option) in options {
        if let text = call[option] { draft[field] = text }
      }
      return try await put(draft, mustBeNew: false, call, output)
    }
  }

  private func put(
    _ draft: FilmDraft, mustBeNew: Bool, _ call: Invocation, _ output: Output
  ) async throws -> ExitCode {
    let film: CatalogueFilm
    do throws(DraftProblems) {
      film = try draft.film()
    } catch {
      throw CommandError(.usage, "\(error.place) cannot be stored", details: error.problems)
    }
    let isDryRun = call[Confirmation.dryRun]
    let request = PutFilms(
      films: [film], unnamed: draft.hasID ? nil : [0], editor: editor(output), isDryRun: isDryRun,
      mustBeNew: mustBeNew, isWhole: !mustBeNew)
    let edits = try await films.ask(request, call, output, timeout: Self.patience)
    try output.write(Report(edits: edits))
    tellNamesakes(edits, output)
    output.note(edits.isEmpty ? "nothing changed" : isDryRun ? "nothing was stored (--dry-run)" : "stored")
    return .done
  }

  var remove: Command {
    Command(
      "rm", "take a film out of the catalogue, with all its ids",
      discussion: "If it is another film as well, merge the two instead: its id may be in somebody's bookmarks.",
      takes: [id, Confirmation.yes] + films.parameters
    ) { call, output in
      let film = try await film(call[id], call, output).film
      try Confirmation(call, output.terminal).require("remove \(film.title) (\(film.id)) from the catalogue")
      return try await change(RemoveFilm(id: film.id, editor: editor(output)), call, output)
    }
  }

  var merge: Command {
    let second = Parameter<FilmID>.argument("SECOND", "the film that goes; its ids lead to the first")
    return Command(
      "merge", "make one film of two", discussion: "odi-films split takes it back.",
      takes: [id, second] + films.parameters
    ) { call, output in
      try await change(MergeRecords(first: call[id], second: call[second], editor: editor(output)), call, output)
    }
  }

  var split: Command {
    Command(
      "split", "make two films again of what was merged", discussion: "ID is the one that went.",
      takes: [id] + films.parameters
    ) { call, output in
      try await change(UndoEdit(revision: nil, merged: call[id], editor: editor(output)), call, output)
    }
  }

  var alias: Command {
    let title = Parameter<String>.argument("TITLE", "as it is printed")
    return Command(
      "alias", "titles that mean a film whatever they look like",
      subcommands: [
        Command(
          "add", "teach that a printed title means a film",
          examples: [.init("odi-films alias add '고레에다 히로카즈 신작' film_monster-2023", "what no matching would find")],
          takes: [title, id] + films.parameters
        ) { call, output in
          try await change(TeachTitle(title: call[title], film: call[id], editor: editor(output)), call, output)
        },
        Command("rm", "forget what a printed title was taught to mean", takes: [title] + films.parameters) {
          call, output in
          try await change(ForgetTitle(title: call[title], editor: editor(output)), call, output)
        },
        Command("list", "list the titles that were taught, as they are compared", takes: films.parameters) {
          call, output in
          try output.write(Report(taught: try await lessons(call, output)))
          return .done
        },
      ])
  }

  private func lessons(_ call: Invocation, _ output: Output) async throws(CommandError) -> [TaughtTitle] {
    var all: [TaughtTitle] = []
    while true {
      let page = try await films.ask(TaughtTitles(after: all.last?.title, limit: Self.page), call, output)
      all += page
      if page.count < Self.page { return all }
    }
  }

  private static let page = 500

  var undo: Command {
    let revision = Parameter<Int?>.optionalArgument("REVISION", "of the change, as history lists it")
    let job = Parameter<Int?>.optionalOption(
      "job", "all that one import or fetch changed, by the number that it told; history --fields job lists it")
    return Command(
      "undo", "take a change back, or all of an import",
      discussion: "Of a job, films that were changed since stay as they are and are told; the exit code is then 8.",
      takes: [revision, job] + films.parameters
    ) { call, output in
      switch (call[revision], call[job]) {
      case (let revision?, nil):
        try await change(UndoEdit(revision: Int64(revision), merged: nil, editor: editor(output)), call, output)
      case (nil, let job?): try await undo(job: Int64(job), call, output)
      default: throw CommandError(.usage, "give a revision, or --job", try: "odi-films history")
      }
    }
  }

  private func undo(job: Int64, _ call: Invocation, _ output: Output) async throws -> ExitCode {
    var edits: [FilmEdit] = []
    var kept: [FilmID] = []
    var request = UndoJob(job: job, editor: editor(output))
    repeat {
      let undone = try await films.ask(request, call, output, timeout: Self.patience)
      edits += undone.edits
      kept += undone.kept
      request.before = undone.next
    } while request.before != nil
    try output.write(Report(edits: edits))
    for film in kept {
      output.note("\(film) was changed since and stays as it is; odi-films undo REVISION takes one back")
    }
    return kept.isEmpty ? .done : .partial
  }

  /// Says which films were not taken for others of the same title; only somebody who knows them can tell.
  func tellNamesakes(_ edits: [FilmEdit], _ output: Output) {
    let apart = edits.filter { $0.namesakes != nil }
    for edit in apart.prefix(Self.namesakesTold) {
      let others = (edit.namesakes ?? []).map(\.text).joined(separator: ", ")
      output.note(
        "\(edit.title) is a film of its own, \(edit.film), beside \(others); odi-films merge makes one of two")
    }
    if apart.count > Self.namesakesTold { output.note("and \(apart.count - Self.namesakesTold) more of this kind") }
  }

  /// More nobody reads.
  private static let namesakesTold = 20

  private func change<Request: RPCRequest>(
    _ request: Request, _ call: Invocation, _ output: Output
  ) async throws -> ExitCode where Request.Response == FilmEdit {
    try output.write(Report(edits: [try await films.ask(request, call, output, timeout: Self.patience)]))
    return .done
  }

  var history: Command {
    let only = Parameter<FilmID?>.optionalArgument("ID", "of this film")
    let count = Parameter<Int>.option("count", short: "n", "how many", default: 20, in: 1...1_000)
    let before = Parameter<Int?>.optionalOption("before", "only older than this revision")
    return Command(
      "history", "list the changes of the catalogue, newest first", takes: [only, count, before] + films.parameters
    ) { call, output in
      let request = FilmHistory(film: call[only], before: call[before].map { Int64($0) }, limit: call[count])
      try output.write(Report(edits: try await films.ask(request, call, output)))
      return .done
    }
  }

  var fetch: Command {
    let numbers = Parameter<[String]>.arguments("NUMBER", "a film's number there: 843; of KOBIS its code: 20231089")
    let search = Parameter<String?>.optionalOption("search", "fetch what this title finds")
    let year = Parameter<Int?>.optionalOption("year", "of the searched film")
    let source = Parameter<FilmSource>.option("source", "which to ask: tmdb or kobis", default: .tmdb)
    return Command(
      "fetch", "take up films from The Movie Database or KOBIS, with the service's key",
      discussion: """
        The service has to be started with --tmdb-key-file or --kobis-key-file. \(TMDbDocument.credit) \
        \(KOBISDocument.credit)
        """,
      examples: [
        .init("odi-films fetch 843 11423", ""), .init("odi-films fetch --search 기생충 --year 2019", ""),
        .init("odi-films fetch --source kobis 20183782", ""),
      ],
      takes: [numbers, search, year, source] + films.parameters
    ) { call, output in
      guard !call[numbers].isEmpty || call[search] != nil else {
        throw CommandError(.usage, "nothing to fetch", try: "odi-films fetch NUMBER, or --search TITLE")
      }
      let editor = editor(output)
      let fetched: FetchedFilms
      switch call[source] {
      case .tmdb:
        let known = try call[numbers].map { text throws(CommandError) -> Int in
          guard let number = Int(text) else {
            throw CommandError(.usage, "\(text) is no number of TMDb's", try: "odi-films fetch 843")
          }
          return number
        }
        let request = FetchFromTMDb(numbers: known, search: call[search], year: call[year], editor: editor)
        fetched = try await films.ask(request, call, output, timeout: Self.patience)
      case .kobis:
        let request = FetchFromKOBIS(codes: call[numbers], search: call[search], year: call[year], editor: editor)
        fetched = try await films.ask(request, call, output, timeout: Self.patience)
      }
      try output.write(Report(edits: fetched.edits))
      for problem in fetched.problems { output.note(problem) }
      output.note(call[source].credit)
      return fetched.problems.isEmpty ? .done : .partial
    }
  }

  var adopt: Command {
    Command("adopt", "take up what cinemas show, without waiting for the next minute", takes: films.parameters) {
      call, output in
      let edits = try await films.ask(AdoptProgrammes(), call, output, timeout: Self.patience)
      try output.write(Report(edits: edits))
      output.note(edits.isEmpty ? "nothing is new" : "\(edits.count) taken up")
      return .done
    }
  }

  var seed: Command {
    Command(
      "seed", "add the films that we know, and what we know of those that are there",
      discussion: "Fields in which somebody had a say stay as they are.", takes: films.parameters
    ) { call, output in
      let edits = try await films.ask(SeedCatalogue(), call, output, timeout: Self.patience)
      let added = edits.count { $0.kind == .added }
      try output.write(
        Report(item: [
          (Report.Column("added"), .number(added)), (Report.Column("completed"), .number(edits.count - added)),
        ]))
      return .done
    }
  }
}

/// Whom films can be fetched from.
nonisolated enum FilmSource: String, CaseIterable, ArgumentValue {
  case tmdb, kobis

  var credit: String {
    switch self {
    case .tmdb: TMDbDocument.credit
    case .kobis: KOBISDocument.credit
    }
  }
}

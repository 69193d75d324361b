import Contracts
import Drafts
import RPC
import ServiceKit

/// `add`, `edit`, `rm`, `history`, `seed`.
extension LocatorCommands {
  /// A change is answered when the directory has been made anew, which takes seconds for a very large one.
  static let patience: Duration = .seconds(600)

  /// An option for each field that can be written.
  private var options: [(field: CinemaField, option: Parameter<String?>)] {
    CinemaField.allCases.filter { $0 != .id }.map { field in
      let name = String(field.rawValue.map { $0 == "_" ? "-" : $0 })
      return (field, .optionalOption(name, field.help))
    }
  }

  var add: Command {
    let options = options
    return Command(
      "add", "add a cinema",
      examples: [
        .init(
          "odi-locator add emu --name 에무시네마 --country KR --region seoul --lat 37.5699 --lon 126.9689",
          "what is not given is left empty")
      ], takes: [id, Confirmation.dryRun] + options.map(\.option) + locator.parameters
    ) { call, output in
      var draft = CinemaDraft("\(call[id])")
      draft[.id] = call[id].text
      for (field, option) in options { draft[field] = call[option] }
      return try await put(draft, mustBeNew: true, call, output)
    }
  }

  var edit: Command {
    let options = options
    return Command(
      "edit", "change fields of a cinema", discussion: "An empty value takes a field away.",
      examples: [
        .init("odi-locator edit emu --screens 3 --website https://emuartspace.com", "two fields"),
        .init("odi-locator edit orfeo --active 0", "it has closed; its id stays known"),
      ], takes: [id, Confirmation.dryRun] + options.map(\.option) + locator.parameters
    ) { call, output in
      var draft = CinemaDraft(try await cinema(call[id], call, output))
      for (field, option) in options {
        if let text = call[option] { draft[field] = text }
      }
      return try await put(draft, mustBeNew: false, call, output)
    }
  }

  private func put(
    _ draft: CinemaDraft, mustBeNew: Bool, _ call: Invocation, _ output: Output
  ) async throws -> ExitCode {
    let new: Cinema
    do throws(DraftProblems) {
      new = try draft.cinema(zones: zones)
    } catch {
      throw CommandError(.usage, "\(error.place) cannot be stored", details: error.problems)
    }
    let isDryRun = call[Confirmation.dryRun]
    let request = PutCinemas(cinemas: [new], editor: editor(output), isDryRun: isDryRun, mustBeNew: mustBeNew)
    let edits = try await locator.ask(request, call, output, timeout: Self.patience)
    try output.write(Report(edits: edits))
    output.note(edits.isEmpty ? "nothing changed" : isDryRun ? "nothing was stored (--dry-run)" : "stored")
    return .done
  }

  var remove: Command {
    let other = Parameter<CinemaID?>.optionalOption(
      "replaced-by", "the cinema that those are told of who ask for this one")
    return Command(
      "rm", "take a cinema out of the directory",
      discussion: "One that has closed is better kept: edit ID --active 0. Its id may be in somebody's bookmarks.",
      examples: [.init("odi-locator rm emu-2 --replaced-by emu", "one that was there twice: its links lead on")],
      takes: [id, other, Confirmation.yes] + locator.parameters
    ) { call, output in
      let cinema = try await cinema(call[id], call, output)
      try Confirmation(call, output.terminal).require("remove \(cinema.name) (\(cinema.id)) from the directory")
      let request = RemoveCinema(id: cinema.id, editor: editor(output), replacedBy: call[other])
      let edit = try await locator.ask(request, call, output, timeout: Self.patience)
      try output.write(Report(edits: [edit]))
      return .done
    }
  }

  var history: Command {
    let only = Parameter<CinemaID?>.optionalArgument("ID", "of this cinema")
    let count = Parameter<Int>.option("count", short: "n", "how many", default: 20, in: 1...1_000)
    let before = Parameter<Int?>.optionalOption("before", "only older than this revision")
    return Command(
      "history", "list the changes of the directory, newest first", takes: [only, count, before] + locator.parameters
    ) { call, output in
      let request = EditHistory(cinema: call[only], before: call[before].map { Int64($0) }, limit: call[count])
      try output.write(Report(edits: try await locator.ask(request, call, output)))
      return .done
    }
  }

  var seed: Command {
    Command(
      "seed", "add the known cinemas of Korea and London that are not there yet", takes: locator.parameters
    ) { call, output in
      let edits = try await locator.ask(SeedDirectory(), call, output, timeout: Self.patience)
      try output.write(Report(item: [(Report.Column("added"), .number(edits.count))]))
      return .done
    }
  }
}

import Contracts
import ServiceKit

/// `list`, `search`, `get`, `sections`, `history`.
extension RadioCommands {
  var list: Command {
    let section = Parameter<String?>.optionalOption("section", "only of this section, by its slug or any of its names")
    let hidden = Parameter<Bool>.flag("hidden", "only those that the public does not see")
    let open = Parameter<Bool>.flag("public", "only those that the public sees")
    let down = Parameter<Bool>.flag("down", "only those that were found silent")
    return Command(
      "list", "list the stations",
      discussion: "Operators see all of them; the column public tells which are shown to others.",
      takes: [section, hidden, open, down] + radio.parameters
    ) { call, output in
      let entries = try await everything(section: call[section], call, output).filter { entry in
        (!call[hidden] || entry.hiddenBecause != nil) && (!call[open] || entry.hiddenBecause == nil)
          && (!call[down] || entry.health?.state == .down)
      }
      try output.write(Report(stations: entries))
      return .done
    }
  }

  var search: Command {
    let text = Parameter<[String]>.arguments("TEXT", "any part of a name or tag; ㄱㅇ finds 국악")
    return Command("search", "list the stations that a text names", takes: [text] + radio.parameters) { call, output in
      let entries = try await everything(text: call[text].joined(separator: " "), call, output)
      try output.write(Report(stations: entries))
      return .done
    }
  }

  var get: Command {
    let id = id
    return Command("get", "show one station, with its rights and how it was found", takes: [id] + radio.parameters) {
      call, output in
      try output.write(Report(station: try await station(call[id], call, output)))
      return .done
    }
  }

  var sections: Command {
    Command("sections", "list the sections that have stations", takes: radio.parameters) { call, output in
      let groups = Dictionary(grouping: try await everything(call, output)) { $0.record.station.section }
      let columns = [
        Report.Column("id"), Report.Column("name"), Report.Column("name_en"),
        Report.Column("stations", alignment: .right), Report.Column("public", alignment: .right),
      ]
      let rows = groups.sorted { (KnownSection.place(of: $0.key), $0.key) < (KnownSection.place(of: $1.key), $1.key) }
        .map { slug, entries -> [Report.Cell] in
          let known = KnownSection.of(slug)
          return [
            "\(slug)", "\(known?.name ?? slug)", .text(known?.nameEnglish), .number(entries.count),
            .number(entries.count { $0.hiddenBecause == nil }),
          ]
        }
      try output.write(Report(columns, rows: rows))
      return .done
    }
  }

  var history: Command {
    let only = Parameter<StationID?>.optionalArgument("ID", "of this station")
    let count = Parameter<Int>.option("count", short: "n", "how many", default: 20, in: 1...1_000)
    let before = Parameter<Int?>.optionalOption("before", "only older than this revision")
    return Command(
      "history", "list the changes of the directory, newest first", takes: [only, count, before] + radio.parameters
    ) { call, output in
      let request = StationHistory(station: call[only], before: call[before].map { Int64($0) }, limit: call[count])
      try output.write(Report(edits: try await radio.ask(request, call, output)))
      return .done
    }
  }
}

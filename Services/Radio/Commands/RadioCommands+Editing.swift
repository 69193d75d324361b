import Contracts
import Drafts
import RPC
import ServiceKit

/// `add`, `edit`, `rm`, `rights`, `seed`.
extension RadioCommands {
  /// An option for each field that can be written.
  private func options(_ fields: [StationField], prefix: String = "") -> [(StationField, Parameter<String?>)] {
    fields.map { field in
      let name = field.rawValue.dropFirst(field.rawValue.hasPrefix(prefix) ? prefix.count : 0)
      return (field, .optionalOption(String(name.map { $0 == "_" ? "-" : $0 }), field.help))
    }
  }

  private static let written = StationField.allCases.filter { $0 != .id }

  var add: Command {
    let (id, options) = (id, options(Self.written))
    return Command(
      "add", "add a station",
      discussion: "Without --rights-owner, --rights-licence and --rights-use only operators see it.",
      examples: [
        .init(
          "odi-radio add gugak-fm --name '국악방송 FM' --section speech --address https://radio.example/gugak.m3u8",
          "what is not given is left empty")
      ], takes: [id, Confirmation.dryRun] + options.map(\.1) + radio.parameters
    ) { call, output in
      var draft = StationDraft("\(call[id])")
      draft[.id] = call[id].text
      for (field, option) in options { draft[field] = call[option] }
      return try await put(draft, mustBeNew: true, call, output)
    }
  }

  var edit: Command {
    let (id, options) = (id, options(Self.written))
    return Command(
      "edit", "change fields of a station", discussion: "An empty value takes a field away.",
      examples: [.init("odi-radio edit ytn-radio --address https://radio.example/ytn.m3u8", "it has moved")],
      takes: [id, Confirmation.dryRun] + options.map(\.1) + radio.parameters
    ) { call, output in
      var draft = StationDraft(try await station(call[id], call, output).record)
      for (field, option) in options {
        if let text = call[option] { draft[field] = text }
      }
      return try await put(draft, mustBeNew: false, call, output)
    }
  }

  private func put(
    _ draft: StationDraft, mustBeNew: Bool, _ call: Invocation, _ output: Output
  ) async throws -> ExitCode {
    let new: StationRecord
    do throws(DraftProblems) {
      new = try draft.record()
    } catch {
      throw CommandError(.usage, "\(error.place) cannot be stored", details: error.problems)
    }
    let isDryRun = call[Confirmation.dryRun]
    let request = PutStations(records: [new], editor: editor(output), isDryRun: isDryRun, mustBeNew: mustBeNew)
    let edits = try await radio.ask(request, call, output)
    try output.write(Report(edits: edits))
    output.note(edits.isEmpty ? "nothing changed" : isDryRun ? "nothing was stored (--dry-run)" : "stored")
    return .done
  }

  var remove: Command {
    let id = id
    return Command(
      "rm", "take a station out of the directory",
      discussion: "One that has gone off the air is better kept: edit ID --active 0. Its id may be in favourites.",
      takes: [id, Confirmation.yes] + radio.parameters
    ) { call, output in
      let entry = try await station(call[id], call, output)
      try Confirmation(call, output.terminal)
        .require("remove \(entry.record.station.name) (\(entry.record.id)) from the directory")
      let edit = try await radio.ask(RemoveStation(id: entry.record.id, editor: editor(output)), call, output)
      try output.write(Report(edits: [edit]))
      return .done
    }
  }

  // MARK: Rights

  var rights: Command {
    let (id, options) = (id, options(StationField.rights, prefix: "rights_"))
    let isSet = Parameter<Bool>.flag("set", "write down what the other options say")
    return Command(
      "rights", "who has allowed us to use which station",
      discussion: """
        Without rights a station is shown to operators only. link: list it and lead to its website. play: tell players \
        where its stream is. relay: pass its sound on ourselves. `rights ID` is `rights show ID`, and with --set it is \
        `rights set ID`.
        """, takes: [id, isSet, Confirmation.dryRun] + options.map(\.1) + radio.parameters,
      subcommands: [rightsReport, rightsShow, rightsSet, rightsRevoke]
    ) { call, output in
      let given = options.compactMap { field, option in call[option].map { (field, $0) } }
      if call[isSet] { return try await setRights(of: call[id], to: given, call, output) }
      guard given.isEmpty else {
        throw CommandError(
          .usage, "nothing was written down; say --set", try: "odi-radio rights \(call[id]) --set --owner …")
      }
      return try await showRights(of: call[id], call, output)
    }
  }

  private var rightsReport: Command {
    Command("report", "how many stations are shown, and why the others are not", takes: radio.parameters) {
      call, output in
      let entries = try await everything(call, output)
      let reasons = Dictionary(grouping: entries) { entry in
        entry.hiddenBecause ?? "shown: \(entry.record.station.rights?.use.rawValue ?? "")"
      }
      let columns = [
        Report.Column("reason"), Report.Column("stations", alignment: .right), Report.Column("which", shrinks: true),
      ]
      let rows = reasons.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { reason, entries in
        [
          Report.Cell(reason, entries[0].hiddenBecause == nil ? .good : .warning), .number(entries.count),
          Report.Cell(entries.map(\.record.id.text).joined(separator: " ")),
        ]
      }
      try output.write(Report(columns, rows: rows))
      return .done
    }
  }

  private var rightsShow: Command {
    let id = id
    return Command("show", "show a station's rights", takes: [id] + radio.parameters) { call, output in
      try await showRights(of: call[id], call, output)
    }
  }

  private func showRights(of id: StationID, _ call: Invocation, _ output: Output) async throws -> ExitCode {
    let entry = try await station(id, call, output)
    let fields = StationField.rights.map { field in
      (Report.Column(field.rawValue), Report.Cell.text(field.text(of: entry.record)))
    }
    try output.write(
      Report(
        item: [(Report.Column("id"), "\(entry.record.id.text)")] + fields + [
          (Report.Column("public"), .flag(entry.hiddenBecause == nil, entry.hiddenBecause == nil ? .good : .warning)),
          (Report.Column("why_not"), .text(entry.hiddenBecause)),
        ]))
    return .done
  }

  private var rightsSet: Command {
    let (id, options) = (id, options(StationField.rights, prefix: "rights_"))
    return Command(
      "set", "write down who has allowed us what; the station is shown from then on",
      examples: [
        .init(
          "odi-radio rights set fred-korean --owner FRED --licence 'mail of 2026-05-02' --proof mail/17 --use play",
          "a page may play it")
      ], takes: [id, Confirmation.dryRun] + options.map(\.1) + radio.parameters
    ) { call, output in
      let given = options.compactMap { field, option in call[option].map { (field, $0) } }
      return try await setRights(of: call[id], to: given, call, output)
    }
  }

  private func setRights(
    of id: StationID, to given: [(StationField, String)], _ call: Invocation, _ output: Output
  ) async throws -> ExitCode {
    var draft = StationDraft(try await station(id, call, output).record)
    for (field, text) in given { draft[field] = text }
    return try await put(draft, mustBeNew: false, call, output)
  }

  private var rightsRevoke: Command {
    let id = id
    return Command(
      "revoke", "nobody allows it any more: the station is hidden at once",
      takes: [id, Confirmation.dryRun] + radio.parameters
    ) { call, output in
      var draft = StationDraft(try await station(call[id], call, output).record)
      for field in StationField.rights { draft[field] = nil }
      return try await put(draft, mustBeNew: false, call, output)
    }
  }

  var seed: Command {
    Command(
      "seed", "add the known stations that are not there yet; without rights, so that only operators see them",
      takes: radio.parameters
    ) { call, output in
      let edits = try await radio.ask(SeedStations(), call, output)
      try output.write(Report(item: [(Report.Column("added"), .number(edits.count))]))
      return .done
    }
  }
}

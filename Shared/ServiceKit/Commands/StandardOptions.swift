/// The options that every command of every program has.
nonisolated package enum StandardOptions {
  static let json = Parameter<Bool>.flag("json", "write one JSON document")
  static let jsonLines = Parameter<Bool>.flag("jsonl", "write a JSON object a line")
  static let tsv = Parameter<Bool>.flag("tsv", "write values separated by tabs, with a header")
  static let fields = Parameter<String?>.optionalOption("fields", "only these fields, in this order: a,b,c")
  static let quiet = Parameter<Bool>.flag("quiet", short: "q", "no messages, only results and errors")
  static let colour = Parameter<ColourChoice>.option("color", "colour the output", default: .auto)
  static let noColour = Parameter<Bool>.flag("no-color", "the same as --color=never")
  static let exitStatus = Parameter<Bool>.flag("exit-status", "end with exit code 3 if nothing was found")
  static let progress = Parameter<ProgressStyle>.option(
    "progress", "how long work tells how far it is", default: .auto)
  /// Errors name the trace, so that `trace ID` can show it.
  package static let verbose = Parameter<Bool>.flag("verbose", "say more about errors")

  private static let all: [any CommandParameter] = [
    json, jsonLines, tsv, fields, quiet, colour, noColour, progress, exitStatus, verbose,
  ]

  /// The root of a program's commands with these options added.
  static func added(to root: Command) -> Command {
    root.parameters.contains { $0.name == json.spec.name } ? root : root.adding(all)
  }
}

nonisolated extension Output {
  /// The output that a command line asks for.
  init(_ call: Invocation, _ terminal: Terminal) throws(CommandError) {
    let asked = [
      (call[StandardOptions.json], Format.json, "--json"), (call[StandardOptions.jsonLines], .jsonLines, "--jsonl"),
      (call[StandardOptions.tsv], .tsv, "--tsv"),
    ].filter(\.0)
    guard asked.count <= 1 else {
      throw CommandError(.usage, asked.map(\.2).joined(separator: " and ") + " exclude each other")
    }
    self.init(
      terminal: terminal, format: asked.first?.1 ?? .table,
      fields: call[StandardOptions.fields].map { $0.split(separator: ",").map(String.init) },
      quiet: call[StandardOptions.quiet],
      colour: call[StandardOptions.noColour] ? .never : call[StandardOptions.colour],
      progress: call[StandardOptions.progress])
  }
}

import JSON

/// Reads a command line against a tree of commands. It decides; it does nothing.
nonisolated package struct CommandParser {
  package enum Outcome: Sendable {
    case run(Invocation)
    case help(Help)
    /// A noun without its verb: its short help is shown, and it is an error.
    case incomplete(Help)
  }

  private let root: Command
  private var path: [Command]
  private var texts: [String: [String]] = [:]
  private var arguments: [String] = []
  private var wantsHelp: Help.Detail?

  private init(root: Command) {
    self.root = root
    path = [root]
  }

  package static func parse(_ words: [String], root: Command) throws(CommandError) -> Outcome {
    var parser = CommandParser(root: root)
    try parser.read(words)
    return try parser.outcome()
  }

  // MARK: Words

  private mutating func read(_ words: [String]) throws(CommandError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        arguments += rest
        return
      } else if word.hasPrefix("--") {
        try readLong(word, &rest)
      } else if word.hasPrefix("-"), word.count > 1, !isNegativeNumber(word) {
        try readShort(word, &rest)
      } else if arguments.isEmpty, isVerb(word) {
        try descend(to: word, &rest)
      } else {
        arguments.append(word)
      }
    }
  }

  /// A noun that does something itself takes what is none of its verbs as its first argument.
  private func isVerb(_ word: String) -> Bool {
    !command.subcommands.isEmpty && (command.action == nil || command.subcommands.contains { $0.name == word })
  }

  private mutating func descend(to word: String, _ rest: inout ArraySlice<String>) throws(CommandError) {
    if word == "help", path.count == 1 {
      wantsHelp = .long
      for name in rest where !name.hasPrefix("-") { path.append(try subcommand(name)) }
      rest = []
    } else {
      path.append(try subcommand(word))
    }
  }

  private func subcommand(_ name: String) throws(CommandError) -> Command {
    if let found = command.subcommands.first(where: { $0.name == name }) { return found }
    let names = command.visibleSubcommands.map(\.name)
    throw usage(
      "'\(printable(name))' is not a command of \(spokenPath)",
      suggestion(for: name, among: names).map { "did you mean \($0)?" })
  }

  /// The command that `--version` stands for where nothing else has been said.
  private var version: Command? {
    guard path.count == 1, arguments.isEmpty, !options.contains(where: { $0.name == "version" }) else { return nil }
    return root.subcommands.first { $0.name == "version" }
  }

  private mutating func readLong(_ word: String, _ rest: inout ArraySlice<String>) throws(CommandError) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    if name == "help", parts.count == 1 {
      wantsHelp = .long
      return
    }
    if word == "--version", let version {
      path.append(version)
      return
    }
    guard let option = options.first(where: { $0.name == name }) else {
      let near = suggestion(for: name, among: options.map(\.name)).map { "did you mean --\($0)?" }
      throw usage("\(spokenPath) has no option --\(printable(name))", near)
    }
    if option.kind == .flag {
      guard parts.count == 1 else { throw usage("--\(name) takes no value", nil) }
      texts[option.label, default: []].append("")
    } else {
      texts[option.label, default: []].append(try parts.count == 2 ? String(parts[1]) : value(of: option, &rest))
    }
  }

  // `-vn3`: flags, then perhaps one option with the rest as its value.
  private mutating func readShort(_ word: String, _ rest: inout ArraySlice<String>) throws(CommandError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      if let option = options.first(where: { $0.short == letter }) {
        if option.kind == .flag {
          texts[option.label, default: []].append("")
          continue
        }
        if letters.first == "=" { letters.removeFirst() }
        texts[option.label, default: []].append(try letters.isEmpty ? value(of: option, &rest) : String(letters))
        return
      }
      guard letter == "h" else { throw usage("\(spokenPath) has no option -\(printable(String(letter)))", nil) }
      if wantsHelp == nil { wantsHelp = .short }
    }
  }

  private func value(of option: ParameterSpec, _ rest: inout ArraySlice<String>) throws(CommandError) -> String {
    guard let value = rest.popFirst() else {
      throw usage("\(option.label) needs a value: \(option.label) \(option.valueName)", nil)
    }
    return value
  }

  /// `-33.8,151.2` is a place in Sydney, unless there is an option `-3`.
  private func isNegativeNumber(_ word: String) -> Bool {
    guard let first = word.dropFirst().first, first.isASCII, first.isNumber || first == "." else { return false }
    return !options.contains { $0.short == first }
  }

  // MARK: The end

  private func outcome() throws(CommandError) -> Outcome {
    if let wantsHelp { return .help(Help(of: path, detail: wantsHelp)) }
    guard command.action != nil else { return .incomplete(Help(of: path, detail: .short)) }
    var texts = texts
    try assignArguments(&texts)
    for spec in command.parameters + path.dropLast().flatMap(\.inheritedOptions) {
      if let problem = spec.problem(texts[spec.label] ?? []), texts[spec.label] != nil {
        throw usage(printable(problem), nil)
      }
    }
    let known = Set((options + command.arguments).map(\.label))
    return .run(Invocation(path: path.map(\.name), command: command, texts: texts, known: known))
  }

  private func assignArguments(_ texts: inout [String: [String]]) throws(CommandError) {
    var rest = arguments[...]
    for spec in command.arguments {
      switch spec.arity {
      case .repeated:
        texts[spec.label] = Array(rest)
        rest = []
      case .optional, .required:
        if let word = rest.popFirst() {
          texts[spec.label] = [word]
        } else if spec.arity == .required {
          throw usage("\(spokenPath) needs \(spec.label): \(spec.help)", nil)
        }
      }
    }
    if let extra = rest.first { throw usage("\(spokenPath) does not take '\(printable(extra))'", nil) }
  }

  private var command: Command { path.last ?? root }
  private var options: [ParameterSpec] { command.options + path.dropLast().reversed().flatMap(\.inheritedOptions) }
  private var spokenPath: String { path.map(\.name).joined(separator: " ") }

  private func usage(_ what: String, _ why: String?) -> CommandError {
    CommandError(.usage, what, why: why, try: "\(spokenPath) -h")
  }
}

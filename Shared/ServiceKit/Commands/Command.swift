/// A command and all that is known about it: help, man page, completion and parsing come from this one declaration.
nonisolated package struct Command: Sendable {
  package typealias Action = @MainActor @Sendable (Invocation, Output) async throws -> ExitCode

  package struct Example: Sendable {
    let command: String
    let meaning: String

    package init(_ command: String, _ meaning: String) {
      self.command = command
      self.meaning = meaning
    }
  }

  package let name: String
  package let summary: String
  let discussion: String
  let examples: [Example]
  let parameters: [ParameterSpec]
  package let subcommands: [Command]
  let isHidden: Bool
  let action: Action?

  /// A command that does something.
  package init(
    _ name: String, _ summary: String, discussion: String = "", examples: [Example] = [],
    takes parameters: [any CommandParameter] = [], hidden: Bool = false, run action: @escaping Action
  ) {
    self.init(name, summary, discussion, examples, parameters.map(\.spec), [], hidden, action)
  }

  /// A noun: a command that only holds others.
  package init(
    _ name: String, _ summary: String, discussion: String = "", examples: [Example] = [],
    takes parameters: [any CommandParameter] = [], hidden: Bool = false, subcommands: [Command]
  ) {
    self.init(name, summary, discussion, examples, parameters.map(\.spec), subcommands, hidden, nil)
  }

  /// A noun that does something itself where no verb follows: `rights ID` beside `rights set ID`. Its options are its
  /// own, and not those of its verbs.
  package init(
    _ name: String, _ summary: String, discussion: String = "", examples: [Example] = [],
    takes parameters: [any CommandParameter] = [], subcommands: [Command], otherwise action: @escaping Action
  ) {
    self.init(name, summary, discussion, examples, parameters.map(\.spec), subcommands, false, action)
  }

  private init(
    _ name: String, _ summary: String, _ discussion: String, _ examples: [Example], _ parameters: [ParameterSpec],
    _ subcommands: [Command], _ hidden: Bool, _ action: Action?
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.parameters = parameters
    self.subcommands = subcommands
    self.isHidden = hidden
    self.action = action
    let names = parameters.map(\.label) + parameters.compactMap { $0.short.map { "-\($0)" } } + subcommands.map(\.name)
    precondition(Set(names).count == names.count, "\(name) declares a name twice")
    let order = parameters.filter { $0.kind == .argument }.map(\.arity)
    precondition(order == order.sorted { $0.rank < $1.rank }, "\(name) takes a required argument after an optional one")
    precondition(order.filter { $0 == .repeated }.count <= 1, "only the last argument of \(name) can be repeated")
  }

  func adding(_ options: [any CommandParameter]) -> Command {
    Command(name, summary, discussion, examples, parameters + options.map(\.spec), subcommands, isHidden, action)
  }

  var arguments: [ParameterSpec] { parameters.filter { $0.kind == .argument } }
  var options: [ParameterSpec] { parameters.filter { $0.kind != .argument } }
  var visibleSubcommands: [Command] { subcommands.filter { !$0.isHidden } }
  /// What commands below it take too.
  var inheritedOptions: [ParameterSpec] { action == nil ? options : [] }
}

nonisolated extension ParameterSpec.Arity {
  fileprivate var rank: Int {
    switch self {
    case .required: 0
    case .optional: 1
    case .repeated: 2
    }
  }
}

/// One use of a command, with every value checked.
nonisolated package struct Invocation: Sendable {
  /// From the program to the command: `odi-locator`, `config`, `show`.
  package let path: [String]
  let command: Command
  private let texts: [String: [String]]
  private let known: Set<String>

  init(path: [String], command: Command, texts: [String: [String]], known: Set<String>) {
    self.path = path
    self.command = command
    self.texts = texts
    self.known = known
  }

  /// The value of a parameter that the command, or one above it, declares.
  package subscript<Value>(parameter: Parameter<Value>) -> Value {
    let label = parameter.spec.label
    precondition(known.contains(label), "\(path.joined(separator: " ")) does not declare \(label)")
    guard let value = parameter.read(texts[label] ?? []) else { preconditionFailure("\(label) was not checked") }
    return value
  }

  /// What was written for an option, if it was given: for settings, whose values are read elsewhere.
  package func text(ofOption name: String) -> String? { texts["--\(name)"]?.last }
}

/// A page for `man`, made from the same tree as the help.
nonisolated package struct ManualPage {
  private let root: Command
  private let version: String

  package init(of root: Command, version: String) {
    self.root = StandardOptions.added(to: root)
    self.version = version
  }

  /// The page as roff source with the `man` macros.
  package var roff: String {
    var page = Roff()
    page.request("TH", root.name.uppercased(), "1", "", "\(root.name) \(version)", "Odi")
    page.section("NAME")
    page.text("\(root.name) - \(root.summary)")
    page.section("SYNOPSIS")
    page.bold(Help(of: [root], detail: .long).usage)
    if !root.discussion.isEmpty {
      page.section("DESCRIPTION")
      page.paragraphs(root.discussion)
    }
    examples(of: root, in: &page)
    page.section("COMMANDS")
    for command in root.visibleSubcommands { describe([root, command], in: &page) }
    page.section("OPTIONS OF EVERY COMMAND")
    for option in root.options { entry(option, in: &page) }
    page.item(Help.helpEntry.label, Help.helpEntry.text)
    page.section("EXIT STATUS")
    for code in ExitCode.allCases { page.item(String(code.rawValue), code.meaning) }
    return page.source
  }

  private func describe(_ path: [Command], in page: inout Roff) {
    guard let command = path.last else { return }
    page.subsection(Help(of: path, detail: .long).usage)
    page.text(command.summary)
    page.paragraphs(command.discussion)
    for parameter in command.arguments + command.options { entry(parameter, in: &page) }
    for example in command.examples { page.item("$ \(example.command)", example.meaning) }
    for subcommand in command.visibleSubcommands { describe(path + [subcommand], in: &page) }
  }

  private func examples(of command: Command, in page: inout Roff) {
    guard !command.examples.isEmpty else { return }
    page.section("EXAMPLES")
    for example in command.examples { page.item(example.command, example.meaning) }
  }

  private func entry(_ parameter: ParameterSpec, in page: inout Roff) {
    guard parameter.kind != .argument else { return page.item(parameter.name, parameter.help) }
    let (label, text) = Help.entry(of: parameter)
    page.item(String(label.drop { $0 == " " }), text)
  }
}

/// Source in which no text can be taken for a request.
nonisolated private struct Roff {
  private(set) var source = ""

  mutating func request(_ name: String, _ arguments: String...) {
    source += ".\(name) " + arguments.map { "\"\(escape($0))\"" }.joined(separator: " ") + "\n"
  }

  mutating func section(_ title: String) { request("SH", title) }
  mutating func subsection(_ title: String) { request("SS", title) }
  mutating func bold(_ text: String) { request("B", text) }

  mutating func text(_ text: String) { source += line(text) }

  mutating func paragraphs(_ text: String) {
    for paragraph in text.split(separator: "\n") { source += ".PP\n" + line(String(paragraph)) }
  }

  mutating func item(_ label: String, _ text: String) {
    source += ".TP\n"
    bold(label)
    self.text(text)
  }

  private func line(_ text: String) -> String {
    let escaped = escape(text)
    return (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
  }

  private func escape(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      case "\n": result += " "
      default: result.append(character)
      }
    }
  }
}

/// What a command says about itself.
nonisolated package struct Help: Sendable {
  /// `-h` fits on a screen; `--help` begins with examples and leaves nothing out.
  package enum Detail: Sendable { case short, long }

  private let path: [Command]
  private let detail: Detail

  init(of path: [Command], detail: Detail) {
    self.path = path
    self.detail = detail
  }

  /// Lines no wider than `width`, as far as words allow.
  package func text(width: Int) -> String {
    guard let command = path.last else { return "" }
    var page = HelpPage(width: max(width, 40))
    page.paragraph("\(spokenPath) — \(command.summary)", indent: 0)
    if detail == .long, !command.examples.isEmpty {
      page.title("Examples")
      for example in command.examples {
        page.paragraph("$ \(example.command)", indent: 2)
        page.paragraph(example.meaning, indent: 6)
      }
    }
    page.title("Usage")
    page.paragraph(usage, indent: 2)
    if detail == .long, !command.discussion.isEmpty {
      page.blank()
      for paragraph in command.discussion.split(separator: "\n") { page.paragraph(String(paragraph), indent: 0) }
    }
    page.list("Commands", command.visibleSubcommands.map { ($0.name, $0.summary) })
    page.list("Arguments", command.arguments.map { ($0.name, $0.help) })
    page.list("Options", command.options.map(Self.entry))
    if detail == .long {
      let inherited = path.dropLast().flatMap(\.inheritedOptions)
      page.list("Options of every command", inherited.map(Self.entry) + [Self.helpEntry])
      page.list("Exit codes", ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })
    } else {
      page.blank()
      page.paragraph("\(spokenPath) --help tells more, with examples.", indent: 0)
    }
    return page.text
  }

  var usage: String {
    guard let command = path.last else { return "" }
    var words = path.map(\.name)
    if !command.options.isEmpty { words.append("[options]") }
    if command.action == nil { words.append("COMMAND") }
    for argument in command.arguments {
      switch argument.arity {
      case .required: words.append(argument.name)
      case .optional: words.append("[\(argument.name)]")
      case .repeated: words.append("[\(argument.name)…]")
      }
    }
    return words.joined(separator: " ")
  }

  private var spokenPath: String { path.map(\.name).joined(separator: " ") }

  static let helpEntry = (label: "-h, --help", text: "tell how it is used, in short or at length")

  static func entry(of option: ParameterSpec) -> (label: String, text: String) {
    let value = option.kind == .flag ? "" : " \(option.valueName)"
    let note = option.defaultText.map { " (\($0) if not given)" } ?? (option.arity == .repeated ? " (repeatable)" : "")
    return ((option.short.map { "-\($0), " } ?? "    ") + option.label + value, option.help + note)
  }
}

/// Paragraphs and two-column lists, wrapped.
nonisolated private struct HelpPage {
  let width: Int
  private(set) var text = ""

  init(width: Int) { self.width = width }

  mutating func blank() { text += "\n" }

  mutating func title(_ title: String) { text += "\n\(title)\n" }

  mutating func paragraph(_ paragraph: String, indent: Int) {
    for line in paragraph.wrapped(to: width - indent) { text += String(repeating: " ", count: indent) + line + "\n" }
  }

  mutating func list(_ heading: String, _ entries: [(label: String, text: String)]) {
    guard !entries.isEmpty else { return }
    title(heading)
    let labelWidth = min(entries.map(\.label.displayWidth).max() ?? 0, width / 2)
    for entry in entries {
      let lines = entry.text.wrapped(to: max(width - labelWidth - 4, 20))
      let fits = entry.label.displayWidth <= labelWidth
      if !fits { text += "  \(entry.label)\n" }
      for (index, line) in lines.enumerated() {
        text += "  " + (index == 0 && fits ? entry.label : "").padded(to: labelWidth) + "  \(line)\n"
      }
    }
  }
}

/// Asks before something is done that cannot be undone.
///
/// `--yes` answers beforehand. Without it and without somebody to ask, the answer is no, with exit code 2: a script
/// must say what it means.
nonisolated package struct Confirmation: Sendable {
  package static let yes = Parameter<Bool>.flag("yes", short: "y", "do it without asking")
  package static let dryRun = Parameter<Bool>.flag("dry-run", "tell what would be done and do nothing")

  private let terminal: Terminal
  private let isGiven: Bool

  package init(_ call: Invocation, _ terminal: Terminal) {
    self.terminal = terminal
    isGiven = call[Self.yes]
  }

  /// Returns if it may be done, and throws if not.
  ///
  /// - Parameters:
  ///   - deed: what will happen, and to how much: `delete 3 cinemas`.
  ///   - name: what has to be typed, for deeds that concern a whole database.
  package func require(_ deed: String, typing name: String? = nil) throws(CommandError) {
    if isGiven { return }
    guard terminal.inputIsTerminal, terminal.errorIsTerminal else {
      throw CommandError(
        .usage, "this would \(printable(deed))", why: "nobody is here to be asked", try: "the same with --yes")
    }
    if let name {
      terminal.writeError("This will \(printable(deed)). Type \(printable(name)) to go on: ")
    } else {
      terminal.writeError("This will \(printable(deed)). Go on? [y/N] ")
    }
    let answer = terminal.readLine() ?? ""
    let accepted = name.map { answer == $0 } ?? ["y", "Y", "yes", "Yes"].contains(answer)
    guard accepted else { throw CommandError(.usage, "nothing was done", why: "the answer was no") }
  }
}

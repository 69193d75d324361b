/// Runs one command line: parses it, does it, tells what went wrong, and gives the exit code.
package struct CommandRunner {
  private let root: Command
  private let terminal: Terminal
  private let explain: (any Error) -> CommandError

  /// - Parameter explain: turns an error that is no ``CommandError`` into one, such as those of a call.
  package init(
    root: Command, terminal: Terminal,
    explain: @escaping (any Error) -> CommandError = { CommandError(.failed, "\($0)") }
  ) {
    self.root = StandardOptions.added(to: root)
    self.terminal = terminal
    self.explain = explain
  }

  package func run(_ words: [String]) async -> ExitCode {
    if words.first == Completer.commandName { return await complete(words) }
    let plain = Output(terminal: terminal)
    do {
      switch try CommandParser.parse(words, root: root) {
      case .help(let help):
        plain.write(help.text(width: terminal.outputIsTerminal ? terminal.width : 80))
        return .done
      case .incomplete(let help):
        terminal.writeError(help.text(width: terminal.errorIsTerminal ? terminal.width : 80))
        return .usage
      case .run(let call):
        return try await perform(call)
      }
    } catch {
      return fail(error, plain)
    }
  }

  private func perform(_ call: Invocation) async throws(CommandError) -> ExitCode {
    let output = try Output(call, terminal)
    guard let action = call.command.action else { return .usage }
    do {
      let code = try await action(call, output)
      if code == .done { output.noteNothing() }
      return code == .done && call[StandardOptions.exitStatus] && output.foundNothing ? .notFound : code
    } catch {
      return fail(error, output)
    }
  }

  private func fail(_ error: any Error, _ output: Output) -> ExitCode {
    let error = error as? CommandError ?? explain(error)
    output.report(error)
    return error.code
  }

  private func complete(_ words: [String]) async -> ExitCode {
    let typed = Array(words.dropFirst(words.dropFirst().first == "--" ? 2 : 1))
    terminal.writeOutput(await Completer(root: root).offers(for: typed).lines)
    return .done
  }
}

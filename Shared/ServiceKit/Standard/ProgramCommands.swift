/// A whole program: its own commands, then those with which every program tells about itself.
nonisolated extension Command {
  package init(
    program executable: String, _ summary: String, discussion: String = "", examples: [Command.Example] = [],
    build: BuildInfo, subcommands: [Command]
  ) {
    let told = subcommands + [build.command(program: executable), Self.completion(of: executable)]
    let tree = Command(executable, summary, discussion: discussion, examples: examples, subcommands: told)
    self.init(
      executable, summary, discussion: discussion, examples: examples,
      subcommands: told + [Self.manual(of: tree, build)])
  }

  private static func completion(of executable: String) -> Command {
    let shell = Parameter<CompletionScript>.argument("SHELL", "bash, zsh or fish")
    return Command(
      "completion", "write what teaches a shell to complete this program's commands",
      examples: [.init("source <(\(executable) completion bash)", "for this shell, now")], takes: [shell]
    ) { call, output in
      output.write(call[shell].text(for: executable))
      return .done
    }
  }

  private static func manual(of tree: Command, _ build: BuildInfo) -> Command {
    Command(
      "man", "write the manual page", examples: [.init("\(tree.name) man | man -l -", "read it")]
    ) { _, output in
      output.write(ManualPage(of: tree, version: build.version).roff)
      return .done
    }
  }
}

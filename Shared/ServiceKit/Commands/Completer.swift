/// Says what can follow a half-typed command line. The shells' scripts ask it; they know nothing themselves.
package struct Completer {
  nonisolated package static let commandName = "__complete"

  nonisolated package struct Offers: Equatable, Sendable {
    package struct Candidate: Equatable, Sendable {
      package var text: String
      package var meaning = ""
    }

    /// What the shell offers by itself.
    package enum Paths: String, Sendable { case none, files, directories }

    package var candidates: [Candidate] = []
    package var paths = Paths.none

    /// A candidate a line, its meaning after a tab, and at the end a line that begins with a colon.
    var lines: String {
      candidates.map { $0.meaning.isEmpty ? "\($0.text)\n" : "\($0.text)\t\($0.meaning)\n" }.joined()
        + ":\(paths.rawValue)\n"
    }
  }

  private let root: Command

  package init(root: Command) { self.root = StandardOptions.added(to: root) }

  /// What can stand for the last of these words, which follow the program's name.
  package func offers(for words: [String]) async -> Offers {
    let place = Place(before: words.dropLast(), root: root)
    let typed = words.last ?? ""
    if let option = place.openOption { return await values(of: option, typed: typed, prefix: "", given: place.given) }
    if place.takesOptions, typed.hasPrefix("--"), let equals = typed.firstIndex(of: "=") {
      guard let option = place.options.first(where: { $0.label == typed[..<equals] && $0.kind == .option }) else {
        return Offers()
      }
      let value = String(typed[typed.index(after: equals)...])
      return await values(of: option, typed: value, prefix: "\(option.label)=", given: place.given)
    }
    if place.takesOptions, typed.hasPrefix("-") { return options(place, typed: typed) }
    var offers = Offers()
    if place.arguments == 0, !place.command.subcommands.isEmpty { offers = subcommands(place, typed: typed) }
    guard let argument = place.nextArgument else { return offers }
    let values = await values(of: argument, typed: typed, prefix: "", given: place.given)
    return Offers(candidates: offers.candidates + values.candidates, paths: values.paths)
  }

  private func values(
    of parameter: ParameterSpec, typed: String, prefix: String, given: [String: String]
  ) async -> Offers {
    switch parameter.completion {
    case .none: return Offers()
    case .files: return Offers(paths: .files)
    case .directories: return Offers(paths: .directories)
    case .choices(let choices): return offer(choices, typed, prefix)
    case .dynamic(let ask): return offer(await ask(typed, given), typed, prefix)
    }
  }

  private func offer(_ values: [String], _ typed: String, _ prefix: String) -> Offers {
    // A value that would break the line format cannot be typed sensibly either.
    let sound = values.filter { $0.hasPrefix(typed) && printable($0) == $0 && !$0.isEmpty }
    return Offers(candidates: sound.map { .init(text: prefix + $0) })
  }

  private func options(_ place: Place, typed: String) -> Offers {
    let all = place.options.map { Offers.Candidate(text: $0.label, meaning: $0.help) }
    var told = [Offers.Candidate(text: "--help", meaning: Help.helpEntry.text)]
    if place.isAtRoot, let version = root.subcommands.first(where: { $0.name == "version" }) {
      told.append(Offers.Candidate(text: "--version", meaning: version.summary))
    }
    return Offers(candidates: (all + told).filter { $0.text.hasPrefix(typed) })
  }

  private func subcommands(_ place: Place, typed: String) -> Offers {
    var all = place.command.visibleSubcommands.map { Offers.Candidate(text: $0.name, meaning: $0.summary) }
    if place.isAtRoot { all.append(.init(text: "help", meaning: "tell how a command is used")) }
    return Offers(candidates: all.filter { $0.text.hasPrefix(typed) })
  }
}

/// Where on a command line the cursor is. Mistakes before it are passed over: they are told when it is run.
nonisolated private struct Place {
  private var path: [Command]
  /// An option that waits for its value.
  private(set) var openOption: ParameterSpec?
  private(set) var takesOptions = true
  private(set) var arguments = 0
  /// Options that have their values, by name: `data`.
  private(set) var given: [String: String] = [:]

  init(before words: some Sequence<String>, root: Command) {
    path = [root]
    for word in words { pass(word) }
  }

  var command: Command { path[path.count - 1] }
  var isAtRoot: Bool { path.count == 1 }
  var options: [ParameterSpec] { command.options + path.dropLast().reversed().flatMap(\.inheritedOptions) }

  var nextArgument: ParameterSpec? {
    let all = command.arguments
    if arguments < all.count { return all[arguments] }
    return all.last.flatMap { $0.arity == .repeated ? $0 : nil }
  }

  private mutating func pass(_ word: String) {
    if let option = openOption {
      given[option.name] = word
      openOption = nil
    } else if takesOptions, word == "--" {
      takesOptions = false
    } else if takesOptions, word.hasPrefix("-"), word.count > 1 {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = options.first { $0.label == parts[0] || $0.short.map { "-\($0)" } == word }
      guard let option, option.kind == .option else { return }
      if parts.count == 2 { given[option.name] = parts[1] } else { openOption = option }
    } else if arguments == 0, let next = command.subcommands.first(where: { $0.name == word }) {
      path.append(next)
    } else if !(isAtRoot && word == "help") {
      arguments += 1
    }
  }
}

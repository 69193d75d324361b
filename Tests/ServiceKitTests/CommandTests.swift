import ServiceKit
import ServiceTestKit
import Testing

private let place = Parameter<String>.argument("LAT,LON", "where you are")
private let count = Parameter<Int>.option("count", short: "n", "how many", default: 3, in: 1...20)
private let walk = Parameter<Bool>.flag("walk", short: "w", "walking times")
private let region = Parameter<String?>.optionalOption("region", "only there")
private let tags = Parameter<[String]>.options("tag", "with this tag")
private let files = Parameter<[String]>.arguments("FILE", "what to read", completion: .files)
private let within = Parameter<Duration>.option("within", "how far back", default: .seconds(300))

private enum Shape: String, CaseIterable, ArgumentValue { case geojson, kml, csv }
private let shape = Parameter<Shape>.option("format", "the file's format", default: .geojson)
private let site = Parameter<String?>.optionalArgument(
  "SITE", "which one", completion: .dynamic { typed, _ in typed == "x" ? [] : ["emu", "cinecube", "bad\nline"] })

@Suite("Command line")
@MainActor
final class CommandTests {
  private let screen = Screen()
  private var calls: [String] = []

  private func root() -> Command {
    let seen = { @MainActor @Sendable (line: String) in self.calls.append(line) }
    return Command(
      "odi-locator", "where the cinemas are", examples: [.init("odi-locator near 37.5,126.9", "the nearest three")],
      subcommands: [
        Command(
          "near", "the nearest cinemas", discussion: "Distances are as the crow flies.",
          examples: [.init("odi-locator near 37.57,126.97 -n 5", "the nearest five")],
          takes: [place, count, walk, region, tags, within]
        ) { call, _ in
          seen(
            "\(call[place]) \(call[count]) \(call[walk]) \(call[region] ?? "-") \(call[tags]) \(call[within].argument)")
          return .done
        },
        Command("import", "read cinemas from files", takes: [files, shape]) { call, _ in
          seen("\(call[files]) \(call[shape])")
          return .partial
        },
        Command("site", "sites", subcommands: [Command("show", "one site", takes: [site]) { _, _ in .done }]),
        Command(
          "hours", "a text", takes: [place, walk],
          subcommands: [
            Command("parse", "the same", takes: [place]) { call, _ in
              seen("parse \(call[place])")
              return .done
            }
          ]
        ) { call, _ in
          seen("hours \(call[place]) \(call[walk])")
          return .done
        },
        Command("fail", "always fails", hidden: true) { _, _ in
          throw CommandError(.unreachable, "cannot reach odi-locator", why: "connection refused", try: "odi up")
        },
      ])
  }

  private func run(_ line: String, isTerminal: Bool = false) async -> ExitCode {
    let words = line.split(separator: " ").map(String.init)
    return await CommandRunner(root: root(), terminal: screen.terminal(isTerminal: isTerminal)).run(words)
  }

  @Test(
    "options stand before or after arguments, in any of their spellings",
    arguments: [
      "near 1,2 -n 5 --walk", "near --count 5 -w 1,2", "near --count=5 1,2 -w", "near -wn5 1,2", "near -wn=5 1,2",
      "--quiet near -n 9 -w -n 5 1,2", "near --walk -n5 -- 1,2",
    ])
  func spellings(line: String) async {
    #expect(await run(line) == .done, "\(screen.errors)")
    #expect(calls == ["1,2 5 true - [] 5m"])
  }

  @Test("a noun that does something itself takes what is none of its verbs as its argument, and keeps its options")
  func nounThatDoes() async {
    #expect(await run("hours 9-17 -w") == .done && calls == ["hours 9-17 true"], "\(screen.errors)")
    #expect(await run("hours parse 9-17") == .done && calls.last == "parse 9-17")
    #expect(await run("hours parse parse") == .done && calls.last == "parse parse")
    #expect(await run("hours parse 9-17 --walk") == .usage)
    #expect(await run("hours") == .usage && calls.count == 3)
  }

  @Test("a place south of the equator is not an option")
  func negative() async {
    #expect(await run("near -33.8,151.2 --region -5") == .done)
    #expect(calls == ["-33.8,151.2 3 false -5 [] 5m"])
  }

  @Test("an option can be given several times, and one dash is a file like any other")
  func repeated() async {
    #expect(await run("near 1,2 --tag a --tag=b --within 1h30m") == .done)
    #expect(await run("import - a.csv --format csv") == .partial)
    #expect(await run("import") == .partial)
    #expect(calls == [#"1,2 3 false - ["a", "b"] 1h30m"#, #"["-", "a.csv"] csv"#, "[] geojson"])
  }

  @Test(
    "what is wrong is told with what to do, and nothing is done",
    arguments: [
      ("nera 1,2", "error: 'nera' is not a command of odi-locator\n  why: did you mean near?\n  try: odi-locator -h\n"),
      (
        "near 1,2 --cuont 3",
        "error: odi-locator near has no option --cuont\n  why: did you mean --count?\n  try: odi-locator near -h\n"
      ),
      ("near", "error: odi-locator near needs LAT,LON: where you are\n  try: odi-locator near -h\n"),
      ("near 1,2 3,4", "error: odi-locator near does not take '3,4'\n  try: odi-locator near -h\n"),
      ("near 1,2 -n 21", "error: --count takes a whole number from 1 to 20, not '21'\n  try: odi-locator near -h\n"),
      ("near 1,2 -n x", "error: --count takes a whole number from 1 to 20, not 'x'\n  try: odi-locator near -h\n"),
      ("near 1,2 -n", "error: --count needs a value: --count N\n  try: odi-locator near -h\n"),
      ("near 1,2 --walk=yes", "error: --walk takes no value\n  try: odi-locator near -h\n"),
      ("near 1,2 -x", "error: odi-locator near has no option -x\n  try: odi-locator near -h\n"),
      (
        "import --format svg",
        "error: --format takes one of geojson, kml, csv, not 'svg'\n  try: odi-locator import -h\n"
      ),
      (
        "near 1,2 --within 5",
        "error: --within takes a duration such as 10s, 5m or 1h30m, not '5'\n  try: odi-locator near -h\n"
      ),
      ("near 1,2 --json --tsv", "error: --json and --tsv exclude each other\n"),
      (
        "site shwo",
        "error: 'shwo' is not a command of odi-locator site\n  why: did you mean show?\n  try: odi-locator site -h\n"
      ),
      ("a\u{1b}[2Jb", "error: 'a\\u{1b}[2Jb' is not a command of odi-locator\n  try: odi-locator -h\n"),
    ])
  func mistakes(line: String, message: String) async {
    #expect(await run(line) == .usage)
    #expect(screen.errors == message)
    #expect(calls.isEmpty && screen.output.isEmpty)
  }

  @Test("an error is told on standard error and is the exit code")
  func failure() async {
    #expect(await run("fail") == .unreachable)
    #expect(screen.errors == "error: cannot reach odi-locator\n  why: connection refused\n  try: odi up\n")
    #expect(screen.output.isEmpty)
  }

  @Test("an error is red on a terminal")
  func redError() async {
    #expect(await run("fail", isTerminal: true) == .unreachable)
    #expect(screen.errors.hasPrefix("\u{1b}[31merror: cannot reach odi-locator\u{1b}[0m\n"))
  }

  @Test("a noun without its verb shows the short help and is an error")
  func incomplete() async {
    #expect(await run("") == .usage)
    #expect(await run("site") == .usage)
    #expect(screen.output.isEmpty)
    #expect(screen.errors.contains("odi-locator site — sites"))
    #expect(!screen.errors.contains("fail"))
  }

  @Test(
    "short help fits, long help begins with examples",
    arguments: ["near -h", "near --help", "help near", "--help near"])
  func help(line: String) async throws {
    #expect(await run(line) == .done)
    let text = screen.output
    #expect(text.hasPrefix("odi-locator near — the nearest cinemas\n"))
    #expect(text.contains("  odi-locator near [options] LAT,LON\n"))
    #expect(text.contains("-n, --count N"))
    #expect(text.contains("how many (3 if not given)"))
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy { $0.count <= 80 })
    let isLong = !line.contains("-h") || line.contains("--help")
    #expect(text.contains("Examples") == isLong)
    #expect(text.contains("Exit codes") == isLong)
    if isLong {
      let (examples, usage) = try (#require(text.firstRange(of: "Examples")), #require(text.firstRange(of: "Usage")))
      #expect(examples.lowerBound < usage.lowerBound)
    }
  }

  @Test("help in the middle of a wrong line still helps")
  func helpWins() async {
    #expect(await run("near -n 99 --help") == .done)
    #expect(await run("near -h") == .done)
  }
}

@Suite("Durations on a command line")
struct DurationArgumentTests {
  @Test(
    "are whole numbers with units, largest first",
    arguments: [
      ("0s", Duration.zero), ("250ms", .milliseconds(250)), ("10s", .seconds(10)), ("1h30m", .seconds(5_400)),
      ("2d1ms", .milliseconds(172_800_001)),
    ])
  func reading(text: String, duration: Duration) {
    #expect(Duration(argument: text) == duration)
    #expect(duration.argument == text)
  }

  @Test(
    "are refused otherwise",
    arguments: [
      "", "5", "s", "1m1h", "1m1m", "1.5h", "-1s", "1 s", "10sec", "99999999999999999999s", "9223372036854775807d",
      "٣s",
    ])
  func refusals(text: String) { #expect(Duration(argument: text) == nil) }
}

@Suite("Completion")
@MainActor
struct CompletionTests {
  private let root = Command(
    "odi-locator", "where the cinemas are",
    subcommands: [
      Command("near", "the nearest", takes: [place, count, walk]) { _, _ in .done },
      Command("import", "read files", takes: [files, shape]) { _, _ in .done },
      Command("site", "sites", subcommands: [Command("show", "one site", takes: [site]) { _, _ in .done }]),
      Command(
        "choose", "a site", takes: [site], subcommands: [Command("none", "no site") { _, _ in .done }],
        otherwise: { _, _ in .done }),
      Command("secret", "hidden", hidden: true) { _, _ in .done },
    ])

  private func offers(_ words: String...) async -> [String] {
    await Completer(root: root).offers(for: words).candidates.map(\.text)
  }

  @Test("commands are offered at the beginning, hidden ones are not")
  func commands() async {
    #expect(await offers("") == ["near", "import", "site", "choose", "help"])
    #expect(await offers("choose", "") == ["none", "emu", "cinecube"])
    #expect(await offers("ne") == ["near"])
    #expect(await offers("site", "") == ["show"])
    #expect(await offers("-q", "si") == ["site"])
    #expect(await offers("help", "im") == ["import"])
  }

  @Test("options are offered after a dash, and their values after them")
  func options() async {
    #expect(await offers("near", "--c") == ["--count", "--color"])
    #expect(await offers("near", "--co") == ["--count", "--color"])
    #expect(await offers("import", "--format", "") == ["geojson", "kml", "csv"])
    #expect(await offers("import", "--format", "k") == ["kml"])
    #expect(await offers("import", "--format=k") == ["--format=kml"])
    #expect(await offers("--color", "al") == ["always"])
    #expect(await offers("near", "--nothing=") == [])
    #expect(await offers("near", "-n", "") == [])
  }

  @Test("files are the shell's business")
  func paths() async {
    #expect(await Completer(root: root).offers(for: ["import", ""]).paths == .files)
    #expect(await Completer(root: root).offers(for: ["import", "a", "b"]).paths == .files)
    #expect(await Completer(root: root).offers(for: ["near", "1,2", ""]).paths == .none)
  }

  @Test("values are asked for at the moment of typing, and what would break a line is left out")
  func dynamic() async {
    #expect(await offers("site", "show", "") == ["emu", "cinecube"])
    #expect(await offers("site", "show", "c") == ["cinecube"])
    #expect(await offers("site", "show", "x") == [])
    #expect(await offers("site", "show", "--", "e") == ["emu"])
    #expect(await offers("site", "show", "emu", "") == [])
  }

  @Test("what completes a value hears what the options before it were given")
  func given() async {
    let site = Parameter<String>.argument(
      "SITE", "which one",
      completion: .dynamic { _, given in given.sorted { $0.key < $1.key }.map { "\($0.key)-\($0.value)" } })
    let data = Parameter<String?>.optionalOption("data", short: "d", "where")
    let root = Command(
      "odi-x", "x", subcommands: [Command("get", "get", takes: [site, data]) { _, _ in .done }])
    for words in [["--data", "here"], ["--data=here"], ["-d", "here"]] {
      #expect(await Completer(root: root).offers(for: ["get"] + words + [""]).candidates.map(\.text) == ["data-here"])
    }
  }

  @Test("the hidden command answers the shells' scripts")
  func protocolLines() async {
    let screen = Screen()
    let runner = CommandRunner(root: root, terminal: screen.terminal())
    #expect(await runner.run(["__complete", "--", "n"]) == .done)
    #expect(screen.output == "near\tthe nearest\n:none\n")
    #expect(await runner.run(["__complete"]) == .done)
  }
}

@Suite("Exit status of what was found")
@MainActor
struct ExitStatusTests {
  /// A command that lists so many things, over two reports.
  private func run(_ rows: Int, _ words: String..., ending code: ExitCode = .done) async -> ExitCode {
    await run(rows, words, ending: code)
  }

  private func run(
    _ rows: Int, _ words: [String], ending code: ExitCode = .done, on screen: Screen = Screen()
  ) async -> ExitCode {
    let root = Command(
      "odi-x", "x",
      subcommands: [
        Command("list", "list") { _, output in
          let columns = [Report.Column("name")]
          try output.write(Report(columns, rows: []))
          try output.write(Report(columns, rows: (0..<rows).map { [.number($0)] }))
          return code
        },
        Command("get", "one thing") { _, output in
          try output.write(Report(item: [(Report.Column("name"), "a")]))
          return .done
        },
        Command("told", "an empty list with a note") { _, output in
          output.note("of 3 none is left")
          try output.write(Report([Report.Column("id")], rows: []))
          return .done
        },
        Command("dump", "text") { _, output in
          output.write("text")
          return .done
        },
        Command("quit", "nothing at all") { _, _ in .done },
      ])
    return await CommandRunner(root: root, terminal: screen.terminal()).run(words)
  }

  @Test("an empty list ends with 3 when that was asked for, in every form, and with 0 else")
  func empty() async {
    #expect(await run(0, "list") == .done)
    for form in [[], ["--json"], ["--jsonl"], ["--tsv"], ["-q"]] {
      let words = ["list", "--exit-status"] + form
      #expect(await run(0, words) == .notFound, "\(form)")
      #expect(await run(2, words) == .done, "\(form)")
    }
  }

  @Test("that nothing was found is said to people, unless they were told already, and is in no result")
  func nothing() async {
    for (words, errors) in [
      (["list"], "nothing found\n"), (["list", "-q"], ""), (["list", "--json"], ""), (["dump"], ""), (["quit"], ""),
      (["told"], "of 3 none is left\n"),
    ] {
      let screen = Screen()
      #expect(await run(0, words, on: screen) == .done)
      #expect(screen.errors == errors && !screen.output.contains("nothing"), "\(words)")
    }
  }

  @Test("what is no list, and what failed for another reason, keeps its own code")
  func others() async {
    #expect(await run(0, "get", "--exit-status") == .done)
    #expect(await run(0, "dump", "--exit-status") == .done)
    #expect(await run(0, "quit", "--exit-status") == .done)
    #expect(await run(0, "list", "--exit-status", ending: .partial) == .partial)
  }
}

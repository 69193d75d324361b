import Clocks
import JSON
import ServiceKit
import ServiceTestKit
import Testing

@Suite("Output")
struct OutputTests {
  private let screen = Screen()
  private let report = Report(
    [
      Report.Column("id"), Report.Column("name", shrinks: true), Report.Column("metres", title: "m", alignment: .right),
      Report.Column("open", visible: false),
    ],
    rows: [
      ["emu", "에무시네마", .number(612), .flag(true)],
      ["long-one", "Cinémathèque of a Long Name\t\u{1b}[31m", .number(12_345, .warning), .flag(false)],
      ["none", .none, .number(nil), .none],
    ])

  private func write(
    _ format: Output.Format, isTerminal: Bool = false, width: Int = 80, fields: [String]? = nil
  ) throws
    -> String
  {
    try Output(
      terminal: screen.terminal(isTerminal: isTerminal, width: width), format: format, fields: fields, colour: .never
    )
    .write(report)
    return screen.output
  }

  @Test("on a terminal a table has titles, fits, and counts a Korean character as two columns")
  func terminalTable() throws {
    let text = try write(.table, isTerminal: true, width: 34)
    #expect(
      text == """
        id        name                   m
        emu       에무시네마           612
        long-one  Cinémathèque of …  12345
        none      –                      –

        """)
    #expect(text.split(separator: "\n").allSatisfy { String($0).displayWidth <= 34 })
  }

  @Test(
    "an id is never cut: of a list of them as many are shown as fit, and told how many more there are",
    arguments: [
      (60, "Tokyo Story  emu momo cinecube phoenix-international"), (44, "Tokyo S…  emu momo cinecube +1"),
      (20, "Tokyo S…  emu +3"), (10, "Tokyo S…  emu +3"),
    ])
  func ids(width: Int, line: String) throws {
    let report = Report(
      [Report.Column("title", shrinks: true), Report.Column("cinemas", ids: true), Report.Column("n")],
      rows: [["Tokyo Story", "emu momo cinecube phoenix-international", ""]])
    try Output(terminal: screen.terminal(isTerminal: true, width: width), colour: .never).write(report)
    #expect(screen.output.split(separator: "\n").last.map(String.init) == line)
  }

  @Test("one id is shown whole, however narrow the terminal")
  func oneID() throws {
    let report = Report([Report.Column("cinema", ids: true)], rows: [["phoenix-international"]])
    try Output(terminal: screen.terminal(isTerminal: true, width: 10), colour: .never).write(report)
    #expect(screen.output.contains("phoenix-international"))
  }

  @Test(
    "what a shell would take apart is one word of a command that is told",
    arguments: [
      ("film_the-host-2006", "film_the-host-2006"), ("괴물", "괴물"), ("괴물 (4K)", "'괴물 (4K)'"),
      ("Don't", #"'Don'\''t'"#), ("", "''"), ("$HOME", "'$HOME'"),
    ])
  func shellWord(text: String, word: String) { #expect(text.shellWord == word) }

  @Test("elsewhere a table has no titles, no colour and everything in it")
  func pipedTable() throws {
    let text = try write(.table, width: 20)
    #expect(text.contains("long-one  Cinémathèque of a Long Name\\u{9}\\u{1b}[31m  12345\n"))
    #expect(text.split(separator: "\n").count == 3)
    #expect(!text.contains("\u{1b}"))
  }

  @Test("JSON is one document with the machine's values")
  func json() throws {
    let value = try JSONValue(parsing: write(.json))
    #expect(value["data"]?.array?.count == 3)
    #expect(value["data"]?[0] == ["id": "emu", "name": "에무시네마", "metres": 612, "open": true])
    #expect(value["data"]?[2] == ["id": "none", "name": nil, "metres": nil, "open": nil])
  }

  @Test("a command can give JSON the shape of its API")
  func document() throws {
    let report = Report([Report.Column("id")], rows: [["a"]], document: ["data": ["a"], "has_more": false])
    try Output(terminal: screen.terminal(), format: .json).write(report)
    #expect(screen.output == #"{"data":["a"],"has_more":false}"# + "\n")
  }

  @Test("JSON lines are an object each")
  func jsonLines() throws {
    let lines = try write(.jsonLines, fields: ["metres", "id"]).split(separator: "\n")
    #expect(
      lines == [#"{"metres":612,"id":"emu"}"#, #"{"metres":12345,"id":"long-one"}"#, #"{"metres":null,"id":"none"}"#])
  }

  @Test("TSV has a header and escapes what separates")
  func tsv() throws {
    #expect(
      try write(.tsv) == "id\tname\tmetres\topen\nemu\t에무시네마\t612\ttrue\n"
        + "long-one\tCinémathèque of a Long Name\\t\u{1b}[31m\t12345\tfalse\nnone\t\t\t\n")
  }

  @Test("fields choose the columns, and one that is not there is a mistake")
  func fields() throws {
    #expect(try write(.table, fields: ["metres", "id"]) == "  612  emu\n12345  long-one\n    –  none\n")
    #expect(throws: CommandError(.usage, "there is no field 'metre'", why: "did you mean metres?")) {
      try write(.table, fields: ["metre"])
    }
  }

  @Test("one thing is a line a field")
  func item() throws {
    let item = Report(item: [(Report.Column("id"), "emu"), (Report.Column("opens_at"), .duration(.seconds(90)))])
    try Output(terminal: screen.terminal()).write(item)
    #expect(screen.output == "id        emu\nopens at  2 min\n")
    let json = Screen()
    try Output(terminal: json.terminal(), format: .json).write(item)
    #expect(json.output == #"{"id":"emu","opens_at":90}"# + "\n")
  }

  @Test(
    "colour follows the rules that all programs share",
    arguments: [
      (ColourChoice.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
      (.auto, true, ["NO_COLOR": ""], true), (.auto, true, ["TERM": "dumb"], false),
      (.auto, false, ["CLICOLOR_FORCE": "1"], true), (.auto, false, ["CLICOLOR_FORCE": "0"], false),
      (.auto, true, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false), (.always, false, ["NO_COLOR": "1"], true),
      (.never, true, ["CLICOLOR_FORCE": "1"], false),
    ] as [(ColourChoice, Bool, [String: String], Bool)])
  func colour(choice: ColourChoice, isTerminal: Bool, environment: [String: String], wanted: Bool) {
    let terminal = screen.terminal(isTerminal: isTerminal, environment: environment)
    #expect(terminal.wantsColour(choice, isTerminal: isTerminal) == wanted)
  }

  @Test("messages go to standard error, and quiet keeps them back")
  func notes() {
    Output(terminal: screen.terminal()).note("3 read")
    Output(terminal: screen.terminal(), quiet: true).note("4 read")
    #expect(screen.errors == "3 read\n" && screen.output.isEmpty)
  }

  @Test(
    "text is as wide as it looks",
    arguments: [
      ("", 0), ("abc", 3), ("에무시네마", 10), ("東京", 4), ("ｶﾅ", 2), ("é", 1), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("❤️", 2),
      ("a\u{200b}b", 2), ("✔", 1), ("…", 1), ("─", 1),
    ])
  func width(text: String, columns: Int) { #expect(text.displayWidth == columns) }
}

@Suite("Spoken quantities")
struct SpokenQuantityTests {
  @Test(
    "durations have the unit that fits",
    arguments: [
      (Duration.zero, "0 s"), (.microseconds(850), "850 µs"), (.microseconds(1_240), "1.2 ms"),
      (.milliseconds(850), "850 ms"),
      (.milliseconds(3_420), "3.4 s"), (.seconds(720), "12 min"), (.seconds(10_800), "3 h"), (.seconds(432_000), "5 d"),
    ])
  func durations(duration: Duration, text: String) { #expect(duration.spoken == text) }

  @Test(
    "bytes are counted in thousands",
    arguments: [
      (0, "0 B"), (812, "812 B"), (1_240, "1.2 kB"), (48_000_000, "48 MB"), (999_999, "1.0 MB"),
      (5_000_000_000_000, "5.0 TB"),
    ])
  func bytes(count: Int, text: String) { #expect(count.spokenBytes == text) }

  @Test(
    "what is left is a clock",
    arguments: [(Duration.seconds(41), "0:41"), (.seconds(3_723), "1:02:03"), (.seconds(-5), "0:00")])
  func countdown(duration: Duration, text: String) { #expect(duration.countdown == text) }

  @Test(
    "fixed digits round half away from zero",
    arguments: [
      (1.25, 1, "1.3"), (-1.25, 1, "-1.3"), (-0.04, 1, "0.0"), (2.5, 0, "3"), (1e20, 1, "1e+20"), (0.05, 2, "0.05"),
    ])
  func fixed(value: Double, digits: Int, text: String) { #expect(value.fixed(digits) == text) }
}

@Suite("Progress")
@MainActor
struct ProgressTests {
  private let screen = Screen()
  private let time = ManualTime()

  @Test("on a terminal it is a bar that is redrawn, not more often than can be seen")
  func bar() {
    let progress = Progress("sites", total: 4, to: Output(terminal: screen.terminal(isTerminal: true)), time: time)
    for _ in 0..<2 {
      time.advance(by: .milliseconds(500))
      progress.advance()
      progress.advance(by: 0)
    }
    progress.finish()
    let drawn = screen.errors.split(separator: "\r").map(String.init)
    #expect(drawn.count == 3)
    #expect(drawn[1] == "[###########···········] 2/4 sites  2.0/s  eta 0:01")
    #expect(screen.errors.hasSuffix("\n"))
    #expect(screen.output.isEmpty)
  }

  @Test("elsewhere it is a line every ten seconds and one at the end")
  func lines() {
    let progress = Progress("sites", total: nil, to: Output(terminal: screen.terminal()), time: time)
    for _ in 0..<25 {
      time.advance(by: .seconds(1))
      progress.advance()
    }
    progress.warn("emu is slow")
    progress.finish()
    #expect(
      screen.errors
        == "10 sites  1.0/s\n20 sites  1.0/s\nemu is slow\n25 sites  1.0/s  warn 1\n25 sites  1.0/s  warn 1\n")
  }

  @Test("as JSON it is an object a line, twice a second at most, and each warning is in one, and counted")
  func json() throws {
    let progress = Progress(
      "sites", total: 12, to: Output(terminal: screen.terminal(isTerminal: true), progress: .json), time: time)
    for _ in 0..<10 {
      time.advance(by: .milliseconds(200))
      progress.advance()
    }
    progress.warn("emu is slow")
    progress.warn("rio is shut")
    progress.finish()
    let lines = try screen.errors.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(lines.map { $0["done"]?.int } == [1, 4, 7, 10, 10, 10, 10])
    #expect(lines.map { $0["warning"]?.string } == [nil, nil, nil, nil, "emu is slow", "rio is shut", nil])
    #expect(lines[1]["unit"] == "sites" && lines[1]["total"] == 12 && lines[1]["per_second"]?.double == 5)
    #expect(lines[1]["eta_s"] == 2 && lines[1]["elapsed_ms"] == 800 && lines[1]["finished"] == false)
    #expect(lines.last?["warnings"] == 2 && lines.last?["finished"] == true)
  }

  @Test("none is none")
  func none() {
    let progress = Progress(
      "sites", total: 1, to: Output(terminal: screen.terminal(isTerminal: true), progress: .none), time: time)
    progress.advance()
    progress.finish()
    #expect(screen.errors.isEmpty)
  }

  @Test("quiet is quiet")
  func quiet() {
    let progress = Progress(
      "sites", total: 1, to: Output(terminal: screen.terminal(isTerminal: true), quiet: true), time: time)
    progress.advance()
    progress.finish()
    #expect(screen.errors.isEmpty)
  }
}

@Suite("Confirmation")
@MainActor
struct ConfirmationTests {
  private func run(
    _ words: [String], isTerminal: Bool, answers: [String], typing name: String? = nil
  ) async -> (code: ExitCode, errors: String) {
    let screen = Screen()
    let root = Command(
      "odi-x", "x",
      subcommands: [
        Command("rm", "remove", takes: [Confirmation.yes]) { call, output in
          try Confirmation(call, output.terminal).require("delete 3 cinemas", typing: name)
          return .done
        }
      ])
    let terminal = screen.terminal(isTerminal: isTerminal, environment: ["NO_COLOR": "1"], answers: answers)
    return (await CommandRunner(root: root, terminal: terminal).run(["rm"] + words), screen.errors)
  }

  @Test(
    "yes is asked for, and only yes is yes",
    arguments: [
      (["y"], ExitCode.done), (["yes"], .done), (["n"], .usage), ([""], .usage), ([], .usage), (["ye"], .usage),
    ] as [([String], ExitCode)])
  func answers(answers: [String], code: ExitCode) async {
    let result = await run([], isTerminal: true, answers: answers)
    #expect(result.code == code)
    #expect(result.errors.hasPrefix("This will delete 3 cinemas. Go on? [y/N] "))
  }

  @Test("--yes answers beforehand, and without anybody to ask the answer is no")
  func unattended() async {
    #expect(await run(["--yes"], isTerminal: false, answers: []).code == .done)
    let result = await run([], isTerminal: false, answers: ["y"])
    #expect(result.code == .usage)
    #expect(
      result.errors
        == "error: this would delete 3 cinemas\n  why: nobody is here to be asked\n  try: the same with --yes\n")
  }

  @Test("what concerns everything has to be typed")
  func typing() async {
    #expect(await run([], isTerminal: true, answers: ["y"], typing: "locator").code == .usage)
    #expect(await run([], isTerminal: true, answers: ["locator"], typing: "locator").code == .done)
  }
}

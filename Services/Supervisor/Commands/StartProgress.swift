import ServiceKit

/// Tells a person how a start goes: a line for each service that is ready, then what to try.
struct StartProgress {
  private let choices: SuitePlan.Choices
  private let plan: SuitePlan
  private let output: Output
  private let isShown: Bool
  private var told: Set<String> = []

  init(_ choices: SuitePlan.Choices, _ plan: SuitePlan, _ output: Output, isShown: Bool) {
    self.choices = choices
    self.plan = plan
    self.output = output
    self.isShown = isShown && !output.isQuiet
  }

  func begin() {
    let world = choices.isLive ? "the real sites, as far as they are enabled" : "the demo world"
    say(paint("odi", .bold) + " with \(world); everything is kept in \(choices.folder.path)")
  }

  mutating func show(_ services: [ServiceReport]) {
    for service in services {
      if service.state == .ready, told.insert(service.name).inserted {
        let took = service.startMilliseconds.map { Duration.milliseconds($0).spoken } ?? ""
        say("  \(paint("✔", .good)) \(padded(service.name, 10)) \(padded(service.address, 23)) \(paint(took, .dim))")
      }
    }
  }

  /// Where it is, and three things to try.
  func finish(after took: Duration) {
    let words = CommandWords(choices, environment: output.terminal.environment)
    let query = "lat=37.57&lon=126.977" + (choices.isLive ? "" : "&include=days,showtimes")
    let cli = choices.isLive ? words.of("odi-scraper", "site list") : words.of("odi-locator", "near 37.57,126.977")
    say("ready after \(took.spoken)\n")
    say("  \(paint("the page", .bold))   \(plan.page)")
    say("  \(paint("the API", .bold))    curl '\(plan.page)v1/cinemas/nearby?\(query)'")
    say("  \(paint("a command", .bold))  \(cli)\n")
  }

  /// What can be done with it now.
  func farewell(isDetached: Bool) {
    let words = CommandWords(choices, environment: output.terminal.environment)
    let end = isDetached ? "\(words.of("odi", "down")) ends it" : "Ctrl-C ends it; warnings are shown here"
    say("  \(words.of("odi", "ps")) tells how it is, \(words.of("odi", "logs -f")) what it says.")
    say("  \(end).")
  }

  private func paint(_ text: String, _ tone: Tone) -> String { tone.paint(text, output.coloursErrors) }
  private func say(_ line: String) { if isShown { output.terminal.writeError(line + "\n") } }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }
}

/// Commands as they can be typed here and now: with the path of a program that is not in PATH, and with the suite's folder
/// where it is not the usual one.
nonisolated package struct CommandWords: Sendable {
  private let programs: String
  private let supervisor: String
  private let folder: String?
  private let environment: [String: String]

  package init(_ choices: SuitePlan.Choices, environment: [String: String]) {
    programs = choices.programs
    supervisor = choices.supervisor
    self.environment = environment
    let usual = try? SuiteFolder.choose(nil, environment)
    folder = usual == choices.folder ? nil : choices.folder.path
  }

  package func of(_ program: String, _ words: String) -> String {
    let place = shortest(program == "odi" ? supervisor : programs)
    return "\(place)\(program) \(words)" + (folder.map { " --data \($0)" } ?? "")
  }

  private func shortest(_ place: String) -> String {
    if environment["PATH", default: ""].split(separator: ":").contains(where: { $0 == place }) { return "" }
    if let here = environment["PWD"].map({ $0 + "/" }), place.hasPrefix(here) {
      return place.dropFirst(here.count) + "/"
    }
    return place + "/"
  }
}

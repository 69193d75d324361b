import Atlas
import Calendars
import Crypto
import RPC
import ServiceKit

/// The commands that play with a running demo.
struct DemoCommands {
  var all: [Command] { [list, misbehave, behave, knobs, change] }

  private let demo = ServiceAccess(to: "demo")

  private static let cinemas = Completion.dynamic { typed, _ in
    allCinemas().map(\.id).filter { $0.hasPrefix(typed) }
  }

  private static func allCinemas() -> [DemoCinema] {
    let zones = ZoneDirectory()
    return Atlas.all.flatMap { (try? CinemaFile.cinemas(of: $0, zones: zones)) ?? [] }
  }

  // MARK: What there is

  private var list: Command {
    Command(
      "list", "show the demo's cinemas and the format of each",
      discussion: "Asks nobody: every demo has the same cinemas.", takes: [demo.dataParameter]
    ) { _, output in
      let columns = [
        Report.Column("id"), Report.Column("name", shrinks: true), Report.Column("city"), Report.Column("format"),
        Report.Column("active"),
      ]
      let rows = Self.allCinemas().map { cinema -> [Report.Cell] in
        [
          "\(cinema.id)", "\(cinema.name)", "\(cinema.city)", "\(cinema.format.rawValue)",
          .flag(cinema.isActive, cinema.isActive ? .plain : .dim),
        ]
      }
      try output.write(Report(columns, rows: rows))
      return .done
    }
  }

  // MARK: Misbehaviour

  private static let allWord = "all"

  private var misbehave: Command {
    let cinema = Parameter<String>.argument("CINEMA", "whose site, or all", completion: Self.cinemas)
    let kind = Parameter<Misbehaviour>.argument("HOW", "how")
    let period = Parameter<Duration?>.optionalOption("for", "then well again; a day at most")
    return Command(
      "misbehave", "make a cinema's site misbehave",
      discussion: Misbehaviour.allCases.map { "\($0.rawValue): \($0.summary)." }.joined(separator: " "),
      examples: [
        .init("odi-demo misbehave rio redesign", "the Rio's page after a redesign"),
        .init("odi-demo misbehave all 503 --for 2m", "nobody answers for two minutes"),
      ],
      takes: [cinema, kind, period] + demo.parameters
    ) { call, output in
      let wanted = call[cinema] == Self.allWord ? nil : call[cinema]
      let seconds = call[period].map { max(1, Int($0 / .seconds(1))) }
      let request = TurnKnob(cinema: wanted, misbehaviour: call[kind], seconds: seconds)
      try output.write(Self.report(try await demo.ask(request, call, output)))
      return .done
    }
  }

  private var behave: Command {
    let cinema = Parameter<String?>.optionalArgument(
      "CINEMA", "only this one's; all without it", completion: Self.cinemas)
    return Command(
      "behave", "end the misbehaviour and undo the changes", takes: [cinema] + demo.parameters
    ) { call, output in
      let wanted = call[cinema] == Self.allWord ? nil : call[cinema]
      try output.write(Self.report(try await demo.ask(Behave(cinema: wanted), call, output)))
      output.note(wanted.map { "\($0) behaves again" } ?? "all sites behave again")
      return .done
    }
  }

  private var knobs: Command {
    Command("knobs", "show which sites misbehave, and how", takes: demo.parameters) {
      call, output in
      try output.write(Self.report(try await demo.ask(ReadKnobs(), call, output)))
      return .done
    }
  }

  private static func report(_ knobs: [KnobReport]) -> Report {
    let columns = [
      Report.Column("cinema"), Report.Column("misbehaviour"), Report.Column("what", shrinks: true),
      Report.Column("left", alignment: .right),
    ]
    let rows = knobs.map { knob -> [Report.Cell] in
      [
        "\(knob.cinema ?? allWord)", "\(knob.misbehaviour.rawValue)", "\(knob.misbehaviour.summary)",
        .duration(.seconds(knob.secondsLeft)),
      ]
    }
    return Report(columns, rows: rows)
  }

  // MARK: Changes

  /// Asked twice it would happen twice, so the request has a key.
  private func once(_ request: ChangeSchedule, _ call: Invocation, _ output: Output) async throws -> ChangeReport {
    var random = SecureRandom()
    let options = CallOptions(
      timeout: ServiceAccess.patience, key: IdempotencyKey.random(using: &random), mayRetry: false)
    let client = try demo.client(of: DemoAPI.self, call, output)
    do throws(RPCError) {
      return try await client.call(request, options)
    } catch {
      throw demo.explain(error, try demo.address(call, output))
    }
  }

  private var change: Command {
    let cinema = Parameter<String>.argument("CINEMA", "whose programme", completion: Self.cinemas)
    let date = Parameter<String?>.optionalOption("date", "on this day, 2026-11-23; otherwise the next that can be")
    let flags: [(ScheduleChange.Kind, Parameter<Bool>)] = [
      (.cancel, .flag("cancel", "the next show does not take place")),
      (.add, .flag("add", "there is one more show")),
      (.move, .flag("move", "the next show begins half an hour later")),
      (.sellOut, .flag("sell-out", "the next show with seats has none left")),
    ]
    return Command(
      "change", "change a cinema's published programme",
      examples: [.init("odi-demo change cinecube --cancel", "the next show at Cinecube is cancelled")],
      takes: [cinema] + flags.map(\.1) + [date] + demo.parameters
    ) { call, output in
      let kinds = flags.filter { call[$0.1] }.map(\.0)
      guard let kind = kinds.first, kinds.count == 1 else {
        throw CommandError(
          .usage, "say what happens: one of --cancel, --add, --move, --sell-out",
          try: "odi-demo change \(call[cinema]) --cancel")
      }
      let request = ChangeSchedule(cinema: call[cinema], kind: kind.rawValue, date: call[date])
      let change = try await once(request, call, output)
      let fields: [(Report.Column, Report.Cell)] = [
        (Report.Column("cinema"), "\(change.cinema)"), (Report.Column("kind"), "\(change.kind)"),
        (Report.Column("date"), "\(change.date)"), (Report.Column("title"), "\(change.title)"),
        (Report.Column("start"), "\(change.start)"), (Report.Column("was"), .text(change.was)),
      ]
      try output.write(Report(item: fields))
      return .done
    }
  }
}

nonisolated extension Misbehaviour: ArgumentValue {}

import Atlas
import Calendars
import EventLoops
import RPC
import RPCTransport
import ServiceKit

/// The commands that play with a running demo.
struct DemoCommands {
  var all: [Command] { [list, misbehave, behave, knobs, change] }

  private static let host = Parameter<SocketAddress?>.optionalOption(
    "host", "where the demo's administrators are answered, unix:/path")
  private static let configurationFile = ConfigurationOptions(of: "demo", []).parameters
  private static let cinemas = Completion.dynamic { typed in
    allCinemas().map(\.id).filter { $0.hasPrefix(typed) }
  }

  /// A person is waiting, and the service is on this machine.
  private static let patience: Duration = .seconds(5)

  // MARK: Asking

  private func ask<Request: RPCRequest>(
    _ request: Request, _ call: Invocation, _ output: Output
  ) async throws -> Request.Response where Request.Service == DemoAPI {
    let address = try call[Self.host] ?? administrators(call, output.terminal)
    let client = ServiceClient(of: DemoAPI.self, at: [.address(address)], as: "odi-demo")
    do throws(RPCError) {
      return try await client.call(request, CallOptions(timeout: Self.patience, mayRetry: false))
    } catch {
      var failure = CommandError(error)
      if error.code == .unavailable {
        failure.what = "cannot reach odi-demo at \(address)"
        failure.remedy = "odi-demo serve"
      }
      throw failure
    }
  }

  /// Where the service says that it answers administrators: its own setting, from the environment, the file or the
  /// default.
  private func administrators(_ call: Invocation, _ terminal: Terminal) throws -> SocketAddress {
    let options = ConfigurationOptions(of: "demo", DemoService.program.settings)
    do throws(ConfigurationError) {
      let configuration = try options.read(call, terminal.environment)
      // The setting is found by its name; this default is never asked for.
      return configuration[Setting<SocketAddress>.value("admin-listen", "", default: .loopback())]
    } catch {
      throw error.asCommandError
    }
  }

  private static func allCinemas() -> [DemoCinema] {
    let zones = ZoneDirectory()
    return Atlas.all.flatMap { (try? CinemaFile.cinemas(of: $0, zones: zones)) ?? [] }
  }

  // MARK: What there is

  private var list: Command {
    Command(
      "list", "show the demo's cinemas and the format of each",
      discussion: "Asks nobody: every demo has the same cinemas."
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
      takes: [cinema, kind, period, Self.host] + Self.configurationFile
    ) { call, output in
      let wanted = call[cinema] == Self.allWord ? nil : call[cinema]
      let seconds = call[period].map { max(1, Int($0 / .seconds(1))) }
      let request = TurnKnob(cinema: wanted, misbehaviour: call[kind], seconds: seconds)
      try output.write(Self.report(try await ask(request, call, output)))
      return .done
    }
  }

  private var behave: Command {
    let cinema = Parameter<String?>.optionalArgument(
      "CINEMA", "only this one's; all without it", completion: Self.cinemas)
    return Command(
      "behave", "end the misbehaviour and undo the changes", takes: [cinema, Self.host] + Self.configurationFile
    ) { call, output in
      let wanted = call[cinema] == Self.allWord ? nil : call[cinema]
      try output.write(Self.report(try await ask(Behave(cinema: wanted), call, output)))
      return .done
    }
  }

  private var knobs: Command {
    Command("knobs", "show which sites misbehave, and how", takes: [Self.host] + Self.configurationFile) {
      call, output in
      try output.write(Self.report(try await ask(ReadKnobs(), call, output)))
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
      takes: [cinema] + flags.map(\.1) + [date, Self.host] + Self.configurationFile
    ) { call, output in
      let kinds = flags.filter { call[$0.1] }.map(\.0)
      guard let kind = kinds.first, kinds.count == 1 else {
        throw CommandError(
          .usage, "say what happens: one of --cancel, --add, --move, --sell-out",
          try: "odi-demo change \(call[cinema]) --cancel")
      }
      let request = ChangeSchedule(cinema: call[cinema], kind: kind.rawValue, date: call[date])
      let change = try await ask(request, call, output)
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

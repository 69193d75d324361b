import Calendars
import Clocks
import Contracts
import Directories
import Drafts
import EventLoops
import JSON
import RPC
import ServiceKit

/// The locator's own commands. They ask the running service; `lint FILE` needs none.
struct LocatorCommands {
  let locator = ServiceAccess(to: "locator")
  let zones = ZoneDirectory()
  let time: any TimeSource = EventLoop.time

  var all: [Command] {
    [near, search, geocode, list, get, regions, add, edit, remove, history, importing, exporting, lint, seed, index]
  }

  /// An id that is completed by asking the running service.
  var id: Parameter<CinemaID> {
    .argument(
      "ID", "the cinema's id",
      completion: locator.completion(asking: Self.firstCinemas) { page in page.cinemas.map(\.id.text) })
  }

  // MARK: Asking

  /// Every cinema, closed ones too.
  func everything(_ call: Invocation, _ output: Output) async throws(CommandError) -> [Cinema] {
    var all: [Cinema] = []
    while true {
      let request = ListCinemas(after: all.last?.id, limit: 1_000, includesInactive: true)
      let page = try await locator.ask(request, call, output)
      all += page.cinemas
      if !page.hasMore { return all }
    }
  }

  func cinema(_ id: CinemaID, _ call: Invocation, _ output: Output) async throws(CommandError) -> Cinema {
    guard let cinema = try await locator.ask(CinemasByID(ids: [id]), call, output).first else {
      let known = try? await locator.ask(Self.firstCinemas, call, output)
      throw CommandError(
        .notFound, "there is no cinema \(id)",
        why: suggestion(for: id.text, among: known?.cinemas.map(\.id.text) ?? []).map { "did you mean \($0)?" },
        try: "odi-locator search \(id)")
    }
    return cinema
  }

  /// As many as can be asked for at once: what is typed is completed with them, and what was mistyped compared.
  private static let firstCinemas = ListCinemas(limit: 1_000, includesInactive: true)

  /// Who is at the keyboard, for the history.
  func editor(_ output: Output) -> String { output.terminal.environment["USER"] ?? "odi-locator" }
}

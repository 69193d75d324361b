import Calendars
import Clocks
import Contracts
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
      completion: locator.completion(asking: ListCinemas(limit: 1_000, includesInactive: true)) { page in
        page.cinemas.map(\.id.text)
      })
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
      throw CommandError(.notFound, "there is no cinema \(id)", try: "odi-locator search \(id)")
    }
    return cinema
  }

  /// Who is at the keyboard, for the history.
  func editor(_ output: Output) -> String { output.terminal.environment["USER"] ?? "odi-locator" }
}

nonisolated extension ID: ArgumentValue {
  package static var wanted: String { form }
  package static var valueName: String { "ID" }
  package init?(argument: String) { self.init(argument) }
  package var argument: String { text }
}

/// `37.5663,126.9779`
nonisolated extension Coordinate: ArgumentValue {
  package static var wanted: String { "LAT,LON in degrees, such as 37.5663,126.9779" }
  package static var valueName: String { "LAT,LON" }
  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmed) }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
      let position = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self = position
  }
  package var argument: String { shown }
}

import Calendars
import Clocks
import Contracts
import Directories
import Drafts
import EventLoops
import RPC
import ServiceKit

/// Dining's own commands. They ask the running service; `lint FILE` and `hours` need none.
struct DiningCommands {
  let dining = ServiceAccess(to: "dining")
  let zones = ZoneDirectory()
  let time: any TimeSource = EventLoop.time

  var all: [Command] {
    [
      near, search, get, list, codes, genres, budgets, hours, remove, history, importing, exporting, lint, seed, guide,
      quota, sync,
    ]
  }

  /// Making the index anew takes a second for many restaurants.
  static let patience: Duration = .seconds(60)

  var id: Parameter<RestaurantID> { .argument("ID", "the restaurant's id") }

  func restaurant(_ id: RestaurantID, _ call: Invocation, _ output: Output) async throws(CommandError) -> Restaurant {
    let page = try await dining.ask(RestaurantsByID(ids: [id]), call, output)
    guard let place = page.places.first else {
      throw CommandError(.notFound, "there is no restaurant \(id)", try: "odi-dining search \(id)")
    }
    return place.restaurant
  }

  /// Every restaurant, closed ones too.
  func everything(_ call: Invocation, _ output: Output) async throws(CommandError) -> [Restaurant] {
    var all: [Restaurant] = []
    while true {
      let page = try await dining.ask(ListRestaurants(after: all.last?.id, limit: 200), call, output)
      all += page
      if page.isEmpty { return all }
    }
  }

  /// Who is at the keyboard, for the history.
  func editor(_ output: Output) -> String { output.terminal.environment["USER"] ?? "odi-dining" }
}

nonisolated extension RestaurantFeature: ArgumentValue {}

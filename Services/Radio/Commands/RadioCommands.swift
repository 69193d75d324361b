import Clocks
import Contracts
import Directories
import EventLoops
import RPC
import ServiceKit

/// The radio's own commands. They ask the running service; `lint FILE` needs none.
struct RadioCommands {
  let radio = ServiceAccess(to: "radio")
  let time: any TimeSource = EventLoop.time

  var all: [Command] {
    [
      list, search, get, sections, resolve, probe, play, rights, add, edit, remove, history, importing, exporting, lint,
      seed,
    ]
  }

  /// An id that is completed by asking the running service.
  var id: Parameter<StationID> {
    .argument(
      "ID", "the station's id",
      completion: radio.completion(asking: AllStations()) { $0.map(\.record.id.text) })
  }

  // MARK: Asking

  /// Every station, page by page.
  func everything(
    section: String? = nil, text: String? = nil, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> [StationEntry] {
    var all: [StationEntry] = []
    while true {
      let request = AllStations(section: section, text: text, offset: all.count, limit: Self.page)
      let page = try await radio.ask(request, call, output)
      all += page
      if page.count < Self.page { return all }
    }
  }

  private static let page = 500

  func station(_ id: StationID, _ call: Invocation, _ output: Output) async throws(CommandError) -> StationEntry {
    guard let entry = try await radio.ask(AllStations(ids: [id]), call, output).first else {
      throw CommandError(.notFound, "there is no station \(id)", try: "odi-radio search \(id)")
    }
    return entry
  }

  /// Who is at the keyboard, for the history.
  func editor(_ output: Output) -> String { output.terminal.environment["USER"] ?? "odi-radio" }
}

import Clocks
import Contracts
import Directories
import EventLoops
import RPC
import ServiceKit

/// The catalogue's own commands. They ask the running service; `lint FILE` needs none.
struct FilmsCommands {
  let films = ServiceAccess(to: "films")
  let time: any TimeSource = EventLoop.time

  var all: [Command] {
    [
      search, list, get, match, unmatched, similar, recommend, genres, person, add, edit, remove, merge, split, alias,
      undo, history, poster, posters, importing, exporting, lint, fetch, adopt, seed, reindex,
    ]
  }

  /// An id that is completed by asking the running service.
  var id: Parameter<FilmID> {
    .argument(
      "ID", "the film's id, any that it ever had",
      completion: films.completion(asking: ListCatalogue(order: .id, limit: 500)) { page in
        page.films.map(\.film.id.text)
      })
  }

  // MARK: Asking

  /// Every film.
  func everything(_ call: Invocation, _ output: Output) async throws(CommandError) -> [CatalogueFilm] {
    var all: [CatalogueFilm] = []
    var after: String?
    while true {
      let page = try await films.ask(ListCatalogue(order: .id, after: after, limit: 500), call, output)
      all += page.films
      guard let next = page.next else { return all }
      after = next
    }
  }

  func film(_ id: FilmID, _ call: Invocation, _ output: Output) async throws(CommandError) -> CatalogueFilm {
    guard let entry = try await films.ask(CatalogueFilms(ids: [id]), call, output).first else {
      throw CommandError(.notFound, "there is no film \(id)", try: "odi-films search \(id)")
    }
    return entry.film
  }

  /// Who is at the keyboard, for the history.
  func editor(_ output: Output) -> String { output.terminal.environment["USER"] ?? "odi-films" }
}

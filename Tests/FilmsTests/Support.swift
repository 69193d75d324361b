import Calendars
import Clocks
import Contracts
import EventLoops
import Films
import Glibc
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit

/// A scraper that says what it is told to say, and no more.
@MainActor
final class Programme {
  var films: [Film] = []
  /// Films that went, by their id, and what they are now.
  var merged: [FilmID: Film] = [:]
  private let server: RPCServer
  let address: SocketAddress

  init() throws {
    let router = RPCRouter(service: ScraperAPI.name)
    server = RPCServer(router, time: EventLoop.time)
    address = try server.listen(on: .loopback())
    router.on(FilmsShowing.self) { [unowned self] (_: FilmsShowing, _: borrowing CallContext) in
      films.map { film in
        let showtime = Showtime(
          id: ShowtimeID("show_1")!, cinema: CinemaID("emu")!, film: film.id, title: film.title,
          startsAt: WallTime(milliseconds: 0), serviceDate: .init(year: 2026, month: 11, day: 22)!,
          displayTime: .init(minutes: 600)!, attributes: [], state: .scheduled, firstSeen: WallTime(milliseconds: 0),
          lastSeen: WallTime(milliseconds: 0), revision: 1)
        return FilmShowing(
          film: film, showtimes: 1, cinemas: [showtime.cinema], next: showtime, last: showtime.startsAt)
      }
    }
    router.on(FilmsByID.self) { [unowned self] (request: FilmsByID, _: borrowing CallContext) in
      request.ids.compactMap { id in
        (merged[id] ?? films.first { $0.id == id }).map { FilmEntry(asked: id, film: $0) }
      }
    }
  }

  func end() async { await server.drain() }
}

extension FilmID {
  static func named(_ text: String) -> FilmID { FilmID(text)! }
}

/// The service with its starter catalogue, over its unix socket.
@MainActor
func running(
  _ flags: [String: String] = [:], folder: TemporaryFolder? = nil,
  _ body: (ServiceRig, any RPCClient<FilmsAPI>) async throws -> Void
) async throws {
  // Where nobody answers: programmes are not asked for unless a test has some.
  let all = ["scraper": "127.0.0.1:9"].merging(flags) { $1 }
  try await ServiceRig.run(FilmsService.program, flags: all, folder: folder) { rig in
    let address = try rig.environment.data.adminSocket(of: "films")
    try await body(rig, ServiceClient(of: FilmsAPI.self, at: [.address(address)]))
  }
}

extension TemporaryFolder {
  /// A file that only its owner may read, as secrets have to be.
  func writeSecret(_ text: String, to name: String) throws -> String {
    let path = try write(text, to: name)
    chmod(path, 0o600)
    return path
  }
}

extension RPCClient<FilmsAPI> {
  /// The film that an id leads to now.
  @MainActor
  func entry(_ id: String) async throws -> CatalogueFilm? {
    try await call(CatalogueFilms(ids: [.named(id)])).first?.film
  }
}

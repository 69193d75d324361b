import Calendars
import Clocks
import Contracts
import EventLoops
import Films
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
  /// How many it tells at once.
  var page = 500
  /// What it was asked, and what it answers instead of films.
  private(set) var marks: [String?] = []
  var failure: RPCError?
  private var told: [FilmEntry] = []
  private let server: RPCServer
  let address: SocketAddress

  init() throws {
    let router = RPCRouter(service: ScraperAPI.name)
    server = RPCServer(router, time: EventLoop.time)
    address = try server.listen(on: .loopback())
    router.on(FilmsChanged.self) { [unowned self] (request: FilmsChanged, _: borrowing CallContext) in
      marks.append(request.after)
      if let failure { throw failure }
      // What changed since it was last asked comes behind what was told before.
      let now =
        films.map { FilmEntry(asked: $0.id, film: $0) } + merged.map { FilmEntry(asked: $0.key, film: $0.value) }
      told += now.filter { !told.contains($0) }
      let begin = min(request.after.flatMap { Int($0) } ?? 0, told.count)
      let end = min(begin + page, told.count)
      // Each id once, as it is told last.
      let places = (begin..<end).filter { place in !told[(place + 1)...].contains { $0.asked == told[place].asked } }
      return FilmChanges(films: places.map { told[$0] }, mark: "\(end)", hasMore: end < told.count)
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

extension RPCClient<FilmsAPI> {
  /// The film that an id leads to now.
  @MainActor
  func entry(_ id: String) async throws -> CatalogueFilm? {
    try await call(CatalogueFilms(ids: [.named(id)])).first?.film
  }
}

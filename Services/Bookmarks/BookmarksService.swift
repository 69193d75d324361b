import Contracts
import Observability
import RPC
package import ServiceKit
import ServiceStorage
import Storage

/// The bookmarks service, put together.
package enum BookmarksService {
  package static var program: ServiceProgram {
    ServiceProgram(
      "bookmarks", "keeps what people save: bookmarks, favourites, history, settings",
      discussion: """
        Users are anonymous devices. Whatever is acknowledged is on the disk. Commands name a user by the id that \
        `sessions list` shows; tokens and other secrets are never shown, but by `call`, which prints what it is answered.
        """,
      examples: [
        .init("odi-bookmarks stats", "how much is kept"),
        .init("odi-bookmarks sessions list --unused-for 90d", "who has not been here for three months"),
        .init("odi-bookmarks export u_… > me.json", "everything that is kept of somebody"),
      ],
      build: .ofSuite(libraries: [Database.library]), port: 7_103, checks: [.storage],
      commands: BookmarksCommands().all + [DatabaseCommands(SQLiteBookmarks.declaration).command],
      parts: parts)
  }

  /// Two full groups of writes. One waits for the disk while the other gathers, so that a call takes twice as long as
  /// alone, which is no overload; who learned the limit from the times would cut it, and make the groups small.
  private static let callsAtOnce = 128

  private static func parts(_ environment: ServiceEnvironment) -> [any ServicePart] {
    let database = ServiceDatabase(SQLiteBookmarks.declaration, in: environment)
    let store: () throws -> any BookmarkStore = { SQLiteBookmarks(try database.opened) }
    let presence = Presence(time: environment.time, store: store)
    let handlers = BookmarksHandlers(
      store: store, time: environment.time, presence: presence, log: environment.log, metrics: environment.metrics)
    let router = RPCRouter(service: BookmarksAPI.name)
    handlers.register(on: router)
    database.answerAdministrators(on: router)
    let housekeeping = Housekeeping(
      store: store, emptyLog: { _ = try await database.opened.checkpoint() }, presence, time: environment.time,
      log: environment.log, metrics: environment.metrics)
    environment.readiness.add(
      Readiness.Condition("database") { (try? database.opened) == nil ? "it is not open" : nil })
    return [
      database, housekeeping, CallServer(router, in: environment, callsAtOnce: callsAtOnce), WatchEnding(handlers.hub),
    ]
  }
}

/// Ends the streams when the service goes down, so that they go on elsewhere instead of waiting for its end.
@MainActor
private final class WatchEnding: ServicePart {
  nonisolated let name = "watchers"
  private let hub: WatchHub

  init(_ hub: WatchHub) { self.hub = hub }

  func start() async throws {}
  func drain() async { hub.close() }
}

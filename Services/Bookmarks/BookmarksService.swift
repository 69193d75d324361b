import Contracts
import Observability
import RPC
package import ServiceKit
import Storage

/// The bookmarks service, put together.
package enum BookmarksService {
  package static var program: ServiceProgram {
    ServiceProgram(
      "bookmarks", "keeps what people save: bookmarks, favourites, history, settings",
      discussion: """
        Users are anonymous devices. Whatever is acknowledged is on the disk. Commands name a user by the id that \
        `sessions list` shows; tokens and other secrets are never shown.
        """,
      examples: [
        .init("odi-bookmarks stats", "how much is kept"),
        .init("odi-bookmarks sessions list --unused-for 90d", "who has not been here for three months"),
        .init("odi-bookmarks export u_… > me.json", "everything that is kept of somebody"),
      ],
      build: BuildInfo(version: "0.3.0"), port: 7_103, checks: [.storage], commands: BookmarksCommands().all,
      parts: parts)
  }

  private static func parts(_ environment: ServiceEnvironment) -> [any ServicePart] {
    var options = SQLiteBookmarks.options
    options.log = environment.log
    options.metrics = environment.metrics
    let data = BookmarksData(in: environment.data, options: options, log: environment.log)
    let presence = Presence(time: environment.time, store: data.store)
    let handlers = BookmarksHandlers(
      store: data.store, time: environment.time, presence: presence, log: environment.log,
      metrics: environment.metrics)
    let router = RPCRouter(service: BookmarksAPI.name)
    handlers.register(on: router)
    environment.readiness.add(
      Readiness.Condition("db") { (try? data.store()) == nil ? "the database is not open" : nil })
    return [
      data,
      Housekeeping(
        data, presence, time: environment.time, log: environment.log, metrics: environment.metrics),
      CallServer(router, in: environment),
      WatchEnding(handlers.hub),
    ]
  }
}

/// Ends the streams when the service goes down, so that they go on elsewhere instead of waiting for its end.
private final class WatchEnding: ServicePart {
  nonisolated let name = "watchers"
  private let hub: WatchHub

  init(_ hub: WatchHub) { self.hub = hub }

  func start() async throws {}
  func drain() async { hub.close() }
}

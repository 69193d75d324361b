import Contracts
import RPC
package import ServiceKit
import ServiceStorage
import Storage

/// The directory of cinemas as a service: who it is, and how it is put together.
package enum LocatorService {
  nonisolated static let demo = Setting<Bool>.value(
    "demo", "begin an empty directory with the known cinemas of Korea and London", default: false)

  package static var program: ServiceProgram {
    ServiceProgram(
      "locator", "the directory of cinemas: where they are, and which are near",
      discussion: """
        Keeps the cinemas in DIR/locator.sqlite and answers from memory. Every change is kept, with what was there before.
        With --workers 4 three more processes read beside the one that takes changes, for as many cores.
        """,
      examples: [
        .init("odi-locator import cinemas.csv --dry-run", "what a file would change"),
        .init("odi-locator near 37.5663,126.9779 -n 3", "the three nearest to Seoul's city hall"),
        .init("odi-locator lint", "what is probably wrong with the directory"),
      ],
      build: .ofSuite(libraries: [Database.library]), port: 7_101, settings: [demo], checks: [.storage],
      commands: LocatorCommands().all + [DatabaseCommands(LocatorStore.declaration).command], offersWorkers: true
    ) { environment in
      let database = ServiceDatabase(LocatorStore.declaration, in: environment)
      let store = LocatorStore(database)
      let directory = LiveDirectory(
        store, seedsWhenEmpty: environment.worker == nil && environment.configuration[demo], in: environment)
      let router = RPCRouter(service: LocatorAPI.name)
      LocatorHandlers(directory: directory, store: store).register(on: router)
      if let worker = environment.worker {
        let follower = DirectoryFollower(directory, of: worker.client(), time: environment.time)
        return [database, directory, follower, CallServer(router, in: environment)]
      }
      AdministratorHandlers(directory: directory, store: store, time: environment.time).register(on: router)
      database.answerAdministrators(on: router)
      return [database, directory, CallServer(router, in: environment)]
    }
  }
}

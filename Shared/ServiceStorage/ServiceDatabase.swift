package import Observability
import RPC
package import ServiceKit
package import Storage

/// What the database of a service is: declared once, opened by the service, looked at and restored by its commands.
nonisolated package struct DatabaseDeclaration: Sendable {
  /// `locator`; the file is `locator.sqlite` in the data folder.
  package let service: String
  package let applicationID: ApplicationID
  package let migrations: [Migration]
  package let durability: DatabaseOptions.Durability
  package let overwritesFreedPages: Bool
  package let limits: DatabaseLimits

  /// - Parameter overwritesFreedPages: see `DatabaseOptions`; for what people want erased.
  package init(
    of service: String, applicationID: ApplicationID, migrations: [Migration],
    durability: DatabaseOptions.Durability = .full, overwritesFreedPages: Bool = false,
    limits: DatabaseLimits = DatabaseLimits()
  ) {
    self.service = service
    self.applicationID = applicationID
    self.migrations = migrations
    self.durability = durability
    self.overwritesFreedPages = overwritesFreedPages
    self.limits = limits
  }

  package func options(log: Log = .silent, metrics: Metrics? = nil) -> DatabaseOptions {
    var options = DatabaseOptions(applicationID: applicationID)
    options.durability = durability
    options.overwritesFreedPages = overwritesFreedPages
    options.limits = limits
    options.log = log
    options.metrics = metrics
    return options
  }
}

/// A service's database as a part of its life: opened at the start, closed at the end.
///
///     let database = ServiceDatabase(LocatorStore.declaration, in: environment)
///     database.answerAdministrators(on: router)
///     return [database, …, CallServer(router, in: environment)]
@MainActor
package final class ServiceDatabase: ServicePart {
  nonisolated package let name = "database"
  package let declaration: DatabaseDeclaration
  package let path: String
  let environment: ServiceEnvironment
  private var database: Database?

  package init(_ declaration: DatabaseDeclaration, in environment: ServiceEnvironment) {
    self.declaration = declaration
    self.environment = environment
    path = environment.data.database(of: declaration.service)
  }

  /// The open database. Before the start and after the end there is none, and nobody is served then.
  package var opened: Database {
    get throws {
      guard let database else { throw RPCError(.unavailable, "the database is not open") }
      return database
    }
  }

  package func start() async throws {
    let options = declaration.options(log: environment.log, metrics: environment.metrics)
    guard environment.worker == nil else {
      database = try await Database.follow(path, migrations: declaration.migrations, options: options)
      return
    }
    try environment.data.make()
    if let backup = try await declaration.backUpBeforeMigrating(path, options) {
      environment.log.info("backed up before migrating", ["to": .string(backup)])
    }
    let database = try await Database.open(path, migrations: declaration.migrations, options: options)
    self.database = database
    if !database.wasChecked {
      environment.log.info(
        "the database is too large to be checked at each start",
        ["path": .string(path), "try": .string("odi-\(declaration.service) db check")])
    }
  }

  package func stop() async {
    let closing = database
    database = nil
    await closing?.close()
  }
}

nonisolated extension DatabaseDeclaration {
  /// Copies a database that is about to get a new schema, so that the build of before can be gone back to.
  ///
  /// - Returns: where the copy is; nil if nothing will change.
  func backUpBeforeMigrating(_ path: String, _ options: DatabaseOptions) async throws -> String? {
    let plan = try await Database.plan(path, migrations: migrations, options: options)
    guard !plan.applied.isEmpty, !plan.pending.isEmpty else { return nil }
    // With the history that it has had, nothing is migrated yet.
    let old = Array(migrations.prefix(plan.applied.count))
    let database = try await Database.open(path, migrations: old, options: options)
    do {
      let copy = try await database.backUp(toFirstFreeOf: "\(path).before-\(migrations.count)")
      await database.close()
      return copy
    } catch {
      await database.close()
      throw error
    }
  }
}

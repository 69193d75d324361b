package import RPC
import ServiceKit
package import Storage

extension ServiceDatabase {
  /// Answers the requests of `db`. They take as long as the disk takes; nobody else waits for them.
  package func answerAdministrators(on router: RPCRouter) {
    router.on(DescribeDatabase.self) { [self] (_: DescribeDatabase, _: CallContext) in
      DatabaseDescription(try await opened.info(), counts: try await opened.rowCounts())
    }
    router.on(CheckDatabase.self) { [self] (_: CheckDatabase, _: CallContext) in
      try await environment.jobs.run("db check") { [self] _ in try await opened.check() }
    }
    router.on(VacuumDatabase.self) { [self] (_: VacuumDatabase, _: CallContext) in
      try await environment.jobs.run("db vacuum") { [self] _ in
        try await opened.vacuum()
        return try await opened.info().bytes
      }
    }
    router.on(BackUpDatabase.self) { [self] (request: BackUpDatabase, _: CallContext) in
      guard request.path.hasPrefix("/") else {
        throw RPCError(.invalidArgument, "\(request.path) is not absolute; the service has a folder of its own")
      }
      return try await environment.jobs.run("db backup") { [self] _ in
        DatabaseCopy(try await opened.backUp(to: request.path))
      }
    }
  }
}

nonisolated extension DatabaseDescription {
  init(_ info: DatabaseInfo, counts: [String: Int]) {
    self.init(
      path: info.path, bytes: info.bytes, walBytes: info.walBytes, freeBytes: info.freePages * info.pageSize,
      durability: info.durability.rawValue, sqlite: info.sqliteVersion, schemaVersion: info.migrations.count,
      schema: info.migrations.last ?? "", counts: counts)
  }
}

nonisolated extension DatabaseCopy {
  init(_ report: BackupReport) {
    self.init(path: report.path, bytes: report.bytes, schemaVersion: report.migrations.count, counts: report.rows)
  }
}

/// What a caller is told when the database did not do it: what to do, and nothing of how it is built.
nonisolated extension StorageError: RPCErrorConvertible {
  /// A full queue is written within about this time.
  private static let queuePasses: Duration = .seconds(1)
  /// Until somebody may have made room.
  private static let diskIsCleared: Duration = .seconds(60)

  package var rpcError: RPCError {
    switch kind {
    // With a time to wait: without one it would be somebody's quota, for which waiting does nothing.
    case .overloaded:
      RPCError(
        .resourceExhausted, "too many wait for the database; try again", executed: .no, retryAfter: Self.queuePasses)
    case .busy, .rolledBack: RPCError(.unavailable, "the database is busy; try again", executed: .no)
    case .closed: RPCError(.unavailable, "the service is ending; try again", executed: .no)
    case .cancelled: RPCError(.cancelled, "cancelled", executed: .no)
    case .deadlineExceeded: RPCError(.deadlineExceeded, "the time was up while it waited", executed: .no)
    case .full where mayHaveBeenStored:
      RPCError(
        .resourceExhausted, "the disk is full; it may have been stored all the same", executed: .maybe,
        retryAfter: Self.diskIsCleared, cause: self)
    case .full:
      RPCError(
        .resourceExhausted, "the disk is full; nothing was stored", executed: .no, retryAfter: Self.diskIsCleared,
        cause: self)
    case .constraint(.unique), .constraint(.primaryKey): RPCError(.alreadyExists, "it is there already", cause: self)
    case .tooBig: RPCError(.invalidArgument, "it is too large to be stored", cause: self)
    case .inputOutput:
      RPCError(.unavailable, "the disk failed", executed: mayHaveBeenStored ? .maybe : .no, cause: self)
    case .corrupt: RPCError(.dataLoss, "the database is damaged", cause: self)
    case .cannotOpen: RPCError(.failedPrecondition, message, cause: self)
    case .constraint, .readOnly, .outOfMemory, .owned, .incompatible, .mismatch, .misuse:
      RPCError(.internal, "the database did not do it; the log says why", cause: self)
    }
  }
}

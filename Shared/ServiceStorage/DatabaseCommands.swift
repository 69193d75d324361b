import Glibc
import JSON
import RPC
package import ServiceKit
import Storage

/// `db info|check|verify|vacuum|backup|restore|migrate|shell`: the same for every service that has a database.
///
/// They ask the running service; where none runs, they look at the file themselves.
package struct DatabaseCommands {
  private let declaration: DatabaseDeclaration
  private let access: ServiceAccess

  /// A large database is read, copied or written from end to end.
  private static let patience: Duration = .seconds(3_600)

  /// Of an operator's own question.
  nonisolated private enum Limits {
    static let rows = 1...100_000
    static let rowsUsual = 1_000
    /// A service goes on beside it, whose log of writes cannot be emptied meanwhile.
    static let time: ClosedRange<Duration> = .milliseconds(10) ... .seconds(3_600)
    static let timeUsual: Duration = .seconds(30)
  }

  package init(_ declaration: DatabaseDeclaration) {
    self.declaration = declaration
    access = ServiceAccess(to: declaration.service)
  }

  package var command: Command {
    Command(
      "db", "look after the database", subcommands: [info, check, verify, vacuum, backup, restore, migrate, shell])
  }

  private var executable: String { "odi-\(declaration.service)" }

  // MARK: Looking

  private var info: Command {
    Command("info", "show how large the database is and what is in it", takes: access.parameters) { call, output in
      if let description = try await ifRunning(DescribeDatabase(), call, output) {
        try output.write(description.report)
      } else {
        output.note("\(executable) does not run; this is what its file says")
        let path = try access.dataFolder(call, output).database(of: declaration.service)
        try output.write(try await file(path).report)
      }
      return .done
    }
  }

  private var check: Command {
    Command(
      "check", "read the whole database and tell what is wrong with it; exit code 9 if anything is",
      takes: access.parameters
    ) { call, output in
      guard let findings = try await ifRunning(CheckDatabase(), call, output) else {
        let copy = try await file(access.dataFolder(call, output).database(of: declaration.service))
        output.note("\(executable) does not run; \(copy.path) is well")
        return .done
      }
      try output.write(Report([Report.Column("finding")], rows: findings.map { ["\($0)"] }))
      output.note(findings.isEmpty ? "the database is well" : "restore a backup: \(executable) db restore FILE")
      return findings.isEmpty ? .done : .degraded
    }
  }

  private var verify: Command {
    let path = Parameter<String>.argument("FILE", "a backup", completion: .files)
    return Command(
      "verify", "read the whole of a backup and tell what is in it", discussion: "Needs no running service.",
      takes: [path]
    ) { call, output in
      try output.write(try await file(call[path]).report)
      return .done
    }
  }

  /// What is in a file that nobody writes to.
  private func file(_ path: String) async throws(CommandError) -> DatabaseCopy {
    guard Glibc.access(path, F_OK) == 0 else {
      throw CommandError(.notFound, "there is no database at \(path)", try: "\(executable) serve")
    }
    return try await explained {
      DatabaseCopy(
        try await Database.verify(path, migrations: declaration.migrations, options: declaration.options()))
    }
  }

  // MARK: Keeping

  private var backup: Command {
    let path = Parameter<String>.argument("TO", "a new file", completion: .files)
    return Command(
      "backup", "copy the database of the running service to a new file, checked",
      examples: [.init("\(executable) db backup /var/backups/\(declaration.service).sqlite", "while it goes on")],
      takes: [path] + access.parameters
    ) { call, output in
      let request = BackUpDatabase(path: absolute(call[path]))
      let copy = try await access.ask(request, call, output, timeout: Self.patience)
      try output.write(copy.report)
      return .done
    }
  }

  private var restore: Command {
    let path = Parameter<String>.argument("FROM", "a backup", completion: .files)
    return Command(
      "restore", "put a backup in the place of the database",
      discussion:
        "The service must not run. What was there stays beside it, with .replaced at the end of its name, and a number where there is one.",
      takes: [path, Confirmation.yes, access.dataParameter]
    ) { call, output in
      let folder = try access.dataFolder(call, output)
      let backup = try await file(call[path])
      try Confirmation(call, output.terminal).require(
        "replace the database of \(executable) with \(backup.path)", typing: declaration.service)
      let report = try await explained {
        try folder.make()
        return try await Database.restore(
          from: backup.path, to: folder.database(of: declaration.service), migrations: declaration.migrations,
          options: declaration.options())
      }
      try output.write(DatabaseCopy(report).report)
      return .done
    }
  }

  private var vacuum: Command {
    Command("vacuum", "give back the room of what was deleted", takes: access.parameters) { call, output in
      let bytes = try await access.ask(VacuumDatabase(), call, output, timeout: Self.patience)
      try output.write(Report(item: [(Report.Column("bytes"), .bytes(Int(bytes)))]))
      return .done
    }
  }

  private var migrate: Command {
    let plan = Parameter<Bool>.flag("plan", "tell what would be done and do nothing")
    return Command(
      "migrate", "bring the database to this build's schema, as the service does when it starts",
      discussion: "The service must not run, unless with --plan. An old database is copied first.",
      takes: [plan, access.dataParameter]
    ) { call, output in
      let folder = try access.dataFolder(call, output)
      let path = folder.database(of: declaration.service)
      let pending = try await explained {
        try await Database.plan(path, migrations: declaration.migrations, options: declaration.options()).pending
      }
      if !call[plan] {
        try await explained {
          try folder.make()
          let options = declaration.options()
          if let copy = try await declaration.backUpBeforeMigrating(path, options) { output.note("copied to \(copy)") }
          await (try await Database.open(path, migrations: declaration.migrations, options: options)).close()
        }
      }
      try output.write(Report([Report.Column("migration")], rows: pending.map { ["\($0)"] }))
      output.note(pending.isEmpty ? "nothing to do" : "\(pending.count) \(call[plan] ? "to do" : "done")")
      return .done
    }
  }

  // MARK: Asking

  private var shell: Command {
    let statement = Parameter<String?>.optionalArgument(
      "SQL", "one statement; without it each line of standard input is one")
    let limit = Parameter<Int>.option("limit", short: "n", "rows at most", default: Limits.rowsUsual, in: Limits.rows)
    let time = Parameter<Duration>.option(
      "within", "how long a statement may take", default: Limits.timeUsual, in: Limits.time)
    return Command(
      "shell", "ask the database in SQL, reading only",
      discussion: """
        Reads the service's own file beside the service, which goes on. Nothing can be changed, no other file opened. \
        What a column holds is told as it is stored.
        """,
      examples: [
        .init("\(executable) db shell 'SELECT name FROM sqlite_schema'", "what there is"),
        .init("\(executable) db shell --json < questions.sql", "a statement a line"),
      ],
      takes: [statement, limit, time, access.dataParameter]
    ) { call, output in
      let path = try access.dataFolder(call, output).database(of: declaration.service)
      guard Glibc.access(path, F_OK) == 0 else {
        throw CommandError(.notFound, "there is no database at \(path)", try: "\(executable) serve")
      }
      func answer(_ text: String) async throws {
        let found = try await explained {
          try await Database.look(
            at: path, text, rowsMax: call[limit], within: call[time], options: declaration.options())
        }
        try output.write(found.report)
        if found.isCut { output.note("there are more rows; --limit takes up to \(Limits.rows.upperBound)") }
      }
      if let text = call[statement] {
        try await answer(text)
      } else {
        while let line = output.terminal.readLine() {
          if line.contains(where: { !$0.isWhitespace }) { try await answer(line) }
        }
      }
      return .done
    }
  }

  /// The running service's answer; nil if it does not run.
  private func ifRunning<Request: RPCRequest>(
    _ request: Request, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> Request.Response? {
    do throws(CommandError) {
      return try await access.ask(request, call, output, timeout: Self.patience)
    } catch {
      guard error.code == .unreachable else { throw error }
      return nil
    }
  }

  /// Storage's errors as commands tell them.
  private func explained<Result>(_ body: () async throws -> Result) async throws(CommandError) -> Result {
    do {
      return try await body()
    } catch let error as CommandError {
      throw error
    } catch let error as StorageError {
      throw CommandError(error, executable)
    } catch {
      throw CommandError(.failed, "\(error)")
    }
  }

  /// The service does not run in this folder.
  private func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&bytes, bytes.count) != nil else { return path }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) + "/" + path
  }
}

nonisolated extension CommandError {
  fileprivate init(_ error: StorageError, _ executable: String) {
    switch error.kind {
    case .owned:
      self.init(
        .conflict, "the database is open", why: "\(executable) is running", try: "\(executable) drain, and then again")
    case .incompatible: self.init(.conflict, "the database does not fit this build", why: error.message)
    case .corrupt: self.init(.degraded, "the database is damaged", why: error.message)
    case .deadlineExceeded:
      self.init(
        .timedOut, "the statement was not done in time", try: "the same with a longer --within, or a narrower one")
    default: self.init(.failed, error.message)
    }
  }
}

// MARK: - How it looks

nonisolated extension DatabaseDescription {
  fileprivate var report: Report {
    Report(item: [
      (Report.Column("path"), "\(path)"), (Report.Column("bytes"), .bytes(Int(bytes))),
      (Report.Column("wal_bytes"), .bytes(Int(walBytes))), (Report.Column("free_bytes"), .bytes(Int(freeBytes))),
      (Report.Column("durability"), "\(durability)"), (Report.Column("sqlite"), "\(sqlite)"),
      (Report.Column("schema_version"), .number(schemaVersion)), (Report.Column("schema"), "\(schema)"),
      (Report.Column("counts"), .counts(counts)),
    ])
  }
}

nonisolated extension DatabaseCopy {
  fileprivate var report: Report {
    Report(item: [
      (Report.Column("path"), "\(path)"), (Report.Column("bytes"), .bytes(Int(bytes))),
      (Report.Column("schema_version"), .number(schemaVersion)), (Report.Column("counts"), .counts(counts)),
    ])
  }
}

nonisolated extension Report.Cell {
  fileprivate static func counts(_ counts: [String: Int]) -> Report.Cell {
    let sorted = counts.sorted { $0.key < $1.key }
    return Report.Cell(
      sorted.map { "\($0.key) \($0.value)" }.joined(separator: ", "),
      json: .object(JSONObject(sorted.map { ($0.key, .int(Int64($0.value))) })))
  }
}

nonisolated extension LookedUp {
  /// Of a longer blob only its length is told.
  private static let blobShown = 32

  fileprivate var report: Report {
    Report(columns.map { Report.Column($0) }, rows: rows.map { $0.map(Self.cell) })
  }

  private static func cell(_ value: StoredValue) -> Report.Cell {
    switch value {
    case .null: .none
    case .integer(let number): Report.Cell("\(number)", json: .int(number))
    case .real(let number): Report.Cell("\(number)", json: .double(number))
    case .text(let text): Report.Cell(text)
    case .blob(let bytes) where bytes.count <= blobShown:
      Report.Cell(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    case .blob(let bytes): Report.Cell("\(bytes.count) bytes")
    }
  }
}

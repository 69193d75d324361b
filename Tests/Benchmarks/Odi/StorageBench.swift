import Storage

/// Durable single-row writes from many callers at once, each awaiting its own acknowledgement.
enum StorageBench {
  static let usage = "run --path FILE [--callers N] [--seconds S] [--warmup S]"

  /// The table of Peers/storage_sqlite.c.
  private static let migrations = [
    Migration(
      "bookmark",
      """
      CREATE TABLE bookmark (user INTEGER NOT NULL, item TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (user, item)) STRICT, WITHOUT ROWID
      """)
  ]

  static func run(_ arguments: Arguments) throws {
    var arguments = arguments
    guard arguments.takeVerb() == "run" else { throw Arguments.Wrong(reason: "odi-bench storage \(usage)") }
    let path: String = try arguments.value("path")
    let callers: Int = try arguments.value("callers", default: 64)
    let window = Window(
      warmup: try arguments.value("warmup", default: 0.2), seconds: try arguments.value("seconds", default: 1))
    runOnLoop { try await write(to: path, callers: callers, window) }
  }

  private static func write(to path: String, callers: Int, _ window: Window) async throws {
    let database = try await Database.open(
      path, migrations: migrations, options: DatabaseOptions(applicationID: ApplicationID("bnch")))
    let load = Load(on: database, window)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<callers {
        group.addTask { try await load.keepWriting(timed: caller == 0) }
      }
      try await group.waitForAll()
    }
    load.window.print()
    await database.close()
  }

  private final class Load {
    private let database: Database
    var window: Window
    private var isOver = false
    private var next = 0

    init(on database: Database, _ window: Window) {
      self.database = database
      self.window = window
    }

    func keepWriting(timed: Bool) async throws {
      while !isOver {
        let sent = nanoseconds()
        try await write(next)
        window.count()
        if timed, window.sample(sentAt: sent, now: nanoseconds()) { isOver = true }
      }
    }

    private func write(_ number: Int) async throws {
      next += 1
      let digits = String(number)
      let item = "film_" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
      try await database.write { db in
        try db.execute(
          "INSERT INTO bookmark (user, item, at) VALUES (?, ?, ?)", [number % 1000, item, 1_700_000_000_000 + number])
      }
    }
  }
}

import Clocks

/// What an operator's own question of a database found.
package struct LookedUp: Sendable {
  package var columns: [String] = []
  package var rows: [[StoredValue]] = []
  /// There were more.
  package var isCut = false
}

extension Database {
  /// Answers one statement that only reads, over a connection of its own beside whoever serves the file. What would
  /// change something, or leave the file, is refused by SQLite.
  ///
  /// - Parameter time: for all of it. One that takes longer is ended, and throws `deadlineExceeded`.
  package static func look(
    at path: String, _ statement: String, rowsMax: Int, within time: Duration, options: DatabaseOptions
  ) async throws -> LookedUp {
    try await DatabaseThread.run("db shell") {
      let connection = try DatabaseConnection(.read, path, options: options)
      try connection.verifyApplication(options.applicationID)
      let begun = options.now()
      let job = Job(deadline: begun + time, queuedAt: begun, isAlone: true)
      connection.reading = job
      var found = LookedUp()
      var bytes = 0
      do {
        try connection.forEach(SQL(trusted: statement)) { row in
          if found.columns.isEmpty {
            for column in 0..<row.count { found.columns.append(row.name(column)) }
          }
          guard found.rows.count < rowsMax, bytes < bytesMax else { throw Enough() }
          var values: [StoredValue] = []
          for column in 0..<row.count {
            values.append(try row.value(column))
            switch values[column] {
            case .blob(let blob): bytes += blob.count
            case .text(let text): bytes += text.utf8.count
            default: break
            }
          }
          found.rows.append(values)
        }
      } catch is Enough {
        found.isCut = true
      } catch {
        // SQLite says that it was interrupted, and not why.
        throw job.reasonToStop(at: options.now()) ?? error
      }
      return found
    }
  }

  /// Of texts and blobs that are held at once.
  private static var bytesMax: Int { 64 << 20 }

  private struct Enough: Error {}
}

import CSQLite

extension Database {
  /// Puts a backup in the place of the database at `path`, which nobody may have open.
  ///
  /// The backup is checked first. What was there stays beside it as `<path>.replaced`, or `<path>.replaced.2` and so on
  /// where an earlier restore left one: nothing that was set aside is lost. A crash on the way leaves the old database or
  /// the new one, whole.
  package static func restore(
    from backup: String, to path: String, migrations: [Migration], options: DatabaseOptions
  ) async throws -> BackupReport {
    let history = MigrationHistory(migrations)
    return try await DatabaseThread.run("db restore") {
      let owner = try OwnerLock(of: path)
      defer { owner.release() }
      let report = try inspect(backup, options.applicationID, history, named: backup)

      let arriving = path + ".restoring"
      do {
        let source = try DatabaseConnection(opening: backup, flags: SQLITE_OPEN_READONLY)
        try source.transaction("BEGIN") { try source.copy(to: arriving, stopWhen: { false }, progress: nil) }
        try Files.sync(arriving)
      } catch {
        try? Files.removeIfThere(arriving)
        throw error
      }
      if Files.exists(path) { try setAside(path) }
      try Files.move(arriving, to: path)
      return report
    }
  }

  /// Gives the old database a second name, and takes its WAL away: beside the new file it would be replayed into it.
  private static func setAside(_ path: String) throws {
    // All of the old one goes into its main file, if it is well enough for that.
    if let old = try? DatabaseConnection(opening: path, flags: SQLITE_OPEN_READWRITE) {
      _ = old.checkpoint(.empty, waiting: true)
      old.close()
    }
    let aside = Files.free(path + ".replaced")
    try Files.link(path, as: aside)
    for tail in ["-wal", "-journal"] {
      try Files.removeIfThere(aside + tail)
      if Files.exists(path + tail) { try Files.move(path + tail, to: aside + tail) }
    }
    try Files.removeIfThere(path + "-shm")
    try Files.syncDirectory(of: path)
  }
}

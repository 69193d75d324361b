import Glibc
import JSON
import ServiceKit

/// `odi restore`: checks a backup, and puts it back.
enum RestoreCommand {
  private static let from = Parameter<String>.argument("FOLDER", "the folder of the backup", completion: .directories)
  private static let verify = Parameter<Bool>.flag(
    "verify", "a drill: restore into a folder beside the backup, compare, throw it away; the suite may run")

  static var command: Command {
    Command(
      "restore", "put a backup back, or try whether it could be",
      discussion: """
        First every file is checked against the manifest's digests, and every database opened and counted. Then each \
        service's program restores its own; what was there, keys and files of sites too, is kept as NAME.replaced, \
        or NAME.replaced.2 and so on. Sites that the backup does not have are set aside too. The suite must not run.
        """,
      examples: [
        .init("odi restore /var/backups/odi-2026-11-20 --verify", "a drill, at any time"),
        .init("odi down && odi restore /var/backups/odi-2026-11-20 && odi up", "in earnest"),
      ],
      takes: [from, verify, Confirmation.yes, SuiteOptions.data, SuiteOptions.programs]
    ) { call, output in
      let folder = try SuiteOptions.folder(call, output)
      let backup = Backup(
        path: absolutePath(call[from]), programs: SuiteOptions.programs(call),
        environment: output.terminal.environment)
      let manifest = try backup.checkedManifest()
      if call[verify] {
        try await drill(backup, manifest)
        try output.write(BackupCommand.report(manifest))
        output.note("the backup is whole: restored beside it, opened, counted, and removed again")
        return .done
      }
      let lock = try lock(folder)
      defer { withExtendedLifetime(lock) {} }
      let rows = manifest.databases.reduce(0) { $0 + $1.counts.values.reduce(0, +) }
      if SuiteMember.allCases.contains(where: { access(folder.database(of: $0), F_OK) == 0 }) {
        try Confirmation(call, output.terminal).require(
          "replace what is kept in \(folder.path) by \(rows) rows of \(manifest.databases.count) databases",
          typing: "restore")
      }
      for database in manifest.databases { try await backup.verify(database) }
      try await backup.restore(manifest, into: folder)
      try output.write(BackupCommand.report(manifest))
      return .done
    }
  }

  private static func lock(_ folder: SuiteFolder) throws(CommandError) -> SuiteLock {
    try folder.make()
    do {
      return try SuiteLock(of: folder, for: .restore)
    } catch {
      guard SuiteLock.holder(of: folder)?.purpose == .suite else { throw error }
      var refusal = error
      refusal.remedy = "odi down --data \(folder.path), or a drill with --verify"
      throw refusal
    }
  }

  private static func drill(_ backup: Backup, _ manifest: BackupManifest) async throws(CommandError) {
    let place = SuiteFolder(withoutSockets: backup.path + ".drill")
    func remove() {
      for folder in [place.run, place.log, place.secrets, place.sites, place.path] {
        BackupFiles.remove(folder: folder)
      }
    }
    remove()
    defer { remove() }
    try place.make()
    for database in manifest.databases { try await backup.verify(database) }
    try await backup.restore(manifest, into: place)
  }
}

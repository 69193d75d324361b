package import Observability
package import ServiceKit
package import Storage

/// The open database as a part of the service.
package final class BookmarksData: ServicePart {
  nonisolated package let name = "bookmarks' database"
  private let folder: DataFolder
  private let limits: BookmarkLimits
  private let options: DatabaseOptions
  private let log: Log
  private var bookmarks: SQLiteBookmarks?

  package init(
    in folder: DataFolder, limits: BookmarkLimits = BookmarkLimits(),
    options: DatabaseOptions = SQLiteBookmarks.options, log: Log = .silent
  ) {
    self.folder = folder
    self.limits = limits
    self.options = options
    self.log = log
  }

  package var path: String { folder.database(of: "bookmarks") }

  /// Throws until it is open.
  package func store() throws -> any BookmarkStore { try opened() }

  package func database() throws -> Database { try opened().database }

  private func opened() throws -> SQLiteBookmarks {
    guard let bookmarks else { throw StorageError(.closed, "the database is not open") }
    return bookmarks
  }

  package func start() async throws {
    try folder.make()
    bookmarks = try await SQLiteBookmarks.open(path, limits: limits, options: options)
  }

  package func stop() async {
    await bookmarks?.database.close()
    bookmarks = nil
  }

  /// Copies the log of writes into the file and empties it. A reader may be in the way: then the next idle moment does.
  func emptyLog() async throws { _ = try await opened().database.checkpoint() }
}

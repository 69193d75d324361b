import Clocks
import Compression
import EventLoops
package import Fetch
import Storage

/// Pages: what they were the last time, and the stored bytes from which every reading can be repeated.
nonisolated extension ScraperStore {
  /// What is known of an address that was fetched before.
  package struct KnownPage: Sendable {
    package var validators: FetchRequest.Validators
    package var contentType: String?
    package var finalURL: String
    package var snapshot: SnapshotID
  }

  package func page(_ url: String) async throws -> KnownPage? {
    try await database.read { db in
      try db.row("SELECT etag, last_modified, content_type, final_url, snapshot FROM page WHERE url = ?", [url]) {
        row in
        KnownPage(
          validators: FetchRequest.Validators(etag: try row.read(0), lastModified: try row.read(1)),
          contentType: try row.read(2), finalURL: try row.read(3), snapshot: SnapshotID(bytes: try row.read(4)))
      }
    }
  }

  /// Keeps a page's bytes under their hash, once, and what the site said about them.
  ///
  /// - Returns: the bytes' name, and whether the address had the same before.
  package func keep(
    _ page: Page, at url: String, validators: FetchRequest.Validators?
  ) async throws -> (snapshot: SnapshotID, isSame: Bool) {
    // A page may have megabytes, and others are answered meanwhile.
    let body = page.body
    let (id, packed) = await Background.run {
      (SnapshotID(of: body), CompressionFormat.zlib.compress(body))
    }
    return try await database.write { db in
      let before = try db.value("SELECT snapshot FROM page WHERE url = ?", [url], as: [UInt8].self)
      try db.execute(
        "INSERT OR IGNORE INTO snapshot (hash, bytes, body, created_at) VALUES (?, ?, ?, ?)",
        [id.bytes, page.body.count, packed, page.fetchedAt])
      try db.execute(
        """
        INSERT INTO page (url, etag, last_modified, content_type, final_url, fetched_at, snapshot)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT DO UPDATE SET etag = ?2, last_modified = ?3, content_type = ?4, final_url = ?5, fetched_at = ?6,
          snapshot = ?7
        """,
        [
          url, validators?.etag, validators?.lastModified, page.contentType, page.url, page.fetchedAt, id.bytes,
        ])
      return (id, before == id.bytes)
    }
  }

  package func snapshot(_ id: SnapshotID) async throws -> [UInt8]? {
    let packed = try await database.read { db in
      try db.row("SELECT body, bytes FROM snapshot WHERE hash = ?", [id.bytes]) { row in
        (body: try row.read(0, as: [UInt8].self), bytes: try row.read(1, as: Int.self))
      }
    }
    guard let packed else { return nil }
    return try await Background.run {
      Result { try CompressionFormat.zlib.decompress(packed.body, limit: packed.bytes) }
    }.get()
  }
}

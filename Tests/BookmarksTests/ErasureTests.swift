import Bookmarks
import Clocks
import Contracts
import Foundation
import RPC
import ServiceTestKit
import Storage
import Testing

@Suite("Erasure")
@MainActor
struct ErasureTests {
  private static let marker = "MARKEDFORERASURE"

  /// Whether any file of the database holds these bytes.
  private func files(of folder: TemporaryFolder, hold text: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { name in
      let data = FileManager.default.contents(atPath: folder.file(name)) ?? Data()
      return data.range(of: Data(text.utf8)) != nil
    }
  }

  /// Two users whose rows lie among each other; one has the marker in everything that text can stand in.
  private func fill(_ rig: Rig) async throws -> (marked: UserID, other: UserID) {
    let (marked, other) = (try await rig.open(), try await rig.open())
    for number in 0..<300 {
      let note = number % 3 == 0 ? String(repeating: Self.marker, count: 100) : Self.marker
      let request = SaveItem(user: marked, kind: .film, id: "\(Self.marker)_\(number)", note: note)
      _ = try await rig.client.call(request, CallOptions(key: rig.newKey()))
      _ = try await rig.save("film_\(number)", other, note: "stays")
      if number % 10 == 0 { _ = try await rig.client.call(RemoveItem(user: marked, kind: .film, id: request.id)) }
    }
    let views = (0..<50).map { View(kind: .film, id: "\(Self.marker)_\($0)") }
    _ = try await rig.client.call(RecordViews(user: marked, views: views), CallOptions(key: rig.newKey()))
    let settings = UserSettings(region: Self.marker)
    _ = try await rig.client.call(ChangeSettings(user: marked, settings: settings))
    _ = try await rig.client.call(RotateFeedKey(user: marked))
    return (marked, other)
  }

  @Test("what is erased is in no row and in no byte of the files")
  func everything() async throws {
    let rig = try await Rig()
    try await rig.housekeeping.start()
    let folder = try #require(rig.opened.folder)
    let (marked, other) = try await fill(rig)
    let database = try #require(rig.opened.database)
    _ = try await database.checkpoint()
    #expect(try files(of: folder, hold: Self.marker) && files(of: folder, hold: marked.text))
    let erased = try await rig.client.call(EraseUser(user: marked))
    // Items with their tombstones, views, settings, feed, receipts of saves and views, the opening, the user.
    #expect(erased.rows == 300 + 50 + 1 + 1 + 301 + 1 + 1)
    #expect(try files(of: folder, hold: Self.marker), "the log of writes still holds pages of before")
    rig.time.advance(by: .seconds(1))
    var looks = 0
    while try looks < 5_000 && files(of: folder, hold: Self.marker) {
      looks += 1
      await Task.yield()
    }
    #expect(try !files(of: folder, hold: Self.marker))
    #expect(try !files(of: folder, hold: marked.text))
    #expect(try await rig.client.call(ListItems(user: other, limit: 500)).items.count == 300)
    #expect(try await rig.client.call(EraseUser(user: marked)).rows == 0)
    await rig.housekeeping.stop()
    await rig.close()
  }

  @Test("control: a database that does not overwrite what it gives up still holds it")
  func control() async throws {
    let folder = try TemporaryFolder()
    var options = DatabaseOptions.testing()
    options.overwritesFreedPages = false
    let store = try await SQLiteBookmarks.open(folder.file("bookmarks.sqlite"), options: options)
    let rig = Rig(OpenStore(store, folder, store.database))
    let (marked, _) = try await fill(rig)
    _ = try await store.database.checkpoint()
    _ = try await rig.client.call(EraseUser(user: marked))
    _ = try await store.database.checkpoint()
    #expect(try files(of: folder, hold: Self.marker))
    await rig.close()
  }
}

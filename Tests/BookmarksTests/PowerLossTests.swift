import Bookmarks
import Clocks
import Contracts
import Foundation
import RPC
import ServiceTestKit
import Storage
import Testing

@Suite("Bookmarks and the loss of power", .timeLimit(.minutes(30)))
@MainActor
struct BookmarksPowerLossTests {
  /// How often the power goes: a long run sets `ODI_POWER_LOSSES=10000`.
  static let losses = ProcessInfo.processInfo.environment["ODI_POWER_LOSSES"].flatMap(Int.init) ?? 400
  /// The controls lose so often that a part of it is enough.
  static var controls: Int { max(losses / 8, 30) }
  private static let clients = 4

  private struct Outcome {
    var acknowledged = 0
    var lost = 0
    /// What is neither there nor missing: doubled, in part, damaged.
    var broken: [String] = []
    /// Writes that were stored though nobody heard of it, and answered as before when they were sent again.
    var replayed = 0
  }

  @MainActor
  private final class Load {
    var histories: [WriteHistory]
    init(_ histories: [WriteHistory]) { self.histories = histories }
  }

  /// Clients write until the power goes, at a call of the disk that the seed decides; then everything is compared.
  private func simulate(seed: UInt64, _ durability: DatabaseOptions.Durability) async throws -> Outcome {
    var random = SeededRandom(seed: seed)
    let disk = try FaultDisk(seed: seed)
    var options = DatabaseOptions.testing(on: disk)
    options.durability = durability
    // Short, so that the power also goes in checkpoints and where the log starts again.
    options.limits.walPages = [3, 10, 1_000].randomElement(using: &random)!
    options.limits.groupWrites = [1, 4, 64].randomElement(using: &random)!
    options.limits.readers = 1
    let noteBytes = [10, 700, 1_900].randomElement(using: &random)!
    let load = Load((0..<Self.clients).map { WriteHistory(client: $0 + 1, seed: seed, noteBytes: noteBytes) })

    // In one of eight runs it goes while the database is being made.
    let diesYoung = random.next() % 8 == 0
    if diesYoung { disk.losePower(at: Int.random(in: 1...150, using: &random)) }
    if let store = try? await SQLiteBookmarks.open(disk.path, options: options) {
      if !diesYoung { disk.losePower(at: Int.random(in: 1...500, using: &random)) }
      await write(load, store)
      await store.database.close()
    }
    #expect(disk.restart(seed: seed), "files are still open")

    var outcome = Outcome()
    outcome.acknowledged = load.histories.reduce(0) { $0 + $1.acknowledged }
    do {
      let store = try await SQLiteBookmarks.open(disk.path, options: options)
      outcome.broken += try await store.database.check()
      for history in load.histories { try await judge(history, store, &outcome) }
      await store.database.close()
    } catch {
      outcome.broken.append("\(error)")
      outcome.lost = outcome.acknowledged
    }
    return outcome
  }

  private func write(_ load: Load, _ store: SQLiteBookmarks) async {
    let clients = (0..<Self.clients).map { client in Task { await write(load, client, store) } }
    for client in clients { await client.value }
  }

  private func write(_ load: Load, _ client: Int, _ store: SQLiteBookmarks) async {
    let user = UserID("u_\(client)")!
    do {
      _ = try await store.open(user, locale: nil, .at())
      load.histories[client].user = user
      while load.histories[client].acknowledged < 50 {
        let change = load.histories[client].next()
        _ = try await Self.send(change, user, load.histories[client].key, store)
        load.histories[client].acknowledge()
      }
    } catch {
      // The power is gone.
    }
  }

  private static func send(
    _ change: WriteHistory.Change, _ user: UserID, _ key: IdempotencyKey, _ store: SQLiteBookmarks
  ) async throws -> ItemReceipt {
    switch change {
    case .save(let id, let note):
      let request = SaveItem(user: user, kind: .film, id: id, note: note)
      return try await store.save(
        NewItem(kind: .film, id: id, note: note), of: user, .at(.start, WriteKey(key, request)))
    case .remove(let id):
      let request = RemoveItem(user: user, kind: .film, id: id)
      return try await store.remove(.film, id, of: user, .at(.start, WriteKey(key, request)))
    }
  }

  private func judge(_ history: WriteHistory, _ store: SQLiteBookmarks, _ outcome: inout Outcome) async throws {
    guard let user = history.user else { return }
    let page: ItemPage
    do {
      page = try await store.items(of: user, kind: nil, otherThan: nil, after: nil, limit: 500, .at())
    } catch BookmarkError.unknownUser {
      // The user was acknowledged too.
      outcome.lost += history.acknowledged + 1
      return
    }
    switch history.judge(revision: page.revision, items: page.items) {
    case .lost(let count): outcome.lost += count
    case .wrong(let what): outcome.broken.append("\(user): \(what)")
    case .whole(let withPending):
      guard let pending = history.pending else { return }
      let receipt = try await Self.send(pending, user, history.key, store)
      if receipt.isReplay { outcome.replayed += 1 }
      if receipt.isReplay != withPending || receipt.revision != Int64(history.acknowledged + 1) {
        outcome.broken.append("\(user): sent again, it was \(receipt), stored before: \(withPending)")
      }
    }
  }

  @Test("no acknowledged change is ever lost, and what was not acknowledged is done once when it is sent again")
  func full() async throws {
    var (acknowledged, lost, replayed) = (0, 0, 0)
    for seed in 0..<UInt64(Self.losses) {
      let outcome = try await simulate(seed: seed, .full)
      acknowledged += outcome.acknowledged
      lost += outcome.lost
      replayed += outcome.replayed
      #expect(outcome.lost == 0 && outcome.broken.isEmpty, "seed \(seed): \(outcome)")
    }
    #expect(acknowledged > Self.losses * 10, "the power went too early to show anything")
    print(
      "power lost \(Self.losses) times, \(acknowledged) changes acknowledged, \(lost) lost; \(replayed) had been"
        + " stored unheard and were answered as before")
  }

  @Test("control: with NORMAL and OFF acknowledged changes are lost", arguments: ["normal", "off"])
  func controls(durability: String) async throws {
    var (acknowledged, lost) = (0, 0)
    for seed in 0..<UInt64(Self.controls) {
      let outcome = try await simulate(seed: seed, DatabaseOptions.Durability(rawValue: durability)!)
      acknowledged += outcome.acknowledged
      lost += outcome.lost
    }
    #expect(lost > 0)
    print("control \(durability): power lost \(Self.controls) times, \(acknowledged) acknowledged, \(lost) lost")
  }

  @Test("a full disk is told as such, reading goes on, and so does writing once there is room")
  func fullDisk() async throws {
    let disk = try FaultDisk(seed: 1)
    let store = try await SQLiteBookmarks.open(disk.path, options: .testing(on: disk))
    let rig = Rig(OpenStore(store, nil, store.database))
    let user = try await rig.open()
    _ = try await rig.save("film_0", user)
    disk.setCapacity(1 << 20)
    var saved = 1
    var refusal: RPCError?
    while refusal == nil, saved < 2_000 {
      do {
        _ = try await rig.save("film_\(saved)", user, note: String(repeating: "n", count: 1_900))
        saved += 1
      } catch { refusal = error as? RPCError }
    }
    #expect(refusal?.code == .unavailable && refusal?.message.contains("disk is full") == true)
    #expect(refusal?.retryAfter != nil)
    #expect(saved > 30)
    #expect(try await rig.client.call(ProfileOf(user: user)).counts == [ItemCount(kind: .film, count: saved)])
    disk.setCapacity(.max)
    let receipt = try await rig.save("film_again", user)
    #expect(receipt.didChange && receipt.revision == Int64(saved + 1))
    #expect(try await store.database.check() == [])
    await rig.close()
  }
}

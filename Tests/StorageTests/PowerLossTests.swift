import CFaultVFS
import Clocks
import Foundation
import Storage
import Testing

@Suite("Loss of power", .timeLimit(.minutes(20)))
struct PowerLossTests {
  /// How often the power goes: a long run sets `ODI_POWER_LOSSES=10000`.
  static let losses = ProcessInfo.processInfo.environment["ODI_POWER_LOSSES"].flatMap(Int.init) ?? 400
  /// The controls lose so often that a part of it is enough.
  static var controls: Int { max(losses / 8, 40) }

  /// What became of one run.
  private struct Outcome {
    var acknowledged = 0
    /// Acknowledged, and not there afterwards.
    var lost = 0
    /// Found afterwards in part: a row without the count that was written with it, or damage of the file.
    var broken: [String] = []
  }

  private static let migrations = [
    Migration(
      "create",
      """
      CREATE TABLE client (id INTEGER PRIMARY KEY, writes INTEGER NOT NULL) STRICT;
      CREATE TABLE item (client INTEGER NOT NULL, n INTEGER NOT NULL, body BLOB, PRIMARY KEY (client, n)) STRICT, WITHOUT ROWID;
      """)
  ]
  private static let clients = 8
  private struct Refused: Error {}

  /// Eight clients write until the power goes, at a call of the disk that the seed decides; then everything is read.
  private func simulate(seed: UInt64, _ durability: DatabaseOptions.Durability) async throws -> Outcome {
    var random = SeededRandom(seed: seed)
    let disk = try FaultDisk(seed: seed)
    var options = disk.options
    options.durability = durability
    // Short, so that the power also goes in checkpoints and where the WAL starts again.
    options.limits.walPages = [3, 10, 1_000].randomElement(using: &random)!
    options.limits.groupWrites = [1, 4, 64].randomElement(using: &random)!
    let bodies = [10, 700, 6_000, 40_000].randomElement(using: &random)!
    // So little in some runs that pages are given up before their transaction ends, or is undone.
    options.limits.writerCacheBytes = [64 << 10, 8 << 20].randomElement(using: &random)!
    let refuses = random.next() % 2 == 0

    // In one of eight runs it goes while the database is being made.
    let diesYoung = random.next() % 8 == 0
    if diesYoung { disk.plan(fault_power_loss, at: Int.random(in: 1...90, using: &random)) }
    var outcome = Outcome()
    var acknowledged = [Int](repeating: 0, count: Self.clients)
    if let database = try? await Database.open(disk.path, migrations: Self.migrations, options: options) {
      if !diesYoung { disk.plan(fault_power_loss, at: Int.random(in: 1...400, using: &random)) }
      acknowledged = await write(database, bodies, refuses)
      await database.close()
    }
    disk.restart(seed: seed)
    outcome.acknowledged = acknowledged.reduce(0, +)

    let database: Database
    do {
      database = try await Database.open(disk.path, migrations: Self.migrations, options: options)
    } catch {
      outcome.broken.append("open: \(error)")
      outcome.lost = outcome.acknowledged
      return outcome
    }
    do {
      outcome.broken += try await database.check()
      for client in 0..<Self.clients {
        let (writes, items, last) = try await database.read { db in
          (
            try db.value("SELECT writes FROM client WHERE id = ?", [client], as: Int.self) ?? 0,
            try db.value("SELECT count(*) FROM item WHERE client = ?", [client], as: Int.self) ?? 0,
            try db.value("SELECT max(n) FROM item WHERE client = ?", [client], as: Int.self) ?? 0
          )
        }
        if writes != items || writes != last {
          outcome.broken.append("client \(client): \(writes) writes, \(items) items, last \(last)")
        }
        if writes > acknowledged[client] + 1 {
          outcome.broken.append("client \(client): \(writes) writes, \(acknowledged[client]) acknowledged")
        }
        outcome.lost += max(acknowledged[client] - writes, 0)
      }
      // It is as good as a new one.
      try await database.write { db in try db.execute("INSERT INTO client VALUES (1000, 0)") }
    } catch {
      outcome.broken.append("\(error)")
    }
    await database.close()
    return outcome
  }

  /// Each client writes until it is told that it cannot; returns how many writes of each were acknowledged.
  private func write(_ database: Database, _ bodyBytes: Int, _ refuses: Bool) async -> [Int] {
    await withTaskGroup(of: (Int, Int).self) { group in
      for client in 0..<Self.clients {
        group.addTask {
          var acknowledged = 0
          while acknowledged < 60 {
            let n = acknowledged + 1
            if refuses, n % 5 == 0 {
              // In the group of others, who are written once more without it.
              try? await database.write { db in
                for row in 1_000...1_020 {
                  try db.execute(
                    "INSERT INTO item VALUES (?, ?, ?)", [client, row, [UInt8](repeating: 0, count: bodyBytes)])
                }
                throw Refused()
              }
            }
            do {
              try await database.write { db in
                // Two tables: half of a write would show.
                try db.execute(
                  "INSERT INTO client VALUES (?, 1) ON CONFLICT DO UPDATE SET writes = writes + 1", [client])
                try db.execute(
                  "INSERT INTO item VALUES (?, ?, ?)", [client, n, [UInt8](repeating: UInt8(n), count: bodyBytes)])
              }
            } catch { break }
            acknowledged = n
          }
          return (client, acknowledged)
        }
      }
      return await group.reduce(into: [Int](repeating: 0, count: Self.clients)) { $0[$1.0] = $1.1 }
    }
  }

  @Test("with FULL no acknowledged write is ever lost, and nothing is ever there in part")
  func full() async throws {
    var (acknowledged, lost) = (0, 0)
    for seed in 0..<UInt64(Self.losses) {
      let outcome = try await simulate(seed: seed, .full)
      acknowledged += outcome.acknowledged
      lost += outcome.lost
      #expect(outcome.lost == 0, "seed \(seed): \(outcome)")
      #expect(outcome.broken == [], "seed \(seed)")
    }
    #expect(acknowledged > Self.losses * 10, "the power went too early to show anything")
    print("power lost \(Self.losses) times, \(acknowledged) writes acknowledged, \(lost) lost")
  }

  @Test("control: with NORMAL acknowledged writes are lost, though nothing is there in part")
  func normal() async throws {
    var (acknowledged, lost) = (0, 0)
    for seed in 0..<UInt64(Self.controls) {
      let outcome = try await simulate(seed: seed, .normal)
      acknowledged += outcome.acknowledged
      lost += outcome.lost
      #expect(outcome.broken == [], "seed \(seed)")
    }
    #expect(lost > 0)
    print("control NORMAL: power lost \(Self.controls) times, \(acknowledged) writes acknowledged, \(lost) lost")
  }

  @Test("control: with OFF acknowledged writes are lost")
  func off() async throws {
    var (acknowledged, lost, broken) = (0, 0, 0)
    for seed in 0..<UInt64(Self.controls) {
      let outcome = try await simulate(seed: seed, .off)
      acknowledged += outcome.acknowledged
      lost += outcome.lost
      if !outcome.broken.isEmpty { broken += 1 }
    }
    #expect(lost > 0)
    print(
      "control OFF: power lost \(Self.controls) times, \(acknowledged) writes acknowledged, \(lost) lost, \(broken) files broken"
    )
  }
}

import Foundation
import Storage
import Testing

/// Numbers for the README, not a judgement: `ODI_MEASURE=1 swift test -c release --filter StorageTests.MeasurementTests`.
@Suite("Measurements", .enabled(if: ProcessInfo.processInfo.environment["ODI_MEASURE"] != nil), .serialized)
struct MeasurementTests {
  private static let callers = 64
  private static let writes = ProcessInfo.processInfo.environment["ODI_MEASURE"].flatMap(Int.init) ?? 6_400

  @Test("durable writes of one row from 64 callers, with groups and without, in turns")
  func durableWrites() async throws {
    var rates: [Int: [Double]] = [:]
    for round in 0..<5 {
      for groupWrites in [64, 1] {
        let folder = try TemporaryFolder()
        var options = DatabaseOptions(applicationID: "Test")
        options.limits.groupWrites = groupWrites
        let database = try await Database.open(folder.file("m.db"), migrations: numbers, options: options)
        // The WAL has its length after this: to let a file grow is a price of its own, printed below.
        let growing = try await measure(database, from: 0, count: Self.writes / (groupWrites == 1 ? 8 : 1))
        let settled = try await measure(database, from: Self.writes, count: Self.writes / (groupWrites == 1 ? 8 : 1))
        let tally = database.tally
        await database.close()
        if round > 0 { rates[groupWrites, default: []].append(settled.rate) }
        print(
          "group of \(groupWrites): \(growing) with a growing WAL, \(settled) after;",
          "\(tally.writes) writes in \(tally.commits) commits")
      }
    }
    let (grouped, single) = (median(rates[64] ?? []), median(rates[1] ?? []))
    print("median: \(Int(grouped)) against \(Int(single)) writes/s, \(grouped / single) times")
  }

  /// What 64 callers got done in a second, and how long 99 of 100 of their writes took at most.
  private struct Measured: CustomStringConvertible {
    var rate: Double
    var p50: Duration
    var p99: Duration

    var description: String {
      "\(Int(rate)) writes/s (p50 \(p50 / .milliseconds(1)) ms, p99 \(p99 / .milliseconds(1)) ms)"
    }
  }

  private func measure(_ database: Database, from start: Int, count: Int) async throws -> Measured {
    let clock = ContinuousClock()
    let begun = clock.now
    let latencies = try await withThrowingTaskGroup(of: [Duration].self) { group in
      for caller in 0..<Self.callers {
        group.addTask {
          var latencies: [Duration] = []
          for n in 0..<(count / Self.callers) {
            let id = start + n * Self.callers + caller
            latencies.append(
              try await clock.measure {
                try await database.write { db in
                  try db.execute("INSERT INTO number (id, name) VALUES (?, ?)", [id, "name \(id)"])
                }
              })
          }
          return latencies
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted()
    }
    let took = (clock.now - begun) / .seconds(1)
    return Measured(
      rate: Double(latencies.count) / took, p50: latencies[latencies.count / 2],
      p99: latencies[latencies.count * 99 / 100])
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  @Test("reads of one row, one caller and 64")
  func reads() async throws {
    let folder = try TemporaryFolder()
    let database = try await Database.open(
      folder.file("r.db"), migrations: numbers, options: DatabaseOptions(applicationID: "Test"))
    try await database.write { db in
      for id in 0..<10_000 { try db.execute("INSERT INTO number (id, name) VALUES (?, ?)", [id, "name \(id)"]) }
    }
    for callers in [1, 64] {
      let count = 20_000
      let took = try await ContinuousClock().measure {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for caller in 0..<callers {
            group.addTask {
              for n in 0..<(count / callers) {
                let id = (n * 7_919 + caller) % 10_000
                _ = try await database.read { db in
                  try db.value("SELECT name FROM number WHERE id = ?", [id], as: String.self)
                }
              }
            }
          }
          try await group.waitForAll()
        }
      }
      print("\(callers) callers: \(took / count) for each read of a row")
    }
    await database.close()
  }
}

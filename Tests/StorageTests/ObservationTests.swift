import Observability
import Storage
import Testing

@Suite("What a database says about itself")
struct ObservationTests {
  @Test("reads, writes and failures are counted and timed under the name of the file")
  func metrics() async throws {
    let folder = try TemporaryFolder()
    let metrics = Metrics()
    let sink = RecordingSink()
    var options = DatabaseOptions.test
    options.metrics = metrics
    options.log = Log(to: sink, as: .text(colour: false), level: .debug, clock: { 0 })
    let database = try await Database.open(folder.file("m.db"), migrations: numbers, options: options)
    try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (1)") }
    _ = await kind { try await database.write { db in try db.execute("INSERT INTO number (id) VALUES (1)") } }
    #expect(try await database.count("number") == 1)
    _ = try await database.checkpoint()
    await database.close()

    let text = String(decoding: metrics.exposition(), as: UTF8.self)
    for line in [
      "odi_db_writes_total{database=\"m.db\"} 1", "odi_db_commits_total{database=\"m.db\"} 1",
      "odi_db_reads_total{database=\"m.db\"} 1", "odi_db_failures_total{database=\"m.db\"} 1",
      "odi_db_wait_duration_seconds_count{database=\"m.db\",kind=\"write\"} 2",
      "odi_db_query_duration_seconds_count{database=\"m.db\",kind=\"read\"} 1",
      "odi_db_commit_duration_seconds_count{database=\"m.db\"} 1", "odi_db_wal_bytes{database=\"m.db\"} 0",
    ] { #expect(text.contains(line), "\(line) is missing in\n\(text)") }
    #expect(sink.lines.contains { $0.contains("database opened") && $0.contains("migrations=1") })
  }
}

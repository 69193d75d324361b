import Clocks
import ServiceKit
import TestKit
import Testing

@Suite("Jobs")
@MainActor
struct JobsTests {
  private struct Broken: Error {}

  @Test("a job is listed with its progress while it runs, and with its end afterwards")
  func life() async throws {
    let time = ManualTime()
    let jobs = Jobs(time: time)
    let result = try await jobs.run("import") { journal in
      journal.tell(done: 3, of: 9)
      time.advance(by: .milliseconds(2))
      #expect(jobs.reports.map(\.state) == ["running"])
      #expect(jobs.reports.first?.done == 3 && jobs.reports.first?.total == 9)
      return 7
    }
    #expect(result == 7)
    await #expect(throws: Broken.self) { try await jobs.run("vacuum") { _ in throw Broken() } }
    #expect(jobs.reports.map(\.state) == ["failed", "done"])
    #expect(jobs.reports.last?.microseconds == 2_000)
    #expect(jobs.reports.first?.reason == "Broken()")
  }

  @Test("a cancelled job ends as soon as it looks, and its caller learns of it")
  func cancel() async throws {
    let jobs = Jobs(time: ManualTime())
    await #expect(throws: CancellationError.self) {
      try await jobs.run("long") { _ in
        #expect(jobs.cancel(1)?.id == 1)
        try Task.checkCancellation()
      }
    }
    #expect(jobs.reports.map(\.state) == ["cancelled"])
    #expect(jobs.cancel(2) == nil)
  }

  @Test("of those that ended the last twenty are kept")
  func bounded() async throws {
    let jobs = Jobs(time: ManualTime())
    for _ in 0..<50 { try await jobs.run("short") { _ in } }
    #expect(jobs.reports.map(\.id) == Array((31...50).reversed()))
  }
}

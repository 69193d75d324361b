import Clocks
import Observability

/// A thread that reads: each job sees one state of the database.
struct Reader {
  private let connection: DatabaseConnection
  private let queue: JobQueue
  private let tally: Tally

  init(_ connection: DatabaseConnection, _ queue: JobQueue, _ tally: Tally) {
    self.connection = connection
    self.queue = queue
    self.tally = tally
  }

  func serve() {
    while case .job(let job) = queue.take() { run(job) }
  }

  private func run(_ job: Job) {
    let start = connection.now()
    tally.waits.reads.record(start - job.queuedAt)
    do {
      if let reason = job.reasonToStop(at: start) { throw reason }
      connection.reading = job
      defer { connection.reading = nil }
      try connection.transaction("BEGIN") { try job.run(on: connection) }
      tally.runs.reads.record(connection.now() - start)
      tally.reads.add()
      job.answer()
    } catch {
      tally.failed(error)
      job.fail(error)
    }
  }
}

package import Clocks

/// The long work of a service: what runs, how far it is, what ended lately. Administrators list it and end it.
package final class Jobs {
  fileprivate final class Job {
    let id: Int
    let name: String
    let start: Instant
    var progress: (done: Int, total: Int?)?
    var end: (at: Instant, state: String, reason: String?)?
    var cancel: (() -> Void)?

    init(_ id: Int, _ name: String, start: Instant) {
      self.id = id
      self.name = name
      self.start = start
    }
  }

  /// What a job says about itself while it runs.
  package struct Journal {
    fileprivate let job: Job

    package func tell(done: Int, of total: Int? = nil) { job.progress = (done, total) }
  }

  /// Those that ended are kept for whoever asks the next day; more would be a log.
  private static let endedMax = 20

  private let time: any TimeSource
  private var all: [Job] = []
  private var last = 0

  package init(time: any TimeSource) { self.time = time }

  /// Does the work under a number, so that it can be seen and ended. Cancelling the caller ends it too.
  package func run<Result: Sendable>(
    _ name: String, _ work: @escaping @MainActor (Journal) async throws -> Result
  ) async throws -> Result {
    last += 1
    let job = Job(last, name, start: time.now)
    all.append(job)
    // In a task of its own, because a caller's cannot be cancelled from outside; it inherits the call that it serves.
    let task = Task { @MainActor in try await work(Journal(job: job)) }
    job.cancel = { task.cancel() }
    do {
      let result = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
      end(job, "done", nil)
      return result
    } catch {
      task.isCancelled ? end(job, "cancelled", nil) : end(job, "failed", "\(error)")
      throw error
    }
  }

  private func end(_ job: Job, _ state: String, _ reason: String?) {
    job.end = (time.now, state, reason)
    job.cancel = nil
    let ended = all.filter { $0.end != nil }
    guard ended.count > Self.endedMax, let oldest = ended.min(by: { $0.id < $1.id }) else { return }
    all.removeAll { $0 === oldest }
  }

  /// The newest first.
  package var reports: [JobReport] { all.reversed().map(report) }

  /// Asks a job to end; nil if there is none of that number. One that is over stays as it ended.
  package func cancel(_ id: Int) -> JobReport? {
    guard let job = all.first(where: { $0.id == id }) else { return nil }
    job.cancel?()
    return report(job)
  }

  private func report(_ job: Job) -> JobReport {
    JobReport(
      id: job.id, name: job.name, state: job.end?.state ?? "running",
      microseconds: Int(((job.end?.at ?? time.now) - job.start).saturatedNanoseconds / 1_000),
      done: job.progress?.done, total: job.progress?.total, reason: job.end?.reason)
  }
}

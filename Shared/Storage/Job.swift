import Clocks
import Synchronization

/// What a job does with a connection.
package typealias DatabaseWork<Result> = @Sendable (DatabaseConnection) throws -> Result

/// One caller's work on its way through a queue: it waits, runs once on a database's thread, and is answered once.
// Safety: whoever took it from the queue has it alone; what others may touch meanwhile is `isCancelled`.
class Job: @unchecked Sendable {
  let deadline: Instant
  let queuedAt: Instant
  /// Must have the connection outside any transaction: a checkpoint, a vacuum.
  let isAlone: Bool
  fileprivate let isCancelled = Atomic(false)
  /// The one behind it in the queue; the queue's lock is its lock.
  fileprivate var next: Job?

  init(deadline: Instant, queuedAt: Instant, isAlone: Bool) {
    self.deadline = deadline
    self.queuedAt = queuedAt
    self.isAlone = isAlone
  }

  /// Runs the work and keeps its result for `answer`.
  func run(on connection: DatabaseConnection) throws {}

  /// Hands the result to the caller. For a write, only after its commit.
  func answer() {}

  func fail(_ error: any Error) {}

  /// Why the work should not begin, or not go on; `nil` if it should.
  func reasonToStop(at now: Instant) -> StorageError? {
    if isCancelled.load(ordering: .relaxed) { return StorageError(.cancelled, "the caller was cancelled") }
    if deadline < now { return StorageError(.deadlineExceeded, "the deadline passed before the database was done") }
    return nil
  }
}

/// A job with the type of its result.
final class Call<Result: Sendable>: Job, @unchecked Sendable {
  private let body: DatabaseWork<Result>
  /// Set before the job is put in a queue, where others find it.
  var continuation: UnsafeContinuation<Result, any Error>?
  /// With the result in it: a field for a result that may be missing has a type that is looked up at each use.
  private var answering: (() -> Void)?

  init(deadline: Instant, queuedAt: Instant, isAlone: Bool, _ body: @escaping DatabaseWork<Result>) {
    self.body = body
    super.init(deadline: deadline, queuedAt: queuedAt, isAlone: isAlone)
  }

  override func run(on connection: DatabaseConnection) throws {
    guard let continuation else { preconditionFailure("a job runs after it was queued") }
    let result = try body(connection)
    answering = { continuation.resume(returning: result) }
  }

  override func answer() {
    guard let answering else { preconditionFailure("a job is answered after it ran") }
    answering()
  }

  override func fail(_ error: any Error) { continuation?.resume(throwing: error) }
}

/// The jobs that wait for a thread, first come first served, at most `limit` of them.
final class JobQueue: Sendable {
  private struct State {
    /// Each job knows the next.
    var first: Job?
    var last: Job?
    var count = 0
    var isClosed = false

    mutating func append(_ job: Job) {
      if let last { last.next = job } else { first = job }
      last = job
      count += 1
    }

    mutating func takeFirst() -> Job? {
      guard let job = first else { return nil }
      remove(job, behind: nil)
      return job
    }

    mutating func remove(_ job: Job) -> Bool {
      var (before, here) = (Job?.none, first)
      while let other = here, other !== job { (before, here) = (other, other.next) }
      guard here != nil else { return false }
      remove(job, behind: before)
      return true
    }

    private mutating func remove(_ job: Job, behind before: Job?) {
      if let before { before.next = job.next } else { first = job.next }
      if job.next == nil { last = before }
      job.next = nil
      count -= 1
    }
  }

  enum Taken {
    case job(Job)
    /// Nothing came for as long as was waited.
    case quiet
    /// Nothing waits and nothing will come.
    case closed
  }

  private let name: String
  private let limit: Int
  private let state = Monitor(State())

  init(name: String, limit: Int) {
    self.name = name
    self.limit = limit
  }

  var depth: Int { state.withLock(\.count) }

  var isClosed: Bool { state.withLock(\.isClosed) }

  /// Puts the job at the end, or says why it cannot be.
  func add(_ job: Job) -> StorageError? {
    let refusal = state.withLock { state -> StorageError? in
      if job.isCancelled.load(ordering: .relaxed) { return StorageError(.cancelled, "the caller was cancelled") }
      if state.isClosed { return StorageError(.closed, "the database is closed") }
      guard state.count < limit else {
        return StorageError(.overloaded, "\(limit) \(name) wait already; retry when the load is lower")
      }
      state.append(job)
      return nil
    }
    if refusal == nil { state.wakeOne() }
    return refusal
  }

  /// A job that still waits leaves the queue and fails; one that runs is told, and a read then stops.
  func cancel(_ job: Job) {
    let wasWaiting = state.withLock { state in
      job.isCancelled.store(true, ordering: .relaxed)
      return state.remove(job)
    }
    if wasWaiting { job.fail(StorageError(.cancelled, "the caller was cancelled")) }
  }

  /// Holds the thread until there is a job.
  func take(atMost limit: Duration? = nil) -> Taken {
    let taken = state.wait(atMost: limit) { state -> Taken? in
      if let job = state.takeFirst() { return .job(job) }
      return state.isClosed ? .closed : nil
    }
    return taken ?? .quiet
  }

  /// The next job, if it waits already and may share a transaction.
  func takeCompanion() -> Job? {
    state.withLock { state in
      guard state.first?.isAlone == false else { return nil }
      return state.takeFirst()
    }
  }

  /// Refuses what comes from now on; what waits is still taken.
  func close() {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
  }
}

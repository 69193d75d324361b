import Glibc

/// A value behind a mutex, with a condition to wait for.
///
/// The standard `Mutex` has no condition, and a thread of the database must sleep until there is work.
// Safety: `state` is only touched while holding `mutex`.
final class Monitor<State>: @unchecked Sendable {
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    // The monotonic clock, so that setting the calendar's clock wakes nobody.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Holds the thread until `body` has a result, which is asked at every signal; `nil` once `limit` has passed.
  func wait<Result>(atMost limit: Duration? = nil, until body: (inout State) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var end = limit.map(Self.end)
    while true {
      if let result = body(&state) { return result }
      if end == nil {
        pthread_cond_wait(condition, mutex)
      } else if pthread_cond_timedwait(condition, mutex, &end!) == ETIMEDOUT {
        return body(&state)
      }
    }
  }

  func wakeOne() { pthread_cond_signal(condition) }

  func wakeAll() { pthread_cond_broadcast(condition) }

  private static func end(of limit: Duration) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let (seconds, attoseconds) = limit.components
    let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
    time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }
}

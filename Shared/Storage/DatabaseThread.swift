import CSQLite
import Glibc

/// A thread of the database's own: what SQLite does blocks, and nothing may block the loop.
enum DatabaseThread {
  /// Runs `body` on a new thread, which ends with it. The name has at most 15 characters.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(StorageError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackBytes)

    // Signals are for the loop's thread; a new thread inherits what is blocked when it is made.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

    let work = Unmanaged.passRetained(Work(name: name, body: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        csqlite_name_thread(work.name)
        work.body()
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw StorageError(.overloaded, "the system gives no more threads: \(String(cString: strerror(code)))")
    }
  }

  /// The result of `body`, run on a thread of its own.
  static func run<Result: Sendable>(
    _ name: String,
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withUnsafeThrowingContinuation { continuation in
      do {
        try start(name) { continuation.resume(with: Swift.Result(catching: body)) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// SQLite's parser and a closure of a store use little; the default of 8 MiB would only be reserved.
  private static let stackBytes = 1 << 20

  private final class Work: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }
}

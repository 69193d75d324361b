import CExecutor
import CUV
import Glibc

/// Work that would hold the loop for long, done on libuv's thread pool: a page of megabytes to be parsed.
package enum Background {
  /// Runs `body` on another thread and returns what it returns. It must be of values only: it shares nothing with the
  /// loop. Once it runs it is not stopped; who was cancelled waits for its end.
  package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    let errand = Errand(body)
    return await errand.run()
  }
}

extension Background {
  /// How many pools malloc has for all threads, from now on. It would make one for each that allocates, and what is free
  /// in one serves no other: a process that parses on four threads and keeps little would hold most of it for nothing.
  package static func shareMemory(in pools: Int32) { odi_memory_pools(pools) }

  /// Gives the system back what a burst of work has left unused: malloc keeps it otherwise, an arena for each thread.
  /// Not on libuv's pool: that would begin four threads, which stay, in a process that may need none of them.
  package static func giveMemoryBack() async {
    await withUnsafeContinuation { waiter in
      let context = Unmanaged.passRetained(Giving(waiter)).toOpaque()
      odi_memory_give_back(given, context)
    }
  }

  /// Called on that thread, so it belongs to no actor.
  private nonisolated static let given: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
    Unmanaged<Giving>.fromOpaque(context!).takeRetainedValue().waiter.resume()
  }

  private nonisolated final class Giving: Sendable {
    let waiter: UnsafeContinuation<Void, Never>
    init(_ waiter: UnsafeContinuation<Void, Never>) { self.waiter = waiter }
  }
}

private final class Errand<Value: Sendable>: BackgroundWork {
  private let body: @Sendable () -> Value
  // Safety: written by the pool's thread before libuv hands the errand back, and read by the loop after that.
  private nonisolated(unsafe) var value: Value?
  private var waiter: UnsafeContinuation<Value, Never>?

  init(_ body: @escaping @Sendable () -> Value) { self.body = body }

  func run() async -> Value {
    await withUnsafeContinuation { continuation in
      waiter = continuation
      queue()
    }
  }

  nonisolated override func work() { value = body() }

  override func ended() {
    guard let value else { preconditionFailure("the thread pool gave an errand back undone") }
    waiter?.resume(returning: value)
    waiter = nil
  }
}

/// What libuv's callbacks see of an errand, whatever it returns.
private class BackgroundWork {
  private let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)

  nonisolated func work() {}
  func ended() {}

  func queue() {
    request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    let status = uv_queue_work(
      LoopHandles.loop, request,
      Self.onThread,
      { request, _ in
        // Never cancelled: there is nobody who calls uv_cancel for it.
        let work = Unmanaged<BackgroundWork>.fromOpaque(request!.pointee.data).takeUnretainedValue()
        EventLoop.callback { work.finish() }
      })
    precondition(status == 0, "libuv refuses only work without a function")
  }

  /// Called on the pool's thread, so it belongs to no actor.
  private nonisolated static let onThread: @convention(c) (UnsafeMutablePointer<uv_work_t>?) -> Void = { request in
    Unmanaged<BackgroundWork>.fromOpaque(request!.pointee.data).takeUnretainedValue().work()
  }

  private func finish() {
    ended()
    request.deallocate()
    Unmanaged.passUnretained(self).release()
  }
}

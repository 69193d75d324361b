import CUV
import Glibc

/// What the operating system, or an operator, tells the process.
nonisolated package enum Signal: Int32, Sendable, CaseIterable {
  case hangup = 1
  case interrupt = 2
  case quit = 3
  case kill = 9
  case user2 = 12
  case terminate = 15
}

package enum Signals {
  /// Calls `body` on the loop each time the signal comes, until the watch is stopped.
  package static func on(_ signal: Signal, _ body: @escaping (Signal) -> Void) -> SignalWatch {
    SignalWatch(signal, body)
  }
}

extension Signals {
  /// Sends us `signal` when the process `parent`, which started us, ends: even by a signal that it cannot answer.
  ///
  /// - Returns: whether it still lives.
  nonisolated package static func send(_ signal: Signal, whenParentEnds parent: Int32) -> Bool {
    _ = cuv_end_with_parent(signal.rawValue)
    // It may have ended before we asked; then somebody else is our parent now.
    return getppid() == parent
  }
}

/// A signal that is listened for; its default action no longer happens.
package final class SignalWatch {
  private let signal: Signal
  private let body: (Signal) -> Void
  private var handle: UnsafeMutablePointer<uv_signal_t>?

  init(_ signal: Signal, _ body: @escaping (Signal) -> Void) {
    self.signal = signal
    self.body = body
    let handle = UnsafeMutablePointer<uv_signal_t>.allocate(capacity: 1)
    self.handle = handle
    uv_signal_init(LoopHandles.loop, handle)
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    uv_signal_start(
      handle,
      { handle, _ in
        let watch = Unmanaged<SignalWatch>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
        EventLoop.callback { if watch.handle != nil { watch.body(watch.signal) } }
      }, signal.rawValue)
  }

  /// Stops listening and restores the default action.
  package func stop() {
    guard let handle else { return }
    self.handle = nil
    uv_close(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)) { handle in
      Unmanaged<SignalWatch>.fromOpaque(handle!.pointee.data).release()
      UnsafeMutableRawPointer(handle!).deallocate()
    }
  }
}

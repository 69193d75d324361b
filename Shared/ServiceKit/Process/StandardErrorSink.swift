import Glibc
import Observability
import Synchronization

/// Writes log lines to standard error without ever waiting for whoever reads them.
///
/// A pipe whose reader has stopped would block the loop for ever. So it is asked first whether it takes a piece, pieces
/// are small enough to be taken whole, and what does not fit waits here, up to a bound; then whole lines are dropped and
/// counted.
nonisolated package final class StandardErrorSink: LogSink {
  /// A thousand long lines: minutes of an ordinary log, and nothing beside a service's memory.
  static let waitingMax = 1 << 20
  /// What a pipe that says it is writable takes without blocking (`PIPE_BUF`).
  private static let pieceMax = 4_096

  private struct State {
    var waiting: [UInt8] = []
    var sent = 0
    var dropped = 0
    var isBroken = false
  }

  private let file: Int32
  private let state = Mutex(State())

  package init(file: Int32 = STDERR_FILENO) { self.file = file }

  package func write(_ line: UnsafeRawBufferPointer) {
    state.withLock { state in
      guard !state.isBroken else { return }
      if state.waiting.count - state.sent + line.count > Self.waitingMax {
        send(&state)
        guard state.waiting.count - state.sent + line.count <= Self.waitingMax else {
          state.dropped += 1
          return
        }
      }
      if state.dropped > 0 {
        state.waiting += Array(
          "{\"level\":\"warning\",\"msg\":\"log lines were dropped\",\"lines\":\(state.dropped)}\n".utf8)
        state.dropped = 0
      }
      state.waiting += line
      send(&state)
    }
  }

  /// Sends what waited, if the reader takes it now. Call it every second: a last line has no later one to push it.
  package func flush() { state.withLock { send(&$0) } }

  /// Waits for the reader, but no longer than this: for the end of a process.
  package func flush(waitingAtMost milliseconds: Int32) {
    flush()
    guard isWaiting else { return }
    var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
    poll(&ready, 1, milliseconds)
    flush()
  }

  package var isWaiting: Bool { state.withLock { $0.waiting.count > $0.sent } }

  private func send(_ state: inout State) {
    while state.sent < state.waiting.count, takesMore() {
      let count = state.waiting.withUnsafeBytes { bytes in
        let piece = bytes[state.sent...].prefix(Self.pieceMax)
        return Glibc.write(file, UnsafeRawBufferPointer(rebasing: piece).baseAddress, piece.count)
      }
      if count >= 0 {
        state.sent += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        // Nobody will ever read it; a service does not end because its log's reader has.
        state.isBroken = true
        state.waiting = []
        state.sent = 0
        return
      }
    }
    if state.sent == state.waiting.count {
      state.waiting.removeAll(keepingCapacity: state.waiting.capacity <= 1 << 16)
      state.sent = 0
    } else if state.sent > Self.waitingMax / 2 {
      state.waiting.removeFirst(state.sent)
      state.sent = 0
    }
  }

  private func takesMore() -> Bool {
    var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
    return poll(&ready, 1, 0) == 1
  }
}

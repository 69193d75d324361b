import Synchronization

/// Keeps what is logged, so that a test can read it.
package final class RecordingSink: LogSink {
  private let text = Mutex<[UInt8]>([])

  package init() {}

  package func write(_ bytes: UnsafeRawBufferPointer) { text.withLock { $0.append(contentsOf: bytes) } }

  package var lines: [String] {
    text.withLock { String(decoding: $0, as: UTF8.self) }.split(separator: "\n").map(String.init)
  }
}

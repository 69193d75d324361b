/// Wakes everybody who waits for the next ring. Nothing is remembered: who comes after a ring waits for another, so look
/// first at what it rings for, and again when woken.
package final class Bell {
  private var waiting: [Int: UnsafeContinuation<Void, Never>] = [:]
  private var count = 0

  package init() {}

  package func ring() {
    let woken = waiting
    waiting = [:]
    for continuation in woken.values { continuation.resume() }
  }

  /// Returns at the next ring, or when the task is cancelled.
  package func wait() async {
    guard !Task.isCancelled else { return }
    let number = count
    count += 1
    await withTaskCancellationHandler {
      await withUnsafeContinuation { waiting[number] = $0 }
    } onCancel: {
      Task { @MainActor in self.waiting.removeValue(forKey: number)?.resume() }
    }
  }
}

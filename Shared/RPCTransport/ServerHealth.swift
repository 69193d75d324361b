import Clocks
package import RPC

/// What a server answers to those who ask for its health, and to those who watch it.
package final class ServerHealth {
  /// Who knows whether the service is well; without anybody it is, until it drains.
  package var ask: () -> (state: HealthState, problems: [String]) = { (.ready, []) }

  private let service: String
  private let time: any TimeSource
  private var isDraining = false
  private var changes = 0
  private var watchers: [(number: Int, waiter: UnsafeContinuation<Void, Never>)] = []
  private var watches = 0

  /// While somebody watches, what tells nobody when it changes (a disk that fills) is looked at this often.
  private static let interval: Duration = .seconds(1)

  init(of service: String, time: any TimeSource) {
    self.service = service
    self.time = time
  }

  package var report: HealthReport {
    let (state, problems) = ask()
    return HealthReport(service: service, state: isDraining ? .draining : state, problems: problems)
  }

  /// Those who watch look at once.
  package func changed() {
    changes += 1
    let woken = watchers
    watchers = []
    for watcher in woken { watcher.waiter.resume() }
  }

  func drain() {
    isDraining = true
    changed()
  }

  /// Sends what is so now, then every change. Ends with the server, which would else wait for it.
  func watch(_ writer: StreamWriter<HealthReport>) async throws {
    var told: HealthReport?
    while true {
      let (seen, isLast) = (changes, isDraining)
      let report = report
      if report != told {
        try await writer.send(report)
        told = report
      }
      if isLast { return }
      if seen == changes { await nextLook() }
      try Task.checkCancellation()
    }
  }

  private func nextLook() async {
    watches += 1
    let number = watches
    let timer = time.after(Self.interval) { [self] in wake(number) }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { waiter in
        if Task.isCancelled { waiter.resume() } else { watchers.append((number, waiter)) }
      }
    } onCancel: {
      Task { @MainActor in self.wake(number) }
    }
    timer.cancel()
  }

  private func wake(_ number: Int) {
    guard let place = watchers.firstIndex(where: { $0.number == number }) else { return }
    watchers.remove(at: place).waiter.resume()
  }
}

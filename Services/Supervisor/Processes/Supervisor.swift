package import Clocks
import EventLoops
import Observability

/// All services of a suite, started together and ended in the reverse order.
package final class Supervisor {
  package let services: [SupervisedService]
  package let startedAt: Instant
  private let time: any TimeSource
  private var patience: (any Scheduled)?
  private var watchers: [UnsafeContinuation<Void, Never>] = []

  /// One that needs longer to be ready does not keep the page from showing what the others know.
  package static let patienceWithOthers: Duration = .seconds(30)

  package init(_ services: [SupervisedService], time: any TimeSource) {
    self.services = services
    self.time = time
    startedAt = time.now
    for service in services { service.onChange = { [weak self] in self?.changed() } }
  }

  package subscript(member: SuiteMember) -> SupervisedService? { services.first { $0.plan.member == member } }

  /// Starts all but the one that asks them: at its first question each is there, and no connection rests after having
  /// been refused.
  package func start() {
    patience = time.after(Self.patienceWithOthers) { [weak self] in self?.startLast() }
    for service in services where !service.plan.member.asksAllOthers { service.start() }
    changed()
  }

  private func startLast() {
    patience?.cancel()
    patience = nil
    guard !isStopping else { return }
    for service in services where service.plan.member.asksAllOthers { service.start() }
  }

  /// Returns when something about a service has changed.
  package func nextChange() async { await withUnsafeContinuation { watchers.append($0) } }

  package var isReady: Bool { services.allSatisfy { $0.state == .ready } }

  /// The first that does not start, if any.
  package var failed: SupervisedService? { services.first { $0.state == .failed } }

  package private(set) var isStopping = false

  /// Ends one after the other, so that none is asked by one that it cannot answer any more.
  package func stop() async {
    isStopping = true
    changed()
    for service in services.reversed() { await service.stop() }
  }

  package func kill() { for service in services.reversed() { service.kill() } }

  package func reload() { for service in services { service.reload() } }

  private func changed() {
    if patience != nil, services.allSatisfy({ $0.plan.member.asksAllOthers || $0.state == .ready }) { startLast() }
    let waiting = watchers
    watchers = []
    for watcher in waiting { watcher.resume() }
  }
}

import EventLoops
import Observability

/// What is asked for when somebody reads the metrics, for as long as this is held, and costs a call nothing.
///
/// The readers hold this one weakly, and not those who are asked: an object that was once held weakly is slow to retain
/// ever after.
final class MetricsReading {
  private let ask: () -> Void

  init(of metrics: Metrics, _ ask: @escaping () -> Void) {
    self.ask = ask
    metrics.beforeReading { [weak self] in
      guard let self, EventLoop.isCurrent else { return }
      MainActor.assumeIsolated { self.ask() }
    }
  }
}

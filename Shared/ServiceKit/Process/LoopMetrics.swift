import EventLoops
package import Observability
import Synchronization

/// How much of its time the loop had nothing to do.
nonisolated package enum LoopMetrics {
  package static func register(in metrics: Metrics) {
    let idle = metrics.timeCounter(
      "odi_loop_idle_seconds_total", "Time in which the loop waited; the rest it kept its thread busy.")
    let told = Mutex(Duration.zero)
    metrics.beforeReading {
      guard EventLoop.isCurrent else { return }
      let now = MainActor.assumeIsolated { EventLoop.idle }
      told.withLock { told in
        idle.add(now - told)
        told = now
      }
    }
  }
}

import Clocks
import Observability
import RPC

/// What a client counts of each request, as metrics.
final class ClientTally {
  private struct Row {
    let method: MethodID
    let succeeded: Counter
    let seconds: Histogram
  }

  private let metrics: Metrics
  private let service: String
  /// By the low byte of the request's number: in the high one, those of a service are the same.
  private var rows: [Row?] = []
  private var reading: MetricsReading?

  init(of service: String, in metrics: Metrics, load: @escaping @MainActor () -> ClientLoad) {
    self.service = service
    self.metrics = metrics
    let running = metrics.gauge(
      "odi_rpc_client_calls_running", "Calls that wait for an answer.", labels: ["service": service])
    let waiting = metrics.gauge(
      "odi_rpc_client_calls_waiting", "Calls that wait for a connection.", labels: ["service": service])
    reading = MetricsReading(of: metrics) {
      let load = load()
      running.set(load.calls)
      waiting.set(load.waiting)
    }
  }

  /// A call is over, after all its attempts.
  func ended(_ method: MethodID, _ failure: RPCError.Code?, after took: Duration, name: @autoclosure () -> String) {
    let index = row(method, name)
    rows[index]!.seconds.record(took)
    if let failure { counter("\(failure)", name()).add() } else { rows[index]!.succeeded.add() }
  }

  /// An attempt failed, and is not the last.
  func repeats(_ method: MethodID, after code: RPCError.Code, name: @autoclosure () -> String) {
    metrics.counter(
      "odi_rpc_client_retries_total", "Attempts after the first, by what the one before failed with.",
      labels: ["service": service, "method": name(), "code": "\(code)"], seriesMax: Outcomes.seriesMax
    ).add()
  }

  private func row(_ method: MethodID, _ name: () -> String) -> Int {
    let index = Int(method & 0xFF)
    if index < rows.count, rows[index]?.method == method { return index }
    while rows.count <= index { rows.append(nil) }
    let name = name()
    rows[index] = Row(
      method: method, succeeded: counter("ok", name),
      seconds: metrics.histogram(
        "odi_rpc_client_call_seconds", "Time from the wish to the end, with all attempts.",
        labels: ["service": service, "method": name]))
    return index
  }

  private func counter(_ code: String, _ method: String) -> Counter {
    metrics.counter(
      "odi_rpc_client_calls_total", "Calls made, by method and outcome.",
      labels: ["service": service, "method": method, "code": code], seriesMax: Outcomes.seriesMax)
  }
}

/// Calls by method and outcome.
enum Outcomes {
  /// In an incident all methods fail, with several codes: just then they must be told apart. All methods with all codes are
  /// fewer.
  static let seriesMax = 4_096
}

import Clocks
import Observability
import RPC

/// What a server counts of each method: in arrays by the method's index for `status`, and as metrics.
final class Tally {
  struct Row {
    var succeeded = 0
    var failed = 0
    var latency = LatencyWindow()
    fileprivate var successes: Counter?
    fileprivate var seconds: Histogram?
  }

  private(set) var rows: [Row] = []
  private let metrics: Metrics?
  private let service: String

  init(service: String, metrics: Metrics?) {
    self.service = service
    self.metrics = metrics
  }

  /// A call that answered at once gives no time: the loop's clock stands still within a turn.
  func succeeded(_ method: RPCMethod, after took: Duration? = nil, now: Instant? = nil) {
    let index = row(method)
    rows[index].succeeded &+= 1
    rows[index].successes?.add()
    guard let took, let now else { return }
    rows[index].latency.record(took, now: now)
    rows[index].seconds?.record(took)
  }

  func failed(_ method: RPCMethod, _ code: RPCError.Code) {
    let index = row(method)
    rows[index].failed &+= 1
    counter(method, "\(code)")?.add()
  }

  private func row(_ method: RPCMethod) -> Int {
    while rows.count <= method.index { rows.append(Row()) }
    if metrics != nil, rows[method.index].successes == nil {
      rows[method.index].successes = counter(method, "ok")
      rows[method.index].seconds = metrics?.histogram(
        "odi_rpc_server_call_seconds", "Time from a call's start to its answer, for handlers that wait.",
        labels: ["service": service, "method": method.name])
    }
    return method.index
  }

  private func counter(_ method: RPCMethod, _ code: String) -> Counter? {
    metrics?.counter(
      "odi_rpc_server_calls_total", "Calls answered, by method and outcome.",
      labels: ["service": service, "method": method.name, "code": code])
  }
}

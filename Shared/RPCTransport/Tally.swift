import Clocks
import Observability
import RPC

/// What a server counts of each method: in arrays by the method's index for `status`, and as metrics.
final class Tally {
  struct Row {
    var succeeded = 0
    var failed = 0
    var latency = LatencyWindow()
    /// Of requests and answers, since they were last told.
    fileprivate var received = 0
    fileprivate var sent = 0
    fileprivate var numbers: Numbers?
  }

  /// What is made once for each method.
  fileprivate struct Numbers {
    let successes: Counter
    let seconds: Histogram
    let received: Counter
    let sent: Counter
    let running: Gauge
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
    rows[index].numbers?.successes.add()
    guard let took, let now else { return }
    rows[index].latency.record(took, now: now)
    rows[index].numbers?.seconds.record(took)
  }

  func received(_ method: RPCMethod, bytes: Int) { rows[row(method)].received &+= bytes }

  /// An answer, or an element of one.
  func sent(_ method: RPCMethod, bytes: Int) { rows[row(method)].sent &+= bytes }

  /// A call that had to wait for admission has been let in, or is refused.
  func waited(_ method: RPCMethod, _ duration: Duration) {
    metrics?.histogram(
      "odi_rpc_server_wait_seconds", "Time that calls waited for admission, of those that had to.",
      labels: ["service": service, "method": method.name]
    ).record(duration)
  }

  func failed(_ method: RPCMethod, _ code: RPCError.Code) {
    let index = row(method)
    rows[index].failed &+= 1
    if let metrics { counter(method, "\(code)", in: metrics).add() }
  }

  private func row(_ method: RPCMethod) -> Int {
    while rows.count <= method.index { rows.append(Row()) }
    if let metrics, rows[method.index].numbers == nil { rows[method.index].numbers = numbers(of: method, in: metrics) }
    return method.index
  }

  private func numbers(of method: RPCMethod, in metrics: Metrics) -> Numbers {
    let labels: Metrics.Labels = ["service": service, "method": method.name]
    return Numbers(
      successes: counter(method, "ok", in: metrics),
      seconds: metrics.histogram(
        "odi_rpc_server_call_seconds", "Time from a call's start to its answer, for handlers that wait.",
        labels: labels),
      received: metrics.counter(
        "odi_rpc_server_received_bytes_total", "Bytes of requests, without what frames them.", labels: labels),
      sent: metrics.counter(
        "odi_rpc_server_sent_bytes_total", "Bytes of answers, without what frames them.", labels: labels),
      running: metrics.gauge("odi_rpc_server_calls_running", "Calls under way, those that wait too.", labels: labels))
  }

  /// Hands on what is only counted here; called when somebody reads the metrics. `running` is by the methods' indices.
  func tell(running: [Int]) {
    for index in rows.indices {
      guard let numbers = rows[index].numbers else { continue }
      numbers.received.add(rows[index].received)
      numbers.sent.add(rows[index].sent)
      (rows[index].received, rows[index].sent) = (0, 0)
      numbers.running.set(index < running.count ? running[index] : 0)
    }
  }

  private func counter(_ method: RPCMethod, _ code: String, in metrics: Metrics) -> Counter {
    metrics.counter(
      "odi_rpc_server_calls_total", "Calls answered, by method and outcome.",
      labels: ["service": service, "method": method.name, "code": code], seriesMax: Outcomes.seriesMax)
  }
}

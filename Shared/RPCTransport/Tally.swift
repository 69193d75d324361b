import Clocks
import Observability
import RPC

/// What a server counts of each method, in arrays by the method's index.
final class Tally {
  struct Row {
    var succeeded = 0
    var failed = 0
    var codes: [RPCError.Code: Int] = [:]
    var latency: LatencyWindow
  }

  private(set) var rows: [Row] = []
  private var counters: [Counter] = []
  private var histograms: [Histogram] = []
  private let metrics: Metrics?
  private let service: String

  init(service: String, metrics: Metrics?) {
    self.service = service
    self.metrics = metrics
  }

  private func row(_ method: RPCMethod) -> Int {
    while rows.count <= method.index { rows.append(Row(latency: LatencyWindow())) }
    return method.index
  }

  func succeeded(_ method: RPCMethod, after took: Duration = .zero, now: Instant? = nil) {
    let index = row(method)
    rows[index].succeeded &+= 1
    if let now { rows[index].latency.record(took, now: now) }
  }

  func failed(_ method: RPCMethod, _ code: RPCError.Code) {
    let index = row(method)
    rows[index].failed &+= 1
    rows[index].codes[code, default: 0] &+= 1
  }
}

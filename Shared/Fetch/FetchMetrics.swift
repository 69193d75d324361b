import Observability

/// What an operator sees of fetching.
struct FetchMetrics {
  private let metrics: Metrics
  private let bytes: Counter
  private let seconds: Histogram

  init(_ metrics: Metrics) {
    self.metrics = metrics
    bytes = metrics.counter("odi_fetch_wire_bytes_total", "Bytes that answers had on the wire")
    seconds = metrics.histogram("odi_fetch_seconds", "From the wish to the page, waiting included")
  }

  func record(_ result: Result<FetchResponse, FetchError>, took duration: Duration) {
    seconds.record(duration)
    if case .success(let response) = result { bytes.add(response.wireBytes) }
    metrics.counter("odi_fetches_total", "Fetches by how they ended", labels: ["outcome": Self.outcome(result)]).add()
  }

  /// One of a few words: the hundreds of an answer's status, or the kind of an error.
  static func outcome(_ result: Result<FetchResponse, FetchError>) -> String {
    switch result {
    case .success(let response): "\(response.status / 100)xx"
    case .failure(let error):
      switch error {
      case .invalidURL, .redirect, .downgrade: "invalid-url"
      case .refused: "refused"
      case .tooManyRedirects: "too-many-redirects"
      case .unknownHost: "unknown-host"
      case .cannotConnect: "cannot-connect"
      case .insecure: "insecure"
      case .timedOut, .tooSlow: "timed-out"
      case .bodyTooLarge, .wireTooLarge, .headersTooLarge: "too-large"
      case .truncated, .connectionLost: "connection-lost"
      case .notHTTP, .undecodable: "broken"
      case .cancelled, .closed: "cancelled"
      case .overloaded: "overloaded"
      case .failed: "failed"
      }
    }
  }
}

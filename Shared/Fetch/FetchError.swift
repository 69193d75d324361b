/// Why a page could not be fetched, in words for the person who looks after the scraper.
nonisolated package enum FetchError: Error, Hashable, Sendable, CustomStringConvertible {
  case invalidURL(FetchURLError)
  /// The address is none that we connect to. Nothing was sent.
  case refused(AddressRefusal)
  /// The site leads to an address that is not followed.
  case redirect(to: String, FetchURLError)
  case downgrade(to: FetchURL)
  case tooManyRedirects(limit: Int)
  case unknownHost(String, reason: String)
  case cannotConnect(String)
  /// TLS failed: an expired certificate, another host's, an unknown authority.
  case insecure(String)
  case timedOut(after: Duration)
  /// Less came than the least that is waited for.
  case tooSlow
  case bodyTooLarge(limit: Int)
  case wireTooLarge(limit: Int)
  case headersTooLarge(limit: Int)
  /// The connection ended before the answer did.
  case truncated
  case connectionLost(String)
  case notHTTP(String)
  /// The body is not in the encoding that the answer names.
  case undecodable(String)
  case cancelled
  /// More requests wait than are kept.
  case overloaded(limit: Int)
  case closed
  /// libcurl says something that is none of the above.
  case failed(String)

  package var description: String {
    switch self {
    case .invalidURL(let error): "\(error)"
    case .refused(let refusal): "\(refusal)"
    case .redirect(let location, let error): "the site leads to “\(location)”: \(error)"
    case .downgrade(let url): "the site leads from https to \(url)"
    case .tooManyRedirects(let limit): "the site leads on more than \(limit) times"
    case .unknownHost(let host, let reason): "\(host) has no address: \(reason)"
    case .cannotConnect(let reason): "no connection: \(reason)"
    case .insecure(let reason): "the site cannot be trusted: \(reason)"
    case .timedOut(let time): "no complete answer within \(time)"
    case .tooSlow: "the answer came too slowly"
    case .bodyTooLarge(let limit): "the page has more than \(limit) bytes"
    case .wireTooLarge(let limit): "the answer has more than \(limit) bytes"
    case .headersTooLarge(let limit): "the answer's headers have more than \(limit) bytes or too many lines"
    case .truncated: "the connection ended before the answer did"
    case .connectionLost(let reason): "the connection broke: \(reason)"
    case .notHTTP(let reason): "the answer is not HTTP: \(reason)"
    case .undecodable(let reason): "the answer's compression is broken: \(reason)"
    case .cancelled: "the request was cancelled"
    case .overloaded(let limit): "\(limit) requests are waiting already; come back later"
    case .closed: "the fetcher is closed"
    case .failed(let reason): reason
    }
  }

  /// Whether the same request may succeed later without anybody changing anything.
  package var isTransient: Bool {
    switch self {
    case .unknownHost, .cannotConnect, .timedOut, .tooSlow, .truncated, .connectionLost, .cancelled, .overloaded,
      .closed,
      .failed:
      true
    default: false
    }
  }
}

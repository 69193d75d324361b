import HTTP
import RPC

nonisolated extension Problem {
  /// A failed call in the words of our API. What the cause was stays in the service's log.
  init(_ error: RPCError) {
    let who = error.origin ?? "a service"
    switch error.code {
    case .invalidArgument, .outOfRange: self.init(.validation, error.message)
    case .notFound: self.init(.notFound, error.message)
    case .unauthenticated: self = .noSession
    case .permissionDenied: self.init(.forbidden, error.message)
    // A key that named another request before.
    case .alreadyExists: self.init(.idempotencyMismatch, error.message)
    case .aborted: self.init(.conflict, error.message, fields: Self.retry(error.retryAfter ?? .seconds(1)))
    case .failedPrecondition: self.init(.preconditionFailed, error.message)
    case .resourceExhausted: self.init(.rateLimited, error.message, fields: Self.retry(error.retryAfter))
    case .superseded: self = .superseded
    case .unimplemented: self.init(.notImplemented, "\(who) does not know this yet; update it")
    case .unavailable:
      self.init(
        .upstreamUnavailable, status: .serviceUnavailable, "\(who) does not answer; try again in a moment",
        fields: Self.retry(error.retryAfter))
    case .shed:
      self.init(.overloaded, "\(who) has too much to do; try again in a moment", fields: Self.retry(error.retryAfter))
    case .deadlineExceeded:
      self.init(
        .upstreamTimeout, status: .serviceUnavailable, "\(who) did not answer in time; try again in a moment",
        fields: Self.retry(error.retryAfter))
    case .cancelled: self.init(.overloaded, "the request was given up", fields: Self.retry(nil))
    case .unknown, .internal, .dataLoss: self.init(.internal, "\(who) made a mistake; its log says more")
    }
  }

  /// Whether an older answer is better than this.
  var mayServeStale: Bool {
    switch kind {
    case .upstreamUnavailable, .upstreamTimeout, .overloaded, .internal: true
    default: false
    }
  }

  static var superseded: Problem {
    Problem(.superseded, "a newer request of this session and slot has taken its place")
  }

  static func retry(_ delay: Duration?) -> [HTTPField] {
    let seconds = delay.map { max(1, Int(($0 / .seconds(1)).rounded(.up))) } ?? retrySeconds
    return [HTTPField("Retry-After", String(seconds))]
  }

  /// A service that was ended is back within about this time.
  private static let retrySeconds = 2
}

import Contracts
package import HTTP
package import RPC

nonisolated extension RPCError {
  /// Nobody waits for the answer any more: what failed so is of no account, and nothing goes on without it.
  var isGivenUp: Bool { code == .cancelled || code == .superseded }
}

nonisolated extension Problem {
  /// A failed call in the words of our API. What the cause was stays in the service's log.
  package init(_ error: RPCError) {
    let who = error.origin ?? "a service"
    switch error.code {
    case .invalidArgument, .outOfRange: self.init(.validation, error.message)
    case .notFound: self.init(.notFound, error.message)
    // A service says this of users and signs it; where nobody has signed, it is we who were not let in.
    case .unauthenticated where error.origin == nil:
      self.init(
        .upstreamUnavailable, status: .serviceUnavailable,
        "a service does not let the gateway in; its operator is to see to `shared-secret-file`",
        fields: Self.retry(error.retryAfter))
    case .unauthenticated: self = .voidSession
    case .permissionDenied: self.init(.forbidden, error.message)
    // A key that named another request before.
    case .alreadyExists: self.init(.idempotencyMismatch, error.message)
    case .aborted: self.init(.conflict, error.message, fields: Self.retry(error.retryAfter ?? .seconds(1)))
    case .failedPrecondition: self.init(.preconditionFailed, error.message)
    // What does not pass by waiting: something has to be taken out first.
    case .resourceExhausted where error.retryAfter == nil && error.origin == BookmarksAPI.name:
      self.init(.quota, error.message)
    case .resourceExhausted: self.init(.rateLimited, error.message, fields: Self.retry(error.retryAfter))
    case .superseded: self = .superseded
    // It answers: a station is silent, and that for so long.
    case .unavailable where error.retryAfter != nil && error.origin == RadioAPI.name:
      self.init(
        .upstreamUnavailable, status: .serviceUnavailable, error.message, fields: Self.retry(error.retryAfter))
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

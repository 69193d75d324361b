package import Observability

/// Why a call failed: a code to act on, a sentence to read, and whether the call may have been executed.
package struct RPCError: Error, Sendable, CustomStringConvertible {
  package typealias Executed = RetryPolicy.Executed

  /// What the caller should do about it. The first sixteen are gRPC's, with its numbers.
  package enum Code: UInt8, Sendable, CaseIterable, Codable {
    /// The caller no longer wants the answer.
    case cancelled = 1
    /// Nothing better is known.
    case unknown = 2
    /// The request is wrong whatever the state of things. Correct it.
    case invalidArgument = 3
    /// The time was up. The call may have been executed.
    case deadlineExceeded = 4
    case notFound = 5
    case alreadyExists = 6
    /// Known who you are, and you may not.
    case permissionDenied = 7
    /// A quota or a limit. Ask for less, or later.
    case resourceExhausted = 8
    /// The state of things does not allow it; repeating does not help before the state has changed.
    case failedPrecondition = 9
    /// Lost a race; start the whole sequence again.
    case aborted = 10
    case outOfRange = 11
    /// This server does not know the request.
    case unimplemented = 12
    /// Our fault.
    case `internal` = 13
    /// Not now. Try again.
    case unavailable = 14
    case dataLoss = 15
    /// Not known who you are.
    case unauthenticated = 16
    /// Too much is going on here; the call was not begun.
    case shed = 17
    /// A newer request of the same pane has taken its place.
    case superseded = 18
  }

  package var code: Code
  package var message: String
  /// Whether the server ran the call.
  package var executed: Executed
  /// The server's wish to be left alone for this long.
  package var retryAfter: Duration?
  /// The service in which it arose.
  package var origin: String?
  package var traceID: TraceID?
  /// Who spent the time, when that is the question.
  package var ledger: DeadlineLedger?
  /// For our log; it does not leave the process.
  package var cause: (any Error)?

  package init(
    _ code: Code, _ message: String, executed: Executed? = nil, retryAfter: Duration? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.executed = executed ?? code.usuallyExecuted
    self.retryAfter = retryAfter
    self.cause = cause
  }

  package var description: String { origin.map { "\(code) from \($0): \(message)" } ?? "\(code): \(message)" }

  /// Whether time may cure it.
  package var isTransient: Bool { code.isTransient }

  package var failure: RetryPolicy.Failure {
    RetryPolicy.Failure(executed: executed, isTransient: isTransient, retryAfter: retryAfter)
  }
}

extension RPCError.Code {
  package var isTransient: Bool {
    switch self {
    case .unavailable, .shed, .resourceExhausted, .aborted, .deadlineExceeded: true
    case .cancelled, .unknown, .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition,
      .outOfRange, .unimplemented, .internal, .dataLoss, .unauthenticated, .superseded:
      false
    }
  }

  fileprivate var usuallyExecuted: RPCError.Executed {
    switch self {
    case .shed, .superseded, .unimplemented, .unauthenticated: .no
    case .cancelled, .deadlineExceeded, .unavailable, .unknown: .maybe
    case .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .resourceExhausted, .failedPrecondition,
      .aborted, .outOfRange, .internal, .dataLoss:
      .yes
    }
  }
}

/// A domain's error that knows which RPC error it is.
package protocol RPCErrorConvertible: Error {
  var rpcError: RPCError { get }
}

extension RPCError {
  /// Any error of a handler, in the words of the wire. What is not meant for callers becomes `internal`, and its text
  /// stays here as the cause.
  package init(handler error: any Error) {
    switch error {
    case let error as RPCError: self = error
    case let error as any RPCErrorConvertible: self = error.rpcError
    case is CancellationError: self.init(.cancelled, "cancelled")
    default: self.init(.internal, "the handler failed; its log says why", cause: error)
    }
  }

  /// A request that a service does not have: one of the two is older.
  package static func unknown(_ method: MethodID, to service: String) -> RPCError {
    RPCError(.unimplemented, "\(service) has no request \(method.spoken); update the older side")
  }

  /// Whether we are to blame, so that the log should say so.
  package var isOurFault: Bool {
    switch code {
    case .internal, .unknown, .dataLoss: true
    default: false
    }
  }
}

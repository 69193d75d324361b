import Glibc
package import RPC

nonisolated extension CommandError {
  /// Any error of a command that did not say it better itself.
  package init(explaining error: any Error) {
    switch error {
    case let error as RPCError: self.init(error)
    case let error as ConfigurationError: self = error.asCommandError
    case let error as FileError: self.init(error)
    default: self.init(.failed, printable("\(error)"))
    }
  }

  /// A file that a command was to read.
  package init(_ error: FileError) {
    self.init(error.errno == ENOENT || error.errno == ENOTDIR ? .notFound : .failed, printable("\(error)"))
  }

  /// A failed call as a command tells it: the reason first, then who said so.
  package init(_ error: RPCError) {
    // The supervisor's program is odi itself.
    let who = error.origin.map { $0 == "odi" ? $0 : "odi-\($0)" } ?? "the service"
    let reason = printable(error.message)
    // Who says it has answered: then it is something else that cannot be had.
    if error.code == .unavailable, error.origin == nil || reason.isEmpty {
      self.init(error.code.exitCode, "cannot reach \(who)", why: reason)
    } else if reason.isEmpty {
      self.init(error.code.exitCode, "\(who) did not do it")
    } else {
      self.init(error.code.exitCode, reason, why: "\(who) says so")
    }
    if let trace = error.traceID { details = ["trace \(trace)"] }
    if error.executed == .maybe, error.code != .unavailable {
      details.append("it may have been done; look before you repeat it")
    }
  }
}

nonisolated extension RPCError.Code {
  /// The one table from codes to exit codes.
  package var exitCode: ExitCode {
    switch self {
    case .notFound: .notFound
    case .permissionDenied, .unauthenticated: .unauthorised
    case .unavailable, .shed: .unreachable
    case .alreadyExists, .failedPrecondition, .aborted, .superseded: .conflict
    case .deadlineExceeded: .timedOut
    case .invalidArgument, .outOfRange, .unimplemented: .usage
    case .cancelled: .interrupted
    case .unknown, .resourceExhausted, .internal, .dataLoss: .failed
    }
  }
}

import Clocks
package import RPC
package import Storage

/// Why the service does not do what it was asked.
nonisolated package enum BookmarkError: RPCErrorConvertible, Hashable {
  case unknownUser
  case unknownFeed
  /// The key of this request is another request's.
  case keyReused
  case tooManyItems(limit: Int)
  case settingsMoved(revision: Int64)
  case noSuchPlan
  case tooManyPlans(limit: Int)
  case planMoved(revision: Int64)
  case noSuchCode
  case tooManyTries(limit: Int, wait: Duration)
  case tooManyCodes
  /// Of one user.
  case tooManyWatchers(limit: Int)
  case tooManyWatchersInAll(limit: Int)
  /// A token that was made void.
  case sessionEnded
  /// Field, and what is wrong with it.
  case invalid(String)
  case goingDown

  package var rpcError: RPCError {
    switch self {
    case .unknownUser: RPCError(.unauthenticated, "there is no such user any more; begin a new session")
    case .unknownFeed: RPCError(.notFound, "this feed's address is no longer valid; ask for a new one")
    case .keyReused:
      RPCError(.alreadyExists, "this idempotency key was used for another request; take a new one for a new request")
    case .tooManyItems(let limit):
      RPCError(.resourceExhausted, "at most \(limit) things can be saved; remove some first")
    case .settingsMoved(let revision):
      RPCError(
        .failedPrecondition, "the settings were changed meanwhile and are at revision \(revision); read them again")
    case .noSuchPlan: RPCError(.notFound, "there is no such plan, or no longer")
    case .tooManyPlans(let limit):
      RPCError(.resourceExhausted, "at most \(limit) plans are kept; remove some first")
    case .planMoved(let revision):
      RPCError(.failedPrecondition, "the plan was changed meanwhile and is at revision \(revision); read it again")
    case .noSuchCode: RPCError(.notFound, "this code does not hold, or no longer; ask for a new one")
    case .tooManyTries(let limit, let wait):
      RPCError(
        .resourceExhausted, "\(limit) wrong codes within a few minutes are the most; try again in some",
        retryAfter: wait)
    case .tooManyCodes:
      RPCError(
        .unavailable, "too many devices are being paired now; try again in a minute", executed: .no,
        retryAfter: .seconds(60))
    case .tooManyWatchers(let limit):
      RPCError(.resourceExhausted, "at most \(limit) streams of a user can be open at once; close one")
    case .tooManyWatchersInAll(let limit):
      RPCError(
        .resourceExhausted, "\(limit) streams of all users are open, which is the most; try again in a minute",
        executed: .no, retryAfter: .seconds(60))
    case .sessionEnded: RPCError(.unauthenticated, "this session has ended; begin a new one", executed: .no)
    case .invalid(let sentence): RPCError(.invalidArgument, sentence, executed: .no)
    case .goingDown:
      RPCError(.unavailable, "the service is going down; go on elsewhere, from the last revision", executed: .no)
    }
  }
}

nonisolated extension RPCError {
  /// What callers are told when the store fails. Its own words stay here.
  package init(storage error: StorageError) {
    let executed: RPCError.Executed = error.mayHaveBeenStored ? .maybe : .no
    switch error.kind {
    case .full:
      self.init(
        .unavailable, "the disk is full, so nothing can be changed now; what was saved is safe", executed: executed,
        retryAfter: .seconds(30), cause: error)
    case .overloaded: self.init(.shed, "too many changes wait already; retry", executed: .no, retryAfter: .seconds(1))
    case .busy, .rolledBack, .closed:
      self.init(.unavailable, "the store is busy; retry", executed: .no, retryAfter: .seconds(1), cause: error)
    case .inputOutput, .readOnly, .cannotOpen, .outOfMemory, .owned:
      self.init(
        .unavailable, "the store has a fault; retry with the same idempotency key", executed: executed,
        retryAfter: .seconds(5), cause: error)
    case .corrupt: self.init(.dataLoss, "the store is damaged and has to be restored", cause: error)
    case .cancelled: self.init(.cancelled, "cancelled")
    case .deadlineExceeded: self.init(.deadlineExceeded, "the store was not done in time", executed: .no)
    case .constraint, .incompatible, .mismatch, .misuse, .tooBig:
      self.init(.internal, "the store refused a statement; its log says why", cause: error)
    }
  }
}

import RPC

/// What people save: bookmarks, favourites, history, settings, plans.
///
/// Any request may fail with `unauthenticated`: the user was erased, went over into another one, or never was. A
/// request with an idempotency key fails with `alreadyExists`, and none for another reason, if the key was used for a
/// different request. `resourceExhausted` without a time to wait is a quota, and its sentence says which.
package enum BookmarksAPI: RPCService {
  package static let name = "bookmarks"
}

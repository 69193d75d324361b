import RPC

/// What people save: bookmarks, favourites, history, settings, plans.
package enum BookmarksAPI: RPCService {
  package static let name = "bookmarks"
}

package import Clocks
package import RPC
import Wire

/// What most users saved; only what at least five did.
package struct MostSaved: RPCRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Response = [SavedCount]
  package static let method: MethodID = 0x0315
  package static let safety: Safety = .read

  package var kind: ItemKind
  package var since: WallTime?
  /// 1...100.
  package var limit: Int

  package init(kind: ItemKind, since: WallTime? = nil, limit: Int) {
    self.kind = kind
    self.since = since
    self.limit = limit
  }
}

/// How many users saved a thing.
package struct SavedCount: Codable, Hashable, Sendable, WireLayout {
  package var id: String
  package var users: Int

  package init(id: String, users: Int) {
    self.id = id
    self.users = users
  }
}

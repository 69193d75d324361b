package import RPC
import Wire

/// Every change of the directory after a revision, those that happened and those to come.
package struct DirectoryChanges: RPCStreamRequest, Hashable, WireLayout {
  package typealias Service = LocatorAPI
  package typealias Element = DirectoryChange
  package static let method: MethodID = 0x0107

  /// Nil: only those to come.
  package var since: Int64?

  package init(since: Int64? = nil) {
    self.since = since
  }
}

/// One edit of the directory. The first element of a stream has no cinema and tells where it begins.
package struct DirectoryChange: Codable, Hashable, Sendable, WireLayout {
  package var revision: Int64
  /// The cinema as it is now; nil if it was removed.
  package var cinema: Cinema?
  /// Which one was removed.
  package var removed: CinemaID?

  package init(revision: Int64, cinema: Cinema? = nil, removed: CinemaID? = nil) {
    self.revision = revision
    self.cinema = cinema
    self.removed = removed
  }
}

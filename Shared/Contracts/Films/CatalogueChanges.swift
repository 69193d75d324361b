package import RPC
import Wire

/// The catalogue's revisions as they come, so that nobody keeps what is no longer so.
package struct CatalogueChanges: RPCStreamRequest, Hashable {
  package typealias Service = FilmsAPI
  package typealias Element = CatalogueChange
  package static let method: MethodID = 0x0409

  package init() {}
}

/// The catalogue changed. The first of a stream tells where it begins.
package struct CatalogueChange: Codable, Hashable, Sendable, WireLayout {
  package var revision: Int64

  package init(revision: Int64) {
    self.revision = revision
  }
}

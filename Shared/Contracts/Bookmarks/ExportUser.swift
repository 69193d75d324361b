package import RPC
import Wire

/// Everything of a user as one JSON document, in pieces.
package struct ExportUser: RPCStreamRequest, Hashable, WireLayout {
  package typealias Service = BookmarksAPI
  package typealias Element = ExportChunk
  package static let method: MethodID = 0x0304

  package var user: UserID

  package init(user: UserID) {
    self.user = user
  }
}

/// The next bytes of the document.
package struct ExportChunk: Codable, Hashable, Sendable, WireLayout {
  /// UTF-8, cut anywhere.
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

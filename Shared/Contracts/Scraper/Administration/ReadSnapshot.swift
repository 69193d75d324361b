package import RPC

/// A stored page, in pieces.
package struct ReadSnapshot: RPCStreamRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Element = SnapshotPiece
  package static let method: MethodID = 0x0246

  package var snapshot: String

  package init(snapshot: String) {
    self.snapshot = snapshot
  }
}

/// Some of a page's bytes.
package struct SnapshotPiece: Codable, Hashable, Sendable {
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

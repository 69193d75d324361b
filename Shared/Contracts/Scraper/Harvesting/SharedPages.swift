package import Clocks
package import RPC

/// What an address answered the last time, so that it need not be sent again if it is the same.
package struct LastAnswer: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = SharedPage
  package static let method: MethodID = 0x0225
  package static let safety: Safety = .read

  package var url: String

  package init(url: String) {
    self.url = url
  }
}

/// The bytes of a page, where the site says that nothing has changed.
package struct PackedSnapshot: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = SharedPage
  package static let method: MethodID = 0x0227
  package static let safety: Safety = .read

  package var snapshot: String

  package init(snapshot: String) {
    self.snapshot = snapshot
  }
}

/// Keeps a page that was fetched.
package struct KeepPage: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = SharedPage
  package static let method: MethodID = 0x0226
  package static let safety: Safety = .idempotent

  /// Compressed: a message has 4 MiB at most, and a page of 8 MiB a tenth of that.
  package static let packedBytesMax = 3 << 20
  /// Of the page itself.
  package static let bytesMax = 8 << 20

  /// What was asked for.
  package var url: String
  package var page: SharedPage

  package init(url: String, page: SharedPage) {
    self.url = url
    self.page = page
  }
}

/// A page on its way between scrapers. Without a snapshot or bytes nothing is known of it.
package struct SharedPage: Codable, Hashable, Sendable {
  /// After redirects.
  package var url: String?
  package var contentType: String?
  package var fetchedAt: WallTime?
  package var etag: String?
  package var lastModified: String?
  /// The name of its bytes.
  package var snapshot: String?
  /// The bytes were known for this address.
  package var isSame: Bool?
  /// In zlib's format.
  package var packed: [UInt8]?
  /// So many unpacked.
  package var bytes: Int?

  package init(
    url: String? = nil, contentType: String? = nil, fetchedAt: WallTime? = nil, etag: String? = nil,
    lastModified: String? = nil, snapshot: String? = nil, isSame: Bool? = nil, packed: [UInt8]? = nil,
    bytes: Int? = nil
  ) {
    self.url = url
    self.contentType = contentType
    self.fetchedAt = fetchedAt
    self.etag = etag
    self.lastModified = lastModified
    self.snapshot = snapshot
    self.isSame = isSame
    self.packed = packed
    self.bytes = bytes
  }
}

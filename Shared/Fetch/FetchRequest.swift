/// One page that is wanted, and on which terms.
nonisolated package struct FetchRequest: Sendable {
  package var url: FetchURL
  package var method = Method.get
  /// Sent to the host of `url` and its redirects; those that carry secrets only as long as the host stays the same.
  package var headers: [(name: String, value: String)] = []
  /// What an earlier answer said about itself. If it still holds, the answer is 304 without a body.
  package var validators: Validators?
  /// Cookies that are sent and kept. Without a jar there are none.
  package var cookies: CookieJar?
  package var followsRedirects = true
  /// Whether https may lead to http.
  package var allowsDowngrade = false
  package var limits = Limits()
  package var body = BodyUse.whole
  /// Of a body in pieces: what makes the site wait for us. One transfer's at a time.
  package var valve: FetchValve?

  package enum Method: Sendable {
    case get, head
    case post([UInt8], contentType: String)
  }

  /// What is wanted of the body of a success. The bodies of other answers are read whole, as far as they may be.
  package enum BodyUse: Sendable {
    /// All of it. One that is longer than the limit is refused.
    case whole
    /// As much as the limit allows: of a stream without end, the beginning.
    case beginning
    /// Each piece as it comes, and nothing is kept. When the receiver returns false it is enough. It is called in the
    /// middle of a transfer and only takes note.
    case pieces(@MainActor (FetchPiece) -> Bool)
  }

  package struct Validators: Hashable, Sendable, Codable {
    package var etag: String?
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
      self.etag = etag
      self.lastModified = lastModified
    }

    package var isEmpty: Bool { etag == nil && lastModified == nil }
  }

  package struct Limits: Sendable {
    /// Until the first hop may begin. While others are fetched a page may wait long; whoever waits for an answer may not.
    package var turn = Duration.seconds(300)
    /// From the beginning of the first hop to the end of the last. A site that takes longer is in trouble.
    package var total = Duration.seconds(15)
    package var connect = Duration.seconds(5)
    /// Less than this many bytes a second over this long, and the site is left alone.
    package var bytesPerSecondMin = 64
    package var slowness = Duration.seconds(8)
    /// Of the body as it is read. Programme pages have up to 2 MiB.
    package var bodyBytes = 8 << 20
    /// Of what comes over the wire, all headers and bodies of one hop together.
    package var wireBytes = 8 << 20
    package var headerBytes = 64 << 10
    package var headerLines = 200
    package var redirects = 5

    package init() {}
  }

  package init(_ url: FetchURL) { self.url = url }

  package init(_ text: String) throws(FetchError) {
    do throws(FetchURLError) { url = try FetchURL(parsing: text) } catch { throw .invalidURL(error) }
  }
}

/// Some of a body, and whose it is.
nonisolated package struct FetchPiece: Sendable {
  package var status: Int
  package var headers: FetchHeaders
  /// Decompressed.
  package var bytes: [UInt8]
}

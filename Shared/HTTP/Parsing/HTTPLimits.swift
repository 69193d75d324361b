/// What one client may cost us. Every number is refused when exceeded, with the status that says so.
nonisolated package struct HTTPLimits: Sendable {
  // MARK: Bytes

  /// 414 above. The longest URL that browsers and proxies agree on.
  package var targetBytes = 8 << 10
  /// 431 above, the lines' ends included. Twice what a browser with many cookies sends.
  package var headerBytes = 16 << 10
  /// 431 above.
  package var headerFields = 100
  /// 413 above, unless the route says otherwise. The longest JSON that any request of ours needs.
  package var bodyBytes = 1 << 20
  /// The body of a request that is answered by its head alone is read over up to this, so that its connection lives on;
  /// with a longer one the answer ends it. A form or a small JSON fits.
  package var unwantedBodyBytes = 64 << 10
  /// Bodies of all requests together that are kept until they are answered: 503 above. Sixteen of the largest at once,
  /// an import's 4 MiB, which is what a small machine can spare.
  package var heldBodyBytes = 64 << 20
  /// 400 above, over all chunks of a body. Nobody uses chunk extensions but attackers.
  package var chunkExtensionBytes = 1 << 10
  /// Read and thrown away after a refusal, so that the client gets to read why before the connection breaks.
  package var lingerBytes = 1 << 20

  // MARK: Times

  /// From the first byte of a request, or from the connection's begin, to the end of its header: 408 after.
  package var headTime: Duration = .seconds(10)
  /// From the end of the header to the end of the body: 408 after.
  package var bodyTime: Duration = .seconds(60)
  /// A body slower than this many bytes a second, after `bodyGrace`, is a trickle meant to hold a connection: 408.
  package var bodyRate = 1 << 10
  package var bodyGrace: Duration = .seconds(10)
  /// Between two requests. Longer than the pause of a person who reads a page.
  package var idleTime: Duration = .seconds(75)
  /// For a handler to answer: 504 after. Calls behind it have shorter deadlines of their own.
  package var replyTime: Duration = .seconds(30)
  /// A client that takes nothing of what waits for it for this long is cut off.
  package var writeStall: Duration = .seconds(10)
  /// How long a refused client may go on sending before the connection is closed for good.
  package var lingerTime: Duration = .seconds(2)
  /// How long requests that are running may take once the server drains.
  package var drainTime: Duration = .seconds(10)

  // MARK: Counts

  /// In all; each costs about 1 KiB of ours and some of the kernel's.
  package var connections = 10_000
  /// From one address, or one /64 network of IPv6: a browser opens 6, an office behind one address a few hundred. Does
  /// not hold for proxies that are trusted.
  package var connectionsPerAddress = 512

  package init() {}
}

/// A server's limits, held once for all its connections.
nonisolated final class SharedLimits {
  let value: HTTPLimits

  init(_ limits: HTTPLimits) {
    precondition(
      limits.targetBytes + limits.headerBytes <= 60 << 10, "a head's places are 16-bit numbers; lower the limits")
    value = limits
  }
}

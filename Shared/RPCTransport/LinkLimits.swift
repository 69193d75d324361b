/// What one connection may ask of us.
nonisolated package struct LinkLimits: Sendable {
  /// One message, either way. Enough for a page of results; more should be a stream.
  package var messageBytes = 4 << 20
  /// A larger message goes in parts of this size, so that others get in between.
  package var partBytes = 16 << 10
  /// A part with the largest head that may stand before it.
  package var frameBodyBytes = 64 << 10
  /// Parts of unfinished messages that one connection may make us hold.
  package var assemblingBytes = 8 << 20
  /// Calls under way on one connection. The next one fails at once.
  package var streams = 1_024
  /// Answers that wait for a peer that does not read, before the connection is given up.
  package var outgoingBytes = 64 << 20
  /// How long the other side may take to say who it is.
  package var handshake: Duration = .seconds(2)
  /// A connection with calls under way is asked for a sign of life after this much silence,
  package var keepalive: Duration = .seconds(10)
  /// one without after this much,
  package var keepaliveIdle: Duration = .seconds(60)
  /// and given up when it gives none for this long.
  package var keepaliveAnswer: Duration = .seconds(5)
  /// What one service may write of itself: names and versions.
  package var nameBytes = 64
  /// An error's sentence.
  package var errorBytes = 1_024

  package init() {}

  static let helloBytes = 4 << 10
}

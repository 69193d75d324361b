/// What event streams may cost.
nonisolated package struct EventLimits: Sendable {
  /// Streams in all. Each costs about 1 KiB of ours.
  package var streams = 8_192
  /// Of one owner: a browser's tabs share one, a phone adds another.
  package var streamsPerOwner = 4
  /// Topics of one stream: a screen's cinemas and films.
  package var topicsPerStream = 32
  /// Streams written to in one turn of the loop. At about 10 us each, other requests wait less than 3 ms.
  package var streamsPerTurn = 256
  /// What may wait for one client. Above it, it gets no more until it has read; what it then missed it gets from the
  /// ring, or a `reset`.
  package var queueBytes = 256 << 10
  /// Events kept for clients that come back.
  package var ringEvents = 10_000
  package var ringBytes = 8 << 20
  package var ringAge: Duration = .seconds(15 * 60)
  /// A silent stream gets a comment this often, so that proxies and both ends see that it lives.
  package var heartbeat: Duration = .seconds(15)
  /// What clients are told to wait before they come back.
  package var retry: Duration = .seconds(3)
  /// Over how long clients that are sent away come back.
  package var returnSpread: Duration = .seconds(5)

  package init() {}
}

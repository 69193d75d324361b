/// What event streams may cost.
nonisolated package struct EventLimits: Sendable {
  /// Streams in all.
  package var streams = 8_192
  /// Streams written to in one turn of the loop. At about 10 us each, other requests wait less than 3 ms.
  package var streamsPerTurn = 256
  /// Events on their way: all streams have their turn within 32 turns of the loop, in which far fewer happen. Of more, the
  /// oldest are dropped, and who has not had them is told `reset`.
  package var events = 1_000
  /// What may wait for one client. Above it, it gets no more until it has read, and then a `reset`.
  package var queueBytes = 256 << 10
  /// A silent stream gets a comment this often, so that proxies and both ends see that it lives.
  package var heartbeat: Duration = .seconds(15)
  /// What clients are told to wait before they come back.
  package var retry: Duration = .seconds(3)
  /// Over how long clients that are sent away come back.
  package var returnSpread: Duration = .seconds(5)

  package init() {}
}

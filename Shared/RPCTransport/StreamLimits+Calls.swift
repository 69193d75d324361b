package import EventLoops

nonisolated extension StreamLimits {
  /// Short queues in front of the socket, so that urgent frames do not stand behind a megabyte.
  package static let ofCalls = {
    var limits = StreamLimits()
    limits.queueHighWater = 256 << 10
    limits.queueLowWater = 64 << 10
    return limits
  }()
}

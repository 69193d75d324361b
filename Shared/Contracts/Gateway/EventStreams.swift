package import RPC
import Wire

/// The streams of events that are open, the oldest first.
package struct EventStreams: RPCRequest, Hashable, WireLayout {
  package typealias Service = GatewayAPI
  package typealias Response = [EventStreamReport]
  package static let method: MethodID = 0x0841
  package static let safety: Safety = .read

  /// 1...1000.
  package var limit: Int

  package init(limit: Int) { self.limit = limit }
}

/// One open stream of events.
package struct EventStreamReport: Codable, Hashable, Sendable, WireLayout {
  /// `session` or `anonymous`; whose it is, is nobody's business.
  package var kind: String
  package var topics: [String]
  package var seconds: Int
  package var delivered: Int
  /// Bytes that its reader has not taken.
  package var queued: Int
  package var isBehind: Bool

  package init(kind: String, topics: [String], seconds: Int, delivered: Int, queued: Int, isBehind: Bool) {
    self.kind = kind
    self.topics = topics
    self.seconds = seconds
    self.delivered = delivered
    self.queued = queued
    self.isBehind = isBehind
  }
}

package import RPC
import Wire

/// The public events as they happen; nobody's own.
package struct TailEvents: RPCStreamRequest, Hashable, WireLayout {
  package typealias Service = GatewayAPI
  package typealias Element = TailedEvent
  package static let method: MethodID = 0x0842

  /// `cinema:ID`, `film:ID`, `sources`; nil: all.
  package var topic: String?

  package init(topic: String? = nil) { self.topic = topic }
}

/// One event as its readers get it.
package struct TailedEvent: Codable, Hashable, Sendable, WireLayout {
  package var revision: Int64
  package var name: String
  /// JSON.
  package var data: String

  package init(revision: Int64, name: String, data: String) {
    self.revision = revision
    self.name = name
    self.data = data
  }
}

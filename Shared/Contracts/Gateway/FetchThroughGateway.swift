package import RPC
import Wire

/// One HTTP request as if it came from this machine, answered over the administrators' socket.
package struct FetchThroughGateway: RPCRequest, Hashable, WireLayout {
  package typealias Service = GatewayAPI
  package typealias Response = FetchedThroughGateway
  package static let method: MethodID = 0x0848
  package static let safety: Safety = .keyed

  /// `GET`, `PUT` and so on.
  package var verb: String
  /// With its query.
  package var path: String
  /// `Name: value` each.
  package var fields: [String]
  package var body: String?

  package init(verb: String, path: String, fields: [String], body: String? = nil) {
    self.verb = verb
    self.path = path
    self.fields = fields
    self.body = body
  }
}

/// The answer, as it would have been sent.
package struct FetchedThroughGateway: Codable, Hashable, Sendable, WireLayout {
  package var status: Int
  /// `Name: value` each.
  package var fields: [String]
  package var body: [UInt8]
  package var microseconds: Int

  package init(status: Int, fields: [String], body: [UInt8], microseconds: Int) {
    self.status = status
    self.fields = fields
    self.body = body
    self.microseconds = microseconds
  }
}

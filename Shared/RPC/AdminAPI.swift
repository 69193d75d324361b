/// What every server answers to its administrators, beside its own API.
package enum AdminAPI: RPCService {
  package static let name = "admin"
}

/// Whether the server answers, and who it is.
package struct Ping: RPCRequest {
  package typealias Service = AdminAPI
  package static let method: MethodID = 0x0001
  package static let safety: Safety = .read

  package init() {}

  package struct Response: Codable, Hashable, Sendable {
    package var service: String
    package var build: String
    package var isDraining: Bool

    package init(service: String, build: String, isDraining: Bool) {
      self.service = service
      self.build = build
      self.isDraining = isDraining
    }
  }
}

/// Which requests the server answers.
package struct DescribeService: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = [MethodDescription]
  package static let method: MethodID = 0x0002
  package static let safety: Safety = .read

  package init() {}
}

package struct MethodDescription: Codable, Hashable, Sendable {
  package var id: UInt16
  package var name: String
  /// `read`, `idempotent` or `keyed`; nil for a stream.
  package var safety: String?
  package var request: [FieldDescription]
  package var response: [FieldDescription]

  package init(
    id: UInt16, name: String, safety: String?, request: [FieldDescription], response: [FieldDescription]
  ) {
    self.id = id
    self.name = name
    self.safety = safety
    self.request = request
    self.response = response
  }
}

package struct FieldDescription: Codable, Hashable, Sendable {
  /// With dots for what is nested: `origin.latitude`.
  package var name: String
  package var type: String
  package var isOptional: Bool

  package init(name: String, type: String, isOptional: Bool) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
  }
}

/// What the server is doing.
package struct ServerStatus: RPCRequest {
  package typealias Service = AdminAPI
  package static let method: MethodID = 0x0003
  package static let safety: Safety = .read

  package init() {}

  package struct Response: Codable, Hashable, Sendable {
    package var connections: Int
    package var running: Int
    package var queued: Int
    /// How many calls may run at once now.
    package var limit: Int
    package var methods: [MethodStatus]

    package init(connections: Int, running: Int, queued: Int, limit: Int, methods: [MethodStatus]) {
      self.connections = connections
      self.running = running
      self.queued = queued
      self.limit = limit
      self.methods = methods
    }
  }
}

package struct MethodStatus: Codable, Hashable, Sendable {
  package var name: String
  package var succeeded: Int
  package var failed: Int
  package var p50Microseconds: Int?
  package var p95Microseconds: Int?

  package init(name: String, succeeded: Int, failed: Int, p50Microseconds: Int?, p95Microseconds: Int?) {
    self.name = name
    self.succeeded = succeeded
    self.failed = failed
    self.p50Microseconds = p50Microseconds
    self.p95Microseconds = p95Microseconds
  }
}

/// Makes calls fail or dawdle for a while, to see what the others do about it.
package struct InjectFault: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = [FaultRule]
  package static let method: MethodID = 0x0004
  package static let safety: Safety = .idempotent

  /// Nil ends all of them.
  package var rule: FaultRule?

  package init(rule: FaultRule?) { self.rule = rule }
}

/// The faults that are injected now; each rule's `seconds` are those that are left.
package struct ReadFaults: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = [FaultRule]
  package static let method: MethodID = 0x0005
  package static let safety: Safety = .read

  package init() {}
}

package struct FaultRule: Codable, Hashable, Sendable {
  /// The request's name; nil for all but the administrators'.
  package var method: String?
  /// How many calls in a hundred.
  package var percent: Int
  package var delayMilliseconds: Int?
  /// A code's number; without one the call is only delayed.
  package var code: UInt8?
  /// How long the rule holds: at most ten minutes, so that a forgotten one ends.
  package var seconds: Int

  package init(method: String? = nil, percent: Int, delayMilliseconds: Int? = nil, code: UInt8? = nil, seconds: Int) {
    self.method = method
    self.percent = percent
    self.delayMilliseconds = delayMilliseconds
    self.code = code
    self.seconds = seconds
  }

  package static let secondsMax = 600
  package static let rulesMax = 64
}

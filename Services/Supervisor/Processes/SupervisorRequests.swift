package import RPC

/// What the supervisor answers to its administrators, on its unix socket only.

/// How the suite and each of its services is.
nonisolated package struct ListServices: RPCRequest {
  package typealias Service = AdminAPI
  package static let method: MethodID = 0x0030
  package static let safety: Safety = .read

  package init() {}

  package struct Response: Codable, Hashable, Sendable {
    package var pid: Int32
    package var page: String
    package var isDemo: Bool
    package var isStopping: Bool
    package var uptimeMilliseconds: Int64
    package var services: [ServiceReport]
  }
}

nonisolated package struct ServiceReport: Codable, Hashable, Sendable {
  package var name: String
  package var state: SupervisedService.State
  package var pid: Int32?
  package var uptimeMilliseconds: Int64?
  package var residentBytes: Int?
  package var restarts: Int
  package var startMilliseconds: Int64?
  package var problem: String?
  package var address: String
}

/// Ends a service in good order and starts it again.
nonisolated package struct RestartService: RPCRequest {
  package typealias Service = AdminAPI
  package static let method: MethodID = 0x0031
  package static let safety: Safety = .idempotent

  package var name: String

  package init(name: String) { self.name = name }

  package struct Response: Codable, Hashable, Sendable {
    package init() {}
  }
}

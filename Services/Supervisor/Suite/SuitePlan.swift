package import EventLoops
import Glibc
package import ServiceKit

/// One service as the supervisor starts it.
nonisolated package struct ServicePlan: Sendable {
  package let member: SuiteMember
  /// The program's path.
  package let executable: String
  package let arguments: [String]
  package let environment: [String: String]
  /// Where it does its work, for people.
  package let address: String
  /// Where it says whether it is ready.
  package let operations: SocketAddress
  /// Every port that it takes.
  package let ports: [UInt16]

  package init(
    member: SuiteMember, executable: String, arguments: [String] = ["serve"], environment: [String: String] = [:],
    address: String, operations: SocketAddress, ports: [UInt16] = []
  ) {
    self.member = member
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.address = address
    self.operations = operations
    self.ports = ports
  }
}

/// Which services there will be, where each answers, and what each is told.
nonisolated package struct SuitePlan: Sendable {
  package let services: [ServicePlan]
  package let page: String
  /// Whether the services are told of the demo world: also those of a suite that leaves it to another to run that.
  package let isDemo: Bool

  /// What somebody chose about a suite.
  package struct Choices: Sendable {
    package var folder: SuiteFolder
    /// Where the gateway answers browsers.
    package var port: UInt16 = 8_080
    /// Where the services' own ports begin.
    package var firstPort: UInt16 = 7_100
    /// The real sites instead of the demo world.
    package var isLive = false
    /// Only these.
    package var members = SuiteMember.allCases
    /// The folder of the services' programs.
    package var programs: String
    /// What the supervisor was started with.
    package var environment: [String: String] = [:]

    /// The folder of `odi` itself.
    package var supervisor: String

    package init(folder: SuiteFolder, programs: String, supervisor: String? = nil) {
      self.folder = folder
      self.programs = programs
      self.supervisor = supervisor ?? programs
    }
  }

  package init(_ choices: Choices) {
    isDemo = !choices.isLive
    page = "http://127.0.0.1:\(choices.port)/"
    let members = SuiteMember.allCases.filter { choices.members.contains($0) && !(choices.isLive && $0 == .demo) }
    services = members.map { member in
      let port = choices.firstPort + member.portOffset
      let operations = port + SuiteMember.operationsOffset
      let http: UInt16? =
        switch member {
        case .gateway: choices.port
        case .demo: choices.firstPort + SuiteMember.demoWorldOffset
        default: nil
        }
      return ServicePlan(
        member: member, executable: "\(choices.programs)/\(member.executable)",
        environment: Self.environment(of: member, port, operations, http, choices),
        address: http.map { "http://127.0.0.1:\($0)" } ?? "127.0.0.1:\(port)",
        operations: .loopback(port: operations), ports: [http, port, operations].compactMap { $0 })
    }
  }

  /// What a service is told: where things are. Secrets are told as paths, never as what they hold.
  private static func environment(
    of member: SuiteMember, _ port: UInt16, _ operations: UInt16, _ http: UInt16?, _ choices: Choices
  ) -> [String: String] {
    var environment = choices.environment
    let own = "ODI_\(member.rawValue.uppercased())"
    environment["\(own)_LISTEN"] = "127.0.0.1:\(port)"
    environment["\(own)_OPERATIONS_LISTEN"] = "127.0.0.1:\(operations)"
    if let http { environment["\(own)_\(member == .demo ? "SITES" : "HTTP")_LISTEN"] = "127.0.0.1:\(http)" }
    for other in SuiteMember.allCases where other.takesCalls && other != member {
      environment["ODI_\(other.rawValue.uppercased())"] = "127.0.0.1:\(choices.firstPort + other.portOffset)"
    }
    environment["ODI_DATA"] = choices.folder.path
    environment["ODI_SHARED_SECRET_FILE"] = choices.folder.file(of: .sharedSecret)
    environment["ODI_TOKEN_KEY_FILE"] = choices.folder.file(of: .tokenKey)
    environment["ODI_LOG_FORMAT"] = "json"
    environment["ODI_SUPERVISOR"] = "\(getpid())"
    environment["ODI_DEMO"] = choices.isLive ? "0" : "1"
    environment["ODI_DEMO_URL"] = "http://127.0.0.1:\(choices.firstPort + SuiteMember.demoWorldOffset)"
    return environment
  }

  /// Refuses what cannot work, before anything is started.
  package func check() throws(CommandError) {
    let ports = services.flatMap(\.ports)
    guard Set(ports).count == ports.count else {
      throw CommandError(
        .usage, "--port is one of the ports that --ports gives to the services", try: "odi up --port 8080")
    }
    let missing = services.filter { access($0.executable, X_OK) != 0 }
    guard missing.isEmpty else {
      throw CommandError(
        .failed, "\(missing.map(\.member.executable).joined(separator: ", ")) not found",
        why: "the services' programs are looked for beside odi: \(missing[0].executable)", try: "deploy/up")
    }
    let sockets = ListeningSockets.now()
    for service in services {
      for port in service.ports {
        guard let socket = sockets[port] else { continue }
        let isPage = service.member == .gateway && port == service.ports[0]
        let option = isPage ? "--port \(sockets.free(after: port))" : "--ports \(sockets.freeRange(from: port))"
        throw CommandError(
          .conflict, "port \(port), which odi-\(service.member.rawValue) needs, is taken", why: socket.ownerText,
          try: "odi up \(option), or end that process")
      }
    }
  }
}

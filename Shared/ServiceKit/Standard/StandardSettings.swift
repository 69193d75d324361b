package import Crypto
package import EventLoops
package import Observability

/// The settings that every service has.
nonisolated package struct StandardSettings: Sendable {
  /// Where calls are taken.
  package let listen: Setting<SocketAddress>
  /// Where `/livez`, `/readyz` and `/metrics` are answered.
  package let operations: Setting<SocketAddress>

  /// How far the operations port is from the port for calls.
  static let operationsOffset: UInt16 = 1_000

  /// - Parameter port: the service's own port for calls.
  init(port: UInt16) {
    listen = .value("listen", "where calls are taken", default: .loopback(port: port))
    operations = .value(
      "operations-listen", "where /livez, /readyz and /metrics are answered",
      default: .loopback(port: port + Self.operationsOffset))
  }

  var all: [any AnySetting] { [Self.data, listen, Self.adminListen, operations] + Self.alike }

  package static let data = Setting<String>.value(
    "data", "the folder that holds the databases, sockets and secrets", default: DataFolder.byDefault.path)
  /// Where administrators are answered; a unix socket, because there the kernel says who asks.
  package static let adminListen = Setting<SocketAddress?>.optional(
    "admin-listen", "where administrators are answered; run/SERVICE.sock in the data folder if not set")

  package static let sharedSecret = Setting<Secret?>.secret(
    "shared-secret", "what services prove to each other; needed to listen beyond this machine")

  package static let logLevel = Setting<Log.Level>.value("log-level", "the lowest level that is logged", default: .info)
  package static let logFormat = Setting<LogStyle>.value(
    "log-format", "how log lines look; auto is text on a terminal and json elsewhere", default: .auto)
  package static let drainTime = Setting<Duration>.value(
    "drain-time", "how long calls may finish when the service ends", default: .seconds(10),
    in: .zero ... .seconds(300))
  package static let slowTrace = Setting<Duration>.value(
    "slow-trace", "traces slower than this are kept", default: .seconds(1), in: .zero ... .seconds(300))

  /// Of services that say so: see ``ServiceProgram``.
  package static let workers = Setting<Int>.value(
    "workers", "processes that take calls at one port: the owner, and others that only read", default: 1,
    in: 1...WorkerPlace.countMax)

  private static let alike: [any AnySetting] = [sharedSecret, logLevel, logFormat, drainTime, slowTrace]
}

nonisolated package enum LogStyle: String, CaseIterable, SettingValue { case auto, json, text }

nonisolated extension Log.Level: SettingValue {
  package static var wanted: String { "one of " + allCases.map(\.description).joined(separator: ", ") }
  package static var valueName: String { allCases.map(\.description).joined(separator: "|") }
  package static var completion: Completion { .choices(allCases.map(\.description)) }
  package init?(argument: String) { self.init(argument) }
  package var argument: String { description }
}

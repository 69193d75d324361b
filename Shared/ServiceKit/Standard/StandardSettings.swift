package import Crypto
package import EventLoops
import Glibc
package import Observability

/// The settings that every service has.
nonisolated package struct StandardSettings: Sendable {
  /// Where calls are taken.
  package let listen: Setting<SocketAddress>
  /// Where `/livez`, `/readyz` and `/metrics` are answered.
  package let operations: Setting<SocketAddress>

  /// Where administrators are answered; a unix socket, because there the kernel says who asks.
  package let adminListen: Setting<SocketAddress>

  /// How far the operations port is from the port for calls.
  static let operationsOffset: UInt16 = 1_000

  /// - Parameter port: the service's own port for calls.
  init(service: String, port: UInt16) {
    adminListen = .value(
      "admin-listen", "where administrators are answered, a unix socket",
      default: .unix(path: "\(Self.runFolder())/\(service).sock"))
    listen = .value("listen", "where calls are taken", default: .loopback(port: port))
    operations = .value(
      "operations-listen", "where /livez, /readyz and /metrics are answered",
      default: .loopback(port: port + Self.operationsOffset))
  }

  var all: [any AnySetting] { [listen, adminListen, operations] + Self.alike }

  /// The system's folder for root, and the user's own for anybody else, so that a suite can be run by hand.
  private static func runFolder() -> String {
    let home = getuid() == 0 ? nil : processEnvironment()["HOME"]
    return home.map { "\($0)/.odi/run" } ?? "/run/odi"
  }

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

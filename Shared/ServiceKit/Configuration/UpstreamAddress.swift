import EventLoops
package import RPCTransport

/// Where a service behind this one is: `127.0.0.1:7101`, or a name and a port.
nonisolated package struct UpstreamAddress: Sendable, SettingValue {
  package let target: ServiceTarget

  package init(port: UInt16) { target = .address(.loopback(port: port)) }

  package static var wanted: String { "host:port, as 127.0.0.1:7101 or locator:7101" }
  package static var valueName: String { "HOST:PORT" }

  package init?(argument: String) {
    if let address = try? SocketAddress(parsing: argument) {
      target = .address(address)
      return
    }
    guard let colon = argument.lastIndex(of: ":"), let port = UInt16(argument[argument.index(after: colon)...]),
      case let host = argument[..<colon], (1...253).contains(host.utf8.count),
      host.utf8.allSatisfy({
        (48...57).contains($0) || (65...90).contains($0 & 0xDF) || $0 == 45 || $0 == 46 || $0 == 95
      })
    else { return nil }
    target = .host(String(host), port: port)
  }

  package var argument: String {
    switch target {
    case .address(let address): address.description
    case .host(let host, let port): "\(host):\(port)"
    }
  }
}

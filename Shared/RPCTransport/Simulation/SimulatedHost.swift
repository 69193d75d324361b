package import EventLoops

/// One host's view of a simulated network: what its clients connect with.
package final class SimulatedHost: Network {
  private let network: SimulatedNetwork
  private let name: String
  /// What the names of this network stand for. A name that is missing does not resolve.
  package var names: [String: [IPAddress]] = [:]

  package init(_ name: String, on network: SimulatedNetwork) {
    self.name = name
    self.network = network
  }

  package func connect(to address: SocketAddress) async throws(SocketError) -> any ByteStream {
    try await network.connect(name, to: address)
  }

  package func addresses(of host: String, port: UInt16) async throws(SocketError) -> [SocketAddress] {
    guard let found = names[host], !found.isEmpty else {
      throw SocketError(.unknownHost, "\(host) does not resolve")
    }
    return found.map { .ip($0, port: port) }
  }
}

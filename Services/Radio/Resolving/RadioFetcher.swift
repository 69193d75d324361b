import Clocks
import EventLoops
import Fetch
import Observability
import ServiceKit

/// The fetcher for streams: it may connect to the ports of radio servers, and in a demo to the demo world.
final class RadioFetcher {
  private let environment: ServiceEnvironment
  private(set) var fetcher: Fetcher
  /// For sound that is passed on for hours: who looks at stations never waits for who listens to one.
  private var listening: Fetcher
  private var exceptions: Set<SocketAddress> = []

  /// 80 and 443, and where Icecast, SHOUTcast, Wowza and their panels listen. Databases and machines' own doors do not.
  nonisolated static let ports = Set<UInt16>([80, 443, 446, 1_935, 2_199]).union(7_000...7_099).union(8_000...9_099)

  init(_ environment: ServiceEnvironment) {
    self.environment = environment
    fetcher = Self.fetcher(environment, [])
    listening = Self.fetcher(environment, [], Self.listening)
  }

  private static var listening: Fetcher.Limits {
    var limits = Fetcher.Limits()
    limits.transfers = Relay.Limits.listeners
    limits.transfersPerHost = Relay.Limits.listeners
    return limits
  }

  /// Allows the demo world's own addresses, and no others of this machine.
  func allow(_ addresses: Set<SocketAddress>) {
    guard addresses != exceptions else { return }
    exceptions = addresses
    close()
    fetcher = Self.fetcher(environment, addresses)
    listening = Self.fetcher(environment, addresses, Self.listening)
  }

  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse { try await fetcher.fetch(request) }

  /// Sound, for as long as somebody listens.
  func listen(_ request: FetchRequest) async throws(FetchError) -> FetchResponse { try await listening.fetch(request) }

  func close() {
    fetcher.close()
    listening.close()
  }

  private static func fetcher(
    _ environment: ServiceEnvironment, _ exceptions: Set<SocketAddress>, _ limits: Fetcher.Limits = Fetcher.Limits()
  ) -> Fetcher {
    Fetcher(
      limits: limits, addressGuard: AddressGuard(ports: ports, exceptions: exceptions), time: environment.time,
      log: environment.log, metrics: environment.metrics)
  }
}

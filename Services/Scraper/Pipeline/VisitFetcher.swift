package import EventLoops
package import Fetch
import Observability
import ServiceKit

/// What all visits fetch with. It reaches no private network but what the operator names, and the demo world wherever
/// that is found.
package final class VisitFetcher {
  /// For the next request: it is another one after the demo world has moved.
  package private(set) var fetcher: Fetcher
  /// Others' requests still run on them.
  private var retired: [Fetcher] = []
  private var demoWorld: Set<SocketAddress> = []
  private var isClosed = false
  private let making: (_ reaching: Set<SocketAddress>) -> Fetcher
  private let resolve: @MainActor (_ host: String, _ port: UInt16) async throws(SocketError) -> [SocketAddress]

  /// - Parameter making: makes one that may also reach these addresses.
  package init(
    resolve: @escaping @MainActor (_ host: String, _ port: UInt16) async throws(SocketError) -> [SocketAddress] = {
      (host, port) async throws(SocketError) in try await Resolver.addresses(of: host, port: port)
    },
    making: @escaping (_ reaching: Set<SocketAddress>) -> Fetcher
  ) {
    self.resolve = resolve
    self.making = making
    fetcher = making([])
  }

  /// Lets the demo world be reached, looked up anew: in a container its address changes with its restart.
  package func reach(demoWorld url: FetchURL) async throws(SocketError) {
    let found = Set(try await resolve(url.host.description, url.port))
    guard !isClosed else { return }
    if found != demoWorld {
      demoWorld = found
      retired.append(fetcher)
      fetcher = making(found)
    }
    retired.removeAll { old in
      guard old.load == (running: 0, waiting: 0) else { return false }
      old.close()
      return true
    }
  }

  /// Transfers that run and requests that wait for theirs.
  package var load: (running: Int, waiting: Int) {
    (retired + [fetcher]).map(\.load).reduce((0, 0)) { ($0.0 + $1.running, $0.1 + $1.waiting) }
  }

  /// Ends every request.
  package func close() {
    isClosed = true
    for fetcher in retired + [fetcher] { fetcher.close() }
    retired = []
  }
}

extension VisitFetcher {
  /// As every scraper's: it says who it is.
  convenience init(in environment: ServiceEnvironment) {
    let contact = environment.configuration[ScraperService.contact]
    let own = environment.configuration[ScraperService.privateHosts]
    self.init(making: { demoWorld in
      Fetcher(
        addressGuard: AddressGuard(exceptions: demoWorld.union(own)),
        userAgent: contact.isEmpty ? Fetcher.userAgent : "\(Fetcher.userAgent) (+\(contact))", time: environment.time,
        log: environment.log, metrics: environment.metrics)
    })
  }
}

import Contracts
import Crypto
import EventLoops
import Fetch
import RPCTransport
import ServiceKit

/// How `serve --queue` puts a scraper together that keeps nothing.
extension HarvestHand {
  convenience init(for address: UpstreamAddress, in environment: ServiceEnvironment) {
    let settings = environment.configuration
    let client = ServiceClient(
      of: ScraperAPI.self, at: [address.target], secret: settings[StandardSettings.sharedSecret], as: "scraper",
      time: environment.time, log: environment.log)
    let owner = QueueOwner(client)
    let net = FetcherOfDemo(environment)
    let retriever = Retriever(
      { net.fetcher }, hosts: owner, store: owner, time: environment.time, random: SecureRandom())
    var random = SecureRandom()
    let name = String(UInt64.random(in: 1...UInt64.max, using: &random), radix: 16)
    self.init(
      for: client, from: retriever, as: "hand-\(name)", visits: max(1, settings[ScraperService.visits]),
      time: environment.time, log: environment.log, preparing: { await net.findDemoWorld() },
      whenStopped: {
        net.fetcher.close()
        client.close()
      })
  }
}

/// A fetcher that may reach the demo world too, where that is read.
private final class FetcherOfDemo {
  private(set) var fetcher: Fetcher
  private let environment: ServiceEnvironment

  init(_ environment: ServiceEnvironment) {
    self.environment = environment
    fetcher = Fetcher(forScraperIn: environment, exceptions: [])
  }

  func findDemoWorld() async {
    let settings = environment.configuration
    guard settings[ScraperService.isDemo], let url = try? FetchURL(parsing: settings[ScraperService.demoURL]),
      let addresses = try? await Resolver.addresses(of: url.host.description, port: url.port)
    else { return }
    fetcher.close()
    fetcher = Fetcher(forScraperIn: environment, exceptions: Set(addresses))
  }
}

extension Fetcher {
  /// As every scraper's: it says who it is, and reaches no private network but what the operator names.
  convenience init(forScraperIn environment: ServiceEnvironment, exceptions: Set<SocketAddress>) {
    let contact = environment.configuration[ScraperService.contact]
    self.init(
      addressGuard: AddressGuard(
        exceptions: exceptions.union(environment.configuration[ScraperService.privateHosts])),
      userAgent: contact.isEmpty ? Fetcher.userAgent : "\(Fetcher.userAgent) (+\(contact))", time: environment.time,
      log: environment.log, metrics: environment.metrics)
  }
}

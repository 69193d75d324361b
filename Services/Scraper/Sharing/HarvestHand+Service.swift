import Contracts
import Crypto
import Fetch
import RPCTransport
import ServiceKit

/// How `serve --queue` puts a scraper together that keeps nothing.
extension HarvestHand {
  convenience init(for address: UpstreamAddress, in environment: ServiceEnvironment) {
    let settings = environment.configuration
    let client = ServiceClient(
      of: ScraperAPI.self, at: [address.target], secret: settings[StandardSettings.sharedSecret], as: "scraper",
      time: environment.time, log: environment.log, metrics: environment.metrics)
    let owner = QueueOwner(client, time: environment.time, random: SecureRandom())
    let net = VisitFetcher(in: environment)
    let retriever = Retriever(
      { net.fetcher }, hosts: owner, store: owner, time: environment.time, random: SecureRandom())
    var random = SecureRandom()
    let name = String(UInt64.random(in: 1...UInt64.max, using: &random), radix: 16)
    self.init(
      for: client, from: retriever, as: "hand-\(name)", visits: max(1, settings[ScraperService.visits]),
      time: environment.time, random: SecureRandom(), log: environment.log,
      reachingDemoWorld: {
        guard settings[ScraperService.isDemo] else { throw DemoWorldUnknown() }
        try await net.reach(demoWorld: FetchURL(parsing: settings[ScraperService.demoURL]))
      },
      whenStopped: {
        net.close()
        client.close()
      })
  }
}

/// The queue's owner reads the demo world, and this process was not told of it.
private nonisolated struct DemoWorldUnknown: Error, CustomStringConvertible {
  let description =
    "the queue is of the demo world, and this scraper was not told where that is: start it with --demo true and --demo-url"
}

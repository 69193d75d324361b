package import Contracts
import Crypto
package import Fetch
import JSON
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
      reachingDemoWorld: { leased in
        guard settings[ScraperService.isDemo] else { throw DemoWorldUnknown() }
        let url = try FetchURL(parsing: settings[ScraperService.demoURL])
        guard leased.leads(to: url) else { throw DemoWorldElsewhere(url: url) }
        try await net.reach(demoWorld: url)
      },
      whenStopped: {
        net.close()
        client.close()
      })
  }
}

extension LeasedVisit {
  /// Whether any address of the site is of that machine and port.
  nonisolated package func leads(to url: FetchURL) -> Bool {
    func leads(_ value: JSONValue) -> Bool {
      if let text = value.string { return (try? FetchURL(parsing: text))?.origin == url.origin }
      return value.array?.contains(where: leads) ?? value.object?.contains { leads($0.value) } ?? false
    }
    return (try? JSONValue(parsing: Array(document.utf8))).map(leads) ?? false
  }
}

/// The sites of the demo world that this process was told of are not the queue's.
private nonisolated struct DemoWorldElsewhere: Error, CustomStringConvertible {
  let url: FetchURL

  var description: String {
    "the queue's demo world is not at \(url), where this scraper looks for it: give it the owner's --demo-url"
  }
}

/// The queue's owner reads the demo world, and this process was not told of it.
private nonisolated struct DemoWorldUnknown: Error, CustomStringConvertible {
  let description =
    "the queue is of the demo world, and this scraper was not told where that is: start it with --demo true and --demo-url"
}

package import Clocks
package import RPC

/// What the scraper is doing just now: for `watch`.
package struct ScrapingStatus: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = ScrapingReport
  package static let method: MethodID = 0x0250
  package static let safety: Safety = .read

  package init() {}
}

package struct ScrapingReport: Codable, Hashable, Sendable {
  package var now: WallTime
  /// Sites that are visited now, by this scraper or by others that work for it.
  package var visiting: [String]
  /// Transfers that run, and those that wait for one.
  package var transfers: Int
  package var waiting: Int
  package var hosts: [HostReport]
  /// Sites by their state.
  package var states: [String: Int]
  /// The next that are due.
  package var due: [ScheduleSource]
  package var showtimes: Int
  package var films: Int
  package var revision: Int64

  package init(
    now: WallTime, visiting: [String], transfers: Int, waiting: Int, hosts: [HostReport], states: [String: Int],
    due: [ScheduleSource], showtimes: Int, films: Int, revision: Int64
  ) {
    self.now = now
    self.visiting = visiting
    self.transfers = transfers
    self.waiting = waiting
    self.hosts = hosts
    self.states = states
    self.due = due
    self.showtimes = showtimes
    self.films = films
    self.revision = revision
  }
}

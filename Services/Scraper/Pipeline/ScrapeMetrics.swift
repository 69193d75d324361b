import Clocks
import Contracts
package import Observability

/// What is counted of visits. Sites and hosts come from the configuration, so the series are bounded.
package final class ScrapeMetrics {
  private let metrics: Metrics
  /// The states that a site has been in: only those have a series, as most sites are never but well.
  private var entered: [String: Set<String>] = [:]

  package init(_ metrics: Metrics) { self.metrics = metrics }

  package func visited(_ visit: VisitRecord) {
    metrics.histogram(
      "odi_scrape_run_duration_seconds", "How long visits of a site took.", labels: ["site": visit.site]
    ).record(visit.ended.since(visit.began))
    for page in visit.pages {
      metrics.counter(
        "odi_scrape_pages_total", "Pages by how they came.",
        labels: ["site": visit.site, "outcome": page.outcome.rawValue]
      ).add()
    }
    let items = [("added", visit.added), ("removed", visit.removed), ("changed", visit.changed)]
    for (outcome, count) in items where count > 0 {
      metrics.counter(
        "odi_scrape_items_total", "Showings by what visits did to them.",
        labels: ["site": visit.site, "kind": "showtime", "outcome": outcome]
      ).add(count)
    }
  }

  package func isNow(_ status: SiteStatus, of site: String) {
    if let asOf = status.asOf {
      metrics.gauge(
        "odi_scrape_last_success_timestamp_seconds", "When a site was last read successfully.", labels: ["site": site]
      ).set(Double(asOf.milliseconds) / 1_000)
    }
    entered[site, default: []].insert(status.state.rawValue)
    for state in entered[site] ?? [] {
      metrics.gauge(
        "odi_scrape_site_state", "1 for the state that a site is in.", labels: ["site": site, "state": state]
      ).set(state == status.state.rawValue ? 1 : 0)
    }
  }

  package func unmatched(_ count: Int) {
    metrics.gauge("odi_scrape_unmatched_titles", "Titles on programmes whose film nobody knows.").set(count)
  }

  func hostWaited(_ host: String, _ duration: Duration) {
    guard duration > .zero else { return }
    metrics.timeCounter(
      "odi_host_wait_seconds_total", "Time that visits waited for a host's turn.", labels: ["host": host]
    ).add(duration)
  }

  func robotsDenied(_ host: String) {
    metrics.counter(
      "odi_robots_denied_total", "Pages that robots.txt did not allow.", labels: ["host": host]
    ).add()
  }
}

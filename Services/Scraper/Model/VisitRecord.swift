package import Clocks
import Storage

/// What one look at a site came to, page by page: for `diff`, `explain` and replays.
nonisolated package struct VisitRecord: Sendable {
  package var site: String
  package var scope: Visit.Scope
  package var began: WallTime
  package var ended: WallTime
  package var outcome: String
  package var problem: String?
  package var showtimes = 0
  package var added = 0
  package var removed = 0
  package var changed = 0
  package var pages: [PageRecord] = []

  package struct PageRecord: Sendable, Hashable {
    package var role: String
    package var url: String
    package var contentType: String?
    package var fetchedAt: WallTime
    package var outcome: PageOutcome
    package var problem: String?
    package var snapshot: SnapshotID?

    package init(
      role: String, url: String, contentType: String? = nil, fetchedAt: WallTime, outcome: PageOutcome,
      problem: String? = nil, snapshot: SnapshotID? = nil
    ) {
      self.role = role
      self.url = url
      self.contentType = contentType
      self.fetchedAt = fetchedAt
      self.outcome = outcome
      self.problem = problem
      self.snapshot = snapshot
    }
  }

  package enum PageOutcome: String, Sendable, Storable, CaseIterable {
    case new
    /// Fetched, and the same bytes as before.
    case same
    /// The site said that it has not changed.
    case unchanged = "304"
    case error
  }

  package init(site: String, scope: Visit.Scope, began: WallTime) {
    self.site = site
    self.scope = scope
    self.began = began
    ended = began
    outcome = Self.failed
  }

  mutating func take(_ outcome: Publication.Outcome) {
    self.outcome = outcome.verdict.rawValue
    problem = outcome.problem
    showtimes = outcome.showtimes
    added = outcome.added
    removed = outcome.removed
    changed = outcome.changed
  }

  /// What a visit came to that did not get what it needs.
  static let failed = "failed"
}

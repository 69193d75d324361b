package import Clocks
package import Contracts

/// How a site is doing: the row that its visits leave behind.
nonisolated package struct SiteStatus: Hashable, Sendable {
  package var state: SourceState = .pending
  /// Why it is not well, in a sentence.
  package var problem: String?
  /// When it was last read successfully: the age of what is served.
  package var asOf: WallTime?
  package var triedAt: WallTime?
  /// When the whole window was last read, not only today.
  package var wholeAt: WallTime?
  package var dueAt: WallTime
  /// Visits in a row that failed.
  package var failures = 0
  /// An operator accepts what the next visit finds, whatever was expected.
  package var isApproved = false
  package var isQuarantined = false

  package init(dueAt: WallTime) { self.dueAt = dueAt }
}

nonisolated extension WallTime {
  package func since(_ earlier: WallTime) -> Duration {
    .milliseconds(milliseconds.subtractingReportingOverflow(earlier.milliseconds).partialValue)
  }
}

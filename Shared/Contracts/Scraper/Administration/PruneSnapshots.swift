package import RPC

/// Removes stored pages that no rule keeps any more.
package struct PruneSnapshots: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = PrunedSnapshots
  package static let method: MethodID = 0x0247
  package static let safety: Safety = .idempotent

  /// Visits younger than this keep their pages. Nil: 30 days.
  package var keepDays: Int?
  package var isTrial: Bool

  package init(keepDays: Int? = nil, isTrial: Bool) {
    self.keepDays = keepDays
    self.isTrial = isTrial
  }
}

/// What was removed, and what is left.
package struct PrunedSnapshots: Codable, Hashable, Sendable {
  package var removed: Int
  /// As stored.
  package var bytes: Int
  package var left: Int

  package init(removed: Int, bytes: Int, left: Int) {
    self.removed = removed
    self.bytes = bytes
    self.left = left
  }
}

package import RPC

/// A user's plans, those that were made last first. There are at most 200.
package struct ListPlans: RPCRequest, Hashable {
  package typealias Service = BookmarksAPI
  package typealias Response = [Plan]
  package static let method: MethodID = 0x0318
  package static let safety: Safety = .read
  package static let isConfidential = true

  package var user: UserID

  package init(user: UserID) {
    self.user = user
  }
}

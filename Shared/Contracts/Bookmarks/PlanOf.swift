package import RPC

/// One plan of a user's; `notFound` if they have none of this id.
package struct PlanOf: RPCRequest, Hashable {
  package typealias Service = BookmarksAPI
  package typealias Response = Plan
  package static let method: MethodID = 0x0317
  package static let safety: Safety = .read
  package static let isConfidential = true

  package var user: UserID
  package var id: PlanID

  package init(user: UserID, id: PlanID) {
    self.user = user
    self.id = id
  }
}

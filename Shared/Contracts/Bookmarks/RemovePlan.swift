package import RPC

/// Takes a plan away; its link reads nothing any more. One that is not there is no error.
package struct RemovePlan: RPCRequest, Hashable {
  package typealias Service = BookmarksAPI
  package typealias Response = Erased
  package static let method: MethodID = 0x0319
  package static let safety: Safety = .idempotent

  package var user: UserID
  package var id: PlanID

  package init(user: UserID, id: PlanID) {
    self.user = user
    self.id = id
  }
}

package import RPC

/// Keeps a new plan, or replaces one. With an idempotency key, sending it again answers as before.
package struct SavePlan: RPCRequest, Hashable {
  package typealias Service = BookmarksAPI
  package typealias Response = PlanReceipt
  package static let method: MethodID = 0x0316
  package static let safety: Safety = .keyed
  package static let isConfidential = true

  package var user: UserID
  /// Nil: a new one.
  package var id: PlanID?
  package var content: PlanContent
  /// `failedPrecondition` if the plan is at another revision; nil: whatever it is.
  package var ifRevision: Int64?
  /// A digest of what the user asked for. Where it is given, it tells whether a key is used again for the same request:
  /// content that is made of what was asked for may differ from one sending to the next.
  package var asked: [UInt8]?

  package init(user: UserID, id: PlanID? = nil, content: PlanContent, ifRevision: Int64? = nil) {
    self.user = user
    self.id = id
    self.content = content
    self.ifRevision = ifRevision
  }
}

/// A plan as it is kept, durable when it is read.
package struct PlanReceipt: Codable, Hashable, Sendable {
  package var plan: Plan
  /// Answered from the receipt of an earlier sending.
  package var isReplay: Bool

  package init(plan: Plan, isReplay: Bool = false) {
    self.plan = plan
    self.isReplay = isReplay
  }
}

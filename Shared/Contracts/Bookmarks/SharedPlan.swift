package import RPC

/// The plan behind a link that its owner gave away; `notFound` if there is none any more.
package struct SharedPlan: RPCRequest, Hashable {
  package typealias Service = BookmarksAPI
  package typealias Response = Plan
  package static let method: MethodID = 0x031A
  package static let safety: Safety = .read
  package static let isConfidential = true

  package var share: String

  package init(share: String) {
    self.share = share
  }
}

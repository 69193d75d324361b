package import Clocks
package import Contracts
package import RPC

/// What dining's administrators may ask. Only `odi-dining` itself asks, so these are no contracts between services.

/// Stores restaurants in place of those with their ids. The response is what that changed, or with `isDryRun` would.
nonisolated package struct PutRestaurants: RPCRequest {
  package typealias Service = DiningAPI
  package typealias Response = [RestaurantEdit]
  package static let method: MethodID = 0x0540
  package static let safety: Safety = .idempotent

  /// At most 200.
  package var restaurants: [Restaurant]
  /// Who it was, for the history.
  package var editor: String
  package var isDryRun: Bool
  /// More will follow at once: the index can wait for the last.
  package var hasMore: Bool

  package init(restaurants: [Restaurant], editor: String, isDryRun: Bool = false, hasMore: Bool = false) {
    self.restaurants = restaurants
    self.editor = editor
    self.isDryRun = isDryRun
    self.hasMore = hasMore
  }
}

/// Takes a restaurant out. One that has closed is better kept, inactive: its id is in people's plans.
nonisolated package struct RemoveRestaurant: RPCRequest {
  package typealias Service = DiningAPI
  package typealias Response = RestaurantEdit
  package static let method: MethodID = 0x0541
  package static let safety: Safety = .idempotent

  package var id: RestaurantID
  package var editor: String
}

/// The newest edits, newest first.
nonisolated package struct RestaurantHistory: RPCRequest {
  package typealias Service = DiningAPI
  package typealias Response = [RestaurantEdit]
  package static let method: MethodID = 0x0542
  package static let safety: Safety = .read

  package var restaurant: RestaurantID?
  /// Only older ones.
  package var before: Int64?
  /// 1...1000.
  package var limit: Int
}

/// Every restaurant in order of id, closed ones too, a page at a time; or those of some ids.
nonisolated package struct ListRestaurants: RPCRequest {
  package typealias Service = DiningAPI
  package typealias Response = [Restaurant]
  package static let method: MethodID = 0x0543
  package static let safety: Safety = .read

  package var after: RestaurantID?
  /// 1...200.
  package var limit: Int
  /// Those that there are of these, at most 200, whatever else is said.
  package var only: [RestaurantID]?

  package init(after: RestaurantID? = nil, limit: Int, only: [RestaurantID]? = nil) {
    self.after = after
    self.limit = limit
    self.only = only
  }
}

/// Adds the invented restaurants that are not there yet.
nonisolated package struct SeedRestaurants: RPCRequest {
  package typealias Service = DiningAPI
  package typealias Response = [RestaurantEdit]
  package static let method: MethodID = 0x0544
  package static let safety: Safety = .idempotent
}

/// How the guide and its quota are.
nonisolated package struct DescribeGuide: RPCRequest {
  package typealias Service = DiningAPI
  package typealias Response = GuideStatus
  package static let method: MethodID = 0x0545
  package static let safety: Safety = .read

  package init() {}
}

/// The guide as an operator sees it.
nonisolated package struct GuideStatus: Codable, Hashable, Sendable {
  /// There is a key.
  package var isOn: Bool
  /// Questions that were asked today, by the guide's own calendar.
  package var used: Int
  package var limit: Int
  /// Why it is not asked at the moment.
  package var problem: String?
  package var until: WallTime?
  package var restaurants: Int
  package var revision: Int64
}

/// Asks the guide for one of its lists of codes, out of the day's questions, and keeps it.
nonisolated package struct SyncGuideCodes: RPCRequest {
  package typealias Service = DiningAPI
  package typealias Response = CodesSynced
  package static let method: MethodID = 0x0546
  package static let safety: Safety = .idempotent

  package var list: GuideList

  package init(list: GuideList) { self.list = list }
}

/// A list of codes as the guide has it now.
nonisolated package struct CodesSynced: Codable, Hashable, Sendable {
  package var list: GuideList
  package var codes: [CodedName]
  /// How many of them were not known, or had another name.
  package var new: Int
}

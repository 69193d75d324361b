package import Clocks
package import RPC
import Wire

/// The restaurants that fit every condition, a page at a time. At least one condition must be given.
package struct FindRestaurants: RPCRequest, Hashable {
  package typealias Service = DiningAPI
  package typealias Response = RestaurantPage
  package static let method: MethodID = 0x0501
  package static let safety: Safety = .read

  package static let limitMax = 100

  /// Around this point.
  package var origin: Coordinate?
  /// With `origin`: 1...50,000; 1,000 if nil.
  package var metresMax: Int?
  package var filter: RestaurantFilter
  package var order: RestaurantOrder
  /// `next` of the page before.
  package var after: String?
  /// 1...``limitMax``.
  package var limit: Int
  /// For `isOpenNow` of the answer's items; nil: the service's own clock.
  package var now: WallTime?
  /// Nil: an operator, who may ask the guide as often as there are questions left.
  package var asker: GuideAsker?

  package init(
    origin: Coordinate? = nil, metresMax: Int? = nil, filter: RestaurantFilter = RestaurantFilter(),
    order: RestaurantOrder = .recommended, after: String? = nil, limit: Int, now: WallTime? = nil
  ) {
    self.origin = origin
    self.metresMax = metresMax
    self.filter = filter
    self.order = order
    self.after = after
    self.limit = limit
    self.now = now
  }
}

/// Conditions on restaurants; those that are given all have to hold.
package struct RestaurantFilter: Codable, Hashable, Sendable {
  package static let idsMax = RestaurantsByID.idsMax

  /// At most ``idsMax``.
  package var ids: [RestaurantID]?
  package var name: String?
  package var nameKana: String?
  /// In the name or its reading.
  package var nameAny: String?
  package var phone: String?
  package var address: String?
  /// Every word of it in the name, reading, address, station, genre, tagline or area.
  package var keyword: String?
  /// Codes; of several, any. At most 3, 5 and 5 of the smaller areas.
  package var largeServiceAreas: [String]?
  package var serviceAreas: [String]?
  package var largeAreas: [String]?
  package var middleAreas: [String]?
  package var smallAreas: [String]?
  /// Codes of genres or sub-genres; any.
  package var genres: [String]?
  /// Codes; any, at most 2.
  package var budgets: [String]?
  /// What a dinner costs, in the smallest unit of the place's currency.
  package var budgetLeast: Int?
  package var budgetMost: Int?
  /// Codes; any.
  package var creditCards: [String]?
  /// Codes; all.
  package var specials: [String]?
  package var specialsAny: [String]?
  package var specialCategories: [String]?
  package var specialCategoriesAny: [String]?
  /// It takes a party of so many.
  package var party: Int?
  /// It says yes to all of these.
  package var features: [RestaurantFeature]?
  /// Open then; those that do not say when are left out.
  package var openAt: WallTime?

  package init() {}
}

/// In which order restaurants stand.
package enum RestaurantOrder: GrowingEnum {
  case name
  case genre
  case smallArea
  /// Around a point nearer ones first, in steps of five minutes' walk, then those that tell most about themselves.
  case recommended
  /// With an origin only.
  case distance
  /// The cheapest first; those that do not say last.
  case budget
  case unknown(String)

  package static let known: [RestaurantOrder] = [.name, .genre, .smallArea, .recommended, .distance, .budget]

  package var rawValue: String {
    switch self {
    case .name: "name"
    case .genre: "genre"
    case .smallArea: "small-area"
    case .recommended: "recommended"
    case .distance: "distance"
    case .budget: "budget"
    case .unknown(let name): name
    }
  }
}

/// Restaurants, and how good the word of them is.
package struct RestaurantPage: Codable, Hashable, Sendable {
  package var places: [NearbyRestaurant]
  /// How many fit in all.
  package var found: Int
  package var next: String?
  package var guide: GuideState

  package init(places: [NearbyRestaurant], found: Int, next: String?, guide: GuideState) {
    self.places = places
    self.found = found
    self.next = next
    self.guide = guide
  }
}

/// A restaurant, how far it is, and whether it is open.
package struct NearbyRestaurant: Codable, Hashable, Sendable {
  package var restaurant: Restaurant
  /// From the origin that was asked about.
  package var metres: Double?
  package var isOpenNow: Bool?

  package init(restaurant: Restaurant, metres: Double? = nil, isOpenNow: Bool? = nil) {
    self.restaurant = restaurant
    self.metres = metres
    self.isOpenNow = isOpenNow
  }
}

package import Calendars
package import Clocks
package import RPC

/// Where one can eat before a showing and be on time, or after it before the kitchen closes.
package struct DinnerPlaces: RPCRequest, Hashable {
  package typealias Service = DiningAPI
  package typealias Response = DinnerPage
  package static let method: MethodID = 0x0504
  package static let safety: Safety = .read

  package static let limitMax = 100

  /// The cinema.
  package var origin: Coordinate
  /// Before: until when one has to be in one's seat. After: when the showing is over.
  package var at: WallTime
  package var mode: DinnerMode
  /// 1...60 minutes on foot.
  package var walkMinutesMax: Int
  /// 15...240 minutes at the table.
  package var eatMinutes: Int
  /// 0...60 minutes between arriving at the cinema and the start.
  package var marginMinutes: Int
  /// Whoever has not sat down by then is late; nil: the service's own clock.
  package var now: WallTime?
  package var filter: RestaurantFilter
  /// 1...``limitMax``.
  package var limit: Int
  /// Nil: an operator, who may ask the guide as often as there are questions left.
  package var asker: GuideAsker?

  package init(
    origin: Coordinate, at: WallTime, mode: DinnerMode, walkMinutesMax: Int, eatMinutes: Int, marginMinutes: Int,
    now: WallTime? = nil, filter: RestaurantFilter = RestaurantFilter(), limit: Int
  ) {
    self.origin = origin
    self.at = at
    self.mode = mode
    self.walkMinutesMax = walkMinutesMax
    self.eatMinutes = eatMinutes
    self.marginMinutes = marginMinutes
    self.now = now
    self.filter = filter
    self.limit = limit
  }
}

/// On which side of a film one eats.
package enum DinnerMode: String, Codable, CaseIterable, Sendable { case before, after }

/// Places for a dinner, nearest first; those that do not say when they are open last.
package struct DinnerPage: Codable, Hashable, Sendable {
  package var places: [DinnerPlace]
  /// Restaurants within the walk that fit the filter but not the hour.
  package var closed: Int
  package var guide: GuideState
  /// Others that fit the filter, where no time is left to eat before the film begins; none, if nil.
  package var tooLate: Int?

  package init(places: [DinnerPlace], closed: Int, guide: GuideState) {
    self.places = places
    self.closed = closed
    self.guide = guide
  }
}

/// A place for a dinner, and the evening's times with it.
package struct DinnerPlace: Codable, Hashable, Sendable {
  package var restaurant: Restaurant
  package var metres: Double
  package var walkMinutes: Int
  /// When to sit down: before a showing at the latest, after it at the earliest.
  package var sitFrom: WallTime
  /// When to leave the table: to be at the cinema in time, or because it closes.
  package var leaveBy: WallTime
  package var openUntil: WallTime?
  package var lastOrder: WallTime?
  /// How sure it is that it is open then.
  package var confidence: HoursConfidence

  package init(
    restaurant: Restaurant, metres: Double, walkMinutes: Int, sitFrom: WallTime, leaveBy: WallTime,
    openUntil: WallTime? = nil, lastOrder: WallTime? = nil, confidence: HoursConfidence
  ) {
    self.restaurant = restaurant
    self.metres = metres
    self.walkMinutes = walkMinutes
    self.sitFrom = sitFrom
    self.leaveBy = leaveBy
    self.openUntil = openUntil
    self.lastOrder = lastOrder
    self.confidence = confidence
  }
}

package import Calendars
package import Clocks

/// An evening that somebody planned: a showing, and perhaps a place to eat.
package struct Plan: Codable, Hashable, Sendable {
  /// `plan_…`, known to its owner only.
  package var id: PlanID
  /// Whoever has this can read the plan, and do nothing else. Not to be guessed.
  package var share: String
  /// Grows by one with each change, for If-Match.
  package var revision: Int64
  package var createdAt: WallTime
  package var changedAt: WallTime
  package var content: PlanContent

  package init(
    id: PlanID, share: String, revision: Int64, createdAt: WallTime, changedAt: WallTime, content: PlanContent
  ) {
    self.id = id
    self.share = share
    self.revision = revision
    self.createdAt = createdAt
    self.changedAt = changedAt
    self.content = content
  }
}

package typealias PlanID = ID<Plan>

/// What an evening is made of, written down as it was when it was planned, so that it can be read whatever is down.
package struct PlanContent: Codable, Hashable, Sendable {
  /// At most 200 characters.
  package var title: String?
  /// At most 2,000 characters.
  package var note: String?
  package var show: PlannedShow
  package var dinner: PlannedDinner?

  package init(title: String? = nil, note: String? = nil, show: PlannedShow, dinner: PlannedDinner? = nil) {
    self.title = title
    self.note = note
    self.show = show
    self.dinner = dinner
  }
}

/// The showing of an evening.
package struct PlannedShow: Codable, Hashable, Sendable {
  package var showtime: ShowtimeID
  package var film: FilmID?
  package var title: String
  package var cinema: CinemaID
  package var cinemaName: String
  package var address: String?
  package var position: Coordinate
  package var zone: ZoneName
  package var startsAt: WallTime
  package var endsAt: WallTime?
  package var displayTime: DisplayTime?
  package var screen: String?
  package var bookingURL: String?
  package var isDemo: Bool?

  package init(
    showtime: ShowtimeID, film: FilmID? = nil, title: String, cinema: CinemaID, cinemaName: String,
    address: String? = nil, position: Coordinate, zone: ZoneName, startsAt: WallTime, endsAt: WallTime? = nil,
    displayTime: DisplayTime? = nil, screen: String? = nil, bookingURL: String? = nil, isDemo: Bool? = nil
  ) {
    self.showtime = showtime
    self.film = film
    self.title = title
    self.cinema = cinema
    self.cinemaName = cinemaName
    self.address = address
    self.position = position
    self.zone = zone
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.displayTime = displayTime
    self.screen = screen
    self.bookingURL = bookingURL
    self.isDemo = isDemo
  }
}

/// The meal of an evening.
package struct PlannedDinner: Codable, Hashable, Sendable {
  package var restaurant: RestaurantID
  package var mode: DinnerMode
  package var name: String
  package var address: String?
  package var position: Coordinate
  package var url: String?
  /// Between the table and the cinema.
  package var walkMinutes: Int
  package var sitFrom: WallTime
  package var leaveBy: WallTime
  /// A line that its guide wants to be shown.
  package var attribution: String?
  package var isDemo: Bool?
  /// How long one sits; nil: an hour.
  package var eatMinutes: Int?

  package init(
    restaurant: RestaurantID, mode: DinnerMode, name: String, address: String? = nil, position: Coordinate,
    url: String? = nil, walkMinutes: Int, sitFrom: WallTime, leaveBy: WallTime, attribution: String? = nil,
    isDemo: Bool? = nil
  ) {
    self.restaurant = restaurant
    self.mode = mode
    self.name = name
    self.address = address
    self.position = position
    self.url = url
    self.walkMinutes = walkMinutes
    self.sitFrom = sitFrom
    self.leaveBy = leaveBy
    self.attribution = attribution
    self.isDemo = isDemo
  }
}

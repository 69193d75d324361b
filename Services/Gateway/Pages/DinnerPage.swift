import Calendars
import Clocks
import Contracts
import JSON

/// A place for a dinner around a showing, with the evening's times.
nonisolated struct DinnerItem: Shaped, Equatable {
  var place: DinnerPlace
  /// The cinema's.
  var zone: TimeZoneRules
  var language: Language?

  static let shape = Shape<DinnerItem>(
    "Dinner", "A place for a dinner around a showing.",
    [
      .required("restaurant", "") { RestaurantItem($0.place.restaurant, in: $0.language) },
      .required("distance_m", "From the cinema.") { Int($0.place.metres.rounded()) },
      .required("walk_min", "Minutes on foot at 80 m a minute, rounded up.") { $0.place.walkMinutes },
      .required("sit_from", "When to sit down: before a showing at the latest, after it at the earliest.") {
        $0.stamp($0.place.sitFrom)
      },
      .required("leave_by", "When to leave the table.") { $0.stamp($0.place.leaveBy) },
      .optional("open_until", "") { item in item.place.openUntil.map { item.stamp($0) } },
      .optional("last_order", "") { item in item.place.lastOrder.map { item.stamp($0) } },
      .required("open_confidence", "How sure it is that it is open then.", as: HoursConfidence.schema) {
        $0.place.confidence.rawValue
      },
    ])

  private func stamp(_ time: WallTime) -> Timestamp { zone.timestamp(at: time) }
}

/// Where one can eat around a showing.
nonisolated struct DinnerAnswer: Presentable {
  var mode: DinnerMode
  var showing: ShowingItem
  var items: [DinnerItem]
  var state: DiningState
  var hint: String?

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("state", state.rawValue)
      json.field("mode", mode.rawValue)
      json.field("showtime", showing)
      json.array("data", of: items)
      json.field("has_more", false)
      json.field("next_cursor", String?.none)
      json.field("hint", ifPresent: hint)
      json.array("attribution", of: RestaurantsPage.credits(items.map(\.place.restaurant.source)))
      if items.contains(where: { $0.place.restaurant.source == .demo }) { json.field("demo", true) }
    }
  }

  static var schema: Schema {
    .object(
      ListMembers.of(DinnerItem.schema) + ListMembers.extras + [
        ("state", DiningState.schema.described("How complete this is."), true),
        ("mode", .words(DinnerMode.allCases.map(\.rawValue)), true), ("showtime", ShowingItem.schema, true),
        ("attribution", .array(of: AttributionItem.schema), true),
      ], isOpen: true)
  }
}

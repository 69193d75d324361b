import Calendars
import Contracts
import Directories
import Drafts
import JSON
import ServiceKit

/// How restaurants and what was done to them look.
nonisolated extension Report {
  init(places: [NearbyRestaurant]) {
    let columns = [
      Column("id"), Column("name", shrinks: true), Column("genre"), Column("budget"),
      Column("distance_m", title: "metres", alignment: .right), Column("walk_min", title: "walk", alignment: .right),
      Column("open"), Column("hours", shrinks: true), Column("address", shrinks: true, visible: false),
      Column("lat", visible: false), Column("lon", visible: false), Column("source", visible: false),
    ]
    self.init(
      columns,
      rows: places.map { near in
        let place = near.restaurant
        return [
          "\(place.id.text)", "\(place.name)", .text(place.genre?.name), .text(place.budget?.shown),
          .number(near.metres.map { Int($0.rounded()) }), .number(near.metres.map { Walk.minutes(metres: $0) }),
          near.isOpenNow.map { .flag($0, $0 ? .good : .dim) } ?? .none, .text(place.openText), .text(place.address),
          .number(place.position.latitude, digits: 5), .number(place.position.longitude, digits: 5),
          "\(place.source.rawValue)",
        ]
      })
  }

  /// Every field that it has.
  init(restaurant place: Restaurant) {
    let fields = place.texts.compactMap { column, text in text.map { (Column(column), Cell.text($0)) } }
    self.init(
      item: fields + [
        (Column("hours_confidence"), Cell(place.hours.confidence.rawValue)),
        (Column("hours_read"), Cell(place.hours.spans.map(\.shown).joined(separator: "; "))),
        (Column("as_of"), .text(place.asOf.map { "\(Timestamp($0))" })),
      ])
  }

  init(hours: OpeningHours, unread: [String]) {
    let columns = [
      Column("days"), Column("opens"), Column("closes"), Column("last_order"), Column("last_drink"),
    ]
    let open = hours.spans.map { span in
      [
        Cell(span.days.shown), Cell(span.opens.clock), .text(span.closes?.clock), .text(span.lastOrder?.clock),
        .text(span.lastDrink?.clock),
      ]
    }
    let closed = hours.closures.map { closure in
      [Cell(closure.shown), Cell("closed", .dim), Cell.none, Cell.none, Cell.none]
    }
    let spans = hours.spans.map { span -> JSONValue in
      let members: [(String, String?)] = [
        ("days", span.days.shown), ("opens", span.opens.clock), ("closes", span.closes?.clock),
        ("last_order", span.lastOrder?.clock), ("last_drink", span.lastDrink?.clock),
      ]
      return .object(JSONObject(members.map { ($0, $1.map(JSONValue.string) ?? .null) }))
    }
    let document: [(String, JSONValue)] = [
      ("confidence", .string(hours.confidence.rawValue)), ("unread", .array(unread.map(JSONValue.string))),
      ("open", .array(spans)), ("closed", .array(hours.closures.map { ["days": .string($0.shown)] })),
      ("irregular", .bool(hours.isIrregular)),
    ]
    self.init(columns, rows: open + closed, document: .object(JSONObject(document)))
  }

  init(edits: [RestaurantEdit]) {
    let columns = [
      Column("revision", alignment: .right), Column("at"), Column("editor"), Column("restaurant"), Column("kind"),
      Column("fields", shrinks: true),
    ]
    self.init(
      columns,
      rows: edits.map { edit in
        let shown = edit.kind == .changed ? edit.fields.joined(separator: ", ") : ""
        return [
          edit.revision > 0 ? .number(Int(edit.revision)) : .none, "\(Timestamp(edit.at))", "\(edit.editor)",
          "\(edit.restaurant.text)", Cell(kind: edit.kind),
          Cell(shown, json: .array(edit.fields.map { .string($0) })),
        ]
      })
  }
}

nonisolated extension Budget {
  /// The guide's range, or what the restaurant writes, or the numbers.
  fileprivate var shown: String? { name ?? average ?? least.map { "\($0) \(currency ?? "")" } }
}

nonisolated extension OpenSpan {
  fileprivate var shown: String { "\(days.shown) \(opens.clock)–\(closes?.clock ?? "")" }
}

nonisolated extension Closure {
  fileprivate var shown: String {
    if let first {
      return "\(first / 100)/\(first % 100)" + (last == first ? "" : "–\((last ?? 0) / 100)/\((last ?? 0) % 100)")
    }
    if isLunarFeast { return "lunar feasts" }
    let weeks = weeks.isEmpty ? "" : " " + weeks.map { $0 < 0 ? "last" : String($0) }.joined(separator: ",")
    let onHolidays =
      movesAfterHoliday ? ", on the day after if a holiday" : isOpenOnHolidays ? ", not if a holiday" : ""
    return days.shown + weeks + onHolidays
  }
}

nonisolated extension DayKinds {
  /// `mon-fri hol`
  fileprivate var shown: String {
    if self == .everyDay { return "every day" }
    let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    var words = weekdays.map { names[$0.rawValue - 1] }
    if isSuperset(of: .week) {
      words = ["mon-sun"]
    } else if isSuperset(of: .workdays) {
      words.replaceSubrange(0..<5, with: ["mon-fri"])
    }
    if isSuperset(of: .holiday) { words.append("holidays") }
    if isSuperset(of: .holidayEve) { words.append("eves") }
    return words.joined(separator: " ")
  }
}

nonisolated extension Int {
  /// Minutes of a day, on after midnight as 25:30.
  fileprivate var clock: String { "\(self / 60):\(self % 60 < 10 ? "0" : "")\(self % 60)" }
}

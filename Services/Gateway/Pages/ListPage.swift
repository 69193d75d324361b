import Calendars
import Contracts
import JSON

/// A list as the whole API has them.
nonisolated struct ListPage<Item: Shaped>: Presentable {
  var items: [Item]
  /// Nil at the end.
  var next: String?
  /// Why there is nothing, or less than hoped for.
  var hint: String?
  /// What a service that does not answer would have added.
  var missing: [String] = []
  /// Where a search found nothing: a name that there is.
  var meant: String?
  var isDemo = false

  init(
    _ items: [Item], next: String? = nil, hint: String? = nil, missing: [String] = [], meant: String? = nil,
    isDemo: Bool = false
  ) {
    self.items = items
    self.next = next
    self.hint = hint
    self.missing = missing
    self.meant = meant
    self.isDemo = isDemo
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.array("data") { json in
        // In a loop of its own, so that it is compiled for the items' type.
        for item in items { item.write(to: &json) }
      }
      json.field("has_more", next != nil)
      json.field("next_cursor", next)
      json.field("hint", ifPresent: hint)
      if !missing.isEmpty { json.field("missing", missing) }
      json.field("did_you_mean", ifPresent: meant)
      if isDemo { json.field("demo", true) }
    }
  }

  static var schema: Schema { schema(of: Item.schema) }

  static func schema(of item: Schema) -> Schema { .object(ListMembers.of(item) + ListMembers.extras, isOpen: true) }
}

/// What every list has.
nonisolated enum ListMembers {
  typealias Member = (name: String, schema: Schema, isRequired: Bool)

  static func of(_ item: Schema) -> [Member] {
    [
      ("data", .array(of: item), true), ("has_more", .boolean, true),
      ("next_cursor", Schema.string("Ask for the next page with it.").orNull, true),
    ]
  }

  static var extras: [Member] {
    [
      hint, missing,
      (
        "did_you_mean",
        .string("Where a search found nothing: a name that there is, a few letters away. Search for it."), false
      ),
    ] + marks
  }

  static var hint: Member { ("hint", .string("Why there is nothing, or less than hoped for."), false) }

  static var missing: Member {
    ("missing", .array(of: .string()).described("What could not be told because a service does not answer."), false)
  }

  /// What any answer of public data may have.
  static var marks: [Member] {
    [
      ("demo", Schema.constant(true).described("Invented data, to try the software with."), false),
      ("stale", Schema.boolean.described("An older answer, because a service does not answer."), false),
      ("stale_as_of", .string("When it was made.", format: "date-time"), false),
    ]
  }
}

/// A cinema's days.
nonisolated struct DaysPage: Presentable {
  var cinema: CinemaID
  var today: CivilDate?
  var days: [DayItem]
  var freshness: FreshnessItem

  init(_ calendar: CinemaCalendar, in zone: TimeZoneRules) {
    cinema = calendar.cinema
    today = calendar.today
    days = calendar.days.map(DayItem.init)
    freshness = FreshnessItem(calendar.source, in: zone)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      // First, where a copy that is served later is marked.
      json.field("stale", freshness.isStale)
      json.field("cinema_id", cinema)
      json.field("today", ifPresent: today)
      json.array("data", of: days)
      json.field("has_more", false)
      json.field("next_cursor", String?.none)
      json.field("as_of", ifPresent: freshness.asOf)
      json.field("source", ifPresent: freshness.source)
      if freshness.source?.isDemo == true { json.field("demo", true) }
    }
  }

  static var schema: Schema {
    .object(
      ListMembers.of(DayItem.schema) + ListMembers.marks.filter { $0.name != "stale" } + [
        ("stale", .boolean, true), ("cinema_id", CinemaID.schema, true), ("today", CivilDate.schema, false),
        ("as_of", Timestamp.schema, false), ("source", SourceName.schema, false),
      ], isOpen: true)
  }
}

/// What a cinema shows on a day, grouped as asked.
nonisolated struct CinemaDayPage: Presentable {
  /// By film, by screen, or not at all.
  enum Grouping: String, CaseIterable, Sendable { case film, screen, none }

  var programme: ProgrammeItem
  var grouping: Grouping

  func write(to json: inout JSONWriter) {
    json.object { json in
      // First, where a copy that is served later is marked.
      json.field("stale", programme.freshness.isStale)
      json.field("cinema_id", programme.cinema)
      json.field("date", programme.date)
      json.field("status", programme.status)
      json.field("next_open", ifPresent: programme.nextOpen)
      switch grouping {
      case .film: json.array("data", of: programme.films)
      case .screen: json.array("data", of: screens)
      case .none: json.array("data", of: byStart)
      }
      json.field("has_more", false)
      json.field("next_cursor", String?.none)
      json.field("as_of", ifPresent: programme.freshness.asOf)
      json.field("source", ifPresent: programme.freshness.source)
      if programme.freshness.source?.isDemo == true { json.field("demo", true) }
    }
  }

  var byStart: [ShowtimeItem] {
    programme.films.flatMap(\.showtimes).sorted {
      ($0.showtime.startsAt, $0.showtime.id) < ($1.showtime.startsAt, $1.showtime.id)
    }
  }

  /// In the order of their names; those that the cinema does not tell last.
  var screens: [ScreenGroup] {
    let groups = Dictionary(grouping: byStart) { $0.showtime.screen }
    return groups.map { ScreenGroup(screen: $0.key, showtimes: $0.value) }.sorted { left, right in
      guard let first = left.screen else { return false }
      guard let second = right.screen else { return true }
      return first < second
    }
  }

  static var schema: Schema {
    let items = Schema.oneOf([
      .array(of: FilmGroup.schema), .array(of: ScreenGroup.schema), .array(of: ShowtimeItem.schema),
    ])
    // An empty array is of all three kinds.
    let anyOf = Schema(JSONObject([("anyOf", items.node["oneOf"] ?? [])]), definitions: items.definitions)
    return .object(
      ListMembers.marks.filter { $0.name != "stale" } + [
        ("data", anyOf.described("Groups by film or by screen, or showings, as `group` asks."), true),
        ("has_more", .boolean, true), ("next_cursor", Schema.string().orNull, true), ("stale", .boolean, true),
        ("cinema_id", CinemaID.schema, true), ("date", CivilDate.schema, true), ("status", DayStatus.schema, true),
        ("next_open", CivilDate.schema, false), ("as_of", Timestamp.schema, false),
        ("source", SourceName.schema, false),
      ], isOpen: true)
  }
}

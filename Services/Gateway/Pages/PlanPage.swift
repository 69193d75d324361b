import Calendars
import Clocks
import Contracts
import HTTP
import JSON

/// What the schedule says now of the showing that somebody planned.
nonisolated enum PlannedState: String, CaseIterable, Sendable {
  case scheduled, moved, cancelled
  /// The schedule does not know it any more, or does not answer.
  case unknown
}

/// What has become of the meal of a plan whose showing was moved.
nonisolated enum PlannedMealState: String, CaseIterable, Sendable {
  case scheduled, moved
  /// The place is not open when one would have to eat.
  case closed
  /// Whether it is open then, nobody says now.
  case unknown
}

/// An evening that somebody planned.
nonisolated struct PlanPage: Shaped, Equatable {
  var plan: Plan
  var zone: TimeZoneRules
  var base: String
  /// Its owner is told the id, by which it can be changed.
  var isOwn: Bool
  var state = PlannedState.unknown
  /// When it begins now, if it was moved.
  var startsAtNow: WallTime?
  /// When it ends now, if the schedule says that.
  var endsAtNow: WallTime?
  var meal = PlannedMealState.scheduled
  var mealNow: PlannedMealItem?
  /// How often the schedule has changed the showing, and when it was last seen there.
  var changes = 0
  var seenAt: WallTime?

  /// Of the showing, in milliseconds.
  var length: Int64 {
    let show = plan.content.show
    return max(0, (show.endsAt ?? DinnerTimes.usualEnd(of: show.startsAt)).milliseconds - show.startsAt.milliseconds)
  }

  /// Tells what the schedule says now. A meal before or after a showing that was moved is as much later, and nobody has
  /// said whether the place is open then.
  mutating func take(_ showtime: Showtime) {
    let planned = plan.content.show.startsAt
    changes = showtime.changes ?? 0
    seenAt = showtime.lastSeen
    state = showtime.state == .cancelled ? .cancelled : showtime.startsAt == planned ? .scheduled : .moved
    guard state == .moved else { return }
    (startsAtNow, endsAtNow) = (showtime.startsAt, showtime.endsAt)
    guard let dinner = plan.content.dinner else { return }
    let later = showtime.startsAt.milliseconds - planned.milliseconds
    meal = .unknown
    mealNow = PlannedMealItem(
      sitFrom: WallTime(milliseconds: dinner.sitFrom.milliseconds + later),
      leaveBy: WallTime(milliseconds: dinner.leaveBy.milliseconds + later), zone: zone)
  }

  static let shape = Shape<PlanPage>(
    "Plan", "An evening: a showing, and perhaps a place to eat.",
    [
      .optional("id", "Told to its owner alone.") { $0.isOwn ? $0.plan.id : nil },
      .required("share", "Whoever has it can read the plan.") { $0.plan.share },
      .required("page_url", "The plan's page: the link to give away.") { "\($0.base)/plans/\($0.plan.share)" },
      .required("url", "The same as data.") { $0.url },
      .required("ics_url", "") { $0.url + ".ics" },
      .required("qr_url", "A QR code that leads to the plan's page.") { $0.url + "/qr.svg" },
      .optional("title", "") { $0.plan.content.title },
      .optional("note", "Whoever can read the plan reads it.") { $0.plan.content.note },
      .required("showtime", "As it was when it was planned.") {
        PlannedShowItem(show: $0.plan.content.show, zone: $0.zone)
      },
      .required(
        "showtime_state", "What the schedule says of it now.", as: .words(PlannedState.allCases.map(\.rawValue))
      ) {
        $0.state.rawValue
      },
      .optional("starts_at_now", "If it was moved.") { page in page.startsAtNow.map { page.zone.timestamp(at: $0) } },
      .optional("ends_at_now", "If it was moved: told, or as long as it was.") { page in
        page.endNow.map { page.zone.timestamp(at: $0) }
      },
      .optional("dinner", "") { page in
        page.plan.content.dinner.map { PlannedDinnerItem(dinner: $0, zone: page.zone) }
      },
      .optional(
        "dinner_state", "What the move of the showing makes of it.",
        as: .words(PlannedMealState.allCases.map(\.rawValue))
      ) { $0.plan.content.dinner == nil ? nil : $0.meal.rawValue },
      .optional("dinner_now", "When to sit down and to leave now that the showing was moved.") { $0.mealNow },
      .required("rev", "Of the plan; the ETag is made of it.") { $0.plan.revision },
      .required("created_at", "") { $0.plan.createdAt.stamp },
      .required("changed_at", "") { $0.plan.changedAt.stamp },
      .mark("demo", "Invented, to try the software with.") { page in
        page.plan.content.show.isDemo == true || page.plan.content.dinner?.isDemo == true
      },
    ])

  var endNow: WallTime? {
    startsAtNow.map { endsAtNow ?? WallTime(milliseconds: $0.milliseconds + length) }
  }

  var url: String { "\(base)/v1/plans/\(plan.share)" }

  private static let note = UserNote.schema.described("For whoever has the plan's link, too.")

  /// What a plan is asked to be.
  static let form = BodyForm(
    schema: .object([
      ("showtime_id", ShowtimeID.schema, true), ("restaurant_id", RestaurantID.schema, false),
      ("mode", Schema.words(DinnerMode.allCases.map(\.rawValue)), false),
      ("eat_min", Schema.integer(PlanDraftReading.meal), false),
      ("title", .string(length: 0...PlanDraftReading.titleMax), false),
      ("note", note, false),
    ]))

  /// What of it can be changed; null takes something away.
  static let changeForm = BodyForm(
    schema: .object([
      ("restaurant_id", RestaurantID.schema.orNull, false),
      ("mode", Schema.words(DinnerMode.allCases.map(\.rawValue)), false),
      ("eat_min", Schema.integer(PlanDraftReading.meal), false),
      ("title", Schema.string(length: 0...PlanDraftReading.titleMax).orNull, false),
      ("note", note.orNull, false),
    ]))

  @MainActor
  func answer(_ status: HTTPStatus = .ok) -> Answer {
    var answer = Answer.json(self, status)
    if isOwn { answer.response.tag = .given("\(plan.revision)") }
    return answer
  }
}

/// What a body says of a plan.
nonisolated struct PlanDraftReading {
  var showtime: ShowtimeID?
  var restaurant: RestaurantID?
  var mode: DinnerMode?
  var meal: Int?
  var title: String?
  var note: String?

  static let meal = 15...240
  static let titleMax = 200

  /// - Parameter isChange: a change of a plan that is there, whose showing stays.
  init(_ body: inout JSONReader, isChange: Bool) {
    if !isChange, let text = body.required("showtime_id", as: String.self) {
      showtime = ShowtimeID(text)
      if showtime == nil { body.note("showtime_id", "must be \(ShowtimeID.form)") }
    }
    restaurant = body.id("restaurant_id")
    if let word = body.optional("mode", as: String.self) {
      mode = DinnerMode(rawValue: word)
      if mode == nil { body.note("mode", "must be before or after") }
    }
    meal = body.optional("eat_min", as: Int.self, in: Self.meal)
    title = Self.title(&body)
    note = body.userNote().flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func title(_ body: inout JSONReader) -> String? {
    let text = body.optional("title", as: String.self)
    if let text, text.unicodeScalars.count > titleMax { body.note("title", "must have at most \(titleMax) characters") }
    return text?.isEmpty == true ? nil : text
  }
}

/// The showing of a plan.
nonisolated struct PlannedShowItem: Shaped, Equatable {
  var show: PlannedShow
  var zone: TimeZoneRules

  static let shape = Shape<PlannedShowItem>(
    "PlannedShowing", "A showing as it was when it was planned.",
    [
      .required("id", "") { $0.show.showtime }, .optional("film_id", "") { $0.show.film },
      .required("title", "") { $0.show.title }, .required("cinema_id", "") { $0.show.cinema },
      .required("cinema", "Its name.") { $0.show.cinemaName }, .optional("address", "") { $0.show.address },
      .required("location", "") { PlaceItem($0.show.position) }, .required("time_zone", "") { $0.show.zone },
      .required("starts_at", "") { $0.zone.timestamp(at: $0.show.startsAt) },
      .optional("ends_at", "") { item in item.show.endsAt.map { item.zone.timestamp(at: $0) } },
      .optional("display_time", "As printed.") { $0.show.displayTime }, .optional("screen", "") { $0.show.screen },
      .optional("booking_url", "") { $0.show.bookingURL },
    ])
}

/// The meal of a plan.
nonisolated struct PlannedDinnerItem: Shaped, Equatable {
  var dinner: PlannedDinner
  var zone: TimeZoneRules

  static let shape = Shape<PlannedDinnerItem>(
    "PlannedDinner", "",
    [
      .required("restaurant_id", "") { $0.dinner.restaurant },
      .required("mode", "", as: .words(DinnerMode.allCases.map(\.rawValue))) { $0.dinner.mode.rawValue },
      .required("name", "") { $0.dinner.name }, .optional("address", "") { $0.dinner.address },
      .required("location", "") { PlaceItem($0.dinner.position) }, .optional("url", "") { $0.dinner.url },
      .required("walk_min", "Between the table and the cinema, at 80 m a minute.") { $0.dinner.walkMinutes },
      .required("sit_from", "") { $0.zone.timestamp(at: $0.dinner.sitFrom) },
      .required("leave_by", "") { $0.zone.timestamp(at: $0.dinner.leaveBy) },
      .optional("eat_min", "How long one sits, if that was said.") { $0.dinner.eatMinutes },
      .optional("attribution", "To be shown beside it.") { $0.dinner.attribution },
    ])
}

/// The meal's times now.
nonisolated struct PlannedMealItem: Shaped, Equatable {
  var sitFrom: WallTime
  var leaveBy: WallTime
  var zone: TimeZoneRules

  static let shape = Shape<PlannedMealItem>(
    "PlannedMeal", "",
    [
      .required("sit_from", "") { $0.zone.timestamp(at: $0.sitFrom) },
      .required("leave_by", "") { $0.zone.timestamp(at: $0.leaveBy) },
    ])
}

/// A plan as a calendar: the meal and the showing.
nonisolated struct PlanFeed {
  let page: PlanPage
  let now: WallTime

  var written: [UInt8] {
    let content = page.plan.content
    var events = [showing]
    if let dinner = content.dinner {
      let (sit, leave) = (page.mealNow?.sitFrom ?? dinner.sitFrom, page.mealNow?.leaveBy ?? dinner.leaveBy)
      var meal = event(
        "\(dinner.restaurant)-\(content.show.showtime)@odi", sit, leave, dinner.name, isDemo: dinner.isDemo == true)
      // Going there as planned, one would miss the showing.
      if page.meal == .closed { meal.status = .tentative }
      events.insert(filled(meal, dinner.name, dinner.address, dinner.position, dinner.url), at: 0)
    }
    let name = content.title ?? content.show.title
    return CalendarFeed(productID: "-//Odi//Plan//EN", name: name, events: events).written(now: now)
  }

  private var showing: CalendarEvent {
    let show = page.plan.content.show
    let start = page.startsAtNow ?? show.startsAt
    let end = page.endNow ?? WallTime(milliseconds: start.milliseconds + page.length)
    // The same name as in every other feed of ours, so that a calendar shows it once.
    var event = event(
      "\(show.showtime)@odi", start, end, show.title, isDemo: show.isDemo == true)
    event.status = page.state == .cancelled ? .cancelled : .confirmed
    let place = [show.cinemaName, show.screen].compactMap(\.self).joined(separator: ", ")
    return filled(event, place, show.address, show.position, show.bookingURL)
  }

  private func event(
    _ uid: String, _ start: WallTime, _ end: WallTime, _ summary: String, isDemo: Bool
  ) -> CalendarEvent {
    func time(_ instant: WallTime) -> CalendarTime { .zoned(page.zone.local(at: instant), page.zone) }
    var event = CalendarEvent(
      uid: uid, start: time(start), end: time(end), summary: (isDemo ? "[demo] " : "") + summary)
    event.details = page.plan.content.note
    // Both only grow: a calendar takes what it is told last, the schedule's move as well as the owner's change.
    event.sequence = max(0, Int(clamping: page.plan.revision) - 1) + page.changes
    let changedAt =
      page.state == .scheduled ? page.plan.changedAt : max(page.seenAt ?? page.plan.changedAt, page.plan.changedAt)
    event.stamp = changedAt
    event.modified = changedAt
    return event
  }

  private func filled(
    _ event: CalendarEvent, _ name: String, _ address: String?, _ position: Coordinate, _ url: String?
  ) -> CalendarEvent {
    var event = event
    event.location = [name, address].compactMap(\.self).joined(separator: ", ")
    event.position = CalendarEvent.Position(latitude: position.latitude, longitude: position.longitude)
    event.url = url
    return event
  }
}

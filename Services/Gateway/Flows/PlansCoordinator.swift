import Calendars
import Clocks
import Contracts
import Crypto
import HTTP
import JSON
import QR
import RPC

/// Evenings that users plan, and the links by which they give them away.
final class PlansCoordinator: Coordinator {
  private let bookmarks: any RPCClient<BookmarksAPI>
  private let dining: any RPCClient<DiningAPI>
  private let scraper: any RPCClient<ScraperAPI>
  private let shelf: CinemaShelf

  init(
    bookmarks: any RPCClient<BookmarksAPI>, dining: any RPCClient<DiningAPI>, scraper: any RPCClient<ScraperAPI>,
    shelf: CinemaShelf
  ) {
    self.bookmarks = bookmarks
    self.dining = dining
    self.scraper = scraper
    self.shelf = shelf
  }

  private static let id = PathField("id", "The plan's id.", schema: PlanID.schema)
  private static let share = PathField(
    "share", "The plan's link.", schema: .string(pattern: "^[A-Za-z0-9_-]+$", length: 1...80))
  /// A plan is in its own words, but whoever asks for a language everywhere may ask for it here.
  ///
  /// These answers are not marked as shared: who takes a plan away, or changes it, means it at once, so nobody between
  /// us and the reader may keep one.
  private static let sharedQuery: [any AnyQueryField] = [QueryField<Language?>.language]
  /// As the page reckons it.
  private static let (mealUsual, margin, walkMax) = (60, 8, 60)

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .post, "/v1/me/plans", "createPlan", "Plans an evening: a showing, and perhaps a place to eat.", .me,
        access: .user, fields: [.idempotencyKey], body: PlanPage.form,
        answers: [.json(.created, "The plan.", PlanPage.schema)]
      ) { [self] asking in try await create(asking) },
      Endpoint(
        .get, "/v1/me/plans", "plans",
        "Your plans, the latest first. Where a showing was moved, only its plan tells whether one can still eat there.",
        .me, access: .user,
        answers: [.json("All of them; there are at most 200.", ListPage<PlanPage>.schema)]
      ) { [self] asking in
        let plans = try await bookmarks.call(ListPlans(user: asking.someone()), asking.options)
        return .json(ListPage(await checked(plans.map { page($0, isOwn: true, asking) }, asking)))
      },
      Endpoint(
        .get, "/v1/me/plans/{id}", "plan", "One of your plans.", .me, access: .user, parameters: [Self.id],
        answers: [.json("The plan.", PlanPage.schema)]
      ) { [self] asking in
        let plan = try await bookmarks.call(
          PlanOf(user: asking.someone(), id: asking.id(of: PlanID.self)), asking.options)
        return await checked(page(plan, isOwn: true, asking), asking).answer()
      },
      Endpoint(
        .patch, "/v1/me/plans/{id}", "changePlan", "Changes some of a plan (RFC 7396): null takes something away.", .me,
        access: .user, parameters: [Self.id], fields: [.ifMatch, .idempotencyKey], body: PlanPage.changeForm,
        answers: [.json("The plan now.", PlanPage.schema)]
      ) { [self] asking in try await change(asking) },
      Endpoint(
        .delete, "/v1/me/plans/{id}", "removePlan", "Takes a plan away; its link reads nothing any more.", .me,
        access: .user, parameters: [Self.id], answers: [.nothing(.noContent, "It is not there.")]
      ) { [self] asking in
        _ = try await bookmarks.call(
          RemovePlan(user: asking.someone(), id: asking.id(of: PlanID.self)), asking.options)
        return .nothing
      },
      Endpoint(
        .get, "/v1/plans/{share}", "sharedPlan", "A plan that somebody gave you the link of.", .dining,
        parameters: [Self.share], query: Self.sharedQuery, answers: [.json("The plan.", PlanPage.schema)]
      ) { [self] asking in .json(try await shared(asking)) },
      Endpoint(
        .get, "/v1/plans/{share}.ics", "sharedPlanICS", "The same, for a calendar.", .dining,
        parameters: [Self.share], query: Self.sharedQuery, answers: [.other(.calendar, "iCalendar (RFC 5545).")]
      ) { [self] asking in
        let page = try await shared(asking)
        return Answer(HTTPResponse(.ok, .calendar, PlanFeed(page: page, now: asking.now).written))
      },
      Endpoint(
        .get, "/v1/plans/{share}/qr.svg", "sharedPlanQR", "The plan's page as a QR code, for somebody beside you.",
        .dining, parameters: [Self.share], query: Self.sharedQuery, answers: [.other(.svg, "A QR code.")]
      ) { [self] asking in
        let page = try await shared(asking)
        // A phone that reads it opens the page.
        let address = "\(asking.base)/plans/\(page.plan.share)"
        let code = try QRCode(address, correction: .medium)
        return Answer(HTTPResponse(.ok, .svg, Array(code.svg(title: address).utf8)))
      },
    ]
  }

  // MARK: Reading

  private func page(_ plan: Plan, isOwn: Bool, _ asking: Asking) -> PlanPage {
    PlanPage(plan: plan, zone: asking.view.rules(plan.content.show.zone), base: asking.base, isOwn: isOwn)
  }

  private func shared(_ asking: Asking) async throws -> PlanPage {
    var query = asking.query
    _ = query.take(QueryField<Language?>.language)
    try query.finish()
    let plan = try await bookmarks.call(SharedPlan(share: asking.path[0]), asking.options)
    return await checked(page(plan, isOwn: false, asking), asking)
  }

  /// The page with what the schedule says now; without the schedule it shows what was planned.
  private func checked(_ page: PlanPage, _ asking: Asking) async -> PlanPage {
    var now = await checked([page], asking).first ?? page
    if now.state == .moved { await checkMeal(of: &now, asking) }
    return now
  }

  /// The same of several, by one question; meals are as much later as their showings.
  private func checked(_ pages: [PlanPage], _ asking: Asking) async -> [PlanPage] {
    let ids = Set(pages.map(\.plan.content.show.showtime)).sorted()
    guard !ids.isEmpty,
      let found = try? await scraper.call(ShowtimesByID(ids: ids), asking.optionsForExtras).showtimes
    else { return pages }
    let showtimes = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return pages.map { page in
      var page = page
      if let showtime = showtimes[page.plan.content.show.showtime] { page.take(showtime) }
      return page
    }
  }

  /// When one sits down and leaves by now that the showing has moved: nobody is to miss it by going as planned.
  private func checkMeal(of page: inout PlanPage, _ asking: Asking) async {
    guard let dinner = page.plan.content.dinner else { return }
    var show = page.plan.content.show
    show.startsAt = page.startsAtNow ?? show.startsAt
    show.endsAt = page.endNow ?? show.endsAt
    let request = meal(
      at: dinner.restaurant, dinner.mode, dinner.eatMinutes ?? Self.mealUsual, show, asking)
    // That nothing was found says nothing, unless it is because the place is closed or too far for the time left.
    guard let found = try? await dining.call(request, asking.optionsForExtras),
      !found.places.isEmpty || found.closed > 0 || found.tooLate ?? 0 > 0
    else { return }
    page.meal = found.places.first.map { $0.confidence == .unknown ? .unknown : .moved } ?? .closed
    page.mealNow = found.places.first.map {
      PlannedMealItem(sitFrom: $0.sitFrom, leaveBy: $0.leaveBy, zone: page.zone)
    }
  }

  // MARK: Writing

  private func create(_ asking: Asking) async throws -> Answer {
    let user = try asking.someone()
    var body = try asking.body()
    let reading = PlanDraftReading(&body, isChange: false)
    try body.finish()
    guard let id = reading.showtime else { throw Problem(.validation, "showtime_id is missing") }
    var content = PlanContent(title: reading.title, note: reading.note, show: try await show(id, asking))
    if let restaurant = reading.restaurant {
      content.dinner = try await dinner(at: restaurant, reading, content.show, asking)
    }
    var options = asking.options
    options.key = try asking.key(for: user) ?? .fresh()
    var request = SavePlan(user: user, content: content)
    request.asked = Self.digest(of: asking)
    let receipt = try await bookmarks.call(request, options)
    var page = page(receipt.plan, isOwn: true, asking)
    page.state = .scheduled
    return page.answer(.created).replayed(receipt.isReplay)
  }

  private func change(_ asking: Asking) async throws -> Answer {
    let user = try asking.someone()
    let id = try asking.id(of: PlanID.self)
    let key = try asking.key(for: user)
    let wanted = try SettingsPage.revision(ifMatch: asking.request["if-match"], otherwise: Self.changed)
    let value = try asking.request.json()
    var body = JSONReader(value)
    let reading = PlanDraftReading(&body, isChange: true)
    try body.finish()
    func isNull(_ name: String) -> Bool { value[name]?.isNull == true }

    let before = try await bookmarks.call(PlanOf(user: user, id: id), asking.options)
    // With a key it may have been this very request that changed it: then bookmarks says so, or refuses the revision.
    if let wanted, wanted != before.revision, key == nil { throw Self.changed }
    var content = before.content
    if reading.title != nil || value["title"] != nil { content.title = reading.title }
    if reading.note != nil || value["note"] != nil { content.note = reading.note }
    if isNull("restaurant_id") {
      content.dinner = nil
    } else if let restaurant = reading.restaurant ?? content.dinner?.restaurant,
      reading.restaurant != nil || reading.mode != nil || reading.meal != nil
    {
      var reading = reading
      reading.mode = reading.mode ?? content.dinner?.mode
      reading.meal = reading.meal ?? content.dinner?.eatMinutes
      content.show = await current(content.show, asking)
      content.dinner = try await dinner(at: restaurant, reading, content.show, asking)
    }
    var options = asking.options
    options.key = key ?? .fresh()
    var request = SavePlan(user: user, id: id, content: content, ifRevision: wanted ?? before.revision)
    request.asked = Self.digest(of: asking)
    let receipt = try await bookmarks.call(request, options)
    let page = await checked(page(receipt.plan, isOwn: true, asking), asking)
    return page.answer().replayed(receipt.isReplay)
  }

  /// What was asked for, as it was sent, and of which revision.
  private static func digest(of asking: Asking) -> [UInt8] {
    let condition = Array((asking.request["if-match"] ?? "").utf8)
    return Array(SHA256.digest(of: condition + [0] + asking.request.body))
  }

  private static var changed: Problem {
    Problem(.preconditionFailed, "the plan has changed since; read it again")
  }

  /// A planned showing at the time that it has by now: the meal is to end before that. Without the schedule, as planned.
  private func current(_ planned: PlannedShow, _ asking: Asking) async -> PlannedShow {
    guard var show = try? await self.show(planned.showtime, asking) else { return planned }
    show.title = planned.title
    return show
  }

  /// The showing as it is now.
  private func show(_ id: ShowtimeID, _ asking: Asking) async throws -> PlannedShow {
    let programme = try await scraper.call(ShowtimesByID(ids: [id]), asking.options)
    guard let showtime = programme.showtimes.first,
      let cinema = try await shelf.cinema(showtime.cinema, asking.options)
    else { throw Problem(.notFound, "no showing has the id \(id)") }
    let film = programme.films.first
    return PlannedShow(
      showtime: id, film: showtime.film,
      title: film.map { FilmItem.title(of: $0, in: asking.language) } ?? showtime.title,
      cinema: cinema.id, cinemaName: cinema.name, address: cinema.address, position: cinema.position, zone: cinema.zone,
      startsAt: showtime.startsAt, endsAt: DinnerTimes.end(of: showtime, film: film), displayTime: showtime.displayTime,
      screen: showtime.screen, bookingURL: showtime.bookingURL,
      isDemo: programme.sources.contains { $0.isDemo == true } ? true : nil)
  }

  /// The evening's times at a restaurant, which dining reckons as it does for its lists.
  private func dinner(
    at id: RestaurantID, _ reading: PlanDraftReading, _ show: PlannedShow, _ asking: Asking
  ) async throws -> PlannedDinner {
    let (mode, minutes) = (reading.mode ?? .before, reading.meal ?? Self.mealUsual)
    let request = meal(at: id, mode, minutes, show, asking)
    let page = try await dining.call(request, asking.options)
    guard let place = page.places.first else {
      throw Self.refusal(
        "/restaurant_id",
        page.closed > 0
          ? "it is closed then; choose another, or another mode"
          : "no restaurant within an hour's walk of the cinema has this id")
    }
    let restaurant = place.restaurant
    var dinner = PlannedDinner(
      restaurant: id, mode: mode, name: restaurant.name, address: restaurant.address, position: restaurant.position,
      url: restaurant.url, walkMinutes: place.walkMinutes, sitFrom: place.sitFrom, leaveBy: place.leaveBy,
      attribution: AttributionItem(of: restaurant.source)?.text, isDemo: restaurant.source == .demo ? true : nil)
    dinner.eatMinutes = minutes
    return dinner
  }

  private func meal(
    at id: RestaurantID, _ mode: DinnerMode, _ minutes: Int, _ show: PlannedShow, _ asking: Asking
  ) -> DinnerPlaces {
    var filter = RestaurantFilter()
    filter.ids = [id]
    var request = DinnerPlaces(
      origin: show.position, at: mode == .before ? show.startsAt : show.endsAt ?? show.startsAt, mode: mode,
      walkMinutesMax: Self.walkMax, eatMinutes: minutes, marginMinutes: Self.margin,
      // Whether it is too late to go is whoever plans it to say.
      now: WallTime(milliseconds: 0), filter: filter, limit: 1)
    request.asker = asking.guideAsker
    return request
  }

  private static func refusal(_ pointer: String, _ detail: String) -> Problem {
    Problem(
      .validation, status: .unprocessableContent, "1 problem", errors: [.init(pointer: pointer, detail: detail)])
  }
}

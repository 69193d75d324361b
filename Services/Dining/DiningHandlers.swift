import Clocks
import Contracts
import Drafts
import RPC

/// Answers dining's contracts from the restaurants in memory; where a guide is set up, after asking it.
struct DiningHandlers {
  let restaurants: LiveRestaurants
  let guide: HotPepperDesk
  let time: any TimeSource

  nonisolated private enum Limits {
    static let metres = 1...50_000
    static let walk = 1...60
    static let meal = 15...240
    static let margin = 0...60
    static let words = 32
    /// Of a text that is looked for.
    static let characters = 200
    /// As the guide takes them.
    static let (largeAreas, middleAreas, smallAreas, budgets) = (3, 5, 5, 2)
  }

  func register(on router: RPCRouter) {
    router.on(FindRestaurants.self) { (request: FindRestaurants, _: CallContext) in
      try Self.check(request)
      var request = request
      request.now = request.now ?? time.wall
      return try await found(request)
    }
    router.on(RestaurantsByID.self) { (request: RestaurantsByID, _: CallContext) in try await byID(request) }
    router.on(DiningVocabulary.self) { (_: DiningVocabulary, _: borrowing CallContext) in restaurants.current.codes }
    router.on(DinnerPlaces.self) { (request: DinnerPlaces, _: CallContext) in
      try Self.check(request)
      let metres = Int(Double(request.walkMinutesMax) * Walk.metresPerMinute)
      let question = HotPepperQuestion(
        FindRestaurants(
          origin: request.origin, metresMax: metres, filter: request.filter, limit: FindRestaurants.limitMax))
      let state = await guide.consult(question, for: request.asker)
      let named = await guide.named(for: question, asking: request.filter)
      return restaurants.current.dinner(request, now: request.now ?? time.wall, guide: state, named: named)
    }
  }

  private func found(_ request: FindRestaurants) async throws -> RestaurantPage {
    let begun = time.wall
    let question = HotPepperQuestion(request)
    let state = await guide.consult(question, for: request.asker)
    var named = await guide.named(for: question, asking: request.filter)
    var page = try restaurants.current.page(request, guide: state, named: named)
    guard let question, let available = state.available else { return page }
    // What the guide has beyond its first hundred is asked for by who has come to the end of what is here: one hundred
    // for each request, as nothing in it may fit.
    var number = 1
    while page.next == nil, request.after != nil || page.places.count == request.limit, state.kind == .fresh,
      available > number * HotPepperQuestion.count, number * HotPepperQuestion.count < GuideState.reachedMax
    {
      let further = question.page(number)
      let more = await guide.consult(further, for: request.asker)
      guard more.kind == .fresh else {
        page.guide.kind = more.kind
        (page.guide.retryAt, page.guide.isShareUsed) = (more.retryAt, more.isShareUsed)
        break
      }
      named.formUnion(await guide.named(for: further, asking: request.filter))
      page = try restaurants.current.page(request, guide: state, named: named)
      number += 1
      let isNew = more.asOf.map { $0 >= begun } ?? false
      if isNew, page.next == nil, available > number * HotPepperQuestion.count { page.guide.kind = .loading }
      if isNew { break }
    }
    return page
  }

  private func byID(_ request: RestaurantsByID) async throws -> RestaurantPage {
    try RPCError.check(count: request.ids.count, of: "ids", atMost: RestaurantsByID.idsMax)
    let missing = request.ids.filter { restaurants.current[$0] == nil }
    var state = GuideState(.none)
    if !missing.isEmpty {
      var filter = RestaurantFilter()
      filter.ids = missing
      state = await guide.consult(
        HotPepperQuestion(FindRestaurants(filter: filter, limit: RestaurantsByID.idsMax)), for: request.asker)
    }
    let (index, now) = (restaurants.current, request.now ?? time.wall)
    let places = request.ids.compactMap { index[$0] }
    return RestaurantPage(
      places: places.map { NearbyRestaurant(restaurant: $0, isOpenNow: index.isOpen($0, at: now)) },
      found: places.count, next: nil, guide: state)
  }

  // MARK: Rules

  private static func check(_ request: FindRestaurants) throws(RPCError) {
    try RPCError.check(request.limit, in: 1...FindRestaurants.limitMax)
    if let metres = request.metresMax { try RPCError.check(metres, "metresMax", in: Limits.metres) }
    if case .unknown(let order) = request.order {
      let known = RestaurantOrder.known.map(\.rawValue).joined(separator: ", ")
      throw RPCError(.invalidArgument, "order is \(order); ask for one of \(known)", executed: .no)
    }
    guard request.origin != nil || request.filter != RestaurantFilter() else {
      throw RPCError(
        .invalidArgument, "no condition is given; ask around a point, or for a name, an area, a genre or a keyword",
        executed: .no)
    }
    guard request.order != .distance || request.origin != nil else {
      throw RPCError(.invalidArgument, "by distance from where? give an origin", executed: .no)
    }
    try check(request.filter)
  }

  private static func check(_ request: DinnerPlaces) throws(RPCError) {
    try RPCError.check(request.limit, in: 1...DinnerPlaces.limitMax)
    try RPCError.check(request.walkMinutesMax, "walkMinutesMax", in: Limits.walk)
    try RPCError.check(request.eatMinutes, "eatMinutes", in: Limits.meal)
    try RPCError.check(request.marginMinutes, "marginMinutes", in: Limits.margin)
    try check(request.filter)
  }

  private static func check(_ filter: RestaurantFilter) throws(RPCError) {
    try RPCError.check(count: filter.ids?.count, of: "ids", atMost: RestaurantFilter.idsMax)
    try RPCError.check(count: filter.largeAreas?.count, of: "large areas", atMost: Limits.largeAreas)
    try RPCError.check(count: filter.middleAreas?.count, of: "middle areas", atMost: Limits.middleAreas)
    try RPCError.check(count: filter.smallAreas?.count, of: "small areas", atMost: Limits.smallAreas)
    try RPCError.check(count: filter.budgets?.count, of: "budgets", atMost: Limits.budgets)
    let lists = [
      filter.largeServiceAreas, filter.serviceAreas, filter.genres, filter.creditCards, filter.specials,
      filter.specialsAny, filter.specialCategories, filter.specialCategoriesAny,
    ]
    for list in lists { try RPCError.check(count: list?.count, of: "codes", atMost: Limits.words) }
    for text in [filter.name, filter.nameKana, filter.nameAny, filter.phone, filter.address, filter.keyword] {
      guard let text else { continue }
      guard !text.trimmed.isEmpty, text.unicodeScalars.count <= Limits.characters else {
        throw RPCError(
          .invalidArgument, "a text to look for has 1 to \(Limits.characters) characters", executed: .no)
      }
    }
    if let least = filter.budgetLeast, let most = filter.budgetMost, least > most {
      throw RPCError(.invalidArgument, "budgetLeast is over budgetMost; swap the two", executed: .no)
    }
  }
}

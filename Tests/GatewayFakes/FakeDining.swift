import Calendars
package import Clocks
package import Contracts
package import RPC

/// Three invented restaurants around the invented cinemas, whose guide does as it is told.
@MainActor
package final class FakeDining {
  package let manners = FakeManners()
  package let router = RPCRouter(service: DiningAPI.name)
  package var places: [Restaurant]
  package var guide = GuideState(.none)
  package var genres = [CodeCount(code: "G001", name: "居酒屋", count: 2)]
  package var features = [CodeCount(code: "wifi", name: "wifi", count: 1)]
  /// So many fit, and there is no time left for any.
  package var late = 0
  /// Those that are never open when somebody asks.
  package var closed = Set([RestaurantID("rest_shy")].compactMap(\.self))
  /// The questions that came.
  package private(set) var questions: [FindRestaurants] = []
  package private(set) var dinners: [DinnerPlaces] = []
  private let time: any TimeSource

  package var client: any RPCClient<DiningAPI> { InProcessClient(of: DiningAPI.self, router, time: time) }

  package init(time: any TimeSource) {
    self.time = time
    places = Self.invented
    router.on(FindRestaurants.self, manners) { [self] request in
      questions.append(request)
      let found = near(request.origin, Double(request.metresMax ?? 1_000), request.filter)
      let start = request.after.flatMap { after in found.firstIndex { $0.restaurant.id.text == after } }.map { $0 + 1 }
      let page = found[(start ?? 0)...].prefix(request.limit)
      let isMore = (start ?? 0) + page.count < found.count
      return RestaurantPage(
        places: Array(page), found: found.count, next: isMore ? page.last?.restaurant.id.text : nil, guide: guide)
    }
    router.on(RestaurantsByID.self, manners) { [self] request in
      let found = request.ids.compactMap { id in places.first { $0.id == id } }
      return RestaurantPage(
        places: found.map { NearbyRestaurant(restaurant: $0, isOpenNow: true) }, found: found.count, next: nil,
        guide: guide)
    }
    router.on(DiningVocabulary.self, manners) { [self] _ in
      var codes = DiningCodes(genres: genres, budgets: [], features: features, areas: [])
      codes.largeServiceAreas = [CodeCount(code: "SS10", name: "関東", count: 2)]
      codes.smallAreas = [CodeCount(code: "X001", name: "見本町", count: 1)]
      codes.creditCards = [CodeCount(code: "c01", name: "VISA", count: 1)]
      codes.specials = [CodeCount(code: "LT0001", name: "夜景", count: 1)]
      codes.specialCategories = [CodeCount(code: "SPA0", name: "場面", count: 1)]
      return codes
    }
    router.on(DinnerPlaces.self, manners) { [self] request in dinner(request) }
  }

  private func near(_ origin: Coordinate?, _ metres: Double, _ filter: RestaurantFilter) -> [NearbyRestaurant] {
    places.filter { place in
      (filter.ids?.contains(place.id) ?? true)
        && (filter.genres.map { genres in genres.contains { $0 == place.genre?.code } } ?? true)
    }
    .map { NearbyRestaurant(restaurant: $0, metres: origin?.metres(to: $0.position), isOpenNow: nil) }
    .filter { ($0.metres ?? 0) <= metres }.sorted { ($0.metres ?? 0) < ($1.metres ?? 0) }
  }

  private func dinner(_ request: DinnerPlaces) -> DinnerPage {
    dinners.append(request)
    let found = near(request.origin, Double(request.walkMinutesMax) * 80, request.filter)
    let open = late > 0 ? [] : found.filter { !closed.contains($0.restaurant.id) }
    var page = DinnerPage(
      places: open.prefix(request.limit).map { near in
        let walk = Walk.minutes(metres: near.metres ?? 0)
        let isBefore = request.mode == .before
        let leave = minutes(request.at, isBefore ? -(walk + request.marginMinutes) : walk + request.eatMinutes)
        return DinnerPlace(
          restaurant: near.restaurant, metres: near.metres ?? 0, walkMinutes: walk,
          sitFrom: minutes(leave, -request.eatMinutes), leaveBy: leave, confidence: near.restaurant.hours.confidence)
      }, closed: late > 0 ? 0 : found.count - open.count, guide: guide)
    page.tooLate = late
    return page
  }

  private func minutes(_ time: WallTime, _ count: Int) -> WallTime {
    WallTime(milliseconds: time.milliseconds + Int64(count) * 60_000)
  }

  private static var invented: [Restaurant] {
    [
      place("rest_noodle", "달빛국수", 37.5672, 126.9785, "11:00~22:00", .demo),
      place("rest_J001", "居酒屋見本", 37.5655, 126.9762, "17:00～翌1:00", .hotpepper),
      place("rest_shy", "수줍은 식당", 37.5664, 126.9771, "문의", .operatorFile),
    ]
  }

  private static func place(
    _ id: String, _ name: String, _ latitude: Double, _ longitude: Double, _ open: String, _ source: RestaurantSource
  ) -> Restaurant {
    guard let id = RestaurantID(id), let point = try? Coordinate(latitude: latitude, longitude: longitude),
      let zone = ZoneName("Asia/Seoul")
    else { preconditionFailure("a restaurant of the fake world is wrong") }
    var place = Restaurant(
      id: id, name: name, country: "KR", position: point, zone: zone,
      hours: OpeningHoursReader.read(open: open).hours,
      features: [FeatureNote(feature: .wifi, state: .yes), FeatureNote(feature: .pet, state: .unknown, text: "?")],
      source: source)
    place.openText = open
    place.genre = CodedName(code: source == .hotpepper ? "G001" : "G017", name: "술집")
    place.budget = Budget(
      code: "B002", name: "2001～3000円", average: "2500円", least: 2_001, most: 3_000, currency: "JPY")
    place.photos = Photos(large: "https://img.example/l.jpg")
    place.specials = [Special(code: "S1", name: "View", category: CodedName(code: "C1", name: "Scene"))]
    place.areas = Areas(small: CodedName(code: "X1", name: "Town"))
    place.coupons = Coupons(pc: "https://guide.example/map")
    place.asOf = source == .hotpepper ? WallTime(milliseconds: 1_795_000_000_000) : nil
    return place
  }
}

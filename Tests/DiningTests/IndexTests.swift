import Calendars
import Clocks
import Contracts
import Dining
import RPC
import Testing

/// The index as a value: filters, orders, pages, and an evening's times.
@Suite("Restaurants in memory")
struct IndexTests {
  private let zones: ZoneDirectory
  private let here: Coordinate
  private let index: RestaurantIndex

  init() throws {
    let directory = ZoneDirectory()
    let origin = try Coordinate(latitude: 37.5721, longitude: 126.9690)
    zones = directory
    here = origin
    func place(
      _ id: String, _ name: String, _ metresNorth: Double, _ change: (inout RestaurantDraft) -> Void
    ) throws -> Restaurant {
      var draft = RestaurantDraft(id)
      draft[.id] = "rest_\(id)"
      draft[.name] = name
      draft[.country] = "KR"
      draft[.latitude] = "\(origin.latitude + metresNorth / 111_195)"
      draft[.longitude] = "\(origin.longitude)"
      change(&draft)
      return try draft.restaurant(zones: directory)
    }
    index = RestaurantIndex(
      [
        try place("noodles", "느린국수", 120) {
          $0[.open] = "매일 11:00~21:30 (라스트오더 21:00)"
          $0[.budget] = "9,000~12,000원"
          $0[.genre] = "한국요리"
          $0[.genreCode] = "G017"
          $0[.capacity] = "30"
          $0[.wifi] = "있음"
          $0[.url] = "https://example.org/noodles"
        },
        try place("bistro", "두번째 막", 420) {
          $0[.open] = "17:00~22:00"
          $0[.close] = "월요일"
          $0[.budget] = "30,000~50,000원"
          $0[.genreCode] = "G006"
          $0[.genre] = "이탈리안"
          $0[.partyCapacity] = "12"
          $0[.creditCards] = "c01=VISA|c02=Master"
          $0[.specials] = "LT0001=夜景@SPA0=場面"
        },
        try place("bar", "심야 포차", 630) { $0[.open] = "18:00~익일 03:00 (라스트오더 익일 02:00)" },
        try place("mystery", "문의 식당", 200) { $0[.open] = "전화로 문의하세요" },
        try place("gone", "사라진 집", 10) { $0[.active] = "0" },
      ], revision: 1, zones: directory)
  }

  private func found(_ change: (inout FindRestaurants) -> Void) throws -> [String] {
    var request = FindRestaurants(origin: here, limit: 100)
    change(&request)
    return try index.page(request, guide: GuideState(.none)).places.map { String($0.restaurant.id.text.dropFirst(5)) }
  }

  @Test("around a point the near ones are found, none that has closed for good")
  func near() throws {
    #expect(try found { $0.order = .distance } == ["noodles", "mystery", "bistro", "bar"])
    #expect(
      try found {
        $0.metresMax = 300
        $0.order = .distance
      } == ["noodles", "mystery"])
  }

  @Test("each condition holds alone and together with others")
  func conditions() throws {
    #expect(try found { $0.filter.genres = ["G006", "G017"] } == ["noodles", "bistro"])
    #expect(try found { $0.filter.budgetMost = 10_000 } == ["noodles"])
    #expect(try found { $0.filter.budgetLeast = 20_000 } == ["bistro"])
    #expect(try found { $0.filter.party = 20 } == ["noodles"])
    #expect(try found { $0.filter.party = 12 } == ["noodles", "bistro"])
    #expect(try found { $0.filter.features = [.wifi] } == ["noodles"])
    #expect(try found { $0.filter.creditCards = ["c02", "c09"] } == ["bistro"])
    #expect(
      try found {
        $0.filter.specials = ["LT0001"]
        $0.filter.specialCategories = ["SPA0"]
      } == ["bistro"])
    #expect(try found { $0.filter.specials = ["LT0001", "LT0002"] } == [])
    #expect(try found { $0.filter.specialsAny = ["LT0001", "LT0002"] } == ["bistro"])
    #expect(try found { $0.filter.name = "국수" } == ["noodles"])
    #expect(try found { $0.filter.keyword = "이탈리안 막" } == ["bistro"])
    #expect(try found { $0.filter.ids = [RestaurantID("rest_bar")!] } == ["bar"])
    #expect(
      try found {
        $0.filter.genres = ["G006"]
        $0.filter.features = [.wifi]
      } == [])
  }

  @Test("open at an hour leaves out what is closed and what does not say")
  func openAt() throws {
    let zone = try zones.rules(for: ZoneName("Asia/Seoul")!)
    func at(_ text: String) throws -> [String] {
      try found {
        $0.filter.openAt = zone.instant(of: CivilDateTime(text)!)
        $0.order = .distance
      }
    }
    // 2026-11-22 is a Sunday.
    #expect(try at("2026-11-22T19:00:00") == ["noodles", "bistro", "bar"])
    #expect(try at("2026-11-23T19:00:00") == ["noodles", "bar"])
    #expect(try at("2026-11-23T02:30:00") == ["bar"])
  }

  @Test("pages follow each other without a gap; one that begins after nobody is refused")
  func pages() throws {
    var request = FindRestaurants(origin: here, order: .distance, limit: 3)
    let first = try index.page(request, guide: GuideState(.none))
    #expect(first.places.count == 3 && first.found == 4 && first.next == "rest_bistro")
    request.after = first.next
    let second = try index.page(request, guide: GuideState(.none))
    #expect(second.places.map(\.restaurant.id.text) == ["rest_bar"] && second.next == nil)
    request.after = "rest_nobody"
    #expect(throws: RPCError.self) { try index.page(request, guide: GuideState(.none)) }
  }

  private func dinner(
    _ mode: DinnerMode, at local: String, now: String = "2026-11-22T12:00:00", walk: Int = 10,
    in other: RestaurantIndex? = nil
  ) throws -> DinnerPage {
    let zone = try zones.rules(for: ZoneName("Asia/Seoul")!)
    func instant(_ text: String) -> WallTime { zone.instant(of: CivilDateTime(text)!) }
    return (other ?? index).dinner(
      DinnerPlaces(
        origin: here, at: instant(local), mode: mode, walkMinutesMax: walk, eatMinutes: 60, marginMinutes: 8,
        limit: 10), now: instant(now), guide: GuideState(.none))
  }

  @Test("before a film one leaves in time to walk and sit, and those that do not say their hours come last")
  func before() throws {
    let page = try dinner(.before, at: "2026-11-22T19:30:00")
    #expect(page.places.map(\.restaurant.id.text) == ["rest_noodles", "rest_bistro", "rest_bar", "rest_mystery"])
    let zone = try zones.rules(for: ZoneName("Asia/Seoul")!)
    let noodles = try #require(page.places.first)
    #expect(noodles.walkMinutes == 2)
    #expect(zone.local(at: noodles.leaveBy).description == "2026-11-22T19:20:00")
    #expect(zone.local(at: noodles.sitFrom).description == "2026-11-22T18:20:00")
    #expect(noodles.confidence == .parsed && page.places[3].confidence == .unknown && page.closed == 0)
    // An hour earlier the bar has not opened yet.
    let early = try dinner(.before, at: "2026-11-22T18:30:00")
    #expect(!early.places.contains { $0.restaurant.id.text == "rest_bar" } && early.closed == 1)
  }

  @Test("who cannot sit down in time any more is offered nothing")
  func tooLate() throws {
    let page = try dinner(.before, at: "2026-11-22T19:30:00", now: "2026-11-22T18:40:00")
    #expect(page.places.isEmpty && page.tooLate == 4 && page.closed == 0)
    // Only who is near enough is in time: the walk counts too.
    let near = try dinner(.before, at: "2026-11-22T19:30:00", now: "2026-11-22T18:15:00")
    #expect(!near.places.isEmpty && near.tooLate ?? 0 > 0, "\(near.places.count) \(near.tooLate ?? 0)")
  }

  @Test("after a film only what takes orders and stays open long enough, into the night")
  func after() throws {
    let page = try dinner(.after, at: "2026-11-22T23:40:00")
    #expect(page.places.map(\.restaurant.id.text) == ["rest_bar", "rest_mystery"] && page.closed == 2)
    let late = try dinner(.after, at: "2026-11-23T01:58:00")
    // The kitchen takes its last order at two, and the walk is eight minutes.
    #expect(late.places.map(\.restaurant.id.text) == ["rest_mystery"])
  }

  /// One place that is open so.
  private func only(open text: String) throws -> RestaurantIndex {
    var draft = RestaurantDraft("only")
    draft[.id] = "rest_only"
    draft[.name] = "밤낮"
    draft[.country] = "KR"
    draft[.latitude] = "\(here.latitude)"
    draft[.longitude] = "\(here.longitude)"
    draft[.open] = text
    return RestaurantIndex([try draft.restaurant(zones: zones)], revision: 1, zones: zones)
  }

  @Test(
    "who never closes is open across midnight too; a last order ends the day",
    arguments: [("24時間営業", 1), ("0:00～24:00", 1), ("0:00~24:00 (라스트오더 23:50)", 0), ("11:00~24:00", 0)])
  func midnight(open: String, places: Int) throws {
    let index = try only(open: open)
    let page = try dinner(.after, at: "2026-11-22T23:40:00", in: index)
    #expect(page.places.count == places && page.closed == 1 - places)
    let early = try dinner(.after, at: "2026-11-22T20:00:00", in: index)
    #expect(early.places.count == 1)
  }

  @Test("an evening at the end or the beginning of all time is answered", arguments: [Int64.min, .max])
  func endOfTime(milliseconds: Int64) throws {
    let request = DinnerPlaces(
      origin: here, at: WallTime(milliseconds: milliseconds), mode: milliseconds < 0 ? .before : .after,
      walkMinutesMax: 10, eatMinutes: 60, marginMinutes: 8, limit: 10)
    let page = index.dinner(request, now: WallTime(milliseconds: 0), guide: GuideState(.none))
    #expect(page.places.count + page.closed + (page.tooLate ?? 0) == 4)
  }

  @Test("nothing further than the walk is offered")
  func walk() throws {
    let page = try dinner(.after, at: "2026-11-22T18:30:00", walk: 3)
    #expect(page.places.map(\.restaurant.id.text) == ["rest_noodles", "rest_mystery"])
  }
}

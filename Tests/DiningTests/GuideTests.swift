import Calendars
import Clocks
import Contracts
import Dining
import EventLoops
import Foundation
import JSON
import Observability
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// What the service asks the guide, and what it does with the answers and the lack of them.
@Suite("Restaurant guide", .timeLimit(.minutes(5)))
@MainActor
struct GuideTests: DiningBench {
  /// Codes, what whoever asks for restaurants is told of them, and what the operator is told.
  nonisolated private static let codes: [(Int, GuideState.Kind, String?)] = [
    (1_000, .failed, "it has a fault"), (2_000, .failed, "it refuses our key"), (3_000, .refused, nil),
  ]

  @Test("the guide is asked once for a question, with the key and every condition, and what it says is kept")
  func asked() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    guide.answer = { _ in
      GuideStandIn.shops(
        [
          GuideStandIn.shop("J000000001", "居酒屋見本"),
          GuideStandIn.shop("J000000002", "別の店", north: 0.001, capacity: "\"\""),
        ],
        available: 31_183)
    }
    try await running(try flags(guide, folder)) { rig, client in
      let request = try shinjuku {
        $0.filter.genres = ["G001"]
        $0.filter.features = [.wifi, .phoneCoupon]
      }
      let page = try await client.call(request)
      #expect(page.guide.kind == .fresh && page.guide.available == 31_183)
      #expect(page.places.map(\.restaurant.id.text) == ["rest_J000000001", "rest_J000000002"])
      let place = try #require(page.places.first?.restaurant)
      #expect(place.source == .hotpepper && place.capacity == 40 && place.asOf != nil && place.partyCapacity == nil)
      #expect(place.budget?.least == 2_001 && place.hours.confidence == .parsed)
      #expect(place.areas?.small?.code == "X001" && place.specials?.first?.category?.code == "SPA0")
      #expect(place.features.first { $0.feature == .charter }?.state == .unknown)
      #expect(place.features.first { $0.feature == .phoneCoupon }?.state == .yes, "0 is with coupons")
      #expect(try await client.call(request).guide.kind == .fresh)
      #expect(guide.targets.count == 1)
      let target = try #require(guide.targets.first)
      for part in [
        "/hotpepper/gourmet/v1/?key=\(Self.key)&format=json&lat=35.690&lng=139.700&range=2", "genre=G001", "wifi=1",
        "ktai_coupon=0",
        "count=100",
      ] {
        #expect(target.contains(part), "\(target)")
      }
      #expect(!rig.log.lines.contains { $0.contains(Self.key) }, "the key is in a log line")
      // What a guide told is not passed on unless it is asked for.
      let exported = await rig.command("export")
      #expect(exported.output.split(separator: "\n").count == 1)
      #expect(exported.errors.contains("that the guide told are left out"))
      #expect(await rig.command("guide", "--json").output.contains(#""used_today":1"#))
    }
  }

  @Test("what the guide names for wine, a telephone or a keyword is told, though its records say nothing of that")
  func named() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    let both = ["rest_J000000001", "rest_J000000002"]
    try await running(try flags(guide, folder)) { rig, client in
      @MainActor func told(_ change: (inout RestaurantFilter) -> Void) async throws -> [String] {
        let request = try shinjuku { change(&$0.filter) }
        return try await client.call(request).places.map(\.restaurant.id.text)
      }
      guide.answer = { _ in
        GuideStandIn.shops([
          GuideStandIn.shop("J000000001", "居酒屋見本"), GuideStandIn.shop("J000000002", "別の店", north: 0.001),
        ])
      }
      let (wine, phone, keyword) = (
        try await told { $0.features = [.wine] }, try await told { $0.phone = "03-5272-0345" },
        try await told { $0.keyword = "夜景の見える" }
      )
      #expect(wine == both && phone == both && keyword == both)
      guide.answer = { _ in GuideStandIn.shops([GuideStandIn.shop("J000000002", "別の店", north: 0.001)]) }
      let sommelier = try await told { $0.features = [.sommelier] }
      #expect(sommelier == ["rest_J000000002"], "the other is kept, and was not named")
      guide.answer = { _ in GuideStandIn.shops([]) }
      let cocktail = try await told { $0.features = [.cocktail] }
      #expect(cocktail.isEmpty)
    }
  }

  @Test("a restaurant that an administrator keeps stays as it is, whatever the guide tells of it")
  func operators() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    guide.answer = { _ in GuideStandIn.shops([GuideStandIn.shop("J000000001", "居酒屋見本")]) }
    let file = try folder.write(
      "id,name,country,lat,lon\nrest_J000000001,Ours,JP,35.6903,139.7003\n", to: "ours.csv")
    try await running(try flags(guide, folder)) { rig, client in
      #expect(await rig.command("import", file).code == .done)
      let page = try await client.call(try shinjuku())
      #expect(guide.targets.count == 1 && page.places.map(\.restaurant.name) == ["Ours"])
      #expect(await rig.command("export").output.contains("Ours"))
    }
  }

  @Test("places outside Japan are none of the guide's business, and without a key it is never asked")
  func notAsked() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    try await running(try flags(guide, folder)) { _, client in
      let seoul = try Coordinate(latitude: 37.57, longitude: 126.97)
      let page = try await client.call(FindRestaurants(origin: seoul, limit: 5))
      #expect(page.guide.kind == .none)
    }
    try await running(["hotpepper-url": guide.url]) { _, client in
      let page = try await client.call(try shinjuku())
      #expect(page.guide.kind == .none)
    }
    #expect(guide.targets.isEmpty)
  }

  @Test(
    "an error that comes with HTTP 200, in JSON or XML, is an error, told apart by its code, and not asked for again at once",
    arguments: Self.codes, [false, true])
  func errors(told: (code: Int, kind: GuideState.Kind, problem: String?), isXML: Bool) async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    guide.answer = { _ in
      isXML ? GuideStandIn.xmlError(told.code, "見本のエラー") : GuideStandIn.error(told.code, "見本のエラー")
    }
    try await running(try flags(guide, folder)) { _, client in
      let page = try await client.call(try shinjuku())
      #expect(page.guide.kind == told.kind && page.places.isEmpty)
      #expect(try await client.call(try shinjuku()).guide.kind == told.kind)
      #expect(guide.targets.count == 1)
      let problem = try await client.call(DescribeGuide()).problem
      #expect(problem == told.problem.map { "\($0): 見本のエラー" })
    }
  }

  @Test("an answer that is no JSON, another status and no answer at all are failures; the last answer is told")
  func failures() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    let time = ManualTime(wall: WallTime(milliseconds: 1_795_330_800_000))
    guide.answer = { _ in GuideStandIn.shops([GuideStandIn.shop("J000000001", "居酒屋見本")]) }
    try await running(try flags(guide, folder), time: time) { _, client in
      #expect(try await client.call(try shinjuku()).guide.kind == .fresh)
      time.advance(by: .seconds(25 * 3_600))
      guide.answer = { _ in "<html>" }
      let page = try await client.call(try shinjuku())
      #expect(page.guide.kind == .stale && page.places.count == 1 && page.guide.asOf != nil)
      // Another question has no older answer.
      #expect(try await client.call(try shinjuku { $0.filter.genres = ["G013"] }).guide.kind == .failed)
      time.advance(by: .seconds(11))
      guide.status = 503
      #expect(try await client.call(try shinjuku()).guide.kind == .stale)
      time.advance(by: .seconds(60))
      (guide.status, guide.answer) = (200, { _ in GuideStandIn.shops([]) })
      #expect(try await client.call(try shinjuku()).guide.kind == .fresh)
    }
  }

  @Test("what a guide told is kept for a week, over a restart too, and no longer")
  func kept() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    let time = ManualTime(wall: WallTime(milliseconds: 1_795_330_800_000))
    guide.answer = { _ in GuideStandIn.shops([GuideStandIn.shop("J000000001", "居酒屋見本")]) }
    let settings = try flags(guide, folder)
    try await running(settings, folder: folder, time: time) { _, client in
      let page = try await client.call(try shinjuku())
      #expect(page.places.count == 1)
    }
    for (days, count) in [(6, 1), (2, 0)] {
      time.advance(by: .seconds(days * 24 * 3_600))
      try await running(folder: folder, time: time) { _, client in
        let page = try await client.call(try shinjuku())
        #expect(page.places.count == count)
      }
    }
  }

  @Test("an answer that is older than a week is no answer any more: nothing is kept, and that is a failure")
  func outdated() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    let time = ManualTime(wall: WallTime(milliseconds: 1_795_330_800_000))
    guide.answer = { _ in GuideStandIn.shops([GuideStandIn.shop("J000000001", "居酒屋見本")]) }
    let settings = try flags(guide, folder)
    try await running(settings, folder: folder, time: time) { _, client in
      let page = try await client.call(try shinjuku())
      #expect(page.guide.kind == .fresh)
    }
    guide.status = 503
    for (days, kind) in [(6, GuideState.Kind.stale), (2, .failed)] {
      time.advance(by: .seconds(days * 24 * 3_600))
      try await running(settings, folder: folder, time: time) { _, client in
        let page = try await client.call(try shinjuku())
        #expect(page.guide.kind == kind && page.places.isEmpty == (kind == .failed))
      }
    }
  }

  @Test("where the guide knows nothing at all it is not asked again about a part of that, for a day")
  func emptyAreas() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    let time = ManualTime(wall: WallTime(milliseconds: 1_795_330_800_000))
    try await running(try flags(guide, folder), time: time) { _, client in
      #expect(try await client.call(try shinjuku { $0.metresMax = 3_000 }).guide.kind == .fresh)
      for metres in [300, 2_000] {
        var part = try shinjuku()
        part.metresMax = metres
        part.origin = try Coordinate(latitude: 35.6953, longitude: 139.7003)
        part.filter.genres = ["G001"]
        let page = try await client.call(part)
        #expect(page.guide.kind == .fresh && page.guide.available == 0)
      }
      #expect(guide.targets.count == 1)
      // What reaches out of it is asked about, and so is all of it on another day.
      var beside = try shinjuku()
      beside.origin = try Coordinate(latitude: 35.72, longitude: 139.7003)
      let page = try await client.call(beside)
      #expect(page.guide.kind == .fresh && guide.targets.count == 2, "\(page.guide)")
      time.advance(by: .seconds(25 * 3_600))
      _ = try await client.call(try shinjuku())
      #expect(guide.targets.count == 3)
    }
  }

  @Test("what the guide has beyond its first hundred is asked for by who comes to the end of what was told")
  func furtherHundreds() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    guide.answer = { target in
      let first = target.contains("start=101&") ? 101 : 1
      return GuideStandIn.shops(
        (first...(first == 1 ? 100 : 150)).map { number in
          GuideStandIn.shop("J\(1_000_000 + number)", "店\(number)", north: Double(number) / 100_000)
        }, available: 150)
    }
    try await running(try flags(guide, folder)) { _, client in
      var request = try shinjuku()
      request.limit = 20
      #expect(try await client.call(request).places.count == 20 && guide.targets.count == 1)
      request.limit = 100
      var names: [String] = []
      repeat {
        let page = try await client.call(request)
        names += page.places.map(\.restaurant.name)
        request.after = page.next
      } while request.after != nil
      #expect(names.count == 150 && Set(names).count == 150 && guide.targets.count == 2)
      #expect(guide.targets[1].contains("start=101&count=100"), "\(guide.targets)")
    }
  }

  @Test("a request asks for one further hundred, though nothing in it fits, and says that there are more")
  func hundredsOfNothing() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    let time = ManualTime(wall: WallTime(milliseconds: 1_795_330_800_000))
    // The guide's circle is wider than the question: of its shops only the first thirty are near enough.
    guide.answer = { target in
      let first = [101, 201].first { target.contains("start=\($0)&") } ?? 1
      return GuideStandIn.shops(
        (first..<first + 100).map { number in
          GuideStandIn.shop("J\(1_000_000 + number)", "店\(number)", north: number <= 30 ? 0 : 0.009)
        }, available: 300)
    }
    try await running(try flags(guide, folder), time: time) { _, client in
      var request = try shinjuku { $0.metresMax = 600 }
      request.after = try await client.call(request).next
      var told: [GuideState.Kind] = []
      for _ in 0..<3 {
        time.advance(by: .seconds(1))
        let page = try await client.call(request)
        #expect(page.places.count == 10 && page.next == nil)
        told.append(page.guide.kind)
      }
      #expect(told == [.loading, .fresh, .fresh] && guide.targets.count == 3, "\(told), \(guide.targets)")
    }
  }

  @Test("nobody uses up the day's questions alone, and some are left to those who have been here before")
  func shares() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    guide.answer = { _ in GuideStandIn.shops([GuideStandIn.shop("J000000001", "居酒屋見本")]) }
    try await running(try flags(guide, folder, daily: 20)) { _, client in
      var serial = 0
      @MainActor func ask(_ network: String, _ user: String? = nil) async throws -> GuideState.Kind {
        serial += 1
        var request = try shinjuku()
        request.filter.genres = ["G\(serial)"]
        request.asker = GuideAsker(network: network, user: user.flatMap { UserID($0) })
        let guide = try await client.call(request).guide
        #expect(
          (guide.kind == .quota) == (guide.isShareUsed == true), "it is the asker's share that is used, not the day")
        return guide.kind
      }
      // A tenth of twenty each: from one address under many names, and under one name from many addresses.
      var kinds: [GuideState.Kind] = []
      for (network, user) in [("a", nil), ("a", nil), ("a", nil), ("a", "user_1")] {
        kinds.append(try await ask(network, user))
      }
      #expect(kinds == [.fresh, .fresh, .quota, .quota])
      kinds = []
      for network in ["b", "c", "d"] { kinds.append(try await ask(network, "user_2")) }
      #expect(kinds == [.fresh, .fresh, .quota])
      // Fifteen of twenty for strangers, two of which are gone.
      kinds = []
      for number in 0..<14 { kinds.append(try await ask("s\(number)")) }
      #expect(kinds.dropLast().allSatisfy { $0 == .fresh } && kinds.last == .quota)
      #expect(try await ask("t", "user_3") == .fresh)
      #expect(guide.targets.count == 18)
    }
  }

  @Test("a guide that asks for a pause gets it, and not one until the next day")
  func pause() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    let time = ManualTime(wall: WallTime(milliseconds: 1_795_330_800_000))
    guide.answer = { _ in GuideStandIn.shops([GuideStandIn.shop("J000000001", "居酒屋見本")]) }
    (guide.status, guide.fields) = (429, "Retry-After: 45\r\n")
    try await running(try flags(guide, folder), folder: folder, time: time) { _, client in
      let first = try await client.call(try shinjuku()).guide
      #expect(first.kind == .failed && first.retryAt == WallTime(milliseconds: time.wall.milliseconds + 45_000))
      (guide.status, guide.fields) = (200, "")
      time.advance(by: .seconds(44))
      #expect(try await client.call(try shinjuku()).guide.kind == .failed && guide.targets.count == 1)
      time.advance(by: .seconds(2))
      #expect(try await client.call(try shinjuku()).guide.kind == .fresh)
    }
  }

  @Test("the day's questions are counted, also over a restart, and the next day begins anew")
  func quota() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    let time = ManualTime(wall: WallTime(milliseconds: 1_795_330_800_000))
    guide.answer = { _ in GuideStandIn.shops([GuideStandIn.shop("J000000001", "居酒屋見本")]) }
    let settings = try flags(guide, folder, daily: 1)
    try await running(settings, folder: folder, time: time) { _, client in
      #expect(try await client.call(try shinjuku()).guide.kind == .fresh)
      let refused = try await client.call(try shinjuku { $0.filter.genres = ["G013"] })
      #expect(refused.guide.kind == .quota && refused.guide.retryAt ?? time.wall > time.wall)
    }
    try await running(settings, folder: folder, time: time) { _, client in
      let again = try await client.call(try shinjuku { $0.filter.genres = ["G013"] })
      #expect(again.guide.kind == .quota)
      #expect(guide.targets.count == 1)
      time.advance(by: .seconds(24 * 3_600))
      #expect(try await client.call(try shinjuku { $0.filter.genres = ["G013"] }).guide.kind == .fresh)
    }
  }

  @Test("who asks does not wait longer than is pleasant; the answer is there for the next")
  func loading() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    let time = ManualTime(wall: WallTime(milliseconds: 1_795_330_800_000))
    guide.answer = { _ in nil }
    try await running(try flags(guide, folder), time: time) { _, client in
      let request = try shinjuku()
      let first = Task { @MainActor in try await client.call(request) }
      await guide.asked(1)
      time.advance(by: .seconds(3))
      #expect(try await first.value.guide.kind == .loading)
      guide.release(GuideStandIn.shops([GuideStandIn.shop("J000000001", "居酒屋見本")]))
      // It joins the question that is under way, or finds its answer.
      let page = try await client.call(request)
      #expect(page.guide.kind == .fresh && page.places.count == 1 && guide.targets.count == 1)
    }
  }

  @Test("a restaurant of the guide that is not kept is asked for by its id")
  func byID() async throws {
    let (guide, folder) = (try GuideStandIn(), try TemporaryFolder())
    guide.answer = { _ in GuideStandIn.shops([GuideStandIn.shop("J000000009", "見本")]) }
    try await running(try flags(guide, folder)) { _, client in
      let id = RestaurantID("rest_J000000009")!
      let page = try await client.call(RestaurantsByID(ids: [id, RestaurantID("rest_mine")!]))
      #expect(page.places.map(\.restaurant.id) == [id])
      #expect(guide.targets.first?.contains("id=J000000009&") == true)
    }
  }
}

import Bookmarks
import Calendars
import Clocks
import Contracts
import RPC
import Testing

@Suite("Plans")
@MainActor
struct PlanTests {
  private func content(_ title: String) throws -> PlanContent { try .evening(title) }

  @Test(
    "a plan is kept with a link of its own, read by it, changed, and gone when removed", arguments: StoreKind.allCases)
  func life(kind: StoreKind) async throws {
    let rig = try await Rig(kind)
    let (user, other) = (try await rig.open(), try await rig.open())
    let key = rig.newKey()
    let made = try await rig.client.call(SavePlan(user: user, content: content("Friday")), CallOptions(key: key))
    #expect(made.plan.revision == 1 && made.plan.share.utf8.count == 22 && !made.isReplay)
    let again = try await rig.client.call(SavePlan(user: user, content: content("Friday")), CallOptions(key: key))
    #expect(again.isReplay && again.plan == made.plan)
    #expect(
      await code {
        try await rig.client.call(SavePlan(user: user, content: content("Monday")), CallOptions(key: key))
      } == .alreadyExists)
    #expect(try await rig.client.call(SharedPlan(share: made.plan.share)) == made.plan)
    let id = made.plan.id
    #expect(await code { try await rig.client.call(PlanOf(user: other, id: id)) } == .notFound)

    rig.time.advance(by: .seconds(1))
    let change = SavePlan(user: user, id: id, content: try content("Saturday"), ifRevision: 1)
    let changed = try await rig.client.call(change, CallOptions(key: rig.newKey())).plan
    #expect(changed.revision == 2 && changed.share == made.plan.share && changed.content.title == "Saturday")
    // Sent again under another key it changes nothing; something else under the old revision is refused.
    #expect(try await rig.client.call(change, CallOptions(key: rig.newKey())).plan == changed)
    let late = SavePlan(user: user, id: id, content: try content("Sunday"), ifRevision: 1)
    #expect(await code { try await rig.client.call(late, CallOptions(key: rig.newKey())) } == .failedPrecondition)

    let second = try await rig.client.call(
      SavePlan(user: user, content: content("Later")), CallOptions(key: rig.newKey())
    ).plan
    #expect(try await rig.client.call(ListPlans(user: user)).map(\.id) == [second.id, id])
    #expect(try await rig.client.call(RemovePlan(user: other, id: id)).rows == 0)
    #expect(try await rig.client.call(RemovePlan(user: user, id: id)).rows == 1)
    #expect(await code { try await rig.client.call(SharedPlan(share: made.plan.share)) } == .notFound)
    await rig.close()
  }

  @Test(
    "a change that is sent again is the same by what was asked, whatever was made of it", arguments: StoreKind.allCases)
  func repeated(kind: StoreKind) async throws {
    let rig = try await Rig(kind)
    let user = try await rig.open()
    let id = try await rig.client.call(SavePlan(user: user, content: content("a")), CallOptions(key: rig.newKey())).plan
      .id
    let key = rig.newKey()
    func save(_ asked: [UInt8], _ title: String, _ revision: Int64) async throws -> PlanReceipt {
      var request = SavePlan(user: user, id: id, content: try content(title), ifRevision: revision)
      request.asked = asked
      return try await rig.client.call(request, CallOptions(key: key))
    }
    let first = try await save([1, 2], "b", 1)
    #expect(first.plan.revision == 2 && !first.isReplay)
    let again = try await save([1, 2], "c", 2)
    #expect(again.isReplay && again.plan == first.plan)
    #expect(await code { try await save([1, 3], "b", 1) } == .alreadyExists)
    await rig.close()
  }

  @Test("plans have a bound, move with a device that is paired, and go with their user", arguments: StoreKind.allCases)
  func bounds(kind: StoreKind) async throws {
    var limits = BookmarkLimits()
    limits.plans = 2
    let rig = try await Rig(kind, limits: limits)
    let (user, heir) = (try await rig.open(), try await rig.open())
    func save(_ title: String) async throws -> Plan {
      try await rig.client.call(SavePlan(user: user, content: content(title)), CallOptions(key: rig.newKey())).plan
    }
    let first = try await save("a")
    _ = try await save("b")
    #expect(await code { try await save("c") } == .resourceExhausted)
    #expect(
      await code {
        try await rig.client.call(
          SavePlan(user: user, content: content(String(repeating: "x", count: 201))), CallOptions(key: rig.newKey()))
      } == .invalidArgument)
    let pairing = try await rig.client.call(BeginPairing(user: heir))
    _ = try await rig.client.call(FinishPairing(code: pairing.code, asking: user))
    #expect(try await rig.client.call(ListPlans(user: heir)).count == 2)
    #expect(try await rig.client.call(SharedPlan(share: first.share)).id == first.id)
    var document: [UInt8] = []
    for try await chunk in try await rig.client.stream(ExportUser(user: heir)) { document += chunk.bytes }
    #expect(String(decoding: document, as: UTF8.self).contains(first.share))
    _ = try await rig.client.call(EraseUser(user: heir))
    #expect(await code { try await rig.client.call(SharedPlan(share: first.share)) } == .notFound)
    await rig.close()
  }

  @Test("plans of two devices that are too many together stay apart", arguments: StoreKind.allCases)
  func tooManyTogether(kind: StoreKind) async throws {
    var limits = BookmarkLimits()
    limits.plans = 2
    let rig = try await Rig(kind, limits: limits)
    let (home, phone) = (try await rig.open(), try await rig.open())
    func save(_ title: String, _ user: UserID) async throws -> Plan {
      try await rig.client.call(SavePlan(user: user, content: content(title)), CallOptions(key: rig.newKey())).plan
    }
    let mine = try await save("a", home)
    let (first, second) = (try await save("b", phone), try await save("c", phone))
    let pairing = try await rig.client.call(BeginPairing(user: home))
    let request = FinishPairing(code: pairing.code, asking: phone)
    #expect(await code { try await rig.client.call(request) } == .resourceExhausted)
    #expect(try await rig.client.call(ListPlans(user: home)).map(\.id) == [mine.id])
    #expect(try await rig.client.call(ListPlans(user: phone)).count == 2)
    #expect(try await rig.client.call(RemovePlan(user: phone, id: first.id)).rows == 1)
    #expect(try await rig.client.call(request).id == home)
    #expect(Set(try await rig.client.call(ListPlans(user: home)).map(\.id)) == [mine.id, second.id])
    await rig.close()
  }
}

extension PlanContent {
  /// A film and a dinner before it.
  static func evening(_ title: String) throws -> PlanContent {
    let place = try Coordinate(latitude: 37.57, longitude: 126.97)
    return PlanContent(
      title: title,
      show: PlannedShow(
        showtime: try #require(ShowtimeID("show_1")), title: "괴물", cinema: try #require(CinemaID("emu")),
        cinemaName: "에무시네마", position: place, zone: try #require(ZoneName("Asia/Seoul")), startsAt: .start),
      dinner: PlannedDinner(
        restaurant: try #require(RestaurantID("rest_a")), mode: .before, name: "국수", position: place, walkMinutes: 4,
        sitFrom: .start, leaveBy: .start))
  }
}

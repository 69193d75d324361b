import Calendars
import Clocks
import Contracts
import Dining
import EventLoops
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// An operator who has the guide asked before anybody waits for it.
@Suite("Asking the guide ahead", .timeLimit(.minutes(5)))
@MainActor
struct SyncTests {
  private func running(
    _ guide: GuideStandIn, daily: Int, _ body: (ServiceRig, any RPCClient<DiningAPI>) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.writeSecret("0123456789abcdef\n", to: "hotpepper.key")
    let flags = ["hotpepper-key-file": path, "hotpepper-url": guide.url, "hotpepper-daily": "\(daily)"]
    try await ServiceRig.run(DiningService.program, flags: flags, folder: folder) { rig in
      let address = try rig.environment.data.adminSocket(of: "dining")
      try await body(rig, ServiceClient(of: DiningAPI.self, at: [.address(address)]))
    }
  }

  /// A directory of cinemas where the command looks for one: beside dining's own socket.
  private func withLocator(_ rig: ServiceRig, _ cinemas: [Cinema], _ body: () async throws -> Void) async throws {
    let router = RPCRouter(service: LocatorAPI.name)
    router.on(ListCinemas.self) { (request: ListCinemas, _: borrowing CallContext) in
      CinemaPage(
        cinemas: cinemas.filter { request.country == nil || $0.country == request.country }, hasMore: false, revision: 1
      )
    }
    let server = RPCServer(router, time: EventLoop.time)
    _ = try server.listen(on: rig.environment.data.adminSocket(of: "locator"))
    try await body()
    await server.drain()
  }

  private func cinema(_ id: String, _ country: String, _ latitude: Double, _ longitude: Double) throws -> Cinema {
    Cinema(
      id: CinemaID(id)!, name: id, country: country, region: "x",
      position: try Coordinate(latitude: latitude, longitude: longitude), zone: ZoneName("Asia/Tokyo")!)
  }

  @Test("it is asked around every cinema that it can know, once a day, and no further than the quota allows")
  func cinemas() async throws {
    let guide = try GuideStandIn()
    guide.answer = { _ in GuideStandIn.shops([GuideStandIn.shop("J000000001", "居酒屋見本")]) }
    try await running(guide, daily: 8) { rig, client in
      let cinemas = [
        try cinema("shinjuku", "JP", 35.69, 139.70), try cinema("ginza", "JP", 35.67, 139.76),
        try cinema("emu", "KR", 37.57, 126.97),
      ]
      try await withLocator(rig, cinemas) {
        let first = await rig.command("sync", "--json")
        #expect(first.code == .done && first.errors.contains("2 of 2 are known"), "\(first.errors)")
        #expect(guide.targets.count == 2 && guide.targets.allSatisfy { $0.contains("range=3") })
        #expect(guide.targets[1].contains("lat=35.670&lng=139.760"))
        // What is known costs nothing.
        #expect(await rig.command("sync").code == .done && guide.targets.count == 2)
        let area = await rig.command("sync", "Y055", "--json")
        #expect(area.code == .done && guide.targets.last?.contains("middle_area=Y055") == true)
        #expect(await rig.command("sync", "Q1").code == .usage)
        // A quarter of eight is left to those who ask themselves.
        let held = await rig.command("sync", "35.1,139.1", "--leave", "5")
        #expect(held.code == .partial && held.errors.contains("0 of 1 are known") && guide.targets.count == 3)
      }
      let page = try await client.call(RestaurantsByID(ids: [RestaurantID("rest_J000000001")!]))
      #expect(page.places.count == 1)
      let quota = await rig.command("quota", "--json")
      #expect(quota.output == #"{"used":3,"limit":8,"left":5,"on":true}"# + "\n" && quota.errors.contains("3 of 8"))
    }
  }

  @Test("the guide's own lists of genres and budgets are asked for, kept, and shown with what no restaurant has")
  func lists() async throws {
    let guide = try GuideStandIn()
    guide.answer = { target in
      target.contains("/genre/v1/")
        ? #"{"results":{"api_version":"1.30","genre":[{"code":"G001","name":"居酒屋"},{"code":"G014","name":"カフェ"}]}}"#
        : GuideStandIn.error(2_000, "no key of ours")
    }
    try await running(guide, daily: 100) { rig, client in
      let synced = await rig.command("genres", "sync", "--tsv")
      #expect(synced.code == .done && synced.output.contains("G014\tカフェ"), "\(synced.errors)")
      #expect(synced.errors.contains("2 genres · 2 new"))
      #expect(guide.targets.first?.contains("key=0123456789abcdef&format=json") == true)
      let known = try await client.call(DiningVocabulary())
      #expect(known.genres.map(\.code) == ["G001", "G014"] && known.genres.allSatisfy { $0.count == 0 })
      #expect(await rig.command("genres").output == (await rig.command("codes", "genres").output))
      let refused = await rig.command("budgets", "sync")
      #expect(refused.code != .done && refused.errors.contains("it refuses our key"))
      // Until somebody has looked after the key it is left alone.
      let again = await rig.command("genres", "sync")
      #expect(again.code != .done && guide.targets.count == 2)
    }
  }

  @Test("another key is taken with a reload; what the guide still says of the one before does not hold it back")
  func anotherKey() async throws {
    let guide = try GuideStandIn()
    guide.answer = { target in
      target.contains("key=fedcba9876543210")
        ? #"{"results":{"genre":[{"code":"G001","name":"居酒屋"}]}}"#
        : target.contains("/budget/") ? nil : GuideStandIn.error(2_000, "no key of ours")
    }
    try await running(guide, daily: 100) { rig, _ in
      let late = Task { await rig.command("budgets", "sync") }
      await guide.asked(1)
      #expect(await rig.command("genres", "sync").errors.contains("it refuses our key"))
      _ = try rig.folder.writeSecret("fedcba9876543210\n", to: "hotpepper.key")
      let reloaded = await rig.command("reload")
      #expect(reloaded.code == .done, "\(reloaded.errors)")
      let taken = await rig.command("genres", "sync")
      #expect(taken.code == .done, "\(taken.errors)")
      guide.release(GuideStandIn.error(2_000, "no key of ours"))
      #expect(await late.value.code != .done)
      #expect(await rig.command("genres", "sync").code == .done)
    }
  }

  @Test("every list of codes that the guide keeps is asked for under its own name, also where it is long")
  func allLists() async throws {
    let guide = try GuideStandIn()
    guide.answer = { target in
      let list = target.split(separator: "/")[1]
      let count = list == "small_area" ? 1_500 : 1
      let codes = (1...count).map { #"{"code":"\#(list)\#($0)","name":"\#(list) \#($0)"}"# }
      return #"{"results":{"\#(list)":[\#(codes.joined(separator: ","))]}}"#
    }
    try await running(guide, daily: 100) { rig, client in
      let kinds = [
        "genres", "budgets", "large-service-areas", "service-areas", "large-areas", "middle-areas", "small-areas",
        "cards", "specials", "special-categories",
      ]
      for kind in kinds {
        let synced = await rig.command("codes", kind, "--sync")
        #expect(synced.code == .done, "\(kind): \(synced.errors)")
      }
      let asked = guide.targets.map { String($0.split(separator: "/")[1]) }
      #expect(
        asked == [
          "genre", "budget", "large_service_area", "service_area", "large_area", "middle_area", "small_area",
          "credit_card", "special", "special_category",
        ])
      let known = try await client.call(DiningVocabulary())
      #expect(known.smallAreas?.count == 1_500 && known.middleAreas?.map(\.name) == ["middle_area 1"])
      #expect(known.specialCategories?.first?.count == 0)
      let none = await rig.command("codes", "features", "--sync")
      #expect(none.code == .usage && none.errors.contains("the guide has no list of features"))
      #expect(guide.targets.count == kinds.count)
    }
  }

  @Test("codes of areas, cards and themes are those of the restaurants, of every size")
  func codes() async throws {
    let guide = try GuideStandIn()
    guide.answer = { _ in GuideStandIn.shops([GuideStandIn.shop("J000000001", "居酒屋見本")]) }
    try await running(guide, daily: 8) { rig, client in
      #expect(await rig.command("sync", "35.69,139.70").code == .done)
      let codes = try await client.call(DiningVocabulary())
      let areas = [codes.largeServiceAreas, codes.serviceAreas, codes.largeAreas, codes.middleAreas, codes.smallAreas]
      #expect(areas.map { $0?.first?.code } == ["SS10", "SA11", "Z011", "Y055", "X001"])
      #expect(codes.creditCards?.map(\.name) == ["VISA"] && codes.specials?.map(\.code) == ["LT0001"])
      #expect(codes.specialCategories?.map(\.code) == ["SPA0"])
      #expect(await rig.command("codes", "cards").output.contains("VISA"))
    }
  }
}

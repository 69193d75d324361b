import Calendars
import Clocks
import Contracts
import Gateway
import RPC
import Testing

/// From where the page looks while nobody has said where they are.
@Suite("The place of the page")
@MainActor
struct HomePlaceTests {
  private let london = Region(
    id: "greater-london", name: "Greater London", country: "GB", cinemas: 2,
    center: try! Coordinate(latitude: 51.5, longitude: -0.1))
  private let busan = Region(
    id: "busan", name: "부산", nameEnglish: "Busan", country: "KR", cinemas: 5,
    center: try! Coordinate(latitude: 35.2, longitude: 129.1))

  private func look(
    _ home: HomePlace, _ sources: [ScheduleSource], _ regions: [Region], _ cinemas: [Cinema] = []
  ) async throws {
    let (scraper, locator) = (RPCRouter(service: "scraper"), RPCRouter(service: "locator"))
    scraper.on(Sources.self) { (_: Sources, _: borrowing CallContext) in sources }
    locator.on(Regions.self) { (_: Regions, _: borrowing CallContext) in regions }
    locator.on(CinemasByID.self) { (request: CinemasByID, _: borrowing CallContext) in
      cinemas.filter { request.ids.contains($0.id) }
    }
    let time = ManualTime()
    try await home.look(
      InProcessClient(of: LocatorAPI.self, locator, time: time),
      InProcessClient(of: ScraperAPI.self, scraper, time: time), CallOptions(timeout: .seconds(1)))
  }

  private func source(_ id: String, _ state: SourceState = .ok, isDemo: Bool? = nil) -> ScheduleSource {
    ScheduleSource(id: id, cinema: CinemaID(id)!, name: id, state: state, isDemo: isDemo)
  }

  private func cinema(_ id: String, in region: Region) -> Cinema {
    Cinema(
      id: CinemaID(id)!, name: id, country: region.country, region: region.id, position: region.center,
      zone: ZoneName("UTC")!)
  }

  @Test("it is the middle of the region with the most cinemas, and of those the one where programmes are read")
  func most() async throws {
    let home = HomePlace()
    #expect(home.place == HomePlace.demoWorld)
    try await look(home, [], [london, busan])
    #expect(home.place.position == busan.center && home.place.region == busan)
    let cinemas = [cinema("rio", in: london), cinema("sea", in: busan)]
    try await look(home, [source("rio"), source("sea", .disabled)], [london, busan], cinemas)
    #expect(home.place.position == london.center)
    try await look(home, [source("rio", .disabled)], [london, busan], cinemas)
    #expect(home.place.position == busan.center)
    try await look(home, [], [])
    #expect(home.place == HomePlace.demoWorld)
  }

  @Test("the demo world's is its own, and what an operator sets stays")
  func fixed() async throws {
    let home = HomePlace()
    try await look(home, [source("rio", isDemo: true)], [london], [cinema("rio", in: london)])
    #expect(home.place == HomePlace.demoWorld && home.isDemo)
    let set = HomePlace(set: busan.center)
    try await look(set, [source("rio", isDemo: true)], [london], [cinema("rio", in: london)])
    #expect(set.place.position == busan.center && set.isDemo, "what is invented is so wherever one looks from")
    try await look(set, [source("rio")], [london], [cinema("rio", in: london)])
    #expect(set.place.position == busan.center && !set.isDemo)
  }

  @Test("the page says what the operator set, and does not call it Seoul")
  func page() async throws {
    let gateway = GatewayFixture { $0.home = try! Coordinate(latitude: 51.5, longitude: -0.1) }
    let page = await gateway.ask("/?lang=en").text
    #expect(page.contains(#"data-at="51.5,-0.1" data-name="the chosen place""#), "\(page.prefix(600))")
    #expect(!page.contains("Gwanghwamun"))
    #expect(await GatewayFixture().ask("/?lang=en").text.contains("Gwanghwamun"))
  }
}

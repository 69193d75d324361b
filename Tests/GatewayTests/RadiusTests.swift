import Clocks
import Contracts
import GatewayFakes
import JSON
import Testing

/// Where more cinemas are near than one answer of the locator tells.
@Suite("Lists within a radius", .timeLimit(.minutes(5)))
@MainActor
struct RadiusTests {
  private let gateway = GatewayFixture()
  private static let here = "near=37.5663,126.9779"

  /// So many beside the lantern, each a metre further north.
  private func crowd(_ count: Int) throws {
    let lantern = try #require(gateway.world.locator.cinemas.first)
    for number in 1...count {
      var cinema = lantern
      cinema.id = try #require(CinemaID("crowd-\(number)"))
      cinema.name = "Crowd \(number)"
      cinema.position = try Coordinate(
        latitude: lantern.position.latitude + Double(number) / 111_320, longitude: lantern.position.longitude)
      gateway.world.locator.cinemas.append(cinema)
    }
  }

  @Test("all of them are listed, page by page")
  func pages() async throws {
    try crowd(250)
    var (ids, after, pages) = ([String](), "", 0)
    while pages < 4 {
      let page = await gateway.ask("/v1/cinemas?\(Self.here)&radius_m=500&limit=100\(after)").json
      ids += page["data"]?.array?.compactMap { $0["id"]?.string } ?? []
      pages += 1
      #expect(page["hint"] == nil)
      guard let next = page["next_cursor"]?.string else { break }
      after = "&cursor=\(next)"
    }
    #expect(ids == ["lantern"] + (1...250).map { "crowd-\($0)" })
    #expect(pages == 3)
  }

  @Test("what plays in the furthest of them is found as well")
  func showtimes() async throws {
    try crowd(150)
    let page = await gateway.ask("/v1/showtimes?\(Self.here)&radius_m=5000&cinema=moonlight").json
    #expect(page["data"]?.array?.isEmpty == false && page["hint"] == nil)
  }

  @Test("cinemas that are open on a day fill their pages, however many are not")
  func openOn() async throws {
    try crowd(150)
    let page = await gateway.ask("/v1/cinemas?\(Self.here)&radius_m=500000&open_on=2026-11-23&limit=2").json
    // The lantern shows films, the crowd is known to nobody, and the next that shows any is behind it.
    #expect(page["data"]?.array?.compactMap { $0["id"]?.string } == ["lantern", "moonlight"])
  }

  @Test("a film's showings are told to the last, page by page, those of the nearest cinema first")
  func showingsOfAFilm() async throws {
    let film = try #require(gateway.world.scraper.films.first?.id)
    let directory = await gateway.ask("/v1/cinemas?limit=100").json["data"]?.array ?? []
    let listed = Set(directory.compactMap { $0["id"]?.string })
    for near in ["", "&\(Self.here)"] {
      var (starts, metres, after, pages) = ([String](), [Int](), "", 0)
      while pages < 30 {
        let page = await gateway.ask("/v1/films/\(film)/showtimes?limit=10\(near)\(after)").json
        for item in page["data"]?.array ?? [] {
          starts.append(item["id"]?.string ?? "")
          metres += item["cinema"]?["distance_m"]?.int.map { [$0] } ?? []
        }
        pages += 1
        guard let next = page["next_cursor"]?.string else { break }
        after = "&cursor=\(next)"
        gateway.time.advance(by: .seconds(1))
      }
      let all = await gateway.ask("/v1/films/\(film)/showtimes?limit=200").json["data"]?.array ?? []
      // Whether a cinema is near is known of those that are in the directory.
      let known = near.isEmpty ? all : all.filter { listed.contains($0["cinema"]?["id"]?.string ?? "") }
      #expect(pages > 2 && Set(starts).count == starts.count, "\(near) \(pages) \(starts.count)")
      #expect(starts.count == known.count, "\(near)")
      #expect(metres == metres.sorted() && metres.isEmpty == near.isEmpty)
    }
  }

  @Test("a map of more than a thousand says that it lacks some")
  func map() async throws {
    try crowd(1_000)
    let all = await gateway.ask("/v1/cinemas.geojson").json
    #expect(all["features"]?.array?.count == 1_000)
    #expect(all["hint"]?.string == "only 1000 cinemas are told; give a bbox")
    let box = await gateway.ask("/v1/cinemas.geojson?bbox=126,37,128,38").json
    #expect(box["hint"]?.string == "only 1000 cinemas are told; give a smaller bbox")
    #expect(await gateway.ask("/v1/cinemas.geojson?bbox=126.9,37.5663,127,37.5673").json["hint"] == nil)
  }

  @Test("of more than a thousand the nearest are looked at, and the answer says so")
  func cut() async throws {
    try crowd(1_000)
    for path in ["/v1/cinemas?sort=name&limit=1&", "/v1/showtimes?limit=1&"] {
      let all = await gateway.ask("\(path)\(Self.here)&radius_m=20000").json
      #expect(all["hint"]?.string == "only the nearest 1000 cinemas were looked at; give a smaller radius_m", "\(path)")
      #expect(await gateway.ask("\(path)\(Self.here)&radius_m=300").json["hint"] == nil, "\(path)")
    }
  }

  @Test("exactly a thousand are all there are, and nothing says that there are more")
  func whole() async throws {
    // Two are there already.
    try crowd(998)
    let box = await gateway.ask("/v1/cinemas.geojson?bbox=126,37,128,38").json
    #expect(box["features"]?.array?.count == 1_000 && box["hint"] == nil, "\(box["hint"]?.string ?? "")")
    for path in [
      "/v1/cinemas?sort=name&limit=1&radius_m=20000&\(Self.here)", "/v1/cinemas?sort=name&limit=1&bbox=126,37,128,38",
      "/v1/showtimes?limit=1&radius_m=20000&\(Self.here)",
    ] {
      #expect(await gateway.ask(path).json["hint"] == nil, "\(path)")
    }
  }
}

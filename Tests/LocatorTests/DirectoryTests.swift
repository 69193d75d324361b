import Atlas
import Calendars
import Contracts
import Locator
import RPC
import Testing

/// The known cinemas, as a fresh directory has them.
let knownCinemas: [Cinema] = {
  do {
    return try Atlas.all.flatMap { try CinemaTable.read($0.bytes, named: $0.name).cinemas(zones: ZoneDirectory()) }
  } catch {
    preconditionFailure("\(error)")
  }
}()

/// A cinema of which only what matters to a test is said.
func cinema(
  _ id: String, _ latitude: Double = 37.57, _ longitude: Double = 126.97, name: String? = nil, region: String = "seoul",
  country: String = "KR", zone: String = "Asia/Seoul", isActive: Bool = true
) throws -> Cinema {
  Cinema(
    id: try #require(CinemaID(id)), name: name ?? id, country: country, region: region,
    position: try Coordinate(latitude: latitude, longitude: longitude), zone: try #require(ZoneName(zone)),
    isActive: isActive)
}

@Suite("Directory")
struct DirectoryTests {
  private let known = Directory(knownCinemas, revision: 7)

  @Test(
    "the nearest three are what measuring on the globe says, within one per cent",
    arguments: [
      ("Seoul City Hall", 37.5663, 126.9779, [("cinecube", 624), ("emu", 1_015), ("momo", 2_775)]),
      ("Gangnam", 37.4979, 127.0276, [("city-cinema", 282), ("ku-cinematheque", 6_411), ("cinecube", 9_357)]),
      ("Busan station", 35.1151, 129.0422, [("corner-theater", 1_928), ("rhizome", 43_585), ("oo", 93_482)]),
      (
        "Jeju airport", 33.5104, 126.4914,
        [("mm", 144_385), ("gwangju-independent", 186_218), ("gwangju-theater", 186_345)]
      ),
    ])
  func nearest(place: String, latitude: Double, longitude: Double, expected: [(String, Int)]) throws {
    let found = known.nearest(to: try Coordinate(latitude: latitude, longitude: longitude), limit: 3)
    for (near, (id, metres)) in zip(found, expected) {
      #expect(near.cinema.id.text.contains(id), "\(place)")
      #expect(abs(near.metres - Double(metres)) <= Double(metres) / 100, "\(place)")
    }
    #expect(found.count == 3)
  }

  @Test("none is further than what was asked for")
  func bound() throws {
    let origin = try Coordinate(latitude: 37.5663, longitude: 126.9779)
    #expect(known.nearest(to: origin, limit: 10, metresMax: 1_100).map(\.cinema.id.text) == ["cinecube", "emu"])
    #expect(known.nearest(to: origin, limit: 10, metresMax: 100).isEmpty)
  }

  @Test("closed cinemas are found by id and in lists that ask for them, and nowhere else")
  func closed() throws {
    let closed = try #require(knownCinemas.first { !$0.isActive })
    #expect(known[closed.id] == closed)
    #expect(known.nearest(to: closed.position, limit: 100).allSatisfy { $0.cinema.isActive })
    #expect(known.cinemas(named: closed.name, limit: 100).allSatisfy { $0.cinema.isActive })
    #expect(known.page(ListCinemas(limit: 1_000)).cinemas.count == knownCinemas.count - 1)
    #expect(known.page(ListCinemas(limit: 1_000, includesInactive: true)).cinemas.count == knownCinemas.count)
  }

  @Test("a box across the 180th meridian holds both sides of it")
  func box() throws {
    let directory = Directory(
      [try cinema("suva", -18.1, 178.4), try cinema("apia", -13.8, -171.8), try cinema("tokyo", 35.7, 139.7)],
      revision: 1)
    let pacific = directory.cinemas(
      from: try Coordinate(latitude: -30, longitude: 170), to: try Coordinate(latitude: 0, longitude: -170), limit: 10)
    #expect(pacific.map(\.id.text) == ["apia", "suva"])
    let rest = directory.cinemas(
      from: try Coordinate(latitude: -90, longitude: -170), to: try Coordinate(latitude: 90, longitude: 170), limit: 10)
    #expect(rest.map(\.id.text) == ["tokyo"])
  }

  @Test("pages follow each other without a gap, by region and country too")
  func pages() throws {
    var ids: [String] = []
    var after: CinemaID?
    repeat {
      let page = known.page(ListCinemas(country: "KR", after: after, limit: 7))
      #expect(page.cinemas.count == 7 || !page.hasMore)
      #expect(page.revision == 7)
      ids += page.cinemas.map(\.id.text)
      after = page.hasMore ? page.cinemas.last?.id : nil
    } while after != nil
    #expect(ids == knownCinemas.filter { $0.country == "KR" && $0.isActive }.map(\.id.text).sorted())
    let seoul = known.page(ListCinemas(region: "서울", limit: 100)).cinemas
    #expect(seoul.count == 10 && seoul.allSatisfy { $0.region == "seoul" })
    #expect(known.page(ListCinemas(region: "atlantis", limit: 100)).cinemas.isEmpty)
  }

  @Test("regions have the names that people there use, and the middle of their cinemas")
  func regions() throws {
    let seoul = try #require(known.regions.first { $0.id == "seoul" })
    #expect(seoul.name == "서울" && seoul.nameEnglish == "Seoul" && seoul.cinemas == 10)
    #expect(abs(seoul.center.latitude - 37.57) < 0.1)
    #expect(known.regions.map(\.cinemas).reduce(0, +) == knownCinemas.count { $0.isActive })
    let unknown = Directory([try cinema("a", 52.4, 4.8, region: "north-holland", country: "NL")], revision: 1)
    #expect(unknown.regions.map(\.name) == ["North Holland"])
    let pacific = Directory(
      [try cinema("w", 0, 179, region: "x"), try cinema("e", 0, -179, region: "x")], revision: 1)
    #expect(abs(abs(pacific.regions[0].center.longitude) - 180) < 0.001)
  }

  @Test(
    "a cinema is found as people write it",
    arguments: [
      ("ㅆㄴㅋ", "cinecube"), ("씨네큐브", "cinecube"), ("cinecube", "cinecube"),
      ("Cinecbue", "cinecube"), ("에무", "emu"), ("prince charles", "prince-charles"), ("london rio", "rio"),
      ("아리랑", "arirang"),
    ])
  func search(text: String, id: String) {
    #expect(known.cinemas(named: text, limit: 5).first?.cinema.id.text == id)
  }

  @Test("among equals the nearer one stands first, and what matched can be shown")
  func searchNear() throws {
    let pair = Directory(
      [try cinema("a", 35, 129, name: "Rex"), try cinema("b", 37, 127, name: "Rex")], revision: 1)
    let seoul = try Coordinate(latitude: 37.5, longitude: 127)
    let hits = pair.cinemas(named: "re", limit: 5, origin: seoul)
    #expect(hits.map(\.cinema.id.text) == ["b", "a"])
    #expect(hits[0].matched == "Rex" && hits[0].highlights == [0, 2])
    #expect(pair.cinemas(named: "re", limit: 5).map(\.cinema.id.text) == ["a", "b"])
  }

  @Test("an empty directory answers everything with nothing")
  func empty() throws {
    let empty = Directory.empty
    let here = try Coordinate(latitude: 0, longitude: 0)
    #expect(empty.nearest(to: here, limit: 3).isEmpty)
    #expect(empty.cinemas(from: here, to: here, limit: 3).isEmpty)
    #expect(empty.cinemas(named: "a", limit: 3).isEmpty)
    #expect(empty.regions.isEmpty)
    #expect(!empty.page(ListCinemas(limit: 3)).hasMore)
    #expect(empty[try #require(CinemaID("a"))] == nil)
  }
}

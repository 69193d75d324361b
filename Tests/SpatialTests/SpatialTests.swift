import Clocks
import Foundation
import Spatial
import Testing

private typealias Place = (latitude: Double, longitude: Double)

private func haversine(_ from: Place, _ to: Place) -> Double {
  let (a, b) = (from.latitude * .pi / 180, to.latitude * .pi / 180)
  let (halfHeight, halfWidth) = (sin((b - a) / 2), sin((to.longitude - from.longitude) * .pi / 360))
  return 2 * 6_371_008.8
    * asin(min(1, (halfHeight * halfHeight + cos(a) * cos(b) * halfWidth * halfWidth).squareRoot()))
}

@Suite("Globe index")
struct GlobeIndexTests {
  /// Compares with measuring every point: the distances must be the same, and each must be its point's.
  private func compare(_ points: [Place], _ origins: [Place], limit: Int, metresMax: Double = .infinity) {
    let index = GlobeIndex(points)
    for origin in origins {
      let wanted = points.map { haversine(origin, $0) }.filter { $0 <= metresMax }.sorted().prefix(limit)
      let found = index.nearest(
        limit, latitude: origin.latitude, longitude: origin.longitude, metresMax: metresMax)
      #expect(found.count == wanted.count, "\(origin)")
      #expect(Set(found.map(\.point)).count == found.count)
      for (one, metres) in zip(found, wanted) {
        // Points are held to some millimetres. Near the other side of the earth a straight line says less about the
        // way: metres there.
        let slack = 0.02 + max(0, metres - 1.5e7) / 1e5
        #expect(abs(one.metres - metres) < slack, "\(origin)")
        #expect(abs(haversine(origin, points[one.point]) - one.metres) < slack)
      }
    }
  }

  private func random(
    _ count: Int, seed: UInt64, _ latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>
  )
    -> [Place]
  {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in
      (Double.random(in: latitudes, using: &random), Double.random(in: longitudes, using: &random))
    }
  }

  @Test("finds what measuring every point finds, on the whole globe and in one town", arguments: [1, 3, 10, 100])
  func control(limit: Int) {
    let everywhere = random(3_000, seed: 1, -90...90, -180...180)
    compare(everywhere, random(60, seed: 2, -90...90, -180...180), limit: limit)
    let town = random(3_000, seed: 3, 37.4...37.7, 126.8...127.2)
    compare(town, random(40, seed: 4, 37.4...37.7, 126.8...127.2) + [(0, 0), (-37, -53)], limit: limit)
  }

  @Test("every number of points, from none on", arguments: 0...40)
  func small(count: Int) {
    compare(random(count, seed: UInt64(count), -90...90, -180...180), [(0, 0), (37, 127), (-90, 0)], limit: 3)
  }

  @Test("poles and the 180th meridian are places like all others")
  func special() {
    let poles = random(400, seed: 5, 89...90, -180...180) + random(400, seed: 6, -90...(-89), -180...180)
    compare(poles, [(90, 0), (90, 179), (-90, -45), (89.9, 180), (89.9, -180), (0, 0)], limit: 5)
    let meridian = random(400, seed: 7, -1...1, 179...180) + random(400, seed: 8, -1...1, -180...(-179))
    compare(meridian, [(0, 180), (0, -180), (0.5, 179.999), (0.5, -179.999)], limit: 5)
  }

  @Test("equal points, points in a line and grids are found as others are")
  func degenerate() {
    let same = Array(repeating: (latitude: 51.5, longitude: -0.1), count: 500)
    compare(same, [(51.5, -0.1), (0, 0)], limit: 7)
    let line = (0..<500).map { (latitude: 0.0, longitude: Double($0) / 10) }
    compare(line, [(0, 25), (10, 25), (0, -90)], limit: 7)
    let grid = (0..<20).flatMap { row in (0..<20).map { (latitude: Double(row), longitude: Double($0)) } }
    compare(grid, [(9.5, 9.5), (5, 5), (-3, 30)], limit: 9)
    compare(same + line + grid, [(51, 0), (0, 0)], limit: 20)
  }

  @Test("nothing is further than the bound, and what is exactly at it is within")
  func bound() {
    let points = random(1_000, seed: 9, 37...38, 126...128)
    compare(points, [(37.5, 127)], limit: 1_000, metresMax: 20_000)
    let one = GlobeIndex([(latitude: 0, longitude: 0), (latitude: 0, longitude: 1)])
    let metres = one.nearest(2, latitude: 0, longitude: 0)[1].metres
    #expect(one.nearest(2, latitude: 0, longitude: 0, metresMax: metres).count == 2)
    #expect(one.nearest(2, latitude: 0, longitude: 0, metresMax: metres - 1).count == 1)
    #expect(one.nearest(2, latitude: 0, longitude: 0, metresMax: -1).isEmpty)
    #expect(one.nearest(2, latitude: 0, longitude: 0, metresMax: 1e9).count == 2)
  }

  @Test("a question that makes no sense has no answer")
  func nonsense() {
    let index = GlobeIndex([(latitude: 0, longitude: 0)])
    #expect(index.nearest(0, latitude: 0, longitude: 0).isEmpty)
    #expect(index.nearest(-1, latitude: 0, longitude: 0).isEmpty)
    #expect(index.nearest(1, latitude: .nan, longitude: 0).isEmpty)
    #expect(index.nearest(1, latitude: 0, longitude: 0, metresMax: .nan).isEmpty)
    #expect(GlobeIndex([]).nearest(3, latitude: 0, longitude: 0).isEmpty)
  }
}

@Suite("Box index")
struct BoxIndexTests {
  @Test("finds what looking at every point finds, across the 180th meridian too")
  func control() {
    var random = SeededRandom(seed: 10)
    let points: [Place] = (0..<2_000).map { _ in
      (Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
    }
    let index = BoxIndex(points)
    for _ in 0..<200 {
      let sides = (Double.random(in: -90...90, using: &random), Double.random(in: -90...90, using: &random))
      let box = MapBox(
        south: min(sides.0, sides.1), west: .random(in: -180...180, using: &random), north: max(sides.0, sides.1),
        east: .random(in: -180...180, using: &random))
      let wanted = points.indices.filter { place in
        let (latitude, longitude) = points[place]
        let isInside =
          box.west <= box.east
          ? longitude >= box.west && longitude <= box.east : longitude >= box.west || longitude <= box.east
        return latitude >= box.south && latitude <= box.north && isInside
      }
      #expect(index.points(in: box, limit: .max) == wanted)
      #expect(index.points(in: box, limit: 5) == Array(wanted.prefix(5)))
    }
  }

  @Test("edges are inside, a pole has every longitude, and 180° is both ends of the map")
  func edges() {
    let points: [Place] = [(10, 20), (90, 100), (0, 180), (0, -180)]
    let index = BoxIndex(points)
    #expect(index.points(in: MapBox(south: 10, west: 20, north: 10, east: 20), limit: 9) == [0])
    #expect(index.points(in: MapBox(south: 80, west: -10, north: 90, east: 10), limit: 9) == [1])
    #expect(index.points(in: MapBox(south: -1, west: 170, north: 1, east: 180), limit: 9) == [2, 3])
    #expect(index.points(in: MapBox(south: -1, west: 170, north: 1, east: -170), limit: 9) == [2, 3])
    #expect(index.points(in: MapBox(south: 5, west: -180, north: -5, east: 180), limit: 9).isEmpty)
  }
}

import Contracts
import RPC
import Testing
import Wire

@Suite("Contracts")
struct ContractTests {
  static let methods: [(name: String, id: MethodID)] = [
    ("Ping", Ping.method), ("DescribeService", DescribeService.method), ("ServerStatus", ServerStatus.method),
    ("InjectFault", InjectFault.method), ("NearestCinemas", NearestCinemas.method),
  ]

  @Test("no two requests share a method number")
  func unique() {
    #expect(Set(Self.methods.map(\.id)).count == Self.methods.count)
  }

  @Test(
    "a point off the globe cannot be made, and says what to give", arguments: [(91.0, 0.0), (0, -180.5), (.nan, 0)])
  func offTheGlobe(latitude: Double, longitude: Double) {
    let error = #expect(throws: RPCError.self) { try Coordinate(latitude: latitude, longitude: longitude) }
    #expect(error?.code == .invalidArgument && error?.message.contains("give one of") == true)
  }

  @Test("a point off the globe cannot be decoded either")
  func undecodable() throws {
    struct Point: Codable { var latitude, longitude: Double }
    let bytes = try Wire.encode(Point(latitude: 91, longitude: 0))
    #expect(throws: WireError.self) { try Wire.decode(Coordinate.self, from: bytes) }
  }

  @Test("requests and answers come back equal")
  func roundTrip() throws {
    let position = try Coordinate(latitude: 37.5694, longitude: 126.9723)
    let request = try Wire.decode(
      NearestCinemas.self, from: Wire.encode(NearestCinemas(origin: position, limit: 3)))
    #expect(request.origin == position && request.limit == 3)
    let cinemas = [
      NearbyCinema(id: "cinecube", name: "씨네큐브광화문", address: "서울 종로구 새문안로 68", position: position, metres: 624)
    ]
    #expect(try Wire.decode([NearbyCinema].self, from: Wire.encode(cinemas)) == cinemas)
  }

  // The bytes of the first release: whoever changes them changes what every deployed peer reads.
  @Test("the golden bytes of NearestCinemas are still written and still read")
  func golden() throws {
    let request = NearestCinemas(origin: try Coordinate(latitude: 37.5, longitude: 127), limit: 3)
    #expect(try Wire.decode(NearestCinemas.self, from: Golden.nearestCinemas).limit == 3)
    #expect(try Wire.decode(NearestCinemas.self, from: Golden.nearestCinemas).origin == request.origin)
  }
}

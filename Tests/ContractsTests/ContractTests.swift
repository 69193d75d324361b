import Calendars
import Contracts
import Foundation
import RPC
import Testing
import Wire

@Suite("Contracts")
struct ContractTests {
  static let administrators: [any RPCRequest.Type] = [
    Ping.self, DescribeService.self, ServerStatus.self, InjectFault.self, ReadFaults.self,
  ]

  @Test("what holds a secret is confidential: keys, codes to type or show, links that let others in")
  func confidential() {
    let confidential = AllContracts.requests.filter { $0.isConfidential }.map { "\($0)" }
    #expect(
      Set(confidential) == [
        "RotateFeedKey", "UserOfFeedKey", "BeginPairing", "FinishPairing", "CheckInTicket", "ReadCodes", "SavePlan",
        "PlanOf", "ListPlans", "SharedPlan",
      ])
    for request in AllContracts.requests where !request.isConfidential {
      let fields = FieldProbe.fields(of: request) + FieldProbe.fields(of: request.anyResponse)
      let texts = fields.filter { $0.type.contains("String") }.map { String($0.name.split(separator: ".").last ?? "") }
      let secrets = Set(texts).intersection(["key", "secret", "token", "password", "staff", "share"])
      #expect(secrets.isEmpty, "\(request) has \(secrets.sorted()): is it confidential?")
    }
  }

  @Test("no two requests share a method number")
  func unique() {
    let requests = Self.administrators + AllContracts.requests
    let methods = requests.map { $0.method } + AllContracts.streams.map { $0.method }
    #expect(Set(methods).count == methods.count)
  }

  @Test("every contract is in the list of all")
  func listed() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Shared/Contracts")
      .standardized
    let listed = Set(AllContracts.requests.map { "\($0)" } + AllContracts.streams.map { "\($0)" })
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var declared = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      where line.contains(": RPCRequest") || line.contains(": RPCStreamRequest") {
        guard line.hasPrefix("package struct ") else { continue }
        let name = String(line.dropFirst("package struct ".count).prefix { $0 != ":" })
        #expect(listed.contains(name), "add \(name) to AllContracts")
        declared += 1
      }
    }
    #expect(declared == listed.count)
  }

  @Test("an id is of letters, digits, dots, hyphens and underscores", arguments: ["cinecube", "film_8k2q", "KU-1.2"])
  func ids(text: String) throws {
    let id = try #require(CinemaID(text))
    #expect(try Wire.decode(CinemaID.self, from: Wire.encode(id)) == id)
  }

  @Test(
    "what is no id is not read as one",
    arguments: ["", "-a", "a b", "a/b", "../a", "시네", String(repeating: "a", count: 81)])
  func noIDs(text: String) throws {
    #expect(CinemaID(text) == nil)
    #expect(throws: WireError.self) { try Wire.decode(CinemaID.self, from: Wire.encode(text)) }
  }

  @Test("a metre is a metre, over the pole and over the 180th meridian too")
  func distances() throws {
    let cityHall = try Coordinate(latitude: 37.5663, longitude: 126.9779)
    let airport = try Coordinate(latitude: 33.5104, longitude: 126.4914)
    #expect(abs(cityHall.metres(to: airport) - 453_100) < 1_000)
    let west = try Coordinate(latitude: 0, longitude: 179.5)
    let east = try Coordinate(latitude: 0, longitude: -179.5)
    #expect(abs(west.metres(to: east) - 111_195) < 100 && abs(west.bearing(to: east) - 90) < 0.01)
    let pole = try Coordinate(latitude: 89.5, longitude: 0)
    #expect(abs(pole.metres(to: try Coordinate(latitude: 89.5, longitude: 180)) - 111_195) < 100)
    #expect(Walk.minutes(metres: 624) == 8 && Walk.minutes(metres: .nan) == 0)
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
      NearbyCinema(
        cinema: Cinema(
          id: CinemaID("cinecube")!, name: "씨네큐브광화문", country: "KR", region: "seoul", position: position,
          zone: ZoneName("Asia/Seoul")!, website: "https://example.org"),
        metres: 624)
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

extension RPCRequest {
  fileprivate static var anyResponse: any Decodable.Type { Response.self }
}

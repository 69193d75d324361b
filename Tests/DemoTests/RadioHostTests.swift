import Clocks
import Demo
import EventLoops
import Fetch
import JSON
import Testing

/// The demo's own stations, as a radio hears them.
@Suite("Demo radio", .serialized, .timeLimit(.minutes(5)))
@MainActor
struct RadioHostTests {
  /// Fetches the beginning of a stream.
  private func hear(
    _ visitor: Visitor, _ path: String, _ count: Int, titles: Bool = false
  ) async throws -> FetchResponse {
    let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [visitor.address]), time: EventLoop.time)
    defer { fetcher.close() }
    var request = try FetchRequest(visitor.base + path)
    request.limits.bodyBytes = count
    request.body = .beginning
    if titles { request.headers = [("Icy-MetaData", "1")] }
    return try await fetcher.fetch(request)
  }

  @Test("a stream is endless WAVE with sound in it, the same for all who come at the same time")
  func sound() async throws {
    try await Visitor.visit { visitor in
      let first = try await hear(visitor, "/radio/demo-moonlight.wav", 16_044)
      #expect(first.mediaType == "audio/wav" && first.headers["icy-br"] == "256")
      #expect(first.body.starts(with: "RIFF".utf8) && first.body[4..<8].allSatisfy { $0 == 0xFF })
      let samples = stride(from: 44, to: first.body.count - 1, by: 2).map {
        Int16(truncatingIfNeeded: Int(first.body[$0]) | Int(first.body[$0 + 1]) << 8)
      }
      #expect(samples.contains { abs(Int($0)) > 1_000 } && samples.allSatisfy { abs(Int($0)) < 32_000 })
      let second = try await hear(visitor, "/radio/demo-moonlight.wav", 16_044)
      #expect(first.body == second.body, "the clock stands still here")
      let seconds = try await hear(visitor, "/radio/demo-moonlight.wav", 44 + 5 * 32_000)
      #expect(seconds.body.count == 44 + 5 * 32_000, "what a player wants to have before it begins is there at once")
    }
  }

  @Test("titles stand in the stream for who asks for them, and for nobody else")
  func titles() async throws {
    try await Visitor.visit { visitor in
      let plain = try await hear(visitor, "/radio/demo-harbour.wav", 8_200)
      #expect(plain.headers["icy-metaint"] == nil)
      let mixed = try await hear(visitor, "/radio/demo-harbour.wav", 8_200, titles: true)
      #expect(mixed.headers["icy-metaint"] == "8000")
      #expect(mixed.body[..<8_000] == plain.body[..<8_000])
      let text = String(decoding: mixed.body[8_001...].prefix(Int(mixed.body[8_000]) * 16), as: UTF8.self)
      #expect(text.hasPrefix("StreamTitle='전통 - 아리랑';"))
    }
  }

  @Test("the list names six stations with their rights, and each but one leads somewhere")
  func list() async throws {
    try await Visitor.visit { visitor in
      let list = try JSONValue(parsing: try await visitor.get("/radio/stations.json").body)
      let stations = try #require(list["stations"]?.array)
      #expect(stations.count == 6 && stations.allSatisfy { $0["rights"]?["use"] == "relay" })
      for station in stations where station["address"]?.string?.hasSuffix(".wav") == false {
        let status = try await visitor.get(station["address"]?.string ?? "").status
        #expect(status == (station["id"] == "demo-ghost" ? 404 : 200))
      }
    }
  }
}

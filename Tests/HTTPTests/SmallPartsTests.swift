import HTTP
import JSON
import Testing

/// Parts that stand in for slower ones of the standard library, held to what those do.
@MainActor
@Suite("HTTP small parts")
struct SmallPartsTests {
  private func answer(_ query: String) -> String {
    let fixture = HTTPFixture(routes: { router in
      router.get("/number", query: ["x"]) { request in
        var query = request.query
        let number = query.double("x", in: -1e300...1e300)
        try query.finish()
        return .text(number.map { "\($0.bitPattern)" } ?? "none")
      }
    })
    return fixture.ask("GET", "/number?x=\(query)")?.body ?? "no answer"
  }

  @Test(
    "a number in a query is the one that Double reads",
    arguments: [
      "0", "-0", "-0.0", "37.566826", "126.9786567", "-126.978", "0.1", "0.3", "123456789012345", "1234567890123456",
      "0.123456789012345", "0.1234567890123456", "9007199254740993", "1e3", "1E-3", "+5", "00012.50", "1.7976e299",
    ])
  func doubles(text: String) {
    let encoded = text.replacing("+", with: "%2B")
    #expect(answer(encoded) == "\(Double(text)!.bitPattern)")
  }

  @Test("what Double does not read is refused", arguments: ["", "-", ".", "1.", ".5", "--1", "1.2.3", "1.5."])
  func noDoubles(text: String) {
    let reads = Double(text) != nil
    #expect(answer(text).contains("must be a number") == !reads)
  }

  @Test("storage of bodies goes round, and what somebody keeps of it is not written over")
  func bodies() {
    final class Kept { var bodies: [[UInt8]] = [] }
    let kept = Kept()
    func written(_ word: String) -> [UInt8] {
      var json = JSONWriter(into: SpareBody.take(256))
      json.object { $0.field("word", word) }
      return json.bytes
    }
    let fixture = HTTPFixture(routes: { router in
      router.get("/bodies/kept") { _ in
        kept.bodies.append(written("kept"))
        return .json(kept.bodies.last ?? [])
      }
      router.get("/bodies/next") { _ in .json(written("next")) }
    })
    for _ in 0..<3 {
      #expect(fixture.ask("GET", "/bodies/kept")?.body == #"{"word":"kept"}"#)
      #expect(fixture.ask("GET", "/bodies/next")?.body == #"{"word":"next"}"#)
      #expect(fixture.ask("GET", "/bodies/next")?.body == #"{"word":"next"}"#)
    }
    #expect(kept.bodies == Array(repeating: Array(#"{"word":"kept"}"#.utf8), count: 3))
  }
}

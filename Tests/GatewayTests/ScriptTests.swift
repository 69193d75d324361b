import Gateway
import Testing

@MainActor
@Suite("Scripts of the page", .timeLimit(.minutes(5)))
struct ScriptTests {
  @Test("a script is sent without its remarks, each other line with its number")
  func remarks() async throws {
    let gateway = GatewayFixture()
    let base = try #require(await gateway.ask("/").text.firstMatch(of: /data-base="([^"]+)"/)?.1)
    for name in ["app.js", "parts.js", "views/nearby.js"] {
      let sent = await gateway.ask("\(base)/js/\(name)").text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(!sent.contains { $0.drop { $0 == " " }.hasPrefix("//") }, "\(name)")
      // They leave their places behind, in which an error is looked up.
      #expect(sent.first == "" && sent.count { $0.isEmpty } > 10 && sent.count > 100, "\(name)")
    }
  }
}

import Contracts
import Gateway
import GatewayFakes
import HTML
import JSON
import Testing

@Suite("Tonight")
@MainActor
struct TonightTests {
  @Test("tonight is narrowed by what its showings have, and tells what else there is to choose")
  func narrowed() async throws {
    let gateway = GatewayFixture()
    let question = "/v1/tonight?lat=37.57&lon=126.97&within_min=1440&limit=100"
    func ids(_ list: [JSONValue]) -> [String] { list.compactMap { $0["id"]?.string } }
    let all = await gateway.ask(question).json
    let shows = all["data"]?.array ?? []
    let marked = shows.filter { $0["attributes"]?.array?.contains("gv") == true }
    #expect(!marked.isEmpty && marked.count < shows.count)
    #expect(all["attributes"]?[0]?["id"] == "gv" && all["attributes"]?[0]?["count"]?.int == marked.count)
    let narrow = await gateway.ask(question + "&attribute=gv").json
    #expect(ids(narrow["data"]?.array ?? []) == ids(marked) && narrow["attributes"] == all["attributes"])
    let none = await gateway.ask(question + "&attribute=gv,35mm").json
    #expect(none["data"]?.array?.isEmpty == true && none["hint"]?.string?.contains("leave out an attribute") == true)
    #expect(await gateway.ask(question + "&attribute=G%20V").status == 400)
  }

  @Test("tonight is painted before any script, and what narrows it is a link that takes itself away again")
  func paintedTonight() async throws {
    let gateway = GatewayFixture()
    let all = try HTMLDocument.parse(await gateway.ask("/tonight?lang=en").body, contentCharset: "utf-8")
    #expect(all.select(".evening > li").isEmpty == (all.first(".tonight .notice") != nil))
    let page = await gateway.ask("/tonight?lang=en&walk=30&with=35mm,subtitled&free=1")
    let narrow = try HTMLDocument.parse(page.body, contentCharset: "utf-8")
    let taken = narrow.select(".choice.many a[aria-current]")
    #expect(taken.map(\.text) == ["Subtitled", "35mm", "Hide sold out"], "\(page.text)")
    #expect(
      taken.compactMap { $0["href"] } == [
        "/tonight?lang=en&walk=30&with=35mm&free=1", "/tonight?lang=en&walk=30&with=subtitled&free=1",
        "/tonight?lang=en&walk=30&with=35mm,subtitled",
      ])
    #expect(narrow.first(".notice a")?["href"] == "/tonight?lang=en&walk=30", "\(page.text)")
  }
}

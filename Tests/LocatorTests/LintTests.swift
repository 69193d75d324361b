import Calendars
import Clocks
import Contracts
import Drafts
import Locator
import Testing

@Suite("Lint")
struct LintTests {
  private func findings(_ cinemas: [Cinema]) -> [Finding] {
    Lint.verdict(
      on: cinemas.enumerated().map { Lint.Entry("row \($0.offset + 1)", $0.element) }, zones: ZoneDirectory(),
      at: WallTime(milliseconds: 1_790_000_000_000)
    ).findings
  }

  private func rules(_ cinemas: [Cinema]) -> [String] { findings(cinemas).map { "\($0.rule) \($0.place)" } }

  @Test("the known cinemas are as they should be")
  func known() {
    #expect(rules(knownCinemas) == [])
  }

  @Test("two within 50 m are one cinema twice, two in one house across the street are not")
  func duplicates() throws {
    let rex = try cinema("rex", 37.57, 126.97)
    #expect(rules([rex, try cinema("rex-2", 37.5703, 126.97)]) == ["near-duplicate row 2"])
    #expect(rules([rex, try cinema("rex-2", 37.5706, 126.97)]) == [])
    #expect(rules([rex, try cinema("rex-2", 37.57, 126.97, isActive: false)]) == [])
  }

  @Test("an id or a name that is there twice is told")
  func repeated() throws {
    let rex = try cinema("rex", 37.57, 126.97, name: "Rex")
    #expect(rules([rex, try cinema("rex", 37.6, 127, name: "Other")]) == ["repeated-id row 2"])
    #expect(rules([rex, try cinema("rex-2", 37.6, 127, name: "REX")]) == ["same-name row 2"])
  }

  @Test("a point outside its region is told; one whose numbers are swapped is told as that")
  func region() throws {
    #expect(rules([try cinema("busan", 35.1, 129.0)]) == ["outside-region row 1"])
    let swapped = try cinema("london", -0.12, 51.5, region: "greater-london", country: "GB", zone: "Europe/London")
    #expect(rules([swapped]).contains("swapped row 1"))
    #expect(findings([swapped]).first { $0.rule == "swapped" }?.text.contains("swapped") == true)
  }

  @Test("a region that nobody knows is held to the middle of its cinemas")
  func unknownRegion() throws {
    let near = try (0..<5).map {
      try cinema("n\($0)", 52 + Double($0) / 10, 4.8, region: "holland", country: "NL", zone: "Europe/Amsterdam")
    }
    let far = try cinema("far", 40, 4.8, region: "holland", country: "NL", zone: "Europe/Amsterdam")
    #expect(rules(near) == [])
    #expect(rules(near + [far]) == ["outside-region row 6"])
    // One of three, swapped: the others are where they should be.
    let swapped = try cinema("swapped", 4.8, 52.3, region: "holland", country: "NL", zone: "Europe/Amsterdam")
    #expect(rules([near[0], swapped, near[2]]).filter { !$0.hasPrefix("zone") } == ["swapped row 2"])
  }

  @Test("points that slipped by one row are seen as a series")
  func slipped() throws {
    let rows = knownCinemas.filter { $0.country == "KR" && $0.isActive }
    // A row's name was taken out, its point was left: from there on each has the point of the row before.
    var slipped = rows
    for index in 5..<rows.count { slipped[index].position = rows[index - 1].position }
    let series = findings(slipped).filter { $0.rule == "slipped-series" }
    #expect(!series.isEmpty)
    #expect(series.allSatisfy { $0.text.contains("stands in the row below") })
    #expect(findings(slipped).contains { $0.rule == "outside-region" })
  }

  @Test("a time zone that the sun does not know is told")
  func zones() throws {
    #expect(rules([try cinema("a", zone: "Europe/London")]) == ["wrong-zone row 1"])
    #expect(rules([try cinema("a", zone: "Asia/Nowhere")]) == ["unknown-zone row 1"])
    // Far west in a wide zone, and across the date line.
    #expect(rules([try cinema("kashgar", 39.5, 76, region: "xinjiang", country: "CN", zone: "Asia/Shanghai")]) == [])
    #expect(rules([try cinema("apia", -13.8, -171.8, region: "upolu", country: "WS", zone: "Pacific/Apia")]) == [])
  }
}

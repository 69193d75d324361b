import Extraction
import Testing

@Suite("JSON-LD")
struct JSONLDTests {
  @Test("a venue named by @id in another block is found, and a broken block costs no other")
  func references() throws {
    let found = try reading(
      """
      <script type="application/ld+json">{"@type":"MovieTheater","@id":"/#house","name":"Moss &amp; Fern Cinema"}</script>
      <script type="application/ld+json">{"@type":"ScreeningEvent","name": </script>
      <script type="application/ld+json">{"@graph":[{"@type":"ScreeningEvent","name":"The Lantern","startDate":"2026-11-24T00:30",
        "location":{"@id":"/#house"},"workPresented":{"@type":"Movie","name":"The Lantern"}}]}</script>
      """)
    #expect(found.lines == ["2026-11-24T00:30:00+09:00 The Lantern"])
    #expect(found.screenings.first?.venue == "Moss & Fern Cinema")
    #expect(found.screenings.first?.kind == .screening)
    #expect(found.trace.entries.contains { $0.outcome == .refused && $0.place == "script 2" })
  }

  @Test("the mark of UTC is false where the page prints the clock that stands before it")
  func falseUTC() throws {
    let found = try reading(
      Self.events + "<main><article><h3>Silt</h3><p>Saturday 20 June 2026, 7:00 pm</p></article><article>"
        + "<h3>Marram</h3><p>Sunday 21 June 2026, 1:00 pm</p></article></main>",
      zone: "Europe/London", at: "2026-06-12T10:00:00Z")
    #expect(found.lines == ["2026-06-20T19:00:00+01:00 Silt", "2026-06-21T13:00:00+01:00 Marram"])
    #expect(found.screenings.first?.end?.description == "2026-06-20T21:00:00+01:00")
  }

  @Test("the mark of UTC is believed where the page prints what it says, or nothing")
  func trueUTC() throws {
    let article = "<main><article><h3>Silt</h3><p>Saturday 20 June 2026, 8:00 pm</p></article></main>"
    for body in ["", article] {
      let found = try reading(Self.events + body, zone: "Europe/London", at: "2026-06-12T10:00:00Z")
      #expect(found.lines == ["2026-06-20T20:00:00+01:00 Silt", "2026-06-21T14:00:00+01:00 Marram"])
    }
  }

  private static let events =
    #"<title>Events</title><script type="application/ld+json">[{"@type":"Event","name":"Silt","startDate":"#
    + #""2026-06-20T19:00:00+00:00","endDate":"2026-06-20T21:00:00+00:00"},{"@type":"Event","name":"Marram","#
    + #""startDate":"2026-06-21T13:00:00+00:00"}]</script>"#

  @Test("of a page's own data and its table, both are taken where the table has what the data has")
  func firstOfSeveral() throws {
    let found = try reading(
      #"<title>Silt | Moss Hall</title><script type="application/ld+json">{"@type":"Event","name":"Silt","startDate":"#
        + #""2026-12-11 19:30:00"}</script><h1>Silt</h1><table><tr><th>Date</th><th>Doors</th><th>Start</th></tr>"#
        + "<tr><td>11 Dec 2026</td><td>18:30</td><td>19:30</td></tr><tr><td>12 Dec 2026</td><td>18:30</td><td>19:30</td>"
        + "</tr><tr><td>13 Dec 2026</td><td>13:30</td><td>14:30</td></tr></table>", zone: "Europe/London")
    #expect(
      found.lines == ["2026-12-11T19:30:00Z Silt", "2026-12-12T19:30:00Z Silt", "2026-12-13T14:30:00Z Silt"],
      "\(found.lines)")
  }
}

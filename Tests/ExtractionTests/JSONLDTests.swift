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
}

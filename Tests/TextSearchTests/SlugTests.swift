import Testing
import TextSearch

@Suite("Ids of names")
struct SlugTests {
  @Test("a name in Latin letters has an id, another has none")
  func names() {
    #expect(Slug.of("Tokyo Story!") == "tokyo-story" && Slug.of("Café FM") == "cafe-fm")
    #expect(Slug.of("라디오") == nil && Slug.of("!!!") == nil)
  }

  @Test(
    "what was imported once has the same id ever after, and names that differ have ids that differ",
    arguments: [
      ("Bob's Radio", "bob-s-radio"), ("Jazz 24", "jazz-24"), ("Radio 1", "radio-1"), ("Rádio 1", "r-dio-1-b9r7kk"),
      ("Café FM", "caf-fm-hvhke"), ("라디오", "station-nbw4zc"),
    ])
  func numbered(name: String, id: String) {
    #expect(Slug.numbered(name, otherwise: "station") == id)
  }

  @Test("names that differ only behind what fits have ids that differ, and none ends in a hyphen")
  func cut() {
    let names = ["Busan International Film Festival 2026", "Busan International Film Festival 2027"]
    let ids = names.map { Slug.numbered($0, otherwise: "festival", bytesMax: 28) }
    #expect(
      Set(ids).count == 2 && ids.allSatisfy { $0.hasPrefix("busan-international-film-fes-") && $0.utf8.count <= 36 })
    let own = Slug.numbered("International Film Festival of India", otherwise: "festival", bytesMax: 28)
    #expect(own.hasPrefix("international-film-festival-") && !own.contains("--"))
  }
}

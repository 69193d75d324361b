import Testing
import TextSearch

@Suite("Text index")
struct TextIndexTests {
  private let names = [
    ["씨네큐브", "Cinecube", "광화문"], ["에무시네마", "Emu Artspace"], ["광주극장", "Gwangju Theater"],
    ["광주독립영화관", "Gwangju Independent Film Theater (GIFT)"], ["ユーロスペース", "Eurospace", "東京都渋谷区"],
    ["シネマヴェーラ渋谷", "Cinema Vera"], ["괴물", "The Host"], ["東京物語", "Tokyo Story"], ["Prince Charles"], ["Close-Up"],
    ["Ciné Lumière"], ["아트하우스 모모", "Arthouse Momo"],
  ]

  private func found(_ query: String, typos: Bool = true) -> [String] {
    TextIndex(names).search(query, limit: 20, toleratesTypos: typos).map { names[$0.document][0] }
  }

  @Test(
    "one and two characters of Korean and Japanese find what holds them",
    arguments: [
      ("큐", ["씨네큐브"]), ("큐브", ["씨네큐브"]), ("괴", ["괴물"]), ("괴물", ["괴물"]), ("물", ["괴물"]),
      ("京", ["東京物語", "ユーロスペース"]), ("物語", ["東京物語"]), ("語", ["東京物語"]), ("渋谷", ["シネマヴェーラ渋谷", "ユーロスペース"]),
      ("광주", ["광주극장", "광주독립영화관"]), ("없", []),
    ])
  func cjk(query: String, expected: [String]) {
    #expect(Set(found(query)) == Set(expected))
  }

  @Test("initial consonants find a name, from its beginning or from the middle")
  func initials() {
    #expect(found("ㅆㄴㅋ") == ["씨네큐브"])
    #expect(found("ㅋㅂ") == ["씨네큐브"])
    #expect(found("ㄱㅈ") == ["광주극장", "광주독립영화관"])
    #expect(found("ㅆ").first == "씨네큐브")
  }

  @Test("a name is found at every key that is pressed on the way to it")
  func typing() {
    for typed in ["ㅆ", "씨", "씬", "씨네", "씨넼", "씨네큐", "씨네큡", "씨네큐브"] {
      #expect(found(typed).first == "씨네큐브", "\(typed)")
    }
  }

  @Test("width, case, accents and kana make no difference")
  func folding() {
    for query in ["cine lumiere", "CINÉ LUMIÈRE", "ｃｉｎｅ"] { #expect(found(query).contains("Ciné Lumière"), "\(query)") }
    for query in ["しねまべーら", "ｼﾈﾏ", "シネマ・ヴェーラ"] { #expect(found(query).contains("シネマヴェーラ渋谷"), "\(query)") }
  }

  @Test("Latin letters find Korean and Japanese by their sound")
  func sounds() {
    let native = TextIndex([["씨네큐브"], ["시네마"], ["ユーロスペース"], ["광화문"], ["しゃちょう"]])
    for (query, document) in [
      ("ssinekyubeu", 0), ("sinekyubu", 0), ("cinema", 1), ("sinema", 1), ("yurosupesu", 2), ("gwanghwamun", 3),
      ("kwanghwamun", 3), ("shachou", 4), ("shacho", 4),
    ] {
      #expect(native.search(query, limit: 1).first?.document == document, "\(query)")
    }
  }

  @Test("every word must be found, in any order, or all of them as one")
  func words() {
    #expect(found("theater gwangju").contains("광주극장"))
    #expect(found("씨네 큐브") == ["씨네큐브"])
    #expect(found("아트하우스모모") == ["아트하우스 모모"])
    #expect(found("closeup") == ["Close-Up"])
    #expect(found("씨네큐브 theater").isEmpty)
  }

  @Test("a slip is forgiven in words of four letters and more, where nothing else is found")
  func typos() {
    for query in ["cinecbue", "cinecub", "cinebube", "cinecuube"] { #expect(found(query).first == "씨네큐브", "\(query)") }
    #expect(found("prinse charls").first == "Prince Charles")
    #expect(found("광주극잔").first == "광주극장")
    #expect(found("cinecbue", typos: false).isEmpty)
    #expect(found("qqqq").isEmpty)
    // As it is spelt there is something: nothing else is guessed.
    #expect(found("cinema") == found("cinema", typos: false))
  }

  @Test("the better match comes first: whole, beginning, beginning of a word, middle, sound")
  func ranking() {
    let index = TextIndex([["Megabox Momos"], ["Momoland"], ["Momo"], ["Mimomo"], ["모모"]])
    let hits = index.search("momo", limit: 9)
    #expect(hits.map(\.document) == [2, 1, 0, 3, 4])
    #expect(zip(hits, hits.dropFirst()).allSatisfy { $0.score > $1.score })
  }

  @Test("a first name counts more than a later one, and equals stand as the caller likes")
  func ties() {
    let index = TextIndex([["Momo", "Emu"], ["Emu", "Momo"], ["Emu", "Momo"]])
    #expect(index.search("emu", limit: 9).map(\.document) == [1, 2, 0])
    #expect(index.search("emu", limit: 9, precedes: >).map(\.document) == [2, 1, 0])
    #expect(index.search("emu", limit: 1).count == 1)
    #expect(index.search("emu", limit: 0).isEmpty)
  }

  @Test("highlights are the parts of the text as it was written")
  func highlights() throws {
    func marked(_ name: String, _ query: String) throws -> [String] {
      let hit = try #require(TextIndex([[name]]).search(query, limit: 1).first, "\(query)")
      return hit.ranges.map { String(decoding: Array(hit.text.utf8)[$0], as: UTF8.self) }
    }
    #expect(try marked("아트하우스 모모", "모모") == ["모모"])
    #expect(try marked("씨네큐브", "ㅆㄴ") == ["씨네"])
    #expect(try marked("씨네큐브", "씬") == ["씨네"])
    #expect(try marked("Cine\u{301} Lumière", "ciné") == ["Cine\u{301}"])
    #expect(try marked("Prince Charles", "charles prince") == ["Prince", "Charles"])
    #expect(try marked("Close-Up", "closeup") == ["Close-Up"])
    #expect(try marked("시네마 천국", "cinema") == ["시네마"])
    #expect(try marked("Megabox", "megabux") == ["Megabox"])
  }

  @Test("an empty question, an empty index and endless text are no trouble")
  func edges() {
    #expect(found("").isEmpty)
    #expect(found(" \u{301}・…").isEmpty)
    #expect(TextIndex([]).search("a", limit: 5).isEmpty)
    #expect(TextIndex([[""], ["…"]]).search("a", limit: 5).isEmpty)
    let long = String(repeating: "긴", count: 100_000)
    #expect(TextIndex([[long]]).search(long, limit: 1).count == 1)
  }

  @Test("the index finds what a search through every name finds")
  func control() {
    var state: UInt64 = 3
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let letters = Array("가나다라마ab東京しね".unicodeScalars)
    func word(_ length: Int) -> String {
      String(String.UnicodeScalarView((0..<length).map { _ in letters[random(letters.count)] }))
    }
    let names = (0..<500).map { _ in word(2 + random(8)) }
    let index = TextIndex(names.map { [$0] })
    for _ in 0..<300 {
      let query = word(1 + random(4))
      let folded = FoldedText(query).text
      let wanted = Set(names.indices.filter { FoldedText(names[$0]).text.contains(folded) })
      let hits = index.search(query, limit: 1_000, toleratesTypos: false).filter { $0.score > 60 }
      #expect(Set(hits.map(\.document)) == wanted, "\(query)")
    }
  }
}

import Testing
import TextSearch

@Suite("Folded text")
struct FoldedTextTests {
  @Test(
    "what people type and what is printed fold to the same",
    arguments: [
      ("ＣＩＮＥＭＡ　１２", "cinema12"), ("Ciné-Théâtre", "cinetheatre"), ("Cine\u{301}", "cine"), ("Łódź", "lodz"),
      ("STRASSE", "strasse"), ("straße", "strasse"), ("İstanbul", "istanbul"), ("it’s", "its"), ("シネマ・ヴェーラ", "しねまゔぇら"),
      ("ｼﾈﾏｳﾞｪｰﾗ", "しねまゔぇら"), ("か\u{3099}", "が"), ("ﾊﾟﾘ", "ぱり"), ("コンピューター", "こんぴゅた"),
      ("\u{110a}\u{1175}\u{1102}\u{1166}", "씨네"), ("\u{1100}\u{1161}\u{11a8}", "각"), ("ﾂ", "つ"), ("ﾡ", "ㄱ"),
      ("Ⅳ", "iv"), ("②", "2"),
      ("Кино", "кино"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("东京", "东京"), ("", ""), ("…—!", ""),
    ])
  func folding(text: String, folded: String) {
    #expect(FoldedText(text).text == folded)
  }

  @Test("every unit knows where it stands in the text as it was written")
  func origins() {
    let text = "Ｃe\u{301} が"
    let folded = FoldedText(text)
    #expect(folded.text == "ceが")
    let utf8 = Array(text.utf8)
    #expect(folded.origins.map { String(decoding: utf8[$0], as: UTF8.self) } == ["Ｃ", "e\u{301}", "が"])
    #expect(folded.startsWord == [true, false, true])
    let halfWidth = FoldedText("ｶﾞ")
    #expect(halfWidth.origins == [0..<6])
  }

  @Test(
    "the slips to a name are counted from where its words begin",
    arguments: [
      ("kramer", "Kramer", 0), ("kamrer", "Kramer vs. Kramer", 2), ("cinacubbe", "Cinecube", 2),
      ("redempton", "The Shawshank Redemption", 1), ("씨네규부", "씨네큐브", 2), ("monster", "Ran", nil),
    ] as [(String, String, Int?)])
  func slips(asked: String, name: String, slips: Int?) {
    #expect(FoldedText(asked).slips(to: FoldedText(name), atMost: 2) == slips)
  }

  @Test("whatever the text is, origins are in order and inside it")
  func noise() {
    var state: UInt64 = 7
    let alphabet: [UInt32] = [
      0x41, 0x20, 0x301, 0x307, 0x3099, 0x309a, 0x30ab, 0xff76, 0xff9e, 0xff9f, 0x1100, 0x1161, 0x11a8, 0xac00, 0x3131,
      0xffa1, 0xffdc, 0x1f600, 0x130, 0x2160, 0x216f, 0x2460, 0x30fc, 0xff70, 0x3063, 0x3041,
    ]
    for _ in 0..<2_000 {
      var view = String.UnicodeScalarView()
      for _ in 0..<10 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        view.append(Unicode.Scalar(alphabet[Int(state >> 33) % alphabet.count])!)
      }
      let text = String(view)
      let folded = FoldedText(text)
      #expect(folded.units.count == folded.origins.count && folded.units.count == folded.startsWord.count)
      #expect(folded.origins.allSatisfy { $0.upperBound <= text.utf8.count })
      #expect(zip(folded.origins, folded.origins.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound })
      _ = TextIndex([[text]]).search(text, limit: 1)
    }
  }
}

import Extraction
import Testing

@Suite("Printed titles")
struct PrintedTitleTests {
  @Test(
    "the film's name is left when what is said about the screening is taken away",
    arguments: [
      (
        "Relaxed Screening: Alien (1979) [15] + Q&A on 35mm", "Alien",
        [ScreeningAttribute.relaxed, .guestVisit, .film35mm]
      ),
      ("The Third Man (4K Restoration)", "The Third Man", [.fourK]),
      ("Members’ Preview: Field Notes", "Field Notes", [.members, .preview]),
      ("Metropolis with live score", "Metropolis", [.liveMusic]),
      ("Ikiru – 35mm", "Ikiru", [.film35mm]),
      ("Parent & Baby: Paddington", "Paddington", [.baby]),
      ("Anora (HOH Captioned)", "Anora", [.closedCaptions]),
      ("Grenzland (OmU)", "Grenzland", [.subtitled]),
      ("Winterreise OmU", "Winterreise", [.subtitled]),
      ("Nord magnétique (VOST)", "Nord magnétique", [.subtitled]),
      ("Das Boot 4K", "Das Boot", [.fourK]),
      ("바다가 들린다 (4K 리마스터링)", "바다가 들린다", [.fourK]),
      ("오래된 편지 + GV", "오래된 편지", [.guestVisit]),
      ("[시네마톡] 미망", "미망", [.talk]),
      ("미망 (자막)", "미망", [.subtitled]),
      ("ふたつの椅子【字幕】", "ふたつの椅子", [.subtitled]),
      ("〈吹替〉夜の図書館", "夜の図書館", [.dubbed]),
      ("夜の図書館 舞台挨拶付き上映", "夜の図書館", [.stageGreeting]),
      ("『砂の時計』", "砂の時計", []),
      ("The Ark 🎟️", "The Ark", []),
      ("Silt 12A", "Silt", []), ("Schlick FSK 12", "Schlick", []), ("Schlick ab 6 J.", "Schlick", []),
      ("Fango +16", "Fango", []), ("Silt PG-13", "Silt", []), ("괴물 15세이상관람가", "괴물", []), ("Silt R15", "Silt", []),
      ("Los inviernos (VOSE)", "Los inviernos", [.subtitled]),
    ])
  func cleaned(printed: String, film: String, attributes: [ScreeningAttribute]) {
    let title = PrintedTitle(printed)
    #expect(title.film == film)
    #expect(title.attributes.isSuperset(of: attributes), "\(title.attributes)")
    #expect(title.printed == printed)
  }

  @Test(
    "a name that only sounds like it is left alone",
    arguments: [
      "Mission: Impossible", "Talk to Me", "Bridget Jones: Mad About the Boy", "2001: A Space Odyssey", "The Premiere",
      "Crouching Tiger, Hidden Dragon", "1917", "Live and Let Die",
      "El baile de los vampiros (The Fearless Vampire Killers)", "Dinner with Friends", "On the Waterfront", "버닝",
      "千と千尋の神隠し", "Me and You and Everyone We Know",
      "Apartment 7A", "J'ai 10 ans", "Mes 15 ans", "Plan B 15", "Elever 7 år", "Když mi bylo 12 let", "우리들 17",
    ])
  func untouched(printed: String) {
    #expect(PrintedTitle(printed).film == printed)
  }

  @Test("nothing is lost: what is not the name is among the removed")
  func removed() {
    let title = PrintedTitle("Relaxed Screening: Alien (1979) [15] + Q&A")
    #expect(title.year == 1979)
    #expect(title.certificate == "15")
    #expect(Set(title.removed) == ["Relaxed Screening", "(1979)", "[15]", "+ Q&A"])
  }

  /// A line of `PrintedTitles.tsv`: what is printed, the film's name in it, and what it says of the screening.
  @Test("titles of many cinemas are taken apart as somebody who reads them would")
  func labelled() throws {
    let path = "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let text = String(decoding: try Folder.bytes(of: "\(path)/PrintedTitles.tsv"), as: UTF8.self)
    var (names, right, wrong, missed) = (0, 0, 0, 0)
    var odd: [String] = []
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    for line in lines {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let title = PrintedTitle(fields[0])
      let told = Set(fields[2].split(separator: " ").map(String.init))
      let found = Set(title.attributes.map(\.rawValue))
      if title.film == fields[1] { names += 1 }
      right += found.intersection(told).count
      wrong += found.subtracting(told).count
      missed += told.subtracting(found).count
      if title.film != fields[1] || found != told { odd.append("\(fields[0]): \(title.film), \(found.sorted())") }
    }
    let share = { (part: Int, rest: Int) in Double(part) / Double(part + rest) }
    let report = Comment(rawValue: odd.joined(separator: "\n"))
    #expect(share(names, lines.count - names) >= 0.97, report)
    #expect(share(right, wrong) >= 0.98 && share(right, missed) >= 0.97, report)
  }

  @Test("no phrase of the vocabulary hides another")
  func vocabulary() {
    #expect(TitleVocabulary.repeated == [])
  }

  @Test("a text of marks alone has no name in it", arguments: ["Q&A", "35mm", "자막", "【字幕版】", "4K"])
  func marks(text: String) {
    #expect(PrintedTitle(text).isOnlyMarks)
    #expect(PrintedTitle(text).film == text)
  }
}

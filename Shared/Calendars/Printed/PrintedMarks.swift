/// What stands beside a time: how it is shown, with whom, and whether there are seats left.
package struct PrintedMarks: Hashable, Sendable {
  package enum Attribute: String, Hashable, Sendable, Codable, CaseIterable {
    /// 관객과의 대화: the makers answer questions.
    case guestVisit = "gv"
    case stageGreeting = "stage-greeting"
    case talk
    case subtitled, dubbed
    case originalVersion = "original-version"
    case fourK = "4k"
    case film35mm = "35mm"
    case film70mm = "70mm"
    case imax
    case threeD = "3d"
    case loudScreening = "loud-screening"
    case cheering
    case preview
    case premiere
    case lastDay = "last-day"
    case relaxed
    case baby
    case audioDescription = "audio-description"
    case closedCaptions = "closed-captions"
  }

  package enum Seats: String, Hashable, Sendable, Codable {
    case available, few
    case soldOut = "sold-out"
  }

  package private(set) var attributes: Set<Attribute> = []
  /// Nil if nothing is said.
  package private(set) var seats: Seats?

  private enum Meaning: Sendable {
    case attribute(Attribute)
    case seats(Seats)
    /// "없음" behind a word takes it back.
    case not
  }

  /// Longer texts than this are descriptions, and say many things in passing.
  private static let bytesMax = 2_048

  package init(_ text: some StringProtocol) {
    guard text.utf8.count <= PrintedMarks.bytesMax else { return }
    let folded = FoldedText(text)
    var index = 0
    var last: Attribute?
    while index < folded.count {
      guard let match = PrintedMarks.vocabulary.match(in: folded, at: index) else {
        index += 1
        continue
      }
      let range = index..<index + match.length
      index = range.upperBound
      guard let meaning = match.meaning, PrintedMarks.standsAlone(range, in: folded) else {
        last = nil
        continue
      }
      switch meaning {
      case .attribute(let attribute):
        attributes.insert(attribute)
        last = attribute
      case .seats(let found): take(found)
      case .not: if let last { attributes.remove(last) }
      }
    }
  }

  /// Full is full, whatever else is printed.
  private mutating func take(_ found: Seats) {
    switch (seats, found) {
    case (.soldOut, _), (.few, .available): break
    default: seats = found
    }
  }

  /// A single sign or letter counts only between spaces, brackets and marks; a number's word only at its end.
  private static func standsAlone(_ range: Range<Int>, in text: FoldedText) -> Bool {
    let before = text[range.lowerBound - 1]
    let after = text[range.upperBound]
    let isSpaced = isSpacedLetter(text[range.lowerBound])
    if isSpaced { return !isDigit(after) }
    if isDigit(text[range.lowerBound]) { return !isDigit(before) && !isSpacedLetter(before) && !isSpacedLetter(after) }
    guard range.count == 1 else { return true }
    let isPart: (UInt32) -> Bool = { isUnspacedLetter($0) || isSpacedLetter($0) || isDigit($0) }
    return !isPart(before) && !isPart(after)
  }

  private static let vocabulary = PrintedVocabulary<Meaning>([
    (.attribute(.guestVisit), "gv 관객과의_대화 관객과의대화 q_a qa"),
    (.attribute(.stageGreeting), "무대인사 무대_인사 舞台挨拶 舞台あいさつ 登壇"),
    (.attribute(.talk), "시네마톡 시네토크 토크 대담 トークショー トークイベント トーク talk filmgespraech gespraech coloquio incontro"),
    (
      .attribute(.subtitled),
      "자막 字幕 字幕版 字 subtitled subtitles subs omu omeu ome vost vostfr vose sottotitoli sottotitolato ondertiteld כתוביות"
    ),
    (
      .attribute(.dubbed),
      "더빙 吹替 吹替え 吹き替え 吹替版 日本語吹替 吹 dubbed vf df doblada doblado doppiato synchronfassung nagesynchroniseerd מדובב"
    ),
    (.attribute(.originalVersion), "ov vo originalfassung originalversion"),
    (.attribute(.fourK), "4k"), (.attribute(.film35mm), "35mm 35_mm 35㎜"), (.attribute(.film70mm), "70mm 70_mm 70㎜"),
    (.attribute(.imax), "imax 아이맥스"), (.attribute(.threeD), "3d"),
    (.attribute(.loudScreening), "爆音上映 爆音 極音上映"), (.attribute(.cheering), "応援上映 싱어롱 싱어롱상영 sing_along singalong"),
    (.attribute(.preview), "시사회 試写会 先行上映 preview avant_premiere vorpremiere preestreno anteprima voorpremiere"),
    (.attribute(.premiere), "premiere"), (.attribute(.lastDay), "最終日 종영일"),
    (.attribute(.relaxed), "relaxed relaxed_screening"),
    (.attribute(.baby), "baby_friendly parent_and_baby ママさん上映 엄마랑아기랑"),
    (.attribute(.audioDescription), "audio_described audio_description audiodeskription 음성해설 音声ガイド"),
    (.attribute(.closedCaptions), "closed_captions captioned hoh 배리어프리 バリアフリー字幕 バリアフリー"),
    (
      .seats(.soldOut),
      "매진 満席 満員 完売 × ✕ ✖ ❌ sold_out complet ausverkauft agotado agotadas completo esaurito uitverkocht אזל אזלו"
    ),
    (
      .seats(.few),
      "매진임박 매진_임박 잔여석_적음 残りわずか 残席わずか 残席僅か 残り僅か 残席僅少 △ ▲ limited last_tickets few_left wenige_plaetze restkarten"
        + " dernieres_places ultimas_entradas ultimi_posti laatste_kaarten"
    ),
    (.seats(.available), "예매가능 예매_가능 空席あり 余裕あり ○ ◯ ◎ 〇 available"),
    (.not, "없음 없는 なし 無し"),
  ])
}

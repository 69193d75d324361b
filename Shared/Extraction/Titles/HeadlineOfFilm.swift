/// A headline that announces when a film is shown, and has the film's name in brackets: "[초록극장] <서리꽃> 상영일정 / 영화예매",
/// "『声の庭』上映スケジュール".
struct HeadlineOfFilm {
  let film: String
  /// What else it says that may be a house: of "[초록극장] <서리꽃> 상영일정" 초록극장.
  let houses: [String]

  init?(_ text: String) {
    guard text.utf8.count <= Self.bytesMax, case let folded = text.lowercased(),
      Self.words.contains(where: { folded.holds($0) })
    else { return nil }
    let scalars = Array(text.unicodeScalars)
    var names: [String] = []
    var index = 0
    while index < scalars.count {
      defer { index += 1 }
      guard let close = Self.brackets[scalars[index]], let end = scalars[index...].firstIndex(of: close) else {
        continue
      }
      names.append(String(String.UnicodeScalarView(scalars[index + 1..<end])).trimmedText)
      index = end
    }
    guard names.count == 1, names[0].hasLetters || names[0].utf8.contains(where: isDigitByte),
      !Self.words.contains(where: { names[0].lowercased().holds($0) })
    else { return nil }
    film = names[0]
    let others = PageIdentity.parts(text).filter { part in
      !part.holds(names[0]) && !Self.words.contains { part.lowercased().holds($0) }
    }
    let first = text.hasPrefix("[") ? text.firstPlace(of: "]").map { text[..<$0.lowerBound].dropFirst() } : nil
    houses = (first.map { [String($0).trimmedText] } ?? []) + others
  }

  /// A post's headline.
  private static let bytesMax = 200
  private static let brackets: [Unicode.Scalar: Unicode.Scalar] = [
    "<": ">", "〈": "〉", "《": "》", "『": "』", "「": "」", "＜": "＞",
  ]
  private static let words = [
    "상영일정", "상영 일정", "상영시간표", "상영 시간표", "상영안내", "상영 안내", "예매", "上映スケジュール", "上映時間", "上映時刻", "時刻表", "放映時間",
    "场次", "場次", "lịch chiếu",
  ]
}

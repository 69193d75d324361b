/// What else goes on where pictures hang: openings, tours, talks.
extension StructureReading {
  /// "開幕茶會：2026-03-14 15:00", `<dt>도슨트</dt><dd>14:00</dd>`: a time of which the words before it say that no film is shown.
  func isBesideExhibition(_ index: Int) -> Bool {
    let atom = atoms[index]
    if let line = atom.line, !line.lead.isEmpty {
      // "開幕 19:00 『声の庭』" says what is shown.
      return PageWords.isEventBesideFilms(line.lead)
        && line.tails.allSatisfy { !$0.hasLetters || PageWords.isLabel($0) }
    }
    guard index > 0, atoms[index - 1].isWords, case let label = atoms[index - 1].text, atom.line?.rest.isEmpty ?? true,
      PageWords.isEventBesideFilms(label)
    else { return false }
    // In a cell of its own it may be what a part of a programme is called.
    return label.hasSuffix("：") || label.hasSuffix(":")
      || tree.path(atoms[index - 1].place).prefix(2).contains { tree[$0].tag == "dt" }
  }
}

extension PageWords {
  /// "開幕茶會", "導覽場次", "작가와의 대화": nothing but what a party, a tour or a talk is called.
  static func isEventBesideFilms(_ text: String) -> Bool {
    guard text.utf8.count <= eventBytesMax, text.utf8.contains(where: { $0 >= 0xE0 }) else { return false }
    // A weekday in brackets is of the day behind it.
    let name = text.unicodeScalars.prefix { $0 != "（" && $0 != "(" }
    var rest = name.filter { $0.properties.isAlphabetic }.map(String.init).joined()
    guard events.contains(where: rest.holds) else { return false }
    for word in events + eventFillers { rest = rest.replacing(word, with: "") }
    return rest.isEmpty
  }

  private static let eventBytesMax = 48
  private static let events = [
    "開幕茶會", "開幕酒會", "開幕式", "開幕", "開場式", "茶會", "導覽", "导览", "座談會", "座談", "座谈", "工作坊", "講座", "オープニング", "レセプション",
    "ギャラリートーク", "ワークショップ", "오프닝", "개막식", "도슨트", "워크숍", "워크샵", "작가와의대화", "전시해설", "アーティストトーク",
  ]
  private static let eventFillers = ["場次", "時間", "活動", "藝術家", "藝術", "展覽", "專人", "會", "행사", "시간", "안내", "투어", "日時"]
}

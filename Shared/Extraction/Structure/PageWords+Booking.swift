/// What stands around a film on a page that books it, and is never its title: the steps, who made it.
extension PageWords {
  /// "步驟2 選擇影片", "Step 3": how far a booking is.
  static func isBookingStep(_ text: String) -> Bool {
    guard text.utf8.count <= stepBytesMax else { return false }
    let lower = text.lowercased()
    for word in stepWords where lower.hasPrefix(word) {
      let rest = lower.utf8.dropFirst(word.utf8.count).drop { $0 == 0x20 }
      let digits = rest.prefix(while: isDigitByte)
      if (1...2).contains(digits.count),
        rest.dropFirst(digits.count).first.map({ $0 | 0x20 < 0x61 || $0 >= 0x80 }) ?? true
      {
        return true
      }
    }
    let digits = lower.utf8.prefix(while: isDigitByte)
    return digits.count == 1 && String(Substring(lower.utf8.dropFirst())).trimmedText.hasPrefix("단계")
  }

  private static let stepBytesMax = 60
  private static let stepWords = ["步驟", "步骤", "ステップ", "step", "schritt", "étape", "etape", "paso", "passo"]

  /// "감독 김하나", "監督・脚本：青木真", "Đạo diễn Trần An": who made a film.
  static func tellsMaker(_ text: String) -> Bool {
    guard text.utf8.count <= makerBytesMax else { return false }
    let lower = text.lowercased()
    for word in makers where lower.hasPrefix(word) {
      let rest = String(lower.dropFirst(word.count))
      guard let next = rest.unicodeScalars.first else { return true }
      if next.isBlank || ":：/／|".unicodeScalars.contains(next) { return rest.hasLetters }
      // "監督・脚本：青木真", and not "監督・ばんざい".
      if next == "・", rest.unicodeScalars.contains(where: { ":：".unicodeScalars.contains($0) }) { return true }
    }
    return false
  }

  /// "감독": what a part of the page is called that says who made a film.
  static func isMaker(_ text: String) -> Bool { makerLabels.contains(text.foldedKey) }

  /// "조조", "終映": the first showing of a day, the last of a film.
  static func isNoteOfShowing(_ text: String) -> Bool { notesOfShowings.contains(text) }

  private static let notesOfShowings: Set<String> = ["조조", "심야", "종영", "종영일", "終映", "最終上映", "早場", "早场"]

  private static let makerBytesMax = 90
  private static let makers = ["감독", "監督", "導演", "导演", "đạo diễn"]
  private static let makerLabels = Set(
    ["감독", "연출", "監督", "導演", "导演", "đạo diễn", "director", "directed by", "regie", "regia", "dirección", "réalisation"]
      .map(\.foldedKey))
}

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

  /// "A1", "B-12 [품절]": a seat, and what became of it.
  static func isSeat(_ text: String) -> Bool {
    let seat = text.utf8.prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "(") && $0 != 0x20 }
    let rest = String(Substring(text.utf8.dropFirst(seat.count))).trimmedText
    guard let row = seat.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(row),
      rest.isEmpty || rest.hasPrefix("[") && rest.hasSuffix("]") || rest.hasPrefix("(") && rest.hasSuffix(")")
    else { return false }
    let number = seat.dropFirst().drop { $0 == UInt8(ascii: "-") }
    return (1...2).contains(number.count) && number.allSatisfy(isDigitByte)
  }

  /// "조조", "終映": the first showing of a day, the last of a film.
  static func isNoteOfShowing(_ text: String) -> Bool { notesOfShowings.contains(text) || numbersShowings(text) }

  /// "Part 1", "➀ ➁ ➂", "第2部": which part of a film is shown, which showing of a day.
  static func numbersShowings(_ text: String) -> Bool {
    guard text.utf8.count <= stepBytesMax else { return false }
    let words = text.unicodeScalars.split { $0.isBlank || $0 == ":" || $0 == "：" }
    guard !words.isEmpty else { return false }
    var isBehindPart = false
    for word in words {
      if isBehindPart {
        guard word.count <= 2, word.allSatisfy({ ("0"..."9").contains($0) }) else { return false }
        isBehindPart = false
      } else if String(Substring(word)).lowercased() == "part" {
        isBehindPart = true
      } else {
        guard isCircled(word) || isNumberedPart(word) else { return false }
      }
    }
    return !isBehindPart
  }

  private static func isCircled(_ word: String.UnicodeScalarView.SubSequence) -> Bool {
    word.count == 1
      && word.allSatisfy { ("①"..."⑳").contains($0) || ("➀"..."➉").contains($0) || ("❶"..."❿").contains($0) }
  }

  /// "第2部", "2부"
  private static func isNumberedPart(_ word: String.UnicodeScalarView.SubSequence) -> Bool {
    guard let last = word.last, ["部", "부"].contains(String(last)) else { return false }
    let number = word.dropLast().drop { $0 == "第" || $0 == "제" }
    return (1...2).contains(number.count)
      && number.allSatisfy { ("0"..."9").contains($0) || "一二三四五".unicodeScalars.contains($0) }
  }

  private static let notesOfShowings: Set<String> = ["조조", "심야", "종영", "종영일", "終映", "最終上映", "早場", "早场"]

  private static let makerBytesMax = 90
  private static let makers = ["감독", "監督", "導演", "导演", "đạo diễn"]
  private static let makerLabels = Set(
    ["감독", "연출", "監督", "導演", "导演", "đạo diễn", "director", "directed by", "regie", "regia", "dirección", "réalisation"]
      .map(\.foldedKey))
}

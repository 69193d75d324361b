import Calendars

/// A text without what is said besides its title.
extension TitleVote {
  /// A title ends where the room begins: "Alien | Screen 2", "Alien (Saal 1)".
  func cut(_ text: String, atLabels: Bool = true) -> String {
    // In a text of its own a length says that the text is no title, unless it stands in a bracket behind one.
    let text = PrintedLength.cut(
      from: HeadlineOfFilm(text)?.film ?? BracketedFilm.name(in: text, inHeadline: false) ?? quoted(text)
        ?? beforeSynopsis(text) ?? beforeFootnote(beforeCredits(text)), isInBracket: !atLabels)
    for separator in ["（", " | ", " – ", " - ", " — ", ", ", " / ", " @ ", " · ", " • ", "／", "｜", " ("] {
      guard let range = text.lastPlace(of: separator) else { continue }
      var tail = String(text[range.upperBound...])
      if separator == " (", tail.hasSuffix(")") { tail.removeLast() }
      if separator == "（", tail.hasSuffix("）") { tail.removeLast() }
      if PageWords.isFree(tail) || PageWords.isButton(tail) {
        return LineRest.trimmed(String(text[..<range.lowerBound]))
      }
      if ScreenName.isOne(tail) || atLabels && (PageWords.isLabel(tail) || isPrice(tail)) {
        return LineRest.trimmed(String(text[..<range.lowerBound]))
      }
    }
    return text
  }

  /// "『霧の庭』（青木真監督）" is 『霧の庭』: behind a quoted title stands in brackets who made it. Before one stands what it is:
  /// "【初上映】映画『霧の庭』".
  private func quoted(_ text: String) -> String? {
    if let open = text.firstPlace(of: "『"), open.lowerBound > text.startIndex, text.hasSuffix("』"),
      text.lastPlace(of: "『") == open
    {
      var before = String(text[..<open.lowerBound])
      if before.hasPrefix("【"), let end = before.firstPlace(of: "】") { before = String(before[end.upperBound...]) }
      if Self.kindsInFront.contains(before.trimmedText) { return String(text[open.lowerBound...]) }
    }
    guard text.hasPrefix("『"), let end = text.firstPlace(of: "』"), end.upperBound < text.endIndex else { return nil }
    let facts = String(text[end.upperBound...]).trimmedText
    guard let first = facts.unicodeScalars.first, let last = facts.unicodeScalars.last,
      ["(", "（"].contains(first), [")", "）"].contains(last), facts.holds("監督")
    else { return nil }
    return String(text[..<end.upperBound])
  }

  private static let kindsInFront: Set<String> = [
    "", "映画", "作品", "上映作品", "特別上映", "ドキュメンタリー映画", "アニメーション映画", "長編映画", "短編映画",
  ]

  /// "괴물 / 15세 / 104분" is 괴물: a heading that says what else there is to say.
  func beforeFacts(_ text: String) -> String {
    for stroke in [" / ", " | ", " · "] {
      let mark = stroke.unicodeScalars.dropFirst().first
      guard text.holds(stroke) else { continue }
      let parts = text.unicodeScalars.split(whereSeparator: { $0 == mark }).map { String(Substring($0)).trimmedText }
      guard (2...Self.factsMax).contains(parts.count), parts[0].hasLetters, !isFacts(parts[0]),
        parts.dropFirst().allSatisfy({ isFacts($0) || TitleVocabulary.isCertificate($0) })
      else { continue }
      return parts[0]
    }
    return text
  }

  private static let factsMax = 5

  /// "Silt (12A): a young engineer comes home. …": a paragraph that begins with what it is about.
  private func beforeSynopsis(_ text: String) -> String? {
    guard text.utf8.count > Self.synopsisMin, let end = text.unicodeScalars.last, ".!?…".unicodeScalars.contains(end)
    else { return nil }
    let place =
      text.firstPlace(of: "): ").map { text.utf8.index(after: $0.lowerBound) } ?? text.firstPlace(of: ": ")?.lowerBound
    guard let place, case let title = String(text[..<place]), title.utf8.count <= Self.leadMax,
      title.unicodeScalars.first?.properties.isLowercase == false, !title.holds(". "),
      !PageWords.isField(String(text.prefix(Self.leadMax)))
    else { return nil }
    return title.trimmedText
  }

  /// No title is as long; what stands before a colon is not longer.
  private static let (synopsisMin, leadMax) = (100, 80)

  /// "Silt. 1994. Poland. Directed by Ana Berg" is Silt.
  private func beforeCredits(_ text: String) -> String {
    guard let credit = text.firstPlace(of: ". Directed by ") else { return beforeField(text) }
    let parts = String(text[..<credit.lowerBound]).split(separator: ". ").map(String.init)
    let year = parts.dropFirst().firstIndex { $0.utf8.count == 4 && $0.utf8.allSatisfy(isDigitByte) }
    return parts[..<(year ?? parts.count)].joined(separator: ". ").trimmedText
  }

  /// "Silt. Duración: 112 min. Dirección: Ana Berg" is Silt.
  private func beforeField(_ text: String) -> String {
    guard text.holds(": ") else { return text }
    let sentences = text.split(separator: ". ", maxSplits: Self.sentencesMax)
    var title = ""
    for (sentence, next) in zip(sentences, sentences.dropFirst()) {
      title += (title.isEmpty ? "" : ". ") + sentence
      if PageWords.isField(String(next)) { return title.trimmedText }
    }
    return text
  }

  private static let sentencesMax = 4

  /// "서리꽃 *영화 후 이야기모임" is 서리꽃: behind a star stands what is said of the showing.
  private func beforeFootnote(_ text: String) -> String {
    for mark in [" *", " ※", " ＊"] {
      // "Knots * But Seldom": a sign between two words of a name.
      guard let range = text.firstPlace(of: mark), String(text[range.upperBound...]).hasLetters,
        text[range.upperBound...].unicodeScalars.first?.isBlank == false
      else { continue }
      let before = LineRest.trimmed(String(text[..<range.lowerBound]))
      if before.unicodeScalars.count(where: \.properties.isAlphabetic) >= 2 { return before }
    }
    return text
  }

  func isPrice(_ text: String) -> Bool {
    text.unicodeScalars.contains { "€£$¥￥₩₪원円".unicodeScalars.contains($0) } && text.utf8.contains(where: isDigitByte)
      && text.utf8.count <= 16
  }

  /// "18.11. | Silt" is Silt: a date and a stroke before it.
  func behindDate(_ text: String) -> String? {
    for stroke in [" | ", ": ", " – ", " - ", " — ", " · "] {
      guard let place = text.firstPlace(of: stroke) else { continue }
      let title = String(text[place.upperBound...]).trimmedText
      guard title.unicodeScalars.count(where: \.properties.isAlphabetic) >= 2,
        let before = PrintedLine(String(text[..<place.lowerBound]), clock: clock, expecting: .dates),
        before.rest.isEmpty, before.times.isEmpty, before.days.count == 1, before.days[0].day != nil,
        before.days[0].notes.isDisjoint(with: [.inferredFromWeekday, .inferredMonth, .relativeDay])
      else { continue }
      return title
    }
    return nil
  }

  /// "声の庭 ※30(月)休映" is 声の庭; a remark alone is no title.
  func beforeRemark(_ text: String) -> String? {
    guard let mark = text.unicodeScalars.firstIndex(where: { "※＊*(（".unicodeScalars.contains($0) }) else { return nil }
    let before = LineRest.trimmed(String(text.unicodeScalars[..<mark]))
    return before.unicodeScalars.count(where: \.properties.isAlphabetic) >= 2 ? before : nil
  }
}

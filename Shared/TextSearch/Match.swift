/// Where a term was found in one form of a text, and how well.
struct Match {
  let score: Double
  /// Units of the form.
  let range: Range<Int>

  /// The best place of `term` in a text as it stands; nil if it is not in it.
  init?(_ term: [UInt32], in text: ArraySlice<UInt32>, as form: SearchForm) {
    var best: (place: Double, start: Int)?
    var start = text.startIndex
    while start + term.count <= text.endIndex {
      if text[start] & FormedText.startBit != 0, Self.matches(term, text, at: start) {
        let place = Self.place(start, term.count, text)
        if place > best?.place ?? 0 { best = (place, start) }
        // Nothing later is better than the beginning of a word.
        if place >= Self.wordStart { break }
      }
      start += 1
    }
    guard let best else { return nil }
    let from = best.start - text.startIndex
    range = from..<(from + term.count)
    score = Self.base(form) * best.place + Self.coverage * Double(term.count) / Double(text.count)
  }

  /// The word whose beginning is nearest to `term`, with at most so many slips.
  init?(_ term: [UInt32], near text: ArraySlice<UInt32>, as form: SearchForm, typos: Int) {
    var best: (slips: Int, start: Int, end: Int)?
    for start in text.indices where text[start] & FormedText.wordBit != 0 {
      guard let (slips, length) = Slips.between(term, andPrefixOf: text[start...], atMost: typos) else { continue }
      if slips < best?.slips ?? .max { best = (slips, start, start + length) }
    }
    guard let best else { return nil }
    range = (best.start - text.startIndex)..<(best.end - text.startIndex)
    score =
      Self.base(form) * Self.typo / Double(best.slips + 1) + Self.coverage * Double(term.count) / Double(text.count)
  }

  private static func matches(_ term: [UInt32], _ text: ArraySlice<UInt32>, at start: Int) -> Bool {
    for place in 0..<term.count where text[start + place] & FormedText.scalarMask != term[place] { return false }
    return true
  }

  private static func place(_ start: Int, _ count: Int, _ text: ArraySlice<UInt32>) -> Double {
    if start == text.startIndex { return count == text.count ? whole : beginning }
    return text[start] & FormedText.wordBit != 0 ? wordStart : inside
  }

  // What is spelt as asked stands before what only sounds so, and beginnings before insides.
  private static let whole = 1.0
  private static let beginning = 0.9
  private static let wordStart = 0.8
  private static let inside = 0.6
  private static let typo = 0.6
  /// Of two that match alike, the shorter name is the likelier one.
  private static let coverage = 5.0

  private static func base(_ form: SearchForm) -> Double {
    switch form {
    case .written: 100
    case .initials: 60
    case .letters: 55
    case .sounds: 45
    }
  }
}

/// How many letters must be inserted, dropped, replaced or swapped with their neighbour.
enum Slips {
  /// The fewest to make a beginning of `text` out of `term`, and how long that beginning is; nil if they are too many.
  static func between(
    _ term: [UInt32], andPrefixOf text: ArraySlice<UInt32>, atMost limit: Int
  ) -> (slips: Int, length: Int)? {
    let text = text.prefix(term.count + limit).map { $0 & FormedText.scalarMask }
    guard text.count + limit >= term.count else { return nil }
    // Rows of the costs of each beginning of the term, for the last three letters of the text.
    var beforeLast = Array(repeating: 0, count: term.count + 1)
    var last = Array(0...term.count)
    var row = beforeLast
    var best: (slips: Int, length: Int)?
    for i in text.indices {
      row[0] = i + 1
      var least = row[0]
      for j in term.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (text[i] == term[j] ? 0 : 1))
        if i > 0, j > 0, text[i] == term[j - 1], text[i - 1] == term[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row[j + 1] = cost
        least = min(least, cost)
      }
      if row[term.count] <= limit, row[term.count] < best?.slips ?? .max { best = (row[term.count], i + 1) }
      guard least <= limit else { break }
      swap(&beforeLast, &last)
      swap(&last, &row)
    }
    return best
  }
}

import HTML

/// Flat pages that open each film with a mark of their own:
///
///     ● 9月11日（金）
///     【初上映】映画『冬の岸』
///     ➀12：00~　➁15:30~
///     ● 9月28日（月）19：00～
///     『声の庭』（2025）
extension TitleVote {
  /// The one text in brackets of the section that each time stands in, before it or behind it; nil where one has none.
  func titlesOfSections(_ group: [TimePlace]) throws(ExtractionError) -> [Title?]? {
    guard let first = group.first, let list = listOfSections(around: first) else { return nil }
    let range = context.range(in: list)
    try budget.spend(range.count + group.count)
    let marks = range.compactMap { mark(of: $0, in: list) }
    guard let mark = marks.first else { return nil }
    let starts = range.filter { self.mark(of: $0, in: list) == mark }
    // "★舞台挨拶あり" opens nothing.
    guard starts.count >= Self.sectionsMin,
      starts.allSatisfy({ context.atoms[$0].isDate || context.atoms[$0].isTime || isFilm($0) })
    else { return nil }
    var titles: [Title?] = []
    for place in group {
      guard range.contains(place.atom), let start = starts.last(where: { $0 <= place.atom }) else { return nil }
      let end = starts.first { $0 > start } ?? range.upperBound
      let films = (start..<min(end, start + Self.sectionMax)).filter(isFilm)
      try budget.spend(min(end - start, Self.sectionMax))
      guard films.count == 1, let film = films.first, let level = place.path.firstIndex(of: list) else { return nil }
      titles.append(
        Title(text: cut(context.atoms[film].text), atom: film, level: level, trust: Self.sectionTrust, link: nil))
    }
    return titles
  }

  private static let sectionsMin = 2
  private static let sectionMax = 60
  private static let sectionTrust = 0.9
  private static let sectionMarks: Set<Unicode.Scalar> = ["●", "■", "◆", "▼", "★", "◎", "▶", "□", "◇"]

  /// The part of the page that has the paragraphs among which a time stands.
  private func listOfSections(around place: TimePlace) -> Int? {
    guard let block = place.path.first(where: { !tree.isInline($0) }), tree[block].parent >= 0 else { return nil }
    return tree[block].parent
  }

  /// The mark with which a paragraph begins, and which is not all of it.
  private func mark(of index: Int, in list: Int) -> Unicode.Scalar? {
    let atom = context.atoms[index]
    guard let first = atom.text.unicodeScalars.first, Self.sectionMarks.contains(first),
      atom.text.unicodeScalars.count > 2,
      let block = tree.path(atom.place).first(where: { !tree.isInline($0) }), tree[block].parent == list
    else { return nil }
    return first
  }

  private func isFilm(_ index: Int) -> Bool {
    let atom = context.atoms[index]
    guard atom.isWords, case let scalars = atom.text.unicodeScalars, let open = scalars.firstIndex(of: "『"),
      scalars[open...].contains("』")
    else { return false }
    return scalars.count { $0 == "『" } == 1
  }
}

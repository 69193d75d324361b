/// The venue that a page labels once for all that it lists:
///
///     <p>会場</p> <p>東京苔学院ホール</p>
extension StructureReading {
  /// The one text behind such a label; nil where there are several, or none.
  func labelledVenue() -> String? {
    var found: Set<String> = []
    var name: String?
    // Behind the first time it is of one showing, unless the page has one film.
    let titles = Set(outcomes.flatMap { $0.candidates.map(\.title.foldedKey) })
    let first = titles.count == 1 ? nil : outcomes.flatMap { $0.matches.map(\.time) }.min()
    for (index, atom) in atoms.enumerated()
    where atom.isWords && atom.text.utf8.count <= Self.labelBytesMax && !tree[atom.place].isChrome {
      guard PageWords.isVenueLabel(atom.text), atoms.indices.contains(index + 1), case let next = atoms[index + 1],
        next.isWords, next.text.hasLetters, next.text.utf8.count <= Self.venueBytesMax, !PageWords.isLabel(next.text),
        !PageWords.isField(next.text), !PageWords.isMaker(next.text), !ScreenName.isOne(next.text),
        // An address is none.
        !next.text.utf8.contains(where: isDigitByte),
        // "会場 | 監督": heads of columns.
        !tree.path(atom.place).prefix(2).contains(where: { tree[$0].tag == "th" && isHead(next.place) })
      else { continue }
      guard first.map({ atom.place < $0 }) ?? true else { return nil }
      found.insert(next.text.foldedKey)
      name = name ?? next.text
    }
    return found.count == 1 ? name : nil
  }

  private func isHead(_ place: Int) -> Bool { tree.path(place).prefix(2).contains { tree[$0].tag == "th" } }

  private static let labelBytesMax = 24
  private static let venueBytesMax = 90

  /// What nothing nearer says is where the page says once that all is.
  mutating func settleLabelledVenue() {
    guard outcomes.contains(where: { $0.candidates.contains { $0.venue == nil } }), let name = labelledVenue() else {
      return
    }
    for outcome in outcomes.indices {
      for index in outcomes[outcome].candidates.indices where outcomes[outcome].candidates[index].venue == nil {
        outcomes[outcome].candidates[index].venue = name
      }
    }
  }
}

extension PageWords {
  static func isVenueLabel(_ text: String) -> Bool { venueLabels.contains(LineRest.trimmed(text)) }

  private static let venueLabels: Set<String> = [
    "会場", "場所", "上映会場", "開催場所", "場地", "地點", "活動地點", "放映地點", "地点", "放映地点", "장소", "상영장소", "상영 장소",
  ]
}

import HTML

/// Texts that stand where a title might, and by their element are none.
extension TitleVote {
  /// One of the steps of a booking, or who made the film: `<li class="step">Payment</li>`,
  /// `<span class="name"><strong>감독</strong>김하나</span>`.
  func isBesideBooking(_ place: Int) -> Bool {
    if tree.isStep(place) { return true }
    guard !tree[place].isText, tree[place].length <= Self.makerLengthMax else { return false }
    let children = tree.children(place)
    guard children.count > 1, case let label = tree.text(children[0]).trimmedText, !tree[children[0]].isText else {
      return false
    }
    return PageWords.isMaker(LineRest.trimmed(label))
  }

  /// 『冬の岸』 below "特集 青木真": where a cell or a line has a programme's name and one film in its brackets, that is what is
  /// shown.
  func filmOfSeries(_ index: Int) -> String? {
    let atom = context.atoms[index]
    guard atom.isWords, atom.text.utf8.count <= Self.seriesBytesMax, atom.text.utf8.contains(where: { $0 >= 0x80 }),
      Self.namesSeries(atom.text),
      let block = tree.path(atom.place).first(where: { !tree.isInline($0) })
    else { return nil }
    let range = context.range(in: block)
    guard range.count <= Self.seriesAtomsMax else { return nil }
    let films = range.filter { context.atoms[$0].isWords && Self.isQuoted(context.atoms[$0].text) }
    return films.count == 1 && films[0] > index ? context.atoms[films[0]].text : nil
  }

  /// `<span class="movie-name">`: the one text of the page that is called a film's name, before all times. Beside such a page's
  /// times stand halls and versions: a list of films would call each of them so.
  func onlyFilm(before group: [TimePlace]) throws(ExtractionError) -> Int? {
    try budget.spend(context.atoms.count)
    var found: Int?
    for (index, atom) in context.atoms.enumerated() where atom.isWords && atom.text.hasLetters {
      let isCalled = tree.path(atom.place).prefix(Self.calledLevels).contains { at in
        !tree[at].isText
          && tree[at].node.classes.contains { name in
            let words = RecordKey.words(of: name)
            return words.count == 2 && Self.filmWords.contains(words[0]) && PageWords.title.contains(words[1])
          }
      }
      guard isCalled else { continue }
      guard found == nil else { return nil }
      found = index
    }
    guard let film = found, group.allSatisfy({ $0.atom > film }) else { return nil }
    return film
  }

  private static let calledLevels = 2
  /// An "event-title" may be a festival's.
  private static let filmWords: Set<String> = ["film", "movie", "mov", "pelicula"]

  private static func namesSeries(_ text: String) -> Bool {
    series.contains { text.hasPrefix($0) || text.hasSuffix($0) }
  }

  private static func isQuoted(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let close = quotes[first], scalars.last == close else { return false }
    return scalars.count { $0 == close } == 1 && scalars.count > 2
  }

  private static let series = [
    "特集", "特集上映", "映画祭", "レトロスペクティヴ", "レトロスペクティブ", "기획전", "특별전", "회고전", "감독전", "영화제", "專題", "影展", "专题",
  ]
  private static let quotes: [Unicode.Scalar: Unicode.Scalar] = [
    "『": "』", "「": "」", "〈": "〉", "《": "》", "<": ">", "＜": "＞",
  ]
  private static let seriesBytesMax = 120
  private static let seriesAtomsMax = 8

  private static let makerLengthMax = 90
}

extension PageTree {
  /// `<li class="step-item"><div>2</div><div>Payment</div>`: one of the steps of a booking. What is called "steps" holds
  /// them, and may hold what was chosen.
  func isStep(_ place: Int) -> Bool {
    path(place).prefix(Self.stepLevels).contains { at in
      !self[at].isText && self[at].node.classes.contains { $0.split { $0 == "-" || $0 == "_" }.contains("step") }
    }
  }

  /// From a step's name up to what calls it one.
  private static let stepLevels = 5
}

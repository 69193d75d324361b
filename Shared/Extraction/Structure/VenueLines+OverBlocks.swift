import HTML

/// A festival lists its houses one below the other, each over what it shows that day, in parts that nothing calls houses:
///
///     [ 물가의극장 하늘관 ]  [ 이끼시네마 3관 ]
///     [ 10:00 Silt     ]  [ 09:30 Marram ]
///     [ 13:30 Bolt     ]  [ 16:00 Knots  ]
extension VenueLines {
  /// By card, the words with which the part begins that it stands in; empty where these are films, or of no houses.
  func namesOverBlocks(of cards: [Card], budget: WorkBudget) throws(ExtractionError) -> [Int: String] {
    // Parts of one house's programme are series.
    guard cards.count >= Self.blockCardsMin, let first = cards.first, !(pageVenue.map(CinemaWords.isName) ?? false)
    else { return [:] }
    let titles = Set(cards.compactMap(\.title))
    for block in first.place.path.prefix(Self.blockLevels).reversed() where heads(block) != nil {
      let kind = tree.signature(block)
      var heads: [Int: Int] = [:]
      for (index, card) in cards.enumerated() {
        try budget.spend(Self.blockLevels)
        guard let own = card.place.path.prefix(Self.blockLevels).first(where: { tree.signature($0) == kind }),
          let head = self.heads(own), let title = card.title, title > head, !titles.contains(head)
        else { break }
        heads[index] = head
      }
      guard heads.count == cards.count else { continue }
      let texts = Set(heads.values.map { context.atoms[$0].text.foldedKey })
      let placed = Set(heads.values.filter { isHouse(context.atoms[$0].text) }.map { context.atoms[$0].text.foldedKey })
      // "シアター1" is a room of the page's one house.
      guard heads.values.allSatisfy({ !Self.isRoom(context.atoms[$0].text) }), texts.count > 1,
        placed.count * 2 >= texts.count
      else { continue }
      return heads.mapValues { context.atoms[$0].text }
    }
    return [:]
  }

  private static let blockCardsMin = 3
  /// From a time up to the part that is its house's.
  private static let blockLevels = 8
  private static let headBytesMax = 80

  /// The first words of a part of the page that has others like it beside it, in an element without times.
  private func heads(_ block: Int) -> Int? {
    guard !tree[block].isText, tree[block].parent >= 0, case let range = context.range(in: block),
      let head = range.first, case let atom = context.atoms[head], atom.isWords,
      atom.text.utf8.count <= Self.headBytesMax,
      let element = tree.path(atom.place).first(where: { tree[$0].parent == block }), context.times(in: element) == 0,
      context.range(in: element).count == 1
    else { return nil }
    return head
  }

  private static func isRoom(_ text: String) -> Bool { ScreenName.isOne(text) && room(of: text) == nil }

  private func isHouse(_ text: String) -> Bool {
    Self.room(of: text) != nil || text.utf8.contains { $0 >= 0xE0 } && CinemaWords.isName(text)
  }

  /// "3관" of "Moss Palace 3관": which of a house's rooms.
  static func room(of text: String) -> String? {
    let words = text.unicodeScalars.split(whereSeparator: \.isBlank).map { String(Substring($0)) }
    // "Kino 2" may be a house's name.
    return (1...2).lazy.filter { words.count > $0 }.map { words.suffix($0).joined(separator: " ") }
      .first(where: ScreenName.isOfCinema)
  }
}

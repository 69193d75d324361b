import HTML

/// A guide lists the houses of each film, each over times of its own:
///
///     Silt                        Moss
///       Rio Cinema  17:30 20:00     Rio Cinema  21:00
///       The Larches 20:00
extension VenueLines {
  /// By card, the name over its times; empty where what stands there is something else, as a room or a kind of showing.
  func namesUnderTitles(of cards: [Card], budget: WorkBudget) throws(ExtractionError) -> [Int: String] {
    var labels: [String: [Int: Int]] = [:]
    for (index, card) in cards.enumerated() {
      guard let title = card.title, title < card.place.atom else { return [:] }
      try budget.spend(Self.labelReach)
      if let atom = label(over: card.place.atom, below: title) {
        labels[tree.signature(context.atoms[atom].place), default: [:]][index] = atom
      }
    }
    let titles = Set(cards.compactMap { $0.title.map { context.atoms[$0].text.foldedKey } })
    guard titles.count > 1, let found = labels.values.first(where: { $0.count == cards.count }) else { return [:] }
    /// By film, the labels under it; by label, the films over it.
    var labelsOfFilm: [String: Set<String>] = [:]
    var filmsOfLabel: [String: Set<String>] = [:]
    for (index, atom) in found {
      let text = context.atoms[atom].text
      guard let title = cards[index].title, isName(text), !titles.contains(text.foldedKey) else { return [:] }
      let (film, label) = (context.atoms[title].text.foldedKey, text.foldedKey)
      labelsOfFilm[film, default: []].insert(label)
      filmsOfLabel[label, default: []].insert(film)
    }
    let atoms = Set(found.values)
    let called = atoms.count(where: isCalledHouse)
    // Where each is called a house, it need not show several films.
    guard labelsOfFilm.values.contains(where: { $0.count > 1 }),
      filmsOfLabel.values.contains(where: { $0.count > 1 }) && called > 0 || called == atoms.count
    else { return [:] }
    return found.mapValues { context.atoms[$0].text }
  }

  /// Between a time and its title, past other times of its list and what is said of them.
  private static let labelReach = 24

  private func label(over time: Int, below title: Int) -> Int? {
    var atom = time - 1
    while atom > title, time - atom <= Self.labelReach {
      let other = context.atoms[atom]
      if other.isDate { return nil }
      if other.isWords, isName(other.text) { return atom }
      atom -= 1
    }
    return nil
  }

  private func isCalledHouse(_ atom: Int) -> Bool {
    if isPlace(context.atoms[atom].text) || isBesideAddress(atom) { return true }
    return tree.path(context.atoms[atom].place).prefix(Self.calledLevels).contains { at in
      context.times(in: at) == 0 && tree[at].words.contains(where: PageWords.venueParts.contains)
        || tree[at].node["href"].map(ListedHouses.leadsToHouse) ?? false
    }
  }

  private static let calledLevels = 3
}

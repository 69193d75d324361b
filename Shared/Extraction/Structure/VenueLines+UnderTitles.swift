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
      for (kind, atom) in self.labels(over: card.place.atom, below: title) {
        labels[kind, default: [:]][index] = atom
      }
    }
    let titles = Set(cards.compactMap { $0.title.map { context.atoms[$0].text.foldedKey } })
    for (_, found) in labels.sorted(by: { $0.key < $1.key })
    where found.count == cards.count && areHouses(found, of: cards, titles: titles)
      || found.count * 10 >= cards.count * 9
        && found.values.count(where: { leadsToHouse(context.atoms[$0].place) }) * 10 >= found.count * 8
    {
      return found.mapValues { context.atoms[$0].text }
    }
    return [:]
  }

  private func areHouses(_ found: [Int: Int], of cards: [Card], titles: Set<String>) -> Bool {
    /// By film, the labels under it; by label, the films over it.
    var labelsOfFilm: [String: Set<String>] = [:]
    var filmsOfLabel: [String: Set<String>] = [:]
    for (index, atom) in found {
      guard let title = cards[index].title, case let label = context.atoms[atom].text.foldedKey, !titles.contains(label)
      else { return false }
      let film = context.atoms[title].text.foldedKey
      labelsOfFilm[film, default: []].insert(label)
      filmsOfLabel[label, default: []].insert(film)
    }
    let atoms = Set(found.values)
    let called = atoms.count(where: isCalledHouse)
    // Headings over the times of one film are houses where half of them are surely some.
    let areHeadings = atoms.allSatisfy { atom in
      tree.path(context.atoms[atom].place).prefix(Self.calledLevels).contains {
        DateFinder.headings.contains(tree[$0].tag)
      }
    }
    if labelsOfFilm.count == 1, areHeadings, called * 2 >= atoms.count, labelsOfFilm.values.allSatisfy({ $0.count > 1 })
    {
      return true
    }
    // Where each is called a house, it need not show several films.
    return labelsOfFilm.values.contains { $0.count > 1 }
      && (filmsOfLabel.values.contains { $0.count > 1 } && called > 0 || called == atoms.count)
  }

  /// Between a time and its title, past other times of its list and what is said of them.
  private static let labelReach = 60

  /// By kind, the nearest.
  private func labels(over time: Int, below title: Int) -> [String: Int] {
    var found: [String: Int] = [:]
    var isDated = false
    for atom in stride(from: time - 1, to: max(title, time - 1 - Self.labelReach), by: -1) {
      let other = context.atoms[atom]
      isDated = isDated || other.isDate && !leadsToHouse(other.place)
      guard other.isWords && isName(other.text) || !other.isTime && leadsToHouse(other.place) else { continue }
      // Over days of its own a house is a heading.
      let isHeading = tree.path(other.place).prefix(2).contains { DateFinder.headings.contains(tree[$0].tag) }
      let kind = tree.signature(other.place)
      if !isDated || isHeading, found[kind] == nil { found[kind] = atom }
    }
    return found
  }

  private func isCalledHouse(_ atom: Int) -> Bool {
    let text = context.atoms[atom].text
    // "Forum Cinemas Vingis" on the page of "Forum Cinemas"
    if Self.isPlace(text) || isBesideAddress(atom) || pageVenue.map({ text.hasPrefix("\($0) ") }) ?? false {
      return true
    }
    return tree.path(context.atoms[atom].place).prefix(Self.calledLevels).contains { at in
      context.times(in: at) == 0 && tree[at].words.contains(where: PageWords.venueParts.contains)
        || tree[at].node["href"].map(ListedHouses.leadsToHouse) ?? false
    }
  }

  /// "5 Stars", "October", where a link leads to the house.
  private func leadsToHouse(_ place: Int) -> Bool {
    tree.path(place).prefix(2).contains { tree[$0].node["href"].map(ListedHouses.leadsToHouse) ?? false }
  }

  private static let calledLevels = 3
}

import HTML

/// Places whose texts look like titles and are another time's, or head a section.
extension TitleVote {
  /// Titles that stand behind their times, with one more of their kind before the first: each would be told an item late.
  /// Between such a one and its time a day begins, and never between a time and what stands behind it.
  func shiftedKeys(
    _ group: [TimePlace], _ options: [[String: Option]]
  ) throws(ExtractionError) -> Set<String> {
    var shifted: Set<String> = []
    guard group.count > 1 else { return shifted }
    for key in options[0].keys.sorted() where key.hasSuffix(Self.before) {
      let behind = String(key.dropLast(Self.before.count)) + Self.after
      var days = 0
      var apart = 0
      var texts: Set<Int> = []
      try budget.spend(group.count * 4)
      for (place, found) in zip(group, options) {
        guard let before = found[key]?.atom, let after = found[behind]?.atom, before < place.atom, after > place.atom
        else {
          days = 0
          break
        }
        texts.insert(after)
        if isNearer(after, than: before, to: place) { apart += 1 }
        if context.hasDay(from: before, to: place.atom) { days += 1 }
        if context.hasDay(from: place.atom, to: after) { days = group.count }
      }
      if days > 0, days < group.count, texts.count * 2 > group.count { shifted.insert(key) }
      // Each time has a card with one behind it: what stands before the card is the card's before.
      if apart == group.count, texts.count == group.count { shifted.insert(key) }
    }
    return shifted
  }

  /// Whether a text and the time stand in a part of the page that another is not in.
  private func isNearer(_ text: Int, than other: Int, to place: TimePlace) -> Bool {
    let (near, far) = (context.atoms[text].place, context.atoms[other].place)
    return place.path.first { tree.contains($0, near) || tree.contains($0, far) }.map {
      tree.contains($0, near) && !tree.contains($0, far)
    } ?? false
  }

  /// What stands above the days of times that have each a link of their own below the day: "Concerts" over the concerts, the
  /// links by which a list is filtered. Not the film over the houses that show it: those are other films' houses too.
  mutating func sectionKeys(
    _ group: [TimePlace], _ options: [[String: Option]]
  ) throws(ExtractionError) -> Set<String> {
    let headings = Set(options.flatMap { $0.keys.filter { $0.hasSuffix(Self.before) } })
    var sections: Set<String> = []
    guard group.count <= Self.groupMax else { return sections }
    var linked: [[(key: String, atom: Int, text: String)]] = []
    for found in options {
      try budget.spend(found.count)
      linked.append(
        found.compactMap { key, option in
          guard let atom = option.atom, isLinked(atom), quality(option) >= 0.8 else { return nil }
          return (key, atom, option.text.foldedKey)
        })
    }
    try budget.spend(headings.count * linked.reduce(group.count) { $0 + $1.count })
    for key in headings {
      var over: Set<String> = []
      var below: [String: [String: Set<String>]] = [:]
      var isSection = true
      var places = 0
      for (index, place) in group.enumerated() {
        guard let heading = options[index][key], let atom = heading.atom else { continue }
        places += 1
        guard atom < place.atom, !isOfPage(heading.text), let day = context.lastDay(from: atom, to: place.atom) else {
          isSection = false
          break
        }
        over.insert(heading.text)
        for own in linked[index] where own.atom > day {
          below[own.key, default: [:]][own.text, default: []].insert(heading.text)
        }
      }
      guard isSection, places > 0, over.count > 1 || group.count <= Self.fewTimes else { continue }
      let isBelow = below.values.contains { texts in
        texts.count >= over.count && texts.values.allSatisfy { $0.count == 1 }
      }
      if isBelow { sections.insert(key) }
    }
    return sections
  }

  /// Whether a text is in a link to a page of its own, of which it may be a part.
  func isLinked(_ atom: Int) -> Bool {
    let link = tree.path(context.atoms[atom].place).prefix(Self.linkLevels).first { tree[$0].node["href"] != nil }
    guard let link, let href = tree[link].node["href"] else { return false }
    return !PageWords.isMap(href) && !PageWords.isBooking(href, tree[link].words)
  }

  private static let linkLevels = 4
  /// Under one heading: more of them are a film's, or tell their titles by their number.
  private static let fewTimes = 2
  private static let groupMax = 2_000
  static let sectionWeight = 0.3

  /// "21:00 <a>Silt</a>" and "18:30 Bolt" in lines of their own: the text behind the time is the title in both.
  mutating func titlesOfLines(_ group: [TimePlace], _ options: [[String: Option]]) throws(ExtractionError) -> [Title?]?
  {
    guard group.count > 1 else { return nil }
    try budget.spend(group.count * 4)
    var titles: [Title?] = []
    var linked = 0
    for (place, found) in zip(group, options) {
      if let own = found[Self.lineBehind] {
        guard quality(own) >= 0.8 else { return nil }
        titles.append(Title(text: own.text, atom: nil, level: 0, trust: Self.lineTrust, link: own.link, note: own.note))
      } else if let link = found.values.filter({ isLinked(behind: place.atom, $0) }).min(by: { $0.atom! < $1.atom! }),
        quality(link) >= 0.8, let atom = link.atom
      {
        titles.append(Title(text: link.text, atom: atom, level: link.level, trust: Self.lineTrust, link: link.link))
        linked += 1
      } else {
        return nil
      }
    }
    guard linked > 0, linked < group.count else { return nil }
    chosen = Self.lineBehind
    return titles
  }

  private static let lineTrust = 0.9
  /// From a time to the link behind it: "21:00 Preview: <a>Silt</a>".
  private static let linkReach = 3

  private func isLinked(behind time: Int, _ option: Option) -> Bool {
    guard let atom = option.atom, (time + 1...time + Self.linkReach).contains(atom) else { return false }
    return isLinked(atom) && isInLine(of: time, atom)
  }

  /// Whether a text stands in the block of the time, and no line begins between them.
  private func isInLine(of time: Int, _ text: Int) -> Bool {
    let (from, to) = (context.atoms[time].place, context.atoms[text].place)
    guard let block = tree.path(from).first(where: { !tree.isInline($0) }), tree.contains(block, to), from < to else {
      return false
    }
    return !(from..<to).contains { tree[$0].tag == "br" }
  }
}

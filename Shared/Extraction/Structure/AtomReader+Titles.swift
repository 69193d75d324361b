import HTML

/// Titles that look like something else, told by where they stand.
///
///     <li><h2><a href="/film/1">Silt</a></h2><time>18:30</time></li>
///     <li><h2><a href="/film/2">11:14</a></h2><time>20:30</time></li>
extension AtomReader {
  /// What stands in records side by side where most of them have plain words is a title, if the record has a time besides.
  mutating func settleTitles() throws(ExtractionError) {
    var slots: [String: [Int]] = [:]
    for index in atoms.indices {
      try budget.spend(2)
      guard atoms[index].text.utf8.count <= Self.slotTextMax, !tree[atoms[index].place].isChrome,
        isTitleSlot(atoms[index].place)
      else { continue }
      slots[tree.signature(element(of: index)), default: []].append(index)
    }
    for slot in slots.values where slot.count >= Self.slotMin {
      let plain = slot.filter(isPlainTitle)
      guard plain.count < slot.count, plain.count * 2 >= slot.count,
        Set(plain.map { atoms[$0].text }).count >= Self.slotMin - 1
      else { continue }
      for (order, index) in slot.enumerated() where !isPlainTitle(index) {
        let neighbours = [order - 1, order + 1].filter(slot.indices.contains).map { atoms[slot[$0]].place }
        guard isLinkedHeading(index) || !isMostlyBeside(atoms[index].text), !PageWords.isGeneric(atoms[index].text),
          try hasTime(besides: index, apartFrom: neighbours)
        else { continue }
        atoms[index].kind = .words
        atoms[index].line = nil
        atoms[index].isTitle = true
      }
    }
  }

  private static let slotTextMax = 80
  /// So many records side by side show where their titles stand.
  private static let slotMin = 3

  /// A line of one element is told of the element, words of its text.
  private func element(of index: Int) -> Int {
    let place = atoms[index].place
    return tree[place].isText ? tree[place].parent : place
  }

  /// "Room 237", "Tickets", "Gallery hours": rooms, buttons and parts of a page stand beside titles, under a class of theirs.
  private func isMostlyBeside(_ text: String) -> Bool {
    ScreenName.isOne(text) || PageWords.isButton(text) || PageWords.isOtherTime(text) || PageWords.isBesidePart(text)
  }

  private func isLinkedHeading(_ index: Int) -> Bool {
    let around = tree.path(atoms[index].place).prefix(4)
    return around.contains { ["h2", "h3", "h4"].contains(tree[$0].tag) } && around.contains { isLinkToPage($0) }
  }

  private func isLinkToPage(_ place: Int) -> Bool {
    guard tree[place].tag == "a", let href = tree[place].node["href"], !href.hasPrefix("#") else { return false }
    return !PageWords.isMap(href) && !PageWords.isBooking(href, tree[place].words)
  }

  /// A heading, what is called a title, or a link to a page that is none for booking.
  private func isTitleSlot(_ place: Int) -> Bool {
    tree.path(place).prefix(3).contains { at in
      ["h2", "h3", "h4"].contains(tree[at].tag) || tree[at].words.contains(where: PageWords.title.contains)
        || isLinkToPage(at)
    }
  }

  /// `<a class="film-title">`, beside a time: no part of it.
  func isTitleLink(_ place: Int) -> Bool {
    isLinkToPage(place) && tree[place].words.contains(where: PageWords.title.contains)
  }

  private func isPlainTitle(_ index: Int) -> Bool {
    let text = atoms[index].text
    return atoms[index].isWords && text.unicodeScalars.count(where: \.properties.isAlphabetic) >= 2
      && !PageWords.isLabel(text) && !ScreenName.isOne(text) && !PageWords.isPartOfFilm(text)
      && !PageWords.isOtherTime(text) && !PageWords.isBesidePart(text)
  }

  /// Whether a time stands in the record of a text: the largest part around it that holds neither of its neighbours.
  private func hasTime(besides index: Int, apartFrom neighbours: [Int]) throws(ExtractionError) -> Bool {
    var record = atoms[index].place
    for around in tree.path(record).dropFirst() {
      try budget.spend()
      if neighbours.contains(where: { tree.contains(around, $0) }) { break }
      record = around
    }
    guard record != 0 else { return false }
    for (step, first) in [(-1, index - 1), (1, index + 1)] {
      var other = first
      while atoms.indices.contains(other), tree.contains(record, atoms[other].place) {
        try budget.spend()
        if atoms[other].isTime { return true }
        other += step
      }
    }
    return false
  }
}

import Calendars
import HTML

/// Days of a page that are there to be chosen from and head nothing: strips, tabs, calendars, links to other days' pages.
struct DayStrips {
  private let context: PageContext
  /// The atoms that choose a day.
  private(set) var members: Set<Int> = []
  private(set) var activeDate: Int?
  /// The one day of several that alone has another class: chosen, if nothing says more.
  private(set) var oddDate: Int?
  /// Parts of the page that one of them speaks of, by place.
  private(set) var labelled: [Int: Int] = [:]

  private var tree: PageTree { context.tree }
  private var atoms: [PageAtom] { context.atoms }

  init(in context: PageContext, budget: WorkBudget) throws(ExtractionError) {
    self.context = context
    try findLists(budget)
    try findLonely(budget)
    try findCalendars(budget)
    try findLinkedDays(budget)
  }

  /// Several parts of one list with a date each and no time among them are for choosing.
  private mutating func findLists(_ budget: WorkBudget) throws(ExtractionError) {
    struct Strip {
      var list: Int
      var parts: [Int] = []
      var members: [Int] = []
    }
    struct Kind: Hashable {
      let list: Int
      let tag: String
    }
    var known: [Kind: Int] = [:]
    var found: [Strip] = []
    for (index, atom) in atoms.enumerated() where atom.isDate {
      try budget.spend(4)
      let path = tree.path(atom.place)
      for level in 1...Self.partLevels where path.count > level + 1 {
        let (list, part) = (path[level], path[level - 1])
        let kind = Kind(list: list, tag: tree[part].tag)
        let strip = known[kind] ?? found.count
        if strip == found.count {
          known[kind] = strip
          found.append(Strip(list: list))
        }
        found[strip].members.append(index)
        if found[strip].parts.last != part { found[strip].parts.append(part) }
      }
    }
    for strip in found {
      // Two days, of which one is active, are there to be chosen from as well.
      let active = self.active(of: strip.parts) ?? marked(of: strip.parts, with: strip.members, in: strip.list)
      guard
        strip.parts.count >= Self.stripMin
          || strip.parts.count == 2
            && (active != nil || strip.parts.allSatisfy(choosesDay)
              || strip.members.count == 2 && strip.members.allSatisfy(linksItsDay))
      else { continue }
      if !arePressed(strip.parts) {
        guard context.times(in: strip.list) == 0, context.table(around: strip.list) == nil else { continue }
        // A day and little else in each part.
        guard tree[strip.list].length <= strip.parts.count * 80 else { continue }
      }
      members.formUnion(strip.members)
      if activeDate == nil {
        activeDate = strip.members.first { member in
          // "Week 07" is chosen, too, and is no day.
          guard day(of: member) != nil else { return false }
          let parts = tree.path(atoms[member].place).prefix { $0 != strip.list }
          return active.map(parts.contains) ?? parts.contains(where: isActive)
        }
      }
      if oddDate == nil, let part = odd(of: strip.parts) {
        oddDate = strip.members.first { tree.contains(part, atoms[$0].place) }
      }
      if strip.parts.count >= Self.stripMin || active != nil,
        let days = oneDay(ofEach: strip.parts, among: strip.members)
      {
        try labelPanels(behind: strip.list, with: days, budget)
      }
    }
  }

  /// `<ul><li><a href="?date=20260801">`: a day of the next month in a list of its own, with a link like those of a strip.
  private mutating func findLonely(_ budget: WorkBudget) throws(ExtractionError) {
    guard members.count >= Self.stripMin else { return }
    var shapes: [String: Int] = [:]
    var others: [(atom: Int, shape: String)] = []
    for (index, atom) in atoms.enumerated() where atom.isDate {
      let path = tree.path(atom.place)
      try budget.spend(Self.partLevels)
      guard
        let shape = path.prefix(Self.linkLevels).compactMap({ tree[$0].node["href"] }).first.flatMap(Self.shape)
      else { continue }
      if members.contains(index) {
        shapes[shape, default: 0] += 1
      } else if let item = path.prefix(Self.partLevels).first(where: { tree[$0].tag == "li" }), tree[item].parent >= 0,
        context.times(in: tree[item].parent) == 0
      {
        others.append((index, shape))
      }
    }
    for other in others where shapes[other.shape, default: 0] >= Self.stripMin { members.insert(other.atom) }
  }

  /// What stands before the questions of an address with a day in it, or all but its numbers; nil if it has no day.
  private static func shape(of href: String) -> String? {
    guard AddressDate.of(href) != nil else { return nil }
    let path = href.utf8.firstIndex(of: UInt8(ascii: "?")).map { href[..<$0] } ?? href[...]
    return String(decoding: path.utf8.filter { !isDigitByte($0) }, as: UTF8.self)
  }

  /// `<div role="button" aria-pressed="false">Tue 29 Sep</div>`: each says of itself whether it is chosen, and one is, whatever
  /// else stands in what holds them.
  private func arePressed(_ parts: [Int]) -> Bool {
    parts.allSatisfy { part in
      let node = tree[part].node
      return (node["aria-pressed"] ?? node["aria-selected"]) != nil && tree[part].length <= Self.pressedMax
        && context.times(in: part) == 0
    } && parts.count(where: isActive) == 1
  }

  private static let pressedMax = 40

  /// The member that says which day each part is, if each says one.
  private func oneDay(ofEach parts: [Int], among members: [Int]) -> [Int]? {
    var days: [Int] = []
    var rest = members[...]
    for part in parts {
      let own = rest.prefix { atoms[$0].place < tree[part].end }
      rest = rest[own.endIndex...]
      let told = own.filter { day(of: $0) != nil }
      guard let first = told.first, Set(told.map(day)).count == 1 else { return nil }
      days.append(first)
    }
    return days
  }

  private func day(of member: Int) -> CivilDate? {
    if case .date(let found) = atoms[member].kind, found.count == 1 { found[0].day } else { nil }
  }

  /// Each panel behind the days is of the day that has its place, if none says another one.
  private mutating func labelPanels(behind list: Int, with days: [Int], _ budget: WorkBudget) throws(ExtractionError) {
    let dates = days.compactMap(day)
    guard dates.count == days.count, zip(dates, dates.dropFirst()).allSatisfy(<),
      let panels = try DayPanels(tree: tree)
        .panels(behind: list, count: days.count, times: { context.times(in: $0) }, budget: budget)
    else { return }
    for (panel, date) in zip(panels, dates) {
      let range = context.range(in: panel)
      try budget.spend(range.count)
      let says = range.contains { index in
        if case .date(let own) = atoms[index].kind, own.count == 1, let day = own[0].day { day != date } else { false }
      }
      if says { return }
    }
    for (panel, day) in zip(panels, days) where labelled[panel] == nil { labelled[panel] = day }
  }

  /// A month in a table, with the numbers of its days and nothing else, is there to choose from.
  private mutating func findCalendars(_ budget: WorkBudget) throws(ExtractionError) {
    for place in context.grids.keys.sorted() where context.times(in: place) == 0 {
      let range = context.range(in: place)
      guard (Self.calendarMin...Self.calendarMax).contains(range.count) else { continue }
      try budget.spend(range.count)
      let days = range.filter { atoms[$0].isDate && !members.contains($0) }
      guard days.count >= Self.calendarMin, days.count * 10 >= range.count * 7 else { continue }
      members.formUnion(days)
      if activeDate == nil {
        activeDate = days.first { tree.path(atoms[$0].place).prefix { $0 != place }.contains(where: isActive) }
      }
    }
  }

  private static let calendarMin = 14
  /// Six weeks, each day told by its number and by what its cell is called, the weekdays over them, and the month.
  private static let calendarMax = 100

  private static let stripMin = 3
  /// From a date up to its part of a list: `<li class=on><div><a><span>May<em>Mon<strong>22`.
  private static let partLevels = 6

  /// Days side by side that each link a page of its own, in a table or deeper than a list is: for choosing as well.
  private mutating func findLinkedDays(_ budget: WorkBudget) throws(ExtractionError) {
    var run: [(atom: Int, link: Int)] = []
    for index in atoms.indices {
      let path = atoms[index].isDate && !members.contains(index) ? tree.path(atoms[index].place) : []
      try budget.spend(path.count + 1)
      if let link = path.prefix(Self.linkLevels).first(where: { tree[$0].node["href"]?.utf8.first ?? 0x23 != 0x23 }) {
        run.append((index, link))
        continue
      }
      takeLinkedDays(run)
      run = []
    }
    takeLinkedDays(run)
  }

  private static let linkLevels = 3

  private mutating func takeLinkedDays(_ run: [(atom: Int, link: Int)]) {
    guard run.count >= Self.stripMin, Set(run.map { tree[$0.link].node["href"] }).count == run.count,
      let last = run.last?.link, case let around = tree.path(run[0].link),
      let list = around.first(where: { tree.contains($0, last) }), context.times(in: list) == 0,
      around.first(where: { tree[$0].tag == "table" && tree.contains($0, last) }).map({ context.times(in: $0) == 0 })
        ?? true,
      // Where none is marked, they may as well be headings.
      let marked = odd(of: run.map { tree[$0.link].parent })
    else { return }
    members.formUnion(run.map(\.atom))
    if oddDate == nil { oddDate = run.first { tree[$0.link].parent == marked }?.atom }
  }

  /// The one part of a list of days that is called active.
  private func active(of parts: [Int]) -> Int? {
    let active = parts.filter(isActive)
    if active.count <= 1 { return active.first }
    // "active slide-active" beside "slide-active".
    let whole = active.filter { !PageWords.active.isDisjoint(with: classes($0)) }
    return whole.count == 1 ? whole[0] : nil
  }

  /// The one part in which what holds the day is called active: `<li><a class="nav-link active">12/3</a></li>`.
  private func marked(of parts: [Int], with members: [Int], in list: Int) -> Int? {
    let marked = members.compactMap { member -> Int? in
      let path = tree.path(atoms[member].place).prefix { $0 != list }
      return path.contains(where: isActive) ? path.last : nil
    }
    return Set(marked).count == 1 ? marked.first : nil
  }

  /// `<li role="tab">`, `<a data-toggle="tab">`: a day to be pressed, and no heading.
  private func choosesDay(_ part: Int) -> Bool {
    (part..<min(tree[part].end, part + Self.partNodesMax)).contains { at in
      let node = tree[at].node
      return node["role"] == "tab" || node["data-toggle"] == "tab" || node["data-bs-toggle"] == "tab"
        || tree[at].tag == "button" && node["aria-controls"] == nil
    }
  }

  /// "3/13(五)" in a link to `/showtime/20260313/`: another page is of that day.
  private func linksItsDay(_ index: Int) -> Bool {
    guard case .date(let days) = atoms[index].kind, days.count == 1, let day = days[0].day else { return false }
    return tree.path(atoms[index].place).prefix(Self.linkLevels).contains {
      AddressDate.of(tree[$0].node["href"]) == day
    }
  }

  private static let partNodesMax = 12

  /// The one of them that leads nowhere, where each other is a link: the page is of that day.
  private func unlinked(of parts: [Int]) -> Int? {
    let unlinked = parts.filter { part in
      !(part..<min(tree[part].end, part + Self.partNodesMax)).contains { tree[$0].node["href"] != nil }
    }
    return unlinked.count == 1 ? unlinked[0] : nil
  }

  /// Of three or more the one whose classes differ from all the others', which have the same; or that is no link.
  private func odd(of parts: [Int]) -> Int? {
    guard parts.count >= Self.stripMin else { return nil }
    if let unlinked = unlinked(of: parts) { return unlinked }
    let kinds = Dictionary(grouping: parts) { classes($0) }
    guard kinds.count == 2, let odd = kinds.first(where: { $0.value.count == 1 }), !odd.key.isEmpty,
      odd.key.allSatisfy({ PageWords.unmarked.isDisjoint(with: RecordKey.words(of: $0)) })
    else { return nil }
    return odd.value[0]
  }

  private func classes(_ place: Int) -> Set<String> {
    Set((tree[place].node["class"] ?? "").unicodeScalars.split(whereSeparator: \.isBlank).map { String(Substring($0)) })
  }

  private func isActive(_ place: Int) -> Bool {
    let node = tree[place]
    if node.words.contains(where: { PageWords.active.contains($0) }) { return true }
    return node.node["aria-selected"] == "true" || node.node["aria-current"] != nil
      || node.node["aria-pressed"] == "true"
  }
}

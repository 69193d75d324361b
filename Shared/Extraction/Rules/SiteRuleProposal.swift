import Calendars
import HTML

/// A rule that reads a page as the reader of layouts reads it, and how well it does.
package struct SiteRuleProposal: Sendable {
  package var rule: SiteRule
  /// How many of the page's screenings the rule gives again, and how many others it gives.
  package var reproduced: Int
  package var expected: Int
  package var extra: Int

  /// Every screening and no other.
  package var isExact: Bool { reproduced == expected && extra == 0 }
}

extension PageReader {
  /// Proposes a rule for a page whose layout tells screenings; nil if there is none that gives at least half of them.
  package func propose(
    for bytes: [UInt8], as source: PageSource, site: String, cinema: String
  ) throws(ExtractionError) -> SiteRuleProposal? {
    let page = try HTMLDocument.page(bytes, as: source, limits: limits)
    let identity = PageIdentity(page, at: source.url)
    let budget = WorkBudget(limits.steps)
    let (tree, matches) = try StructureReader(
      clock: clock, limits: limits, pageVenue: source.venue ?? identity.venue, pageTitle: identity.title,
      addressDate: AddressDate.of(source.url), isCinema: identity.isCinema
    ).matches(page, budget: budget)
    guard !matches.isEmpty else { return nil }
    var best: SiteRuleProposal?
    var tried: Set<SiteRule> = []
    let wanted = Set(matches.map { "\($0.titleText.foldedKey)|\($0.start)" })
    func trial(of rule: SiteRule) throws(ExtractionError) -> SiteRuleProposal {
      let found = try run(rule, on: bytes, as: source).extraction.screenings
      let given = Set(found.map { "\($0.title.foldedKey)|\($0.start)" })
      return SiteRuleProposal(
        rule: rule, reproduced: given.intersection(wanted).count, expected: wanted.count,
        extra: given.subtracting(wanted).count)
    }
    // Names that a program made up change with the site's next build: they are taken only where nothing else will do.
    search: for isLasting in [true, false] {
      var author = SiteRuleAuthor(tree: tree, page: page, matches: matches, isLasting: isLasting, budget: budget)
      for films in try author.films() {
        for days in try author.days() {
          var rule = SiteRule(site: site, cinema: cinema, zone: clock.zone.name)
          if let url = source.url { rule.start = [url] }
          rule.films = films
          rule.days = days
          // Where no name was made up, the second look finds the same rules.
          guard tried.insert(rule).inserted else { continue }
          let proposal = try trial(of: rule)
          if best.map({ (proposal.reproduced - proposal.extra) > ($0.reproduced - $0.extra) }) ?? true {
            best = proposal
          }
          if proposal.isExact { break search }
        }
      }
    }
    guard let proposal = best, proposal.reproduced * 2 >= proposal.expected else { return nil }
    // The rule stands, whatever becomes of what is said beside the times.
    let author = SiteRuleAuthor(
      tree: tree, page: page, matches: matches, isLasting: true, budget: WorkBudget(limits.steps))
    guard let told = try? read(bytes, as: source).screenings,
      let rules = try? author.detailed(proposal.rule, as: told)
    else { return proposal }
    for rule in rules {
      guard let detailed = try? trial(of: rule) else { continue }
      // What stands beside the times is worth no screening.
      if detailed.reproduced >= proposal.reproduced, detailed.extra <= proposal.extra { return detailed }
    }
    return proposal
  }
}

/// Writes selectors for the parts of a page that the reader of layouts found.
private struct SiteRuleAuthor {
  let tree: PageTree
  let page: HTMLDocument
  let matches: [StructureMatch]
  /// Whether only names are used that somebody chose.
  let isLasting: Bool
  let budget: WorkBudget

  /// Selectors tried for one set of elements.
  private static let levelsMax = 4

  // MARK: Films

  mutating func films() throws(ExtractionError) -> [SiteRule.Films] {
    var proposals: [SiteRule.Films] = []
    let times = matches.map { element($0.time) }
    let titled = matches.filter { $0.title != nil }
    if titled.count * 2 >= matches.count, !titled.isEmpty {
      // The smallest part that holds a title and its times.
      let holders = titled.map { common($0.title!, $0.time) }
      let titlesOf = Dictionary(grouping: zip(holders, titled).map { ($0, element($1.title!)) }, by: \.0).mapValues {
        Set($0.map(\.1))
      }
      if titlesOf.values.allSatisfy({ $0.count == 1 }) {
        let title = try selector(for: titled.map { element($0.title!) }, inside: holders)
        for each in try selectors(for: holders) {
          for show in try selectors(for: times, inside: holders) {
            proposals.append(films(each, title: title, show: show, scope: .inside))
          }
        }
      }
      for each in try selectors(for: titled.map { element($0.title!) }) {
        for show in try selectors(for: times) {
          proposals.append(films(each, title: "", show: show, scope: .following))
        }
      }
    }
    if titled.count < matches.count {
      for each in try selectors(for: times) {
        var films = films(each, title: "", show: "", scope: .inside)
        films.title.parse = .words
        proposals.append(films)
      }
    }
    return proposals
  }

  private func films(_ each: String, title: String, show: String, scope: SiteRule.Films.Scope) -> SiteRule.Films {
    var shows = SiteRule.Shows(each: show, time: .init(.text(""), parse: .clock30))
    if matches.contains(where: \.hasOwnDate) {
      if matches.allSatisfy({ isMachine($0.time) }) {
        let attribute = machineAttribute(matches[0].time)
        shows.time = .init(.attribute(selector: "", name: attribute), parse: .plain)
      } else {
        shows.date = .init(.text(""), parse: .date)
      }
    }
    if matches.contains(where: { tree.path($0.time).prefix(2).contains { tree[$0].node["href"] != nil } }) {
      var booking = SiteRule.Field(.attribute(selector: isLink(matches[0].time) ? "" : "a", name: "href"))
      booking.isResolved = true
      shows.booking = booking
    }
    return SiteRule.Films(each: each, title: .init(.text(title)), scope: scope, shows: shows)
  }

  private func isLink(_ place: Int) -> Bool { tree[element(place)].tag == "a" }

  private func isMachine(_ place: Int) -> Bool { !machineAttribute(place).isEmpty }

  private func machineAttribute(_ place: Int) -> String {
    let node = tree[element(place)].node
    if node["datetime"] != nil { return "datetime" }
    return node.attributes.first {
      $0.name.hasPrefix("data-") && $0.value.utf8.count >= 16 && RecordKey(String($0.name.dropFirst(5))).isStart
    }?.name ?? ""
  }

  // MARK: What stands beside the times

  /// How far around a time its screen and its link are looked for.
  private static let rowLevelsMax = 3

  /// The rule with what the page tells of each show besides its time, the one that tells most first.
  func detailed(_ rule: SiteRule, as told: [FoundScreening]) throws(ExtractionError) -> [SiteRule] {
    guard let films = rule.films else { return [] }
    let screenings = Dictionary(told.map { ("\($0.title.foldedKey)|\($0.start)", $0) }) { first, _ in first }
    let known = matches.map { screenings["\($0.titleText.foldedKey)|\($0.start)"] }
    let times = matches.map { element($0.time) }
    var proposals: [SiteRule] = []
    for level in (0...Self.rowLevelsMax).reversed() {
      guard let rows = rows(around: times, level) else { continue }
      let holders = films.scope == .inside ? matches.map { $0.title == nil ? -1 : common($0.title!, $0.time) } : []
      guard !holders.contains(-1), level == 0 || !zip(rows, holders).contains(where: { tree.contains($0, $1) }) else {
        continue
      }
      var shows = films.shows
      if level > 0 {
        guard let each = try selectors(for: rows, inside: holders).first, !each.isEmpty,
          let time = try selectors(for: times, inside: rows).first
        else { continue }
        shows.each = each
        shows.time.source = shows.time.source.moved(to: time)
        shows.date = shows.date.map { SiteRule.Field($0.source.moved(to: time), parse: $0.parse) }
      }
      shows.screen = try screen(in: rows, known)
      shows.booking = booking(in: rows, known)
      shows.soldOut = soldOut(in: rows, known)
      var detailed = rule
      detailed.films?.shows = shows
      if detailed != rule { proposals.append(detailed) }
    }
    func details(_ rule: SiteRule) -> Int {
      let shows = rule.films?.shows
      return [shows?.screen, shows?.booking, shows?.soldOut].count { $0 != nil }
    }
    // Of two that tell as much the one that stays closer to the times.
    return proposals.reversed().sorted { details($0) > details($1) }
  }

  /// The parts so many levels around times; nil if one of them is of two times, or holds a title or a date.
  private func rows(around times: [Int], _ level: Int) -> [Int]? {
    guard level > 0 else { return times }
    var rows: [Int] = []
    for (index, time) in times.enumerated() {
      var row = time
      for _ in 0..<level { row = max(tree[row].parent, 0) }
      let (title, date) = (matches[index].title, matches[index].date)
      guard row > 0, title.map({ !tree.contains(row, $0) }) ?? false, date.map({ !tree.contains(row, $0) }) ?? true
      else {
        return nil
      }
      rows.append(row)
    }
    return Set(rows).count == rows.count ? rows : nil
  }

  private func screen(in rows: [Int], _ known: [FoundScreening?]) throws(ExtractionError) -> SiteRule.Field? {
    var (places, holders): ([Int], [Int]) = ([], [])
    for (row, screening) in zip(rows, known) {
      guard let text = screening?.screen?.foldedKey, !text.isEmpty else { continue }
      let inner = (row + 1..<max(tree[row].end, row + 1)).last { !tree[$0].isText && tree.text($0).foldedKey == text }
      guard let inner else { continue }
      places.append(inner)
      holders.append(row)
    }
    guard places.count * 2 >= rows.count, let selector = try selectors(for: places, inside: holders).first,
      !selector.isEmpty
    else { return nil }
    // Something else may stand first in some row.
    let isRight = zip(holders, places).allSatisfy { row, place in
      (try? tree[row].node.select(Selector(parsing: selector)).first?.text.foldedKey) == tree.text(place).foldedKey
    }
    return isRight ? SiteRule.Field(.text(selector)) : nil
  }

  private func booking(in rows: [Int], _ known: [FoundScreening?]) -> SiteRule.Field? {
    func isLink(_ place: Int) -> Bool { tree[place].tag == "a" && tree[place].node["href"] != nil }
    let selector: String
    if rows.count(where: isLink) * 2 >= rows.count {
      selector = ""
    } else {
      // One link a row is that to the seats; of several nobody knows which, but that around or behind the time.
      let links = rows.map { row in (row..<tree[row].end).filter(isLink) }
      guard links.count(where: { $0.count == 1 }) * 2 >= rows.count, links.allSatisfy({ $0.count <= 1 }) else {
        return nil
      }
      selector = "a"
    }
    var field = SiteRule.Field(.attribute(selector: selector, name: "href"))
    field.isResolved = true
    return field
  }

  /// What the sold out ones have and no other: a class, or a part.
  private func soldOut(in rows: [Int], _ known: [FoundScreening?]) -> SiteRule.Field? {
    var (sold, open): ([Int], [Int]) = ([], [])
    for (row, screening) in zip(rows, known) where screening != nil {
      if screening?.seats == .soldOut { sold.append(row) } else { open.append(row) }
    }
    guard !sold.isEmpty, !open.isEmpty else { return nil }
    func only(_ names: (Int) -> Set<String>) -> String? {
      let common = sold.dropFirst().reduce(names(sold[0])) { $0.intersection(names($1)) }
      return open.reduce(common) { $0.subtracting(names($1)) }.min()
    }
    if let name = only({ Set(tree[$0].node.classes.filter(isPlain)) }) { return SiteRule.Field(.hasClass(name)) }
    let part = only { row in
      Set(
        (row + 1..<max(tree[row].end, row + 1)).lazy.filter { !tree[$0].isText && !tree.text($0).isEmpty }
          .flatMap { place in
            tree[place].node.classes.filter(isPlain).map { "\(tree[place].tag).\($0)" } + [tree[place].tag]
          })
    }
    return part.map { SiteRule.Field(.text($0)) }
  }

  /// Whether a class can be written in a selector as it is.
  private func isPlain(_ name: String) -> Bool {
    name.utf8.allSatisfy {
      isDigitByte($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    } && !isDigitByte(name.utf8.first ?? 0x30)
  }

  // MARK: Days

  mutating func days() throws(ExtractionError) -> [SiteRule.Days?] {
    let dated = matches.filter { $0.date != nil }
    guard !dated.isEmpty else { return [nil] }
    let nodes = dated.map { element($0.date!) }
    var proposals: [SiteRule.Days?] = []
    let isOfContent = dated[0].isDateOfContent
    let attribute =
      isOfContent
      ? tree[nodes[0]].node.attributes.first {
        RecordKey(String($0.name.dropFirst(5))).isStart && $0.name.hasPrefix("data-")
      }?.name : nil
    let date =
      attribute.map { SiteRule.Field(.attribute(selector: "", name: $0), parse: .date) }
      ?? .init(.text(""), parse: .date)
    let isInTable = nodes.allSatisfy { node in tree.path(node).contains { tree[$0].tag == "th" || tree[$0].tag == "td" }
    }
    for each in try selectors(for: nodes) {
      if isInTable { proposals.append(SiteRule.Days(each: each, date: date, scope: .column)) }
      proposals.append(SiteRule.Days(each: each, date: date))
    }
    return proposals
  }

  // MARK: Selectors

  /// The element of a text.
  private func element(_ place: Int) -> Int { tree[place].isText ? tree[place].parent : place }

  private func common(_ left: Int, _ right: Int) -> Int {
    var outer = element(left)
    while outer > 0, !tree.contains(outer, right) { outer = tree[outer].parent }
    return outer
  }

  private func selector(for places: [Int], inside holders: [Int]) throws(ExtractionError) -> String {
    try selectors(for: places, inside: holders).first ?? ""
  }

  /// Selectors for all of them, the shortest that finds little else first.
  private func selectors(for places: [Int], inside holders: [Int] = []) throws(ExtractionError) -> [String] {
    let wanted = Set(places)
    let roots = Set(holders)
    if !roots.isEmpty, wanted.isSubset(of: roots) { return [""] }
    var ranked: [(selector: String, extra: Int, length: Int)] = []
    var parts: [String] = []
    var level = wanted
    for step in 0..<Self.levelsMax {
      guard !level.isEmpty, !level.contains(where: { $0 <= 0 || roots.contains($0) }), let part = part(for: level)
      else { break }
      parts.insert(part, at: 0)
      let text = parts.joined(separator: " > ")
      if let parsed = try? Selector(parsing: text) {
        let found = page.select(parsed)
        try budget.spend(found.count * 2 + tree.nodes.count / 4)
        ranked.append((text, found.count - wanted.count, step))
      }
      level = Set(level.map { tree[$0].parent })
    }
    ranked.sort { ($0.extra, $0.length) < ($1.extra, $1.length) }
    return ranked.prefix(2).map(\.selector)
  }

  /// The tag that all have, with the classes that all have.
  private func part(for places: Set<Int>) -> String? {
    guard let first = places.first else { return nil }
    let tag = places.allSatisfy { tree[$0].tag == tree[first].tag } ? tree[first].tag : "*"
    var classes = Set(tree[first].node.classes)
    for place in places { classes.formIntersection(tree[place].node.classes) }
    let plain = classes.filter { name in
      isPlain(name) && !PageTree.states.contains(name.lowercased()) && !(isLasting && ClassName.isGenerated(name))
    }
    guard tag != "*" || !plain.isEmpty else { return nil }
    return tag + plain.sorted().prefix(3).map { "." + $0 }.joined()
  }
}

extension SiteRule.Field.Source {
  /// The same, looked for in what a selector finds instead of in the element itself.
  fileprivate func moved(to selector: String) -> Self {
    switch self {
    case .text: .text(selector)
    case .attribute(_, let name): .attribute(selector: selector, name: name)
    case .hasClass: self
    }
  }
}

extension RecordKey {
  /// The field says when something starts, or on which day.
  var isStart: Bool { if case .start = role { true } else { false } }
}

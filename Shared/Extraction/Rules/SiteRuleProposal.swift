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
    let identity = PageIdentity(page)
    let budget = WorkBudget(limits.steps)
    let (tree, matches) = try StructureReader(
      clock: clock, limits: limits, pageVenue: source.venue ?? identity.venue, pageTitle: identity.title,
      addressDate: AddressDate.of(source.url), isCinema: identity.isCinema
    ).matches(page, budget: budget)
    guard !matches.isEmpty else { return nil }
    var best: SiteRuleProposal?
    var tried: Set<SiteRule> = []
    let wanted = Set(matches.map { "\($0.titleText.foldedKey)|\($0.start)" })
    // Names that a program made up change with the site's next build: they are taken only where nothing else will do.
    for isLasting in [true, false] {
      var author = SiteRuleAuthor(tree: tree, page: page, matches: matches, isLasting: isLasting, budget: budget)
      for films in try author.films() {
        for days in try author.days() {
          var rule = SiteRule(site: site, cinema: cinema, zone: clock.zone.name)
          if let url = source.url { rule.start = [url] }
          rule.films = films
          rule.days = days
          // Where no name was made up, the second look finds the same rules.
          guard tried.insert(rule).inserted else { continue }
          let found = try run(rule, on: bytes, as: source).extraction.screenings
          let given = Set(found.map { "\($0.title.foldedKey)|\($0.start)" })
          let proposal = SiteRuleProposal(
            rule: rule, reproduced: given.intersection(wanted).count, expected: wanted.count,
            extra: given.subtracting(wanted).count)
          if best.map({ (proposal.reproduced - proposal.extra) > ($0.reproduced - $0.extra) }) ?? true {
            best = proposal
          }
          if proposal.isExact { return proposal }
        }
      }
    }
    return best.flatMap { $0.reproduced * 2 >= $0.expected ? $0 : nil }
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

  private mutating func selector(for places: [Int], inside holders: [Int]) throws(ExtractionError) -> String {
    try selectors(for: places, inside: holders).first ?? ""
  }

  /// Selectors for all of them, the shortest that finds little else first.
  private mutating func selectors(for places: [Int], inside holders: [Int] = []) throws(ExtractionError) -> [String] {
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
      name.utf8.allSatisfy {
        isDigitByte($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      } && !isDigitByte(name.utf8.first ?? 0x30) && !PageTree.states.contains(name.lowercased())
        && !(isLasting && ClassName.isGenerated(name))
    }
    guard tag != "*" || !plain.isEmpty else { return nil }
    return tag + plain.sorted().prefix(3).map { "." + $0 }.joined()
  }
}

extension RecordKey {
  /// The field says when something starts, or on which day.
  var isStart: Bool { if case .start = role { true } else { false } }
}

import Calendars
import Clocks
import HTML
import JSON

extension PageReading {
  mutating func readHTML(_ bytes: [UInt8]) throws(ExtractionError) {
    let page = try HTMLDocument.page(bytes, as: source, limits: limits)
    baseURL = page.baseURL ?? source.url
    let identity = PageIdentity(page, at: source.url)
    isCinema = isCinema || identity.isCinema

    let (linked, theatres) = try JSONLDReader(clock: clock, limits: limits).read(page, budget: budget)
    if pageVenue == nil { pageVenue = theatres.count == 1 ? theatres[0] : identity.venue }
    take(linked.without(site: identity.siteName))
    take(try MicrodataReader(clock: clock, limits: limits).read(page, budget: budget).without(site: identity.siteName))
    take(try RDFaReader(clock: clock, limits: limits).read(page, budget: budget))
    evidence = AnnouncedTitle(page: page).completed(evidence)
    try readState(page, identity)
    let chosen = try ChosenDay(clock: clock).day(of: page, title: identity.title, budget: budget)
    let tree = try PageTree(page, budget: budget)
    var structure = try StructureReader(
      clock: clock, limits: limits, pageVenue: pageVenue, pageTitle: identity.title,
      addressDate: AddressDate.of(source.url) ?? chosen, isCinema: isCinema, film: identity.film
    ).read(tree, budget: budget)
    let written = WrittenAt(page)
    structure.candidates.removeAll { written.isMinute(of: $0.start, capturedAt: clock.capturedAt) }
    evidence.candidates = FalseUTC(clock: clock).corrected(evidence.candidates, by: structure.candidates, key: key)
    try take(structured: structure)
    try readProse(page, tree, identity)
    if evidence.candidates.isEmpty {
      reason =
        structure.trace.structure.isEmpty
        ? "the page shows no times of screenings"
        : "the times on the page stand under no date and title that belong together"
    }
  }

  /// An article is read where nothing is laid out, or less than its sentences tell.
  private mutating func readProse(
    _ page: HTMLDocument, _ tree: PageTree, _ identity: PageIdentity
  ) throws(ExtractionError) {
    let laidOut = evidence.candidates
    guard laidOut.count <= Self.laidOutMax, laidOut.allSatisfy({ $0.reader == .html }) else { return }
    let prose = try ProseReader(clock: clock, title: identity.title).read(page, tree, budget: budget)
    if laidOut.isEmpty || prose.candidates.count > laidOut.count {
      evidence.candidates = []
      take(prose)
    }
  }

  private static let laidOutMax = 4

  private mutating func readState(_ page: HTMLDocument, _ identity: PageIdentity) throws(ExtractionError) {
    let siteName = identity.siteName
    let clock = clock.speaking(page.first("html")?["lang"])
    for block in try EmbeddedState(budget: budget, limits: limits).blocks(of: page) {
      var found = try RecordReader(
        clock: clock, limits: limits, reader: .state, addressDate: nil, pageTitle: block.title ?? identity.subject,
        pageHeading: identity.heading, name: block.name
      ).read(block.value, at: block.place, budget: budget)
      // "Portobello" on the page of "Electric Cinema".
      if let siteName {
        for index in found.candidates.indices {
          guard let venue = found.candidates[index].venue, !CinemaWords.isCinema(venue), CinemaWords.isCinema(siteName),
            !venue.foldedKey.contains(siteName.foldedKey)
          else { continue }
          found.candidates[index].venue = "\(siteName) \(venue)"
        }
      }
      take(found)
    }
  }

  /// What the layout says is taken beside data meant for programs only where the two understand the page alike.
  private mutating func take(structured structure: Evidence) throws(ExtractionError) {
    evidence = evidence.without(cancelledIn: structure)
    let told = evidence.candidates
    let structure = try structure.without(toldAs: told, titles: titles, budget: budget)
    guard !told.isEmpty, !structure.candidates.isEmpty else {
      evidence.append(structure)
      return
    }
    var keys: Set<String> = []
    for candidate in told { keys.insert(key(candidate)) }
    let agreed = structure.candidates.filter { keys.contains(key($0)) }
    let seen = Set(agreed.map(key))
    let isTrusted = Double(seen.count) >= 0.5 * Double(keys.count) || keys.count <= 2 && structure.candidates.count >= 6
    var kept = structure
    kept.candidates = []
    let strange = isTrusted ? strangers(structure.candidates, told: told, keys: keys) : []
    for (index, candidate) in structure.candidates.enumerated() {
      if keys.contains(key(candidate)) || isTrusted && !strange.contains(index) {
        kept.candidates.append(candidate)
      } else {
        kept.trace.add(
          .html, at: candidate.place, .refused,
          "\(candidate.title), \(candidate.start): the page's own data does not have it")
      }
    }
    // Where the data says most of what the layout says, the layout's doubts are not the page's.
    kept.unread = isTrusted ? [] : try untold(structure.candidates, by: told)
    evidence.append(kept)
  }

  /// What only the layout says, though it stands where nothing is that the data has, as a page's "checked at" and the next
  /// start on a card do; or is a night's start of the data's once more, a day late.
  private func strangers(_ shown: [Candidate], told: [Candidate], keys: Set<String>) -> Set<Int> {
    var agreed: [String: Int] = [:]
    var others: [String: Int] = [:]
    for candidate in shown {
      if keys.contains(key(candidate)) {
        agreed[candidate.place, default: 0] += 1
      } else {
        others[candidate.place, default: 0] += 1
      }
    }
    let most = agreed.values.reduce(0, +)
    var nights: Set<String> = []
    for candidate in told {
      if case .moment(let stamp) = candidate.start, stamp.local.time.hour < Self.nightEnds {
        nights.insert(key(candidate, days: 1))
      }
    }
    return Set(
      shown.indices.filter { index in
        let (candidate, key) = (shown[index], key(shown[index]))
        guard !keys.contains(key) else { return false }
        return nights.contains(key) || agreed[candidate.place] == nil && others[candidate.place] ?? 0 < most
      })
  }

  /// Until then a start may be told as one of the day before.
  private static let nightEnds = 6

  /// One word about all that people can see on the page and its data does not have.
  private func untold(_ shown: [Candidate], by told: [Candidate]) throws(ExtractionError) -> [Unread] {
    let known = Dictionary(grouping: told, by: \.start).mapValues { $0.map { titles[$0.work ?? $0.title].filmKey } }
    var lost: [Candidate] = []
    for candidate in shown {
      let name = titles[candidate.work ?? candidate.title].filmKey
      let names = known[candidate.start] ?? []
      try budget.spend(names.count * Self.nameSteps)
      // Data has shorter names than pages, and longer ones.
      if !names.contains(where: { $0.contains(name) || name.contains($0) }) { lost.append(candidate) }
    }
    guard let first = lost.first else { return [] }
    let others = Set(lost.map(key)).count - 1
    let what = "\(first.title), \(first.start)" + (others > 0 ? " and \(others) more" : "")
    return [Unread(what: what, why: "it is to be seen on the page, and not in the page's own data, which is taken")]
  }

  /// Of looking for one name in another.
  private static let nameSteps = 16

  private func key(_ candidate: Candidate) -> String { key(candidate, days: 0) }

  private func key(_ candidate: Candidate, days: Int64) -> String {
    let instant =
      candidate.start.instant.map { String($0.milliseconds + days * 86_400_000) } ?? candidate.start.description
    return titles[candidate.work ?? candidate.title].filmKey + "|" + instant
  }

  mutating func readXML(_ bytes: [UInt8]) throws(ExtractionError) {
    guard let (root, name) = try XMLTree.parse(bytes, charset: source.charset, limits: limits, budget: budget) else {
      evidence.trace.add(.xml, at: "document", .refused, "no element")
      return
    }
    take(
      try XMLFeedReader(clock: clock, limits: limits, addressDate: AddressDate.of(source.url))
        .read(root, named: name, budget: budget))
    if evidence.candidates.isEmpty { try readPosts(in: root) }
  }

  /// Programmes that are printed in posts, with less confidence: a post may be about anything.
  mutating func readPosts(in root: JSONValue) throws(ExtractionError) {
    for post in try Posts(root, clock: clock, budget: budget).posts {
      var inner = PageReading(
        clock: post.writtenAt.map(clock.captured) ?? clock, limits: limits,
        source: PageSource(charset: "utf-8", url: post.url ?? source.url, venue: source.venue), budget: budget)
      try inner.readHTML(post.page)
      guard inner.evidence.candidates.count >= Self.postedMin else { continue }
      for var candidate in inner.evidence.candidates {
        candidate.confidence *= Self.postTrust
        candidate.url = candidate.url ?? post.url
        evidence.candidates.append(candidate)
      }
    }
  }

  private static let postTrust = 0.9
  /// One may be of anything.
  private static let postedMin = 2
}

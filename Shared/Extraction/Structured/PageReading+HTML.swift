import Calendars
import Clocks
import HTML
import JSON

extension PageReading {
  mutating func readHTML(_ bytes: [UInt8]) throws(ExtractionError) {
    let page = try HTMLDocument.page(bytes, as: source, limits: limits)
    baseURL = page.baseURL ?? source.url
    let identity = PageIdentity(page)
    isCinema = isCinema || identity.isCinema

    let (linked, theatres) = try JSONLDReader(clock: clock, limits: limits).read(page, budget: budget)
    if pageVenue == nil { pageVenue = theatres.count == 1 ? theatres[0] : identity.venue }
    take(linked.without(site: identity.siteName))
    take(try MicrodataReader(clock: clock, limits: limits).read(page, budget: budget).without(site: identity.siteName))
    take(try RDFaReader(clock: clock, limits: limits).read(page, budget: budget))
    evidence = AnnouncedTitle(page: page).completed(evidence)
    try readState(page, identity)
    let chosen = try ChosenDay(clock: clock).day(of: page, title: identity.title, budget: budget)
    let structure = try StructureReader(
      clock: clock, limits: limits, pageVenue: pageVenue, pageTitle: identity.title,
      addressDate: AddressDate.of(source.url) ?? chosen, isCinema: isCinema, film: identity.film
    ).read(page, budget: budget)
    evidence.candidates = FalseUTC(clock: clock).corrected(evidence.candidates, by: structure.candidates, key: key)
    try take(structured: structure)
    if evidence.candidates.isEmpty {
      reason =
        structure.trace.structure.isEmpty
        ? "the page shows no times of screenings"
        : "the times on the page stand under no date and title that belong together"
    }
  }

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

/// What a page says of itself: its title, its site's name, the venue it is of.
struct PageIdentity {
  let title: String?
  let siteName: String?
  let venue: String?
  let isCinema: Bool
  /// What the page is about: its one first heading, with which its title begins.
  let subject: String?
  /// On a page without a first heading, its one second heading.
  let heading: String?
  /// On a page without a first heading, what its title says beside the house's name.
  let film: String?

  init(_ page: HTMLDocument) {
    title = page.title?.trimmedText
    siteName = page.first("meta[property='og:site_name']")?["content"]?.trimmedText
    var venue: String?
    if let siteName, CinemaWords.isCinema(siteName), siteName.utf8.count <= 80 { venue = siteName }
    let ogTitle = page.first("meta[property='og:title']")?["content"]?.trimmedText
    let parts = [title, ogTitle].compactMap(\.self).flatMap { HeadlineOfFilm($0)?.houses ?? PageIdentity.parts($0) }
    let headings = page.select("h1").prefix(4).map(\.text)
    // "The Lexi Cinema | WhatsOn"
    if venue == nil {
      venue = parts.first {
        CinemaWords.isCinema($0) && !PageWords.isLabel($0) && PageIdentity.isName($0)
          && !PageIdentity.isSeries($0, of: headings)
      }
    }
    if venue == nil {
      let logo = page.select("header img[alt], .logo img[alt], #logo img[alt], .logo, #logo, .site-title").prefix(6).map
      { ($0["alt"] ?? $0.text).trimmedText }
      venue = logo.first { CinemaWords.isCinema($0) && $0.utf8.count <= 60 && !PageWords.isLabel($0) }
    }
    if venue == nil {
      // "Film: Silt" is no house.
      venue = headings.prefix(2).first {
        CinemaWords.isCinema($0) && $0.utf8.count <= 60 && PageIdentity.isName($0) && !$0.holds(": ")
      }
    }
    // A site whose page lists screenings is the venue, unless the page says otherwise.
    if venue == nil, let siteName, siteName.utf8.count <= 60, !PageWords.isLabel(siteName) { venue = siteName }
    // "上映スケジュール｜みなと座": what is beside the kind of page is whose page it is.
    if venue == nil {
      let titleParts = PageIdentity.parts(title ?? "")
      let rest = titleParts.filter { !PageWords.isLabel($0) }
      // "Kino: Filme vom 15. bis 21. Januar" tells days.
      if titleParts.count >= 2, rest.count == 1, rest[0] == titleParts.last,
        rest[0].utf8.split(whereSeparator: { !isDigitByte($0) }).count < 2
      {
        venue = rest[0]
      }
    }
    let second = page.select("h1, h2").prefix(Self.headingsMax).map(\.text.trimmedText)
    venue = venue.flatMap { PageIdentity.heading(in: $0, of: second) } ?? venue
    venue = venue.flatMap { BranchName(of: $0, in: second)?.name } ?? venue
    self.venue = venue
    subject = PageIdentity.subject(headings, in: [ogTitle, title], venue: venue ?? siteName)
    heading = headings.isEmpty ? PageIdentity.heading(page, venue: venue ?? siteName) : nil
    film = headings.isEmpty ? PageIdentity.film(in: ogTitle ?? title ?? "", beside: [venue, siteName]) : nil
    let words = [
      title ?? "", siteName ?? "", page.first("meta[name=description]")?["content"] ?? "", page.first("h1")?.text ?? "",
    ]
    isCinema =
      venue.map(CinemaWords.isCinema) ?? false || words.contains { CinemaWords.isCinema($0.shortened(to: 300)) }
  }

  static func parts(_ text: String) -> [String] {
    var parts = [text]
    for separator in ["|", " – ", " - ", " — ", " :: ", " · ", "｜", " » ", " ← ", " « ", " / ", ": ", " • "] {
      parts = parts.flatMap { part in
        part.holds(separator) ? part.split(separator: separator).map { String($0).trimmedText } : [part.trimmedText]
      }
    }
    return parts.filter { $0.utf8.count <= 80 && !$0.isEmpty }
  }

  private static func subject(_ headings: [String], in titles: [String?], venue: String?) -> String? {
    guard headings.count == 1, case let heading = headings[0].trimmedText, !heading.isEmpty,
      heading.utf8.count <= subjectBytesMax, !PageWords.isLabel(heading), heading.foldedKey != venue?.foldedKey,
      titles.contains(where: { $0?.hasPrefix(heading) == true })
    else { return nil }
    return heading
  }

  /// "Moss Cinema" of "Silt at Moss Cinema in Moss" and of "Moss Cinema Films and Times", where a heading says no more.
  private static func heading(in part: String, of headings: [String]) -> String? {
    headings.first { heading in
      guard heading.utf8.count < part.utf8.count, heading.utf8.contains(0x20), CinemaWords.isCinema(heading),
        isName(heading), !PageWords.isLabel(heading), let place = part.firstPlace(of: heading)
      else { return false }
      return part[..<place.lowerBound].unicodeScalars.last.map { !$0.properties.isAlphabetic } ?? true
        && part[place.upperBound...].unicodeScalars.first.map { !$0.properties.isAlphabetic } ?? true
    }
  }

  private static let subjectBytesMax = 120
  private static let headingsMax = 8

  private static func heading(_ page: HTMLDocument, venue: String?) -> String? {
    let headings = page.select("h2")
    guard headings.count == 1, case let heading = headings[0].text.trimmedText, !heading.isEmpty,
      heading.utf8.count <= subjectBytesMax, !PageWords.isLabel(heading), !CinemaWords.isCinema(heading),
      heading.foldedKey != venue?.foldedKey
    else { return nil }
    return heading
  }

  /// "Silt" of "Silt - Moss Cinema".
  private static func film(in title: String, beside houses: [String?]) -> String? {
    let houses = Set(houses.compactMap { $0?.foldedKey })
    let parts = parts(title)
    let rest = parts.filter { !houses.contains($0.foldedKey) }
    guard rest.count == 1, parts.count == 2, !PageWords.isLabel(rest[0]), !CinemaWords.isCinema(rest[0]),
      !PageWords.isOtherPage(rest[0], namesFilm: false)
    else { return nil }
    return rest[0]
  }

  /// "Moss Film Club" over "Moss Film Club: Silt".
  private static func isSeries(_ part: String, of headings: [String]) -> Bool {
    headings.contains { $0.hasPrefix(part + ":") }
  }

  /// "Film | Museum of Moss": what a part of a house's site is of.
  private static let kinds: Set<String> = ["film", "movie", "movies", "filme", "filmy", "filmer", "pictures"]

  /// "Kinoprogramm" and "Now in cinemas" speak of cinemas and name none.
  private static func isName(_ text: String) -> Bool {
    // "Rainy weekend? Go and see a film."
    if text.hasSuffix(".") || text.holds("? ") || text.holds("! ") { return false }
    let lower = text.lowercased()
    if kinds.contains(lower) { return false }
    let generic = [
      "programm", "schedule", "showtimes", "what's on", "상영시간", "시간표", "スケジュール", "上映", "horaires", "séances",
      "cartelera", "orari", "spielplan", "now showing", "in cinemas", "agenda", "films", "listings", "times",
      "horários", "horarios", "tickets for", "buy tickets", "book tickets", "tickets kaufen",
    ]
    return !generic.contains { lower.holds($0) }
  }
}

import Calendars
import HTML

/// Reads screenings from how a page is laid out: which date, title, venue and screen a time stands under.
///
/// From each time it climbs. What is met first belongs to it, unless it stands in a part of the page that has times of
/// its own; in a table, only what heads its row or column does. Which of the texts around is the title is decided for
/// all times of one kind at once, by where they stand, how they are marked and whether they differ.
struct StructureReader {
  let clock: PageClock
  let limits: ExtractionLimits
  let pageVenue: String?
  let pageTitle: String?
  let addressDate: CivilDate?
  let isCinema: Bool

  func read(_ page: HTMLDocument, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    let tree = try PageTree(page, budget: budget)
    var reader = AtomReader(tree: tree, clock: clock, budget: budget)
    let atoms = try reader.read()
    let context = try PageContext(tree: tree, atoms: atoms, budget: budget)
    var reading = StructureReading(reader: self, context: context, budget: budget)
    return try reading.read()
  }

  /// The same, with where on the page each part of each screening stands.
  func matches(
    _ page: HTMLDocument, budget: WorkBudget
  ) throws(ExtractionError) -> (tree: PageTree, matches: [StructureMatch]) {
    let tree = try PageTree(page, budget: budget)
    var reader = AtomReader(tree: tree, clock: clock, budget: budget)
    let atoms = try reader.read()
    let context = try PageContext(tree: tree, atoms: atoms, budget: budget)
    var reading = StructureReading(reader: self, context: context, budget: budget)
    _ = try reading.read()
    return (tree, reading.matches)
  }
}

/// Where the parts of one screening stand on the page.
struct StructureMatch {
  var time: Int
  /// Nil where the title stands in the line of the time.
  var title: Int?
  /// Nil where the date stands in the line of the time, or nowhere on the page.
  var date: Int?
  /// The date is an attribute's.
  var isDateOfContent = false
  var hasOwnDate = false
  var titleText: String
  var start: FoundTime
}

/// A time on the page, and what it stands under.
struct TimePlace {
  let atom: Int
  /// Which time of the atom.
  let index: Int
  let signature: String
  /// From the time up.
  let path: [Int]
}

/// One page being read.
struct StructureReading {
  let reader: StructureReader
  let context: PageContext
  let budget: WorkBudget
  var tree: PageTree { context.tree }
  var atoms: [PageAtom] { context.atoms }
  var clock: PageClock { reader.clock }
  var evidence = Evidence()
  var matches: [StructureMatch] = []
  private let pairs: PairedTimes
  private var hasColons = false

  init(reader: StructureReader, context: PageContext, budget: WorkBudget) {
    self.reader = reader
    self.context = context
    self.budget = budget
    pairs = PairedTimes(context)
  }

  mutating func read() throws(ExtractionError) -> Evidence {
    for atom in atoms where atom.line?.isClosed == true {
      guard case .date(let days) = atom.kind, !tree[atom.place].isChrome else { continue }
      // A run is a holiday's; beyond two weeks it is something else's.
      for day in days {
        guard let first = day.first, let last = day.last, last - first < 15 else { continue }
        evidence.closedDays.formUnion(first...last)
      }
    }
    let places = try timePlaces()
    guard !places.isEmpty else { return evidence }
    let timed = Set(places.map(\.atom))
    let clock = BareClock(atoms) { timed.contains($0) }
    hasColons = places.contains { place in
      guard case .times(let times) = atoms[place.atom].kind, times.indices.contains(place.index) else { return false }
      return times[place.index].text.utf8.contains(UInt8(ascii: ":"))
    }
    var groups: [String: [TimePlace]] = [:]
    var order: [String] = []
    for place in places {
      if groups[place.signature] == nil { order.append(place.signature) }
      groups[place.signature, default: []].append(place)
    }
    for signature in order {
      guard let group = groups[signature], isPlausible(group) else { continue }
      try readGroup(group, signature, clock)
    }
    return evidence
  }

  // MARK: Times

  private mutating func timePlaces() throws(ExtractionError) -> [TimePlace] {
    var places: [TimePlace] = []
    for (index, atom) in atoms.enumerated() where atom.isTime && pairs.starts[index] == nil {
      try budget.spend(8)
      let path = tree.path(atom.place)
      if tree[atom.place].isChrome || isOther(index, path) {
        evidence.trace.add(
          .html, at: tree.name(path.dropFirst().first ?? 0), .refused, "\(atom.text): a time of something else")
        continue
      }
      let count: Int
      switch atom.kind {
      case .times(let times): count = times.count
      case .both: count = 1
      default: count = 1
      }
      // Lists of times in one text have one place each.
      let signature = kindName(atom) + tree.signature(atom.place, levels: tree[atom.place].isText ? 4 : 3)
      for time in 0..<max(count, 1) {
        guard places.count < reader.limits.candidates else { return places }
        places.append(TimePlace(atom: index, index: time, signature: signature, path: path))
      }
    }
    return places
  }

  private func kindName(_ atom: PageAtom) -> String {
    switch atom.kind {
    case .both: "both:"
    case .moment: "moment:"
    default: ""
    }
  }

  /// Opening hours, the time of a post, how long a film is.
  private func isOther(_ index: Int, _ path: [Int]) -> Bool {
    let atom = atoms[index]
    // The reader of print knows which of two times is the doors'.
    let hasDoors = atom.line?.times.contains { $0.doors != nil } ?? false
    if !hasDoors, PageWords.isOtherTime(atom.text) || isProse(atom) || isBehindDoors(index) { return true }
    for place in path.prefix(4) where isOtherByClass(place) {
      // "entry" and "post" are also what lists of films are made of, further up.
      if place == path[0] || place == path.dropFirst().first { return true }
      if tree[place].words.contains(where: {
        ["opening", "openinghours", "comment", "comments", "cookie", "tweet", "byline", "pubdate"].contains($0)
      }) {
        return true
      }
    }
    // The line it stands in.
    if !hasDoors, let block = path.first(where: { !tree.isInline($0) }), tree[block].length <= 160,
      PageWords.isOtherTime(tree.text(block)), context.times(in: block) <= 2
    {
      return true
    }
    if path.contains(where: { tree[$0].tag == "aside" || tree[$0].tag == "header" && tree[$0].depth <= 3 }) {
      return true
    }
    return false
  }

  /// `<b>Doors</b> 19:00 <b>Film</b> 19:30`
  private func isBehindDoors(_ index: Int) -> Bool {
    index > 0 && atoms[index - 1].isWords && atoms[index - 1].text.utf8.count <= 40
      && !LineRest.trimmed(atoms[index - 1].text).isEmpty && PageWords.isDoors(atoms[index - 1].text)
  }

  /// "hours" of a film are its showings.
  private func isOtherByClass(_ place: Int) -> Bool {
    let words = tree[place].words
    return words.contains { PageWords.otherTimeClasses.contains($0) }
      && !(words.contains("hours")
        && words.contains { PageWords.film.contains($0) || $0 == "screening" || $0 == "session" || $0 == "cinema" })
  }

  /// "Order by 21 November, 18:00, for delivery.": a sentence that has a time in passing.
  private func isProse(_ atom: PageAtom) -> Bool {
    guard let rest = atom.line?.rest, atom.text.hasSuffix(".") || atom.text.hasSuffix("。") || atom.text.utf8.count > 160
    else { return false }
    return rest.utf8.split(separator: 0x20).count >= 4
      || rest.unicodeScalars.count > 24 && rest.unicodeScalars.contains(where: TitleVocabulary.isUnspaced)
  }

  /// Screenings begin at the fives. A list of times that do not is of something else.
  private func isPlausible(_ group: [TimePlace]) -> Bool {
    var odd = 0
    var all = 0
    var dotted = 0
    for place in group {
      guard case .times(let times) = atoms[place.atom].kind, times.indices.contains(place.index) else { continue }
      all += 1
      if times[place.index].start.minute % 5 != 0 { odd += 1 }
      if isDotted(times[place.index].text) { dotted += 1 }
    }
    // 12.50 in a column is a price where the page's times have colons.
    if hasColons, dotted == all, all > 0 { return false }
    return all == 0 || odd * 2 <= all || all <= 2
  }

  private func isDotted(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: ".")) && text.utf8.allSatisfy { isDigitByte($0) || $0 == UInt8(ascii: ".") }
  }

  // MARK: Groups

  private mutating func readGroup(
    _ group: [TimePlace], _ signature: String, _ bare: BareClock
  ) throws(ExtractionError) {
    var vote = TitleVote(
      context: context, clock: clock, pageVenue: reader.pageVenue, pageTitle: reader.pageTitle, budget: budget)
    let titles = try vote.titles(of: group)
    evidence.trace.structure.append("\(group.count) times at \(signature); titles at \(vote.chosen ?? "nowhere")")
    var finder = DateFinder(context: context, clock: clock, addressDate: reader.addressDate)
    var refusals: [String: Int] = [:]
    for (place, title) in zip(group, titles) {
      try budget.spend(16)
      let atom = atoms[place.atom]
      let place_ = tree.name(place.path.first { !tree[$0].isText } ?? 0)
      guard let title else {
        evidence.trace.add(.html, at: place_, .refused, "\(atom.text): no title stands with it")
        refusals["no title stands with it", default: 0] += 1
        continue
      }
      let starts: [DateFinder.Start]
      switch try finder.starts(of: place, titleLevel: title.level, bare: bare, budget: budget) {
      case .success(let found): starts = found
      case .failure(let failure):
        evidence.trace.add(.html, at: place_, .refused, "\(title.text), \(atom.text): \(failure.why)")
        evidence.unread.append(Unread(what: "\(title.text), \(atom.text)".shortened(to: 160), why: failure.why))
        continue
      }
      let item = ItemReader(context: context, place: place, titleAtom: title.atom)
      try budget.spend(128)
      for start in starts { tell(start, title, place, item) }
    }
    for (why, count) in refusals.sorted(by: { $0.key < $1.key }) where count >= 2 {
      evidence.unread.append(
        Unread(what: "\(count) times like \(atoms[group[0].atom].text.shortened(to: 60))", why: why))
    }
  }

  /// What stands behind the start as its end.
  private func pairedEnd(of place: TimePlace, after start: FoundTime) -> FoundTime? {
    guard let end = pairs.ends[place.atom], case .times(let times) = atoms[end].kind, let time = times.first,
      case .moment(let stamp) = start
    else { return nil }
    return [ServiceTime(stamp.local.date, time.start), ServiceTime(stamp.local.date + 1, time.start)]
      .map { clock.found($0.civil) }.first { $0 > start }
  }

  private mutating func tell(
    _ start: DateFinder.Start, _ title: TitleVote.Title, _ place: TimePlace, _ item: ItemReader
  ) {
    guard evidence.candidates.count < reader.limits.candidates else { return }
    var candidate = Candidate(
      title: title.text, start: start.found, reader: .html,
      place: tree.path(place.path.first { !tree[$0].isText } ?? 0).prefix(3).map(tree.name).joined(separator: "<"),
      confidence: EvidenceReader.html.trust * start.trust * title.trust)
    candidate.end = start.end ?? pairedEnd(of: place, after: start.found)
    candidate.printedTime = start.printed
    candidate.isInferred = start.isInferred
    candidate.screen = item.screen
    candidate.venue = item.venue
    candidate.notes = item.notes + [title.note].compactMap(\.self)
    candidate.url = item.link ?? title.link
    if item.isSoldOut { candidate.seats = .soldOut }
    evidence.candidates.append(candidate)
    let source = start.source.map { atoms[$0] }
    let isOwn: Bool
    switch atoms[place.atom].kind {
    case .both, .moment: isOwn = true
    default: isOwn = false
    }
    matches.append(
      StructureMatch(
        time: atoms[place.atom].place, title: title.atom.map { atoms[$0].place }, date: source?.place,
        isDateOfContent: source?.isOfContent ?? false, hasOwnDate: isOwn,
        titleText: title.text, start: start.found))
  }
}

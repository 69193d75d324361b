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
  private(set) var context: PageContext
  let budget: WorkBudget
  var tree: PageTree { context.tree }
  var atoms: [PageAtom] { context.atoms }
  var clock: PageClock { reader.clock }
  var evidence = Evidence()
  var matches: [StructureMatch] = []
  private let pairs: PairedTimes
  private var hasColons = false
  private var outcomes: [GroupOutcome] = []
  private var told = 0

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
    var places = try timePlaces()
    refuseImplausible(&places)
    let told = Set(places.map(\.atom)).union(pairs.starts.keys)
    context.discount(Set(atoms.indices.filter { atoms[$0].isTime && !told.contains($0) }))
    guard !places.isEmpty else { return evidence }
    let timed = Set(places.map(\.atom))
    let clock = BareClock(atoms) {
      timed.contains($0)
    }
    var groups: [String: [TimePlace]] = [:]
    var order: [String] = []
    for place in places {
      if groups[place.signature] == nil { order.append(place.signature) }
      groups[place.signature, default: []].append(place)
    }
    for signature in order {
      guard let group = groups[signature] else { continue }
      try readGroup(group, signature, clock)
    }
    try findVenues()
    tellGroups()
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
    if !hasDoors,
      PageWords.isOtherTime(atom.text) || isProse(atom) || isBehindDoors(index) || isInSentence(index, path)
    {
      return true
    }
    let isLink = path.prefix(3).contains { tree[$0].node["href"] != nil }
    for place in path.prefix(4) where isOtherByClass(place) {
      // What leads on to a ticket is no hour of opening.
      if isLink, tree[place].words.contains("hours"), !tree[place].words.contains("opening") { continue }
      // "entry" and "post" are also what lists of films are made of, further up.
      if place == path[0] || place == path.dropFirst().first { return true }
      if tree[place].words.contains(where: {
        [
          "opening", "openinghours", "comment", "comments", "cookie", "tweet", "byline", "pubdate", "reviews", "notice",
          "notices",
        ].contains($0)
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
    for (level, at) in path.enumerated() {
      if tree[at].tag == "header", tree[at].depth <= 3 { return true }
      // Beside a film's description its showings may stand; else there is what is not of the page.
      if tree[at].tag == "aside",
        !path[...level].contains(where: { tree[$0].words.contains(where: PageWords.booking.contains) })
      {
        return true
      }
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

  /// A line of a programme, however much it says of a film.
  private static let lineMax = 70

  /// "Order by 21 November, 18:00, for delivery.": a sentence that has a time in passing.
  private func isProse(_ atom: PageAtom) -> Bool {
    guard let rest = atom.line?.rest, atom.text.hasSuffix(".") || atom.text.hasSuffix("。") || atom.text.utf8.count > 160
    else { return false }
    // "14.00 Pippa and the Bear, D, from 6 y." begins with its time.
    if atom.text.utf8.count <= Self.lineMax, atom.text.utf8.first.map(isDigitByte) ?? false,
      atom.line?.lead.isEmpty ?? false
    {
      return false
    }
    return rest.utf8.split(separator: 0x20).count >= 4
      || rest.unicodeScalars.count > 24 && rest.unicodeScalars.contains(where: TitleVocabulary.isUnspaced)
  }

  /// "The Moss opened on Saturday 21 November at 2.30pm with …, to a full house.": the time stands within a sentence
  /// of a paragraph, behind words that no title has.
  private func isInSentence(_ index: Int, _ path: [Int]) -> Bool {
    guard let block = path.first(where: { !tree.isInline($0) }), tree[block].tag == "p",
      (Self.sentenceBytesMin...PageTree.lengthAsked).contains(tree[block].length), let line = atoms[index].line
    else { return false }
    let text = tree.text(block)
    guard text.hasSuffix("."), !line.lead.isEmpty, atoms[index].text.hasPrefix(line.lead) else { return false }
    let words = line.lead.unicodeScalars.split(whereSeparator: \.isBlank)
    guard words.count >= 3, let last = words.last, last.count >= 3 else { return false }
    return last.allSatisfy { ("a"..."z").contains($0) || $0.value >= 0xDF && $0.properties.isLowercase }
      && !line.lead.unicodeScalars.contains(":")
  }

  /// Shorter paragraphs are lines of a programme.
  private static let sentenceBytesMin = 90

  /// Leaves out the groups that are not of screenings.
  private mutating func refuseImplausible(_ places: inout [TimePlace]) {
    hasColons = places.contains { place in
      guard case .times(let times) = atoms[place.atom].kind, times.indices.contains(place.index)
      else { return false }
      return times[place.index].text.utf8.contains(UInt8(ascii: ":"))
    }
    let groups = Dictionary(grouping: places, by: \.signature)
    let refused = groups.filter { !isPlausible($0.value) }
    guard !refused.isEmpty else { return }
    for group in refused.values {
      evidence.trace.add(
        .html, at: tree.name(group[0].path.first { !tree[$0].isText } ?? 0), .refused,
        "\(group.count) times like \(atoms[group[0].atom].text.shortened(to: 60)): they are not of screenings"
      )
    }
    places.removeAll { refused[$0.signature] != nil }
  }

  /// Screenings begin at the fives and end within an evening. A list of times that do not is of something else.
  private func isPlausible(_ group: [TimePlace]) -> Bool {
    var odd = 0
    var all = 0
    var dotted = 0
    var spans = 0
    for place in group {
      if isLong(place) { spans += 1 }
      guard case .times(let times) = atoms[place.atom].kind, times.indices.contains(place.index) else { continue }
      all += 1
      if times[place.index].start.minute % 5 != 0 { odd += 1 }
      if isDotted(times[place.index].text) { dotted += 1 }
    }
    // Hours of opening, of an exhibition.
    if spans * 2 > group.count { return false }
    // 12.50 in a column is a price where the page's times have colons.
    if hasColons, dotted == all, all > 0 { return false }
    return all == 0 || odd * 2 <= all || all <= 2
  }

  /// Longer than a film with all that goes with it.
  private static let minutesMax = 270

  private func isLong(_ place: TimePlace) -> Bool {
    let times: [PrintedTime]
    switch atoms[place.atom].kind {
    case .times(let found): times = found.indices.contains(place.index) ? [found[place.index]] : []
    case .both: times = atoms[place.atom].line?.times ?? []
    default: times = []
    }
    if let end = pairs.ends[place.atom], case .times(let ends) = atoms[end].kind,
      let end = ends.first,
      let start = times.first
    {
      return (end.start.minutes - start.start.minutes + 1_440) % 1_440 >= Self.minutesMax
    }
    return !times.isEmpty && times.allSatisfy { ($0.minutesLong ?? 0) >= Self.minutesMax }
  }

  private func isDotted(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: ".")) && text.utf8.allSatisfy { isDigitByte($0) || $0 == UInt8(ascii: ".") }
  }

  // MARK: Groups

  /// What times of one kind came to.
  private struct GroupOutcome {
    let signature: String
    let titles: String?
    var candidates: [Candidate] = []
    var matches: [StructureMatch] = []
    /// Whether the title stands in the time's own line.
    var isInline: [Bool] = []
    /// Where each of them stands; none where a row of films was told.
    var cards: [VenueLines.Card] = []
    /// Whether its date is a weekday alone.
    var areWeekdays: [Bool] = []
    /// Whether the line of the time says something else beside it, which is not the title.
    var areSentences: [Bool] = []
  }

  /// A group of one or two times that is unlike the rest of the page is somebody's remark.
  private static let remarkMax = 2
  private static let programmeMin = 3

  private mutating func tellGroups() {
    let programme =
      outcomes.filter { $0.isInline.contains(false) }.map(\.candidates.count).max() ?? 0
    for outcome in outcomes where !outcome.candidates.isEmpty {
      if let why = doubt(outcome, programme) {
        for candidate in outcome.candidates {
          evidence.trace.add(
            .html, at: candidate.place, .refused, "\(candidate.title), \(candidate.start): \(why)")
        }
        evidence.unread.append(
          Unread(
            what: "\(outcome.candidates[0].title), \(outcome.candidates[0].start)".shortened(
              to: 160), why: why))
        continue
      }
      evidence.candidates += outcome.candidates
      matches += outcome.matches
    }
  }

  private func doubt(_ outcome: GroupOutcome, _ programme: Int) -> String? {
    // The times of posts, of comments, of what was shown last year: nobody can go there.
    if outcome.candidates.allSatisfy({ $0.start.date < clock.captured - 1 }) {
      return "all times like it are over: a post's, or an archive's"
    }
    // "Fri 17:00" may be of any week. A programme of this one can be booked, as a rule.
    if outcome.areWeekdays.allSatisfy(\.self), outcome.candidates.allSatisfy({ $0.url == nil }) {
      return "its weekdays are of no week in particular, and nothing can be booked"
    }
    // A line may tell each day of a week.
    let lines = Set(outcome.matches.map(\.time)).count
    if lines <= Self.remarkMax, programme >= Self.programmeMin,
      outcome.isInline.allSatisfy(\.self) || outcome.areSentences.allSatisfy(\.self)
    {
      return "it stands in a line of its own, unlike the page's programme"
    }
    if lines <= Self.remarkMax, outcome.matches.allSatisfy(isFar) {
      return "between it and what might be its title stand other times"
    }
    return nil
  }

  /// Whether the title of a time is no heading, and others' times stand between the two.
  private func isFar(_ match: StructureMatch) -> Bool {
    guard let title = match.title, title < match.time, context.times(from: title, to: match.time) > 0 else {
      return false
    }
    // In one row of a table the times of other days stand between them.
    let row = tree.path(match.time).first { tree[$0].tag == "tr" }
    if let row, tree.contains(row, title) { return false }
    return !tree.path(title).prefix(3).contains {
      ["h1", "h2", "h3", "h4", "th", "dt", "caption", "summary"].contains(tree[$0].tag)
        || tree[$0].words.contains { PageWords.title.contains($0) || PageWords.film.contains($0) }
    }
  }

  /// What a line says beside its date and time, in letters, where it is more than a remark on them.
  private static let sentenceMin = 12

  private mutating func readGroup(
    _ group: [TimePlace], _ signature: String, _ bare: BareClock
  ) throws(ExtractionError) {
    var vote = TitleVote(
      context: context, clock: clock, pageVenue: reader.pageVenue, pageTitle: reader.pageTitle, budget: budget)
    let titles = try vote.titles(of: group)
    evidence.trace.structure.append("\(group.count) times at \(signature); titles at \(vote.chosen ?? "nowhere")")
    var finder = DateFinder(context: context, clock: clock, addressDate: reader.addressDate)
    var refusals: [String: Int] = [:]
    var outcome = GroupOutcome(signature: signature, titles: vote.chosen)
    var cards: [VenueLines.Card] = []
    for (place, title) in zip(group, titles) {
      try budget.spend(16)
      let atom = atoms[place.atom]
      let place_ = tree.name(place.path.first { !tree[$0].isText } ?? 0)
      if let cells = TitleGrid(context: context).cells(of: place) {
        try tell(cells, of: place, bare, &finder, into: &outcome)
        continue
      }
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
      for start in starts {
        tell(start, title, place, item, into: &outcome)
        cards.append(VenueLines.Card(place: place, title: title.atom))
      }
    }
    outcome.cards = cards
    outcomes.append(outcome)
    for (why, count) in refusals.sorted(by: { $0.key < $1.key }) where count >= 2 {
      evidence.unread.append(
        Unread(what: "\(count) times like \(atoms[group[0].atom].text.shortened(to: 60))", why: why))
    }
  }

  /// The venue of cards in which nothing marks it; cards whose titles stand alike are looked at together.
  private mutating func findVenues() throws(ExtractionError) {
    var groups: [String: [Int]] = [:]
    for (index, outcome) in outcomes.enumerated()
    where !outcome.candidates.isEmpty && outcome.cards.count == outcome.candidates.count {
      groups[outcome.titles ?? outcome.signature, default: []].append(index)
    }
    for members in groups.values.sorted(by: { $0[0] < $1[0] }) {
      // One name over all of them is who shows the films, where each card says another place.
      let told = Set(members.flatMap { outcomes[$0].candidates.map { $0.venue ?? "" } })
      guard told.count == 1, let venue = told.first else { continue }
      let names = try VenueLines(context: context, pageVenue: venue.isEmpty ? reader.pageVenue : venue)
        .names(of: members.flatMap { outcomes[$0].cards }, budget: budget)
      var before = 0
      for member in members {
        for index in outcomes[member].candidates.indices {
          if let name = names[before + index] { outcomes[member].candidates[index].venue = name }
        }
        before += outcomes[member].candidates.count
      }
    }
  }

  /// One showing for each film in the row of a time.
  private mutating func tell(
    _ cells: [TitleGrid.Cell], of place: TimePlace, _ bare: BareClock, _ finder: inout DateFinder,
    into outcome: inout GroupOutcome
  ) throws(ExtractionError) {
    for cell in cells {
      try budget.spend(64)
      let title = TitleVote.Title(
        text: atoms[cell.title].text, atom: cell.title, level: 1, trust: 0.95,
        link: tree.path(atoms[cell.title].place).prefix(3).compactMap { tree[$0].node["href"] }
          .first)
      let found =
        cell.isDay
        ? finder.starts(of: place, under: cell.head, bare: bare)
        : try finder.starts(of: place, titleLevel: 1, bare: bare, budget: budget)
      switch found {
      case .failure(let failure):
        evidence.unread.append(
          Unread(
            what: "\(title.text), \(atoms[place.atom].text)".shortened(to: 160), why: failure.why))
      case .success(let starts):
        let item = ItemReader(context: context, place: place, titleAtom: cell.title)
        for start in starts {
          let before = outcome.candidates.count
          tell(start, title, place, item, into: &outcome)
          guard outcome.candidates.count > before else { continue }
          outcome.candidates[before].screen = cell.isDay ? nil : atoms[cell.head].text
          outcome.candidates[before].url = title.link
        }
      }
    }
  }

  /// What stands behind the start as its end.
  private func pairedEnd(of place: TimePlace, after start: FoundTime) -> FoundTime? {
    guard let end = pairs.ends[place.atom], case .times(let times) = atoms[end].kind, let time = times.first,
      case .moment(let stamp) = start
    else { return nil }
    return [
      ServiceTime(stamp.local.date, time.start), ServiceTime(stamp.local.date + 1, time.start),
    ]
    .map { clock.found($0.civil) }.first { $0 > start }
  }

  private mutating func tell(
    _ start: DateFinder.Start, _ title: TitleVote.Title, _ place: TimePlace, _ item: ItemReader,
    into outcome: inout GroupOutcome
  ) {
    guard told < reader.limits.candidates else { return }
    told += 1
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
    outcome.candidates.append(candidate)
    outcome.isInline.append(title.atom == nil)
    outcome.areWeekdays.append(start.isOfWeekday)
    var isSentence = false
    if title.atom != nil, let rest = atoms[place.atom].line?.rest, rest.unicodeScalars.count >= Self.sentenceMin {
      isSentence = rest.foldedKey != title.text.foldedKey
    }
    outcome.areSentences.append(isSentence)
    let source = start.source.map { atoms[$0] }
    let isOwn: Bool
    switch atoms[place.atom].kind {
    case .both, .moment: isOwn = true
    default: isOwn = false
    }
    outcome.matches.append(
      StructureMatch(
        time: atoms[place.atom].place, title: title.atom.map { atoms[$0].place }, date: source?.place,
        isDateOfContent: source?.isOfContent ?? false, hasOwnDate: isOwn,
        titleText: title.text, start: start.found))
  }
}

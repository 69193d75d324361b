import Calendars
import HTML

/// Times of one kind, with their titles, dates and what stands beside them.
extension StructureReading {
  /// What times of one kind came to.
  struct GroupOutcome {
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

    mutating func leaveOut(_ places: Set<Int>) {
      func kept<Element>(_ values: [Element]) -> [Element] {
        values.count == candidates.count
          ? values.indices.filter { !places.contains($0) }.map { values[$0] } : values
      }
      (matches, isInline, cards) = (kept(matches), kept(isInline), kept(cards))
      (areWeekdays, areSentences) = (kept(areWeekdays), kept(areSentences))
      candidates = kept(candidates)
    }
  }

  /// What a line says beside its date and time, in letters, where it is more than a remark on them.
  static let sentenceMin = 12

  /// When a film starts may be half an hour after its doors open.
  static let doorsTrust = 0.75

  /// - Parameter film: what the document calls itself, where nothing on the page is a title.
  mutating func readGroup(
    _ group: [TimePlace], _ signature: String, _ bare: BareClock, of film: String? = nil
  ) throws(ExtractionError) {
    var vote = TitleVote(
      context: context, clock: clock, pageVenue: reader.pageVenue, pageTitle: reader.pageTitle, budget: budget)
    vote.learnt = titlePlaces
    var titles = try vote.titles(of: group)
    shareTitlesBehind(&titles, of: group)
    if let film {
      for (index, place) in group.enumerated() where titles[index] == nil {
        titles[index] = TitleVote.Title(text: film, level: place.path.count - 1, trust: TitleVote.documentTrust)
      }
    }
    if group.count >= TitleVote.learningMin, let chosen = vote.chosen {
      titlePlaces.insert(TitleVote.elements(of: chosen))
    }
    evidence.trace.structure.append("\(group.count) times at \(signature); titles at \(vote.chosen ?? "nowhere")")
    var finder = DateFinder(
      context: context, clock: clock, addressDate: reader.addressDate, closedDays: evidence.closedDays,
      programmeWeek: programmeWeek?.days, footMarks: footMarks)
    var refusals: [String: Int] = [:]
    var outcome = GroupOutcome(signature: signature, titles: vote.chosen)
    var cards: [VenueLines.Card] = []
    for (place, title) in zip(group, titles) {
      try budget.spend(16)
      let atom = atoms[place.atom]
      let place_ = tree.name(place.path.first { !tree[$0].isText } ?? 0)
      let table = TitleGrid(context: context)
      var cells = table.cells(of: place)
      if cells == nil { cells = try table.cells(below: place, budget: budget) }
      if let cells {
        try tell(cells, of: place, bare, &finder, into: &outcome)
        continue
      }
      var known = title
      if known == nil { known = try onlyMarked(beside: place, &vote) }
      guard let title = known else {
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
      for other in try further(title, of: place, &vote) {
        try budget.spend(128)
        let item = ItemReader(context: context, place: place, titleAtom: other.atom)
        for start in starts { tell(start, other, place, item, into: &outcome) }
      }
      let item = ItemReader(context: context, place: place, titleAtom: title.atom)
      try budget.spend(128)
      for start in starts {
        let before = outcome.candidates.count
        tell(start, title, place, item, into: &outcome)
        if outcome.candidates.count > before { cards.append(VenueLines.Card(place: place, title: title.atom)) }
      }
    }
    outcome.cards = cards
    outcomes.append(outcome)
    for (why, count) in refusals.sorted(by: { $0.key < $1.key }) {
      let text = atoms[group[0].atom].text.shortened(to: 60)
      if count >= 2 {
        evidence.unread.append(Unread(what: "\(count) times like \(text)", why: why))
      } else {
        evidence.dropped.append(Unread(what: text, why: why))
      }
    }
  }

  /// The first of the texts that are called titles, where other cards have it in other clothes: in the largest part around
  /// the time that has no other time.
  private func onlyMarked(
    beside place: TimePlace, _ vote: inout TitleVote
  ) throws(ExtractionError) -> TitleVote.Title? {
    guard vote.chosen != nil else { return nil }
    let own = max(context.times(in: place.path[0]), 1)
    guard
      let level = place.path.lastIndex(where: { context.times(in: $0) <= own && !Self.flat.contains(tree[$0].tag) })
    else { return nil }
    for index in context.range(in: place.path[level]).prefix(Self.markedReach) where index != place.atom {
      try budget.spend()
      let atom = atoms[index]
      guard atom.isWords, !tree[atom.place].isChrome, vote.isMarkedTitle(atom.place), vote.quality(atom.text) >= 0.8
      else { continue }
      return TitleVote.Title(
        text: atom.text, atom: index, level: level, trust: Self.markedTrust,
        link: tree.path(atom.place).prefix(3).compactMap { tree[$0].node["href"] }.first)
    }
    return nil
  }

  /// Of a card.
  private static let markedReach = 40
  private static let markedTrust = 0.9

  /// `<span>18:30</span> <span>21:30</span> <h3>Silt</h3>`: what stands behind times side by side is of each; so it is where
  /// each has its day before it.
  private func shareTitlesBehind(_ titles: inout [TitleVote.Title?], of group: [TimePlace]) {
    for index in group.indices.dropLast().reversed() where titles[index] == nil {
      let (place, next) = (group[index].atom, group[index + 1].atom)
      guard var title = titles[index + 1], let behind = title.atom, behind > next else { continue }
      let isBeside = next == place + 1 && tree[atoms[next].place].parent == tree[atoms[place].place].parent
      guard isBeside || areOfOne(group[index], group[index + 1], behind) else { continue }
      title.trust *= Self.sharedTrust
      titles[index] = title
    }
  }

  private static let sharedTrust = 0.95

  /// Whether the smallest part around two times has the title behind them, and between them nothing but days.
  private func areOfOne(_ place: TimePlace, _ next: TimePlace, _ title: Int) -> Bool {
    guard place.atom + 1 < next.atom, (place.atom + 1..<next.atom).allSatisfy({ atoms[$0].isDate }),
      let around = place.path.first(where: { tree.contains($0, atoms[next.atom].place) })
    else { return false }
    return !Self.flat.contains(tree[around].tag) && tree.contains(around, atoms[title].place)
  }

  /// The titles behind a first one that stand under the same time: a time heads a list of films.
  func further(
    _ title: TitleVote.Title, of place: TimePlace, _ vote: inout TitleVote
  ) throws(ExtractionError) -> [TitleVote.Title] {
    guard let first = title.atom, first > place.atom, vote.isMarkedTitle(atoms[first].place),
      let block = place.path.first(where: { !tree.isInline($0) }),
      context.range(in: block) == place.atom..<place.atom + 1,
      let around = place.path.first(where: { tree.contains($0, atoms[first].place) }), tree[around].tag != "tr"
    else { return [] }
    let kind = tree.signature(atoms[first].place)
    var found: [TitleVote.Title] = []
    // Behind the last time of a flat page stand headings of all kinds: there the next time or day ends a list.
    var isList = !Self.flat.contains(tree[around].tag)
    for index in context.range(in: around).clamped(to: first + 1..<first + 1 + Self.furtherReach) {
      try budget.spend()
      let atom = atoms[index]
      if atom.isTime || atom.isDate {
        isList = true
        break
      }
      guard atom.isWords, !tree[atom.place].isChrome, tree.signature(atom.place) == kind,
        vote.isMarkedTitle(atom.place), vote.quality(atom.text) >= 0.8
      else { continue }
      found.append(
        TitleVote.Title(
          text: atom.text, atom: index, level: title.level, trust: title.trust * 0.9,
          link: tree.path(atom.place).prefix(3).compactMap { tree[$0].node["href"] }.first))
    }
    return isList ? found : []
  }

  private static let flat: Set<String> = ["html", "body", "main"]

  /// Films at one time of a festival, with what is said of each.
  private static let furtherReach = 120

  /// The venue of cards in which nothing marks it; cards whose titles stand alike are looked at together.
  mutating func findVenues() throws(ExtractionError) {
    var groups: [String: [Int]] = [:]
    for (index, outcome) in outcomes.enumerated()
    where !outcome.candidates.isEmpty && outcome.cards.count == outcome.candidates.count {
      groups[outcome.titles ?? outcome.signature, default: []].append(index)
    }
    for members in groups.values.sorted(by: { $0[0] < $1[0] }) {
      let cards = members.flatMap { outcomes[$0].cards }
      let told = Set(members.flatMap { outcomes[$0].candidates.compactMap(\.venue) })
      let isOne = Set(members.flatMap { outcomes[$0].candidates.map { $0.venue ?? "" } }).count == 1
      let lines = VenueLines(context: context, pageVenue: isOne ? told.first ?? reader.pageVenue : reader.pageVenue)
      // One name over all of them is who shows the films, where each card says another place.
      var names = isOne ? try lines.names(of: cards, budget: budget) : [:]
      if names.isEmpty {
        names = try lines.namesUnderTitles(of: cards, budget: budget)
        // Some of the houses may be known for what they are.
        if !isOne, !told.isSubset(of: names.values) { names = [:] }
        if isOne, names.isEmpty {
          names = try lines.namesOverBlocks(of: cards, budget: budget)
          settleRooms(names, of: members)
        }
      }
      var before = 0
      for member in members {
        for index in outcomes[member].candidates.indices {
          if let name = names[before + index] { outcomes[member].candidates[index].venue = name }
        }
        before += outcomes[member].candidates.count
      }
    }
  }

  /// "Reed Cinema 3관" is a house and its room, where a room is known by the same words.
  private mutating func settleRooms(_ names: [Int: String], of members: [Int]) {
    var before = 0
    for member in members {
      for index in outcomes[member].candidates.indices {
        guard let name = names[before + index], let room = VenueLines.room(of: name) else { continue }
        let own = outcomes[member].candidates[index].screen
        if own == nil || own == name { outcomes[member].candidates[index].screen = room }
      }
      before += outcomes[member].candidates.count
    }
  }

  /// One showing for each film in the row of a time.
  mutating func tell(
    _ cells: [TitleGrid.Cell], of place: TimePlace, _ bare: BareClock, _ finder: inout DateFinder,
    into outcome: inout GroupOutcome
  ) throws(ExtractionError) {
    for cell in cells {
      try budget.spend(64)
      let title = TitleVote.Title(
        text: PrintedLength.cut(from: atoms[cell.title].text, isInBracket: true), atom: cell.title, level: 1,
        trust: 0.95,
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
  func pairedEnd(of place: TimePlace, after start: FoundTime) -> FoundTime? {
    guard let end = pairs.ends[place.atom], case .times(let times) = atoms[end].kind, let time = times.first,
      case .moment(let stamp) = start
    else { return nil }
    return [
      ServiceTime(stamp.local.date, time.start), ServiceTime(stamp.local.date + 1, time.start),
    ]
    .map { clock.found($0.civil) }.first { $0 > start }
  }

  mutating func tell(
    _ start: DateFinder.Start, _ title: TitleVote.Title, _ place: TimePlace, _ item: ItemReader,
    into outcome: inout GroupOutcome
  ) {
    guard told < reader.limits.candidates else { return }
    if PageWords.isPause(title.text), !(title.atom.map { atoms[$0].isTitle } ?? false) {
      evidence.trace.add(
        .html, at: tree.name(place.path.first { !tree[$0].isText } ?? 0), .refused,
        "\(title.text), \(start.found): a pause")
      return
    }
    if item.isCancelled {
      evidence.unread.append(
        Unread(what: "\(title.text), \(start.found)".shortened(to: 160), why: Evidence.isCancelledBeside))
      return
    }
    told += 1
    var candidate = Candidate(
      title: LineRest.closed(title.text), start: start.found, reader: .html,
      place: tree.path(place.path.first { !tree[$0].isText } ?? 0).prefix(3).map(tree.name).joined(separator: "<"),
      confidence: EvidenceReader.html.trust * start.trust * title.trust)
    if isDoorsAlone(place.path) { candidate.confidence *= Self.doorsTrust }
    candidate.end = start.end ?? pairedEnd(of: place, after: start.found)
    candidate.printedTime = start.printed
    candidate.isInferred = start.isInferred
    candidate.screen = item.screen
    if let house = title.house {
      candidate.venue = house
      if let screen = candidate.screen, !ScreenName.isOne(screen) { candidate.screen = nil }
    } else {
      candidate.venue = item.venue
    }
    // A room is no house of its own, whatever it stands in.
    candidate.venue = candidate.venue.map(LineRest.withoutBrackets)
    candidate.screen = candidate.screen.map { LineRest.withoutBrackets(LineRest.trimmed($0)) }
    if let venue = candidate.venue, venue == candidate.screen { candidate.venue = nil }
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

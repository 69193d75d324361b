import Calendars
import HTML

/// A programme of days, on a page that tells no time of a showing: an open-air's list, a society's season.
///
///     Sat 1 Aug   Silt
///     Sun 2 Aug   Moss and Larch
///
/// What is released or was posted has a day as well. So each day is to come, has its weekday or an event's card, and a film of its own; and
/// they are of several weekdays, which releases are not.
extension StructureReading {
  mutating func readDaysAlone() throws(ExtractionError) {
    var groups: [String: [TimePlace]] = [:]
    let archive = tree.archive(of: atoms) ?? .max
    for (index, atom) in atoms.enumerated() where atom.place < archive {
      try budget.spend(4)
      // In a list without times every day seems to be there to be chosen.
      guard day(alone: index) != nil, reader.isCinema || isOf(Self.films, atom.place),
        !context.strips.contains(index) || atom.line?.rest.hasLetters ?? false || isOf(Self.events, atom.place)
      else { continue }
      // However its row is marked: "film day" is the first of its day.
      let signature = tree.name(tree[atom.place].isText ? tree[atom.place].parent : atom.place)
      groups[signature, default: []].append(
        TimePlace(atom: index, index: 0, signature: signature, path: tree.path(atom.place)))
    }
    for (signature, group) in groups.sorted(by: { $0.key < $1.key }) where areOfProgramme(group) {
      try tellDays(of: group, signature)
    }
  }

  /// The day that a text tells, if it is one to come, and tells its weekday or is an event's.
  private func day(alone index: Int) -> CivilDate? {
    let atom = atoms[index]
    guard case .date(let days) = atom.kind, days.count == 1, let day = days[0].day, !tree[atom.place].isChrome,
      (clock.captured...clock.captured + Self.daysAheadMax).contains(day),
      clock.saysWeekday(days[0]) || isOf(Self.events, atom.place),
      days[0].notes.isDisjoint(with: [.inferredFromWeekday, .inferredMonth, .relativeDay])
    else { return nil }
    return day
  }

  private func isOf(_ kinds: Set<String>, _ place: Int) -> Bool {
    tree.path(place).prefix(Self.eventLevels).contains { tree[$0].words.contains(where: kinds.contains) }
  }

  private static let eventLevels = 6
  private static let events: Set<String> = [
    "event", "events", "screening", "screenings", "performance", "veranstaltung", "evenement", "evento", "film",
  ]
  private static let films: Set<String> = ["film", "screening", "screenings"]

  private func areOfProgramme(_ group: [TimePlace]) -> Bool {
    let days = Set(group.compactMap { day(alone: $0.atom) })
    let areWeekdaysSaid = group.allSatisfy { place in
      if case .date(let days) = atoms[place.atom].kind { clock.saysWeekday(days[0]) } else { false }
    }
    return group.count >= Self.daysAloneMin && days.count * Self.filmsOfDayMax >= group.count
      && Set(days.map(\.weekday)).count >= (areWeekdaysSaid ? Self.weekdaysSaidMin : Self.weekdaysMin)
  }

  /// All of them, or none: each has a title of its own.
  private mutating func tellDays(of group: [TimePlace], _ signature: String) throws(ExtractionError) {
    var vote = TitleVote(
      context: context, clock: clock, pageVenue: reader.pageVenue, pageTitle: reader.pageTitle, budget: budget)
    let own = Set(group.map(\.atom))
    var titles: [TitleVote.Title] = []
    for place in group {
      guard let title = try title(ofDay: place, among: own, &vote) else { return }
      titles.append(title)
    }
    guard Set(titles.map(\.text.foldedKey)).count * Self.daysOfFilmMax >= group.count else { return }
    evidence.trace.structure.append("\(group.count) days without a time at \(signature)")
    var outcome = GroupOutcome(signature: signature, titles: "days")
    for (place, title) in zip(group, titles) {
      guard let day = day(alone: place.atom) else { continue }
      let item = ItemReader(context: context, place: place, titleAtom: title.atom)
      try budget.spend(128)
      tell(DateFinder.Start(found: .day(day), trust: Self.dayTrust), title, place, item, into: &outcome)
    }
    outcomes.append(outcome)
  }

  /// What stands behind the day in its line, or is marked as a title in the part of the page that has no other of the days.
  private func title(
    ofDay place: TimePlace, among own: Set<Int>, _ vote: inout TitleVote
  ) throws(ExtractionError) -> TitleVote.Title? {
    if let rest = atoms[place.atom].line?.rest, rest.hasLetters {
      let text = LineRest.trimmed(rest.filter { $0 != "*" })
      let link = place.path.prefix(3).compactMap { tree[$0].node["href"] }.first
      return vote.quality(text) >= 0.8 ? TitleVote.Title(text: text, level: 0, trust: 1, link: link) : nil
    }
    var card: Int?
    for at in place.path.dropFirst() {
      let range = context.range(in: at)
      try budget.spend(min(range.count, Self.cardReach))
      guard range.prefix(Self.cardReach).count(where: own.contains) == 1, range.count <= Self.cardReach || card == nil
      else { break }
      card = at
    }
    guard let card else { return nil }
    for index in context.range(in: card).prefix(Self.cardReach) where index != place.atom {
      try budget.spend()
      let atom = atoms[index]
      let path = tree.path(atom.place).prefix(3)
      guard atom.isWords,
        vote.isMarkedTitle(atom.place) || path.contains(where: { DateFinder.headings.contains(tree[$0].tag) }),
        vote.quality(atom.text) >= 0.8
      else { continue }
      return TitleVote.Title(
        text: atom.text, atom: index, level: 1, trust: 1, link: path.compactMap { tree[$0].node["href"] }.first)
    }
    return nil
  }

  private static let daysAloneMin = 4
  private static let filmsOfDayMax = 4
  /// On average.
  private static let daysOfFilmMax = 2
  private static let weekdaysSaidMin = 3
  private static let weekdaysMin = 5
  /// A season's.
  private static let daysAheadMax = 200
  private static let cardReach = 40
  /// A day is less than a start.
  private static let dayTrust = 0.75
}

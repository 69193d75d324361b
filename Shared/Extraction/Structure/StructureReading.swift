import Calendars
import HTML

/// One page being read.
struct StructureReading {
  let reader: StructureReader
  var context: PageContext
  let budget: WorkBudget
  var tree: PageTree { context.tree }
  var atoms: [PageAtom] { context.atoms }
  var clock: PageClock { reader.clock }
  var evidence = Evidence()
  var matches: [StructureMatch] = []
  let pairs: PairedTimes
  let programmeWeek: ProgrammeWeek?
  let footMarks: FootMarks
  var hasColons = false
  private(set) var hasTimesBesideAsides = true
  var outcomes: [GroupOutcome] = []
  /// Where the titles of the larger groups stand.
  var titlePlaces: Set<String> = []
  var told = 0

  init(reader: StructureReader, context: PageContext, footMarks: FootMarks, budget: WorkBudget) {
    self.reader = reader
    self.context = context
    self.budget = budget
    pairs = PairedTimes(context)
    programmeWeek = ProgrammeWeek(context.atoms, clock: reader.clock)
    self.footMarks = footMarks
  }

  /// The day of which nothing is told but the one word behind it: `<h2>Mon 30 Nov</h2><p>Closed</p>`.
  private func dayAlone(before index: Int) -> PrintedDays? {
    guard index > 0, case .date(let days) = atoms[index - 1].kind, days.count == 1,
      atoms[index - 1].line?.rest.isEmpty ?? true,
      index + 1 == atoms.count || !atoms[index + 1].isTime
    else { return nil }
    return days[0]
  }

  mutating func read() throws(ExtractionError) -> Evidence {
    for (index, atom) in atoms.enumerated() where !tree[atom.place].isChrome {
      let days: [PrintedDays]
      switch (atom.kind, atom.line) {
      case (.words, _) where PageWords.isClosed(atom.text):
        guard let day = dayAlone(before: index) else { continue }
        days = [day]
      // "BLUE GIANT ※10(木)〜13(日)休映" says it of one film.
      case (.date(let found), let line?)
      where line.isClosed && (line.rest.isEmpty || PageWords.closesHouse(atom.text)): days = found
      // "※11/24(火)は休館日です": the whole house is closed.
      case (_, let line?) where !line.exceptions.isEmpty && PageWords.closesHouse(atom.text): days = line.exceptions
      default: continue
      }
      // A run is a holiday's; beyond two weeks it is something else's.
      for day in days {
        guard let first = day.first, let last = day.last, last - first < 15 else { continue }
        evidence.closedDays.formUnion(first...last)
      }
    }
    hasTimesBesideAsides = findTimesBesideAsides()
    var places = try timePlaces()
    refuseImplausible(&places)
    let told = Set(places.map(\.atom)).union(pairs.starts.keys)
    context.discount(Set(atoms.indices.filter { atoms[$0].isTime && !told.contains($0) }))
    guard !places.isEmpty else {
      try readDaysAlone()
      settleLabelledVenue()
      tellGroups()
      try tellDropped()
      return evidence
    }
    let timed = Dictionary(places.map { ($0.atom, $0.signature) }) { first, _ in first }
    let clock = BareClock(atoms) { timed[$0] }
    var groups: [String: [TimePlace]] = [:]
    var order: [String] = []
    let kinds = try LikeTimes(places, context: context, budget: budget)
    for place in places {
      let kind = kinds.kind(of: place.signature)
      if groups[kind] == nil { order.append(kind) }
      groups[kind, default: []].append(place)
    }
    // What the many show of where titles stand holds for the few that are made like them.
    let (many, few) = (
      order.filter { (groups[$0]?.count ?? 0) >= TitleVote.learningMin },
      order.filter { (groups[$0]?.count ?? 0) < TitleVote.learningMin }
    )
    for signature in many + few {
      guard let group = groups[signature] else { continue }
      try readGroup(group, signature, clock)
    }
    if self.told == 0, let film = reader.film, atoms.contains(where: { $0.isWords && PageWords.isGeneric($0.text) }) {
      (outcomes, evidence.unread) = ([], [])
      for signature in many + few { try readGroup(groups[signature] ?? [], signature, clock, of: film) }
    }
    try findVenues()
    settleLabelledVenue()
    tellGroups()
    try tellDropped()
    return evidence
  }

  mutating func timePlaces() throws(ExtractionError) -> [TimePlace] {
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
      // A line of several in one element is like one that is alone in its own.
      let signature = kindName(atom) + tree.signature(tree[atom.place].isText ? tree[atom.place].parent : atom.place)
      for time in 0..<max(count, 1) {
        guard places.count < reader.limits.candidates else { return places }
        places.append(TimePlace(atom: index, index: time, signature: signature, path: path))
      }
    }
    return places
  }

  /// Of films of a day that stood in one line.
  static let apart = "apart:"

  func kindName(_ atom: PageAtom) -> String {
    switch atom.kind {
    case .both: atom.isApart ? Self.apart : "both:"
    case .moment: "moment:"
    default: ""
    }
  }
}

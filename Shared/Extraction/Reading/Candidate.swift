import Calendars
import Clocks

/// What one reader takes for a screening, before the readers are compared.
struct Candidate {
  var title: String
  /// The film's own name, where the source tells it apart from the title of the screening.
  var work: String?
  /// What the source calls the film besides: its title in another language.
  var otherTitles: [String] = []
  var start: FoundTime
  var end: FoundTime?
  var printedTime: ServiceTime?
  var isInferred = false
  /// Its source writes the start with the mark of UTC.
  var isMarkedUTC = false
  var venue: String?
  var screen: String?
  var url: String?
  var bookingID: String?
  /// Words that stand beside it.
  var notes: [String] = []
  var attributes: Set<ScreeningAttribute> = []
  var seats: PrintedMarks.Seats?
  /// Nil where the source does not say.
  var isScreening: Bool?
  var reader: EvidenceReader
  var place: String
  var confidence: Double

  init(title: String, start: FoundTime, reader: EvidenceReader, place: String, confidence: Double) {
    self.title = title
    self.start = start
    self.reader = reader
    self.place = place
    self.confidence = confidence
  }
}

/// What one reader makes of a page.
struct Evidence {
  var candidates: [Candidate] = []
  var unread: [Unread] = []
  /// What is worth a word only where the page gives nothing.
  var dropped: [Unread] = []
  var trace = ExtractionTrace()
  var closedDays: Set<CivilDate> = []

  /// Why the layout does not tell what it reads.
  static let isCancelledBeside = "beside it stands that it is cancelled"

  /// The same less what the layout says is cancelled: data goes on listing it. Where the data has it twice, in two houses
  /// as a rule, it is not known which of them is meant.
  func without(cancelledIn structure: Evidence) -> Evidence {
    let cancelled = structure.unread.filter { $0.why == Self.isCancelledBeside }
    guard !cancelled.isEmpty, !candidates.isEmpty else { return self }
    var evidence = self
    for item in cancelled {
      guard let comma = item.what.lastPlace(of: ", ") else { continue }
      let title = String(item.what[..<comma.lowerBound]).foldedKey
      let start = item.what[comma.upperBound...]
      let places = evidence.candidates.indices.filter { place in
        let candidate = evidence.candidates[place]
        return "\(candidate.start)" == start
          && (candidate.title.foldedKey == title || candidate.work?.foldedKey == title)
      }
      guard Set(places.map { evidence.candidates[$0].venue }).count == 1,
        Set(places.map { evidence.candidates[$0].reader }).count == places.count
      else { continue }
      evidence.unread.append(item)
      for place in places.reversed() { evidence.candidates.remove(at: place) }
    }
    return evidence
  }

  /// "Silt — Moss Cinema" on the pages of Moss Cinema, or shown there, is Silt: a page's data may have the title of its
  /// window.
  func without(site: String?) -> Evidence {
    var evidence = self
    for index in candidates.indices {
      let candidate = candidates[index]
      for name in [site, candidate.venue].compactMap({ $0 }) where !name.isEmpty {
        for dash in [" — ", " – ", " - ", " | "] where candidate.title.hasSuffix(dash + name) {
          let title = String(candidate.title.dropLast(dash.count + name.count)).trimmedText
          if !title.isEmpty { evidence.candidates[index].title = title }
        }
      }
    }
    return evidence
  }

  /// What the layout tells under another title than the page's data, and no oftener, is the same, once more.
  func without(
    toldAs told: [Candidate], titles: TitleReadings, budget: WorkBudget
  ) throws(ExtractionError) -> Evidence {
    func name(_ candidate: Candidate) -> String { titles[candidate.work ?? candidate.title].filmKey }
    let known = Dictionary(grouping: told.filter { $0.start.instant != nil }, by: \.start.instant)
    guard !known.isEmpty else { return self }
    var shown: [WallTime?: [Int]] = [:]
    for (place, candidate) in candidates.enumerated() { shown[candidate.start.instant, default: []].append(place) }
    var dropped: Set<Int> = []
    var repeated: [String: [Int]] = [:]
    for (instant, places) in shown {
      guard let others = known[instant] else { continue }
      var lost = Set(others.map(name))
      var strangers: [Int] = []
      for place in places {
        try budget.spend(others.count * Self.nameSteps)
        let own = name(candidates[place])
        let same = others.map(name).filter { $0.contains(own) || own.contains($0) }
        if same.isEmpty { strangers.append(place) }
        lost.subtract(same)
      }
      if Set(strangers.map { name(candidates[$0]) }).count <= lost.count {
        dropped.formUnion(strangers)
      } else {
        for place in strangers { repeated[name(candidates[place]), default: []].append(place) }
      }
    }
    // What is told of nothing but others' starts is a heading over them.
    let starts = Dictionary(grouping: candidates, by: name).mapValues { Set($0.map(\.start)).count }
    for (title, places) in repeated where places.count >= Self.repeatsMin && places.count == starts[title] {
      // Over one alone there may be none: another film at the same hours stands in a part like the known one's.
      let others = Set(places.flatMap { known[candidates[$0].start.instant]?.map(name) ?? [] })
      let one = candidates[places[0]]
      let isAlike = (shown[one.start.instant] ?? []).contains {
        candidates[$0].place == one.place && name(candidates[$0]) != title
      }
      if others.count > 1 || !isAlike { dropped.formUnion(places) }
    }
    var evidence = self
    evidence.candidates = candidates.indices.filter { !dropped.contains($0) }.map { candidates[$0] }
    for place in dropped.sorted() {
      evidence.trace.add(
        .html, at: candidates[place].place, .refused,
        "\(candidates[place].title), \(candidates[place].start): the page's own data has another title for it")
    }
    return evidence
  }

  /// Fewer may be another film that is shown when these are.
  private static let repeatsMin = 3
  /// Of looking for one name in another.
  private static let nameSteps = 16

  mutating func append(_ other: Evidence) {
    closedDays.formUnion(other.closedDays)
    candidates += other.candidates
    unread += other.unread
    dropped += other.dropped
    trace.append(other.trace)
  }
}

import Calendars

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

  /// "Silt — Moss Cinema" on the pages of Moss Cinema is Silt: a page's data may have the title of its window.
  func without(site: String?) -> Evidence {
    guard let site, !site.isEmpty else { return self }
    var evidence = self
    for index in candidates.indices {
      let title = candidates[index].title
      for dash in [" — ", " – ", " - ", " | "] where title.hasSuffix(dash + site) {
        evidence.candidates[index].title = String(title.dropLast(dash.count + site.count)).trimmedText
      }
    }
    return evidence
  }

  mutating func append(_ other: Evidence) {
    closedDays.formUnion(other.closedDays)
    candidates += other.candidates
    unread += other.unread
    dropped += other.dropped
    trace.append(other.trace)
  }
}

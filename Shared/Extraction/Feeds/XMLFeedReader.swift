import Calendars
import HTML
import JSON

/// Reads feeds in XML: schedules (pentabarf, frab), RSS and Atom with the dates of events, platforms' own.
struct XMLFeedReader {
  let clock: PageClock
  let limits: ExtractionLimits
  let addressDate: CivilDate?

  /// - Parameter root: the document's element.
  func read(_ root: JSONValue, named name: String, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    var evidence = try RecordReader(clock: clock, limits: limits, reader: .xml, addressDate: addressDate)
      .read(root, at: name, budget: budget)
    if evidence.candidates.isEmpty { evidence.append(try items(of: root, budget: budget)) }
    return evidence
  }

  /// Entries of a news feed whose titles tell a date and a time: "Fri 21 Nov, 19:30: Alien"; or whose texts begin with
  /// them, where most of the feed's do: one that does so may be an announcement of anything.
  private func items(of root: JSONValue, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    var evidence = Evidence()
    var told: [Candidate] = []
    var entriesTelling = 0
    let list = root["channel"]?["item"] ?? root["item"] ?? root["entry"]
    let items = (list?.array ?? list.map { [$0] } ?? []).prefix(limits.candidates)
    for item in items {
      try budget.spend(32)
      guard let raw = item["title"].flatMap(RecordText.of) else { continue }
      let text = PlainText.of(raw)
      let url = item["link"].flatMap(RecordText.of) ?? item["link"]?["href"]?.string
      guard let line = PrintedLine(text, clock: clock), let start = line.only, !line.rest.isEmpty else {
        let showings = try beginning(of: item, budget)
        if showings.isEmpty {
          evidence.trace.add(.xml, at: "item", .refused, "\(text): no date and time")
        } else {
          entriesTelling += 1
        }
        for showing in showings {
          told.append(
            candidate(
              text, clock.found(showing.startsAt), showing.time.time.isAfterMidnight ? showing.time : nil,
              trust: Self.textTrust * showing.confidence.trust, url))
        }
        continue
      }
      evidence.candidates.append(
        candidate(line.rest, start.found, start.printed, trust: Self.titleTrust * start.trust, url))
    }
    if entriesTelling >= Self.entriesMin, entriesTelling * 2 > items.count { evidence.candidates += told }
    return evidence
  }

  private static let titleTrust = 0.85
  private static let textTrust = 0.75
  /// One may be the hours of anything.
  private static let entriesMin = 2
  /// Of an entry's text: what it begins with.
  private static let beginningMax = 120

  private func candidate(
    _ title: String, _ start: FoundTime, _ printed: ServiceTime?, trust: Double, _ url: String?
  ) -> Candidate {
    var candidate = Candidate(title: title, start: start, reader: .xml, place: "item", confidence: trust)
    candidate.printedTime = printed
    candidate.url = url
    return candidate
  }

  /// The showings that an entry's text begins with.
  private func beginning(of item: JSONValue, _ budget: WorkBudget) throws(ExtractionError) -> [PrintedShowing] {
    for name in ["description", "summary", "content"] {
      guard let raw = item[name].flatMap(RecordText.of) else { continue }
      try budget.spend(raw.utf8.count / 8 + 1)
      let text = String(PlainText.of(raw).prefix(Self.beginningMax))
      guard let line = PrintedLine(text, clock: clock), line.alarms.isEmpty, !line.leavesOut, !line.days.isEmpty,
        line.lead.isEmpty
      else { continue }
      return line.showings
    }
    return []
  }
}

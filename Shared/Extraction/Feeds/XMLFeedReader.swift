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
    var labelled: [Candidate] = []
    var (entriesTelling, entriesLabelled) = (0, 0)
    let list = root["channel"]?["item"] ?? root["item"] ?? root["entry"]
    let items = (list?.array ?? list.map { [$0] } ?? []).prefix(limits.candidates)
    for item in items {
      try budget.spend(32)
      guard let raw = item["title"].flatMap(RecordText.of) else { continue }
      let text = PlainText.of(raw)
      let url = item["link"].flatMap(RecordText.of) ?? item["link"]?["href"]?.string
      guard let line = PrintedLine(text, clock: clock), let start = line.only, !line.rest.isEmpty else {
        let (showings, isLabelled) = try beginning(of: item, budget)
        if showings.isEmpty {
          evidence.trace.add(.xml, at: "item", .refused, "\(text): no date and time")
        } else {
          entriesTelling += 1
          if isLabelled { entriesLabelled += 1 }
        }
        for showing in showings {
          let candidate = candidate(
            text, clock.found(showing.startsAt), showing.time.time.isAfterMidnight ? showing.time : nil,
            trust: Self.textTrust * showing.confidence.trust, url)
          if isLabelled { labelled.append(candidate) }
          told.append(candidate)
        }
        continue
      }
      evidence.candidates.append(
        candidate(line.rest, start.found, start.printed, trust: Self.titleTrust * start.trust, url))
    }
    if entriesLabelled >= Self.entriesMin, entriesLabelled * 2 > entriesTelling {
      // Menus and exhibitions stand among them, and have no "일시:".
      evidence.candidates += labelled
    } else if entriesTelling >= Self.entriesMin, entriesTelling * 2 > items.count {
      evidence.candidates += told
    }
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
    let title = BracketedFilm.name(in: title, inHeadline: true) ?? title
    var candidate = Candidate(title: title, start: start, reader: .xml, place: "item", confidence: trust)
    candidate.printedTime = printed
    candidate.url = url
    return candidate
  }

  /// The showings that an entry's text begins with, or has behind a label.
  private func beginning(
    of item: JSONValue, _ budget: WorkBudget
  ) throws(ExtractionError) -> (showings: [PrintedShowing], isLabelled: Bool) {
    for name in ["description", "summary", "content"] {
      guard let raw = item[name].flatMap(RecordText.of) else { continue }
      try budget.spend(raw.utf8.count / 8 + 1)
      let whole = PlainText.of(raw)
      let labelled = behindLabel(whole).map(showings(at:)) ?? []
      if !labelled.isEmpty { return (labelled, true) }
      let begun = showings(at: whole[...])
      if !begun.isEmpty { return (begun, false) }
    }
    return ([], false)
  }

  private func showings(at text: Substring) -> [PrintedShowing] {
    guard let line = PrintedLine(String(text.prefix(Self.beginningMax)), clock: clock), line.alarms.isEmpty,
      !line.leavesOut, !line.days.isEmpty, line.lead.isEmpty
    else { return [] }
    return line.showings
  }

  /// What stands behind "일시:" or "When:", where the text says it once.
  private func behindLabel(_ text: String) -> Substring? {
    let head = text.prefix(Self.labelledMax)
    for label in Self.labels {
      guard let place = String(head).firstPlace(of: label) else { continue }
      let rest = head[place.upperBound...]
      guard !String(rest).holds(label) else { return nil }
      return rest.prefix { !Self.ends.contains($0) }
    }
    return nil
  }

  private static let labels = [
    "일시 :", "일시:", "일시：", "日時：", "日時:", "When:", "Date & time:", "Quand :", "Wann:", "Cuándo:", "Quando:",
  ]
  private static let labelledMax = 1_000
  /// A new label, or the next sentence's sign.
  private static let ends: Set<Character> = ["*", "•", "▪", "■", "□", "◆", "|"]
}

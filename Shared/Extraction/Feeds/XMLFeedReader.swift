import Calendars
import HTML
import JSON

/// Reads feeds in XML: schedules (pentabarf, frab), RSS and Atom with the dates of events, platforms' own.
struct XMLFeedReader {
  let clock: PageClock
  let limits: ExtractionLimits
  let addressDate: CivilDate?

  func read(_ bytes: [UInt8], charset: String?, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    var evidence = Evidence()
    guard let (root, name) = try XMLTree.parse(bytes, charset: charset, limits: limits, budget: budget) else {
      evidence.trace.add(.xml, at: "document", .refused, "no element")
      return evidence
    }
    evidence = try RecordReader(clock: clock, limits: limits, reader: .xml, addressDate: addressDate)
      .read(root, at: name, budget: budget)
    if evidence.candidates.isEmpty { evidence.append(try items(of: root, budget: budget)) }
    return evidence
  }

  /// Entries of a news feed whose titles tell a date and a time: "Fri 21 Nov, 19:30: Alien".
  private func items(of root: JSONValue, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    var evidence = Evidence()
    let list = root["channel"]?["item"] ?? root["item"] ?? root["entry"]
    for item in (list?.array ?? list.map { [$0] } ?? []).prefix(limits.candidates) {
      try budget.spend(32)
      guard let raw = item["title"].flatMap(RecordText.of) else { continue }
      let text = PlainText.of(raw)
      guard let line = PrintedLine(text, clock: clock), let start = line.only, !line.rest.isEmpty else {
        evidence.trace.add(.xml, at: "item", .refused, "\(text): no date and time")
        continue
      }
      var candidate = Candidate(
        title: line.rest, start: start.found, reader: .xml, place: "item", confidence: 0.85 * start.trust)
      candidate.printedTime = start.printed
      candidate.url = item["link"].flatMap(RecordText.of) ?? item["link"]?["href"]?.string
      evidence.candidates.append(candidate)
    }
    return evidence
  }
}

import Calendars
import Clocks
import HTML

/// When an article was written and of which days it tells: without that, "on Friday" says nothing.
struct ArticleDate {
  /// Reads dates as on the day on which it was written; nil where the page has a date that is far from its capture, or none.
  private(set) var clock: PageClock?
  /// The days of which its headline says that it is about them.
  private(set) var period: ClosedRange<CivilDate>?
  /// The film that the headline names alone.
  private(set) var subject: String?
  private(set) var heading = ""

  private static let headings: Set<String> = ["h1", "h2"]
  private static let classes: Set<String> = [
    "date", "published", "meta", "byline", "posted", "post", "datum", "data", "fecha", "time", "cas", "updated",
    "header", "info", "top", "entry",
  ]
  private static let bytesMax = 160
  /// What was written longer ago than that tells of another month.
  private static let daysMax = 45

  init(
    _ page: HTMLDocument, _ tree: PageTree, title: String?, clock: PageClock, budget: WorkBudget
  ) throws(ExtractionError) {
    heading = title ?? ""
    var written = WrittenAt(page).day
    var names: [String] = []
    for place in tree.nodes.indices where !tree[place].isText {
      let node = tree[place]
      try budget.spend()
      if node.tag == "time", written == nil { written = node.node["datetime"].flatMap(Self.day) }
      let isHeading = Self.headings.contains(node.tag)
      guard isHeading || node.words.contains(where: Self.classes.contains), node.length <= Self.bytesMax,
        node.length > 0
      else { continue }
      // Parts of parts have the same text.
      try budget.spend(node.end - place)
      let text = tree.text(place)
      try budget.spend(text.utf8.count * 4)
      if isHeading {
        heading += " " + text
        if node.tag == "h1" { names += ProseText(text.unicodeScalars).sentences.flatMap(\.names) }
      }
      guard text.utf8.contains(where: isDigitByte),
        let line = PrintedLine(text, clock: clock, expecting: .dates), line.alarms.isEmpty
      else { continue }
      for days in line.days {
        guard let first = days.first, let last = days.last else { continue }
        if isHeading, first < last, last - first <= Self.periodMax, period == nil { period = first...last }
        if !isHeading, first == last, !days.notes.contains(.inferredYear), written == nil { written = first }
      }
    }
    if Set(names.map(\.foldedKey)).count == 1 { subject = names[0] }
    if let written {
      guard abs(written - clock.captured) <= Self.daysMax else { return }
      self.clock = clock.captured(at: clock.zone.instant(of: ServiceTime(written, DisplayTime(minutes: 720)!).civil))
    } else if let period, abs(period.lowerBound - clock.captured) <= Self.daysMax {
      self.clock = clock
    }
  }

  private static let periodMax = 31

  private static func day(_ stamp: String) -> CivilDate? { CivilDate(String(stamp.prefix(10))) }
}

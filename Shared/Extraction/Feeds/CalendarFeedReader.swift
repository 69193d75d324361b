import Calendars
import Clocks

/// Reads iCalendar as evidence: each occurrence is a candidate, days without times stay days.
struct CalendarFeedReader {
  let clock: PageClock
  let limits: ExtractionLimits

  /// How far a rule without an end is followed.
  private static let daysAhead: Int64 = 400

  /// A season without screenings.
  private static let closedDaysMax = 124

  static func isCalendar(_ bytes: [UInt8]) -> Bool {
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
    let head = bytes[start...].prefix(15).map { $0 | ((0x41...0x5A).contains($0) ? 0x20 : 0) }
    return head.elementsEqual("begin:vcalendar".utf8)
  }

  func read(_ bytes: [UInt8], budget: WorkBudget) throws(ExtractionError) -> Evidence {
    try budget.spend(bytes.count / 8)
    var evidence = Evidence()
    var calendarLimits = CalendarReader.Limits()
    calendarLimits.bytesMax = limits.bytes
    let reader = CalendarReader(zones: clock.zones, venueZone: clock.zone, limits: calendarLimits)
    let feed: CalendarFeed
    do throws(CalendarFeedError) { feed = try reader.read(bytes) } catch {
      switch error {
      case .tooLarge: throw .tooLarge(limit: limits.bytes)
      case .notACalendar:
        evidence.trace.add(.calendar, at: "line 1", .refused, error.description)
        return evidence
      }
    }
    for problem in feed.problems {
      evidence.trace.add(.calendar, at: "line \(problem.line)", .refused, problem.description)
      if problem.kind == .eventIgnored {
        evidence.unread.append(Unread(what: problem.detail, why: "the calendar's event has no time that can be read"))
      }
    }
    try take(feed, into: &evidence, budget: budget)
    return evidence
  }

  private func take(_ feed: CalendarFeed, into evidence: inout Evidence, budget: WorkBudget) throws(ExtractionError) {
    let ahead = WallTime(milliseconds: clock.capturedAt.milliseconds + Self.daysAhead * 86_400_000)
    let last = feed.events.filter { $0.recurrence == nil }.map { $0.start.instant(in: clock.zone) }.max() ?? ahead
    let end = WallTime(milliseconds: max(ahead, last).milliseconds + 1)
    var occurrenceLimits = CalendarFeed.OccurrenceLimits()
    occurrenceLimits.occurrencesMax = limits.candidates
    let found = feed.occurrences(
      in: WallTime(milliseconds: -62_135_596_800_000)..<end, zone: clock.zone, limits: occurrenceLimits)
    if !found.isComplete {
      evidence.unread.append(Unread(what: "the calendar", why: "it has more dates than are read at once"))
    }
    for occurrence in found.occurrences {
      try budget.spend(8)
      let event = occurrence.event
      let title = PlainText.of(event.summary)
      guard !title.isEmpty else {
        evidence.trace.add(.calendar, at: event.uid, .refused, "an event without a title")
        continue
      }
      let start = told(occurrence.start)
      if event.status == .cancelled {
        evidence.unread.append(Unread(what: "\(title), \(start)", why: "the calendar says that it is cancelled"))
        continue
      }
      // "Stängt under julen": whole days that the house is closed.
      if case .day(let first) = start, PageWords.closesHouse(title) {
        var last = first
        if case .day(let end)? = occurrence.end.map(ended) { last = max(first, end) }
        if last - first < Self.closedDaysMax { evidence.closedDays.formUnion(first...last) }
        evidence.trace.add(.calendar, at: event.uid, .refused, "\(title): the house is closed")
        continue
      }
      var candidate = Candidate(
        title: title, start: start, reader: .calendar, place: event.uid, confidence: EvidenceReader.calendar.trust)
      candidate.end = occurrence.end.map(ended)
      if let end = candidate.end, end < start { candidate.end = nil }
      (candidate.venue, candidate.screen) = Self.place(event.location)
      candidate.url = event.url
      candidate.bookingID = event.uid
      candidate.notes = event.categories
      evidence.candidates.append(candidate)
    }
  }

  /// "Plaza Cinema, 13 Crosby Road, Liverpool, L22 0LD" is the cinema and its address; "Screen 2, Plaza" the other way round.
  private static func place(_ location: String?) -> (venue: String?, screen: String?) {
    guard let plain = location.map(PlainText.of), !plain.isEmpty else { return (nil, nil) }
    var parts = plain.split(separator: ",").map { String($0).trimmedText }.filter { !$0.isEmpty }
    var screen: String?
    if parts.count > 1, ScreenName.isOne(parts[0]) { screen = parts.removeFirst() }
    guard let first = parts.first else { return (plain, screen) }
    if parts.count > 1, ScreenName.isOne(parts[1]) { screen = screen ?? parts.remove(at: 1) }
    // A number is a house's or a place's; three parts are an address as a rule.
    let isAddress =
      parts.count >= 3 || parts.dropFirst().contains { $0.utf8.contains(where: isDigitByte) }
    return (isAddress || screen != nil ? first : plain, screen)
  }

  private func told(_ time: CalendarTime) -> FoundTime {
    switch time {
    case .day(let date): .day(date)
    case .floating(let local): clock.found(local)
    case .utc(let instant): clock.found(instant)
    case .zoned(let local, let zone): clock.found(local, in: zone)
    }
  }

  /// A day's end is the day after its last.
  private func ended(_ time: CalendarTime) -> FoundTime {
    if case .day(let date) = time { return .day(date - 1) }
    return told(time)
  }
}

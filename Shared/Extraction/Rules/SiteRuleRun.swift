import Calendars
import HTML

/// What became of each selector of a rule on one page.
package struct SiteRuleReport: Sendable {
  package struct Line: Hashable, Sendable {
    /// `films.shows.each`
    package var field: String
    package var selector: String
    package var matches: Int
    /// For a selector that finds nothing: the longest part of it that still does, and how much.
    package var nearest: String?
  }

  package var lines: [Line] = []
  package var extraction = Extraction()
}

extension PageReader {
  /// Reads a page by a rule's selectors alone.
  package func run(
    _ rule: SiteRule, on bytes: [UInt8], as source: PageSource = PageSource()
  ) throws(ExtractionError) -> SiteRuleReport {
    guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
    let page: HTMLDocument
    var htmlLimits = HTMLDocument.Limits()
    htmlLimits.bytes = limits.bytes
    htmlLimits.decodedBytes = limits.bytes * 3 / 2
    htmlLimits.depth = limits.elementDepth
    do throws(HTMLError) {
      page = try HTMLDocument.parse(bytes, contentCharset: source.charset, url: source.url, limits: htmlLimits)
    } catch { throw .page(error) }
    var run = SiteRuleRun(
      rule: rule, page: page, clock: clock, budget: StepBudget(steps: limits.steps),
      addressDate: AddressDate.of(source.url))
    do throws(HTMLError) { try run.run() } catch {
      if case .searchTooLong(let limit) = error { throw .tooMuchWork(limit: limit) }
      throw .page(error)
    }
    var reading = PageReading(clock: clock, limits: limits, source: source, budget: WorkBudget(limits.steps))
    reading.baseURL = page.baseURL ?? source.url
    let identity = PageIdentity(page)
    reading.isCinema = true
    reading.pageVenue = reading.pageVenue ?? identity.venue
    reading.take(run.evidence)
    var report = SiteRuleReport()
    report.extraction = reading.finish()
    report.lines = run.lines
    return report
  }
}

/// One rule on one page.
private struct SiteRuleRun {
  let rule: SiteRule
  let page: HTMLDocument
  let clock: PageClock
  let budget: StepBudget
  let addressDate: CivilDate?
  var evidence = Evidence()
  var lines: [SiteRuleReport.Line] = []
  /// Elements in the order of the page.
  private var order: [HTMLNode: Int] = [:]

  init(rule: SiteRule, page: HTMLDocument, clock: PageClock, budget: StepBudget, addressDate: CivilDate?) {
    self.rule = rule
    self.page = page
    self.clock = clock
    self.budget = budget
    self.addressDate = addressDate
  }

  private struct Day {
    var node: HTMLNode
    var place: Int
    var date: CivilDate?
    var isClosed: Bool
    var why: String?
  }

  mutating func run() throws(HTMLError) {
    guard let films = rule.films else { return }
    for (place, node) in try page.select("*", within: budget).enumerated() { order[node] = place }
    let days = try self.days()
    let filmNodes = try select(films.each, in: page.root, field: "films.each")
    switch films.scope {
    case .inside:
      var found = 0
      for film in filmNodes {
        let shows = try select(films.shows.each, in: film)
        found += shows.count
        for show in shows { try tell(show, of: film, films, days) }
      }
      note("films.shows.each", films.shows.each, found)
    case .following:
      let shows = try select(films.shows.each, in: page.root, field: "films.shows.each")
      for show in shows {
        guard let place = order[show], let film = filmNodes.last(where: { (order[$0] ?? 0) <= place }) else { continue }
        try tell(show, of: film, films, days)
      }
    }
  }

  private func select(_ selector: String, in node: HTMLNode) throws(HTMLError) -> [HTMLNode] {
    guard !selector.isEmpty else { return [node] }
    guard let parsed = try? Selector(parsing: selector) else { return [] }
    return try node.select(parsed, within: budget)
  }

  private mutating func select(_ selector: String, in node: HTMLNode, field: String) throws(HTMLError) -> [HTMLNode] {
    let found = try select(selector, in: node)
    note(field, selector, found.count)
    return found
  }

  private mutating func note(_ field: String, _ selector: String, _ matches: Int) {
    var nearest: String?
    if matches == 0 {
      // Parts from the right away: where the page stopped being what the rule knew.
      var parts = selector.split(separator: " ").map(String.init)
      while parts.count > 1 {
        parts.removeLast()
        if parts.last == ">" || parts.last == "+" || parts.last == "~" { continue }
        let shorter = parts.joined(separator: " ")
        if let parsed = try? Selector(parsing: shorter), let found = try? page.select(parsed, within: budget),
          !found.isEmpty
        {
          nearest = "\(shorter) (\(found.count))"
          break
        }
      }
    }
    lines.append(.init(field: field, selector: selector, matches: matches, nearest: nearest))
  }

  private mutating func days() throws(HTMLError) -> [Day] {
    guard let rule = rule.days else { return [] }
    var days: [Day] = []
    for node in try select(rule.each, in: page.root, field: "days.each") {
      let text = try value(rule.date, of: node) ?? ""
      var day = Day(node: node, place: order[node] ?? 0, date: nil, isClosed: false)
      switch clock.moment(text, expectsTime: false) {
      case .date(let date)?: day.date = date
      case .local(let local)?: day.date = local.date
      case .instant(let stamp)?: day.date = stamp.local.date
      default:
        do throws(PrintedAlarm) { day.date = try clock.printed.date(text)?.day } catch { day.why = error.description }
      }
      if let closed = rule.closed { day.isClosed = try holds(closed, of: node) }
      if day.date == nil { evidence.trace.add(.rule, at: "days.date", .refused, day.why ?? "\(text): no date") }
      days.append(day)
    }
    return days
  }

  // MARK: Shows

  private mutating func tell(
    _ show: HTMLNode, of film: HTMLNode, _ films: SiteRule.Films, _ days: [Day]
  ) throws(HTMLError) {
    guard let titleText = try value(films.title, of: film), !titleText.isEmpty else {
      evidence.trace.add(.rule, at: "films.title", .refused, "a film without a title")
      return
    }
    let timeText = try value(films.shows.time, of: show) ?? ""
    guard !timeText.isEmpty else { return }
    var starts: [(found: FoundTime, printed: ServiceTime?, trust: Double)] = []
    let dateText = try films.shows.date.map { field throws(HTMLError) in try value(field, of: show) } ?? nil
    switch clock.moment(timeText) {
    case .local(let local)?: starts = [(clock.found(local), nil, 1)]
    case .instant(let stamp)?: starts = [(clock.found(stamp), nil, 1)]
    default:
      let date: CivilDate?
      if let dateText {
        date = PrintedLine(dateText, clock: clock)?.day ?? clock.moment(dateText).flatMap { clock.found($0)?.date }
      } else if let day = day(of: show, days) {
        if day.isClosed { return }
        if let why = day.why { evidence.unread.append(Unread(what: "\(titleText), \(timeText)", why: why)) }
        date = day.date
      } else {
        date = days.isEmpty ? addressDate : nil
      }
      guard let date else {
        evidence.trace.add(.rule, at: "films.shows", .refused, "\(titleText), \(timeText): no date")
        return
      }
      let line = PrintedLine(timeText, clock: clock)
      let times =
        line.map { $0.times.isEmpty ? clock.printed.times(timeText).times : $0.times }
        ?? clock.printed.times(timeText).times
      for time in times {
        let place = ServiceTime(date, time.start)
        starts.append((clock.found(place.civil), time.start.isAfterMidnight ? place : nil, time.confidence.trust))
      }
    }
    for start in starts {
      var candidate = Candidate(
        title: titleText, start: start.found, reader: .rule, place: "films.shows",
        confidence: EvidenceReader.rule.trust * start.trust)
      candidate.printedTime = start.printed
      candidate.isScreening = true
      if let screen = films.shows.screen { candidate.screen = try value(screen, of: show) }
      if let booking = films.shows.booking { candidate.url = try value(booking, of: show) }
      if let soldOut = films.shows.soldOut, try holds(soldOut, of: show) { candidate.seats = .soldOut }
      if let notes = films.notes, let text = try value(notes, of: film) { candidate.notes = [text] }
      evidence.candidates.append(candidate)
    }
  }

  private func day(of show: HTMLNode, _ days: [Day]) -> Day? {
    guard let place = order[show] else { return nil }
    switch rule.days?.scope ?? .following {
    case .following: return days.last { $0.place <= place }
    case .column:
      guard let column = column(of: show) else { return nil }
      let table = self.table(of: show)
      return days.last {
        $0.place <= place && self.table(of: $0.node) == table
          && self.column(of: $0.node).map { $0.overlaps(column) } ?? false
      }
    }
  }

  private func cell(of node: HTMLNode) -> HTMLNode? {
    if node.name == "td" || node.name == "th" { return node }
    return node.ancestors.first { $0.name == "td" || $0.name == "th" }
  }

  private func table(of node: HTMLNode) -> HTMLNode? { node.ancestors.first { $0.name == "table" } }

  /// The columns that a node's cell covers, rows above reaching down left aside.
  private func column(of node: HTMLNode) -> Range<Int>? {
    guard let cell = cell(of: node) else { return nil }
    func width(_ node: HTMLNode) -> Int { min(max(node["colspan"].flatMap { Int($0) } ?? 1, 1), 64) }
    var start = 0
    var before = cell.previous
    while let other = before {
      start += width(other)
      before = other.previous
    }
    return start..<start + width(cell)
  }

  // MARK: Values

  private func value(_ field: SiteRule.Field, of node: HTMLNode) throws(HTMLError) -> String? {
    var text: String?
    switch field.source {
    case .text(let selector):
      let found = try select(selector, in: node)
      text = field.isAll ? found.map(\.text).joined(separator: ", ") : found.first?.text
    case .attribute(let selector, let name):
      let found = try select(selector, in: node)
      text = (selector.isEmpty ? [node] : found).lazy.compactMap { $0[name] }.first
    case .hasClass(let name): return node.hasClass(name) ? name : nil
    }
    guard var value = text?.trimmedText, !value.isEmpty else { return nil }
    if field.parse == .words, let line = PrintedLine(value, clock: clock) {
      value = line.lead.isEmpty ? line.tails.last ?? "" : line.lead
    }
    if field.isResolved { return page.link(value) }
    return value
  }

  private func holds(_ field: SiteRule.Field, of node: HTMLNode) throws(HTMLError) -> Bool {
    if case .hasClass(let name) = field.source {
      return node.hasClass(name) || node.ancestors.prefix(2).contains { $0.hasClass(name) }
    }
    return try value(field, of: node) != nil
  }
}

import Calendars
import HTML

/// What became of each selector of a rule on one page.
package struct SiteRuleReport: Sendable {
  package struct Line: Hashable, Sendable {
    /// `films.shows.each`
    package var field: String
    package var selector: String
    package var matches: Int
    /// For a selector that finds nothing: the longest part of it that still does, how much, and what looks like it.
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
    let page = try HTMLDocument.page(bytes, as: source, limits: limits)
    var run = SiteRuleRun(
      rule: rule, page: page, clock: clock, budget: StepBudget(steps: limits.steps),
      addressDate: AddressDate.of(source.url))
    do throws(HTMLError) { try run.run() } catch {
      if case .searchTooLong(let limit) = error { throw .tooMuchWork(limit: limit) }
      throw .page(error)
    }
    var reading = PageReading(clock: clock, limits: limits, source: source, budget: WorkBudget(limits.steps))
    reading.baseURL = page.baseURL ?? source.url
    let identity = PageIdentity(page, at: source.url)
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
      try note("films.shows.each", films.shows.each, found)
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
    try note(field, selector, found.count)
    return found
  }

  private mutating func note(_ field: String, _ selector: String, _ matches: Int) throws(HTMLError) {
    let nearest = matches == 0 && !selector.isEmpty ? try nearest(to: selector) : nil
    lines.append(.init(field: field, selector: selector, matches: matches, nearest: nearest))
  }

  /// Where the page stopped being what the rule knew: the longest part of the selector that lives, and what looks like
  /// the elements that are gone.
  private func nearest(to selector: String) throws(HTMLError) -> String? {
    var parts = selector.split(separator: " ").map(String.init)
    let last = parts.last ?? selector
    var alive: (selector: String, holder: HTMLNode, count: Int)?
    while parts.count > 1, alive == nil {
      parts.removeLast()
      if let end = parts.last, [">", "+", "~"].contains(end) { continue }
      let shorter = parts.joined(separator: " ")
      let found = try select(shorter, in: page.root)
      if let first = found.first { alive = (shorter, first, found.count) }
    }
    let like = try alike(last, in: alive?.holder ?? page.root)
    let told = [alive.map { "\($0.selector) (\($0.count))" }, like.map { "looks like it: \($0)" }].compactMap(\.self)
    return told.isEmpty ? nil : told.joined(separator: "; ")
  }

  private static let likeMax = 3

  /// Elements of the same kind, or with a class that says the same: `li.showtime` for `li.show`.
  private func alike(_ compound: String, in holder: HTMLNode) throws(HTMLError) -> String? {
    let tag = String(compound.prefix { $0.isLetter || $0.isNumber }).lowercased()
    let wanted = Set(RecordKey.words(of: String(compound.dropFirst(tag.count))))
    var kinds: [String: (count: Int, weight: Int)] = [:]
    for node in try holder.select("*", within: budget) {
      let words = Set(node.classes.flatMap(RecordKey.words(of:)))
      let shared = wanted.count { word in
        words.contains { $0 == word || $0.hasPrefix(word) || word.hasPrefix($0) && $0.utf8.count > 2 }
      }
      let weight = shared * 2 + (!tag.isEmpty && node.name == tag ? 1 : 0)
      guard weight > 0 else { continue }
      let kind = node.name + node.classes.prefix(3).map { "." + $0 }.joined()
      kinds[kind] = ((kinds[kind]?.count ?? 0) + 1, weight)
    }
    let ranked = kinds.sorted { ($1.value.weight, $1.value.count, $0.key) < ($0.value.weight, $0.value.count, $1.key) }
    guard !ranked.isEmpty else { return nil }
    return ranked.prefix(Self.likeMax).map { "\($0.key) (\($0.value.count))" }.joined(separator: ", ")
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
      if day.isClosed, let date = day.date { evidence.closedDays.insert(date) }
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
      if let notes = films.notes, let text = try value(notes, of: film) { candidate.notes.append(text) }
      if let notes = films.shows.notes, let text = try value(notes, of: show) { candidate.notes.append(text) }
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
      // The words beside a time are the element's own: links in it say other things.
      if selector.isEmpty, field.parse == .words, !node.ownText.isEmpty {
        text = node.ownText
      } else {
        text = field.isAll ? found.map(\.text).joined(separator: ", ") : found.first?.text
      }
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

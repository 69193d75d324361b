package import Calendars
package import Clocks
import HTML
import JSON

/// Reads screenings out of any page or feed, without knowing the site.
///
///     let reader = PageReader(zone: seoul, capturedAt: now, zones: zones)
///     let found = try reader.read(bytes, as: PageSource(contentType: "text/html", url: address))
///     found.screenings.first?.start      // 2026-11-24T00:30:00+09:00
///
/// A pure function of its input: it fetches nothing, keeps nothing and asks no clock. It never traps, and what it costs
/// is bounded by `ExtractionLimits`. A page that lists nothing gives no screenings and the reason.
package struct PageReader: Sendable {
  let clock: PageClock
  let limits: ExtractionLimits

  /// - Parameters:
  ///   - zone: where the venue is; local times are its, and UTC is shown as its clocks show it.
  ///   - capturedAt: when the page was fetched, which decides about years that are not printed.
  ///   - zones: for feeds that name zones of their own.
  ///   - dateOrder: what 11/12 is where the page does not tell; else the custom of the zone's country.
  package init(
    zone: TimeZoneRules, capturedAt: WallTime, zones: ZoneDirectory, serviceDay: ServiceDay = .standard,
    dateOrder: DateOrder? = nil, limits: ExtractionLimits = .page
  ) {
    clock = PageClock(
      zone: zone, zones: zones, capturedAt: capturedAt, serviceDay: serviceDay, dateOrder: dateOrder)
    self.limits = limits
  }

  package func read(_ bytes: [UInt8], as source: PageSource = PageSource()) throws(ExtractionError) -> Extraction {
    guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
    let budget = WorkBudget(limits.steps)
    let order = try PrintedOrder(around: clock.captured.year).order(of: bytes, budget: budget)
    let clock = order.map(clock.writing) ?? clock
    var reading = PageReading(clock: clock, limits: limits, source: source, budget: budget)
    switch ContentForm.of(bytes, contentType: source.contentType) {
    case .calendar: reading.take(try CalendarFeedReader(clock: clock, limits: limits).read(bytes, budget: budget))
    case .json: try reading.readJSON(bytes)
    case .table:
      reading.take(
        try TableFeedReader(clock: clock, limits: limits, addressDate: AddressDate.of(source.url))
          .read(bytes, budget: budget))
    case .xml: try reading.readXML(bytes)
    case .html: try reading.readHTML(bytes)
    case .foreign(let what):
      reading.reason = "\(what); give a page, or a feed"
      reading.isBroken = true
    }
    try reading.settle()
    return reading.finish()
  }
}

/// What kind of document some bytes are: what they look like counts more than what the server calls them.
enum ContentForm {
  case calendar, json, table, xml, html
  /// Nothing that lists anything, in words.
  case foreign(String)

  static func of(_ bytes: [UInt8], contentType: String?) -> ContentForm {
    if CalendarFeedReader.isCalendar(bytes) { return .calendar }
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    let head = bytes[index...].prefix(2_048)
    guard let first = head.first else { return .foreign("the document is empty") }
    if let kind = binary(head) { return .foreign("the document is \(kind)") }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .json }
    if isPadded(head) || contentType?.holds("json") == true && first != UInt8(ascii: "<") { return .json }
    let text = String(decoding: head, as: UTF8.self).lowercased()
    if text.holds("<!doctype html") || opensHTML(text) { return .html }
    if text.hasPrefix("<?xml") || text.hasPrefix("<rss") || text.hasPrefix("<feed") || text.hasPrefix("<schedule") {
      return .xml
    }
    if contentType?.hasSuffix("xml") == true, contentType != "application/xhtml+xml" { return .xml }
    return TableFeedReader.isTable(bytes) ? .table : .html
  }

  /// What begins as no text does.
  private static func binary(_ head: ArraySlice<UInt8>) -> String? {
    if head.starts(with: "%PDF-".utf8) { return "a PDF" }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) || head.starts(with: [0xFF, 0xD8, 0xFF]) { return "a picture" }
    if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) || head.starts(with: [0x1F, 0x8B]) { return "an archive" }
    // Half of UTF-16 is zeros; an escape leads to other letters. Of what is random, a tenth are others.
    let controls = head.count { $0 < 0x20 && $0 != 0 && !(0x09...0x0D).contains($0) && $0 != 0x1B }
    return controls * 20 > head.count ? "no text" : nil
  }

  /// `<html lang=ko>`, and not a feed's `<HTMLSynopsis>`.
  private static func opensHTML(_ text: String) -> Bool {
    guard let found = text.firstPlace(of: "<html") else { return false }
    return text[found.upperBound...].utf8.first.map { $0 <= 0x20 || $0 == UInt8(ascii: ">") } ?? true
  }

  /// `callback({…})`, `)]}',` before the data.
  private static func isPadded(_ head: ArraySlice<UInt8>) -> Bool {
    if head.starts(with: ")]}'".utf8) || head.starts(with: "for(;;);".utf8) || head.starts(with: "while(1);".utf8) {
      return true
    }
    var head = head
    // `/*O_o*/` before the call.
    if head.starts(with: "/*".utf8), let end = (2..<64).first(where: { head.dropFirst($0).starts(with: "*/".utf8) }) {
      head = head.dropFirst(end + 2).drop { $0 <= 0x20 }
    }
    let name = head.prefix(64).prefix {
      isDigitByte($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
        || $0 == UInt8(ascii: "$")
    }
    guard !name.isEmpty else { return false }
    let rest = head.dropFirst(name.count)
    return rest.starts(with: "({".utf8) || rest.starts(with: "([".utf8)
  }
}

/// One page on its way to an extraction.
struct PageReading {
  let clock: PageClock
  let limits: ExtractionLimits
  let source: PageSource
  let budget: WorkBudget
  let titles = TitleReadings()
  var evidence = Evidence()
  var baseURL: String?
  var pageVenue: String?
  var isCinema = false
  /// Why a page without screenings has none, where it is known.
  var reason: String?
  /// It is not what it says that it is.
  var isBroken = false

  init(clock: PageClock, limits: ExtractionLimits, source: PageSource, budget: WorkBudget) {
    self.clock = clock
    self.limits = limits
    self.source = source
    self.budget = budget
    baseURL = source.url
    pageVenue = source.venue
    isCinema = source.venue.map(CinemaWords.isCinema) ?? false
  }

  mutating func take(_ other: Evidence) { evidence.append(other) }

  mutating func readJSON(_ bytes: [UInt8]) throws(ExtractionError) {
    let root: JSONValue
    var json = LooseJSON(bytes, from: JSONPadding.length(bytes), budget: budget, limits: limits)
    do throws(LooseJSON.Failure) {
      // Of documents in one, a line for each, all count.
      let values = try json.series()
      root = values.count == 1 ? values[0] : .array(values)
    } catch {
      if let exhausted = json.exhausted { throw exhausted }
      reason = "the document is no JSON at byte \(error.offset): \(error.reason)"
      isBroken = true
      evidence.trace.add(.api, at: "byte \(error.offset)", .refused, error.reason)
      return
    }
    let linked = try JSONLDReader(clock: clock, limits: limits).read(document: root, budget: budget)
    if !linked.candidates.isEmpty, root["@context"] != nil || root["@graph"] != nil || root[0]?["@context"] != nil {
      take(linked)
      return
    }
    take(
      try RecordReader(
        clock: clock, limits: limits, reader: .api, addressDate: AddressDate.of(source.url), isOfCinema: isCinema
      ).read(root, at: "", budget: budget))
    if evidence.candidates.isEmpty { try readMarkup(in: root) }
    if evidence.candidates.isEmpty { take(try DatedPosts(clock: clock, limits: limits).read(root, budget: budget)) }
    if evidence.candidates.isEmpty { try readPosts(in: root) }
  }

  /// Parts of a page that a script asks for come as HTML inside JSON.
  private mutating func readMarkup(in root: JSONValue) throws(ExtractionError) {
    guard let markup = try EmbeddedMarkup(root, budget: budget)?.page else { return }
    var inner = PageReading(
      clock: clock, limits: limits, source: PageSource(charset: "utf-8", url: source.url, venue: source.venue),
      budget: budget)
    try inner.readHTML(markup)
    inner.evidence.append(evidence)
    if !inner.evidence.candidates.isEmpty { self = inner }
  }

  /// What only all finds together say, or each of them with its start.
  mutating func settle() throws(ExtractionError) {
    evidence.candidates = FalseUTC(clock: clock).plausible(evidence.candidates)
    for index in evidence.candidates.indices {
      let candidate = evidence.candidates[index]
      // "Moss | Screen 2": a house and its room.
      if let venue = candidate.venue, let bar = venue.lastPlace(of: " | "),
        case let (house, room) = (String(venue[..<bar.lowerBound]), String(venue[bar.upperBound...])),
        ScreenName.isOne(room), !ScreenName.isOne(house), candidate.screen == nil || candidate.screen == room
      {
        evidence.candidates[index].venue = house
        evidence.candidates[index].screen = room
        continue
      }
      // "Screen 2" as a place is a room of the house whose page it is; "Auditorium San Rocco" may be another house.
      guard let room = candidate.venue, candidate.screen == nil, room.utf8.contains(where: isDigitByte),
        ScreenName.isOne(room), let pageVenue, !ScreenName.isOne(pageVenue)
      else { continue }
      evidence.candidates[index].screen = room
      evidence.candidates[index].venue = nil
    }
    let tail = StartInTitle(clock: clock, budget: budget)
    for index in evidence.candidates.indices {
      let candidate = evidence.candidates[index]
      let name = try tail.cut(from: candidate.title, candidate.start)
      if candidate.work == nil, name != candidate.title { evidence.candidates[index].work = name }
    }
  }

  /// Nobody announces a screening years ahead: what starts so late was read wrong, and the source may not mean it.
  private func near(_ candidates: [Candidate], into extraction: inout Extraction) -> [Candidate] {
    candidates.filter { candidate in
      let isNear = candidate.start.date - clock.captured <= Self.daysAheadMax
      if !isNear {
        extraction.unread.append(
          Unread(what: "\(candidate.title), \(candidate.start)", why: "it would be years ahead"))
      }
      return isNear
    }
  }

  /// Three years.
  private static let daysAheadMax = 1_096

  func finish() -> Extraction {
    var extraction = Extraction()
    extraction.trace = evidence.trace
    extraction.unread = evidence.unread
    extraction.closedDays = evidence.closedDays
    extraction.pageVenue = pageVenue
    extraction.isBroken = isBroken
    let base = baseURL
    let joiner = Joiner(pageVenue: pageVenue, isCinema: isCinema, titles: titles) { PageLink.absolute($0, base: base) }
    joiner.join(near(evidence.candidates, into: &extraction), into: &extraction)
    if extraction.screenings.isEmpty {
      if extraction.unread.isEmpty { extraction.unread = evidence.dropped }
      extraction.reason = reason ?? "nothing on the page says what is shown when"
    }
    var seen: Set<Unread> = []
    extraction.unread = Array(extraction.unread.filter { seen.insert($0).inserted }.prefix(limits.unread))
    extraction.trace.steps = budget.spent
    return extraction
  }
}

enum PageLink {
  static func absolute(_ reference: String, base: String?) -> String? {
    guard reference.utf8.count <= 2_048 else { return nil }
    let absolute = base.flatMap { URLReference.resolve(reference, against: $0) } ?? reference
    return absolute.hasPrefix("http://") || absolute.hasPrefix("https://") ? absolute : nil
  }
}

enum JSONPadding {
  /// How many bytes stand before the data: `)]}',`, `callback(`.
  static func length(_ bytes: [UInt8]) -> Int {
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < min(bytes.count, 128), bytes[index] != UInt8(ascii: "{"), bytes[index] != UInt8(ascii: "[") {
      index += 1
    }
    // An index of brackets inside the padding itself: )]}'
    return index < bytes.count ? index : 0
  }
}

/// A date in an address: `?PlaySDT=2026-11-23`, `/programme/2026/11/23`, `date=20261123`.
enum AddressDate {
  /// Two days are from one to another: what they hold is of neither alone.
  static func of(_ address: String?) -> CivilDate? {
    guard let address, address.utf8.count <= 2_048 else { return nil }
    let bytes = Array(address.utf8)
    guard let (first, end) = next(bytes, from: 0) else { return nil }
    if let (other, _) = next(bytes, from: end), other != first { return nil }
    return first
  }

  private static func next(_ bytes: [UInt8], from start: Int) -> (date: CivilDate, end: Int)? {
    var index = start
    while index < bytes.count {
      guard isDigitByte(bytes[index]), index == 0 || !isDigitByte(bytes[index - 1]) else {
        index += 1
        continue
      }
      var end = index
      while end < bytes.count, isDigitByte(bytes[end]) { end += 1 }
      if end - index == 8, let date = date(bytes, index, index + 4, index + 6, end) { return (date, end) }
      if end - index == 4, end + 5 < bytes.count,
        [UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: ".")].contains(bytes[end]),
        bytes[end + 3] == bytes[end], end + 6 <= bytes.count, end + 6 == bytes.count || !isDigitByte(bytes[end + 6]),
        let date = date(bytes, index, end + 1, end + 4, end + 6)
      {
        return (date, end + 6)
      }
      index = end
    }
    return nil
  }

  private static func date(_ bytes: [UInt8], _ year: Int, _ month: Int, _ day: Int, _ end: Int) -> CivilDate? {
    func number(_ start: Int, _ count: Int) -> Int? {
      guard start + count <= bytes.count else { return nil }
      return Int(String(decoding: bytes[start..<start + count], as: UTF8.self))
    }
    guard let y = number(year, 4), (1990...2090).contains(y), let m = number(month, 2), let d = number(day, 2) else {
      return nil
    }
    return CivilDate(year: y, month: m, day: d)
  }
}

import Clocks

/// Reads iCalendar as it is found: folded inside characters, with zones nobody describes, with lines that are none.
///
/// One bad event never costs the others: what could not be read is in the feed's `problems`.
package struct CalendarReader: Sendable {
  package struct Limits: Sendable {
    /// What `Fetch` lets through at most; a festival of 900 events has 0.6 MB.
    package var bytesMax = 8 << 20
    /// A long description; more is a mistake or an attack.
    package var lineBytesMax = 64 << 10
    /// Four times the largest festival known.
    package var eventsMax = 20_000
    /// A property each for 100 extra starts and exceptions, and then some.
    package var propertiesPerEventMax = 400
    /// Zones described in the feed itself.
    package var zonesMax = 64
    /// An operator reads the first ones.
    package var problemsMax = 100
    /// Extra starts and exceptions of one event.
    package var startsPerEventMax = 2_000

    package init() {}
  }

  let zones: ZoneDirectory
  let venueZone: TimeZoneRules
  let limits: Limits

  /// `venueZone` is where the clocks of a feed hang that names a zone nobody knows.
  package init(zones: ZoneDirectory, venueZone: TimeZoneRules, limits: Limits = Limits()) {
    self.zones = zones
    self.venueZone = venueZone
    self.limits = limits
  }

  package func read(_ bytes: [UInt8]) throws(CalendarFeedError) -> CalendarFeed {
    guard bytes.count <= limits.bytesMax else { throw .tooLarge(limit: "\(limits.bytesMax) bytes") }
    var reading = CalendarReading(reader: self)
    try reading.split(bytes)
    return reading.feed()
  }
}

/// One feed being read: first its lines into components, then the components into events, because a zone may be described
/// after the events that are in it.
private struct CalendarReading {
  let reader: CalendarReader
  var limits: CalendarReader.Limits { reader.limits }

  private struct Component {
    var name: String
    var line: Int
    var properties: [ContentLine] = []
    /// STANDARD and DAYLIGHT of a zone.
    var parts: [Component] = []

    subscript(_ name: String) -> ContentLine? { properties.first { $0.name == name } }
  }

  private var properties: [ContentLine] = []
  private var events: [Component] = []
  private var zones: [String: Component] = [:]
  private var knownZones: [String: TimeZoneRules] = [:]
  private var problems: [CalendarProblem] = []
  /// The feed's own zone, for names nobody knows.
  private var feedZone: TimeZoneRules?

  init(reader: CalendarReader) { self.reader = reader }

  private mutating func note(_ kind: CalendarProblem.Kind, _ line: Int, _ detail: String) {
    guard problems.count < limits.problemsMax else { return }
    problems.append(CalendarProblem(kind: kind, line: line, detail: String(detail.unicodeScalars.prefix(200))))
  }

  // MARK: Lines

  mutating func split(_ bytes: [UInt8]) throws(CalendarFeedError) {
    var unfolder = LineUnfolder(bytes, lineBytesMax: limits.lineBytesMax)
    var open: [Component] = []
    /// Components we do not read, such as alarms, the outermost first.
    var ignored: [String] = []
    var isCalendar = false
    var lastLine = 1
    while let next = unfolder.next() {
      guard case .line(let bytes, let number) = next else {
        if case .tooLong(let number) = next { note(.lineIgnored, number, "over \(limits.lineBytesMax) bytes") }
        continue
      }
      lastLine = number
      guard let line = ContentLine(bytes, number: number) else {
        guard isCalendar else { throw .notACalendar }
        note(.lineIgnored, number, String(decoding: bytes.prefix(80), as: UTF8.self))
        continue
      }
      switch line.name {
      case "BEGIN":
        let name = line.value.uppercased()
        guard isCalendar || name == "VCALENDAR" else { throw .notACalendar }
        isCalendar = true
        if name == "VEVENT" || name == "VTIMEZONE", !open.isEmpty {
          // Neither stands inside anything: what is open lacks its end.
          note(.cutShort, number, "\(open[0].name) does not end")
          ignored = []
          while let done = open.popLast() { try close(done, inside: &open) }
        }
        if !ignored.isEmpty || !isRead(name, inside: open.last?.name) {
          if name != "VCALENDAR" { ignored.append(name) }
        } else {
          open.append(Component(name: name, line: number))
        }
      case "END":
        // An end closes what was left open inside.
        let name = line.value.uppercased()
        if let place = ignored.lastIndex(of: name) {
          ignored.removeSubrange(place...)
        } else if let place = open.lastIndex(where: { $0.name == name }) {
          ignored = []
          while open.count > place, let done = open.popLast() { try close(done, inside: &open) }
        }
      default:
        guard isCalendar else { throw .notACalendar }
        guard ignored.isEmpty else { continue }
        if open.isEmpty {
          if properties.count < limits.propertiesPerEventMax { properties.append(line) }
        } else if open[open.count - 1].properties.count < limits.propertiesPerEventMax {
          open[open.count - 1].properties.append(line)
        }
      }
    }
    guard isCalendar else { throw .notACalendar }
    if let unfinished = open.first { note(.cutShort, lastLine, "\(unfinished.name) does not end") }
  }

  private func isRead(_ name: String, inside outer: String?) -> Bool {
    switch name {
    case "VEVENT", "VTIMEZONE": outer == nil
    case "STANDARD", "DAYLIGHT": outer == "VTIMEZONE"
    default: false
    }
  }

  private mutating func close(_ done: Component, inside open: inout [Component]) throws(CalendarFeedError) {
    switch done.name {
    case "VEVENT":
      guard events.count < limits.eventsMax else { throw .tooLarge(limit: "\(limits.eventsMax) events") }
      events.append(done)
    case "VTIMEZONE":
      guard let name = done["TZID"]?.value, zones.count < limits.zonesMax else { return }
      zones[name] = done
    default:
      guard let zone = open.indices.last, open[zone].parts.count < limits.propertiesPerEventMax else { return }
      open[zone].parts.append(done)
    }
  }

  // MARK: Events

  mutating func feed() -> CalendarFeed {
    let properties = properties
    func property(_ first: String, _ second: String = "") -> ContentLine? {
      properties.first { $0.name == first } ?? properties.first { $0.name == second }
    }
    if let line = property("X-WR-TIMEZONE") { feedZone = zone(named: line.text) }
    var feed = CalendarFeed(productID: property("PRODID")?.text ?? "")
    feed.uid = property("UID")?.text
    feed.name = property("NAME", "X-WR-CALNAME")?.text
    feed.color = property("COLOR")?.text
    feed.zone = feedZone
    if let line = property("REFRESH-INTERVAL", "X-PUBLISHED-TTL"), let every = CalendarDuration(line.value) {
      feed.refreshEvery = .seconds(every.days * 86_400 + every.seconds)
    }
    feed.events.reserveCapacity(events.count)
    for component in events {
      if let event = event(component) { feed.events.append(event) }
    }
    feed.problems = problems
    return feed
  }

  private mutating func event(_ component: Component) -> CalendarEvent? {
    guard let startLine = component["DTSTART"] else {
      note(.eventIgnored, component.line, "it has no DTSTART")
      return nil
    }
    guard let start = time(startLine) else {
      note(.eventIgnored, startLine.number, "DTSTART:\(startLine.value)")
      return nil
    }
    let summary = component["SUMMARY"]?.text ?? ""
    var event = CalendarEvent(uid: component["UID"]?.value ?? "", start: start, summary: summary)
    if event.uid.isEmpty {
      event.uid = CalendarReading.madeUID(startLine.value, summary, component["LOCATION"]?.value ?? "")
      note(.uidMade, component.line, event.uid)
    }
    event.end = end(component, after: start)
    event.details = component["DESCRIPTION"]?.text
    event.location = component["LOCATION"]?.text
    event.url = component["URL"]?.value
    event.categories = component.properties.filter { $0.name == "CATEGORIES" }.flatMap(\.texts)
    event.attendees = component.properties.filter { $0.name == "ATTENDEE" && !isGuest($0) }
      .compactMap { $0.parameter("CN") }
    event.status = component["STATUS"].flatMap { .init(rawValue: $0.value.uppercased()) }
    event.sequence = component["SEQUENCE"].flatMap { Int($0.value) }.map { min(max($0, 0), Int(Int32.max)) } ?? 0
    event.stamp = component["DTSTAMP"].flatMap(instant)
    event.modified = component["LAST-MODIFIED"].flatMap(instant)
    event.position = component["GEO"].flatMap { position($0) }
    if let line = component["X-ODI-DAY"], case .day(let date)? = time(line) { event.day = date }
    readRecurrence(of: &event, component)
    return event
  }

  private mutating func end(_ component: Component, after start: CalendarTime) -> CalendarTime? {
    let end: CalendarTime?
    let line: ContentLine
    if let written = component["DTEND"] {
      (line, end) = (written, time(written))
    } else if let written = component["DURATION"] {
      (line, end) = (written, CalendarDuration(written.value).map(start.adding))
    } else if case .day(let date) = start {
      return .day(date + 1)
    } else {
      return nil
    }
    guard let end else {
      note(.valueIgnored, line.number, "\(line.name):\(line.value)")
      return nil
    }
    // An end at the start is how "no end" is often written; one before it is a mistake.
    let from = start.instant(in: reader.venueZone)
    let to = end.instant(in: reader.venueZone)
    if to < from { note(.valueIgnored, line.number, "\(line.name):\(line.value) is before the start") }
    return to > from ? end : nil
  }

  private mutating func readRecurrence(of event: inout CalendarEvent, _ component: Component) {
    for line in component.properties where line.name == "RRULE" {
      do throws(Recurrence.Unsupported) {
        guard event.recurrence == nil else { throw Recurrence.Unsupported(part: "a second RRULE") }
        event.recurrence = try Recurrence(line.value)
      } catch {
        event.recurrence = nil
        note(.recurrenceUnsupported, line.number, "\(error.part) in RRULE:\(line.value)")
        break
      }
    }
    for line in component.properties where line.name == "EXRULE" {
      note(.recurrenceUnsupported, line.number, "EXRULE:\(line.value)")
    }
    event.extraStarts = times(component, "RDATE")
    event.exceptions = times(component, "EXDATE")
    if let line = component["RECURRENCE-ID"] {
      event.replaces = time(line)
      if event.replaces == nil { note(.valueIgnored, line.number, "RECURRENCE-ID:\(line.value)") }
    }
  }

  private mutating func times(_ component: Component, _ name: String) -> [CalendarTime] {
    var times: [CalendarTime] = []
    for line in component.properties where line.name == name {
      for part in line.value.split(separator: ",") {
        // Of a period only its start counts here.
        let start = part.prefix { $0 != "/" }
        if let time = time(start, line), times.count < limits.startsPerEventMax {
          times.append(time)
        } else {
          note(.valueIgnored, line.number, "\(name):\(part)")
        }
      }
    }
    return times
  }

  /// Somebody who was invited by mail, and no part of the programme: they have answered or shall, or have no name but their
  /// address, which is nobody else's business.
  private func isGuest(_ line: ContentLine) -> Bool {
    let isMail = line.value.lowercased().hasPrefix("mailto:")
    return line.parameter("PARTSTAT") != nil || line.parameter("RSVP") != nil
      || isMail && line.parameter("CN")?.contains("@") == true
  }

  private func position(_ line: ContentLine) -> CalendarEvent.Position? {
    let parts = line.value.replacing("\\", with: "").split { $0 == ";" || $0 == "," }
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else { return nil }
    return .init(latitude: latitude, longitude: longitude)
  }

  /// FNV-1a of what identifies an event to a reader.
  private static func madeUID(_ parts: String...) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in parts.joined(separator: "\0").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "made-" + String(hash, radix: 36)
  }

  // MARK: Times and zones

  private mutating func time(_ line: ContentLine) -> CalendarTime? { time(line.value[...], line) }

  private mutating func time(_ text: Substring, _ line: ContentLine) -> CalendarTime? {
    let trimmed = text.drop { $0 == " " }
    guard let name = line.parameter("TZID"), !trimmed.hasSuffix("Z"), trimmed.utf8.count > 8 else {
      return CalendarTime(compact: trimmed, zone: nil)
    }
    return CalendarTime(compact: trimmed, zone: zone(named: name, line.number))
  }

  private func instant(_ line: ContentLine) -> WallTime? {
    CalendarTime(compact: line.value[...], zone: nil)?.instant(in: .utc)
  }

  /// By its name, by another program's name for it, by its description in the feed; or else the feed's or the venue's.
  private mutating func zone(named name: String, _ line: Int) -> TimeZoneRules {
    if let known = knownZones[name] { return known }
    let rules: TimeZoneRules
    if let found = zone(named: name) {
      rules = found
    } else if let location = zones[name]?["X-LIC-LOCATION"]?.value, let found = zone(named: location) {
      rules = found
    } else if let described = description(of: name) {
      rules = described
      note(.zoneFromFeed, line, "TZID \(name)")
    } else if case .offset(let offset) = ZoneAlias(name) {
      rules = .fixed(offset)
      note(.zoneIsOffset, line, "TZID \(name)")
    } else {
      rules = feedZone ?? reader.venueZone
      note(.zoneAssumed, line, "TZID \(name) is unknown; \(rules.name) is taken")
    }
    // A feed of nothing but new names would otherwise grow this for each of them.
    if knownZones.count < limits.zonesMax { knownZones[name] = rules }
    return rules
  }

  private func zone(named text: String) -> TimeZoneRules? {
    guard case .name(let name) = ZoneAlias(text) else { return nil }
    return try? reader.zones.rules(for: name)
  }

  private func description(of name: String) -> TimeZoneRules? {
    guard let component = zones[name] else { return nil }
    return TimeZoneRules(
      name: name,
      observances: component.parts.flatMap { part in
        ZoneObservance.all(
          isDaylight: part.name == "DAYLIGHT", start: part["DTSTART"]?.value, from: part["TZOFFSETFROM"]?.value,
          to: part["TZOFFSETTO"]?.value, name: part["TZNAME"]?.text, rule: part["RRULE"]?.value,
          dates: part.properties.filter { $0.name == "RDATE" }.flatMap { $0.value.split(separator: ",") })
      })
  }
}

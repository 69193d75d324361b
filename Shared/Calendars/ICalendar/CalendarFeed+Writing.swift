package import Clocks

extension CalendarFeed {
  /// The feed as RFC 5545 wants it: CRLF, lines folded at 75 octets, never inside a character.
  ///
  /// Zones with a name are written with it and described; times in fixed offsets become UTC. `now` stamps the events that
  /// have no stamp of their own.
  package func written(now: WallTime) -> [UInt8] {
    var writer = CalendarWriter()
    writer.line("BEGIN:VCALENDAR")
    writer.line("VERSION:2.0")
    writer.text("PRODID", productID)
    writer.line("CALSCALE:GREGORIAN")
    writer.line("METHOD:PUBLISH")
    if let uid { writer.text("UID", uid) }
    if let name {
      writer.text("NAME", name)
      writer.text("X-WR-CALNAME", name)
    }
    if let details {
      writer.text("DESCRIPTION", details)
      writer.text("X-WR-CALDESC", details)
    }
    if let zone, zone.isWrittenByName { writer.text("X-WR-TIMEZONE", zone.name) }
    if let color { writer.text("COLOR", color) }
    if let refreshEvery {
      writer.line("REFRESH-INTERVAL;VALUE=DURATION:\(refreshEvery.iCalendar)")
      writer.line("X-PUBLISHED-TTL:\(refreshEvery.iCalendar)")
    }
    for (zone, used) in zonesUsed() { writer.zone(zone, used) }
    for event in events { writer.event(event, now: now) }
    writer.line("END:VCALENDAR")
    return writer.bytes
  }

  /// Each zone with the span of time it is used for, in order of first use.
  private func zonesUsed() -> [(TimeZoneRules, ClosedRange<WallTime>)] {
    var order: [String] = []
    var used: [String: (TimeZoneRules, ClosedRange<WallTime>)] = [:]
    for event in events {
      for time in [event.start, event.end, event.replaces].compactMap(\.self) + event.extraStarts + event.exceptions {
        guard case .zoned(let local, let zone) = time, zone.isWrittenByName else { continue }
        let instant = zone.instant(of: local)
        // A series goes on after its start; two years of changes are enough for a rule to be seen.
        let last = event.recurrence == nil ? instant : instant.adding(seconds: 2 * 366 * 86_400)
        if let (_, range) = used[zone.name] {
          used[zone.name] = (zone, min(range.lowerBound, instant)...max(range.upperBound, last))
        } else {
          order.append(zone.name)
          used[zone.name] = (zone, instant...last)
        }
      }
    }
    return order.compactMap { used[$0] }
  }
}

extension TimeZoneRules {
  /// Fixed offsets and UTC have no TZID that anybody would know.
  fileprivate var isWrittenByName: Bool { UTCOffset(name) == nil && name != "UTC" }
}

/// Escapes, folds and ends lines.
private struct CalendarWriter {
  var bytes: [UInt8] = []

  private static let octetsMax = 75

  /// A whole line. Control characters cannot get through: a line break would begin a property of its own.
  mutating func line(_ text: String) {
    var text = text
    var room = CalendarWriter.octetsMax
    text.withUTF8 { characters in
      for byte in characters where byte >= 0x20 && byte != 0x7F {
        let octets = CalendarWriter.octets(startingWith: byte)
        if octets > room {
          bytes.append(0x0D)
          bytes.append(0x0A)
          bytes.append(0x20)
          room = CalendarWriter.octetsMax - 1
        }
        bytes.append(byte)
        room -= octets
      }
    }
    bytes.append(0x0D)
    bytes.append(0x0A)
  }

  /// Of the whole character, at its first octet; none at the others.
  private static func octets(startingWith byte: UInt8) -> Int {
    switch byte {
    case 0x80..<0xC0: 0
    case 0xC0..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0...: 4
    default: 1
    }
  }

  /// A property whose value is text.
  mutating func text(_ name: String, _ value: String) { line("\(name):\(CalendarWriter.escape(value))") }

  private static func escape(_ text: String) -> String {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
        escaped.append(UInt8(ascii: "\\"))
        escaped.append(byte)
      case UInt8(ascii: "\n"):
        escaped.append(UInt8(ascii: "\\"))
        escaped.append(UInt8(ascii: "n"))
      case UInt8(ascii: "\t"): escaped.append(UInt8(ascii: " "))
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  mutating func event(_ event: CalendarEvent, now: WallTime) {
    line("BEGIN:VEVENT")
    line("UID:\(event.uid)")
    line("DTSTAMP:\(CalendarTime.utc(event.stamp ?? event.modified ?? now).compact)")
    time("DTSTART", event.start)
    if let end = event.end { time("DTEND", end) }
    if let day = event.day { line("X-ODI-DAY;VALUE=DATE:\(CalendarTime.day(day).compact)") }
    if let original = event.replaces { time("RECURRENCE-ID", original) }
    if let recurrence = event.recurrence { line("RRULE:\(recurrence.text(startingAt: event.start))") }
    for start in event.extraStarts { time("RDATE", start) }
    for start in event.exceptions { time("EXDATE", start) }
    text("SUMMARY", event.summary)
    if let details = event.details { text("DESCRIPTION", details) }
    if let location = event.location { text("LOCATION", location) }
    if let position = event.position { line("GEO:\(position.latitude);\(position.longitude)") }
    if let url = event.url { line("URL:\(url)") }
    if !event.categories.isEmpty {
      line("CATEGORIES:" + event.categories.map(CalendarWriter.escape).joined(separator: ","))
    }
    for name in event.attendees where !name.isEmpty {
      // A calendar wants an address of everybody; schedules have always said that there is none.
      line("ATTENDEE;CN=\(CalendarWriter.quoted(name)):invalid:nomail")
    }
    if let status = event.status { line("STATUS:\(status.rawValue)") }
    line("SEQUENCE:\(event.sequence)")
    if let modified = event.modified { line("LAST-MODIFIED:\(CalendarTime.utc(modified).compact)") }
    line("END:VEVENT")
  }

  private mutating func time(_ name: String, _ time: CalendarTime) {
    switch time {
    case .day: line("\(name);VALUE=DATE:\(time.compact)")
    case .zoned(_, let zone) where zone.isWrittenByName:
      line("\(name);TZID=\(CalendarWriter.parameter(zone.name)):\(time.compact)")
    case .zoned(let local, let zone): line("\(name):\(CalendarTime.utc(zone.instant(of: local)).compact)")
    case .floating, .utc: line("\(name):\(time.compact)")
    }
  }

  private static func parameter(_ value: String) -> String {
    let plain = value.replacing("\"", with: "'")
    return plain.contains { ":;,".contains($0) } ? "\"\(plain)\"" : plain
  }

  /// RFC 6868: what would end the quotes has an escape of its own.
  private static func quoted(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "^'"
      case "^": text += "^^"
      case "\n": text += "^n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Every change of the clocks from before the first event to after the last, or one line if there is none.
  mutating func zone(_ zone: TimeZoneRules, _ used: ClosedRange<WallTime>) {
    line("BEGIN:VTIMEZONE")
    line("TZID:\(CalendarWriter.escape(zone.name))")
    let first = zone.period(at: used.lowerBound.wholeSeconds)
    var period = first
    var changes = 0
    if first.start == nil || first.end == nil {
      // What holds then has no beginning that matters: Seoul since 1988, Tokyo since 1951.
      let onset = CivilDateTime(clampingSecondsSince1970: min(0, used.lowerBound.wholeSeconds - 86_400))
      observance(first.kind, from: first.kind.offset, at: onset)
    } else if let start = first.start {
      let before = zone.period(at: start - 1).kind
      observance(first.kind, from: before.offset, second: start)
    }
    while let end = period.end, end <= used.upperBound.wholeSeconds, changes < CalendarWriter.changesMax {
      let next = zone.period(at: end)
      observance(next.kind, from: period.kind.offset, second: end)
      period = next
      changes += 1
    }
    line("END:VTIMEZONE")
  }

  /// Two a year for a century.
  private static let changesMax = 200

  private mutating func observance(_ kind: TimeZoneRules.Kind, from: UTCOffset, second: Int64) {
    observance(kind, from: from, at: CivilDateTime(clampingSecondsSince1970: second + Int64(from.seconds)))
  }

  private mutating func observance(_ kind: TimeZoneRules.Kind, from: UTCOffset, at onset: CivilDateTime) {
    let name = kind.isDaylight ? "DAYLIGHT" : "STANDARD"
    line("BEGIN:\(name)")
    line("DTSTART:\(CalendarTime.floating(onset).compact)")
    line("TZOFFSETFROM:\(CalendarWriter.offset(from))")
    line("TZOFFSETTO:\(CalendarWriter.offset(kind.offset))")
    line("TZNAME:\(kind.abbreviation)")
    line("END:\(name)")
  }

  private static func offset(_ offset: UTCOffset) -> String {
    String(ascii: 7) { $0.put(offset, hasColons: false) }
  }
}

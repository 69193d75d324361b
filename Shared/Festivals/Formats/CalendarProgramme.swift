import Calendars
import Clocks
import Contracts

/// A festival as a calendar (RFC 5545): a session an event, its room the location, its track the first category.
enum CalendarProgramme {
  private static let productID = "-//Odi//Timetable//EN"
  /// Between several rooms, in calendars of ours alone: elsewhere it may be part of a name.
  private static let roomMark = " | "
  /// What programs call the zone of a place that they do not know.
  private static let utcNames: Set = ["UTC", "Etc/UTC", "GMT", "Etc/GMT", "Etc/UCT", "UCT", "Zulu", "Etc/Zulu"]
  /// Longer than any program makes them; a line has its end somewhere.
  private static let uidBytesMax = 1_000

  static func read(_ bytes: [UInt8], _ options: ReadingOptions) throws(ProgrammeError) -> FestivalProgramme {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw ProgrammeError("the calendar is not in UTF-8; convert it first, as with iconv -f CP949 -t UTF-8")
    }
    var feed = try feed(bytes, .utc, options)
    // An import takes out what the file does not have, so half of one is none.
    guard isWhole(bytes) else {
      throw ProgrammeError(
        "the calendar is cut short: it does not end with END:VCALENDAR; get it again, or add that line if nothing is missing"
      )
    }
    let names = Set(names(in: bytes))
    guard names.count < 2 || options.name != nil else {
      throw ProgrammeError(
        "the file has several calendars (\(names.sorted().prefix(4).joined(separator: ", "))); import them one at a time, "
          + "or give --name for all")
    }
    let zones = feed.events.compactMap { event -> String? in
      if case .zoned(_, let zone) = event.start { zone.name } else { nil }
    }
    // The zone that most of its times are in, else the feed's own; and that of a few of them where it says none.
    let counts = Dictionary(zones.map { ($0, 1) }, uniquingKeysWith: +)
    let common = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    let isMost = common.map { $0.value * 2 > feed.events.count } ?? false
    let most = isMost ? common?.key : feed.zone?.name ?? common?.key
    let isAllUTC = feed.events.allSatisfy { if case .utc = $0.start { true } else { false } }
    let isOurs = feed.productID == productID
    // What has all its times in UTC and says so knows no place, whatever it calls its zone.
    let isPlaceless = isAllUTC && !isOurs && most.map(utcNames.contains) ?? true
    var zone = try ProgrammeTimes.zone(
      named: isPlaceless ? nil : most, offsets: isAllUTC ? [.zero] : [], options)
    let isSupposed = isPlaceless && zone.name == .utc && options.zone == nil && !feed.events.isEmpty
    if isSupposed { zone.note = nil }
    if zone.rules != .utc { feed = try self.feed(bytes, zone.rules, options) }
    var draft = try ProgrammeDraft(slug: isOurs ? festivalID(in: feed) : nil, name: feed.name, zone: zone, options)
    for problem in feed.problems {
      switch problem.kind {
      case .eventIgnored: draft.leaveOut("\(problem)")
      case .uidMade: draft.note("line \(problem.line): the event has no UID; one was made of it")
      default: draft.note("\(problem)")
      }
    }
    if isSupposed {
      draft.note("all its times are UTC, and so is the festival; where clocks show another time, say --zone")
    }
    let occurrences = occurrences(of: feed, in: zone.rules, notes: &draft)
    var times: [String: Int] = [:]
    for occurrence in occurrences { times[occurrence.event.uid, default: 0] += 1 }
    for occurrence in occurrences {
      try add(
        occurrence, isSeries: times[occurrence.event.uid] != 1, isOurs: isOurs, hasEvenings: !isSupposed, to: &draft)
    }
    return try draft.finished()
  }

  /// All that takes place; what goes on for ever, as long as the rest does.
  private static func occurrences(
    of feed: CalendarFeed, in zone: TimeZoneRules, notes draft: inout ProgrammeDraft
  ) -> [CalendarOccurrence] {
    let beginning = WallTime(milliseconds: .min / 4)
    let endless = Set(
      feed.events.filter { $0.recurrence.map { $0.count == nil && $0.until == nil } ?? false }.map(\.uid))
    var ended = feed
    ended.events.removeAll { endless.contains($0.uid) && $0.replaces == nil }
    var (found, isComplete) = ended.occurrences(in: beginning..<WallTime(milliseconds: .max / 4), zone: zone)
    if !endless.isEmpty {
      var series = feed
      series.events.removeAll { !endless.contains($0.uid) }
      let begins = series.events.map { $0.start.instant(in: zone) }.min() ?? beginning
      let last = found.last?.startsAt.milliseconds ?? begins.milliseconds + endlessDays * dayMilliseconds
      let end = WallTime(milliseconds: max(last, begins.milliseconds) + dayMilliseconds)
      let more = series.occurrences(in: beginning..<end, zone: zone)
      found += more.occurrences.filter { $0.event.replaces == nil }
      isComplete = isComplete && more.isComplete
      draft.leaveOut("a series goes on for ever: it is read as far as the rest goes; give it an UNTIL")
    }
    if !isComplete { draft.leaveOut("there are too many events; not all are there") }
    return found.sorted { $0.startsAt < $1.startsAt }
  }

  /// Of a calendar that has nothing else.
  private static let endlessDays: Int64 = 31
  private static let dayMilliseconds: Int64 = 86_400_000

  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard let last = bytes.lastIndex(where: { $0 > 0x20 }) else { return false }
    return String(decoding: bytes[...last].suffix(13), as: UTF8.self).uppercased() == "END:VCALENDAR"
  }

  /// What the calendars in a file are called: some programs put several behind each other.
  private static func names(in bytes: [UInt8]) -> [String] {
    let mark = Array("X-WR-CALNAME:".utf8)
    return bytes.split { $0 == 0x0A || $0 == 0x0D }.filter { $0.starts(with: mark) }
      .map { String(decoding: $0.dropFirst(mark.count), as: UTF8.self) }
  }

  /// What a calendar of ours is called by those who keep it.
  private static func uid(of festival: FestivalID) -> String { "\(festival)\(CalendarEvent.sessionMark)" }

  private static func festivalID(in feed: CalendarFeed) -> String? {
    guard let uid = feed.uid, uid.hasSuffix(CalendarEvent.sessionMark) else { return nil }
    return String(uid.dropLast(CalendarEvent.sessionMark.count))
  }

  private static func feed(
    _ bytes: [UInt8], _ zone: TimeZoneRules, _ options: ReadingOptions
  ) throws(ProgrammeError) -> CalendarFeed {
    do {
      return try CalendarReader(zones: options.zones, venueZone: zone).read(bytes)
    } catch {
      throw ProgrammeError("\(error)")
    }
  }

  /// - Parameter hasEvenings: clocks are the festival's, so that a small hour is of the evening before.
  private static func add(
    _ occurrence: CalendarOccurrence, isSeries: Bool, isOurs: Bool, hasEvenings: Bool, to draft: inout ProgrammeDraft
  ) throws(ProgrammeError) {
    let event = occurrence.event
    guard !event.summary.isEmpty else {
      draft.leaveOut("the event \(event.uid) has no summary; it is left out")
      return
    }
    var name = event.uid
    let isOwn = name.hasSuffix(CalendarEvent.sessionMark)
    if isOwn { name = String(name.prefix { $0 != "@" }) }
    if isSeries { name += "/\(occurrence.startsAt.milliseconds)" }
    let places = event.location.map { isOurs ? rooms($0) : [HTMLWords.plain($0)] } ?? []
    let day: CivilDate =
      if isOurs, let day = event.day {
        day
      } else if isOurs || !hasEvenings || occurrence.isWholeDays(in: draft.zone) {
        // Of our own each says its day that has another than its clock's.
        draft.zone.local(at: occurrence.startsAt).date
      } else {
        draft.festival.day(of: occurrence.startsAt, in: draft.zone)
      }
    var session = FestivalSession(
      id: SessionID("x")!, uid: isOwn || isSeries || !isKept(event.uid) ? nil : event.uid,
      title: isOurs ? event.summary : HTMLWords.plain(event.summary), day: day, startsAt: occurrence.startsAt,
      endsAt: occurrence.endsAt, rooms: places.compactMap { draft.room($0) },
      track: draft.track(event.categories.first), details: event.details,
      url: event.url.flatMap(PentabarfXML.webAddress), flags: Array(event.categories.dropFirst()),
      sequence: event.sequence == 0 ? nil : event.sequence)
    session.speakers = event.attendees.map { FestivalSpeaker(name: $0) }
    try draft.add(
      session, named: name, isCancelled: event.status.map { $0 == .cancelled }, isSoldOut: nil,
      tellsFlags: !event.categories.isEmpty)
  }

  // MARK: Writing

  static func write(_ programme: FestivalProgramme, _ zone: TimeZoneRules, now: WallTime) -> [UInt8] {
    let festival = programme.festival
    let rooms = Dictionary(festival.rooms.map { ($0.id, $0.name) }) { first, _ in first }
    let tracks = Dictionary(festival.tracks.map { ($0.id, $0.name) }) { first, _ in first }
    var feed = CalendarFeed(productID: productID, name: festival.name, refreshEvery: .seconds(3_600))
    feed.uid = uid(of: festival.id)
    feed.zone = zone
    feed.events = programme.sessions.map { session in
      event(session, festival, rooms, session.track.flatMap { tracks[$0] }, zone)
    }
    return feed.written(now: now)
  }

  /// Whether a calendar's own id can be written as it was read.
  private static func isKept(_ uid: String) -> Bool {
    uid.utf8.count <= uidBytesMax && uid.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  /// By the clocks of the festival; in the hour that comes twice, when only UTC tells which of the two is meant.
  private static func time(_ instant: WallTime, _ zone: TimeZoneRules) -> CalendarTime {
    let local = zone.local(at: instant)
    return zone.instant(of: local) == instant ? .zoned(local, zone) : .utc(instant)
  }

  /// Names with ` | ` between them; in a name it is doubled.
  private static func location(_ rooms: [String]) -> String {
    rooms.map { $0.replacing("|", with: "||") }.joined(separator: roomMark)
  }

  private static func rooms(_ location: String) -> [String] {
    location.components(separatedBy: roomMark).map { $0.replacing("||", with: "|") }
  }

  static func event(
    _ session: FestivalSession, _ festival: Festival, _ rooms: [RoomID: String], _ track: String?,
    _ zone: TimeZoneRules
  ) -> CalendarEvent {
    var event = CalendarEvent(
      session, at: festival.id, start: time(session.startsAt, zone), end: session.endsAt.map { time($0, zone) },
      summary: session.title)
    event.location = session.rooms.isEmpty ? nil : location(session.rooms.map { rooms[$0] ?? $0.text })
    event.details = session.details ?? session.abstract
    event.attendees = session.speakers.map(\.name)
    event.categories = (track.map { [$0] } ?? []) + (track == nil ? [] : session.flags)
    event.position = festival.position.flatMap {
      CalendarEvent.Position(latitude: $0.latitude, longitude: $0.longitude)
    }
    if session.day != zone.local(at: session.startsAt).date { event.day = session.day }
    return event
  }
}

extension CalendarOccurrence {
  /// From one midnight to another: what a calendar shows above a day's hours, and no night's.
  fileprivate func isWholeDays(in zone: TimeZoneRules) -> Bool {
    guard let endsAt else { return false }
    let (start, end) = (zone.local(at: startsAt), zone.local(at: endsAt))
    return start.time == .midnight && end.time == .midnight && start.date < end.date
  }
}

extension String {
  /// The parts between a mark.
  func components(separatedBy mark: String) -> [String] {
    guard contains(mark) else { return [self] }
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}

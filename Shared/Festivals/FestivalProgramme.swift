package import Calendars
package import Clocks
package import Contracts

/// A festival with everything that takes place at it: what a file says, and what the timetable keeps.
package struct FestivalProgramme: Hashable, Sendable {
  package var festival: Festival
  /// By their start, then in the order of the rooms.
  package var sessions: [FestivalSession]
  /// What was left out or had to be inferred when it was read, a sentence each.
  package var notes: [String]
  /// How many things that the file has are not in it.
  package var omitted: Int
  /// Of which sessions it was said whether they take place, and of which whether there are tickets.
  package internal(set) var told = ToldMarks()

  package init(festival: Festival, sessions: [FestivalSession], notes: [String] = [], omitted: Int = 0) {
    self.festival = festival
    self.sessions = sessions
    self.notes = notes
    self.omitted = omitted
  }
}

extension FestivalProgramme {
  /// Reads a file of any of the formats; which one is found from the content.
  ///
  /// - Parameter files: octav tells a conference and its sessions in two answers, pretalx's API its talks in pages; every
  ///   other format is one file.
  package static func read(
    _ files: [[UInt8]], as format: FestivalFormat? = nil, options: ReadingOptions
  ) throws(ProgrammeError) -> FestivalProgramme {
    let files = files.map { FileText.calendar(FileText.utf8($0)) }
    guard let first = files.first else { throw ProgrammeError("there is no file; name one") }
    let found: FestivalFormat
    if let format { found = format } else { found = try FestivalFormat(of: first, hasMapping: options.mapping != nil) }
    guard files.count == 1 || found == .octav || found == .json && options.mapping == nil else {
      throw ProgrammeError(
        "\(files.count) files of \(found.rawValue); only octav's two answers and the pages of pretalx's API are read together"
      )
    }
    var programme =
      switch found {
      case .xml: try PentabarfXML.read(first, options)
      case .json where options.mapping != nil: try MappedTable.read(json: first, options)
      case .json: try ScheduleJSON.read(files, options)
      case .octav: try OctavJSON.read(files, options)
      case .ics: try CalendarProgramme.read(first, options)
      case .csv: try MappedTable.read(csv: first, options)
      case .unknown(let name):
        throw ProgrammeError(
          "\(name) is not read; ask for \(FestivalFormat.known.map(\.rawValue).joined(separator: ", "))")
      }
    if let known = options.known { programme.festival.keepWhatNoFileSays(of: known) }
    return programme
  }

  /// The same as a table or as JSON in the form that a mapping declares, which reads it back.
  package func written(
    as format: FestivalFormat, by mapping: ColumnMapping, zone: TimeZoneRules
  ) throws(ProgrammeError) -> [UInt8] {
    switch format {
    case .csv: try MappedTable.write(csv: self, mapping, zone)
    case .json: try MappedTable.write(json: self, mapping, zone)
    default: throw ProgrammeError("a mapping declares a form of csv or json, not of \(format.rawValue)")
    }
  }

  /// The same as a file.
  ///
  /// - Parameter now: stamps what has no stamp of its own.
  package func written(
    as format: FestivalFormat, zone: TimeZoneRules, now: WallTime
  ) throws(ProgrammeError) -> [UInt8] {
    switch format {
    case .xml: PentabarfXML.write(self, zone)
    case .json: ScheduleJSON.write(self, zone)
    case .octav: OctavJSON.write(self)
    case .ics: CalendarProgramme.write(self, zone, now: now)
    case .csv: MappedTable.write(self, zone)
    case .unknown(let name):
      throw ProgrammeError(
        "\(name) is not written; ask for \(FestivalFormat.known.map(\.rawValue).joined(separator: ", "))")
    }
  }
}

/// Sessions of which a file says so much: not every format has a place for it.
package struct ToldMarks: Hashable, Sendable {
  package internal(set) var cancelled: Set<SessionID> = []
  package internal(set) var soldOut: Set<SessionID> = []
  package internal(set) var flags: Set<SessionID> = []
}

extension FestivalProgramme {
  /// Leaves sessions cancelled and sold out that are kept so, and with the flags that are kept, where the file has no
  /// place to say it. Those of which it says otherwise are noted.
  package mutating func keepMarks(of kept: [FestivalSession]) {
    let kept = Dictionary(kept.map { ($0.id, $0) }) { first, _ in first }
    var (restored, available): ([SessionID], [SessionID]) = ([], [])
    for place in sessions.indices {
      let id = sessions[place].id
      guard let old = kept[id] else { continue }
      if sessions[place].flags.isEmpty, !told.flags.contains(id) { sessions[place].flags = old.flags }
      if old.isCancelled, !sessions[place].isCancelled {
        if told.cancelled.contains(id) { restored.append(id) } else { sessions[place].isCancelled = true }
      }
      if old.isSoldOut, !sessions[place].isSoldOut {
        if told.soldOut.contains(id) { available.append(id) } else { sessions[place].isSoldOut = true }
      }
    }
    for (ids, mark) in [(restored, "cancelled"), (available, "sold out")] where !ids.isEmpty {
      notes.append("the file says that these are not \(mark) any more: \(ids.map(\.text).joined(separator: ", "))")
    }
  }
}

extension FestivalProgramme {
  /// What takes place on one of its days; nil if it has no such day. First and last day stay the festival's.
  package func only(_ date: CivilDate) -> FestivalProgramme? {
    var programme = self
    programme.festival.days.removeAll { $0.date != date }
    guard !programme.festival.days.isEmpty else { return nil }
    programme.sessions.removeAll { $0.day != date }
    return programme
  }
}

/// What a file may leave open.
package struct ReadingOptions: Sendable {
  package var zones: ZoneDirectory
  /// In place of the file's own.
  package var id: FestivalID?
  package var name: String?
  package var zone: ZoneName?
  /// The festival as it is kept; its zone serves a file that says none, and what no format carries stays.
  package var known: Festival?
  /// Which column or member is what, of tables and of JSON in a form of its own.
  package var mapping: ColumnMapping?

  package init(zones: ZoneDirectory) { self.zones = zones }
}

/// Why a file is no programme, in a sentence that says what to do.
package struct ProgrammeError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension FestivalFormat {
  /// Found from the content.
  init(of bytes: [UInt8], hasMapping: Bool) throws(ProgrammeError) {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop { $0 <= 0x20 }
    let head = String(decoding: rest.prefix(4_096), as: UTF8.self)
    switch rest.first {
    case nil: throw ProgrammeError("the file is empty")
    case UInt8(ascii: "<"): self = .xml
    case UInt8(ascii: "{") where hasMapping, UInt8(ascii: "[") where hasMapping: self = .json
    case UInt8(ascii: "{"): self = Self.isOfTalks(head) ? .json : .octav
    case UInt8(ascii: "["): self = .octav
    default: self = head.uppercased().hasPrefix("BEGIN:VCALENDAR") ? .ics : .csv
    }
  }
}

extension FestivalFormat {
  /// frab's and pretalx's forms, by the names of their members.
  private static func isOfTalks(_ head: String) -> Bool {
    func has(_ name: String) -> Bool {
      guard let found = head.firstRange(of: "\"\(name)\"") else { return false }
      return head[found.upperBound...].first { $0 > " " } == ":"
    }
    return ["schedule", "talks", "results", "slots"].contains(where: has)
      || has("conference") && has("days") && !has("dates")
  }
}

extension Festival {
  /// Sponsors, maps and the like are kept when a file that has no place for them is imported again.
  mutating func keepWhatNoFileSays(of known: Festival) {
    // What was invented stays so, whoever writes it down.
    isDemo = isDemo || known.isDemo
    if sponsors.isEmpty { sponsors = known.sponsors }
    if floors.isEmpty { floors = known.floors }
    if tracks.isEmpty { tracks = known.tracks }
    subtitle = subtitle ?? known.subtitle
    summary = summary ?? known.summary
    venue = venue ?? known.venue
    city = city ?? known.city
    address = address ?? known.address
    position = position ?? known.position
    website = website ?? known.website
    dayEnds = dayEnds ?? known.dayEnds
    slotMinutes = slotMinutes ?? known.slotMinutes
    for place in rooms.indices {
      guard let room = known.rooms.first(where: { $0.id == rooms[place].id }) else { continue }
      rooms[place].floor = rooms[place].floor ?? room.floor
      rooms[place].capacity = rooms[place].capacity ?? room.capacity
    }
    for place in tracks.indices where tracks[place].color == nil {
      tracks[place].color = known.tracks.first { $0.id == tracks[place].id }?.color
    }
  }

  package static let dayEndsStandard = ClockTime(hour: 5, minute: 0)!

  /// On which of its days something is that begins then.
  package func day(of instant: WallTime, in zone: TimeZoneRules) -> CivilDate {
    zone.local(at: instant).adding(seconds: -Int64((dayEnds ?? Festival.dayEndsStandard).secondOfDay)).date
  }
}

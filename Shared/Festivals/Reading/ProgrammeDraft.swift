import Calendars
import Clocks
import Contracts

/// A programme while it is read: rooms and tracks by their names, sessions by their ids, and what had to be inferred.
struct ProgrammeDraft {
  var festival: Festival
  let zone: TimeZoneRules
  private(set) var notes: [String]
  private var omitted = 0
  private var sessions: [FestivalSession] = []
  private var places: [SessionID: [Int]] = [:]
  private var rooms: [String: RoomID] = [:]
  private var tracks: [String: TrackID] = [:]
  private var usedRooms: Set<RoomID> = []
  private var usedTracks: Set<TrackID> = []

  /// More is no festival, or a mistake.
  static let sessionsMax = 20_000
  private static let roomsMax = 1_000
  private static let notesMax = 200

  /// - Parameter slug: what the file calls the festival.
  init(
    slug: String?, name: String?, zone found: (name: ZoneName, rules: TimeZoneRules, note: String?),
    _ options: ReadingOptions
  ) throws(ProgrammeError) {
    guard let name = options.name ?? name ?? options.known?.name else {
      throw ProgrammeError("the file does not say what the festival is called; give --name")
    }
    let written = slug ?? name
    let text =
      written.utf8.contains { $0 >= 0x80 } || FestivalID(written)?.isFestivalSlug != true
      ? Slug.of(written, lengthMax: FestivalID.lengthMax) : written.lowercased()
    guard let id = options.id ?? options.known?.id ?? FestivalID(text), id.isFestivalSlug else {
      throw ProgrammeError(
        "\(options.id?.text ?? text) is no id of a festival; give --id with at most 36 characters, no dot")
    }
    zone = found.rules
    notes = found.note.map { [$0] } ?? []
    festival = Festival(id: id, name: name, zone: found.name, startsOn: .last, endsOn: .first)
    festival.dayEnds = options.known?.dayEnds
  }

  mutating func note(_ text: String) {
    if notes.count < Self.notesMax { notes.append(String(text.prefix(300))) }
  }

  /// Notes something that is not in the programme for its fault.
  mutating func leaveOut(_ text: String) {
    omitted += 1
    note(text)
  }

  // MARK: Rooms and tracks

  /// The room of that name, made when it is first named.
  mutating func room(_ name: String, id: String? = nil, floor: String? = nil, capacity: Int? = nil) -> RoomID? {
    let key = id ?? name
    guard !key.isEmpty else { return nil }
    if let known = rooms[key] { return known }
    guard festival.rooms.count < Self.roomsMax else {
      leaveOut("more than \(Self.roomsMax) rooms; \(name) is left out")
      return nil
    }
    let new = unused(id ?? Slug.of(name, lengthMax: 60), in: &usedRooms, as: RoomID.self)
    rooms[key] = new
    festival.rooms.append(FestivalRoom(id: new, name: name, floor: floor, capacity: capacity))
    return new
  }

  /// The track of that name, made when it is first named.
  mutating func track(_ name: String?, color: String? = nil) -> TrackID? {
    guard let name, !name.isEmpty else { return nil }
    if let known = tracks[name] { return known }
    guard festival.tracks.count < Self.roomsMax else { return nil }
    let new = unused(Slug.of(name, lengthMax: 60), in: &usedTracks, as: TrackID.self)
    tracks[name] = new
    festival.tracks.append(FestivalTrack(id: new, name: name, color: color.flatMap(Self.color)))
    return new
  }

  private func unused<Subject>(_ wanted: String, in used: inout Set<ID<Subject>>, as: ID<Subject>.Type) -> ID<Subject> {
    var number = 1
    while true {
      let text = number == 1 ? wanted : "\(wanted.prefix(70))-\(number)"
      if let id = ID<Subject>(text) {
        if used.insert(id).inserted { return id }
      } else if let id = ID<Subject>("x" + Slug.hexadecimal(text)), used.insert(id).inserted {
        return id
      }
      number += 1
    }
  }

  /// `#b3261e`; anything else is no colour that is safe in a page's style.
  private static func color(_ text: String) -> String? {
    let digits = text.utf8.dropFirst()
    let isHex = digits.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
    return text.hasPrefix("#") && isHex && (digits.count == 6 || digits.count == 3) ? text.lowercased() : nil
  }

  // MARK: Sessions

  /// Adds a session under the name that the file has for it; nil: one is made of what it is.
  ///
  /// The same id at the same time is one session in several rooms; at another time it is another session.
  mutating func add(_ session: FestivalSession, named source: String?) throws(ProgrammeError) {
    guard sessions.count < Self.sessionsMax else {
      throw ProgrammeError("more than \(Self.sessionsMax) sessions; import the festival in parts")
    }
    var session = session
    if let end = session.endsAt, end < session.startsAt {
      note("\(session.title) ends before it begins; its end is dropped")
      session.endsAt = nil
    }
    let made = "\(session.title)\u{1F}\(session.startsAt.milliseconds)\u{1F}\(session.rooms.first?.text ?? "")"
    session.id = Self.id(source.flatMap { $0.isEmpty ? nil : $0 } ?? "s-" + Slug.hexadecimal(made))
    if let twins = places[session.id] {
      if let twin = twins.first(where: { sessions[$0].isSame(as: session) }) {
        sessions[twin].rooms += session.rooms.filter { !sessions[twin].rooms.contains($0) }
        return
      }
      note(
        "\(session.id) is the id of several sessions; the one of \(zone.timestamp(at: session.startsAt)) got another")
      places[session.id]?.append(sessions.count)
      session.id = Self.id("\(session.id)-\(session.startsAt.milliseconds / 60_000)")
      guard places[session.id] == nil else {
        leaveOut("\(session.title) is there twice at the same time; the second is left out")
        return
      }
    }
    places[session.id, default: []].append(sessions.count)
    sessions.append(session)
  }

  private static func id(_ source: String) -> SessionID {
    if source.utf8.count <= SessionID.lengthMax, let id = SessionID(source) { return id }
    return SessionID("s-" + Slug.hexadecimal(source))!
  }

  // MARK: The end

  /// Days and dates are completed from the sessions.
  func finished() throws(ProgrammeError) -> FestivalProgramme {
    var festival = festival
    var days = Dictionary(festival.days.map { ($0.date, $0) }) { first, _ in first }
    for session in sessions where days[session.day] == nil { days[session.day] = FestivalDay(date: session.day) }
    festival.days = days.values.sorted { $0.date < $1.date }
    guard let first = festival.days.first?.date, let last = festival.days.last?.date else {
      throw ProgrammeError("there is no session and no day in the file; nothing can be imported")
    }
    festival.startsOn = min(festival.startsOn, first)
    festival.endsOn = max(festival.endsOn, last)
    let order = Dictionary(festival.rooms.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let sorted = sessions.enumerated().sorted { left, right in
      let leftKey = (left.element.startsAt, left.element.rooms.first.flatMap { order[$0] } ?? .max, left.offset)
      let rightKey = (right.element.startsAt, right.element.rooms.first.flatMap { order[$0] } ?? .max, right.offset)
      return leftKey < rightKey
    }
    return FestivalProgramme(
      festival: festival, sessions: sorted.map(\.element), notes: notes, omitted: omitted)
  }
}

extension FestivalSession {
  /// The same thing at the same time, maybe in another room.
  fileprivate func isSame(as other: FestivalSession) -> Bool {
    startsAt == other.startsAt && endsAt == other.endsAt && title == other.title
  }
}

import Calendars
import Clocks
import Contracts
import TextSearch

/// A programme while it is read: rooms and tracks by their names, sessions by their ids, and what had to be inferred.
struct ProgrammeDraft {
  var festival: Festival
  let zone: TimeZoneRules
  /// The offsets of the file's dates are a slip.
  var hasLocalClocks = false
  private(set) var notes: [String]
  private var omitted = 0
  private var sessions: [FestivalSession] = []
  private var told = ToldMarks()
  private var usedIDs: Set<SessionID> = []
  /// Where each session is, by what makes another one the same in another room.
  private var places: [Likeness: Int] = [:]
  /// Behind an id that others have too.
  private var nextNumber: [String: Int] = [:]
  private var rooms: [String: RoomID] = [:]
  /// As they are kept, by their names: links of maps lead to them.
  private let knownRooms: [String: RoomID]
  private let knownIDs: Set<RoomID>
  /// The same of tracks: addresses name them.
  private let knownTracks: [String: TrackID]
  /// Names that are taken, with the key of the room that has it; nil where it has none but its name.
  private var roomNames: [String: String?] = [:]
  private var tracks: [String: TrackID] = [:]
  private var usedRooms: Set<RoomID> = []
  private var usedTracks: Set<TrackID> = []

  /// More is no festival, or a mistake.
  static let sessionsMax = 20_000
  private static let roomsMax = 1_000
  private static let notesMax = 200
  /// A title or a name. Longer is a text in the wrong place, and no line of a calendar would carry it.
  private static let nameBytesMax = 2_000
  /// Of one session; a calendar's event has no place for more.
  private static let speakersMax = 200
  /// Of a session. An exhibition may be open for the whole of a summer's festival.
  private static let secondsMax: Int64 = 100 * 86_400

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
      ? Slug.numbered(written, otherwise: "festival", bytesMax: FestivalID.nameMax) : written.lowercased()
    guard let id = options.id ?? options.known?.id ?? FestivalID(text), id.isFestivalSlug else {
      throw ProgrammeError(
        "\(options.id?.text ?? text) is no id of a festival; give --id with at most 36 characters, no dot")
    }
    zone = found.rules
    knownRooms = Dictionary((options.known?.rooms ?? []).map { ($0.name, $0.id) }) { first, _ in first }
    knownIDs = Set((options.known?.rooms ?? []).map(\.id))
    knownTracks = Dictionary((options.known?.tracks ?? []).map { ($0.name, $0.id) }) { first, _ in first }
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
  ///
  /// - Parameters:
  ///   - id: what the file calls it, where a name may be that of several rooms.
  ///   - slug: what we shall call it; nil: what we call it already, or something made of the name.
  mutating func room(
    _ written: String, id: String? = nil, slug: String? = nil, floor: String? = nil, capacity: Int? = nil
  ) -> RoomID? {
    let id = id.flatMap { Self.name($0).isEmpty ? nil : $0 }
    let plain = Self.name(written)
    let key = id.map { "\u{1F}\($0)" } ?? plain
    guard !key.isEmpty else { return nil }
    if let known = rooms[key] { return known }
    let name = plain.isEmpty ? id.map { Self.name($0) } ?? plain : plain
    if let owner = roomNames[name] {
      // Once it had an id and once it has none: there is one room of that name.
      if id == nil, let known = owner.flatMap({ rooms[$0] }) { return known }
      if id != nil, owner == nil, let known = rooms[name] {
        rooms[key] = known
        roomNames[name] = .some(key)
        return known
      }
    }
    guard festival.rooms.count < Self.roomsMax else {
      leaveOut("more than \(Self.roomsMax) rooms; \(name) is left out")
      return nil
    }
    let own = nameApart(name, floor)
    roomNames[own] = .some(id == nil ? nil : key)
    let known = knownRooms[own]
    let wanted = slug ?? known?.text ?? FestivalRoom.slug(of: own)
    // What is made of a name is nobody else's, also not that of a room that is named later.
    let reserved = slug == nil && known == nil ? knownIDs : []
    let new = unused(wanted, besides: reserved, in: &usedRooms)
    rooms[key] = new
    festival.rooms.append(FestivalRoom(id: new, name: own, floor: floor, capacity: capacity))
    return new
  }

  /// Two rooms of one name would be one to whoever reads it, and in files that know rooms by their names.
  private mutating func nameApart(_ name: String, _ floor: String?) -> String {
    guard roomNames[name] != nil else { return name }
    // A longer one would be cut when it is read again, and be the first room's.
    let stem = Self.name(name, bytesMax: Self.nameBytesMax - 100)
    let floor = floor.map { Self.name($0, bytesMax: 80) } ?? ""
    var apart = floor.isEmpty ? "\(stem) (2)" : "\(stem) (\(floor))"
    var number = nextNumber[stem] ?? 2
    while roomNames[apart] != nil {
      number += 1
      apart = "\(stem) (\(number))"
    }
    nextNumber[stem] = number
    note("two rooms are called \(name); one of them is \(apart) here")
    return apart
  }

  /// The track of that name, made when it is first named.
  ///
  /// - Parameter slug: what the file's sessions call it, where that is not its name.
  mutating func track(_ written: String?, slug: String? = nil, color: String? = nil) -> TrackID? {
    guard let written, case let name = Self.name(written), !name.isEmpty else { return nil }
    if let known = tracks[name] { return known }
    guard festival.tracks.count < Self.roomsMax else { return nil }
    let known = knownTracks[name]
    let reserved = known == nil ? Set(knownTracks.values) : []
    let new = unused(known?.text ?? Slug.numbered(name, otherwise: "track"), besides: reserved, in: &usedTracks)
    tracks[name] = new
    if let slug, case let key = Self.name(slug), tracks[key] == nil { tracks[key] = new }
    festival.tracks.append(FestivalTrack(id: new, name: name, color: color.flatMap(Self.color)))
    return new
  }

  private func unused<Subject>(
    _ wanted: String, besides reserved: Set<ID<Subject>> = [], in used: inout Set<ID<Subject>>
  ) -> ID<Subject> {
    var number = 1
    while true {
      let text = number == 1 ? wanted : "\(wanted.prefix(70))-\(number)"
      let id = ID<Subject>(text) ?? ID<Subject>("x" + NameNumber.hexadecimal(text))
      if let id, !reserved.contains(id), used.insert(id).inserted { return id }
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

  /// When something starts and on which day, of what a schedule says: a date with its time, a bare time under a day.
  func start(dated: WallTime?, _ clock: DisplayTime?, on day: CivilDate?) -> (WallTime, CivilDate)? {
    if let dated { return (dated, day ?? festival.day(of: dated, in: zone)) }
    guard let clock, let day else { return nil }
    return (ProgrammeTimes.instant(day, clock, dayEnds: dayEnds, in: zone), day)
  }

  /// Until when a night is of the evening before.
  var dayEnds: ClockTime { festival.dayEnds ?? Festival.dayEndsStandard }

  /// Adds a session under the name that the file has for it; nil: one is made of what it is.
  ///
  /// The same id at the same time is one session in several rooms; at another time it is another session.
  ///
  /// - Parameters:
  ///   - isCancelled: nil where the file does not say it, as of `isSoldOut`.
  ///   - tellsFlags: it says which flags there are, also where there are none.
  mutating func add(
    _ session: FestivalSession, named source: String?, isCancelled: Bool?, isSoldOut: Bool?, tellsFlags: Bool = false
  ) throws(ProgrammeError) {
    guard sessions.count < Self.sessionsMax else {
      throw ProgrammeError("more than \(Self.sessionsMax) sessions; import the festival in parts")
    }
    var session = session
    (session.isCancelled, session.isSoldOut) = (isCancelled ?? false, isSoldOut ?? false)
    session.title = Self.name(session.title)
    guard !session.title.isEmpty else {
      leaveOut("the session \(source ?? "without an id") has no title; it is left out")
      return
    }
    if session.speakers.count > Self.speakersMax {
      note("\(session.title) has \(session.speakers.count) speakers; the first \(Self.speakersMax) are taken")
    }
    session.speakers = session.speakers.prefix(Self.speakersMax).compactMap { speaker in
      var speaker = speaker
      speaker.name = Self.name(speaker.name)
      return speaker.name.isEmpty ? nil : speaker
    }
    setTimes(of: &session)
    var rooms: Set<RoomID> = []
    session.rooms = session.rooms.filter { rooms.insert($0).inserted }
    let made = "\(session.title)\u{1F}\(session.startsAt.milliseconds)\u{1F}\(session.rooms.first?.text ?? "")"
    let id = Self.id(source.flatMap { $0.isEmpty ? nil : $0 } ?? "s-" + NameNumber.hexadecimal(made))
    if let twin = places[Likeness(session, id)] {
      sessions[twin].rooms += session.rooms.filter { !sessions[twin].rooms.contains($0) }
      return
    }
    session.id = id
    if usedIDs.contains(id) {
      note("\(id) is the id of several sessions; the one of \(zone.timestamp(at: session.startsAt)) got another")
      places[Likeness(session, id)] = sessions.count
      let apart = "\(id)-\(session.startsAt.milliseconds / 60_000)"
      var number = nextNumber[apart] ?? 1
      repeat {
        session.id = Self.id(number == 1 ? apart : "\(apart)-\(number)")
        number += 1
      } while usedIDs.contains(session.id)
      nextNumber[apart] = number
      // It is the first one's; two events with one are one event.
      session.uid = nil
    }
    usedIDs.insert(session.id)
    if isCancelled != nil { told.cancelled.insert(session.id) }
    if isSoldOut != nil { told.soldOut.insert(session.id) }
    if tellsFlags { told.flags.insert(session.id) }
    places[Likeness(session, session.id)] = sessions.count
    sessions.append(session)
  }

  /// The same thing at the same time, maybe in another room.
  private struct Likeness: Hashable {
    let id: SessionID
    let startsAt: WallTime
    let endsAt: WallTime?
    let title: String

    init(_ session: FestivalSession, _ id: SessionID) {
      (self.id, startsAt, endsAt, title) = (id, session.startsAt, session.endsAt, session.title)
    }
  }

  /// Whole seconds, which is what every format can tell; an end is later than its start.
  private mutating func setTimes(of session: inout FestivalSession) {
    session.startsAt = session.startsAt.wholeSecond
    guard let end = session.endsAt?.wholeSecond else { return }
    let length = session.startsAt.seconds(until: end)
    if length < 0 { note("\(session.title) ends before it begins; its end is dropped") }
    if length > Self.secondsMax { note("\(session.title) lasts longer than 100 days; its end is dropped") }
    // An end at the start is how files write that they know none.
    session.endsAt = (1...Self.secondsMax).contains(length) ? end : nil
  }

  /// As every format can carry it: one line without control characters, and no blanks around it.
  static func name(_ written: String, bytesMax: Int = nameBytesMax) -> String {
    if isName(written, bytesMax) { return written }
    var name = String.UnicodeScalarView()
    var bytes = 0
    var isBreak = false
    for scalar in written.unicodeScalars {
      switch scalar.value {
      case 0x00..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: isBreak = true
      case 0xFEFF, 0xFFFE, 0xFFFF: continue
      case 0x20 where isBreak || name.isEmpty: continue
      default:
        if isBreak, !name.isEmpty {
          while name.last == " " {
            name.removeLast()
            bytes -= 1
          }
          bytes += 1
          if bytes <= bytesMax { name.append(" ") }
        }
        isBreak = false
        bytes += UTF8.width(scalar)
        if bytes <= bytesMax { name.append(scalar) }
      }
    }
    while name.last == " " { name.removeLast() }
    return String(name)
  }

  /// Whether it is surely so already: nearly every name is, and looking is cheaper than writing it anew.
  private static func isName(_ written: String, _ bytesMax: Int) -> Bool {
    let bytes = written.utf8
    guard (1...bytesMax).contains(bytes.count), bytes.first != 0x20, bytes.last != 0x20 else { return false }
    // What is dropped begins with one of these, as do letters that are looked at more closely.
    return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 && $0 != 0xE2 && $0 != 0xEF }
  }

  static func id(_ source: String) -> SessionID {
    if source.utf8.count <= SessionID.lengthMax, let id = SessionID(source) { return id }
    return SessionID("s-" + NameNumber.hexadecimal(source))!
  }

  // MARK: The end

  /// Days and dates are completed from the sessions.
  mutating func finished() throws(ProgrammeError) -> FestivalProgramme {
    var read = sessions
    dropSharedIDs(of: &read)
    var festival = festival
    var days = Dictionary(festival.days.map { ($0.date, $0) }) { first, _ in first }
    for session in read where days[session.day] == nil { days[session.day] = FestivalDay(date: session.day) }
    festival.days = days.values.sorted { $0.date < $1.date }
    guard let first = festival.days.first?.date, let last = festival.days.last?.date else {
      let first = notes.first.map { ": \($0)" } ?? ""
      throw ProgrammeError("there is no session and no day in the file; nothing can be imported\(first)")
    }
    festival.startsOn = min(festival.startsOn, first)
    festival.endsOn = max(festival.endsOn, last)
    let order = Dictionary(festival.rooms.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let sessions = read.map { session in
      var session = session
      if session.rooms.count > 1 { session.rooms.sort { order[$0] ?? .max < order[$1] ?? .max } }
      return session
    }
    // Sessions are large, and sorting would copy each several times.
    let keys = sessions.enumerated().map { place, session in
      (session.startsAt, session.rooms.first.flatMap { order[$0] } ?? .max, place)
    }
    var programme = FestivalProgramme(
      festival: festival, sessions: keys.sorted(by: <).map { sessions[$0.2] }, notes: notes, omitted: omitted)
    programme.told = told
    return programme
  }
}

extension FestivalRoom {
  /// What a room is called by us if nobody else has an id for it.
  static func slug(of name: String) -> String { Slug.numbered(name, otherwise: "room") }

  /// Its id, if a reader could not make that of the name.
  var idApart: String? { id.text == Self.slug(of: name) ? nil : id.text }
}

import Calendars
import Clocks
import Contracts

/// The numbers and UUIDs that schedules want of each event, each of them once in a file.
struct EventNumbers {
  private var used: Set<UInt64> = []
  private var usedGuids: Set<String> = []

  struct Event {
    var number: UInt64
    var guid: String
    /// The session's id cannot be read off the number.
    var needsNote: Bool
  }

  mutating func event(_ session: FestivalSession, in room: RoomID?, of festival: Festival) -> Event {
    let isFirst = room == session.rooms.first
    let name = "\(festival.id)/\(session.id)" + (isFirst ? "" : "/\(room?.text ?? "")")
    // Two sessions that were one event have its UUID both; a file may say it once.
    let own = isFirst ? session.guid.flatMap { Self.isUUID($0) ? $0 : nil } : nil
    let guid = own.flatMap { usedGuids.insert($0.lowercased()).inserted ? $0 : nil }
    if isFirst, let number = UInt64(session.id.text), number > 0, "\(number)" == session.id.text, number < 1 << 31,
      used.insert(number).inserted
    {
      return Event(number: number, guid: guid ?? NameNumber.guid(name), needsNote: false)
    }
    // Beyond what people number by hand, and still a number that every reader takes.
    var number = NameNumber.hash(name) % (1 << 30) + (1 << 30)
    while !used.insert(number).inserted { number += 1 }
    return Event(number: number, guid: guid ?? NameNumber.guid(name), needsNote: true)
  }

  private static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.lowercased().utf8)
    guard bytes.count == 36 else { return false }
    return bytes.enumerated().allSatisfy { place, byte in
      [8, 13, 18, 23].contains(place)
        ? byte == UInt8(ascii: "-")
        : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
  }
}

extension FestivalProgramme {
  /// The rooms that have something that day, in the festival's order; what has no room comes last. Rooms that have nothing
  /// on any day stand in the first, so that a format without a list of rooms has them too.
  func rooms(on day: CivilDate) -> [(room: FestivalRoom?, sessions: [FestivalSession])] {
    let today = sessions.filter { $0.day == day }
    var byRoom: [RoomID: [FestivalSession]] = [:]
    for session in today {
      for room in session.rooms { byRoom[room, default: []].append(session) }
    }
    if day == festival.days.first?.date {
      let used = Set(sessions.flatMap(\.rooms))
      for room in festival.rooms where !used.contains(room.id) { byRoom[room.id] = [] }
    }
    let placed = festival.rooms.compactMap { room in byRoom[room.id].map { (Optional(room), $0) } }
    let rest = today.filter(\.rooms.isEmpty)
    return (placed + (rest.isEmpty ? [] : [(nil, rest)])).map { (room: $0.0, sessions: $0.1) }
  }
}

extension Festival {
  /// From when to when a day goes.
  func bounds(of day: FestivalDay, _ zone: TimeZoneRules) -> (WallTime, WallTime) {
    let change = dayEnds ?? Festival.dayEndsStandard
    return (
      day.opensAt ?? zone.instant(of: CivilDateTime(day.date, change)),
      day.closesAt ?? zone.instant(of: CivilDateTime(day.date + 1, change)).adding(seconds: -60)
    )
  }
}

package import Calendars
package import Clocks
package import Contracts

/// One day of a programme laid out as a grid.
///
/// A row is as long as all starts and ends that day allow, so nothing is rounded. What overlaps in a room stands in lanes
/// beside each other; what begins after midnight stands below the evening that it belongs to; hours in which nothing
/// takes place anywhere are told, so that they can be folded.
package enum GridLayout {
  /// - Parameter day: which day; the caller has made sure that it is one of the festival's.
  package static func grid(
    of programme: FestivalProgramme, on day: CivilDate, track: TrackID? = nil, room: RoomID? = nil
  ) -> GridDay {
    let festival = programme.festival
    let sessions = programme.sessions.filter { session in
      session.day == day && (track == nil || session.track == track)
        && (room.map { session.rooms.contains($0) } ?? true)
    }
    let rooms = festival.rooms.filter { candidate in
      (room == nil || candidate.id == room) && sessions.contains { $0.rooms.contains(candidate.id) }
    }
    let used = Set(sessions.compactMap(\.track))
    var grid = GridDay(
      festival: festival.id, name: festival.name, day: day, days: festival.days.map(\.date), zone: festival.zone,
      slotMinutes: festival.slotMinutes ?? 5, startsAt: WallTime(milliseconds: 0), endsAt: WallTime(milliseconds: 0),
      rows: 0, rooms: rooms, tracks: festival.tracks.filter { used.contains($0.id) }, cells: [], gaps: [],
      isDemo: festival.isDemo, revision: festival.revision)
    guard let first = sessions.map(\.startsAt).min() else { return grid }
    let last = sessions.map(\.shownEnd).max() ?? first
    let minutes = slot(sessions, from: first, declared: festival.slotMinutes)
    let milliseconds = Int64(minutes) * 60_000
    func row(_ instant: WallTime) -> Int { Int((instant.milliseconds - first.milliseconds) / milliseconds) }
    func rowAbove(_ instant: WallTime) -> Int {
      Int((instant.milliseconds - first.milliseconds + milliseconds - 1) / milliseconds)
    }
    grid.slotMinutes = minutes
    grid.startsAt = first
    // What begins when everything else ends has a row too, however short it is.
    grid.rows = max(rowAbove(last), row(sessions.map(\.startsAt).max() ?? first) + 1)
    grid.endsAt = WallTime(milliseconds: first.milliseconds + Int64(grid.rows) * milliseconds)
    for room in rooms {
      let here = sessions.filter { $0.rooms.contains(room.id) }
      grid.cells += lanes(here).map { session, lane, lanes in
        let start = row(session.startsAt)
        return GridCell(
          session: session.withoutLongTexts, room: room.id, firstRow: start,
          endRow: max(rowAbove(session.shownEnd), start + 1), lane: lane, lanes: lanes)
      }
    }
    let order = Dictionary(rooms.enumerated().map { ($1.id, $0) }) { first, _ in first }
    grid.cells.sort { left, right in
      (left.firstRow, order[left.room] ?? 0, left.lane) < (right.firstRow, order[right.room] ?? 0, right.lane)
    }
    let roomless = lanes(sessions.filter(\.rooms.isEmpty)).map { session, lane, lanes in
      let start = row(session.startsAt)
      return RoomlessCell(
        session: session.withoutLongTexts, firstRow: start, endRow: max(rowAbove(session.shownEnd), start + 1),
        lane: lane, lanes: lanes)
    }
    if !roomless.isEmpty { grid.roomless = roomless.sorted { ($0.firstRow, $0.lane) < ($1.firstRow, $1.lane) } }
    grid.gaps = gaps(grid.placed.map(\.rows), rowsMin: max(1, foldedFrom / minutes))
    return grid
  }

  /// Shorter ones are shown as they are: people read a pause off the grid.
  private static let foldedFrom = 60

  /// More rows would be no grid: a day of minutes.
  private static let slotsMax = 60

  /// The longest row that all starts and ends are multiples of, but none longer than the festival prints.
  private static func slot(_ sessions: [FestivalSession], from first: WallTime, declared: Int?) -> Int {
    var divisor = declared.map { max(1, min($0, slotsMax)) } ?? 30
    for session in sessions {
      for instant in [session.startsAt, session.shownEnd] {
        let offset = instant.milliseconds - first.milliseconds
        // Seconds are rounded outward to whole minutes.
        divisor = greatestDivisor(divisor, Int((offset + 59_999) / 60_000))
      }
    }
    return divisor
  }

  private static func greatestDivisor(_ left: Int, _ right: Int) -> Int {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return max(left, 1)
  }

  /// Each session of a room with its place among those that run at the same time.
  private static func lanes(_ sessions: [FestivalSession]) -> [(FestivalSession, lane: Int, lanes: Int)] {
    var placed: [(FestivalSession, lane: Int, lanes: Int)] = []
    var group: [(FestivalSession, lane: Int)] = []
    var ends: [WallTime] = []
    func close() {
      placed += group.map { ($0.0, $0.lane, ends.count) }
      group = []
      ends = []
    }
    let sorted = sessions.sorted { ($0.startsAt, $1.shownEnd) < ($1.startsAt, $0.shownEnd) }
    for session in sorted {
      if ends.allSatisfy({ $0 <= session.startsAt }) { close() }
      if let free = ends.firstIndex(where: { $0 <= session.startsAt }) {
        ends[free] = session.shownEnd
        group.append((session, free))
      } else {
        ends.append(session.shownEnd)
        group.append((session, ends.count - 1))
      }
    }
    close()
    return placed
  }

  private static func gaps(_ cells: [Range<Int>], rowsMin: Int) -> [Int] {
    var gaps: [Int] = []
    var busyUntil = 0
    // In order of their first row.
    for cell in cells {
      if cell.lowerBound - busyUntil >= rowsMin { gaps += [busyUntil, cell.lowerBound] }
      busyUntil = max(busyUntil, cell.upperBound)
    }
    return gaps
  }
}

extension FestivalSession {
  /// Where nobody says when it ends, half an hour is drawn, and nothing is told.
  package var shownEnd: WallTime {
    max(endsAt ?? WallTime(milliseconds: startsAt.milliseconds + 30 * 60_000), startsAt)
  }

  /// For lists and grids.
  package var withoutLongTexts: FestivalSession {
    var session = self
    session.abstract = nil
    session.details = nil
    for place in session.speakers.indices { session.speakers[place].about = nil }
    return session
  }
}

extension Festival {
  /// The day that somebody who asks for none means: today if it is one, else the next one, else the last.
  package func day(at now: WallTime, in zone: TimeZoneRules) -> CivilDate? {
    let today = day(of: now, in: zone)
    return days.first { $0.date >= today }?.date ?? days.last?.date
  }
}

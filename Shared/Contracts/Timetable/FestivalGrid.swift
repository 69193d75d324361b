package import Calendars
package import Clocks
package import RPC
import Wire

/// One day of a festival as a grid: rooms beside each other, time downwards.
package struct FestivalGrid: RPCRequest, Hashable, WireLayout {
  package typealias Service = TimetableAPI
  package typealias Response = GridDay
  package static let method: MethodID = 0x0602
  package static let safety: Safety = .read

  package var festival: FestivalID
  /// Nil: today if it is one of its days, else the first.
  package var day: CivilDate?
  package var track: TrackID?
  package var room: RoomID?

  package init(festival: FestivalID, day: CivilDate? = nil, track: TrackID? = nil, room: RoomID? = nil) {
    self.festival = festival
    self.day = day
    self.track = track
    self.room = room
  }
}

/// A grid that only needs to be drawn.
package struct GridDay: Codable, Hashable, Sendable, WireLayout {
  package var festival: FestivalID
  package var name: String
  package var day: CivilDate
  package var days: [CivilDate]
  package var zone: ZoneName
  /// How long a row is: the longest time that all starts and ends are multiples of.
  package var slotMinutes: Int
  /// When the first row begins and the last one ends. Equal: nothing takes place.
  package var startsAt: WallTime
  package var endsAt: WallTime
  package var rows: Int
  /// Those that have something that day.
  package var rooms: [FestivalRoom]
  package var tracks: [FestivalTrack]
  /// By their first row, then in the order of the rooms. What plays in several rooms has a cell in each.
  package var cells: [GridCell]
  /// First rows and the rows behind the last, in turns: nothing takes place in these anywhere, for an hour or longer.
  package var gaps: [Int]
  package var isDemo: Bool
  package var revision: Int64
  /// Sessions that have no room, or none yet, by their first row.
  package var roomless: [RoomlessCell]?

  package init(
    festival: FestivalID, name: String, day: CivilDate, days: [CivilDate], zone: ZoneName, slotMinutes: Int,
    startsAt: WallTime, endsAt: WallTime, rows: Int, rooms: [FestivalRoom], tracks: [FestivalTrack],
    cells: [GridCell], gaps: [Int], isDemo: Bool, revision: Int64
  ) {
    self.festival = festival
    self.name = name
    self.day = day
    self.days = days
    self.zone = zone
    self.slotMinutes = slotMinutes
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.rows = rows
    self.rooms = rooms
    self.tracks = tracks
    self.cells = cells
    self.gaps = gaps
    self.isDemo = isDemo
    self.revision = revision
  }
}

/// A session in one room of a grid.
package struct GridCell: Codable, Hashable, Sendable, WireLayout {
  /// Without its long texts.
  package var session: FestivalSession
  package var room: RoomID
  package var firstRow: Int
  /// The row behind its last.
  package var endRow: Int
  /// What overlaps in a room stands side by side: this one is the `lane`th of `lanes`, from 0.
  package var lane: Int
  package var lanes: Int

  package init(session: FestivalSession, room: RoomID, firstRow: Int, endRow: Int, lane: Int, lanes: Int) {
    self.session = session
    self.room = room
    self.firstRow = firstRow
    self.endRow = endRow
    self.lane = lane
    self.lanes = lanes
  }
}

/// A session of a grid that has no room, or none yet.
package struct RoomlessCell: Codable, Hashable, Sendable, WireLayout {
  /// Without its long texts.
  package var session: FestivalSession
  package var firstRow: Int
  /// The row behind its last.
  package var endRow: Int
  /// Its place among those of them that overlap, from 0.
  package var lane: Int
  package var lanes: Int

  package init(session: FestivalSession, firstRow: Int, endRow: Int, lane: Int, lanes: Int) {
    self.session = session
    self.firstRow = firstRow
    self.endRow = endRow
    self.lane = lane
    self.lanes = lanes
  }
}

extension GridDay {
  /// A session where it is drawn: in the column of a room, or in that of those without one.
  package struct Placed: Hashable, Sendable {
    package let session: FestivalSession
    package let room: RoomID?
    package let rows: Range<Int>
    package let lane: Int
    package let lanes: Int
  }

  /// All that is drawn, by the first row; those without a room behind the rooms.
  package var placed: [Placed] {
    func rows(_ first: Int, _ end: Int) -> Range<Int> { first..<max(end, first) }
    let all =
      cells.map {
        Placed(session: $0.session, room: $0.room, rows: rows($0.firstRow, $0.endRow), lane: $0.lane, lanes: $0.lanes)
      }
      + (roomless ?? []).map {
        Placed(session: $0.session, room: nil, rows: rows($0.firstRow, $0.endRow), lane: $0.lane, lanes: $0.lanes)
      }
    return all.enumerated().sorted { ($0.element.rows.lowerBound, $0.offset) < ($1.element.rows.lowerBound, $1.offset) }
      .map(\.element)
  }
}

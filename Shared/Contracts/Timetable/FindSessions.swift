package import Calendars
package import RPC
import Wire

/// The sessions of a festival by their start, or with `text` the best match first.
package struct FindSessions: RPCRequest, Hashable, WireLayout {
  package typealias Service = TimetableAPI
  package typealias Response = SessionPage
  package static let method: MethodID = 0x0603
  package static let safety: Safety = .read

  package var festival: FestivalID
  /// A part of a title or of somebody's name.
  package var text: String?
  package var day: CivilDate?
  package var track: TrackID?
  package var room: RoomID?
  /// One of their flags, their kind, or their language.
  package var tag: String?
  /// So many are left out.
  package var offset: Int
  /// 1...500.
  package var limit: Int

  package init(
    festival: FestivalID, text: String? = nil, day: CivilDate? = nil, track: TrackID? = nil, room: RoomID? = nil,
    tag: String? = nil, offset: Int = 0, limit: Int
  ) {
    self.festival = festival
    self.text = text
    self.day = day
    self.track = track
    self.room = room
    self.tag = tag
    self.offset = offset
    self.limit = limit
  }
}

package struct SessionPage: Codable, Hashable, Sendable, WireLayout {
  /// The festival itself, for its zone and the names of rooms and tracks.
  package var festival: Festival
  package var sessions: [FestivalSession]
  package var hasMore: Bool

  package init(festival: Festival, sessions: [FestivalSession], hasMore: Bool) {
    self.festival = festival
    self.sessions = sessions
    self.hasMore = hasMore
  }
}

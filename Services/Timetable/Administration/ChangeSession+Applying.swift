import Calendars
import Clocks
import Contracts
import Festivals
import RPC

nonisolated extension ChangeSession {
  /// The session as it is to be.
  func applied(
    to old: FestivalSession, of festival: Festival, in zone: TimeZoneRules
  ) throws(RPCError) -> FestivalSession {
    var session = old
    if let start = startsAt {
      let moved = start.milliseconds - session.startsAt.milliseconds
      session.endsAt = session.endsAt.map { WallTime(milliseconds: $0.milliseconds + moved) }
      session.startsAt = start
      session.day = festival.day(of: start, in: zone)
    }
    if let rooms {
      for room in rooms where !festival.rooms.contains(where: { $0.id == room }) {
        throw RPCError(
          .invalidArgument,
          "\(festival.id) has no room \(room); it has \(festival.rooms.map(\.id.text).joined(separator: ", "))")
      }
      session.rooms = rooms
    }
    session.isCancelled = isCancelled ?? session.isCancelled
    session.isSoldOut = isSoldOut ?? session.isSoldOut
    return session
  }
}

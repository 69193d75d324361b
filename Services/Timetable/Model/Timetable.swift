package import Calendars
package import Clocks
package import Contracts
package import Festivals
package import RPC
import TextSearch

/// One festival at one revision, with the indexes that answer questions about it. It never changes: a change makes
/// another one.
nonisolated package final class Timetable: Sendable {
  package let programme: FestivalProgramme
  package let zone: TimeZoneRules
  /// Drawings of floors by their id.
  let floors: [FloorID: String]
  private let places: [SessionID: Int]
  private let names: TextIndex

  package var festival: Festival { programme.festival }

  package init(_ programme: FestivalProgramme, zone: TimeZoneRules, floors: [FloorID: String] = [:]) {
    self.programme = programme
    self.zone = zone
    self.floors = floors
    places = Dictionary(programme.sessions.enumerated().map { ($1.id, $0) }) { first, _ in first }
    names = TextIndex(
      programme.sessions.map { session in
        [session.title] + [session.subtitle, session.code].compactMap(\.self) + session.speakers.map(\.name)
      })
  }

  // MARK: Questions

  package subscript(id: SessionID) -> FestivalSession? { places[id].map { programme.sessions[$0] } }

  package func grid(_ request: FestivalGrid, now: WallTime) throws(RPCError) -> GridDay {
    guard let day = request.day ?? festival.day(at: now, in: zone) else {
      throw RPCError(.notFound, "\(festival.id) has no days yet")
    }
    guard festival.days.contains(where: { $0.date == day }) else {
      throw noDay(day)
    }
    try check(request.room, request.track)
    return GridLayout.grid(of: programme, on: day, track: request.track, room: request.room)
  }

  package func sessions(_ request: FindSessions) throws(RPCError) -> SessionPage {
    try check(request.room, request.track)
    let candidates: [Int] =
      if let text = request.text {
        names.search(text, limit: programme.sessions.count).map(\.document)
      } else {
        Array(programme.sessions.indices)
      }
    let tag = request.tag?.lowercased()
    let found = candidates.filter { place in
      let session = programme.sessions[place]
      return (request.day == nil || session.day == request.day)
        && (request.track == nil || session.track == request.track)
        && (request.room.map { session.rooms.contains($0) } ?? true) && (tag.map { session.has(tag: $0) } ?? true)
    }
    let start = min(max(request.offset, 0), found.count)
    let page = found[start...].prefix(request.limit)
    return SessionPage(
      festival: festival, sessions: page.map { programme.sessions[$0] }, hasMore: start + page.count < found.count)
  }

  package func sessions(_ ids: [SessionID]) -> SessionSet {
    let found = Set(ids).compactMap { self[$0] }.sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
    return SessionSet(festival: festival, sessions: found, conflicts: SessionConflict.all(among: found))
  }

  func noDay(_ day: CivilDate) -> RPCError {
    RPCError(.notFound, "\(day) is no day of \(festival.id); it goes from \(festival.startsOn) to \(festival.endsOn)")
  }

  private func check(_ room: RoomID?, _ track: TrackID?) throws(RPCError) {
    if let room, !festival.rooms.contains(where: { $0.id == room }) {
      throw RPCError(
        .invalidArgument,
        "\(festival.id) has no room \(room); it has \(festival.rooms.map(\.id.text).joined(separator: ", "))")
    }
    if let track, !festival.tracks.contains(where: { $0.id == track }) {
      throw RPCError(
        .invalidArgument,
        "\(festival.id) has no track \(track); it has \(festival.tracks.map(\.id.text).joined(separator: ", "))")
    }
  }
}

nonisolated extension FestivalSession {
  /// One of its flags, its kind, its language or its level.
  fileprivate func has(tag: String) -> Bool {
    flags.contains { $0.lowercased() == tag } || kind?.lowercased() == tag || language?.lowercased() == tag
      || level?.lowercased() == tag
  }
}

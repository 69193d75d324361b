package import Calendars
package import Clocks
package import Contracts
import JSON
import ServiceKit

/// How sessions look in lists.
nonisolated extension Report {
  init(_ sessions: [FestivalSession], of festival: Festival, in zone: TimeZoneRules) {
    let rooms = Dictionary(festival.rooms.map { ($0.id, $0.name) }) { first, _ in first }
    let tracks = Dictionary(festival.tracks.map { ($0.id, $0.name) }) { first, _ in first }
    let columns = [
      Column("id"), Column("day"), Column("start"), Column("end"), Column("rooms", shrinks: true),
      Column("title", shrinks: true), Column("track", shrinks: true), Column("speakers", shrinks: true),
      Column("state"), Column("starts_at", visible: false), Column("ends_at", visible: false),
      Column("kind", visible: false), Column("language", visible: false),
    ]
    self.init(
      columns,
      rows: sessions.map { session in
        let names = session.rooms.map { rooms[$0] ?? $0.text }
        let speakers = session.speakers.map(\.name)
        return [
          "\(session.id.text)", "\(session.day)", "\(session.clock(of: session.startsAt, in: zone))",
          .text(session.endsAt.map { session.clock(of: $0, in: zone) }),
          Cell(names.joined(separator: ", "), json: .array(names.map { .string($0) })), "\(session.title)",
          .text(session.track.flatMap { tracks[$0] }),
          Cell(speakers.joined(separator: ", "), json: .array(speakers.map { .string($0) })), session.stateCell,
          "\(zone.timestamp(at: session.startsAt))", .text(session.endsAt.map { "\(zone.timestamp(at: $0))" }),
          .text(session.kind), .text(session.language),
        ]
      })
  }

  /// The cells of a grid as rows.
  init(cells grid: GridDay, in zone: TimeZoneRules) {
    let columns = [
      Column("room"), Column("first_row", alignment: .right), Column("end_row", alignment: .right),
      Column("lane", alignment: .right), Column("lanes", alignment: .right), Column("id"), Column("start"),
      Column("end"),
      Column("title", shrinks: true), Column("state"),
    ]
    self.init(
      columns,
      rows: grid.placed.map { cell in
        [
          .text(cell.room?.text), .number(cell.rows.lowerBound), .number(cell.rows.upperBound), .number(cell.lane),
          .number(cell.lanes),
          "\(cell.session.id.text)", "\(cell.session.clock(of: cell.session.startsAt, in: zone))",
          .text(cell.session.endsAt.map { cell.session.clock(of: $0, in: zone) }), "\(cell.session.title)",
          cell.session.stateCell,
        ]
      })
  }
}

nonisolated extension FestivalSession {
  /// `24:30` under the evening that it belongs to; what is later than 29:59 has its date.
  package func clock(of instant: WallTime, in zone: TimeZoneRules) -> String {
    let local = zone.local(at: instant)
    let display = DisplayTime(local.time)
    guard local.date != day else { return "\(display)" }
    if local.date == day + 1, let late = display.nextDay { return "\(late)" }
    return "\(local.date) \(display)"
  }

  fileprivate var stateCell: Report.Cell {
    if isCancelled { return Report.Cell("cancelled", .bad) }
    return isSoldOut ? Report.Cell("sold out", .warning) : Report.Cell("", json: .null)
  }
}

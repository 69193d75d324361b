import Calendars
package import Clocks
package import Contracts
import JSON

/// What a fuzzer calls: every reader over any bytes. What was read is written, and reads back the same.
package enum FestivalsFuzzing {
  package static func run(_ bytes: [UInt8]) {
    var options = ReadingOptions(zones: zones)
    options.name = "Fuzz"
    // Its clocks are changed twice a year: some hours are missing, and some are there twice.
    options.zone = ZoneName("Europe/Berlin")
    for format in FestivalFormat.known {
      guard let programme = try? FestivalProgramme.read([bytes], as: format, options: options) else { continue }
      check(programme, options)
    }
    options.mapping = mapping
    if let programme = try? FestivalProgramme.read([bytes], as: .json, options: options) {
      options.mapping = nil
      check(programme, options)
    }
    _ = try? FloorMap.clean(bytes, of: festival)
    let prose = SessionProse(String(decoding: bytes, as: UTF8.self))
    precondition(prose.blocks.allSatisfy { !$0.lines.isEmpty && $0.lines.allSatisfy { !$0.isEmpty } })
  }

  private static let zones = ZoneDirectory()
  private static let mapping = try? ColumnMapping(
    [
      "columns": [
        "title": "t", "start": "s", "day": "d", "rooms": "r", "duration": "l", "end": "e", "speakers": "p",
        "track": "k", "id": "i",
      ],
      "date": ["year": 2026, "month": 5],
    ])
  private static let festival = Festival(
    id: FestivalID("f")!, name: "F", zone: .utc, startsOn: .first, endsOn: .last,
    rooms: [FestivalRoom(id: RoomID("a")!, name: "A")])

  private static func check(_ programme: FestivalProgramme, _ options: ReadingOptions) {
    for day in programme.festival.days.prefix(4) {
      let grid = GridLayout.grid(of: programme, on: day.date)
      precondition(grid.placed.allSatisfy { !$0.rows.isEmpty && $0.rows.upperBound <= grid.rows && $0.lane < $0.lanes })
    }
    _ = programme.findings
    // Tables and calendars have no place for days on which nothing takes place.
    guard !programme.sessions.isEmpty, let zone = try? zones.rules(for: programme.festival.zone) else { return }
    let essence = programme.essence
    for format in FestivalFormat.known {
      guard let bytes = try? programme.written(as: format, zone: zone, now: WallTime(milliseconds: 0)) else { continue }
      do throws(ProgrammeError) {
        let again = try FestivalProgramme.read([bytes], as: format, options: options).essence
        if let (was, now) = zip(essence, again).first(where: { $0 != $1 }) {
          preconditionFailure("\(format.rawValue) reads back \(now) where \(was) was written")
        }
        precondition(essence.count == again.count, "\(format.rawValue) reads back \(again.count) of \(essence.count)")
      } catch {
        preconditionFailure("\(format.rawValue) that was written is refused: \(error)")
      }
    }
  }
}

/// What has to be the same after a journey through any format.
package struct SessionEssence: Hashable, Sendable {
  package let id: SessionID
  package let title: String
  package let rooms: [String]
  package let startsAt: WallTime
  package let endsAt: WallTime?
  package let speakers: [String]
  package let track: String?
}

extension FestivalProgramme {
  /// Of every session, in the order of their ids.
  package var essence: [SessionEssence] {
    let rooms = Dictionary(festival.rooms.map { ($0.id, $0.name) }) { first, _ in first }
    let tracks = Dictionary(festival.tracks.map { ($0.id, $0.name) }) { first, _ in first }
    return sessions.map { session in
      SessionEssence(
        id: session.id, title: session.title, rooms: session.rooms.map { rooms[$0] ?? $0.text }.sorted(),
        startsAt: session.startsAt, endsAt: session.endsAt, speakers: session.speakers.map(\.name),
        track: session.track.flatMap { tracks[$0] })
    }.sorted { $0.id.text < $1.id.text }
  }
}
